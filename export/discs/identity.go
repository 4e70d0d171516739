package discs

import (
	"context"
	"fmt"
	"strings"
	"time"

	"talebinder/export/words"
	"talebinder/formats/cdi"
	"talebinder/formats/iso9660"
	"talebinder/formats/n64rom"
)

// An Identity says what an image is.
type Identity struct {
	Path      string
	Size      int64 // in bytes
	ModTime   time.Time
	Container Container
	Kind      string // for people, such as "DiscJuggler 3.5 image (.cdi)"
	Console   string // Dreamcast, PlayStation 2, PlayStation, Nintendo 64 or ""
	Title     string
	Product   string // number of the product, or game code, or ""

	SectorSize int         // bytes of a sector of the data track as stored; 0 for a cartridge
	Tracks     []Track     // none for a cartridge
	Bootstrap  *Bootstrap  // what IP.BIN says; nil when there is none
	System     *SystemFile // what SYSTEM.CNF says; nil when there is none
	Volume     *VolumeFacts
	ROM        *ROMFacts

	Refusal  error    // why the content cannot be swapped; nil when nothing stands against it
	Warnings []string // what to know about it all the same
}

// Convertible says that the image is a cartridge in another order than the console's, for a [Convert].
func (id *Identity) Convertible() bool {
	return id.ROM != nil && id.ROM.Order != n64rom.BigEndian.String()
}

// A Track is a track of a disc.
type Track struct {
	Session    int // from 1
	Number     int // from 1
	Mode       string
	SectorSize int    // bytes
	Pregap     uint32 // sectors
	Length     uint32 // sectors, without the pregap
	LBA        uint32 // of its first sector
}

// Bootstrap is what the bootstrap of a Dreamcast disc says.
type Bootstrap struct {
	Maker, Product, Version, Date, Areas, BootFile, Publisher, Title string
}

// SystemFile is what the SYSTEM.CNF of a PlayStation disc says.
type SystemFile struct {
	Executable, Version, VideoMode string
}

// VolumeFacts are what the volume of a disc says about itself.
type VolumeFacts struct {
	ID, System, Publisher, Preparer, Application string
	Created                                      time.Time // zero when not given
	Sectors                                      uint32    // of the volume
	Joliet, RockRidge, ElTorito                  bool
}

// ROMFacts are what a cartridge says about itself.
type ROMFacts struct {
	Order      string // big-endian, byte-swapped or little-endian
	Region     string
	SaveType   string // "" when not given
	CRC1, CRC2 uint32
	Cookie     uint32
	Parts      []ROMPart // of the table of contents
	Files      int       // in the file system
	FileBytes  int64
}

// A ROMPart is a row of a cartridge's table of contents.
type ROMPart struct {
	Name         string
	Offset, Size int64 // bytes
}

// Identify says what an image is. Only the structure that is needed for it is read, whatever the size.
func Identify(ctx context.Context, name string) (*Identity, error) {
	im, err := Open(ctx, name)
	if err != nil {
		return nil, err
	}
	defer im.Close()
	return im.Identity(ctx)
}

// Identity says what the image is.
func (im *Image) Identity(ctx context.Context) (*Identity, error) {
	id := &Identity{Path: im.Path, Size: im.Size, ModTime: im.ModTime, Container: im.Container}
	if im.Container == Cartridge {
		im.identifyROM(id)
		return id, ctx.Err()
	}
	return id, im.identifyDisc(ctx, id)
}

func (im *Image) identifyROM(id *Identity) {
	h := im.header
	id.Console, id.Title, id.Product = "Nintendo 64", h.Title, h.Code
	id.Kind = fmt.Sprintf("Nintendo 64 cartridge, %s (%s)", h.Order, h.Order.Extension())
	id.ROM = &ROMFacts{Order: h.Order.String(), CRC1: h.CRC1, CRC2: h.CRC2}
	if h.Region > ' ' && h.Region < 0x7F {
		id.ROM.Region = string(rune(h.Region))
	}
	if h.HasSave {
		id.ROM.SaveType = saveType(h.SaveType)
	}
	if im.rom != nil {
		id.ROM.Cookie = im.rom.Table.Cookie
		for _, e := range im.rom.Table.Entries {
			id.ROM.Parts = append(id.ROM.Parts, ROMPart{e.Name, e.Offset, e.Size})
		}
	}
	if im.fs != nil {
		id.ROM.Files, id.ROM.FileBytes = im.fs.Files, im.fs.Bytes
	}
	id.Refusal = im.unswappable()
}

