package pe_test

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/tc-hib/winres"
	winversion "github.com/tc-hib/winres/version"

	"talebinder/formats"
	"talebinder/formats/pe"
	"talebinder/formats/pe/petest"
)

func TestParseNumber(t *testing.T) {
	for text, c := range map[string]struct {
		number [4]uint16
		exact  bool
	}{
		"1.2.3":                      {[4]uint16{1, 2, 3, 0}, true},
		"1":                          {[4]uint16{1, 0, 0, 0}, true},
		"0.0.0.7":                    {[4]uint16{0, 0, 0, 7}, true},
		"10.20.30.65535":             {[4]uint16{10, 20, 30, 65535}, true},
		"007":                        {[4]uint16{7, 0, 0, 0}, true},
		"1.2.3-beta":                 {[4]uint16{1, 2, 3, 0}, false},
		"1.2.3+build.5":              {[4]uint16{1, 2, 3, 0}, false},
		"1.2.3.4.5":                  {[4]uint16{1, 2, 3, 4}, false},
		"1.2.3.4.":                   {[4]uint16{1, 2, 3, 4}, false},
		"1.":                         {[4]uint16{1, 0, 0, 0}, false},
		"1..2":                       {[4]uint16{1, 0, 0, 0}, false},
		"1.x":                        {[4]uint16{1, 0, 0, 0}, false},
		"65536.1":                    {[4]uint16{65535, 1, 0, 0}, false},
		"1.2.99999999999999999999.3": {[4]uint16{1, 2, 65535, 3}, false},
		"v1":                         {[4]uint16{}, false},
		"-1":                         {[4]uint16{}, false},
		"":                           {[4]uint16{}, false},
	} {
		if number, exact := pe.ParseNumber(text); number != c.number || exact != c.exact {
			t.Errorf("%q: %v, %v, expected %v, %v", text, number, exact, c.number, c.exact)
		}
	}
}

// Another library reads the same.
func TestVersionsAreReadByOthers(t *testing.T) {
	v := version()
	out, _ := brand(t, petest.Image{Wide: true, Sections: petest.Usual()}.Build(), pe.Branding{Version: v})
	set, err := winres.LoadFromEXE(bytes.NewReader(out))
	if err != nil {
		t.Fatal(err)
	}
	info, err := winversion.FromBytes(set.Get(winres.RT_VERSION, winres.ID(1), 0))
	if err != nil {
		t.Fatal(err)
	}
	if info.FileVersion != v.FileNumber || info.ProductVersion != v.ProductNumber || info.Type != winversion.App {
		t.Errorf("%+v", info)
	}
	text, err := info.MarshalJSON()
	if err != nil {
		t.Fatal(err)
	}
	var parsed struct {
		Info map[string]map[string]string `json:"info"`
	}
	if err := json.Unmarshal(text, &parsed); err != nil {
		t.Fatal(err)
	}
	want := map[string]map[string]string{"0409": {"CompanyName": v.CompanyName, "FileDescription": v.FileDescription, "FileVersion": v.FileVersion, "InternalName": v.InternalName,
		"OriginalFilename": v.OriginalFilename, "ProductName": v.ProductName, "ProductVersion": v.ProductVersion}}
	if diff := cmp.Diff(want, parsed.Info); diff != "" {
		t.Error(diff)
	}
}

func TestVersionsOfOthersAreRead(t *testing.T) {
	var info winversion.Info
	info.FileVersion, info.ProductVersion = [4]uint16{4, 3, 2, 1}, [4]uint16{8, 7, 6, 5}
	for name, text := range map[string]string{"ProductName": "Talesmith Player", "Comments": "not looked at", "LegalCopyright": "© 2024"} {
		if err := info.Set(0x0407, name, text); err != nil {
			t.Fatal(err)
		}
	}
	exe := petest.Image{Wide: true, Sections: petest.Usual(), Resources: []petest.Resource{{Type: 16, ID: 1, Language: 0x0407, Data: info.Bytes()}}}.Build()
	got, err := open(t, exe).VersionInfo()
	want := pe.VersionInfo{FileNumber: info.FileVersion, ProductNumber: info.ProductVersion, ProductName: "Talesmith Player", LegalCopyright: "© 2024"}
	if err != nil || *got != want {
		t.Errorf("got %+v, %v", got, err)
	}
}

// versionData gives version information as it is written.
func versionData(t testing.TB, v *pe.VersionInfo) []byte {
	t.Helper()
	out, _ := brand(t, petest.Image{Wide: true, Sections: petest.Usual()}.Build(), pe.Branding{Version: v})
	f := open(t, out)
	all, err := f.Resources()
	if err != nil {
		t.Fatal(err)
	}
	data, err := f.ReadResource(all[0])
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func withVersion(data []byte) []byte {
	return petest.Image{Wide: true, Sections: petest.Usual()[3:4], Resources: []petest.Resource{{Type: 16, ID: 1, Data: data}}}.Build()
}

func versionFaults(t testing.TB) map[string]struct {
	data []byte
	says string
} {
	good := versionData(t, &pe.VersionInfo{ProductName: "Game"})
	change := func(at int, v uint16) []byte {
		b := bytes.Clone(good)
		binary.LittleEndian.PutUint16(b[at:], v)
		return b
	}
	texts := bytes.Index(good, []byte("S\x00t\x00r\x00i\x00n\x00g\x00F")) - 6
	return map[string]struct {
		data []byte
		says string
	}{
		"empty":                   {[]byte{}, "version information at byte"},
		"length-beyond-the-end":   {change(0, 60000), "version information: length at byte"},
		"length-0":                {change(0, 0), "version information: length"},
		"another-name":            {change(6, 'X'), `"XS_VERSION_INFO" with a value of 52 bytes`},
		"no-value":                {change(2, 0), "version information: length at byte"},
		"another-signature":       {change(40, 0), "expected VS_VERSION_INFO with 52 bytes that begin with 0xFEEF04BD"},
		"texts-of-length-2":       {change(texts, 2), "version information: length"},
		"texts-beyond-the-end":    {change(texts, 50000), "version information: length"},
		"name-without-an-end":     {append([]byte{12, 0, 0, 0, 0, 0}, "V\x00S\x00_\x00"...), "version information"},
		"value-longer-than-there": {change(2, 60000), ""},
		"no-texts":                {change(texts, 0), ""},
	}
}

func TestDamagedVersions(t *testing.T) {
	for name, c := range versionFaults(t) {
		_, err := open(t, withVersion(c.data)).VersionInfo()
		if c.says == "" && err != nil || c.says != "" && (!errors.Is(err, formats.ErrDamaged) || !strings.Contains(err.Error(), c.says)) {
			t.Errorf("%s: got %v, want %q", name, err, c.says)
		}
		// It is replaced all the same.
		brand(t, withVersion(c.data), brandings["version"])
	}
}
