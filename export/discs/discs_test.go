package discs

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"talebinder/export"
	"talebinder/formats/disctest"
	"talebinder/formats/n64rom"
)

func TestMain(m *testing.M) {
	if arguments := os.Getenv(swapInstead); arguments != "" {
		os.Exit(swapForever(arguments))
	}
	os.Exit(m.Run())
}

// small is a small PlayStation 2 disc.
func small() []byte {
	return disctest.ISO{Joliet: true, Files: []disctest.File{
		{Path: "Content", Dir: true},
		{Path: "Content/old.txt", Content: []byte("old")},
		{Path: "Content/same.txt", Content: []byte("same")},
		{Path: "Content/edited.txt", Content: []byte("before")},
		{Path: "SYSTEM.CNF", Content: []byte("BOOT2 = cdrom0:\\TIDE.ELF;1\r\nVER = 1.02\r\nVMODE = PAL\r\n")},
		{Path: "TIDE.ELF", Content: bytes.Repeat([]byte("code "), 2000)},
	}}.Build().Data
}

// write makes files below a folder. Paths that end with a slash are folders.
func write(t testing.TB, folder string, files map[string]string) string {
	t.Helper()
	for path, text := range files {
		name := filepath.Join(folder, filepath.FromSlash(path))
		dir := filepath.Dir(name)
		if strings.HasSuffix(path, "/") {
			dir = name
		}
		err := os.MkdirAll(dir, 0o777)
		if err == nil && dir != name {
			err = os.WriteFile(name, []byte(text), 0o666)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	return folder
}

// smallSwap puts the small disc and a content folder into a folder of their own.
func smallSwap(t testing.TB) (folder, image, content string) {
	folder = t.TempDir()
	write(t, folder, map[string]string{"tide.iso": string(small()), "tree/same.txt": "same", "tree/edited.txt": "after!", "tree/new/more.txt": "more", "tree/empty": ""})
	return folder, filepath.Join(folder, "tide.iso"), filepath.Join(folder, "tree")
}

func TestPlan(t *testing.T) {
	folder, image, content := smallSwap(t)
	s, err := NewSwap(SwapOptions{Image: image, Content: content})
	if err != nil {
		t.Fatal(err)
	}
	var last, total int64
	plan, err := s.Plan(t.Context(), func(done, all int64, _ string) { last, total = max(last, done), all })
	if err != nil {
		t.Fatal(err)
	}
	if last == 0 || last != total {
		t.Errorf("the progress ended at %d of %d", last, total)
	}
	var got []string
	for _, c := range plan.Changes {
		got = append(got, fmt.Sprintf("%s %s %d %d", c.Kind, c.Path, c.Before, c.After))
	}
	want := []string{
		"changed Content/edited.txt 6 6", "added Content/empty -1 0", "added Content/new -1 -1", "added Content/new/more.txt -1 4",
		"removed Content/old.txt 3 -1", "unchanged Content/same.txt 4 4",
	}
	if !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	if plan.ContentBefore != 13 || plan.ContentSize != 14 || plan.Medium.Name == "" || plan.Free != plan.Medium.Size-plan.Size {
		t.Errorf("%+v", plan)
	}
	var kept []string
	for _, k := range plan.Kept {
		kept = append(kept, k.Path)
	}
	if want := []string{"SYSTEM.CNF", "TIDE.ELF", "system area"}; !slices.Equal(kept, want) {
		t.Errorf("kept %q, want %q", kept, want)
	}
	if !bytes.Equal(read(t, image), small()) || len(names(t, folder)) != 2 {
		t.Error("planning changed something")
	}
}

func TestIdentity(t *testing.T) {
	_, image, _ := smallSwap(t)
	id, err := Identify(t.Context(), image)
	if err != nil {
		t.Fatal(err)
	}
	if id.Console != "PlayStation 2" || id.System == nil || id.System.Executable != "TIDE.ELF" || id.Refusal != nil || !id.Volume.Joliet || len(id.Tracks) != 1 {
		t.Errorf("%+v", id)
	}
	if facts := id.Facts(); facts[0].Value != "Plain volume (.iso)" || facts[len(facts)-1].Name != "Swapping" {
		t.Error(facts)
	}
}

// What is wrong with a content folder or a target is said, and nothing is changed.
func TestRefusals(t *testing.T) {
	link := func(target, name string) func(t *testing.T, folder string) {
		return func(t *testing.T, folder string) {
			if err := os.Symlink(target, filepath.Join(folder, filepath.FromSlash(name))); err != nil {
				t.Skip(err)
			}
		}
	}
	for name, c := range map[string]struct {
		break_  func(t *testing.T, folder string)
		target  string
		content string
		want    string
	}{
		"a link to nothing":         {break_: link("nothing", "tree/broken"), want: "leads to nothing"},
		"a link to a folder above":  {break_: link("..", "tree/new/up"), want: "leads to a folder above it"},
		"a file as content":         {content: "tide.iso", want: "it is a file"},
		"no content":                {content: "none", want: "it does not exist"},
		"the image in the content":  {content: ".", want: "written into the content folder"},
		"the target in the content": {target: "tree/new/out.iso", want: "written into the content folder"},
		"a link to the image":       {break_: link("../tide.iso", "tree/disc"), want: "the image itself is in the content folder"},
		"a target without a folder": {target: "none/out.iso", want: "does not exist"},
		"a folder as target":        {target: "tree", want: "it is a folder"},
		"names that differ in case": {break_: func(t *testing.T, folder string) { write(t, folder, map[string]string{"tree/SAME.txt": ""}) }, want: "differ only in the case"},
		"a name too long for Joliet": {break_: func(t *testing.T, folder string) {
			write(t, folder, map[string]string{"tree/" + strings.Repeat("n", 109): ""})
		}, want: "109"},
		"a file over 4 GB": {break_: func(t *testing.T, folder string) {
			path := filepath.Join(folder, "tree", "large")
			write(t, folder, map[string]string{"tree/large": ""})
			if err := os.Truncate(path, 1<<32); err != nil {
				t.Skip(err)
			}
		}, want: "4294967296"},
		"a read-only image": {break_: func(t *testing.T, folder string) {
			if err := os.Chmod(filepath.Join(folder, "tide.iso"), 0o444); err != nil {
				t.Fatal(err)
			}
		}, want: "read-only"},
		"a folder where the new image is written": {break_: func(t *testing.T, folder string) { write(t, folder, map[string]string{"tide.iso.tmp/": ""}) }, want: "not an ordinary file"},
	} {
		t.Run(name, func(t *testing.T) {
			folder, image, content := smallSwap(t)
			if c.break_ != nil {
				c.break_(t, folder)
			}
			if c.content != "" {
				content = filepath.Join(folder, c.content)
			}
			target := ""
			if c.target != "" {
				target = filepath.Join(folder, filepath.FromSlash(c.target))
			}
			listed := names(t, folder)
			_, out, err := swap(t, image, target, content)
			messages := out.messages(export.Error)
			if !errors.Is(err, export.ErrFailed) || len(messages) != 2 || !strings.Contains(messages[0], c.want) {
				t.Errorf("%v, %q, want %q", err, messages, c.want)
			}
			if !bytes.Equal(read(t, image), small()) || !slices.Equal(names(t, folder), listed) {
				t.Errorf("something was changed: %v", names(t, folder))
			}
		})
	}
}

// stopper calls f when a step begins.
type stopper struct {
	*recorder
	step string
	f    func()
}

func (s *stopper) Step(index, count int, title string) {
	s.recorder.Step(index, count, title)
	if title == s.step {
		s.f()
	}
}

// What changes while a swap is at work is noticed, and so is a new image that is not what was written.
func TestChangesMeanwhile(t *testing.T) {
	for name, c := range map[string]struct {
		step   string
		change func(t *testing.T, image, content string)
		want   string
	}{
		"the image":      {"Writing the new image", func(t *testing.T, image, _ string) { poke(t, image, 0, 'x') }, "was changed while it was read"},
		"the image late": {"Verifying the new image", func(t *testing.T, image, _ string) { poke(t, image, 0, 'x') }, "was changed while it was read"},
		"a file": {"Writing the new image", func(t *testing.T, _, content string) {
			write(t, content, map[string]string{"same.txt": "longer than it was"})
		}, "was changed while it was read"},
		"the new image":     {"Verifying the new image", func(t *testing.T, image, _ string) { poke(t, image+".tmp", 100, 'x') }, "byte 100 is 78, expected 00"},
		"the new content":   {"Verifying the new image", func(t *testing.T, image, _ string) { pokeText(t, image+".tmp", "after!") }, "sha256"},
		"the new cut short": {"Verifying the new image", func(t *testing.T, image, _ string) { cut(t, image+".tmp") }, "bytes, expected"},
	} {
		t.Run(name, func(t *testing.T) {
			folder, image, content := smallSwap(t)
			old := time.Now().Add(-time.Hour)
			for _, path := range []string{image, filepath.Join(content, "same.txt")} {
				if err := os.Chtimes(path, old, old); err != nil {
					t.Fatal(err)
				}
			}
			s, err := NewSwap(SwapOptions{Image: image, Content: content})
			if err != nil {
				t.Fatal(err)
			}
			out := &stopper{newRecorder(), c.step, func() { c.change(t, image, content) }}
			_, err = s.Run(t.Context(), out)
			messages := out.messages(export.Error)
			if !errors.Is(err, export.ErrFailed) || len(messages) == 0 || !strings.Contains(messages[0], c.want) {
				t.Errorf("%v, %q, want %q", err, messages, c.want)
			}
			if left := names(t, folder); len(left) != 2 {
				t.Errorf("left behind: %v", left)
			}
		})
	}
}

func poke(t *testing.T, path string, at int, b byte) {
	t.Helper()
	data := read(t, path)
	data[at] = b
	if err := os.WriteFile(path, data, 0o666); err != nil {
		t.Fatal(err)
	}
}

func pokeText(t *testing.T, path, text string) {
	t.Helper()
	poke(t, path, bytes.Index(read(t, path), []byte(text)), 'X')
}

func cut(t *testing.T, path string) {
	t.Helper()
	if err := os.Truncate(path, 40960); err != nil {
		t.Fatal(err)
	}
}

func TestCancelledSwapsLeaveNothing(t *testing.T) {
	for _, step := range []string{"Reading the content", "Writing the new image", "Verifying the new image", "Putting the image in its place"} {
		folder, image, content := smallSwap(t)
		ctx, cancel := context.WithCancel(t.Context())
		s, err := NewSwap(SwapOptions{Image: image, Content: content})
		if err != nil {
			t.Fatal(err)
		}
		report, err := s.Run(ctx, &stopper{newRecorder(), step, cancel})
		cancel()
		if step == "Putting the image in its place" && err == nil {
			continue // too late to be cancelled
		}
		if !errors.Is(err, context.Canceled) || !report.Cancelled {
			t.Errorf("%s: %v, %+v", step, err, report)
		}
		if !bytes.Equal(read(t, image), small()) || len(names(t, folder)) != 2 {
			t.Errorf("%s: something was changed: %v", step, names(t, folder))
		}
	}
}

// The same file under another name is in place: through a link, which stays one, and as a hard link, which stays one.
func TestOtherNamesOfTheImage(t *testing.T) {
	for name, make := range map[string]func(old, new string) error{"symbolic": os.Symlink, "hard": os.Link} {
		t.Run(name, func(t *testing.T) {
			folder, image, content := smallSwap(t)
			alias := filepath.Join(folder, "alias.iso")
			if err := make(image, alias); err != nil {
				t.Skip(err)
			}
			if _, out, err := swap(t, image, alias, content); err != nil {
				t.Fatal(out.messages(export.Error))
			}
			if bytes.Equal(read(t, image), small()) || !bytes.Equal(read(t, image), read(t, alias)) {
				t.Error("the two are not the same new image")
			}
			a, _ := os.Stat(image)
			b, _ := os.Stat(alias)
			if !os.SameFile(a, b) || len(names(t, folder)) != 3 {
				t.Errorf("they are two files now: %v", names(t, folder))
			}
		})
	}
}

func TestBackups(t *testing.T) {
	folder, image, content := smallSwap(t)
	for n, want := range []string{"tide.iso.bak", "tide.iso.2.bak"} {
		before := read(t, image)
		s, err := NewSwap(SwapOptions{Image: image, Content: content, Backup: true})
		if err != nil {
			t.Fatal(err)
		}
		write(t, content, map[string]string{"n": fmt.Sprint(n)})
		if _, err := s.Run(t.Context(), export.Discard()); err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(read(t, filepath.Join(folder, want)), before) {
			t.Errorf("%s is not the old image", want)
		}
	}
}

func TestExtract(t *testing.T) {
	folder, image, _ := smallSwap(t)
	im, err := Open(t.Context(), image)
	if err != nil {
		t.Fatal(err)
	}
	defer im.Close()
	out := filepath.Join(folder, "out")
	totals, err := Extract(t.Context(), im, out, []string{"content/", "/SYSTEM.CNF"}, nil)
	if err != nil || totals.Files != 4 {
		t.Fatal(totals, err)
	}
	if got := string(read(t, filepath.Join(out, "Content", "edited.txt"))); got != "before" {
		t.Errorf("%q", got)
	}
	for _, path := range []string{"SYSTEM.CNF", "nothing"} {
		if _, err := Extract(t.Context(), im, out, []string{path}, nil); err == nil {
			t.Errorf("%s was extracted", path)
		}
	}
	// A link below the folder does not lead out of it.
	other := t.TempDir()
	trap := write(t, t.TempDir(), map[string]string{"x": ""})
	if err := os.Symlink(other, filepath.Join(trap, "Content")); err == nil {
		if _, err := Extract(t.Context(), im, trap, nil, nil); err == nil || len(names(t, other)) > 0 {
			t.Errorf("a link was followed: %v, %v", err, names(t, other))
		}
	}
	for _, name := range []string{"../x", "..", "a/../../x", "/x", "a//b", "a\\..\\b", "a\x00", "\xff"} {
		if target, err := safeTarget(out, name); err == nil {
			t.Errorf("%q leads to %q", name, target)
		}
	}
	evil := disctest.ISO{Files: []disctest.File{{Path: "..", Dir: true}, {Path: "../evil.txt", Content: []byte("x")}}}.Build().Data
	path := filepath.Join(folder, "evil.iso")
	if err := os.WriteFile(path, evil, 0o666); err != nil {
		t.Fatal(err)
	}
	bad, err := Open(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	defer bad.Close()
	if _, err := Extract(t.Context(), bad, filepath.Join(folder, "deep", "er"), nil, nil); err == nil {
		t.Error("a path that leaves the folder was extracted")
	}
	if _, err := os.Stat(filepath.Join(folder, "deep")); err == nil {
		t.Error("a folder was made for it")
	}
}

func TestCompare(t *testing.T) {
	folder, image, content := smallSwap(t)
	target := filepath.Join(folder, "out.iso")
	if _, out, err := swap(t, image, target, content); err != nil {
		t.Fatal(out.messages(export.Error))
	}
	a, err := Open(t.Context(), image)
	if err != nil {
		t.Fatal(err)
	}
	defer a.Close()
	b, err := Open(t.Context(), target)
	if err != nil {
		t.Fatal(err)
	}
	defer b.Close()
	c, err := Compare(t.Context(), a, b, nil)
	if err != nil {
		t.Fatal(err)
	}
	paths := func(list []Difference) string {
		var names []string
		for _, d := range list {
			names = append(names, d.Path)
		}
		return strings.Join(names, " ")
	}
	if paths(c.Added) != "Content/empty Content/new/more.txt" || paths(c.Removed) != "Content/old.txt" || paths(c.Changed) != "Content/edited.txt" || c.Same != 4 {
		t.Errorf("%+v", c)
	}
	if c, err := Compare(t.Context(), b, b, nil); err != nil || !c.Equal() {
		t.Errorf("an image and itself: %+v, %v", c, err)
	}
}

func TestConvert(t *testing.T) {
	straight := make([]byte, 8192)
	copy(straight, "\x80\x37\x12\x40")
	copy(straight[0x20:], "TIDE WATER")
	for _, order := range []n64rom.Order{n64rom.ByteSwapped, n64rom.LittleEndian} {
		folder := t.TempDir()
		image := filepath.Join(folder, "tide"+order.Extension())
		swapped := bytes.Clone(straight)
		n64rom.Reorder(swapped, order)
		if err := os.WriteFile(image, swapped, 0o666); err != nil {
			t.Fatal(err)
		}
		id, err := Identify(t.Context(), image)
		if err != nil || !id.Convertible() || id.Title != "TIDE WATER" || id.Refusal == nil || !strings.Contains(id.Refusal.Error(), "Convert it to .z64 first") {
			t.Errorf("%+v, %v", id, err)
		}
		job, err := NewConvert(image, "")
		if err != nil {
			t.Fatal(err)
		}
		report, err := job.Run(t.Context(), export.Discard())
		if err != nil {
			t.Fatal(err, report.Errors)
		}
		if got := read(t, filepath.Join(folder, "tide.z64")); !bytes.Equal(got, straight) || report.Sums[0].SHA256 != sum(got) {
			t.Errorf("%v: another image, %+v", order, report.Sums)
		}
		if left := names(t, folder); len(left) != 2 {
			t.Errorf("left behind: %v", left)
		}
		for path, want := range map[string]string{filepath.Join(folder, "tide.z64"): "already", image: "the image itself"} {
			job, err := NewConvert(path, path)
			if err != nil {
				t.Fatal(err)
			}
			if report, err := job.Run(t.Context(), export.Discard()); err == nil || !strings.Contains(report.Errors[0].Message, want) {
				t.Errorf("%s: %v", path, err)
			}
		}
		if err := os.WriteFile(image, swapped[:8191], 0o666); err != nil {
			t.Fatal(err)
		}
		job, _ = NewConvert(image, filepath.Join(folder, "x.z64"))
		if report, err := job.Run(t.Context(), export.Discard()); err == nil || !strings.Contains(report.Errors[0].Message, "cut off") {
			t.Errorf("an image that is cut off: %v", err)
		}
	}
}

// Programs of others read what is written: xorriso and isoinfo list as many files as there are, also in the data track that is
// cut out of a DiscJuggler image.
func TestOtherReaders(t *testing.T) {
	xorriso, errX := exec.LookPath("xorriso")
	isoinfo, errI := exec.LookPath("isoinfo")
	if errX != nil || errI != nil {
		t.Skip("xorriso or isoinfo is not here")
	}
	read := 0
	for _, c := range goldenCases(t) {
		if c.Expect == "refuse" || c.Kind == "z64" {
			continue
		}
		folder := t.TempDir()
		image, content, plain := c.image(t, folder), c.content(t, folder), filepath.Join(folder, "plain.iso")
		if _, out, err := swap(t, image, "", content); err != nil {
			t.Fatal(c.ID, out.messages(export.Error))
		}
		im, err := Open(t.Context(), image)
		if err != nil {
			t.Fatal(err)
		}
		listed, err := im.Files(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		// The sectors of 2048 bytes; in front of them as many zeros as the track has sectors of others ahead of it.
		sectors := make([]byte, int64(im.volume.Sectors)*2048)
		if _, err := im.track.ReadAt(sectors, 0); err != nil {
			t.Fatal(err)
		}
		ahead := make([]byte, int64(im.volume.Base)*2048)
		_ = im.Close()
		if len(ahead) > 0 { // the readers look for the descriptors at the beginning
			copy(ahead, sectors[:32*2048])
		}
		if err := os.WriteFile(plain, append(ahead, sectors...), 0o666); err != nil {
			t.Fatal(err)
		}
		out, err := exec.Command(isoinfo, "-f", "-J", "-i", plain).CombinedOutput()
		if n := bytes.Count(out, []byte("\n")); err != nil || n != len(listed) {
			t.Errorf("%s: isoinfo lists %d entries, there are %d: %v %.300s", c.ID, n, len(listed), err, out)
		}
		if out, err := exec.Command(isoinfo, "-l", "-i", plain).CombinedOutput(); err != nil {
			t.Errorf("%s: isoinfo -l: %v %.300s", c.ID, err, out)
		}
		out, err = exec.Command(xorriso, "-indev", "stdio:"+plain, "-find", "/").Output()
		if n := bytes.Count(out, []byte("\n")); err != nil || n != len(listed)+1 { // and the root
			t.Errorf("%s: xorriso finds %d entries, there are %d: %v %.300s", c.ID, n, len(listed), err, out)
		}
		read++
	}
	t.Logf("%d new images read by others", read)
}
