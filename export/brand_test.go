package export

import (
	"bytes"
	"encoding/binary"
	"errors"
	"image"
	"image/color"
	"image/png"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"talebinder/export/players"
	"talebinder/formats/icns"
	"talebinder/formats/ico"
	"talebinder/formats/netbundle"
	"talebinder/formats/pe"
	"talebinder/formats/plist"
	"talebinder/platforms"
)

// picture is a PNG of this size.
func picture(tb testing.TB, width, height int) string {
	tb.Helper()
	m := image.NewNRGBA(image.Rect(0, 0, width, height))
	for y := range height {
		for x := range width {
			m.SetNRGBA(x, y, color.NRGBA{uint8(x * 3), uint8(y * 5), 128, 255})
		}
	}
	var b bytes.Buffer
	if err := png.Encode(&b, m); err != nil {
		tb.Fatal(err)
	}
	return b.String()
}

// A tinyProgram is a program for Windows with a few sections, made by hand.
type tinyProgram struct {
	machine  uint16
	sections []string // names; each has 512 bytes
	padding  int      // more bytes in the first section
}

func (p tinyProgram) bytes() []byte {
	const peOffset, optionalSize, section = 0x80, 240, 0x200
	le := binary.LittleEndian
	if p.machine == 0 {
		p.machine = uint16(pe.X64)
	}
	if len(p.sections) == 0 {
		p.sections = []string{".text", ".data"}
	}
	headers := 0x400
	b := make([]byte, headers)
	copy(b, "MZ")
	le.PutUint32(b[0x3c:], peOffset)
	copy(b[peOffset:], "PE\x00\x00")
	le.PutUint16(b[peOffset+4:], p.machine)
	le.PutUint16(b[peOffset+6:], uint16(len(p.sections)))
	le.PutUint16(b[peOffset+20:], optionalSize)
	le.PutUint16(b[peOffset+22:], 0x22) // an executable for large addresses
	o := b[peOffset+24:]
	le.PutUint16(o, 0x20b)
	le.PutUint32(o[16:], 0x1000) // entry point
	le.PutUint64(o[24:], 0x140000000)
	le.PutUint32(o[32:], 0x1000)
	le.PutUint32(o[36:], section)
	le.PutUint16(o[40:], 6)
	le.PutUint16(o[48:], 6)
	le.PutUint32(o[60:], uint32(headers))
	le.PutUint16(o[68:], uint16(pe.Console))
	le.PutUint32(o[108:], 16)
	address := uint32(0x1000)
	for i, name := range p.sections {
		size := section
		if i == 0 {
			size += (p.padding + section - 1) / section * section
		}
		h := o[optionalSize+40*i:]
		copy(h, name)
		le.PutUint32(h[8:], uint32(size-0x40)) // the rest is where a .NET host's marker fits
		le.PutUint32(h[12:], address)
		le.PutUint32(h[16:], uint32(size))
		le.PutUint32(h[20:], uint32(len(b)))
		le.PutUint32(h[36:], 0x60000020)
		address += uint32(size+0xfff) &^ 0xfff
		b = append(b, bytes.Repeat([]byte{byte(0x90 + i)}, size)...)
		o = b[peOffset+24:]
	}
	le.PutUint32(o[56:], address)
	return b
}

// sign appends a signature, which nobody looks into.
func sign(program []byte) []byte {
	le := binary.LittleEndian
	for len(program)%8 != 0 {
		program = append(program, 0)
	}
	signature := append(le.AppendUint32(nil, 24), 0, 2, 2, 0)
	signature = append(signature, "PKCS #7 content."...)
	directory := 0x80 + 24 + 112 + 8*4
	le.PutUint32(program[directory:], uint32(len(program)))
	le.PutUint32(program[directory+4:], uint32(len(signature)))
	return append(program, signature...)
}