// saveType names the kind of memory that a cartridge saves to, from the byte that libdragon's tools write.
func saveType(b byte) string {
	names := [...]string{"none", "EEPROM 4 kbit", "EEPROM 16 kbit", "SRAM 256 kbit", "SRAM 768 kbit", "FlashRAM 1 Mbit", "SRAM 1 Mbit"}
	text := fmt.Sprintf("type %d", b>>4)
	if int(b>>4) < len(names) {
		text = names[b>>4]
	}
	if b&1 != 0 {
		text += ", real-time clock"
	}
	if b&2 != 0 {
		text += ", region free"
	}
	return text
}

// unswappable says why the content of the image cannot be swapped, as far as the image alone tells.
func (im *Image) unswappable() error {
	what := im.Path + ": its content cannot be swapped"
	switch im.Container {
	case Cartridge:
		if im.order != n64rom.BigEndian {
			return &Refusal{
				What: what, Found: fmt.Sprintf("the ROM is %s (%s)", im.order, im.order.Extension()), Needed: "a big-endian ROM (.z64)",
				Advice: "Convert it to .z64 first",
			}
		}
		return refuse(what, im.broken, "Build the ROM with libdragon's current tools, its DragonFS image last")
	case CDI:
		if im.broken == nil {
			return refuse(what, im.cdi.Writable(), "")
		}
	}
	return refuse(what, im.broken, "")
}

func (im *Image) identifyDisc(ctx context.Context, id *Identity) error {
	id.Kind, id.SectorSize = "Plain volume (.iso)", iso9660.SectorSize
	if im.cdi != nil {
		id.Kind, id.Console = fmt.Sprintf("DiscJuggler %s image (.cdi)", im.cdi.Version), "Dreamcast"
		id.Tracks = tracksOf(im.cdi.Tracks)
		id.SectorSize = 0
		if im.data != nil {
			id.SectorSize = im.data.Track().SectorSize
		}
	}
	id.Refusal = im.unswappable()
	if im.volume == nil {
		return ctx.Err()
	}
	v := im.volume
	if im.cdi == nil {
		id.Tracks = []Track{{Session: 1, Number: 1, Mode: "data", SectorSize: iso9660.SectorSize, Length: v.Sectors}}
	}
	id.Title = v.Primary.VolumeID
	id.Volume = &VolumeFacts{
		ID: v.Primary.VolumeID, System: v.Primary.SystemID, Publisher: v.Primary.PublisherID, Preparer: v.Primary.PreparerID,
		Application: v.Primary.ApplicationID, Created: v.Primary.Created, Sectors: v.Primary.Sectors, Joliet: v.Joliet != nil, ElTorito: v.ElTorito,
	}
	ip, err := v.ReadIPBin(ctx)
	if err != nil {
		return err
	}
	if ip != nil {
		id.Console, id.Product = "Dreamcast", ip.Product
		if ip.Title != "" {
			id.Title = ip.Title
		}
		id.Bootstrap = &Bootstrap{ip.Maker, ip.Product, ip.Version, ip.Date, ip.Areas, ip.BootFile, ip.Publisher, ip.Title}
	} else if im.cdi != nil {
		id.Warnings = append(id.Warnings, noBootstrap)
	}
	// What follows reads directories, which may be damaged: the card shows what there is then.
	cnf, err := v.ReadSystemCNF(ctx)
	if err == nil {
		id.Volume.RockRidge, err = v.RockRidge(ctx)
	}
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if err != nil && id.Refusal == nil {
		id.Refusal = refuse(im.Path+": its content cannot be swapped", err, "")
	}
	if cnf != nil && cnf.Boot != "" {
		id.Console = "PlayStation"
		if cnf.PlayStation2 {
			id.Console = "PlayStation 2"
		}
		id.System = &SystemFile{cnf.Executable, cnf.Version, cnf.VideoMode}
		if id.Title == "" {
			id.Title = cnf.Executable
		}
	}
	return nil
}

