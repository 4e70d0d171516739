package iso9660_test

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/iotest"
	"time"

	"github.com/google/go-cmp/cmp"

	"talebinder/formats/disctest"
	"talebinder/formats/iso9660"
)

// bootstrap is the start of a Dreamcast disc.
const bootstrap = "SEGA SEGAKATANA SEGA ENTERPRISES0000 CD-ROM1/1  JUE     E000F10 T-00000   V1.00020040506        1ST_READ.BIN    TALEBINDER      A DISC FOR TESTS"

func files() []disctest.File {
	return []disctest.File{
		{Path: "SYSTEM.CNF", Content: []byte("BOOT2 = cdrom0:\\GAME.ELF;1\r\nVER = 1.00\r\nVMODE = PAL\r\n")},
		{Path: "GAME.ELF", Content: bytes.Repeat([]byte("elf"), 3000)},
		{Path: "IRX", Dir: true},
		{Path: "IRX/Deep", Dir: true},
		{Path: "IRX/Deep/a.irx", Content: []byte("module")},
		{Path: "IRX/empty", Content: nil},
		{Path: "Content", Dir: true},
		{Path: "Content/old.pak", Content: bytes.Repeat([]byte("old"), 2000)},
	}
}

func open(t testing.TB, image []byte) *iso9660.Volume {
	t.Helper()
	v, err := iso9660.NewVolume(bytes.NewReader(image), int64(len(image)), 0)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

func tree(t testing.TB, v *iso9660.Volume) *iso9660.Tree {
	t.Helper()
	tree, err := v.ReadTree(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return tree
}

// contents reads all files of a volume; directories have a slash behind their names.
func contents(t testing.TB, v *iso9660.Volume) map[string]string {
	t.Helper()
	all := make(map[string]string)
	for n := range tree(t, v).All() {
		if n.Dir {
			all[n.Path()+"/"] = ""
			continue
		}
		r, err := v.Open(n)
		if err != nil {
			t.Fatal(err)
		}
		b, err := io.ReadAll(r)
		if err != nil {
			t.Fatal(err)
		}
		all[n.Path()] = string(b)
	}
	return all
}

func TestFacts(t *testing.T) {
	image := disctest.ISO{System: []byte(bootstrap), Joliet: true, RockRidge: true, ElTorito: true, Files: files()}.Build()
	v := open(t, image.Data)
	date := time.Date(2004, 5, 6, 7, 8, 9, 0, time.FixedZone("", 2*3600))
	for _, d := range []*iso9660.Descriptor{v.Primary, v.Joliet} {
		got := []string{d.SystemID, d.VolumeID, d.VolumeSetID, d.PublisherID, d.PreparerID, d.ApplicationID, d.CopyrightFile, d.AbstractFile, d.BibliographicFile}
		if diff := cmp.Diff([]string{"SYSTEM", "VOLUME", "SET", "PUBLISHER", "PREPARER", "APPLICATION", "", "", ""}, got); diff != "" {
			t.Errorf("texts (-want +got):\n%s", diff)
		}
		if !d.Created.Equal(date) || !d.Modified.Equal(date) || !d.Expires.IsZero() || !d.Effective.IsZero() {
			t.Errorf("dates %v, %v, %v, %v", d.Created, d.Modified, d.Expires, d.Effective)
		}
		if int(d.Sectors)*iso9660.SectorSize != len(image.Data) {
			t.Errorf("%d sectors", d.Sectors)
		}
	}
	if rr, err := v.RockRidge(t.Context()); !rr || err != nil || !v.ElTorito {
		t.Error("Rock Ridge", rr, err, "El Torito", v.ElTorito)
	}
	bin, err := v.ReadIPBin(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(&iso9660.IPBin{HardwareID: "SEGA SEGAKATANA", Maker: "SEGA ENTERPRISES", Device: "0000 CD-ROM1/1", Areas: "JUE", Peripherals: "E000F10",
		Product: "T-00000", Version: "V1.000", Date: "20040506", BootFile: "1ST_READ.BIN", Publisher: "TALEBINDER", Title: "A DISC FOR TESTS"}, bin); diff != "" {
		t.Errorf("IP.BIN (-want +got):\n%s", diff)
	}
	cnf, err := v.ReadSystemCNF(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if cnf.Boot != `cdrom0:\GAME.ELF;1` || !cnf.PlayStation2 || cnf.Executable != "GAME.ELF" || cnf.Version != "1.00" || cnf.VideoMode != "PAL" {
		t.Errorf("SYSTEM.CNF: %+v", cnf)
	}
	root, err := v.ReadRoot(t.Context())
	if err != nil || len(root) != 4 || root[2].Name != "IRX" || root[2].Children != nil {
		t.Error("root", root, err)
	}
	all := tree(t, v)
	if n := all.Find("irx/DEEP/A.irx"); n == nil || n.Path() != "IRX/Deep/a.irx" || !n.Date.Time().Equal(date) || n.Size != 6 {
		t.Errorf("%+v", n)
	}
	if all.Files != 5 || all.Dirs != 3 || all.Bytes != 53+9000+6+6000 || !all.Joliet {
		t.Errorf("%d files, %d directories, %d bytes", all.Files, all.Dirs, all.Bytes)
	}
	if all.Find("IRX/none") != nil || all.Find("SYSTEM.CNF/x") != nil {
		t.Error("found what is not there")
	}

	plain := open(t, disctest.ISO{Files: files()[2:]}.Build().Data)
	if bin, err := plain.ReadIPBin(t.Context()); bin != nil || err != nil {
		t.Error(bin, err)
	}
	if cnf, err := plain.ReadSystemCNF(t.Context()); cnf != nil || err != nil {
		t.Error(cnf, err)
	}
	if rr, err := plain.RockRidge(t.Context()); rr || err != nil {
		t.Error(rr, err)
	}
	if n := tree(t, plain).Find("irx/deep/a.irx"); n == nil || n.Path() != "IRX/DEEP/A.IRX" {
		t.Errorf("%+v", n)
	}
}

func TestSystemCNFOfAPlayStation(t *testing.T) {
	for text, want := range map[string]string{
		"BOOT = cdrom:\\DIR\\SLES_000.01;1\nTCB=4\n": "DIR/SLES_000.01",
		"boot=cdrom:SLES_000.01;1":                   "SLES_000.01",
		"BOOT2 = cdrom0:\\A.ELF;1\nBOOT = x":         "A.ELF",
		"no settings\x00\xFF":                        "",
		"":                                           "",
	} {
		v := open(t, disctest.ISO{Files: []disctest.File{{Path: "SYSTEM.CNF", Content: []byte(text)}}}.Build().Data)
		if cnf, err := v.ReadSystemCNF(t.Context()); err != nil || cnf.Executable != want || cnf.Text != text {
			t.Errorf("%q: %+v, %v", text, cnf, err)
		}
	}
}

var summer = time.Date(2024, 7, 1, 12, 30, 15, 0, time.UTC)

func replacement() iso9660.Replacement {
	return iso9660.Replacement{Name: "Content", ModTime: summer, Location: time.UTC, Sources: []iso9660.Source{
		disctest.Source("b/c/deep.txt", []byte("deep"), summer, false), // ahead of its directories, which are listed later
		disctest.Source("a file.txt", bytes.Repeat([]byte("x"), 5000), summer, false),
		disctest.Source("b", nil, summer, true),
		disctest.Source("b/empty", nil, time.Time{}, true),
		disctest.Source("b/zero", []byte{}, summer, false),
		disctest.Source("été.dat", []byte("summer"), summer, false),
	}}
}

var replaced = map[string]string{
	"Content/": "", "Content/b/": "", "Content/b/c/": "", "Content/b/empty/": "", "Content/b/c/deep.txt": "deep",
	"Content/a file.txt": strings.Repeat("x", 5000), "Content/b/zero": "", "Content/été.dat": "summer",
}

func TestReplacingADirectory(t *testing.T) {
	for _, joliet := range []bool{false, true} {
		t.Run(fmt.Sprintf("joliet %v", joliet), func(t *testing.T) {
			image := disctest.ISO{System: []byte(bootstrap), Joliet: joliet, RockRidge: true, ElTorito: true, Files: files(), RunOut: 3}.Build()
			// What stands behind the end of a kept file stays.
			before := open(t, image.Data)
			slack := int(tree(t, before).Find("IRX/Deep/a.irx").LBA)*iso9660.SectorSize + 1000
			image.Data[slack] = 0x5A
			got, plan, err := swap(t, image.Data, replacement())
			if err != nil {
				t.Fatal(err)
			}
			after := open(t, got)
			if err := after.Verify(t.Context()); err != nil {
				t.Error(err)
			}
			want := maps.Clone(replaced)
			for name, content := range contents(t, before) {
				if !strings.EqualFold(strings.Split(name, "/")[0], "Content") {
					want[name] = content
				}
			}
			if diff := cmp.Diff(want, contents(t, after)); diff != "" {
				t.Errorf("contents (-want +got):\n%s", diff)
			}
			if !bytes.Equal(got[:16*iso9660.SectorSize], image.Data[:16*iso9660.SectorSize]) {
				t.Error("another system area")
			}
			if plan.RunOut != 3 || !bytes.HasSuffix(got, bytes.Repeat([]byte{0xFF}, 3*iso9660.SectorSize)) {
				t.Error("another run-out")
			}
			if plan.AddsJoliet == joliet || !plan.DropsElTorito || plan.Replaced == nil || plan.Required != plan.VolumeSectors {
				t.Errorf("plan %+v", plan)
			}
			moved := 0
			now := tree(t, after)
			for _, list := range [][]iso9660.Planned{plan.Kept, plan.New} {
				for _, p := range list {
					n := now.Find(p.Path)
					if n == nil || n.Dir != p.Dir || !p.Dir && (n.Size != p.Size || n.LBA != p.LBA) {
						t.Errorf("%+v is planned, there is %+v", p, n)
						continue
					}
					if p.Node != nil && n.Date != p.Node.Date {
						t.Errorf("%s: date %v, want %v", p.Path, n.Date, p.Node.Date)
					}
					if p.Node == nil && p.Source != nil && !n.Date.Time().Equal(p.Source.ModTime) {
						t.Errorf("%s: date %v", p.Path, n.Date)
					}
					if p.Moved() {
						moved++
					}
				}
			}
			if len(plan.Kept) != 6 || len(plan.New) != 8 || moved == 0 {
				t.Errorf("%d kept, %d new, %d moved", len(plan.Kept), len(plan.New), moved)
			}
			if at := int(now.Find("IRX/Deep/a.irx").LBA)*iso9660.SectorSize + 1000; got[at] != 0x5A {
				t.Error("the slack of a kept file is gone")
			}
			if at := int(now.Find("Content/a file.txt").LBA) * iso9660.SectorSize; len(bytes.Trim(got[at+5000:at+3*iso9660.SectorSize], "\x00")) > 0 {
				t.Error("the slack of a new file is not zero")
			}
		})
	}
}

func TestReplacingADirectoryThatIsNotThere(t *testing.T) {
	image := disctest.ISO{Files: files()[:6]}.Build()
	got, plan, err := swap(t, image.Data, replacement())
	if err != nil || plan.Replaced != nil {
		t.Fatal(plan, err)
	}
	if tree(t, open(t, got)).Find("Content/b/c/deep.txt") == nil {
		t.Error("nothing was added")
	}
}

// TestBase writes a volume of a track that begins elsewhere: addresses count from the start of the disc.
func TestBase(t *testing.T) {
	const base = 11702
	image := disctest.ISO{Base: base, Joliet: true, Files: files(), RunOut: 2}.Build()
	read := func(data []byte) *iso9660.Volume {
		v, err := iso9660.NewVolume(bytes.NewReader(data), int64(len(data)), base)
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
	v := read(image.Data)
	r := replacement()
	r.KeepLength = true
	plan, err := iso9660.NewPlan(t.Context(), v, tree(t, v), r)
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	if err := plan.WriteImage(t.Context(), &out); err != nil {
		t.Fatal(err)
	}
	after := read(out.Bytes())
	if err := after.Verify(t.Context()); err != nil {
		t.Error(err)
	}
	if n := tree(t, after).Find("GAME.ELF"); n.LBA < base || plan.TrackSectors != after.Sectors || plan.TrackSectors < plan.SourceSectors {
		t.Errorf("%+v, %d sectors", n, plan.TrackSectors)
	}
	if diff := cmp.Diff(replaced["Content/a file.txt"], contents(t, after)["Content/a file.txt"]); diff != "" {
		t.Error(diff)
	}
}

// TestKeepLength moves files to the end when there is room.
func TestKeepLength(t *testing.T) {
	image := disctest.ISO{Joliet: true, Files: append(files(), disctest.File{Path: "Content/large", Content: make([]byte, 1<<20)})}.Build()
	r := replacement()
	r.KeepLength = true
	got, plan, err := swap(t, image.Data, r)
	if err != nil {
		t.Fatal(err)
	}
	if len(got) != len(image.Data) || plan.VolumeSectors <= plan.Required {
		t.Errorf("%d bytes became %d", len(image.Data), len(got))
	}
	if err := open(t, got).Verify(t.Context()); err != nil {
		t.Error(err)
	}
}

// TestNamesThatADiscCannotSpell reads back what the plan says they become.
func TestNamesThatADiscCannotSpell(t *testing.T) {
	image := disctest.ISO{Files: files()}.Build()
	copy(image.Data[image.Plain["GAME.ELF"]+33:], "G\xFF\xFE") // no Joliet, no UTF-8
	r := replacement()
	r.Sources = append(r.Sources, disctest.Source("🐰/🦊.txt", []byte("fox"), summer, false), disctest.Source("x;y", []byte("z"), summer, false))
	got, plan, err := swap(t, image.Data, r)
	if err != nil {
		t.Fatal(err)
	}
	all := tree(t, open(t, got))
	names := make(map[string]string)
	for _, p := range append(plan.Kept, plan.New...) {
		if n := all.Find(p.DiscPath); n == nil || n.Path() != p.DiscPath {
			t.Errorf("%q: %+v", p.DiscPath, n)
		}
		if p.Path != p.DiscPath {
			names[p.Path] = p.DiscPath
		}
	}
	if diff := cmp.Diff(map[string]string{"G\xFF\xFEE.ELF": "G__E.ELF", "Content/🐰": "Content/_", "Content/🐰/🦊.txt": "Content/_/_.txt"}, names); diff != "" {
		t.Errorf("names (-want +got):\n%s", diff)
	}
	if err := open(t, got).Verify(t.Context()); err != nil {
		t.Error(err)
	}
}

func TestDates(t *testing.T) {
	east := time.FixedZone("", 9*3600)
	for _, c := range []struct {
		t    time.Time
		loc  *time.Location
		want iso9660.Date
	}{
		{time.Date(2024, 12, 31, 23, 59, 58, 0, time.UTC), time.UTC, iso9660.Date{124, 12, 31, 23, 59, 58, 0}},
		{time.Date(2024, 12, 31, 23, 59, 58, 0, time.UTC), east, iso9660.Date{125, 1, 1, 8, 59, 58, 0}},
		{time.Date(2160, 1, 2, 3, 4, 5, 0, time.UTC), time.UTC, iso9660.Date{4, 1, 2, 3, 4, 5, 0}},
		{time.Time{}, east, iso9660.Date{}},
	} {
		if got := iso9660.DateOf(c.t, c.loc); got != c.want {
			t.Errorf("%v in %v: %v, want %v", c.t, c.loc, got, c.want)
		}
	}
	if got := (iso9660.Date{104, 5, 6, 7, 8, 9, 0xFC}).Time(); !got.Equal(time.Date(2004, 5, 6, 8, 8, 9, 0, time.UTC)) {
		t.Error(got)
	}
	if got := (iso9660.Date{104, 13, 6}).Time(); !got.IsZero() {
		t.Error(got)
	}
}

// damage is an image with a defect, and what the error says.
type damage struct {
	name string
	iso  disctest.ISO
	do   func(disctest.Image) []byte
	want string
	soft bool // the tree can be read; the plan is refused
}

func damages() []damage {
	put := func(at func(disctest.Image) int, b ...byte) func(disctest.Image) []byte {
		return func(i disctest.Image) []byte {
			copy(i.Data[at(i):], b)
			return i.Data
		}
	}
	record := func(path string, offset int) func(disctest.Image) int {
		return func(i disctest.Image) int { return i.Plain[path] + offset }
	}
	plain := disctest.ISO{Files: files()}
	deep := disctest.ISO{}
	for i := range 65 {
		deep.Files = append(deep.Files, disctest.File{Path: strings.Repeat("d/", i) + "d", Dir: true})
	}
	return []damage{
		{"cut in the system area", plain, func(i disctest.Image) []byte { return i.Data[:16*2048+5] }, "16 sectors of 2048 bytes", false},
		{"empty", plain, func(i disctest.Image) []byte { return nil }, "0 sectors", false},
		{"no volume", plain, put(func(i disctest.Image) int { return i.Primary }, 1, 'C', 'D', '0', '0', '2'), "no ISO 9660 volume", false},
		{"root without address", plain, put(func(i disctest.Image) int { return i.Plain[""] + 2 }, 0, 0, 0, 0), "root directory record", false},
		{"joliet root without size", disctest.ISO{Joliet: true, Files: files()}, func(i disctest.Image) []byte {
			clear(i.Data[i.Joliet[""]+10:][:4])
			return i.Data
		}, "root directory record", false},
		{"root outside", plain, put(record("", 2), 0xFF, 0xFF, 0xFF, 0x7F), "inside the track", false},
		{"directory outside", plain, put(record("IRX", 2), 0xFF, 0xFF), "inside the track", false},
		{"directory of 4 GB", plain, put(record("IRX", 10), 0, 0xF8, 0xFF, 0xFF), "inside the track", false},
		{"directory that is its parent", plain, func(i disctest.Image) []byte {
			copy(i.Data[i.Plain["IRX/Deep"]+2:][:4], i.Data[i.Plain["IRX"]+2:])
			return i.Data
		}, "loop or overlap", false},
		{"directory that is the root", plain, func(i disctest.Image) []byte {
			copy(i.Data[i.Plain["IRX/Deep"]+2:][:4], i.Data[i.Plain[""]+2:])
			return i.Data
		}, "loop or overlap", false},
		{"directories that share an extent", plain, func(i disctest.Image) []byte {
			copy(i.Data[i.Plain["Content"]+2:][:4], i.Data[i.Plain["IRX"]+2:])
			return i.Data
		}, "loop or overlap", false},
		{"directories too deep", deep, func(i disctest.Image) []byte { return i.Data }, "65 levels deep", false},
		{"record too short", plain, put(record("IRX/empty", 0), 20), "a length of 20 bytes", false},
		{"record past the directory", plain, func(i disctest.Image) []byte {
			binary.LittleEndian.PutUint32(i.Data[i.Plain["IRX"]+10:], 90)
			return i.Data
		}, "to the end of the directory", false},
		{"identifier past its record", plain, put(record("IRX/empty", 32), 100), "an identifier of 100 bytes", false},
		{"directory with extended attributes", plain, put(record("IRX", 1), 1), "extended attributes", false},
		{"interleaved directory", plain, put(record("IRX", 26), 1, 1), "interleaved", false},
		{"directory in several extents", plain, put(record("IRX", 25), 0x82), "several extents", false},

		{"file outside", plain, put(record("GAME.ELF", 2), 0xFF, 0xFF), "inside the track", true},
		{"file of 4 GB", plain, put(record("GAME.ELF", 10), 0xFF, 0xFF, 0xFF, 0xFF), "inside the track", true},
		{"file with extended attributes", plain, put(record("GAME.ELF", 1), 1), "extended attributes", true},
		{"interleaved file", plain, put(record("GAME.ELF", 26), 1, 1), "interleaved", true},
		{"file in several extents", plain, put(record("GAME.ELF", 25), 0x80), "several extents", true},
		{"name with a slash", plain, put(record("GAME.ELF", 33), '/'), "a name without separators", true},
		{"name with a backslash", plain, put(record("GAME.ELF", 33), '\\'), "a name without separators", true},
		{"name with a zero", plain, put(record("GAME.ELF", 34), 0), "a name without separators", true},
		{"name that is a version alone", plain, put(record("GAME.ELF", 32), 2, ';', '1'), "a name without separators", true},
		{"directory with a slash", plain, put(record("IRX", 34), '/'), "a name without separators", true},
		{"name twice", plain, func(i disctest.Image) []byte {
			copy(i.Data[i.Plain["GAME.ELF"]+32:], "\x0Asystem.cnf")
			i.Data[i.Plain["GAME.ELF"]] = 44
			copy(i.Data[i.Plain["GAME.ELF"]+44:], i.Data[i.Plain["GAME.ELF"]+42:i.Plain["GAME.ELF"]+200])
			return i.Data
		}, "the name a second time", true},
		{"two of what is replaced", disctest.ISO{Files: []disctest.File{{Path: "Content", Dir: true}, {Path: "conTENT", Dir: true}}}, func(i disctest.Image) []byte { return i.Data }, "the name a second time", true},
		{"a file of that name", disctest.ISO{Files: []disctest.File{{Path: "content", Content: []byte("x")}}}, func(i disctest.Image) []byte { return i.Data }, "a file, expected a directory", true},
	}
}

func TestDamages(t *testing.T) {
	for _, d := range damages() {
		t.Run(d.name, func(t *testing.T) {
			data := d.do(d.iso.Build())
			v, err := iso9660.NewVolume(bytes.NewReader(data), int64(len(data)), 0)
			var all *iso9660.Tree
			if err == nil {
				all, err = v.ReadTree(t.Context())
			}
			if d.soft {
				if err != nil {
					t.Fatal("not read:", err)
				}
				for n := range all.All() {
					if n.Fault == nil {
						continue
					}
					if _, opened := v.Open(n); n.Path() != "" && opened == nil {
						t.Errorf("%s can be opened", n.Path())
					}
				}
				_, err = iso9660.NewPlan(t.Context(), v, all, replacement())
			}
			if err == nil || !strings.Contains(err.Error(), d.want) {
				t.Fatalf("%v, want %q", err, d.want)
			}
			checkRefusal(t, err)
			t.Log(err)
		})
	}
}

// TestDamageInWhatIsReplaced swaps it away: content that goes is not read.
func TestDamageInWhatIsReplaced(t *testing.T) {
	image := disctest.ISO{Files: files()}.Build()
	binary.LittleEndian.PutUint32(image.Data[image.Plain["Content/old.pak"]+2:], 1<<30)
	if _, plan, err := swap(t, image.Data, replacement()); err != nil || plan.Replaced.Children[0].Fault == nil {
		t.Error(err)
	}
}

func TestRefusedContents(t *testing.T) {
	image := disctest.ISO{Files: files()}.Build()
	file := func(path string) iso9660.Source { return disctest.Source(path, []byte("x"), summer, false) }
	dir := func(path string) iso9660.Source { return disctest.Source(path, nil, summer, true) }
	large := file("large")
	large.Size = 1 << 32
	negative := file("negative")
	negative.Size = -1
	closed := file("closed")
	closed.Open = nil
	for name, c := range map[string]struct {
		sources []iso9660.Source
		want    string
	}{
		"names that differ in case":         {[]iso9660.Source{file("d/File.txt"), file("d/fILE.txt")}, `"Content/d/File.txt" and "Content/d/fILE.txt" differ only in the case`},
		"a file and a directory":            {[]iso9660.Source{file("A"), dir("a")}, "differ only in the case"},
		"a file twice":                      {[]iso9660.Source{file("a"), file("a")}, "have the same name"},
		"a directory twice":                 {[]iso9660.Source{dir("a"), dir("a")}, "have the same name"},
		"a file with something in it":       {[]iso9660.Source{file("a"), file("a/b")}, "have the same name"},
		"names that Joliet spells alike":    {[]iso9660.Source{file("🐰"), file("🦊")}, "are the same in the characters of a disc"},
		"a file and a folder spelled alike": {[]iso9660.Source{file("🐰"), dir("_")}, "are the same in the characters of a disc"},
		"a file name of 109 characters":     {[]iso9660.Source{file(strings.Repeat("x", 109))}, "is 109 characters, the limit is 108"},
		"a folder name of 111":              {[]iso9660.Source{dir(strings.Repeat("é", 111))}, "is 111 characters, the limit is 110"},
		"a file of 4 GiB":                   {[]iso9660.Source{large}, "is 4294967296 bytes, the limit is 4294967295 bytes"},
		"a negative size":                   {[]iso9660.Source{negative}, "a size of -1"},
		"nothing to read":                   {[]iso9660.Source{closed}, "nothing to read it from"},
		"a parent":                          {[]iso9660.Source{file("../x")}, "names without separators"},
		"an absolute path":                  {[]iso9660.Source{file("/x")}, "names without separators"},
		"a backslash":                       {[]iso9660.Source{file(`a\x`)}, "names without separators"},
		"no name":                           {[]iso9660.Source{dir("")}, "names without separators"},
		"a folder with a version":           {[]iso9660.Source{dir("a;1")}, "a semicolon in its name"},
		"too deep":                          {[]iso9660.Source{file(strings.Repeat("d/", 64) + "x")}, "nesting of directories is 65, the limit is 64"},
	} {
		t.Run(name, func(t *testing.T) {
			_, _, err := swap(t, image.Data, iso9660.Replacement{Name: "Content", Sources: c.sources})
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("%v, want %q", err, c.want)
			}
		})
	}
	if _, _, err := swap(t, image.Data, iso9660.Replacement{Name: "Content", Sources: []iso9660.Source{
		file(strings.Repeat("x", 108)), dir(strings.Repeat("é", 110)), file(strings.Repeat("d/", 63) + "x"),
	}}); err != nil {
		t.Error("the longest names:", err)
	}
	t.Run("too many directories", func(t *testing.T) {
		var dirs []iso9660.Source
		for i := range 65535 {
			dirs = append(dirs, dir(fmt.Sprint(i)))
		}
		_, _, err := swap(t, image.Data, iso9660.Replacement{Name: "Content", Sources: dirs})
		if err == nil || !strings.Contains(err.Error(), "number of directories") {
			t.Error(err)
		}
	})
	t.Run("a volume beyond the last sector", func(t *testing.T) {
		var sources []iso9660.Source
		for i := range 2100 {
			s := large
			s.Path, s.Size = fmt.Sprint(i), 1<<32-1
			sources = append(sources, s)
		}
		_, _, err := swap(t, image.Data, iso9660.Replacement{Name: "Content", Sources: sources})
		if err == nil || !strings.Contains(err.Error(), "size of the new volume") {
			t.Error(err)
		}
	})
}

func TestSourcesThatChange(t *testing.T) {
	image := disctest.ISO{Files: files()}.Build()
	broken := errors.New("broken")
	for name, c := range map[string]struct {
		open func() (io.ReadCloser, error)
		want string
	}{
		"shorter":    {func() (io.ReadCloser, error) { return io.NopCloser(strings.NewReader("123")), nil }, "7 bytes shorter"},
		"longer":     {func() (io.ReadCloser, error) { return io.NopCloser(strings.NewReader("12345678901")), nil }, "longer than its 10 bytes"},
		"unreadable": {func() (io.ReadCloser, error) { return io.NopCloser(iotest.ErrReader(broken)), nil }, "broken"},
		"gone":       {func() (io.ReadCloser, error) { return nil, broken }, "broken"},
	} {
		t.Run(name, func(t *testing.T) {
			v := open(t, image.Data)
			plan, err := iso9660.NewPlan(t.Context(), v, tree(t, v), iso9660.Replacement{Name: "Content", Sources: []iso9660.Source{{Path: "file", Size: 10, Open: c.open}}})
			if err != nil {
				t.Fatal(err)
			}
			if err := plan.WriteImage(t.Context(), io.Discard); err == nil || !strings.Contains(err.Error(), c.want) || !strings.Contains(err.Error(), `"Content/file"`) {
				t.Errorf("%v, want %q", err, c.want)
			}
		})
	}
}

func TestWriteErrors(t *testing.T) {
	image := disctest.ISO{Files: files(), RunOut: 1}.Build()
	v := open(t, image.Data)
	plan, err := iso9660.NewPlan(t.Context(), v, tree(t, v), replacement())
	if err != nil {
		t.Fatal(err)
	}
	full := errors.New("no space left")
	if err := plan.WriteImage(t.Context(), failing{full}); !errors.Is(err, full) {
		t.Error(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := plan.WriteImage(ctx, io.Discard); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	if _, err := v.ReadTree(ctx); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}

type failing struct{ err error }

func (f failing) Write([]byte) (int, error) { return 0, f.err }

// TestVerifyFindsEveryByte changes each byte of the structures of a new volume.
func TestVerifyFindsEveryByte(t *testing.T) {
	image := disctest.ISO{Files: files()}.Build()
	r := replacement()
	r.Sources = r.Sources[:5] // the last name has a letter that the plain hierarchy does not tell from others
	got, plan, err := swap(t, image.Data, r)
	if err != nil {
		t.Fatal(err)
	}
	first := len(got)
	for _, list := range [][]iso9660.Planned{plan.Kept, plan.New} {
		for _, p := range list {
			if !p.Dir && p.Size > 0 {
				first = min(first, int(p.LBA)*iso9660.SectorSize)
			}
		}
	}
	// The texts and dates of the descriptors are whatever they are, and so is the date of the root.
	free := func(i int) bool {
		for _, start := range []int{16 * iso9660.SectorSize, 17 * iso9660.SectorSize} {
			in := i - start
			if in >= 0 && in < iso9660.SectorSize && (in < 80 || in >= 88 && in < 132 || in >= 190) {
				return true
			}
		}
		return false
	}
	missed := 0
	for i := 16 * iso9660.SectorSize; i < first; i++ {
		if free(i) || got[i] == 0 && i%97 > 0 { // padding is tried here and there
			continue
		}
		got[i] ^= 0x41
		v, err := iso9660.NewVolume(bytes.NewReader(got), int64(len(got)), 0)
		if err == nil {
			err = v.Verify(t.Context())
		}
		if err == nil {
			if missed++; missed < 5 {
				t.Errorf("byte %d of sector %d can change", i%iso9660.SectorSize, i/iso9660.SectorSize)
			}
		} else {
			checkRefusal(t, err)
		}
		got[i] ^= 0x41
	}
}

// latin1 spells a name in the character set that isoinfo speaks.
func latin1(name string) string {
	var b []byte
	for _, r := range name {
		b = append(b, byte(r))
	}
	return string(b)
}

// TestIndependentReaders lets other programs read what is written.
func TestIndependentReaders(t *testing.T) {
	image := disctest.ISO{System: []byte(bootstrap), Joliet: true, Files: files(), RunOut: 3}.Build()
	r := replacement()
	for i := range 200 { // directories of several sectors
		r.Sources = append(r.Sources, disctest.Source(fmt.Sprintf("many/a rather long name %03d.data", i), bytes.Repeat([]byte{byte(i)}, 100*i), summer, false))
	}
	got, _, err := swap(t, image.Data, r)
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "new.iso")
	if err := os.WriteFile(path, got, 0o666); err != nil {
		t.Fatal(err)
	}
	want := contents(t, open(t, got))
	run := func(name string, args ...string) []byte {
		t.Helper()
		program, err := exec.LookPath(name)
		if err != nil {
			t.Skip(name, "is not installed")
		}
		command := exec.Command(program, args...)
		command.Env = append(os.Environ(), "LC_ALL=C.UTF-8")
		var problems bytes.Buffer
		command.Stderr = &problems
		out, err := command.Output()
		if err != nil {
			t.Fatalf("%s: %v\n%s", name, err, problems.String())
		}
		return out
	}
	var names []string
	for name := range want {
		names = append(names, "/"+strings.TrimSuffix(name, "/"))
	}
	slices.Sort(names)
	t.Run("isoinfo", func(t *testing.T) {
		found := strings.Fields(strings.ReplaceAll(string(run("isoinfo", "-J", "-f", "-i", path)), " ", "_"))
		for i := range found {
			found[i] = strings.TrimSuffix(found[i], ";1")
		}
		for i, name := range names {
			names[i] = latin1(strings.ReplaceAll(name, " ", "_"))
		}
		slices.Sort(names)
		slices.Sort(found)
		if diff := cmp.Diff(names, found); diff != "" {
			t.Errorf("names (-want +got):\n%s", diff)
		}
		for name, content := range want {
			if strings.HasSuffix(name, "/") {
				continue
			}
			if out := run("isoinfo", "-J", "-x", latin1("/"+name+";1"), "-i", path); string(out) != content {
				t.Errorf("%s: %d bytes, want %d", name, len(out), len(content))
			}
		}
		if plain := string(run("isoinfo", "-l", "-i", path)); !strings.Contains(plain, "A_FILE.TXT;1") || !strings.Contains(plain, "Directory listing of /CONTENT/B/C/") {
			t.Error(plain)
		}
	})
	t.Run("xorriso", func(t *testing.T) {
		folder := t.TempDir()
		run("xorriso", "-abort_on", "SORRY", "-read_fs", "norock", "-indev", path, "-osirrox", "on", "-extract", "/", folder)
		for name, content := range want {
			b, err := os.ReadFile(filepath.Join(folder, name))
			if strings.HasSuffix(name, "/") {
				if info, err := os.Stat(filepath.Join(folder, name)); err != nil || !info.IsDir() {
					t.Error(name, err)
				}
			} else if err != nil || string(b) != content {
				t.Errorf("%s: %d bytes, %v", name, len(b), err)
			}
		}
	})
}