// bundled makes a single-file .NET program of a host whose last bytes are free: files and the header behind it, and the marker
// in it.
func bundled(host []byte, files map[string]string) []byte {
	le := binary.LittleEndian
	host = slices.Clone(host)
	marker := len(host) - 0x40
	copy(host[marker+8:], "\x8b\x12\x02\xb9\x6a\x61\x20\x38\x72\x7b\x93\x02\x14\xd7\xa0\x32\x13\xf5\xb9\xe6\xef\xae\x33\x18\xee\x3b\x2d\xce\x24\xb3\x6a\xae")
	b := host
	header := le.AppendUint32(nil, 6)
	header = le.AppendUint32(header, 0)
	header = le.AppendUint32(header, uint32(len(files)))
	header = append(header, 8)
	header = append(header, "bundleid"...)
	header = append(header, make([]byte, 40)...)
	names := make([]string, 0, len(files))
	for name := range files {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		for len(b)%4096 != 0 {
			b = append(b, 0)
		}
		header = le.AppendUint64(header, uint64(len(b)))
		header = le.AppendUint64(header, uint64(len(files[name])))
		header = le.AppendUint64(header, 0)
		header = append(header, 1, byte(len(name)))
		header = append(header, name...)
		b = append(b, files[name]...)
	}
	le.PutUint64(b[marker:], uint64(len(b)))
	return append(b, header...)
}

// openExecutable reads an executable of a build.
func openExecutable(tb testing.TB, file string) (*pe.File, []byte) {
	tb.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		tb.Fatal(err)
	}
	f, err := pe.NewFile(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		tb.Fatal(err)
	}
	return f, data
}

// buildWindows exports tidewater, with changes, with a player for Windows.
func buildWindows(t *testing.T, player []byte, changes tree, o BuildOptions) (*Report, *recorder, error) {
	t.Helper()
	all := tree{"assets/sprites/icon.png": picture(t, 64, 64)}
	for path, text := range changes {
		all[path] = text
	}
	dir := tidewater().with(all).write(t, t.TempDir())
	o.Target = "win-x64"
	if o.PlayersDir == "" && player != nil {
		o.PlayersDir = plant(t, t.TempDir(), target(t, "win-x64"), string(player))
	}
	return build(t, dir, o)
}

func TestBundlesOfWindowsPlayersStayWhole(t *testing.T) {
	random := rand.NewChaCha8([32]byte{3})
	large := make([]byte, 300_000)
	_, _ = random.Read(large)
	files := map[string]string{"Game.dll": string(large), "System.Runtime.dll": "MZ runtime", "app.deps.json": "{}", "empty.txt": ""}
	player := bundled(tinyProgram{}.bytes(), files)
	for name, program := range map[string][]byte{"plain": player, "signed": sign(slices.Clone(player))} {
		t.Run(name, func(t *testing.T) {
			report, out, err := buildWindows(t, program, nil, BuildOptions{})
			if err != nil {
				t.Fatal(err, out.lines)
			}
			f, data := openExecutable(t, report.Executable)
			offset, _ := f.Overlay()
			bundle, found, err := netbundle.FindInHost(bytes.NewReader(data), int64(len(data)), offset)
			if err != nil || !found {
				t.Fatal("the bundle is lost: ", err)
			}
			got := make(map[string]string)
			for _, e := range bundle.Entries {
				if e.Offset%4096 != 0 {
					t.Errorf("%s is at %d", e.Path, e.Offset)
				}
				got[e.Path] = string(data[e.Offset : e.Offset+e.Size])
			}
			if diff := cmp.Diff(files, got); diff != "" {
				t.Error(diff)
			}
			icons, err := f.Icons()
			if err != nil || len(icons) != len(ico.Sizes()) || f.Subsystem() != pe.Windowed {
				t.Errorf("%d icons, %v, %v", len(icons), f.Subsystem(), err)
			}
			if right, err := f.VerifyChecksum(t.Context()); err != nil || !right {
				t.Error("the checksum is wrong: ", err)
			}
			warnings := strings.Join(out.messages(Warning), "\n")
			if signed := name == "signed"; f.Signed() || signed != strings.Contains(warnings, "signature") {
				t.Errorf("signed: %v, warnings: %s", f.Signed(), warnings)
			}
			var player int64
			for _, c := range report.Categories {
				if c.Name == CategoryPlayer {
					player = c.Size
				}
			}
			if want := int64(len(data) + len("library") + len("all rights")); player != want {
				t.Errorf("the report counts %d bytes of the player, want %d", player, want)
			}
		})
	}
}

