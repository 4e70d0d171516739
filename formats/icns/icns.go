// Package icns reads and writes macOS icon files.
//
// All numbers are big-endian.
//
//	Offset  Size  Content
//	0       4     "icns"
//	4       4     length of the file in bytes
//	8       ...   chunks: a type of 4 bytes, u32 length of the chunk with these 8 bytes, the data
//
// The types that this package writes hold a complete PNG file:
//
//	Type  Pixels
//	icp4  16
//	icp5  32
//	ic07  128
//	ic08  256
//	ic09  512
//	ic10  1024
//
// Files of other programs also have chunks of raw pixels, JPEG 2000 pictures, masks and a table of contents; they are read
// as they are.
package icns

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
	magic     = "icns"
	chunkHead = 8
)

// types lists the chunks that are written, by size in pixels.
var types = []struct {
	name string
	size int
}{{"icp4", 16}, {"icp5", 32}, {"ic07", 128}, {"ic08", 256}, {"ic09", 512}, {"ic10", 1024}}

// Sizes gives the sizes in pixels that an application's icon has.
func Sizes() []int {
	all := make([]int, len(types))
	for i, t := range types {
		all[i] = t.size
	}
	return all
}

// Entry is a chunk of an icon file.
type Entry struct {
	Type string // 4 characters
	Size int    // width and height in pixels, or 0 when the type is none that Write writes
	Data []byte
}

// PNG says whether the chunk is a PNG file.
func (e Entry) PNG() bool { return bytes.HasPrefix(e.Data, []byte("\x89PNG\r\n\x1a\n")) }

// Write writes an icon file of the images in their order. A size that is none of Sizes gives a *formats.Fault of kind
// formats.ErrUnsupported.
func Write(w io.Writer, images []icon.Image) error {
	b := append([]byte(magic), 0, 0, 0, 0)
	for _, image := range images {
		name := ""
		for _, t := range types {
			if t.size == image.Size {
				name = t.name
			}
		}
		if name == "" {
			return formats.Unsupported("macOS icon", -1, fmt.Sprintf("an image of %d pixels", image.Size), fmt.Sprintf("one of %v", Sizes()))
		}
		if total := int64(len(b)) + chunkHead + int64(len(image.PNG)); total > math.MaxUint32 {
			return fmt.Errorf("macOS icon: %w", &formats.LimitError{What: "length of the file", Value: total, Max: math.MaxUint32, Unit: "bytes"})
		}
		b = append(b, name...)
		b = binary.BigEndian.AppendUint32(b, uint32(chunkHead+len(image.PNG)))
		b = append(b, image.PNG...)
	}
	binary.BigEndian.PutUint32(b[4:], uint32(len(b)))
	if _, err := w.Write(b); err != nil {
		return fmt.Errorf("macOS icon: %w", err)
	}
	return nil
}

// Read reads an icon file. The data of the entries are parts of data and are not decoded. A damaged file gives a
// *formats.Fault.
func Read(data []byte) ([]Entry, error) {
	if len(data) < chunkHead || string(data[:4]) != magic {
		return nil, formats.Damaged("macOS icon: header", 0, fmt.Sprintf("%q", data[:min(len(data), 4)]), fmt.Sprintf("%q and a length", magic))
	}
	if length := int64(binary.BigEndian.Uint32(data[4:])); length < chunkHead || length > int64(len(data)) {
		return nil, formats.Damaged("macOS icon: length", 4, fmt.Sprint(length), fmt.Sprintf("%d to %d, the file's length", chunkHead, len(data)))
	} else {
		data = data[:length]
	}
	var entries []Entry
	for at := chunkHead; at < len(data); {
		if len(data)-at < chunkHead {
			return nil, formats.Damaged(fmt.Sprintf("macOS icon: chunk %d", len(entries)), int64(at), fmt.Sprintf("the end of the icon after %d bytes", len(data)-at), fmt.Sprintf("%d bytes", chunkHead))
		}
		length := int64(binary.BigEndian.Uint32(data[at+4:]))
		if length < chunkHead || length > int64(len(data)-at) {
			return nil, formats.Damaged(fmt.Sprintf("macOS icon: chunk %d: length", len(entries)), int64(at)+4, fmt.Sprint(length), fmt.Sprintf("%d to %d, what is left of the icon", chunkHead, len(data)-at))
		}
		entry := Entry{Type: string(data[at : at+4]), Data: data[at+chunkHead : at+int(length)]}
		for _, t := range types {
			if t.name == entry.Type {
				entry.Size = t.size
			}
		}
		entries = append(entries, entry)
		at += int(length)
	}
	return entries, nil
}
