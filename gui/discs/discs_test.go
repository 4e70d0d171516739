package discs

import (
	"bytes"
	"context"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"fyne.io/fyne/v2/test"
	"github.com/google/go-cmp/cmp"

	"talebinder/export"
	"talebinder/export/discs"
	"talebinder/formats/disctest"
	"talebinder/formats/dragonfs"
	"talebinder/gui/ui"
	"talebinder/gui/ui/uitest"
)

// onDisc are the files of the discs of the tests.
func onDisc() []disctest.File {
	return []disctest.File{
		{Path: "1ST_READ.BIN", Content: bytes.Repeat([]byte("scrambled"), 3000)},
		{Path: "Content", Dir: true},
		{Path: "Content/Deep", Dir: true},
		{Path: "Content/Deep/reef.lev", Content: []byte("reef")},
		{Path: "Content/old.pak", Content: bytes.Repeat([]byte("old"), 5000)},
		{Path: "Content/same.txt", Content: []byte("the same")},
	}
}

func put(t testing.TB, name string, data []byte) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, data, 0o666); err != nil {
		t.Fatal(err)
	}
	return path
}

// cdiImage makes a Dreamcast disc whose data track stores sectors of a size.
func cdiImage(t testing.TB, size int) string {
	t.Helper()
	system := append([]byte("SEGA SEGAKATANA SEGA ENTERPRISES"), make([]byte, 256)...)
	copy(system[0x80:], "HARBOUR OF LAMPS")
	volume := disctest.ISO{Base: 11702, System: system, Joliet: true, RunOut: 2, Files: onDisc()}.Build().Data
	return put(t, "lamps.cdi", disctest.CDI{Version: 0x80000006, Tracks: []disctest.CDITrack{
		{Session: 1, Mode: 0, SectorSize: 2352, Pregap: 150, Sectors: make([]byte, 302*2352)},
		{Session: 2, Mode: 2, SectorSize: size, Pregap: 150, LBA: 11702, Sectors: disctest.Stored(volume, size, 2)},
	}}.Build().Data)
}

func isoImage(t testing.TB) string {
	t.Helper()
	files := append([]disctest.File{{Path: "SYSTEM.CNF", Content: []byte("BOOT2 = cdrom0:\\LAMPS.ELF;1\r\nVER = 1.00\r\nVMODE = PAL\r\n")}}, onDisc()...)
	return put(t, "lamps.iso", disctest.ISO{Joliet: true, Files: files}.Build().Data)
}

func romBytes(t testing.TB) []byte {
	t.Helper()
	var sources []dragonfs.Source
	for _, f := range onDisc()[1:] {
		sources = append(sources, dragonfs.Source{Path: f.Path, Dir: f.Dir, Size: int64(len(f.Content)), Open: func() (io.ReadCloser, error) {
			return io.NopCloser(bytes.NewReader(f.Content)), nil
		}})
	}
	layout, err := dragonfs.NewLayout(sources)
	if err != nil {
		t.Fatal(err)
	}
	var fs bytes.Buffer
	if err := layout.Write(t.Context(), &fs); err != nil {
		t.Fatal(err)
	}
	return disctest.ROM{Title: "Harbour of Lamps", Code: "NHLE", Executable: bytes.Repeat([]byte("code"), 9000), FileSystem: fs.Bytes()}.Build()
}

// folder makes a content folder: one file is the same as on the images, one is changed, one is new.
func folder(t testing.TB) string {
	t.Helper()
	root := t.TempDir()
	for name, text := range map[string]string{
		"Deep/reef.lev": "REEF", "same.txt": "the same", "new.pak": strings.Repeat("new", 6000),
	} {
		write(t, filepath.Join(root, name), text)
	}
	return root
}

func write(t testing.TB, path, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
}

