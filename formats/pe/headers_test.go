package pe_test

import (
	"bytes"
	"encoding/binary"
	"errors"
	"maps"
	"slices"
	"strings"
	"testing"

	"talebinder/formats"
	"talebinder/formats/icon"
	"talebinder/formats/pe"
	"talebinder/formats/pe/petest"
)

func open(t testing.TB, exe []byte) *pe.File {
	t.Helper()
	f, err := pe.NewFile(bytes.NewReader(exe), int64(len(exe)))
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func TestHeadersAreRead(t *testing.T) {
	for _, c := range []struct {
		image     petest.Image
		machine   pe.Machine
		subsystem pe.Subsystem
		words     string
	}{
		{petest.Image{Wide: true}, pe.X64, pe.Console, "x64 console"},
		{petest.Image{Wide: true, Machine: 0xAA64, Subsystem: 2}, pe.ARM64, pe.Windowed, "ARM64 windowed"},
		{petest.Image{}, pe.X86, pe.Console, "x86 console"},
		{petest.Image{Machine: 0x1C4, Subsystem: 10}, pe.ARM, 10, "ARM EFI"},
		{petest.Image{Machine: 0x200, Subsystem: 9}, 0x200, 9, "machine 0x200 Windows CE"},
		{petest.Image{Machine: 0x200, Subsystem: 99}, 0x200, 99, "machine 0x200 subsystem 99"},
	} {
		c.image.Sections, c.image.Resources, c.image.Overlay = petest.Usual(), resources(), []byte("overlay")
		exe := c.image.Build()
		f := open(t, exe)
		if f.Machine() != c.machine || f.Subsystem() != c.subsystem || f.Wide() != c.image.Wide || f.Machine().String()+" "+f.Subsystem().String() != c.words {
			t.Errorf("%v %v, wide %v, expected %s", f.Machine(), f.Subsystem(), f.Wide(), c.words)
		}
		offset, size := f.Overlay()
		if string(exe[offset:]) != "overlay" || size != 7 || f.Signed() || f.Checksum() != petest.Checksum(exe) {
			t.Errorf("overlay %d, %d, signed %v", offset, size, f.Signed())
		}
		if s := f.Sections(); len(s) != 5 || s[3].Name != ".rsrc" || s[2].VirtualSize != 9000 {
			t.Errorf("%+v", s)
		}
		all, err := f.Resources()
		if err != nil || len(all) != len(resources()) {
			t.Fatalf("%d resources, %v", len(all), err)
		}
		for _, r := range all {
			data, err := f.ReadResource(r)
			if err != nil || int64(len(data)) != r.Size {
				t.Errorf("%v %v: %d bytes, %v", r.Type, r.Name, len(data), err)
			}
		}
		if id, ok := all[0].Type.ID(); ok || id != 0 || all[0].Type.String() != "GAME" || all[1].Name.String() != "ÜBER" || all[2].Type.String() != "#3" {
			t.Errorf("%v %v, %v", all[0].Type, all[1].Name, all[2].Type)
		}
	}
}

func TestChecksums(t *testing.T) {
	for _, overlay := range []int{0, 1, 2, 15, 16, 17, 1 << 20, 1<<20 + 1} {
		for _, fill := range []byte{0, 1, 0xff} {
			exe := petest.Image{Wide: true, Sections: petest.Usual(), Overlay: bytes.Repeat([]byte{fill}, overlay)}.Build()
			right, err := open(t, exe).VerifyChecksum(t.Context())
			if err != nil || !right {
				t.Errorf("%d bytes of 0x%x: right %v, %v", overlay, fill, right, err)
			}
			exe[len(exe)-1]++
			if right, err := open(t, exe).VerifyChecksum(t.Context()); err != nil || right {
				t.Errorf("%d bytes of 0x%x, one changed: right %v, %v", overlay, fill, right, err)
			}
		}
	}
}

// defect is an executable with a change at an offset from the PE header. With 5 sections and 16 directories in PE32+, the
// optional header is at +24, its directories at +136, the section table at +264, .rsrc is the fourth section.
func defect(at int, value uint64, size int) []byte {
	exe := petest.Image{Wide: true, Sections: petest.Usual(), Resources: resources()[:3]}.Build()
	b := binary.LittleEndian.AppendUint64(nil, value)
	copy(exe[0x80+at:], b[:size])
	return exe
}

// Directories 2 and 4 are at +152 and +168, the sections' headers at +264 + 40 i.
var headerFaults = map[string]struct {
	exe  []byte
	kind error
	says string
}{
	"empty.exe":              {nil, formats.ErrDamaged, `executable at byte 0: an empty file, expected "MZ", the start of a Windows executable`},
	"elf.exe":                {[]byte("\x7fELF\x02\x01\x01 and so on"), formats.ErrDamaged, "a Linux executable (ELF)"},
	"mach-o.exe":             {[]byte("\xcf\xfa\xed\xfe and so on"), formats.ErrDamaged, "a macOS executable (Mach-O)"},
	"script.exe":             {[]byte("#!/bin/sh\n"), formats.ErrDamaged, "a script"},
	"zip.exe":                {[]byte("PK\x03\x04 and so on"), formats.ErrDamaged, "a ZIP archive"},
	"text.exe":               {[]byte("hello"), formats.ErrDamaged, `"hell"`},
	"cut-in-the-dos-header":  {defect(0, 0, 0)[:50], formats.ErrDamaged, "DOS header at byte 50: the end of the file, expected 64 bytes"},
	"cut-in-the-pe-header":   {defect(0, 0, 0)[:0x90], formats.ErrDamaged, "PE header at byte 128: 24 bytes that end beyond the file"},
	"pe-header-far-away":     {defect(0x3C-0x80, 0xffffffff, 4), formats.ErrDamaged, "PE header at byte 4294967295"},
	"dos-program":            {defect(0, 0x454e, 2), formats.ErrDamaged, `PE header at byte 128: "NE\x00\x00"`},
	"no-sections":            {defect(6, 0, 2), formats.ErrDamaged, "number of sections at byte 134: 0, expected 1 to 96"},
	"97-sections":            {defect(6, 97, 2), formats.ErrDamaged, "number of sections at byte 134: 97"},
	"no-optional-header":     {defect(20, 0, 2), formats.ErrDamaged, "optional header at byte 152: 0 bytes"},
	"short-optional-header":  {defect(20, 100, 2), formats.ErrDamaged, "optional header at byte 152: 100 bytes, expected at least 112"},
	"long-optional-header":   {defect(20, 0xffff, 2), formats.ErrDamaged, "optional header at byte 152: 65535 bytes that end beyond the file"},
	"rom-image":              {defect(24, 0x107, 2), formats.ErrDamaged, "magic 0x107, expected 0x10B (PE32) or 0x20B (PE32+)"},
	"alignment-0":            {defect(24+36, 0, 4), formats.ErrUnsupported, "alignment in the file at byte 188: 0, expected a power of two from 512 to 65536"},
	"alignment-32":           {defect(24+36, 32, 4), formats.ErrUnsupported, "alignment in the file at byte 188: 32"},
	"alignment-513":          {defect(24+36, 513, 4), formats.ErrUnsupported, "alignment in the file at byte 188: 513"},
	"memory-alignment-16":    {defect(24+32, 16, 4), formats.ErrUnsupported, "alignment in memory at byte 184: 16"},
	"memory-alignment-2g":    {defect(24+32, 1<<31, 4), formats.ErrUnsupported, "alignment in memory"},
	"many-directories":       {defect(24+108, 17, 4), nil, ""},
	"too-many-directories":   {append(defect(20, 240-8, 2), 0), formats.ErrDamaged, "number of data directories at byte 260: 16, expected at most 15"},
	"headers-too-short":      {defect(24+60, 200, 4), formats.ErrDamaged, "size of headers at byte 212: 200, expected 592, the end of the section table"},
	"headers-too-long":       {defect(24+60, 1<<31, 4), formats.ErrDamaged, "size of headers at byte 212: 2147483648"},
	"section-at-address-0":   {defect(264+12, 0, 4), formats.ErrDamaged, `section ".text" at byte 404: address 0x0`},
	"unaligned-address":      {defect(264+12, 0x1001, 4), formats.ErrDamaged, `address 0x1001, expected a multiple of 0x1000`},
	"overlap-in-memory":      {defect(264+8, 0x2001, 4), formats.ErrDamaged, `section ".rdata" at byte 444: address 0x2000, expected a multiple of 0x1000 from 0x3001 on`},
	"beyond-4-gb":            {defect(264+160+8, 0xffffffff, 4), formats.ErrDamaged, `section ".reloc" at byte 560: 4294967295 bytes in memory`},
	"section-beyond-the-end": {defect(264+160+16, 10000, 4), formats.ErrDamaged, `section ".reloc" at byte 568: bytes`},
	"section-far-away":       {defect(264+160+20, 0xfffffe00, 4), formats.ErrDamaged, `the file is cut off`},
	"cut-in-a-section":       {defect(0, 0, 0)[:4000], formats.ErrDamaged, "the file is cut off"},
	"section-over-headers":   {defect(264+20, 512, 4), formats.ErrDamaged, `section ".text" at byte 412: bytes from 512 on, expected a start at or behind byte 1024, the end of the headers`},
	"overlap-in-the-file":    {defect(264+40+20, 1024, 4), formats.ErrDamaged, `expected a start at or behind byte`},
	"unaligned-section":      {defect(264+160+20, 8000, 4)[:9000], formats.ErrUnsupported, "expected a multiple of 512"},
	"signature-in-sections":  {defect(168, 0x0000000800000400, 8), formats.ErrDamaged, "signature at byte 296: bytes 1024 to 1032, expected bytes between"},
	"signature-far-away":     {defect(168, 0x00000008fffffff0, 8), formats.ErrDamaged, "signature at byte 296: bytes 4294967280 to 4294967288"},
}

func TestDamagedHeaders(t *testing.T) {
	for name, c := range headerFaults {
		t.Run(name, func(t *testing.T) {
			_, err := pe.NewFile(bytes.NewReader(c.exe), int64(len(c.exe)))
			if c.kind == nil && err != nil || c.kind != nil && (!errors.Is(err, c.kind) || !strings.Contains(err.Error(), c.says)) {
				t.Errorf("got %v, want %q", err, c.says)
			}
		})
	}
}

// tree is an executable whose resources are given bytes. The tree has its section at byte 1024 and address 0x1000.
func tree(change func(b []byte)) []byte {
	m := petest.Image{Wide: true, Sections: []petest.Section{{Name: ".rsrc", Characteristics: petest.ReadOnly}}, Resources: []petest.Resource{{Type: 16, ID: 1, Data: []byte("the data of a version")}, {TypeName: "AB", ID: 1, Data: []byte("x")}}}
	exe := m.Build()
	change(exe[1024-512:])
	return exe
}

func put(at int, v uint32) func([]byte) {
	return func(b []byte) { binary.LittleEndian.PutUint32(b[at:], v) }
}

// The root has two entries, at 16 and 24; "AB" and its directories follow, then those of the version.
var treeFaults = map[string]struct {
	exe  []byte
	says string
}{
	"more-entries-than-fit":   {tree(func(b []byte) { b[14] = 200 }), "resources: directory of types at byte 528: 1608 bytes that end beyond their section"},
	"type-of-17-bits":         {tree(put(24, 0x10000)), "directory of types at byte 536: 65536, expected a number of 16 bits"},
	"text-far-away":           {tree(put(16, 0xfffffff0)), "resources: text at byte"},
	"text-without-characters": {tree(put(16, 0x80000000)), "resources: text at byte 512: no characters"},
	"leaf-among-types":        {tree(put(28, 16)), "directory of types at byte 540: 0x10, expected a tree of three levels"},
	"directory-far-away":      {tree(put(28, 0xfffffff0)), "resources: directory of names at byte"},
	"tree-in-a-circle":        {tree(put(28, 0x80000000)), "directory of languages"},
}

func TestDamagedResources(t *testing.T) {
	outside := tree(func([]byte) {})
	binary.LittleEndian.PutUint32(outside[0x80+152:], 0x900000)
	cases := maps.Clone(treeFaults)
	cases["a tree outside every section"] = struct {
		exe  []byte
		says string
	}{outside, "resources: address 0x900000 outside every section"}
	leaf := bytes.Index(outside[512:], []byte("the data")) - 16
	for name, c := range map[string]struct {
		change func([]byte)
		says   string
	}{
		"data outside every section": {put(leaf, 0x800000), "resource #16 #1: address 0x800000 outside every section"},
		"data beyond their section":  {put(leaf+4, 4000), "resource #16 #1 at byte"},
	} {
		cases[name] = struct {
			exe  []byte
			says string
		}{tree(c.change), c.says}
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			_, err := open(t, c.exe).Resources()
			if !errors.Is(err, formats.ErrDamaged) || !strings.Contains(err.Error(), c.says) {
				t.Errorf("got %v, want %q", err, c.says)
			}
			if err := brandError(c.exe, brandings["all"]); !errors.Is(err, formats.ErrDamaged) {
				t.Errorf("branded: %v", err)
			}
		})
	}
}

