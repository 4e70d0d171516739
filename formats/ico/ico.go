// Package ico reads and writes Windows icon files.
//
// All numbers are little-endian.
//
//	Offset  Size  Content
//	0       2     0
//	2       2     1, an icon
//	4       2     number of images
//	6       16 n  the images' entries
//	...           the images
//
// An entry:
//
//	0       1     width in pixels, 0 for 256
//	1       1     height in pixels, 0 for 256
//	2       1     number of colours of a palette, else 0
//	3       1     0
//	4       2     colour planes, 1
//	6       2     bits for a pixel, 32
//	8       4     length of the image in bytes
//	12      4     offset of the image from the start of the file
//
// An image is a complete PNG file, since Windows Vista, or a bitmap without its file header. This package writes PNGs.
package ico

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"io"
	"math"

	"talebinder/formats"
	"talebinder/formats/icon"
)

const (
	headerSize = 6
	entrySize  = 16
	// MaxSize is the largest width and height of an image in pixels.
	MaxSize = 256
)

// Sizes gives the sizes in pixels that an application's icon has.
func Sizes() []int { return []int{16, 24, 32, 48, 64, 128, 256} }

// Entry is an image of an icon file.
type Entry struct {
	Width, Height int // in pixels
	Bits          int // for a pixel
	Data          []byte
}

// PNG says whether the image is a PNG file; it is a bitmap otherwise.
func (e Entry) PNG() bool { return bytes.HasPrefix(e.Data, []byte("\x89PNG\r\n\x1a\n")) }

// Write writes an icon file of the images in their order. A size outside 1 to MaxSize is a *formats.LimitError.
func Write(w io.Writer, images []icon.Image) error {
	if len(images) == 0 || len(images) > math.MaxUint16 {
		return fmt.Errorf("icon: %w", &formats.LimitError{What: "number of images", Value: int64(len(images)), Max: math.MaxUint16})
	}
	le := binary.LittleEndian
	b := le.AppendUint16([]byte{0, 0, 1, 0}, uint16(len(images)))
	offset := int64(headerSize + entrySize*len(images))
	for _, image := range images {
		entry, err := AppendEntry(nil, image)
		if err != nil {
			return err
		}
		if offset+int64(len(image.PNG)) > math.MaxUint32 {
			return fmt.Errorf("icon: %w", &formats.LimitError{What: "length of the file", Value: offset + int64(len(image.PNG)), Max: math.MaxUint32, Unit: "bytes"})
		}
		b = le.AppendUint32(append(b, entry...), uint32(offset))
		offset += int64(len(image.PNG))
	}
	for _, image := range images {
		b = append(b, image.PNG...)
	}
	if _, err := w.Write(b); err != nil {
		return fmt.Errorf("icon: %w", err)
	}
	return nil
}

// AppendEntry appends the first 12 bytes of an image's entry: all but the place of the image, which an icon file and the
// resources of an executable write differently.
func AppendEntry(b []byte, image icon.Image) ([]byte, error) {
	if image.Size < 1 || image.Size > MaxSize {
		return nil, fmt.Errorf("icon: %w", &formats.LimitError{What: "size of an image", Value: int64(image.Size), Max: MaxSize, Unit: "pixels"})
	}
	side := byte(image.Size % 256)
	b = append(b, side, side, 0, 0, 1, 0, 32, 0)
	return binary.LittleEndian.AppendUint32(b, uint32(len(image.PNG))), nil
}

// ParseEntry reads what AppendEntry writes: the entry without its data, and the length of the image. b has at least 12
// bytes.
func ParseEntry(b []byte) (Entry, uint32) {
	side := func(b byte) int {
		if b == 0 {
			return 256
		}
		return int(b)
	}
	le := binary.LittleEndian
	return Entry{Width: side(b[0]), Height: side(b[1]), Bits: int(le.Uint16(b[6:]))}, le.Uint32(b[8:])
}

// Read reads an icon file. The images are parts of data and are not decoded. A damaged file gives a *formats.Fault.
func Read(data []byte) ([]Entry, error) {
	le := binary.LittleEndian
	if len(data) < headerSize {
		return nil, formats.Damaged("icon: header", 0, fmt.Sprintf("the end of the file after %d bytes", len(data)), fmt.Sprintf("%d bytes", headerSize))
	}
	if reserved, kind := le.Uint16(data), le.Uint16(data[2:]); reserved != 0 || kind != 1 {
		return nil, formats.Damaged("icon: header", 0, fmt.Sprintf("%#x", data[:4]), "0x00000100, the start of an icon file")
	}
	count := int(le.Uint16(data[4:]))
	end := headerSize + entrySize*count
	if count == 0 || end > len(data) {
		return nil, formats.Damaged("icon: number of images", 4, fmt.Sprint(count), fmt.Sprintf("at least 1, and room for them in %d bytes", len(data)))
	}
	entries := make([]Entry, count)
	for i := range entries {
		at := headerSize + entrySize*i
		entry, length := ParseEntry(data[at:])
		offset := int64(le.Uint32(data[at+12:]))
		if offset < int64(end) || offset+int64(length) > int64(len(data)) {
			return nil, formats.Damaged(fmt.Sprintf("icon: entry %d", i), int64(at), fmt.Sprintf("an image from byte %d to %d", offset, offset+int64(length)),
				fmt.Sprintf("one between %d, the end of the entries, and %d, the file's length", end, len(data)))
		}
		entry.Data = data[offset : offset+int64(length)]
		entries[i] = entry
	}
	return entries, nil
}
