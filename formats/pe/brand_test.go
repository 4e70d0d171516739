package pe_test

import (
	"bytes"
	"context"
	debugpe "debug/pe"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"testing/iotest"

	"talebinder/formats"
	"talebinder/formats/icon"
	"talebinder/formats/netbundle"
	"talebinder/formats/netbundle/bundletest"
	"talebinder/formats/pe"
	"talebinder/formats/pe/petest"
)

// memory is a file in memory.
type memory struct {
	data     []byte
	position int
}

func (m *memory) Write(p []byte) (int, error) {
	if need := m.position + len(p); need > len(m.data) {
		m.data = append(m.data, make([]byte, need-len(m.data))...)
	}
	copy(m.data[m.position:], p)
	m.position += len(p)
	return len(p), nil
}

func (m *memory) Seek(offset int64, whence int) (int64, error) {
	switch whence {
	case io.SeekStart:
		m.position = int(offset)
	case io.SeekCurrent:
		m.position += int(offset)
	default:
		m.position = len(m.data) + int(offset)
	}
	return int64(m.position), nil
}

func brand(t testing.TB, exe []byte, b pe.Branding) ([]byte, *pe.Result) {
	t.Helper()
	var w memory
	result, err := pe.Brand(context.Background(), &w, bytes.NewReader(exe), int64(len(exe)), b)
	if err != nil {
		t.Fatal(err)
	}
	if result.Checksum != petest.Checksum(w.data) {
		t.Errorf("checksum 0x%x", result.Checksum)
	}
	if result.Size != int64(len(w.data)) || w.position != len(w.data) {
		t.Errorf("the size is %d, %d bytes were written, the file is at %d", result.Size, len(w.data), w.position)
	}
	if err := pe.Verify(context.Background(), bytes.NewReader(w.data), result.Size, b, result); err != nil {
		t.Error(err)
	}
	return w.data, result
}

func brandError(exe []byte, b pe.Branding) error {
	_, err := pe.Brand(context.Background(), &memory{}, bytes.NewReader(exe), int64(len(exe)), b)
	return err
}

// images are stand-ins for PNG files: bytes that differ, of lengths that are no multiples of anything.
func images(sizes ...int) []icon.Image {
	var all []icon.Image
	for _, size := range sizes {
		b := make([]byte, size*size/4+size%7)
		random := rand.New(rand.NewPCG(uint64(size), 3))
		for i := range b {
			b[i] = byte(random.Uint32())
		}
		all = append(all, icon.Image{Size: size, PNG: b})
	}
	return all
}

func version() *pe.VersionInfo {
	return &pe.VersionInfo{FileNumber: [4]uint16{1, 4, 2, 0}, ProductNumber: [4]uint16{1, 4, 2, 0}, CompanyName: "Lantern Co.", FileDescription: "Lantern Grove – Größe",
		FileVersion: "1.4.2", InternalName: "LanternGrove", OriginalFilename: "LanternGrove.exe", ProductName: "Lantern Grove 🏮", ProductVersion: "1.4.2-beta"}
}

// group is an icon's list of images as it stands in the resources.
func group(ids ...uint16) []byte {
	b := []byte{0, 0, 1, 0, byte(len(ids)), 0}
	for _, id := range ids {
		b = append(b, 16, 16, 0, 0, 1, 0, 32, 0, 4, 0, 0, 0, byte(id), byte(id>>8))
	}
	return b
}

// resources are those of a program that has been given an icon, a version and a manifest, and more.
func resources() []petest.Resource {
	return []petest.Resource{
		{Type: 3, ID: 1, Language: 1033, Data: []byte("image 1")},
		{Type: 3, ID: 2, Language: 1033, Data: []byte("image 2, of two icons")},
		{Type: 3, ID: 7, Language: 1033, Data: []byte("image 7, of the other")},
		{Type: 14, ID: 32512, Language: 1033, Data: group(1, 2)},
		{Type: 14, ID: 32513, Language: 1033, Data: group(2, 7)},
		{Type: 16, ID: 1, Language: 1031, Data: []byte("old version")},
		{Type: 24, ID: 1, Language: 1033, Data: []byte("<assembly manifestVersion='1.0'/>")},
		{TypeName: "GAME", Name: "ÜBER", Language: 0, Data: bytes.Repeat([]byte("data "), 300)},
		{TypeName: "GAME", Name: "ABC", Language: 0, Data: []byte{}},
		{Type: 10, Name: "TEXT", Language: 1031, Data: []byte("Hallo")},
		{Type: 10, Name: "TEXT", Language: 1033, Data: []byte("Hello")},
	}
}

