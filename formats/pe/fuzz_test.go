package pe_test

import (
	"bytes"
	"errors"
	"testing"

	"talebinder/formats"
	"talebinder/formats/internal/seed"
	"talebinder/formats/netbundle"
	"talebinder/formats/netbundle/bundletest"
	"talebinder/formats/pe"
	"talebinder/formats/pe/petest"
)

// features are executables that can be branded, one for each thing that they may have.
func features() map[string][]byte {
	small := []petest.Section{{Name: ".text", Data: []byte("code"), Characteristics: petest.Code}, {Name: ".data", Data: make([]byte, 200), Characteristics: petest.Data},
		{Name: ".rsrc", Characteristics: petest.ReadOnly}, {Name: ".reloc", Data: []byte("relocations"), Characteristics: petest.Discard}}
	all := []petest.Resource{{Type: 3, ID: 1, Data: []byte("image")}, {Type: 14, ID: 5, Data: group(1)}, {Type: 24, ID: 1, Data: []byte("<assembly/>")}, {TypeName: "A", Name: "B", Data: []byte("C")}}
	marked := []petest.Section{small[0], {Name: ".data", Data: append(make([]byte, 64), bundletest.Marker()...), Characteristics: petest.Data}, small[2], small[3]}
	bundle := bundletest.Bundle{Major: 6, Files: []bundletest.File{{Path: "a.dll", Type: netbundle.Assembly, Content: []byte("code")}, {Path: "b.txt", Content: bytes.Repeat([]byte("b"), 50), Compress: true}}}
	return map[string][]byte{
		"pe32":                  petest.Image{Sections: small, Resources: all}.Build(),
		"pe32-plus":             petest.Image{Wide: true, Sections: small, Resources: all}.Build(),
		"no-resources":          petest.Image{Wide: true, Sections: small[:2]}.Build(),
		"resources-last":        petest.Image{Wide: true, Sections: small[:3], Resources: all}.Build(),
		"resources-among-other": petest.Image{Wide: true, Sections: small, Resources: all, Merged: []byte("other data")}.Build(),
		"code-behind-resources": petest.Image{Wide: true, Sections: append(small[:3:3], small[0]), Resources: all}.Build(),
		"overlay":               petest.Image{Wide: true, Sections: small, Resources: all, Overlay: []byte("overlay")}.Build(),
		"symbols":               petest.Image{Wide: true, Sections: small, Symbols: true, Overlay: []byte("symbol table entr\x00\x04\x00\x00\x00")}.Build(),
		"signature":             petest.Image{Wide: true, Sections: small, Resources: all, Signature: 16}.Build(),
		"signature-and-overlay": petest.Image{Wide: true, Sections: small, Resources: all, Signature: 16, Behind: []byte("data behind it")}.Build(),
		"debug-data":            petest.Image{Wide: true, Sections: small, Resources: all, Debug: []byte("RSDS")}.Build(),
		"bundle":                bundle.Append(petest.Image{Wide: true, Sections: marked, Resources: all}.Build()),
		"packed":                petest.Image{Wide: true, Sections: []petest.Section{{Name: "UPX0", Data: []byte("code"), Characteristics: petest.Code}}}.Build(),
	}
}

func TestSeeds(t *testing.T) {
	seeds := features()
	for name, c := range headerFaults {
		seeds[name] = c.exe
	}
	for name, c := range treeFaults {
		seeds[name] = c.exe
	}
	seed.Check(t, "FuzzBrand", seeds)
	versions := map[string][]byte{"good": versionData(t, version())}
	for name, c := range versionFaults(t) {
		versions[name] = c.data
	}
	seed.Check(t, "FuzzVersion", versions)
}

// fault fails the test for an error that is of none of the kinds.
func fault(t *testing.T, err error) {
	t.Helper()
	var limit *formats.LimitError
	if err != nil && !errors.Is(err, formats.ErrDamaged) && !errors.Is(err, formats.ErrUnsupported) && !errors.As(err, &limit) {
		t.Fatalf("an error of no kind: %v", err)
	}
}

// What can be branded can be read back, and is not much larger than it was.
func FuzzBrand(f *testing.F) {
	b := pe.Branding{Icon: images(16, 32), Version: version(), Subsystem: pe.Windowed}
	f.Fuzz(func(t *testing.T, data []byte) {
		file, err := pe.NewFile(bytes.NewReader(data), int64(len(data)))
		if fault(t, err); err != nil {
			return
		}
		_, err = file.VersionInfo()
		fault(t, err)
		_, err = file.Icons()
		fault(t, err)
		var w memory
		result, err := file.Brand(t.Context(), &w, b)
		if fault(t, err); err != nil {
			return
		}
		if len(w.data) > 8*len(data)+1<<18 {
			t.Fatalf("%d bytes became %d", len(data), len(w.data))
		}
		err = pe.Verify(t.Context(), bytes.NewReader(w.data), int64(len(w.data)), b, result)
		// A bundle whose parts overlap does not stay the same when it is moved.
		if fault(t, err); err != nil && result.Bundle == nil {
			t.Fatal(err)
		}
		if result.Checksum != petest.Checksum(w.data) {
			t.Fatalf("checksum 0x%x, expected 0x%x", result.Checksum, petest.Checksum(w.data))
		}
	})
}

func FuzzVersion(f *testing.F) {
	f.Fuzz(func(t *testing.T, data []byte) {
		if len(data) > 1<<16 {
			return
		}
		_, err := open(t, withVersion(data)).VersionInfo()
		fault(t, err)
	})
}
