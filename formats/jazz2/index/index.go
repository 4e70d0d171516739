// Package index reads and writes the index encoding, in which Jazz² Resurrection keeps the pixels of fonts, sprite sheets
// and other images. It stands on the operations of QOI, without header, length or end mark: a reader stops after the
// number of pixels that it expects.
//
// Images have 1 to 4 channels. Each pixel becomes a colour of four bytes:
//
//	channels 1    r = palette index, g = 0, b = 0, a = 255
//	channels 2    r = palette index, g = alpha, b = 0, a = 255
//	channels 3    r, g, b, a = 255
//	channels 4    r, g, b, a
//
// Both sides start with the previous pixel (0, 0, 0, 255) and a table of 64 pixels that are all (0, 0, 0, 0). A pixel's
// place in the table is (3r + 5g + 7b + 11a) mod 64. All sums are taken modulo 256.
//
//	00iiiiii             the pixel at place i of the table
//	01rrggbb             the previous pixel, each channel + value - 2
//	10gggggg rrrrbbbb    dg = gggggg - 32: g + dg, r + dg + rrrr - 8, b + dg + bbbb - 8
//	11nnnnnn             the previous pixel n + 1 times, n up to 61
//	11111110 r [g [b]]   as many components as there are channels, at most 3; those not present become 0; a stays
//	11111111 r g b a     a whole pixel
//
// The table starts with alpha 0 while the previous pixel starts with alpha 255. An image of one channel that begins with
// index 0 has therefore not put it into the encoder's table, and the first return to index 0 takes two bytes.
//
// Bytes that are missing at the end of the data read as 0, and bytes after the last pixel are passed over.
package index

const (
	opDiff = 0x40
	opLuma = 0x80
	opRun  = 0xC0
	opRGB  = 0xFE
	opRGBA = 0xFF

	maxRun = 62
)

type pixel struct{ r, g, b, a uint8 }

func (p pixel) hash() uint8 { return (3*p.r + 5*p.g + 7*p.b + 11*p.a) & 63 }

// load takes the pixel of the first bytes of an image with the number of channels.
func load(pixels []byte, channels int) pixel {
	switch channels {
	case 1:
		return pixel{pixels[0], 0, 0, 255}
	case 2:
		return pixel{pixels[0], pixels[1], 0, 255}
	case 3:
		return pixel{pixels[0], pixels[1], pixels[2], 255}
	}
	return pixel{pixels[0], pixels[1], pixels[2], pixels[3]}
}

func (p pixel) store(pixels []byte, channels int) {
	switch channels {
	case 1:
		pixels[0] = p.r
	case 2:
		pixels[0], pixels[1] = p.r, p.g
	case 3:
		pixels[0], pixels[1], pixels[2] = p.r, p.g, p.b
	default:
		pixels[0], pixels[1], pixels[2], pixels[3] = p.r, p.g, p.b, p.a
	}
}

// Encode gives the encoded form of an image with 1 to 4 channels, whose pixels are len(pixels)/channels. Other numbers of
// channels are a mistake of the caller and panic.
func Encode(pixels []byte, channels int) []byte {
	return Append(make([]byte, 0, len(pixels)/2+16), pixels, channels)
}

// Append is [Encode] behind what dst holds. The same pixels always give the same bytes.
func Append(dst, pixels []byte, channels int) []byte {
	checkChannels(channels)
	var table [64]pixel
	previous := pixel{a: 255}
	run := 0
	for ; len(pixels) >= channels; pixels = pixels[channels:] {
		p := load(pixels, channels)
		if p == previous {
			if run++; run == maxRun || len(pixels) < 2*channels {
				dst = append(dst, opRun|byte(run-1))
				run = 0
			}
			continue
		}
		if run > 0 {
			dst = append(dst, opRun|byte(run-1))
			run = 0
		}
		place := p.hash()
		if table[place] == p {
			dst = append(dst, place)
		} else {
			table[place] = p
			dst = appendPixel(dst, previous, p, channels)
		}
		previous = p
	}
	return dst
}

// appendPixel writes a pixel that neither repeats the one before it nor stands in the table.
func appendPixel(dst []byte, previous, p pixel, channels int) []byte {
	if p.a != previous.a {
		return append(dst, opRGBA, p.r, p.g, p.b, p.a)
	}
	dr, dg, db := int8(p.r-previous.r), int8(p.g-previous.g), int8(p.b-previous.b)
	lr, lb := dr-dg, db-dg
	switch {
	case small(dr) && small(dg) && small(db):
		return append(dst, opDiff|byte(dr+2)<<4|byte(dg+2)<<2|byte(db+2))
	case lr >= -8 && lr <= 7 && lb >= -8 && lb <= 7 && dg >= -32 && dg <= 31:
		return append(dst, opLuma|byte(dg+32), byte(lr+8)<<4|byte(lb+8))
	case channels == 1:
		return append(dst, opRGB, p.r)
	case channels == 2:
		return append(dst, opRGB, p.r, p.g)
	}
	return append(dst, opRGB, p.r, p.g, p.b)
}

func small(d int8) bool { return d >= -2 && d <= 1 }

func checkChannels(channels int) {
	if channels < 1 || channels > 4 {
		panic("index: channels out of the range 1 to 4")
	}
}