var layouts = map[string]petest.Image{
	"resources next to last":            {Sections: petest.Usual(), Resources: resources()},
	"resources last":                    {Sections: slices.Delete(petest.Usual(), 4, 5), Resources: resources()},
	"no resources":                      {Sections: slices.Delete(petest.Usual(), 3, 4)},
	"resources before code":             {Sections: append(petest.Usual(), petest.Section{Name: ".late", Data: []byte("code"), Characteristics: petest.Code}), Resources: resources()},
	"resources among other data":        {Sections: petest.Usual(), Resources: resources(), Merged: bytes.Repeat([]byte("other data "), 20)},
	"debug data behind":                 {Sections: petest.Usual(), Resources: resources(), Debug: []byte("RSDS and a path")},
	"symbols in discardable sections":   {Sections: append(petest.Usual(), petest.Section{Name: ".stab", Data: bytes.Repeat([]byte("dwarf"), 500), Characteristics: petest.Discard}), Resources: resources()},
	"many pages of resources":           {Sections: petest.Usual(), Resources: append(resources(), petest.Resource{Type: 10, ID: 5, Data: bytes.Repeat([]byte("large"), 9000)}, petest.Resource{Type: 3, ID: 9, Data: bytes.Repeat([]byte("icon"), 9000)}, petest.Resource{Type: 14, ID: 1, Data: group(9)})},
	"an empty tree":                     {Sections: petest.Usual()},
	"one section":                       {Sections: petest.Usual()[:1]},
	"a section that is not in the file": {Sections: slices.Insert(petest.Usual(), 3, petest.Section{Name: ".bss", VirtualSize: 5000, Characteristics: 0xC0000080}), Resources: resources()},
}

var brandings = map[string]pe.Branding{
	"icon":      {Icon: images(16, 24, 32)},
	"version":   {Version: version()},
	"windowed":  {Subsystem: pe.Windowed},
	"all":       {Icon: images(16, 32, 256), Version: version(), Subsystem: pe.Windowed},
	"huge icon": {Icon: images(16, 24, 32, 48, 64, 128, 256, 255, 254, 253), Version: version()},
}

// Every layout, of both kinds and in two alignments, with and without an overlay and a signature, branded in every way.
func TestBrandedExecutablesLoad(t *testing.T) {
	count := 0
	for layoutName, layout := range layouts {
		for _, wide := range []bool{false, true} {
			for _, alignment := range []uint32{512, 4096} {
				for _, extra := range []string{"", "overlay", "symbols", "signature", "overlay and signature", "signature and overlay", "overlay, signature, overlay"} {
					m := layout
					m.Wide, m.FileAlignment = wide, alignment
					switch {
					case extra == "symbols":
						m.Symbols, m.Overlay = true, append(bytes.Repeat([]byte("symbol table entr\x00"), 40), 4, 0, 0, 0) // and a string table without strings
					case strings.HasPrefix(extra, "overlay"):
						m.Overlay = []byte("appended data of a game")
					}
					if strings.Contains(extra, "signature") {
						m.Signature = 1000
					}
					if strings.HasSuffix(extra, "overlay") && strings.Contains(extra, "signature") {
						m.Behind = []byte("data behind the signature, more than padding")
					}
					exe := m.Build()
					before := load(t, exe)
					for brandName, b := range brandings {
						count++
						t.Run(fmt.Sprintf("%s/wide %v/alignment %d/%s/%s", layoutName, wide, alignment, extra, brandName), func(t *testing.T) {
							out, result := brand(t, exe, b)
							after := load(t, out)
							checkKept(t, before, after)
							checkResources(t, m, after, b)
							checkOverlay(t, m, before, after, result)
							if m.Debug != nil {
								checkDebug(t, after, m.Debug)
							}
							again, second := brand(t, out, b)
							load(t, again)
							if second.SignatureRemoved || second.OverlayShift%4096 != 0 || !bytes.Equal(again, out) && b.Icon != nil && described(m.Resources)["14/32513/1033"] == nil {
								t.Errorf("branded again it differs: %+v", second)
							}
						})
					}
				}
			}
		}
	}
	t.Logf("%d cases", count)
}

