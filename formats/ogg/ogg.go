// Package ogg reads what an Ogg file says about its sound.
//
// A file is pages, one after another, each with parts of packets. All numbers are little-endian.
//
//	Page
//	 0   4  "OggS"
//	 4   1  version, 0
//	 5   1  flags: 1 goes on with a packet, 2 first page of its stream, 4 last page
//	 6   8  int64 position of the stream after the page, in frames; -1 when no packet ends in it
//	14   4  uint32 number of the stream
//	18   4  uint32 number of the page
//	22   4  uint32 CRC of the page with zeros here: polynomial 0x04C11DB7, from the highest bit on, from 0
//	26   1  number of segments
//	27      length of each segment, 1 byte each; then the segments
//
// The first packet of a stream says what it is.
//
//	Vorbis                                   Opus
//	 0   7  0x01 "vorbis"                     0   8  "OpusHead"
//	 7   4  uint32 version, 0                 8   1  version, below 16
//	11   1  channels                          9   1  channels
//	12   4  uint32 frames a second           10   2  uint16 frames to be left out at the beginning
//	                                         12   4  uint32 frames a second of what was encoded; positions count 48000 a second
package ogg

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"time"

	"talebinder/formats"
)

// An Info is what a file says about its first stream.
type Info struct {
	Codec    string // "Vorbis" or "Opus"
	Channels int
	Rate     int   // frames a second
	Frames   int64 // -1 when the file does not say
}

// Duration is how long the sound takes; 0 when it is not known.
func (i Info) Duration() time.Duration {
	if i.Rate <= 0 || i.Frames < 0 {
		return 0
	}
	seconds, rest := i.Frames/int64(i.Rate), i.Frames%int64(i.Rate)
	seconds = min(seconds, 1<<33) // what a Duration can hold
	return time.Duration(seconds)*time.Second + time.Duration(rest)*time.Second/time.Duration(i.Rate)
}

const (
	pageHeader = 27
	maxPage    = pageHeader + 255 + 255*255
	opusRate   = 48_000
	// searched is how far from its end a file is looked at for its last page.
	searched = 1 << 20
	// tried is how many places that look like pages are looked at there.
	tried = 200
)

// ReadInfo reads the first page and the last one of a file of size bytes. One that is no Ogg, or a damaged one, gives a
// *formats.Fault of kind formats.ErrDamaged; a stream that is neither Vorbis nor Opus one of kind formats.ErrUnsupported.
func ReadInfo(r io.ReaderAt, size int64) (Info, error) {
	first := make([]byte, min(size, maxPage))
	if _, err := r.ReadAt(first, 0); err != nil && !errors.Is(err, io.EOF) {
		return Info{}, err
	}
	if len(first) < pageHeader || string(first[:4]) != "OggS" {
		return Info{}, formats.Damaged("first page", 0, fmt.Sprintf("%q", first[:min(len(first), 4)]), `"OggS"`)
	}
	page, ok := cutPage(first)
	if !ok {
		return Info{}, formats.Damaged("first page", 0, "a page that is cut off or was changed", "a whole page")
	}
	info, delay, err := describe(page[pageHeader+int(page[26]):])
	if err != nil {
		return Info{}, err
	}
	last, err := lastPosition(r, size, binary.LittleEndian.Uint32(page[14:]))
	if err != nil {
		return Info{}, err
	}
	info.Frames = -1
	if last >= 0 {
		info.Frames = max(last-delay, 0)
	}
	return info, nil
}

// describe reads the first packet of a stream.
func describe(packet []byte) (info Info, delay int64, err error) {
	le := binary.LittleEndian
	switch {
	case bytes.HasPrefix(packet, []byte("\x01vorbis")) && len(packet) >= 16:
		info = Info{Codec: "Vorbis", Channels: int(packet[11]), Rate: int(le.Uint32(packet[12:]))}
	case bytes.HasPrefix(packet, []byte("OpusHead")) && len(packet) >= 16:
		info = Info{Codec: "Opus", Channels: int(packet[9]), Rate: opusRate}
		delay = int64(le.Uint16(packet[10:]))
	default:
		return info, 0, formats.Unsupported("first packet", pageHeader, fmt.Sprintf("%q", packet[:min(len(packet), 8)]), "Vorbis or Opus")
	}
	if info.Channels == 0 || info.Rate == 0 {
		return info, 0, formats.Damaged("first packet", pageHeader, fmt.Sprintf("%d channels, %d frames a second", info.Channels, info.Rate), "more than 0 of each")
	}
	return info, delay, nil
}

// lastPosition finds the position of a stream at its end, or -1.
func lastPosition(r io.ReaderAt, size int64, stream uint32) (int64, error) {
	tail := make([]byte, min(size, searched))
	if _, err := r.ReadAt(tail, size-int64(len(tail))); err != nil && !errors.Is(err, io.EOF) {
		return -1, err
	}
	end := len(tail)
	for range tried {
		at := bytes.LastIndex(tail[:end], []byte("OggS"))
		if at < 0 {
			break
		}
		// These bytes can be in a sound too; a page also has the right CRC.
		if page, ok := cutPage(tail[at:]); ok && binary.LittleEndian.Uint32(page[14:]) == stream {
			if position := int64(binary.LittleEndian.Uint64(page[6:])); position >= 0 {
				return position, nil
			}
		}
		end = at
	}
	return -1, nil
}

// cutPage gives the page at the beginning of b, if there is a whole one.
func cutPage(b []byte) ([]byte, bool) {
	if len(b) < pageHeader || b[4] != 0 {
		return nil, false
	}
	segments := int(b[26])
	length := pageHeader + segments
	if len(b) < length {
		return nil, false
	}
	for _, n := range b[pageHeader:length] {
		length += int(n)
	}
	if len(b) < length {
		return nil, false
	}
	page := b[:length]
	return page, crc(page) == binary.LittleEndian.Uint32(page[22:])
}

// crc is that of a page, whose own CRC counts as zeros.
func crc(page []byte) uint32 {
	var sum uint32
	for i, b := range page {
		if i >= 22 && i < 26 {
			b = 0
		}
		sum = sum<<8 ^ crcTable[byte(sum>>24)^b]
	}
	return sum
}

var crcTable = func() (table [256]uint32) {
	for i := range table {
		sum := uint32(i) << 24
		for range 8 {
			carry := sum >> 31
			sum = sum<<1 ^ carry*0x04C11DB7
		}
		table[i] = sum
	}
	return table
}()
