package discs

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"time"

	"talebinder/formats/cdi"
	"talebinder/formats/dragonfs"
	"talebinder/formats/iso9660"
	"talebinder/formats/n64rom"
)

// An Image is an open image. Its structure has been read, its files have not. It may be used from any goroutine.
type Image struct {
	Path      string
	Size      int64 // in bytes
	ModTime   time.Time
	Container Container

	file  *os.File
	info  fs.FileInfo
	order n64rom.Order // of a cartridge

	// A disc.
	cdi    *cdi.Image // nil for a plain volume
	data   *cdi.Data
	track  io.ReaderAt // the sectors of 2048 bytes of the data track
	volume *iso9660.Volume

	// A cartridge.
	header *n64rom.Header
	rom    *n64rom.ROM // nil when it has no table of contents that can be read
	dfs    n64rom.Entry
	dfsAt  int          // index of dfs in the table of contents
	fs     *dragonfs.FS // nil when it has no file system that can be read
	source io.ReaderAt  // the bytes in the console's order

	broken error // why the files of the image cannot be read
}

// Open opens an image. What it is shows from its first bytes and its last ones, never from its name. An image whose
// container is sound but whose files cannot be read is opened all the same; its identity says why.
func Open(ctx context.Context, name string) (*Image, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	file, err := openRegular(name)
	if err != nil {
		return nil, err
	}
	im := &Image{Path: name, file: file}
	if im.info, err = file.Stat(); err == nil {
		im.Size, im.ModTime = im.info.Size(), im.info.ModTime()
		err = im.detect()
	}
	if err != nil {
		_ = file.Close()
		return nil, err
	}
	return im, nil
}

// openRegular opens a file for reading, and nothing that a read could wait at.
func openRegular(name string) (*os.File, error) {
	info, err := os.Stat(name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, &Refusal{What: name, Found: "there is no such file", Err: err}
	case err != nil:
		return nil, err
	case info.IsDir():
		return nil, &Refusal{What: name, Found: "it is a folder", Needed: "a disc or cartridge image: an .iso, a .cdi or a .z64"}
	case !info.Mode().IsRegular():
		return nil, &Refusal{What: name, Found: "it is not an ordinary file", Needed: "a disc or cartridge image: an .iso, a .cdi or a .z64"}
	}
	return os.Open(name)
}

// Close closes the image's file.
func (im *Image) Close() error { return im.file.Close() }

// minCartridge is how long a file is at least that is taken for a cartridge by its first word.
const minCartridge = 4096

// detect finds the container and reads its structure.
func (im *Image) detect() error {
	if im.Size >= minCartridge {
		var word [4]byte
		if _, err := im.file.ReadAt(word[:], 0); err != nil {
			return err
		}
		if order, ok := n64rom.Detect(word[:]); ok {
			im.Container, im.order = Cartridge, order
			return im.openCartridge()
		}
	}
	is, err := cdi.Detect(im.file, im.Size)
	if err != nil {
		return err
	}
	if is {
		im.Container = CDI
		return im.openTracks()
	}
	im.Container = ISO
	im.track = im.file
	if im.volume, err = iso9660.NewVolume(im.file, im.Size, 0); err != nil {
		return refuse(im.Path+" is no image that is read here", err,
			"Plain .iso volumes, DiscJuggler .cdi images and Nintendo 64 .z64 cartridges are read, .mds, .nrg and .gdi images are not")
	}
	return nil
}

func (im *Image) openTracks() error {
	var err error
	if im.cdi, err = cdi.NewImage(im.file, im.Size); err != nil {
		return refuse(im.Path, err, "")
	}
	if im.data, err = im.cdi.Data(); err != nil {
		im.broken = err
		return nil
	}
	im.track = im.data
	im.volume, im.broken = iso9660.NewVolume(im.data, im.data.Size(), im.data.Base())
	return nil
}

func (im *Image) openCartridge() error {
	var err error
	im.source = n64rom.NewReaderAt(im.file, im.order)
	if im.header, err = n64rom.ReadHeader(im.file); err != nil {
		return refuse(im.Path, err, "")
	}
	if im.rom, im.broken = n64rom.NewReader(im.source, im.Size); im.broken != nil {
		return nil
	}
	if im.dfsAt, im.dfs, im.broken = im.rom.FileSystem(); im.broken != nil {
		return nil
	}
	im.fs, im.broken = dragonfs.NewReader(io.NewSectionReader(im.source, im.dfs.Offset, im.dfs.Size), im.dfs.Size)
	return nil
}