func checkResources(t testing.TB, m petest.Image, after image, b pe.Branding) {
	t.Helper()
	if b.Icon == nil && b.Version == nil {
		return // their section has been compared
	}
	was, is := described(m.Resources), after.resources(t)
	for key, data := range was {
		replaced := b.Version != nil && strings.HasPrefix(key, "16/") || b.Icon != nil && (key == "14/32512/1033" || key == "3/1/1033")
		if _, ok := was["14/1/0"]; ok && b.Icon != nil {
			replaced = b.Version != nil && strings.HasPrefix(key, "16/") || key == "14/1/0" || key == "3/9/0"
		}
		if got, ok := is[key]; !replaced && (!ok || !bytes.Equal(got, data)) {
			t.Errorf("resource %s is gone or differs", key)
		} else if replaced && ok && bytes.Equal(got, data) {
			t.Errorf("resource %s is still there", key)
		}
	}
	if b.Version != nil && is["16/1/0"] == nil {
		t.Errorf("no version in %q", names(is))
	}
	if b.Icon != nil {
		group := is["14/32512/0"]
		if _, ok := was["14/1/0"]; ok {
			group = is["14/1/0"]
		}
		if len(group) != 6+14*len(b.Icon) {
			t.Fatalf("an icon of %d bytes in %q", len(group), names(is))
		}
		for i, image := range b.Icon {
			entry := group[6+14*i:]
			le := binary.LittleEndian
			data := is[fmt.Sprintf("3/%d/0", le.Uint16(entry[12:]))]
			if !bytes.Equal(data, image.PNG) || int(entry[0]) != image.Size%256 || entry[0] != entry[1] || int(le.Uint32(entry[8:])) != len(data) {
				t.Errorf("image %d: %x", i, entry[:14])
			}
		}
	}
}

func checkOverlay(t testing.TB, m petest.Image, before, after image, result *pe.Result) {
	t.Helper()
	want := before.data[before.overlay:]
	if m.Signature > 0 {
		at := before.directories()[4]
		from := int(at.VirtualAddress) - before.overlay
		if m.Behind == nil {
			want = want[:from]
		} else {
			want = slices.Concat(want[:from], make([]byte, m.Signature), want[from+m.Signature:])
		}
	}
	from := after.overlay
	if len(want) > 0 {
		from = before.overlay + int(result.OverlayShift)
	} else if result.OverlayShift != 0 {
		t.Errorf("an overlay that is not there has moved by %d", result.OverlayShift)
	}
	got := after.data[from:]
	if !bytes.Equal(got, want) {
		t.Errorf("an overlay of %d bytes, expected %d", len(got), len(want))
	}
	if result.OverlayOffset != int64(before.overlay) || result.OverlaySize != int64(len(want)) || result.OverlayShift%4096 != 0 {
		t.Errorf("%+v", result)
	}
	if result.SignatureRemoved != (m.Signature > 0) || after.directories()[4] != (debugpe.DataDirectory{}) {
		t.Errorf("signature removed: %v, %+v", result.SignatureRemoved, after.directories()[4])
	}
	if m.Symbols {
		at := int(after.file.FileHeader.PointerToSymbolTable)
		if !bytes.HasPrefix(after.data[at:], []byte("symbol table entr\x00")) {
			t.Errorf("the symbol table is not at %d", at)
		}
	}
}

func TestTheSectionIsUsedAgain(t *testing.T) {
	for name, want := range map[string]bool{"resources next to last": false, "resources last": false, "no resources": true, "resources before code": true,
		"resources among other data": true, "symbols in discardable sections": false, "debug data behind": true} {
		m := layouts[name]
		m.Wide = true
		exe := m.Build()
		out, result := brand(t, exe, brandings["huge icon"])
		added := len(load(t, out).file.Sections) - len(load(t, exe).file.Sections)
		if result.SectionAdded != want || (added == 1) != want {
			t.Errorf("%s: %d sections were added, reported %v", name, added, result.SectionAdded)
		}
	}
}