func TestWindowsPlayersThatAreRightAlready(t *testing.T) {
	first, out, err := buildWindows(t, bundled(tinyProgram{}.bytes(), map[string]string{"a.dll": "a"}), nil, BuildOptions{})
	if err != nil {
		t.Fatal(err, out.lines)
	}
	_, done := openExecutable(t, first.Executable)

	t.Run("branded by an export", func(t *testing.T) {
		report, out, err := buildWindows(t, sign(slices.Clone(done)), nil, BuildOptions{})
		if err != nil {
			t.Fatal(err, out.lines)
		}
		if f, data := openExecutable(t, report.Executable); !f.Signed() || !bytes.Equal(data, sign(slices.Clone(done))) {
			t.Error("the executable was changed")
		}
	})
	t.Run("branded by the engine", func(t *testing.T) {
		cache := t.TempDir()
		t.Setenv("TALESMITH_CACHE", cache)
		engines := *branded(t, done, &pe.VersionInfo{FileDescription: "made by the engine", CompanyName: "Harbour"})
		win := target(t, "win-x64")
		icon := picture(t, 64, 64)
		for _, brand := range []string{players.Brand("Tide: Water", "1.2.0", []byte(icon)), "0123456789ab"} {
			key := win.PlayerKey(platforms.Development)
			tree{key + "-" + brand + "-fingerprint/" + win.PlayerFile: string(engines), key + "-" + brand + "-fingerprint/.complete": "2026-01-01T00:00:00Z"}.write(t, filepath.Join(cache, "players"))
		}
		for version, want := range map[string]string{"1.2.0": "made by the engine", "1.3.0": "Tide: Water"} {
			change := tree{"build.json": strings.Replace(tidewater()["build.json"], "1.2.0", version, 1)}
			report, out, err := buildWindows(t, nil, change, BuildOptions{Profile: profile(platforms.Development)})
			if err != nil {
				t.Fatal(err, out.lines)
			}
			f, _ := openExecutable(t, report.Executable)
			v, err := f.VersionInfo()
			if err != nil || v.FileDescription != want || v.CompanyName != "Harbour" || f.Subsystem() != pe.Console {
				t.Errorf("version %s: %+v, %v, %v", version, v, f.Subsystem(), err)
			}
		}
	})
}

// branded gives a program with this version information.
func branded(t *testing.T, program []byte, v *pe.VersionInfo) *[]byte {
	t.Helper()
	file, err := os.Create(filepath.Join(t.TempDir(), "branded.exe"))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	if _, err := pe.Brand(t.Context(), file, bytes.NewReader(program), int64(len(program)), pe.Branding{Version: v}); err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(file.Name())
	if err != nil {
		t.Fatal(err)
	}
	return &data
}

