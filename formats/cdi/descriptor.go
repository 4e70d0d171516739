package cdi

import (
	"encoding/binary"
	"fmt"
	"io"
	"math"

	"talebinder/formats"
)

type reader = io.ReaderAt

var le = binary.LittleEndian

// Detect says whether a file of size bytes ends like a DiscJuggler image. It reads 8 bytes.
func Detect(r io.ReaderAt, size int64) (bool, error) {
	if size < 2*footerSize {
		return false, nil
	}
	version, _, err := readFooter(r, size)
	return version == Version2 || version == Version3 || version == Version35, err
}

func readFooter(r io.ReaderAt, size int64) (Version, uint32, error) {
	var b [footerSize]byte
	if _, err := io.ReadFull(io.NewSectionReader(r, size-footerSize, footerSize), b[:]); err != nil {
		return 0, 0, fmt.Errorf("footer: %w", err)
	}
	return Version(le.Uint32(b[:])), le.Uint32(b[4:]), nil
}

// NewImage reads the footer and the descriptor of the image in r, which is size bytes long. Nothing else is read.
//
// A file that is no image, or a damaged one, gives a *formats.Fault of kind formats.ErrDamaged: also when the tracks do not
// end where the descriptor begins, as in a file that is cut off or has something missing.
func NewImage(r io.ReaderAt, size int64) (*Image, error) {
	is, err := Detect(r, size)
	if err != nil {
		return nil, err
	}
	if !is {
		return nil, formats.Damaged("footer", max(size-footerSize, 0), "no version of DiscJuggler", "80000004, 80000005 or 80000006: this is no DiscJuggler image")
	}
	version, place, err := readFooter(r, size)
	if err != nil {
		return nil, err
	}
	im := &Image{Version: version, file: r, size: size, start: int64(place), data: -1}
	if version == Version35 {
		im.start = size - int64(place)
	}
	length := size - footerSize - im.start
	switch {
	case im.start < 0 || length < 0:
		return nil, formats.Damaged("footer", size-4, fmt.Sprintf("a descriptor at byte %d", im.start), fmt.Sprintf("one ahead of byte %d", size-footerSize))
	case length > maxDescriptor:
		return nil, formats.Damaged("footer", size-4, fmt.Sprintf("a descriptor of %d bytes", length), fmt.Sprintf("at most %d", maxDescriptor))
	}
	im.descriptor = make([]byte, length)
	if _, err := io.ReadFull(io.NewSectionReader(r, im.start, length), im.descriptor); err != nil {
		return nil, fmt.Errorf("descriptor: %w", err)
	}
	if err := im.parse(); err != nil {
		return nil, err
	}
	return im, nil
}

// walk goes through a descriptor. After a read beyond its end it gives zeros and has an error.
type walk struct {
	im  *Image
	at  int
	err error
}

func (w *walk) skip(n int) []byte {
	b := w.im.descriptor
	if w.err == nil && n > len(b)-w.at {
		w.err = formats.Damaged("descriptor", w.im.start+int64(w.at), fmt.Sprintf("its end after %d bytes", len(b)-w.at), fmt.Sprintf("%d bytes more", n))
	}
	if w.err != nil {
		return make([]byte, n)
	}
	w.at += n
	return b[w.at-n : w.at]
}

func (w *walk) u8() int     { return int(w.skip(1)[0]) }
func (w *walk) u16() int    { return int(le.Uint16(w.skip(2))) }
func (w *walk) u32() uint32 { return le.Uint32(w.skip(4)) }

// header goes past the header of a track or of the disc.
func (w *walk) header() {
	if w.u32() != 0 {
		w.skip(8)
	}
	w.skip(20 + 4)
	w.skip(w.u8())
	w.skip(19)
	if w.u32() == 0x80000000 {
		w.skip(8)
	}
}