// noBootstrap warns about a disc in a Dreamcast's container that a Dreamcast does not start.
const noBootstrap = "The system area does not begin with SEGA SEGAKATANA: there is no bootstrap (IP.BIN), and a Dreamcast does not start this disc"

func tracksOf(tracks []cdi.Track) []Track {
	list := make([]Track, 0, len(tracks))
	for _, t := range tracks {
		list = append(list, Track{t.Session, t.Number, t.Mode.String(), t.SectorSize, t.Pregap, t.Length, t.LBA})
	}
	return list
}

// A Fact is a line of an identity card.
type Fact struct{ Name, Value string }

// Facts gives everything on the card that there is, in order and in words.
func (id *Identity) Facts() []Fact {
	var facts []Fact
	add := func(name, value string) {
		if value != "" {
			facts = append(facts, Fact{name, value})
		}
	}
	number := func(n uint32, noun string) string {
		if n == 1 {
			return "1 " + noun
		}
		return fmt.Sprintf("%d %ss", n, noun)
	}
	add("Container", id.Kind)
	add("Size", fmt.Sprintf("%s (%d bytes)", words.Size(id.Size), id.Size))
	add("Console", id.Console)
	add("Title", id.Title)
	if b := id.Bootstrap; b != nil {
		add("Product", b.Product)
		add("Version", b.Version)
		add("Date", b.Date)
		add("Maker", b.Maker)
		add("Publisher", b.Publisher)
		add("Areas", b.Areas)
		add("Boot file", b.BootFile)
	}
	if s := id.System; s != nil {
		add("Executable", s.Executable)
		add("Version", s.Version)
		add("Video mode", s.VideoMode)
	}
	for _, t := range id.Tracks {
		value := fmt.Sprintf("%s, %s of %d bytes at %d", t.Mode, number(t.Length, "sector"), t.SectorSize, t.LBA)
		if t.Pregap > 0 {
			value += fmt.Sprintf(", pregap %d", t.Pregap)
		}
		add(fmt.Sprintf("Track %d (session %d)", t.Number, t.Session), value)
	}
	if v := id.Volume; v != nil {
		add("Volume", v.ID)
		add("Volume length", number(v.Sectors, "sector"))
		if !v.Created.IsZero() {
			add("Created", v.Created.Format("2006-01-02 15:04:05 -07:00"))
		}
		add("System", v.System)
		if id.Bootstrap == nil {
			add("Publisher", v.Publisher)
		}
		add("Preparer", v.Preparer)
		add("Application", v.Application)
		var names []string
		for _, n := range []struct {
			name string
			has  bool
		}{{"Joliet", v.Joliet}, {"Rock Ridge", v.RockRidge}, {"El Torito", v.ElTorito}} {
			if n.has {
				names = append(names, n.name)
			}
		}
		if len(names) == 0 {
			names = []string{"none"}
		}
		add("Extensions", strings.Join(names, ", "))
	}
	if r := id.ROM; r != nil {
		add("Game code", id.Product)
		add("Byte order", r.Order)
		add("Region", r.Region)
		add("Save type", r.SaveType)
		add("Checksums", fmt.Sprintf("%08X %08X", r.CRC1, r.CRC2))
		for _, p := range r.Parts {
			add("Part", fmt.Sprintf("%s, %s at 0x%X", partName(p.Name), words.Size(p.Size), p.Offset))
		}
		if len(r.Parts) > 0 {
			add("Cookie", fmt.Sprintf("%08X", r.Cookie))
		}
		if r.Files > 0 {
			add("Files", fmt.Sprintf("%d, %s", r.Files, words.Size(r.FileBytes)))
		}
	}
	if id.Refusal != nil {
		add("Swapping", id.Refusal.Error())
	} else {
		add("Swapping", "the content of this image can be swapped")
	}
	return facts
}