// A tree can claim far more resources, or far more bytes, than the file has.
func TestResourcesThatMultiplyAreRefused(t *testing.T) {
	le := binary.LittleEndian
	shared := func(types, names, languages int, size uint32) []byte {
		var b []byte
		level := func(n int, target func(i int) uint32) {
			b = append(b, make([]byte, 14)...)
			b = le.AppendUint16(b, uint16(n))
			for i := range n {
				b = le.AppendUint32(le.AppendUint32(b, uint32(i)), target(i))
			}
		}
		second := uint32(16 + 8*types)
		third := second + uint32(16+8*names)
		leaf := third + uint32(16+8*languages)
		level(types, func(int) uint32 { return second | 1<<31 })
		level(names, func(int) uint32 { return third | 1<<31 })
		level(languages, func(i int) uint32 { return leaf + 16*uint32(i) })
		for i := range languages {
			b = le.AppendUint32(b, 0x1000+uint32(i))
			b = le.AppendUint32(b, size)
			b = append(b, make([]byte, 8)...)
		}
		b = append(b, make([]byte, 20000)...)
		exe := petest.Image{Wide: true, Sections: []petest.Section{{Name: ".rsrc", Data: b, Characteristics: petest.ReadOnly}}}.Build()
		le.PutUint32(exe[0x80+152:], 0x1000)
		le.PutUint32(exe[0x80+156:], uint32(len(b)))
		return exe
	}
	var limit *formats.LimitError
	if err := brandError(shared(1000, 1000, 1, 0), brandings["all"]); !errors.As(err, &limit) {
		t.Errorf("a million resources: %v", err)
	}
	if err := brandError(shared(1, 1, 2000, 20000), brandings["all"]); !errors.Is(err, formats.ErrDamaged) || !strings.Contains(err.Error(), "the file's length") {
		t.Errorf("data that overlap: %v", err)
	}
	out, _ := brand(t, shared(50, 20, 1, 1000), brandings["version"])
	if len(out) > 100000 {
		t.Errorf("data that are shared a thousand times take %d bytes", len(out))
	}
}