func (im *Image) parse() error {
	w := &walk{im: im}
	sessions := w.u16()
	at := int64(0)
	for session := 1; session <= sessions && w.err == nil; session++ {
		im.Sessions = session
		tracks := w.u16()
		for range tracks {
			w.header()
			t := Track{Session: session, Number: len(im.Tracks) + 1, Offset: at}
			if err := im.parseTrack(w, &t); err != nil {
				return err
			}
			if at = t.end(); at > im.start {
				return formats.Damaged(part(t), im.start+int64(t.totalAt), fmt.Sprintf("an end at byte %d", at),
					fmt.Sprintf("at most %d, where the descriptor begins: the image is cut off or damaged", im.start))
			}
			if t.Mode != Audio {
				im.data = len(im.Tracks)
			}
			im.Tracks = append(im.Tracks, t)
		}
		w.skip(12)
		if im.Version != Version2 {
			w.skip(1)
		}
	}
	w.skip(2)
	w.header()
	im.discAt = w.at
	im.DiscSectors = w.u32()
	switch {
	case w.err != nil:
		return w.err
	case len(im.Tracks) == 0:
		return formats.Damaged("descriptor", im.start, "no tracks", "at least one")
	case at != im.start:
		return formats.Damaged("descriptor", im.start, fmt.Sprintf("tracks that end at byte %d", at),
			fmt.Sprintf("%d, where the descriptor begins: the image is cut off or damaged", im.start))
	}
	return nil
}

func part(t Track) string { return fmt.Sprintf("track %d", t.Number) }

func (im *Image) parseTrack(w *walk, t *Track) error {
	w.skip(2)
	t.Pregap = w.u32()
	t.lengthAt = w.at
	t.Length = w.u32()
	w.skip(6)
	t.Mode = Mode(w.u32())
	w.skip(12)
	t.LBA = w.u32()
	t.totalAt = w.at
	total := w.u32()
	w.skip(16)
	sizeAt := w.at
	size := w.u32()
	w.skip(5)
	t.total2At = w.at
	total2 := w.u32()
	w.skip(20)
	if im.Version != Version2 {
		w.skip(5)
		if w.u32() == math.MaxUint32 {
			w.skip(78)
		}
	}
	if w.err != nil {
		return w.err
	}
	switch size {
	case 0:
		t.SectorSize = sectorSize
	case 1:
		t.SectorSize = rawSize
	case 2:
		t.SectorSize = 2352
	case 3, 4:
		return formats.Unsupported(part(*t), im.start+int64(sizeAt), fmt.Sprintf("sector size number %d, sectors with subchannels", size), "0, 1 or 2: 2048, 2336 or 2352 bytes")
	default:
		return formats.Damaged(part(*t), im.start+int64(sizeAt), fmt.Sprintf("sector size number %d", size), "0, 1 or 2: 2048, 2336 or 2352 bytes")
	}
	if total != total2 || uint64(total) != uint64(t.Pregap)+uint64(t.Length) {
		return formats.Damaged(part(*t), im.start+int64(t.totalAt), fmt.Sprintf("lengths of %d and %d sectors", total, total2),
			fmt.Sprintf("%d, the pregap and the track", uint64(t.Pregap)+uint64(t.Length)))
	}
	return nil
}

// Writable says why Rewrite refuses the image; nil when it does not. Reading is possible all the same.
func (im *Image) Writable() error {
	if im.data < 0 {
		return im.noData()
	}
	t := im.Tracks[im.data]
	if t.SectorSize == 2352 {
		return formats.Unsupported(part(t), im.start+int64(t.lengthAt), "a data track with 2352-byte sectors, which are not written",
			"sectors of 2048 or 2336 bytes: author the image with those")
	}
	if im.data != len(im.Tracks)-1 {
		return formats.Unsupported(part(im.Tracks[im.data+1]), im.start+int64(t.lengthAt), "an audio track behind the data track, which would be lost", "the data track as the last one")
	}
	return nil
}

func (im *Image) noData() error {
	return fmt.Errorf("the image has %d audio tracks and %w", len(im.Tracks), ErrNoDataTrack)
}

// DiscLength gives the sectors of the whole disc once the data track has a given number of them.
func (im *Image) DiscLength(sectors uint32) (int64, error) {
	if im.data < 0 {
		return 0, im.noData()
	}
	return int64(im.DiscSectors) + int64(sectors) - int64(im.Tracks[im.data].Length), nil
}