func TestNothingToChangeIsACopy(t *testing.T) {
	exe := petest.Image{Wide: true, Sections: petest.Usual(), Resources: resources(), Overlay: []byte("overlay"), Signature: 100}.Build()
	exe[len(exe)-1] ^= 1 // the checksum is wrong, and stays so
	for _, b := range []pe.Branding{{}, {Subsystem: pe.Console}} {
		var w memory
		result, err := pe.Brand(t.Context(), &w, bytes.NewReader(exe), int64(len(exe)), b)
		if err != nil || !bytes.Equal(w.data, exe) || result.SignatureRemoved || result.Size != int64(len(exe)) {
			t.Errorf("%+v: %d bytes, %+v, %v", b, len(w.data), result, err)
		}
	}
}

func TestTheCopyBeginsWhereTheFileIs(t *testing.T) {
	exe := layouts["resources last"].Build()
	w := memory{data: []byte("before"), position: 6}
	if _, err := pe.Brand(t.Context(), &w, bytes.NewReader(exe), int64(len(exe)), brandings["all"]); err != nil {
		t.Fatal(err)
	}
	alone, _ := brand(t, exe, brandings["all"])
	if string(w.data[:6]) != "before" || !bytes.Equal(w.data[6:], alone) {
		t.Error("the copy differs")
	}
}

// host is an executable that a bundle can be appended to.
func host(m petest.Image) []byte {
	m.Sections = slices.Clone(m.Sections)
	data := bytes.Clone(m.Sections[2].Data)
	copy(data[100:], bundletest.Marker())
	m.Sections[2].Data = data
	return m.Build()
}

func TestBundlesMoveAlong(t *testing.T) {
	for _, name := range []string{"resources next to last", "resources last", "no resources", "resources before code", "many pages of resources"} {
		for _, major := range []uint32{1, 2, 6} {
			for _, wide := range []bool{false, true} {
				for brandName, b := range brandings {
					t.Run(fmt.Sprintf("%s/version %d/wide %v/%s", name, major, wide, brandName), func(t *testing.T) {
						m := layouts[name]
						m.Wide = wide
						bundle := bundletest.Bundle{Major: major, Files: bundletest.Files(major), Align: 4096}
						exe := bundle.Append(host(m))
						out, result := brand(t, exe, b)
						if result.Bundle == nil || result.OverlayShift%4096 != 0 {
							t.Fatalf("%+v", result)
						}
						after, found, err := netbundle.Find(bytes.NewReader(out), int64(len(out)))
						if err != nil || !found {
							t.Fatalf("%v, %v", found, err)
						}
						if err := after.Verify(t.Context()); err != nil {
							t.Error(err)
						}
						for i, f := range bundle.Files {
							e := after.Entries[i]
							r, err := after.Open(e)
							if err != nil {
								t.Fatal(err)
							}
							content, err := io.ReadAll(r)
							if err != nil || !bytes.Equal(content, f.Content) || e.Path != f.Path {
								t.Errorf("%s: %d bytes, %v", f.Path, len(content), err)
							}
							if e.Type == netbundle.Assembly && !f.Compress && e.Offset%4096 != 0 {
								t.Errorf("%s begins at byte %d", e.Path, e.Offset)
							}
						}
						if b.Subsystem == 0 && result.OverlayShift == 0 && brandName == "huge icon" {
							t.Error("the bundle has not moved, so that this test shows nothing")
						}
					})
				}
			}
		}
	}
}

func TestSignedBundlesLoseTheSignatureAlone(t *testing.T) {
	bundle := bundletest.Bundle{Major: 6, Files: bundletest.Files(6)}
	exe := bundle.Append(host(petest.Image{Wide: true, Sections: petest.Usual(), Resources: resources()}))
	for len(exe)%8 != 0 {
		exe = append(exe, 0)
	}
	at := 0x80 + 24 + 112 + 8*4
	binary.LittleEndian.PutUint32(exe[at:], uint32(len(exe)))
	binary.LittleEndian.PutUint32(exe[at+4:], 64)
	exe = append(exe, bytes.Repeat([]byte{0x30}, 64)...)
	out, result := brand(t, exe, brandings["all"])
	if !result.SignatureRemoved || len(out) != len(exe)+int(result.OverlayShift)-64 {
		t.Errorf("%d bytes, before %d, %+v", len(out), len(exe), result)
	}
}