// changed says that the image's file is not what it was when it was opened.
func (im *Image) changed() error {
	now, err := os.Stat(im.Path)
	if err == nil && (!os.SameFile(now, im.info) || now.Size() != im.info.Size() || !now.ModTime().Equal(im.info.ModTime())) {
		err = &Refusal{What: im.Path, Found: "the image was changed while it was read", Needed: "an image that stays as it is until the work is done", Advice: "Try again when nothing writes to it"}
	}
	return err
}

// A File is a file or a folder of an image.
type File struct {
	Path    string // slashes; as spelled on the medium, unchecked
	Dir     bool
	Size    int64     // bytes of a file
	ModTime time.Time // zero when the medium keeps none
	Place   int64     // sector of a disc, byte offset in a cartridge
	Fault   error     // why it cannot be read

	node *iso9660.Node
	dfs  *dragonfs.Node
}

// Files lists everything on the image: a folder before what is in it.
func (im *Image) Files(ctx context.Context) ([]File, error) {
	if im.broken != nil {
		return nil, refuse(im.Path, im.broken, "")
	}
	var files []File
	if im.Container == Cartridge {
		for n := range im.fs.All() {
			files = append(files, File{Path: n.Path(), Dir: n.Dir, Size: n.Size, Place: im.dfs.Offset + n.Offset, dfs: n})
		}
		return files, ctx.Err()
	}
	tree, err := im.volume.ReadTree(ctx)
	if err != nil {
		return nil, refuse(im.Path, err, "")
	}
	for n := range tree.All() {
		files = append(files, im.discFile(n))
	}
	return files, nil
}

func (im *Image) discFile(n *iso9660.Node) File {
	f := File{Path: n.Path(), Dir: n.Dir, ModTime: n.Date.Time(), Place: int64(n.LBA), Fault: n.Fault, node: n}
	if !n.Dir {
		f.Size = n.Size
	}
	return f
}

// Reader gives the content of a file that Files of the same image listed.
func (im *Image) Reader(f File) (*io.SectionReader, error) {
	switch {
	case f.Dir:
		return nil, fmt.Errorf("%s is a folder", f.Path)
	case f.dfs != nil:
		return io.NewSectionReader(im.source, im.dfs.Offset+f.dfs.Offset, f.dfs.Size), nil
	case f.node != nil:
		return im.volume.Open(f.node)
	}
	return nil, fmt.Errorf("%s is no file of this image", f.Path)
}

// A section is a part of an image that is no file.
type section struct {
	name   string
	reader *io.SectionReader
}

// sections gives the parts of an image that are no files and that a swap keeps.
func (im *Image) sections() []section {
	var list []section
	add := func(name string, r io.ReaderAt, offset, size int64) {
		if size > 0 {
			list = append(list, section{name, io.NewSectionReader(r, offset, size)})
		}
	}
	switch im.Container {
	case CDI:
		if im.data == nil {
			return nil
		}
		track := im.data.Track()
		add("tracks ahead of the data", im.file, 0, track.Offset)
		add("pregap of the data track", im.file, track.Offset, int64(track.Pregap)*int64(track.SectorSize))
		fallthrough
	case ISO:
		if im.volume != nil {
			name := "system area"
			if start := make([]byte, 16); im.volume.SystemArea() != nil {
				if _, err := io.ReadFull(im.volume.SystemArea(), start); err == nil && bytes.HasPrefix(start, []byte("SEGA SEGAKATANA")) {
					name = "IP.BIN"
				}
			}
			list = append(list, section{name, im.volume.SystemArea()})
		}
	case Cartridge:
		add("ROM header", im.source, 0, n64rom.BootcodeStart)
		add("bootcode", im.source, n64rom.BootcodeStart, n64rom.BootcodeEnd-n64rom.BootcodeStart)
		if im.rom == nil {
			return list
		}
		for i, e := range im.rom.Table.Entries {
			if e.End() <= im.Size && (i != im.dfsAt || im.dfs.Size == 0) {
				add(partName(e.Name), im.source, e.Offset, e.Size)
			}
		}
	}
	return list
}

// partName says what a part of a cartridge is, by the extension of its name.
func partName(name string) string {
	switch path.Ext(name) {
	case ".elf":
		return name + " (executable)"
	case ".sym":
		return name + " (symbols)"
	case ".msym":
		return name + " (symbols of modules)"
	}
	return name
}
