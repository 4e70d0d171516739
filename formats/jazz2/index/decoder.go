package index

import (
	"bytes"
	"io"
)

// Decode fills pixels, an image with 1 to 4 channels, from its encoded form. It returns how many pixels at the end of the
// image were made up because the data had ended; 0 says that the data was complete.
func Decode(data, pixels []byte, channels int) (missing int) {
	return NewDecoder(bytes.NewReader(data), channels).Decode(pixels)
}

// A Decoder reads the encoded form of an image piece by piece.
type Decoder struct {
	channels int
	table    [64]pixel
	previous pixel
	run      int // pixels of a run that are still to come

	in    io.Reader
	buf   [4096]byte
	at, n int // of buf
	ended bool
	cut   bool // an operation was read of which bytes are missing
}

// NewDecoder returns a Decoder for an image with 1 to 4 channels. Other numbers of channels are a mistake of the caller and
// panic. An error of the reader ends the data like its end.
func NewDecoder(r io.Reader, channels int) *Decoder {
	checkChannels(channels)
	return &Decoder{channels: channels, previous: pixel{a: 255}, in: r}
}

// Decode fills pixels with the next part of the image. It returns how many of them were made up because the data had ended.
func (d *Decoder) Decode(pixels []byte) (missing int) {
	total := len(pixels) / d.channels
	for done := 0; done < total; {
		if d.run == 0 {
			if !d.more() {
				d.fill(pixels, d.table[0], done, total)
				return missing + total - done
			}
			d.run = d.operation()
			if d.cut {
				d.cut = false
				missing++
			}
		}
		end := min(done+d.run, total)
		d.fill(pixels, d.previous, done, end)
		d.run -= end - done
		done = end
	}
	return missing
}

// operation reads an operation and says for how many pixels it stands.
func (d *Decoder) operation() (count int) {
	p, op := d.previous, d.next()
	count = 1
	switch {
	case op == opRGB:
		p.r, p.g, p.b = d.next(), 0, 0
		if d.channels > 1 {
			p.g = d.next()
		}
		if d.channels > 2 {
			p.b = d.next()
		}
	case op == opRGBA:
		p.r, p.g, p.b, p.a = d.next(), d.next(), d.next(), d.next()
	case op >= opRun:
		count = int(op&0x3F) + 1
	case op >= opLuma:
		low := d.next()
		dg := op&0x3F - 32
		p.r += dg + low>>4 - 8
		p.g += dg
		p.b += dg + low&0x0F - 8
	case op >= opDiff:
		p.r += op>>4&3 - 2
		p.g += op>>2&3 - 2
		p.b += op&3 - 2
	default:
		p = d.table[op]
	}
	d.table[p.hash()] = p
	d.previous = p
	return count
}

// fill writes a pixel to the places from to to of an image.
func (d *Decoder) fill(pixels []byte, p pixel, from, to int) {
	if d.channels == 1 {
		for i := from; i < to; i++ {
			pixels[i] = p.r
		}
		return
	}
	for i := from; i < to; i++ {
		p.store(pixels[i*d.channels:], d.channels)
	}
}

// more says whether there is another byte.
func (d *Decoder) more() bool {
	// A reader may give no bytes and no error for a while, but not for ever.
	for idle := 0; d.at == d.n && !d.ended && idle < 100; idle++ {
		var err error
		d.at = 0
		d.n, err = d.in.Read(d.buf[:])
		d.ended = err != nil
	}
	return d.at < d.n
}

// next gives the next byte, or 0 behind the end.
func (d *Decoder) next() byte {
	if d.at == d.n && !d.more() {
		d.cut = true
		return 0
	}
	d.at++
	return d.buf[d.at-1]
}