func TestIconsThatCannotBeRead(t *testing.T) {
	base := petest.Image{Wide: true, Sections: petest.Usual()}
	with := func(all ...petest.Resource) []byte {
		m := base
		m.Resources = all
		return m.Build()
	}
	image := petest.Resource{Type: 3, ID: 1, Data: []byte("image")}
	for name, c := range map[string]struct {
		exe  []byte
		says string
	}{
		"a list that is cut off":       {with(petest.Resource{Type: 14, ID: 5, Data: group(1, 2)[:30]}, image), "icon #5 at byte"},
		"a list shorter than its head": {with(petest.Resource{Type: 14, ID: 5, Data: []byte{0, 0, 1}}, image), "3 bytes, expected 6 bytes and 14 for every image"},
		"an image that does not exist": {with(petest.Resource{Type: 14, ID: 5, Data: group(1, 2)}, image), "image 2, which does not exist"},
	} {
		if _, err := open(t, c.exe).Icons(); !errors.Is(err, formats.ErrDamaged) || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: got %v, want %q", name, err, c.says)
		}
		// It is replaced all the same.
		brand(t, c.exe, brandings["icon"])
	}
	other := with(petest.Resource{Type: 14, ID: 5, Data: group(1)}, image, petest.Resource{Type: 14, ID: 6, Data: []byte{0, 0, 1}})
	if err := brandError(other, brandings["icon"]); !errors.Is(err, formats.ErrDamaged) {
		t.Errorf("another icon that is damaged: %v", err)
	}
	if got, err := open(t, with(image)).Icons(); err != nil || got != nil {
		t.Errorf("no icon: %v, %v", got, err)
	}
	german := petest.Resource{Type: 3, ID: 1, Language: 1031, Data: []byte("Bild")}
	for _, c := range []struct {
		language uint16
		want     string
	}{{0, "image"}, {1031, "Bild"}, {1036, "image"}} {
		got, err := open(t, with(image, german, petest.Resource{Type: 14, ID: 5, Language: c.language, Data: group(1)})).Icons()
		if err != nil || len(got) != 1 || string(got[0].Data) != c.want || got[0].Width != 16 {
			t.Errorf("language %d: %+v, %v", c.language, got, err)
		}
	}
}