func TestVerifyNoticesEveryDifference(t *testing.T) {
	m := petest.Image{Wide: true, Sections: petest.Usual(), Resources: resources()}
	exe := bundletest.Bundle{Major: 6, Files: bundletest.Files(6)}.Append(host(m))
	b := brandings["all"]
	out, result := brand(t, exe, b)
	other, otherResult := brand(t, exe, pe.Branding{Subsystem: pe.Windowed})
	flip := func(at int) []byte {
		c := bytes.Clone(out)
		c[at] ^= 1
		return c
	}
	at := bytes.Index(out, b.Icon[2].PNG[:100])
	checksummed := func(c []byte) ([]byte, *pe.Result) {
		sum := petest.Checksum(c)
		binary.LittleEndian.PutUint32(c[0x80+24+64:], sum)
		r := *result
		r.Checksum = sum
		return c, &r
	}
	icon, iconResult := checksummed(flip(at))
	bundle, bundleResult := checksummed(flip(int(result.Bundle.Entries[0].Offset + result.OverlayShift)))
	for name, c := range map[string]struct {
		data     []byte
		branding pe.Branding
		result   *pe.Result
		says     string
	}{
		"a byte less":           {out[:len(out)-1], b, result, "length"},
		"the headers' checksum": {flip(0x80 + 24 + 64), b, result, "checksum"},
		"a byte of code":        {flip(1500), b, result, "checksum"},
		"no executable":         {make([]byte, len(out)), b, result, "branded executable: executable at byte 0"},
		"a byte of the icon":    {icon, b, iconResult, "icon of 256 pixels"},
		"a byte of the bundle":  {bundle, b, bundleResult, "game.dll"},
		"another subsystem":     {out, pe.Branding{Subsystem: pe.Console}, result, "subsystem: windowed, expected console"},
		"another version":       {out, pe.Branding{Version: &pe.VersionInfo{ProductName: "x"}}, result, "version information"},
		"another icon":          {out, pe.Branding{Icon: images(16)}, result, "number of the icon's images"},
		"no version":            {other, pe.Branding{Version: version()}, otherResult, "version information"},
	} {
		t.Run(name, func(t *testing.T) {
			err := pe.Verify(t.Context(), bytes.NewReader(c.data), int64(len(c.data)), c.branding, c.result)
			if !errors.Is(err, formats.ErrDamaged) || !strings.Contains(err.Error(), c.says) {
				t.Errorf("got %v, want %q", err, c.says)
			}
		})
	}
}

