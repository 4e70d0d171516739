package iso9660_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"talebinder/formats/disctest"
	"talebinder/formats/iso9660"
)

// seedImages gives the images that fuzzing starts with: every defect of the tests and every feature of volumes.
func seedImages() map[string][]byte {
	seeds := map[string][]byte{
		"plain":      disctest.ISO{Files: files()}.Build().Data,
		"joliet":     disctest.ISO{Joliet: true, Files: files()}.Build().Data,
		"rock ridge": disctest.ISO{RockRidge: true, Files: files()}.Build().Data,
		"el torito":  disctest.ISO{ElTorito: true, Joliet: true, Files: files()}.Build().Data,
		"run-out":    disctest.ISO{Files: files(), RunOut: 2}.Build().Data,
	}
	for _, d := range damages() {
		seeds[d.name] = d.do(d.iso.Build())
	}
	return seeds
}

// FuzzVolume opens anything as a volume; the system area, which is not looked at, is left out of the input. Whatever the
// bytes are, reading and planning end with a result or an error of the three kinds, and what is written is a volume with the
// same files.
func FuzzVolume(f *testing.F) {
	seeds := seedImages()
	for _, name := range slices.Sorted(maps.Keys(seeds)) {
		if data := seeds[name]; len(data) > 16*iso9660.SectorSize {
			f.Add(data[16*iso9660.SectorSize:])
		}
	}
	f.Add([]byte{})
	f.Fuzz(func(t *testing.T, data []byte) {
		image := append(make([]byte, 16*iso9660.SectorSize), data...)
		v, err := iso9660.NewVolume(bytes.NewReader(image), int64(len(image)), 0)
		if err != nil {
			checkRefusal(t, err)
			return
		}
		if _, err := v.RockRidge(t.Context()); err != nil {
			checkRefusal(t, err)
		}
		if _, err := v.ReadSystemCNF(t.Context()); err != nil {
			checkRefusal(t, err)
		}
		if err := v.Verify(t.Context()); err != nil {
			checkRefusal(t, err)
		}
		all, err := v.ReadTree(t.Context())
		if err != nil {
			checkRefusal(t, err)
			return
		}
		for n := range all.All() {
			if n.Dir {
				continue
			}
			r, err := v.Open(n)
			if err != nil {
				checkRefusal(t, err)
				continue
			}
			if got, err := io.Copy(io.Discard, io.LimitReader(r, 1<<16)); err != nil || got != min(n.Size, 1<<16) {
				t.Errorf("%s: %d bytes, %v", n.Path(), got, err)
			}
		}
		plan, err := iso9660.NewPlan(t.Context(), v, all, replacement())
		if err != nil {
			checkRefusal(t, err)
			return
		}
		if plan.TrackSectors > 2000 { // a few records can name one extent again and again
			return
		}
		var out bytes.Buffer
		if err := plan.WriteImage(t.Context(), &out); err != nil {
			t.Fatal(err)
		}
		after := open(t, out.Bytes())
		if err := after.Verify(t.Context()); err != nil {
			t.Fatal(err)
		}
		now := tree(t, after)
		for _, p := range plan.Kept {
			n := now.Find(p.DiscPath)
			if n == nil || n.Dir != p.Dir || n.Date != p.Node.Date || !p.Dir && n.Size != p.Size {
				t.Fatalf("%+v became %+v", p, n)
			}
			if p.Dir {
				continue
			}
			a, _ := v.Open(p.Node)
			b, err := after.Open(n)
			if err != nil {
				t.Fatal(err)
			}
			x, _ := io.ReadAll(a)
			y, _ := io.ReadAll(b)
			if !bytes.Equal(x, y) {
				t.Fatalf("%s has another content", p.Path)
			}
		}
	})
}

// FuzzNames puts files and directories of any names on a disc: all are told apart, in characters that the disc has.
func FuzzNames(f *testing.F) {
	f.Add("a.txt\nA.TXT\nb/")
	f.Add("a b.txt\na-b.txt\na_b.txt\na+b.txt")
	f.Add("dir.with.dots/\ndir_with_dots/\nDir With Dots/")
	f.Add("noext\nnoext.\n.hidden\nx.extension-longer-than-ten\ntwo.dots.bin")
	f.Add("🐰.bin\n日本語.bin\ncafé.txt\ncafè.txt\n\xFF\xFE.x")
	f.Add(strings.Repeat("x", 108) + "\n" + strings.Repeat("x", 109))
	f.Add("semi;colon.txt\nsemi;1\n;1")
	f.Add(strings.Repeat("0123456789\n", 3))
	empty := disctest.ISO{}.Build().Data
	f.Fuzz(func(t *testing.T, list string) {
		r := iso9660.Replacement{Name: "Content", Location: time.UTC}
		for i, name := range strings.Split(list, "\n") {
			if i == 300 {
				break
			}
			dir := strings.HasSuffix(name, "/")
			r.Sources = append(r.Sources, disctest.Source(strings.TrimSuffix(name, "/"), fmt.Append(nil, i), summer, dir))
		}
		got, plan, err := swap(t, empty, r)
		if err != nil {
			var names *iso9660.NameError
			if !errors.As(err, &names) {
				checkRefusal(t, err)
			}
			return
		}
		v := open(t, got)
		if err := v.Verify(t.Context()); err != nil {
			t.Fatal(err)
		}
		for _, p := range plan.New {
			id := strings.TrimSuffix(p.Identifier, ";1")
			if strings.Trim(id, "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.") != "" || strings.Count(id, ".") > 1 || p.Dir && strings.Contains(id, ".") || len(p.Identifier) > 31 {
				t.Errorf("%q is spelled %q", p.Path, p.Identifier)
			}
		}
		all := tree(t, v)
		for _, p := range plan.New {
			if n := all.Find(p.DiscPath); n == nil || n.Path() != p.DiscPath || n.Dir != p.Dir {
				t.Errorf("%q is not found as %q: %+v", p.Path, p.DiscPath, n)
			}
		}
		if all.Files+all.Dirs != len(plan.New) {
			t.Errorf("%d files and %d directories of %d", all.Files, all.Dirs, len(plan.New))
		}
	})
}
