// Package wav reads what the header of a WAV file says about its sound.
//
// A file is a RIFF: chunks one after another, each an identifier of four bytes, a length and as many bytes, and one more when
// the length is odd. All numbers are little-endian.
//
//	 0   4  "RIFF", or "RF64" in a file of more than 4 GB
//	 4   4  uint32 length of the rest
//	 8   4  "WAVE"
//	12      chunks
//
//	"fmt "
//	 0   2  uint16 encoding: 1 PCM, 2 ADPCM, 3 floating point, 6 A-law, 7 µ-law, 17 IMA ADPCM, 0xFFFE see below
//	 2   2  uint16 channels
//	 4   4  uint32 samples a second of each channel
//	 8   4  uint32 bytes a second
//	12   2  uint16 bytes of a frame, one sample of each channel; in some encodings of a block of frames
//	14   2  uint16 bits of a sample
//	24   2  uint16 encoding, when the one above is 0xFFFE
//
//	"fact"
//	 0   4  uint32 number of frames, in encodings that do not have the same number in each byte
//
//	"ds64", in a file that begins with "RF64"
//	 8   8  uint64 length of "data"
//
// "data" holds the samples. What records while it writes leaves 0 or 0xFFFFFFFF as its length: the sound goes to the end of the
// file then.
package wav

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"time"

	"talebinder/formats"
)

// An Encoding is a way to store samples.
type Encoding uint16

// The encodings of the format that are met.
const (
	PCM        Encoding = 1
	ADPCM      Encoding = 2
	Float      Encoding = 3
	ALaw       Encoding = 6
	MuLaw      Encoding = 7
	IMAADPCM   Encoding = 17
	extensible Encoding = 0xFFFE
)

// String gives the name of the encoding.
func (e Encoding) String() string {
	switch e {
	case PCM:
		return "PCM"
	case ADPCM:
		return "ADPCM"
	case Float:
		return "floating point"
	case ALaw:
		return "A-law"
	case MuLaw:
		return "µ-law"
	case IMAADPCM:
		return "IMA ADPCM"
	}
	return fmt.Sprintf("encoding %d", uint16(e))
}

// An Info is what a header says.
type Info struct {
	Encoding Encoding
	Channels int
	Rate     int   // samples a second of each channel
	Bits     int   // of a sample
	Frames   int64 // samples of each channel
}

// Duration is how long the sound takes.
func (i Info) Duration() time.Duration {
	if i.Rate <= 0 {
		return 0
	}
	seconds, rest := i.Frames/int64(i.Rate), i.Frames%int64(i.Rate)
	seconds = min(seconds, 1<<33) // what a Duration can hold
	return time.Duration(seconds)*time.Second + time.Duration(rest)*time.Second/time.Duration(i.Rate)
}

// most is how many bytes a chunk that is read has at most; they have less than 100.
const most = 1 << 10

// ReadInfo reads the header of a file of size bytes, up to where its samples begin. A file that is not a WAV, or a damaged one,
// gives a *formats.Fault of kind formats.ErrDamaged.
func ReadInfo(r io.Reader, size int64) (Info, error) {
	s := &reader{r: r, size: size}
	var head [12]byte
	if err := s.read("header", head[:]); err != nil {
		return Info{}, err
	}
	if id := string(head[:4]); id != "RIFF" && id != "RF64" || string(head[8:]) != "WAVE" {
		return Info{}, formats.Damaged("header", 0, fmt.Sprintf("%q", head), `"RIFF" and "WAVE"`)
	}
	var info Info
	var format []byte
	var frames, long int64 = -1, -1
	for {
		var chunk [8]byte
		if err := s.read("chunk", chunk[:]); err != nil {
			return Info{}, err
		}
		name, length := string(chunk[:4]), int64(binary.LittleEndian.Uint32(chunk[4:]))
		if name == "data" {
			if format == nil {
				return Info{}, formats.Damaged("chunk data", s.offset-8, "samples", `the chunk "fmt ", which describes them`)
			}
			if long >= 0 {
				length = long
			}
			return info, info.count(format, frames, length, size-s.offset)
		}
		var content []byte
		switch name {
		case "fmt ", "fact", "ds64":
			content = make([]byte, min(length, most))
			if err := s.read("chunk "+name, content); err != nil {
				return Info{}, err
			}
		}
		if err := s.skip(length - int64(len(content)) + length%2); err != nil {
			return Info{}, err
		}
		switch {
		case name == "fmt ":
			if format = content; len(format) < 16 {
				return Info{}, formats.Damaged(`chunk "fmt "`, s.offset-length, fmt.Sprintf("%d bytes", length), "at least 16")
			}
			info.describe(format)
		case name == "fact" && len(content) >= 4:
			frames = int64(binary.LittleEndian.Uint32(content))
		case name == "ds64" && len(content) >= 16:
			long = int64(binary.LittleEndian.Uint64(content[8:]))
		}
	}
}

// describe takes what the chunk "fmt " says.
func (i *Info) describe(format []byte) {
	le := binary.LittleEndian
	i.Encoding = Encoding(le.Uint16(format))
	if i.Encoding == extensible && len(format) >= 26 {
		i.Encoding = Encoding(le.Uint16(format[24:]))
	}
	i.Channels = int(le.Uint16(format[2:]))
	i.Rate = int(le.Uint32(format[4:]))
	i.Bits = int(le.Uint16(format[14:]))
}

// count finds the number of frames of length bytes of samples, of which there are rest bytes in the file.
func (i *Info) count(format []byte, frames, length, rest int64) error {
	if length <= 0 || length == 0xFFFFFFFF || length > rest {
		length = max(rest, 0)
	}
	frame := int64(binary.LittleEndian.Uint16(format[12:]))
	perSecond := int64(binary.LittleEndian.Uint32(format[8:]))
	switch {
	case i.Channels == 0 || i.Rate == 0 || frame == 0:
		return formats.Damaged(`chunk "fmt "`, -1, fmt.Sprintf("%d channels, %d samples a second, %d bytes a frame", i.Channels, i.Rate, frame), "more than 0 of each")
	case i.Encoding == PCM || i.Encoding == Float || i.Encoding == ALaw || i.Encoding == MuLaw:
		i.Frames = length / frame
	case frames >= 0:
		i.Frames = frames
	case perSecond > 0:
		i.Frames = int64(float64(length) / float64(perSecond) * float64(i.Rate))
	}
	return nil
}

// reader reads forwards and knows where it is.
type reader struct {
	r      io.Reader
	size   int64
	offset int64
}

func (s *reader) read(part string, b []byte) error {
	n, err := io.ReadFull(s.r, b)
	start := s.offset
	s.offset += int64(n)
	return s.end(part, start, int64(n), int64(len(b)), err)
}

func (s *reader) skip(n int64) error {
	done, err := io.CopyN(io.Discard, s.r, n)
	start := s.offset
	s.offset += done
	return s.end("chunk", start, done, n, err)
}

// end turns the end of the file into a fault.
func (s *reader) end(part string, start, found, expected int64, err error) error {
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return formats.Damaged(part, start, fmt.Sprintf("the end of the file after %d bytes", found), fmt.Sprintf("%d bytes", expected))
	}
	return err
}