func read(t testing.TB, path string) []byte {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// rig is the screen in a test window, without a project.
type rig struct {
	*screen
	host *uitest.Host
	work *ui.Workspace
}

func newRig(t testing.TB) *rig {
	t.Helper()
	for _, name := range []string{"XDG_DATA_HOME", "XDG_CONFIG_HOME", "XDG_CACHE_HOME", "TALEBINDER_CACHE"} {
		t.Setenv(name, t.TempDir())
	}
	h := uitest.New(t)
	w := ui.NewWorkspace(nil, export.NewQueue(1), h)
	h.SetWorkspace(w)
	s := newScreen(h)
	s.spawn = func(f func()) { f() }
	t.Cleanup(s.Close)
	h.Put(s)
	h.Drain()
	return &rig{s, h, w}
}

// drop drops files on the window and waits for what comes of it.
func (r *rig) drop(t testing.TB, paths ...string) {
	t.Helper()
	if !r.Drop(paths) {
		t.Fatalf("%q is not taken", paths)
	}
	r.host.Drain()
	for _, err := range r.host.Errors {
		t.Fatal(err)
	}
}

// finish waits for the jobs.
func (r *rig) finish() {
	r.work.Queue.Wait()
	r.work.Changed(ui.QueueChanged)
	r.host.Drain()
}

func lines(t *Tree) []string {
	var list []string
	for i := range t.Len() {
		n := t.Row(i)
		text := strings.Repeat("  ", n.Depth) + n.Name
		if n.Dir {
			text += "/"
		}
		if what, _ := n.What(); what != "" {
			text += " " + what
		}
		list = append(list, text)
	}
	return list
}

func TestNothingIsOpenAtFirst(t *testing.T) {
	r := newRig(t)
	if r.root.Objects[0] != r.landing.object {
		t.Error("the empty state is not shown")
	}
	image := isoImage(t)
	r.host.Answer = image
	r.chooseFile()
	r.host.Drain()
	if r.open == nil || r.root.Objects[0] != r.page {
		t.Fatal("the image is not shown")
	}
	if got := r.recent(rememberImages); !slices.Equal(got, []string{image}) {
		t.Errorf("remembered %q", got)
	}
	if got := r.open.summary(); !strings.Contains(got, " · PlayStation 2 · Plain volume (.iso) · ") {
		t.Error(got)
	}
}

func TestWhatIsTaken(t *testing.T) {
	r := newRig(t)
	for name, want := range map[string]bool{"a.cdi": true, "a.ISO": true, "a.z64": true, "a.V64": true, "a.n64": true, "a.gdi": false, "a.tspack": false} {
		if r.Takes(name) != want {
			t.Errorf("takes %s: %v", name, !want)
		}
	}
	dir := t.TempDir()
	if r.Drop([]string{dir}) {
		t.Error("a folder is taken while no image is open")
	}
	write(t, filepath.Join(dir, "notes.txt"), "x")
	if r.Drop([]string{filepath.Join(dir, "notes.txt")}) || r.Drop([]string{filepath.Join(dir, "gone.iso")}) {
		t.Error("what is no image is taken")
	}
	r.drop(t, isoImage(t))
	write(t, filepath.Join(dir, "assets", "config", "game.json"), "{}")
	if r.Drop([]string{dir}) {
		t.Error("a project is taken as content")
	}
}

func TestFilesOfAnImage(t *testing.T) {
	r := newRig(t)
	r.drop(t, cdiImage(t, 2336))
	want := []string{"Content/", "  Deep/", "    reef.lev", "  old.pak", "  same.txt", "1ST_READ.BIN"}
	if diff := cmp.Diff(want, lines(r.files.tree)); diff != "" {
		t.Error(diff)
	}
	r.files.search.Entry.SetText("deep LEV")
	if diff := cmp.Diff([]string{"Content/", "  Deep/", "    reef.lev"}, lines(r.files.tree)); diff != "" {
		t.Error(diff)
	}
	if got := r.files.count.Text; got != "1 file, 4 B" {
		t.Errorf("the footer says %q", got)
	}
	r.files.search.Entry.SetText("no such file")
	if !r.files.none.Visible() {
		t.Error("a search without results is not explained")
	}
	r.files.search.Entry.SetText("")
	r.files.toggle(r.files.tree.Find("Content"))
	if got := lines(r.files.tree); !slices.Equal(got, []string{"Content/", "1ST_READ.BIN"}) {
		t.Error(got)
	}
	if got := r.open.id; got.Title != "HARBOUR OF LAMPS" || got.SectorSize != 2336 || len(got.Tracks) != 2 {
		t.Errorf("%+v", got)
	}
}

func TestExtraction(t *testing.T) {
	r := newRig(t)
	r.drop(t, put(t, "lamps.z64", romBytes(t)))
	out := t.TempDir()
	r.host.Answer = out
	r.files.choose("Content/Deep")
	if r.extract.Text != "Extract…" {
		t.Errorf("the button says %q", r.extract.Text)
	}
	r.extractChosen()
	r.host.Tick()
	if got := string(read(t, filepath.Join(out, "Content", "Deep", "reef.lev"))); got != "reef" {
		t.Errorf("extracted %q", got)
	}
	if _, err := os.Stat(filepath.Join(out, "Content", "old.pak")); err == nil {
		t.Error("more than what was chosen is extracted")
	}
	if !slices.Equal(r.host.Folders, []string{out}) || r.host.Notices[len(r.host.Notices)-1] != "1 file extracted, 4 B" {
		t.Errorf("%q, %q", r.host.Folders, r.host.Notices)
	}
	r.files.choose("")
	r.extractChosen()
	r.host.Drain()
	if len(r.host.Errors) != 1 || !strings.Contains(r.host.Errors[0].Error(), "not everything was extracted") {
		t.Errorf("a file that is there already: %v", r.host.Errors)
	}
	r.host.Errors = nil
	r.host.Answer = t.TempDir()
	r.extractChosen()
	r.host.Drain()
	if got := read(t, filepath.Join(r.host.Answer, "Content", "old.pak")); len(got) != 15000 || len(r.host.Errors) > 0 {
		t.Errorf("%d bytes, %v", len(got), r.host.Errors)
	}
}

// What is swapped onto each container: what the plan lists, where it is written, and what is proven.
func TestSwapToANewImage(t *testing.T) {
	plans := map[string][]string{
		"cdi": {"Content/ +1 −1 ~1", "  Deep/ Changed", "    reef.lev Changed", "  new.pak Added", "  old.pak Removed", "  same.txt Unchanged",
			"1ST_READ.BIN Kept", "IP.BIN Kept", "pregap of the data track Kept", "tracks ahead of the data Kept"},
		"iso": {"Content/ +1 −1 ~1", "  Deep/ Changed", "    reef.lev Changed", "  new.pak Added", "  old.pak Removed", "  same.txt Unchanged",
			"1ST_READ.BIN Moved", "system area Kept", "SYSTEM.CNF Moved"},
		"z64": {"Content/ +1 −1 ~1", "  Deep/ Changed", "    reef.lev Changed", "  new.pak Added", "  old.pak Removed", "  same.txt Unchanged",
			"bootcode Kept", "game.elf (executable) Kept", "ROM header Kept"},
	}
	for kind, path := range map[string]string{"cdi": cdiImage(t, 2048), "iso": isoImage(t), "z64": put(t, "lamps.z64", romBytes(t))} {
		t.Run(kind, func(t *testing.T) {
			r := newRig(t)
			before := read(t, path)
			content := folder(t)
			r.drop(t, path, content)
			if r.planned == nil || r.pages.Selected() != pageSwap {
				t.Fatalf("no plan: %v", r.refused)
			}
			if diff := cmp.Diff(plans[kind], lines(r.plan.tree)); diff != "" {
				t.Error(diff)
			}
			if n := r.plan.tree.Find("IP.BIN"); kind == "cdi" && (n == nil || len(n.SHA256) != 64) {
				t.Errorf("IP.BIN is planned as %+v", n)
			}
			r.plan.choice.SetSelected(1)
			if got := r.plan.tree.Root().Files; got != 3 {
				t.Errorf("%d changes are listed", got)
			}
			r.plan.choice.SetSelected(0)

			r.host.Answer = filepath.Join(t.TempDir(), "fresh."+kind)
			r.writeNew()
			if !r.running() && !r.job().row.State().Ended() {
				t.Error("no job")
			}
			r.finish()
			if state := r.job().row.Snapshot(); state.Report == nil || !state.Report.Success {
				t.Fatalf("%+v", state.Err)
			}
			if !bytes.Equal(read(t, path), before) {
				t.Error("the image was changed")
			}
			proof := r.proof()
			for _, want := range []string{"fresh." + kind + " is written and verified.", "3 files of the content by SHA-256", "swap-content", "content\tContent/new.pak\t18000 bytes\tsha256 "} {
				if !strings.Contains(proof, want) {
					t.Errorf("the proof lacks %q:\n%s", want, proof)
				}
			}
			if n := r.plan.tree.Find("Content/new.pak"); n == nil || len(n.SHA256) != 64 {
				t.Errorf("the list of files has no hash of what was written: %+v", n)
			}
			r.copyProof()
			if !slices.Equal(r.host.Copied, []string{proof}) {
				t.Errorf("copied %q", r.host.Copied)
			}
			r.dismiss()
			if r.planned == nil || r.job() != nil {
				t.Error("the plan is not there any more")
			}

			// The new image has what was planned, and equals itself.
			r.show(r.host.Answer)
			r.host.Drain()
			if r.open.path != r.host.Answer || r.open.files.Find("Content/new.pak") == nil || r.open.files.Find("Content/old.pak") != nil {
				t.Errorf("the new image holds %q", lines(r.open.files))
			}
			if r.planned != nil || r.content != "" {
				t.Error("another image has the plan of the one before")
			}
			r.setContent(content)
			r.host.Drain()
			if what, _ := r.plan.tree.Find("Content").What(); what != "Unchanged" {
				t.Errorf("the content of the new image is %q", what)
			}
		})
	}
}

func TestReplaceInPlace(t *testing.T) {
	r := newRig(t)
	image := cdiImage(t, 2336)
	before := read(t, image)
	r.drop(t, image, folder(t))
	r.replaceInPlace()
	if len(r.host.Questions) != 1 || r.running() {
		t.Fatal("it is replaced without a question")
	}
	q := r.host.Questions[0]
	if q.Verb != "Replace in place" || !strings.Contains(q.Body, image) || !strings.HasSuffix(q.Body, "The old image stays beside it as lamps.cdi.bak.") {
		t.Errorf("asked %+v", q)
	}
	q.OK()
	r.finish()
	if !bytes.Equal(read(t, image+".bak"), before) || bytes.Equal(read(t, image), before) {
		t.Error("the old image is not kept, or the image is still the old one")
	}
	if r.open.files.Find("Content/new.pak") == nil {
		t.Error("the screen still shows the old image")
	}
	if proof := r.proof(); !strings.HasPrefix(proof, "lamps.cdi has its new content, and is verified.") || !strings.Contains(proof, "backup\t"+image+".bak") {
		t.Error(proof)
	}
	r.dismiss()
	r.host.Drain()
	if r.planned == nil || r.planned.Count(discs.Unchanged) != 3 {
		t.Error("it is not planned again for the image as it is now")
	}

	test.Tap(r.keep)
	r.replaceInPlace()
	if q := r.host.Questions[1]; !strings.HasSuffix(q.Body, "The old image is gone afterwards.") {
		t.Errorf("asked %+v", q)
	}
	if again := newScreen(r.host); again.backup {
		t.Error("that no backup is wanted is forgotten")
	}
}

func TestATargetThatIsTheImage(t *testing.T) {
	r := newRig(t)
	image := isoImage(t)
	r.drop(t, image, folder(t))
	r.host.Answer = filepath.Join(filepath.Dir(image), ".", filepath.Base(image))
	r.writeNew()
	if len(r.host.Questions) != 1 || r.host.Questions[0].Verb != "Replace in place" || r.running() {
		t.Errorf("asked %+v", r.host.Questions)
	}
	other := put(t, "there.iso", []byte("something else"))
	r.host.Answer = other
	r.writeNew()
	if len(r.host.Questions) != 2 || r.host.Questions[1].Verb != "Replace" || r.running() {
		t.Errorf("asked %+v", r.host.Questions)
	}
}

// A swap that is cancelled leaves everything as it is, and can be tried again.
func TestCancelledSwap(t *testing.T) {
	r := newRig(t)
	gate := newGate()
	r.work.Queue.Add(gate) // one job at a time: the swap waits behind it
	image := isoImage(t)
	before := read(t, image)
	r.drop(t, image, folder(t))
	r.host.Yes = true
	r.replaceInPlace()
	r.work.Changed(ui.QueueChanged)
	if !r.running() || r.live[pageSwap].left.Text == "" {
		t.Fatal("the job is not shown")
	}
	if r.canWrite() || r.canReplace() {
		t.Error("a second swap of the image is offered")
	}
	r.cancelJob()
	close(gate.open)
	r.finish()
	state := r.job().row.Snapshot()
	if o := outcomeOf(r.job(), state); o.Sentence != "The swap was cancelled." || o.Next != "Nothing was changed." {
		t.Errorf("%+v", o)
	}
	if !bytes.Equal(read(t, image), before) || r.proof() != "" {
		t.Error("the image was changed")
	}
	r.again()
	r.finish()
	if bytes.Equal(read(t, image), before) || r.proof() == "" {
		t.Errorf("the second try did nothing: %+v", r.job().row.Snapshot().Err)
	}
}

func TestStalePlans(t *testing.T) {
	r := newRig(t)
	image, content := isoImage(t), folder(t)
	r.drop(t, image, content)
	r.host.Tick()
	if r.stale != "" || !r.canWrite() {
		t.Fatalf("a fresh plan is %q", r.stale)
	}
	write(t, filepath.Join(content, "later.txt"), "later")
	r.host.Tick()
	if !strings.HasPrefix(r.stale, "The content folder has changed") || r.canWrite() {
		t.Errorf("it is %q", r.stale)
	}
	r.replan()
	r.host.Drain()
	if r.stale != "" || r.planned.Count(discs.Added) != 2 {
		t.Errorf("planned again it is %q with %d added", r.stale, r.planned.Count(discs.Added))
	}
	later := time.Now().Add(time.Hour)
	if err := os.Chtimes(image, later, later); err != nil {
		t.Fatal(err)
	}
	r.host.Tick()
	if !strings.HasPrefix(r.stale, "The image has changed") {
		t.Errorf("it is %q", r.stale)
	}
	if r.planned == nil || !r.open.id.ModTime.Equal(later) {
		t.Error("the image was not read again, or the plan is gone")
	}
	if err := os.RemoveAll(content); err != nil {
		t.Fatal(err)
	}
	r.replan()
	r.host.Drain()
	if r.planned != nil || r.refused == nil || !strings.Contains(r.refused.Error(), "does not exist") {
		t.Errorf("a folder that is gone: %v", r.refused)
	}
}

func TestRefusals(t *testing.T) {
	r := newRig(t)
	r.drop(t, cdiImage(t, 2352), folder(t))
	if r.open == nil || r.open.id.Refusal == nil || r.canWrite() || r.planned != nil {
		t.Fatal("sectors of 2352 bytes are not refused")
	}
	if why := reasonOf(r.open.id.Refusal); !strings.Contains(why.Found, "2352") || !strings.Contains(why.Needed, "2048 or 2336") || why.About != r.open.path {
		t.Errorf("refused with %+v", why)
	}
	if r.open.files.Find("Content/old.pak") == nil {
		t.Error("its files are not shown")
	}

	r = newRig(t)
	for _, path := range []string{put(t, "no.iso", []byte("this is no image")), put(t, "disc.gdi", []byte("3\n1 0 4 2352 track01.bin 0\n"))} {
		if !r.Drop([]string{path}) {
			t.Fatal("it is not taken")
		}
		r.host.Drain()
		if r.open != nil || r.failed == nil || r.root.Objects[0] != r.landing.object {
			t.Errorf("%s is open, or not explained: %v", path, r.failed)
		}
	}
}

// A byte-swapped cartridge is converted in a step of its own.
func TestConversion(t *testing.T) {
	image := romBytes(t)
	for name, unit := range map[string]int{"lamps.v64": 2, "lamps.n64": 4} {
		r := newRig(t)
		swapped := put(t, name, disctest.Swapped(image, unit))
		r.drop(t, swapped)
		if !r.canConvert() || r.open.id.Refusal == nil {
			t.Fatalf("%s is not offered a conversion", name)
		}
		r.host.Answer = filepath.Join(t.TempDir(), "lamps.z64")
		r.convert()
		r.finish()
		if !bytes.Equal(read(t, r.host.Answer), image) {
			t.Errorf("%s is converted into something else", name)
		}
		if o := outcomeOf(r.job(), r.job().row.Snapshot()); o.Sentence != "lamps.z64 is written and verified." {
			t.Errorf("%+v", o)
		}
		r.dismiss()
		if !r.canConvert() {
			t.Error("it cannot be converted again")
		}
	}
}

func TestComparingImages(t *testing.T) {
	r := newRig(t)
	first, content := cdiImage(t, 2048), folder(t)
	r.drop(t, first, content)
	second := filepath.Join(t.TempDir(), "new.cdi")
	r.host.Answer = second
	r.writeNew()
	r.finish()
	r.drop(t, first, second)
	if r.compared == nil || r.root.Objects[0] != r.comparison.object {
		t.Fatal("two images that are dropped are not compared")
	}
	want := []string{"Content/ +1 −1 ~1", "  Deep/ Changed", "    reef.lev Changed", "  new.pak Added", "  old.pak Removed"}
	if diff := cmp.Diff(want, lines(r.comparison.pane.tree)); diff != "" {
		t.Error(diff)
	}
	r.comparison.copy()
	if text := r.host.Copied[0]; !strings.Contains(text, "added\tContent/new.pak\t–\t18,000 bytes\n") || !strings.Contains(text, "3 differences.") {
		t.Error(text)
	}
	r.leaveComparison()
	r.compareTo(first, first)
	r.host.Drain()
	if !r.compared.Equal() || !r.comparison.pane.none.Visible() {
		t.Error("an image differs from itself")
	}
}

func TestCopiedCommands(t *testing.T) {
	r := newRig(t)
	image, content := isoImage(t), folder(t)
	r.drop(t, image, content)
	r.copyCommand()
	r.copyCommandInPlace()
	target := filepath.Join(filepath.Dir(image), "lamps-new.iso")
	want := []string{
		ui.CommandLine([]string{"talebinder", "swap-content", image, target, "--content=" + content}),
		ui.CommandLine([]string{"talebinder", "swap-content", image, "--content=" + content, "--backup"}),
	}
	if diff := cmp.Diff(want, r.host.Copied); diff != "" {
		t.Error(diff)
	}
}

func TestCommandsSayWhenTheyMakeSense(t *testing.T) {
	r := newRig(t)
	can := func() []string {
		var ids []string
		for _, c := range r.Commands() {
			if c.Enabled != nil && c.CanRun() {
				ids = append(ids, strings.TrimPrefix(c.ID, "discs."))
			}
		}
		return ids
	}
	if got := can(); got != nil {
		t.Errorf("with nothing open: %q", got)
	}
	r.drop(t, isoImage(t))
	want := []string{"content", "extract", "compare", "copyFacts", "folder"}
	if diff := cmp.Diff(want, can()); diff != "" {
		t.Error(diff)
	}
	r.drop(t, folder(t))
	want = []string{"content", "write", "replace", "plan", "extract", "compare", "copyFacts", "copyCommand", "copyCommandInPlace", "folder"}
	if diff := cmp.Diff(want, can()); diff != "" {
		t.Error(diff)
	}
}

// The window keeps no ticker while nothing is watched.
func TestTickers(t *testing.T) {
	r := newRig(t)
	if n := r.host.Tickers(); n != 0 {
		t.Errorf("%d tickers with nothing open", n)
	}
	r.drop(t, isoImage(t))
	r.Hidden()
	if n := r.host.Tickers(); n != 0 {
		t.Errorf("%d tickers while hidden", n)
	}
	r.Shown()
	if n := r.host.Tickers(); n != 1 {
		t.Errorf("%d tickers while an image is open", n)
	}
}

func TestTitles(t *testing.T) {
	for _, c := range []struct{ title, volume, want string }{
		{"HARBOUR OF LAMPS", "LAMPS", "HARBOUR OF LAMPS"}, {"WHAT NOW?", "NOW", "WHAT NOW?"}, {"?:????B?", "LAMPS", "LAMPS"}, {"", "", "game.iso"}, {"??", "", "game.iso"},
	} {
		o := &opened{path: "/discs/game.iso", id: &discs.Identity{Title: c.title, Volume: &discs.VolumeFacts{ID: c.volume}}}
		if got := o.title(); got != c.want {
			t.Errorf("%q on %q is called %q, want %q", c.title, c.volume, got, c.want)
		}
	}
}

func TestUsages(t *testing.T) {
	p := &discs.Plan{
		Image: &discs.Identity{Container: discs.CDI}, SizeBefore: 1000, Size: 2000, ContentBefore: 2 * sectorSize, ContentSize: 6 * sectorSize,
		Medium: discs.Medium{Name: "CD (80 minutes)", Size: 100 * sectorSize}, Free: 60 * sectorSize,
		TracksBefore: []discs.Track{{Length: 30}}, TracksAfter: []discs.Track{{Length: 34}},
	}
	before, after := usages(p)
	if before != (usage{2 * sectorSize, 34 * sectorSize}) || after != (usage{6 * sectorSize, 34 * sectorSize}) {
		t.Errorf("%+v, %+v", before, after)
	}
	bars := newMediumBars(before, usage{90 * sectorSize, 20 * sectorSize}, p.Medium.Size)
	if s := bars.spans(bars.after); s[2].from != 100*sectorSize || s[2].to != 110*sectorSize || s[2].color != overColor {
		t.Errorf("what the medium does not hold: %+v", s)
	}
	p.Free = -5 * sectorSize
	if got := freeText(p); !strings.HasPrefix(got, "10.0 kB more than a CD of 80 minutes holds (") {
		t.Error(got)
	}
}

// gate is a job that keeps the queue busy until it is opened.
type gate struct{ open chan struct{} }

func newGate() *gate { return &gate{make(chan struct{})} }

func (g *gate) Title() string     { return "gate" }
func (g *gate) Target() string    { return "" }
func (g *gate) Output() string    { return "" }
func (g *gate) Command() []string { return nil }

func (g *gate) Run(context.Context, export.Reporter) (*export.Report, error) {
	<-g.open
	return nil, nil
}