func TestWindowsPlayersThatCannotBeUsed(t *testing.T) {
	damaged := bundled(tinyProgram{}.bytes(), map[string]string{"a.dll": "a"})
	damaged = damaged[:len(damaged)-3]
	cut := tinyProgram{}.bytes()
	for name, c := range map[string]struct {
		player []byte
		step   string
		want   []string
	}{
		"a program for Linux": {[]byte("\x7fELF and more"), "Checking the project", []string{"talesmith-player.exe", "Publish the player again"}},
		"a text":              {[]byte("#!/bin/sh\n"), "Checking the project", []string{"talesmith-player.exe", "Publish the player again"}},
		"cut off":             {cut[:len(cut)-100], "Checking the project", []string{"talesmith-player.exe", "section"}},
		"for ARM64":           {tinyProgram{machine: uint16(pe.ARM64)}.bytes(), "Checking the project", []string{"made for ARM64", "x64"}},
		"packed":              {tinyProgram{sections: []string{"UPX0", "UPX1"}}.bytes(), "Assembling the build", []string{"UPX", "upx -d"}},
		"a damaged bundle":    {damaged, "Assembling the build", []string{"bundle"}},
		"no room":             {tinyProgram{sections: slices.Repeat([]string{".s"}, 15)}.bytes(), "Assembling the build", []string{"section"}},
	} {
		t.Run(name, func(t *testing.T) {
			output := t.TempDir()
			tree{"Tide Water-win-x64/Tide Water.exe": "the previous build"}.write(t, output)
			report, out, err := buildWindows(t, c.player, nil, BuildOptions{Output: output})
			if !errors.Is(err, ErrFailed) || report.Errors[0].Step != c.step {
				t.Fatalf("%v, %v", err, out.lines)
			}
			first := report.Errors[0]
			for _, part := range append(c.want, "Publish the player again") {
				if !strings.Contains(first.String(), part) {
					t.Errorf("the error does not say %q: %s", part, first)
				}
			}
			if filepath.Base(first.File) != "talesmith-player.exe" {
				t.Errorf("the error is about %q", first.File)
			}
			if files := readTree(t, output); files["Tide Water-win-x64/Tide Water.exe"] != "the previous build" {
				t.Error("the previous build was touched")
			}
		})
	}
}

func TestIconsThatAreNotRight(t *testing.T) {
	playersDir := plant(t, t.TempDir(), target(t, "win-x64"), string(tinyProgram{}.bytes()))
	plant(t, playersDir, target(t, "osx-x64"), "no program")
	plant(t, playersDir, target(t, "linux-x64"), "#!/bin/sh\n")
	huge := []byte(picture(t, 16, 16))
	binary.BigEndian.PutUint32(huge[16:], 5000)
	for name, c := range map[string]struct {
		icon, want string
		usable     bool
	}{
		"not square":    {picture(t, 40, 30), "40x30 pixels and is not square", true},
		"a JPEG":        {"\xff\xd8\xff\xe0 picture", "a JPEG file", false},
		"cut off":       {picture(t, 64, 64)[:100], "complete picture", false},
		"empty":         {"", "an empty file", false},
		"too large":     {string(huge), "5000", false},
		"nothing wrong": {picture(t, 30, 30), "", true},
	} {
		for _, id := range []string{"win-x64", "osx-x64", "linux-x64"} {
			t.Run(name+" "+id, func(t *testing.T) {
				dir := tidewater().with(tree{"assets/sprites/icon.png": c.icon}).write(t, t.TempDir())
				report, out, err := build(t, dir, BuildOptions{Target: id, PlayersDir: playersDir})
				if err != nil {
					t.Fatal(err, out.lines)
				}
				var about []string
				for _, e := range report.Warnings {
					if e.File == "build.json" {
						about = append(about, e.Message)
					}
				}
				said := strings.Join(about, "\n")
				if linux := id == "linux-x64"; c.want == "" || linux && c.usable {
					if said != "" {
						t.Errorf("warnings: %s", said)
					}
				} else if !strings.Contains(said, c.want) || !strings.Contains(said, "sprites/icon.png") {
					t.Errorf("no warning says %q: %q", c.want, said)
				}
				files := readTree(t, report.OutputDirectory)
				switch id {
				case "win-x64":
					f, _ := openExecutable(t, report.Executable)
					if icons, err := f.Icons(); err != nil || (len(icons) > 0) != c.usable {
						t.Errorf("%d icons, %v", len(icons), err)
					}
				case "osx-x64":
					data, ok := files["Tide Water.app/Contents/Resources/Tide Water.icns"]
					info, err := plist.Read([]byte(files["Tide Water.app/Contents/Info.plist"]))
					if err != nil || ok != c.usable || (info.Get("CFBundleIconFile") != nil) != c.usable {
						t.Errorf("icon %v, %v, %v", ok, info, err)
					}
					if entries, err := icns.Read([]byte(data)); ok && (err != nil || len(entries) != len(icns.Sizes())) {
						t.Errorf("%d images, %v", len(entries), err)
					}
				case "linux-x64":
					if files["Tide Water.png"] != c.icon {
						t.Error("the icon's bytes were changed")
					}
				}
			})
		}
	}
}