func TestExecutablesThatCannotBeBranded(t *testing.T) {
	usual := petest.Image{Wide: true, Sections: petest.Usual(), Resources: resources()}
	full := petest.Image{Sections: petest.Usual()[:3], Headers: 0x80 + 24 + 96 + 8*16 + 3*40}
	with := func(change func(m *petest.Image)) []byte {
		m := usual
		m.Sections = slices.Clone(usual.Sections)
		change(&m)
		return m.Build()
	}
	bound := layouts["no resources"].Build()
	bound[0x80+24+96+8*16+4*40+5] = 1
	many := make([]petest.Section, 96)
	for i := range many {
		many[i] = petest.Section{Name: ".s", Data: []byte{1}, Characteristics: petest.Data}
	}
	inside := host(petest.Image{Wide: true, Sections: petest.Usual()})
	binary.LittleEndian.PutUint64(inside[bytes.Index(inside, bundletest.Marker()):], uint64(len(inside)-200))
	small := bundletest.Bundle{Major: 6, Files: []bundletest.File{{Path: "a", Content: []byte("x")}}}
	copy(inside[len(inside)-200:], small.Append(bundletest.Marker())[41:])
	binary.LittleEndian.PutUint64(inside[len(inside)-200+4+4+4+1+12+40:], 1000)
	damagedBundle := bundletest.Bundle{Major: 6, Files: bundletest.Files(6)}.Append(host(usual))
	for name, c := range map[string]struct {
		exe  []byte
		b    pe.Branding
		kind error // nil: a LimitError
		says string
	}{
		"packed with UPX":            {with(func(m *petest.Image) { m.Sections[0].Name = "UPX0" }), pe.Branding{Version: version()}, formats.ErrUnsupported, `section "UPX0" at byte 392: an executable packed with UPX, expected one that is not packed: unpack it with ` + "`upx -d`"},
		"packed with another":        {with(func(m *petest.Image) { m.Sections[1].Name = ".MPRESS1" }), pe.Branding{Subsystem: 2}, formats.ErrUnsupported, "packed with MPRESS"},
		"no room for a section":      {full.Build(), pe.Branding{Version: version()}, formats.ErrUnsupported, "bytes before the first section, expected 40 free bytes for another section; publish the program"},
		"other data in that room":    {bound, pe.Branding{Version: version()}, formats.ErrUnsupported, "other data behind it, expected 40 free bytes"},
		"too many sections":          {petest.Image{Sections: many}.Build(), pe.Branding{Version: version()}, nil, "number of sections is 97, the limit is 96"},
		"no directory for resources": {with(func(m *petest.Image) { m.Directories = 2 }), pe.Branding{Version: version()}, formats.ErrUnsupported, "2 data directories, expected at least 3"},
		"a driver":                   {with(func(m *petest.Image) { m.Subsystem = 1 }), pe.Branding{Subsystem: 2}, formats.ErrUnsupported, "subsystem at byte 220: native, expected a windowed or console program"},
		"a subsystem of no program":  {usual.Build(), pe.Branding{Subsystem: 10}, formats.ErrUnsupported, "EFI, expected windowed or console"},
		"an icon that is too large":  {usual.Build(), pe.Branding{Icon: images(512)}, nil, "size of an image is 512 pixels, the limit is 256"},
		"texts that are too long":    {usual.Build(), pe.Branding{Version: &pe.VersionInfo{ProductName: strings.Repeat("x", 40000)}}, nil, "length of all texts"},
		"a text with a zero":         {usual.Build(), pe.Branding{Version: &pe.VersionInfo{ProductName: "a\x00b"}}, errors.ErrUnsupported, "ProductName"},
		"a text that is not UTF-8":   {usual.Build(), pe.Branding{Version: &pe.VersionInfo{CompanyName: "a\xffb"}}, errors.ErrUnsupported, "CompanyName"},
		"a bundle inside a section":  {inside, pe.Branding{Subsystem: 2}, formats.ErrUnsupported, "bundle at byte"},
		"a damaged bundle":           {damagedBundle[:len(damagedBundle)-3], pe.Branding{Subsystem: 2}, formats.ErrDamaged, "bundle: file 7"},
	} {
		t.Run(name, func(t *testing.T) {
			err := brandError(c.exe, c.b)
			var limit *formats.LimitError
			right := errors.Is(err, c.kind)
			switch c.kind {
			case nil:
				right = errors.As(err, &limit)
			case errors.ErrUnsupported: // a mistake of the caller, of no kind
				right = err != nil
			}
			if !right || !strings.Contains(err.Error(), c.says) {
				t.Errorf("got %v, want %q", err, c.says)
			}
		})
	}
}

func TestErrorsOfTheFilesAreKept(t *testing.T) {
	exe := petest.Image{Wide: true, Sections: petest.Usual(), Resources: resources(), Overlay: make([]byte, 5000)}.Build()
	b := brandings["all"]
	for limit := range len(exe) / 100 {
		r := failingAfter{bytes.NewReader(exe), int64(100 * limit)}
		if _, err := pe.Brand(t.Context(), &memory{}, r, int64(len(exe)), b); !errors.Is(err, iotest.ErrTimeout) {
			t.Errorf("failing from %d on: %v", 100*limit, err)
		}
	}
	broken := errors.New("disk full")
	for count := range 3 {
		if _, err := pe.Brand(t.Context(), &failingWriter{left: count, err: broken}, bytes.NewReader(exe), int64(len(exe)), b); !errors.Is(err, broken) {
			t.Errorf("failing at call %d: %v", count, err)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := pe.Brand(ctx, &memory{}, bytes.NewReader(exe), int64(len(exe)), b); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
}

type failingAfter struct {
	file  io.ReaderAt
	limit int64
}

func (f failingAfter) ReadAt(p []byte, offset int64) (int, error) {
	if offset+int64(len(p)) > f.limit {
		return 0, iotest.ErrTimeout
	}
	return f.file.ReadAt(p, offset)
}

type failingWriter struct {
	memory
	left int
	err  error
}

func (f *failingWriter) call() error {
	if f.left--; f.left < 0 {
		return f.err
	}
	return nil
}

func (f *failingWriter) Write(p []byte) (int, error) {
	if err := f.call(); err != nil {
		return 0, err
	}
	return f.memory.Write(p)
}

func (f *failingWriter) Seek(offset int64, whence int) (int64, error) {
	if err := f.call(); err != nil {
		return 0, err
	}
	return f.memory.Seek(offset, whence)
}