func TestIconsTakeFreeNumbers(t *testing.T) {
	var all []petest.Resource
	for _, id := range []uint16{1, 2, 4} {
		all = append(all, petest.Resource{Type: 3, ID: id, Data: []byte{byte(id)}})
	}
	exe := petest.Image{Wide: true, Sections: petest.Usual(), Resources: all}.Build()
	out, _ := brand(t, exe, brandings["icon"])
	got, err := open(t, out).Resources()
	if err != nil {
		t.Fatal(err)
	}
	var ids []string
	for _, r := range got {
		ids = append(ids, r.Type.String()+r.Name.String())
	}
	if want := []string{"#3#1", "#3#2", "#3#3", "#3#4", "#3#5", "#3#6", "#14#32512"}; !slices.Equal(ids, want) {
		t.Errorf("got %v, want %v", ids, want)
	}
	var limit *formats.LimitError
	if err := brandError(exe, pe.Branding{Icon: make([]icon.Image, 65536)}); !errors.As(err, &limit) {
		t.Errorf("65536 images: %v", err)
	}
	same := slices.Repeat([]icon.Image{{Size: 16}}, 65533)
	if err := brandError(exe, pe.Branding{Icon: same}); !errors.As(err, &limit) || limit.What != "number of images" {
		t.Errorf("more images than numbers: %v", err)
	}
}
