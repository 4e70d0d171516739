package players

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"
	"fyne.io/fyne/v2/widget"

	"talebinder/examples"
	"talebinder/export"
	"talebinder/export/players"
	"talebinder/gui/ui"
	"talebinder/gui/ui/uitest"
	"talebinder/gui/widgets"
	"talebinder/platforms"
	"talebinder/project"
)

// plant writes files, given as paths and texts.
func plant(t *testing.T, dir string, files map[string]string) {
	t.Helper()
	for name, text := range files {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o777); err != nil {
			t.Fatal(err)
		}
	}
}

// standInSDK is a dotnet command that knows its version and publishes a file as player.
const standInSDK = `#!/bin/sh
if [ "$1" = --list-sdks ]; then echo '10.0.100 [/sdk]'; exit 0; fi
while [ $# -gt 0 ]; do
  case "$1" in
    -o) out=$2; shift ;;
    -r) runtime=$2; shift ;;
  esac
  shift
done
echo "  Determining projects to restore..."
echo "  Talesmith.Core -> $out/Talesmith.Core.dll"
if [ "$runtime" = osx-x64 ]; then
  echo '/engine/Program.cs(3,7): error CS1002: ; expected [/engine/Talesmith.Player.csproj]'
  echo '/engine/Program.cs(4,1): error CS1513: } expected [/engine/Talesmith.Player.csproj]'
  exit 1
fi
mkdir -p "$out"
echo player > "$out/talesmith-player"
echo player > "$out/talesmith-player.exe"
echo '{ "libraries": { "talesmith-player/0.3.1": {} } }' > "$out/talesmith-player.deps.json"
`

// open opens the screen in a computer without players, with the sample game.
func open(t *testing.T) (h *uitest.Host, s *screen, dir string) {
	t.Helper()
	if runtime.GOOS == "windows" {
		t.Skip("stand-in commands are shell scripts")
	}
	dir = t.TempDir()
	plant(t, dir, map[string]string{
		"engine/src/Talesmith.Player/Talesmith.Player.csproj": "<Project/>",
		"engine/src/Talesmith.Core/Talesmith.Core.csproj":     "<Project/>",
		"bin/dotnet": standInSDK,
	})
	for _, name := range []string{"TALEBINDER_CACHE", "TALESMITH_CACHE", "DOTNET_ROOT"} {
		t.Setenv(name, filepath.Join(dir, strings.ToLower(name)))
	}
	t.Setenv("TALESMITH_SOURCE", "")
	t.Setenv("PATH", filepath.Join(dir, "bin")+string(os.PathListSeparator)+"/usr/bin"+string(os.PathListSeparator)+"/bin")
	sample, err := examples.Extract(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	p, err := project.Open(t.Context(), sample, project.Options{})
	if err != nil {
		t.Fatal(err)
	}
	h = uitest.New(t)
	h.SetWorkspace(ui.NewWorkspace(p, export.NewQueue(1), h))
	s = newScreen(h)
	h.Put(s)
	t.Cleanup(s.Close)
	return h, s, dir
}

// buttons gives the words on the buttons of the detail pane.
func buttons(s *screen) map[string]*widget.Button {
	all := map[string]*widget.Button{}
	var walk func(o fyne.CanvasObject)
	walk = func(o fyne.CanvasObject) {
		switch o := o.(type) {
		case *widget.Button:
			all[o.Text] = o
		case *fyne.Container:
			for _, c := range o.Objects {
				if c.Visible() {
					walk(c)
				}
			}
		}
	}
	walk(s.detail.stack)
	return all
}

func TestWithoutPlayersTheScreenSaysWhereToGetThem(t *testing.T) {
	h, s, dir := open(t)
	if s.middle.Objects[0] != fyne.CanvasObject(s.waiting) {
		t.Error("the screen does not say that it is looking")
	}
	h.Drain()
	if len(s.model.lines) != 2*len(platforms.Targets()) || s.summary.Text != "No player was found" || s.Badge() != "" {
		t.Fatalf("%d players, %q, badge %q", len(s.model.lines), s.summary.Text, s.Badge())
	}
	l, _ := s.model.current()
	if l.Target.ID != platforms.Host().ID || l.state() != missing {
		t.Errorf("the first one shown is %s", l.title())
	}
	if len(l.looked()) == 0 {
		t.Error("the places are not listed")
	}
	if b := buttons(s); b["Choose players folder…"] == nil || b["Choose the engine's sources…"] == nil || b["Publish"] != nil || !s.all.Hidden {
		t.Errorf("offered: %v", b)
	}

	// The engine's sources make it possible to publish.
	h.Answer = dir
	test.Tap(buttons(s)["Choose the engine's sources…"])
	if len(h.Errors) != 1 || !strings.Contains(h.Errors[0].Error(), "no checkout") || h.Settings().EngineSources() != "" {
		t.Fatalf("a folder that holds no sources: %v", h.Errors)
	}
	h.Answer = filepath.Join(dir, "engine")
	test.Tap(buttons(s)["Choose the engine's sources…"])
	h.Drain()
	if buttons(s)["Publish"] == nil || s.all.Hidden || s.sources.path.Text != h.Answer {
		t.Errorf("offered: %v, sources %q", buttons(s), s.sources.path.Text)
	}
}

func TestAPlayersFolderIsChosenAndForgotten(t *testing.T) {
	h, s, dir := open(t)
	plant(t, dir, map[string]string{
		"mine/linux-x64-r2r-nosymbols/talesmith-player":           "player",
		"mine/linux-x64-r2r-nosymbols/talesmith-player.deps.json": `{ "libraries": { "talesmith-player/0.3.1": {} } }`,
		"mine/win-x64-r2r-nosymbols/talesmith-player.exe":         "no program",
	})
	h.Drain()
	if s.Drop([]string{filepath.Join(dir, "bin")}) {
		t.Error("a folder without players is taken")
	}
	if !s.Drop([]string{filepath.Join(dir, "mine")}) {
		t.Fatal("a folder with players is not taken")
	}
	h.Drain()
	if h.Settings().PlayersFolder() != filepath.Join(dir, "mine") || s.folder.path.Text != filepath.Join(dir, "mine") {
		t.Error("the folder is not kept, or not shown")
	}
	s.Focus("linux-x64/distribution")
	l, _ := s.model.current()
	if l.state() != found || l.profileNames() != "Release and Distribution" || l.brief() != "0.3.1 · players folder" {
		t.Errorf("%s: %s, %v", l.title(), l.brief(), l.state())
	}
	test.Tap(buttons(s)["Open folder"])
	if len(h.Folders) != 1 || h.Folders[0] != l.Player.Dir {
		t.Errorf("opened %v", h.Folders)
	}
	s.Focus("win-x64-r2r-nosymbols")
	if l, _ := s.model.current(); l.state() != damaged || l.trouble() == "" || s.Badge() != "1" {
		t.Errorf("a file that is no program: %v, %q, badge %q", l.state(), l.trouble(), s.Badge())
	}
	s.folder.forget.TypedKey(&fyne.KeyEvent{Name: fyne.KeySpace})
	h.Drain()
	if h.Settings().PlayersFolder() != "" || !s.folder.forget.Hidden {
		t.Error("the folder is not forgotten")
	}
}

func TestPublishingShowsHowFarItIsAndWhatFailed(t *testing.T) {
	h, s, dir := open(t)
	h.Drain()
	s.setSources(filepath.Join(dir, "engine"))
	h.Drain()
	told := 0
	h.Workspace().Subscribe(func(c ui.Change) {
		if c == ui.SettingsChanged {
			told++
		}
	})
	seen := map[string]bool{}
	s.publisher.publish = func(ctx context.Context, target platforms.Target, p platforms.Profile, o players.Options, progress func(float64, string)) (players.Player, error) {
		if target.ID == "osx-arm64" {
			// What a cancelled build leaves.
			s.publisher.stop(target.PlayerKey(p))
			<-ctx.Done()
			return players.Player{}, ctx.Err()
		}
		s.Focus(target.ID + "/" + p.String())
		return players.Publish(ctx, target, p, o, func(fraction float64, line string) {
			progress(fraction, line)
			h.Tick() // as the clock does
			v, _ := s.publisher.see(s.model.selected)
			text, _ := progressText(v)
			seen[text] = true
			if buttons(s)["Cancel"] == nil || buttons(s)["Publish"] != nil {
				t.Errorf("while it runs the buttons are %v", buttons(s))
			}
			if s.detail.bar.Hidden {
				t.Error("no bar while it runs")
			}
		})
	}
	s.all.OnTapped()
	if h.Tickers() != 1 || s.publisher.active() != 8 {
		t.Fatalf("%d tickers, %d in the line", h.Tickers(), s.publisher.active())
	}
	h.Drain()
	if h.Tickers() != 0 || told == 0 {
		t.Errorf("%d tickers at the end, other screens told %d times", h.Tickers(), told)
	}
	if len(seen) < 3 {
		t.Errorf("progress said only %v", seen)
	}
	states := map[state]int{}
	for _, l := range s.model.lines {
		states[l.state()]++
		if l.state() == found && (l.Player.Source != players.Published || l.Version != "0.3.1") && l.Target.Platform != platforms.Windows {
			t.Errorf("%s: %s, %s", l.title(), l.Player.Source, l.Version)
		}
	}
	// The stand-in for Windows is no program, which the inventory notices; two are cancelled, two fail.
	if states[found] != 2 || states[damaged] != 2 || states[missing] != 4 {
		t.Errorf("states %v", states)
	}
	s.Focus("osx-x64/development")
	v, _ := s.publisher.see(s.model.selected)
	text, tone := progressText(v)
	if tone != widgets.Danger || !strings.HasPrefix(text, "Publishing failed with 2 errors. The first one: ") || !strings.Contains(text, "; expected") {
		t.Errorf("a failed one says %q", text)
	}
	if s.detail.log.Len() < 4 || buttons(s)["Publish"] == nil {
		t.Errorf("%d lines of output, buttons %v", s.detail.log.Len(), buttons(s))
	}
	s.Focus("osx-arm64/release")
	v, _ = s.publisher.see(s.model.selected)
	if text, tone := progressText(v); tone != widgets.Neutral || !strings.Contains(text, "cancelled") {
		t.Errorf("a cancelled one says %q", text)
	}
	test.Tap(buttons(s)["Copy as command"])
	if len(h.Copied) != 1 || h.Copied[0] != "talebinder players publish --target osx-arm64 --profile release" {
		t.Errorf("copied %q", h.Copied)
	}
}

func TestAPublisherKeepsTheLatestLines(t *testing.T) {
	b := &publisher{publish: func(_ context.Context, _ platforms.Target, _ platforms.Profile, _ players.Options, progress func(float64, string)) (players.Player, error) {
		for range 3 * keptLines {
			progress(0.5, "a line")
		}
		return players.Player{}, errors.New("no room left")
	}}
	l := line{Status: players.Status{Key: "k"}}
	if !b.add(l) || b.add(l) {
		t.Fatal("the second add should not start anything")
	}
	if err := b.work(t.Context(), players.Options{}); err != nil {
		t.Fatal(err)
	}
	lines, next := b.output("k", 0)
	if next != 3*keptLines || len(lines) < keptLines || len(lines) > 2*keptLines {
		t.Errorf("%d of %d lines", len(lines), next)
	}
	if more, _ := b.output("k", next); len(more) != 0 {
		t.Errorf("%d lines twice", len(more))
	}
	if v, ok := b.see("k"); !ok || v.outcome != failed || b.active() != 0 || b.ended() != 1 {
		t.Errorf("it ended as %+v", v)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if !b.add(l) {
		t.Fatal("it cannot be tried again")
	}
	if err := b.work(ctx, players.Options{}); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	if v, _ := b.see("k"); v.outcome != cancelled {
		t.Errorf("after the end of the program: %+v", v)
	}
}

func TestFactsAndAdvice(t *testing.T) {
	linux, _ := platforms.TargetByID("linux-x64")
	checkout := &players.Checkout{Dir: "/engine"}
	there := &players.Player{Dir: "/p", Key: "k", Source: players.InCache}
	mine := &players.Player{Dir: "/p", Key: "k", Source: players.Published}
	old := &players.Player{Dir: "/p", Key: "k", Source: players.Published, Outdated: true}
	for _, c := range []struct {
		name   string
		status players.Status
		state  state
		advice string
		first  int // action, -1 none
	}{
		{"found", players.Status{Player: there}, found, "", -1},
		{"missing, sources and SDK there", players.Status{Checkout: checkout}, missing, "published here", int(publish)},
		{"missing, no sources", players.Status{CannotBe: players.ErrNoSources}, missing, "folder k in it", int(chooseFolder)},
		{"missing, no SDK", players.Status{CannotBe: errors.New("no .NET SDK was found")}, missing, "No .NET SDK was found.", int(chooseFolder)},
		{"damaged", players.Status{Player: there, Err: errors.New("cut off")}, damaged, "another player", int(chooseFolder)},
		{"damaged, ours", players.Status{Player: mine, Err: errors.New("cut off")}, damaged, "Remove its folder", -1},
		{"outdated", players.Status{Player: old, Checkout: checkout}, outdated, "have changed", int(publish)},
		{"outdated, sources gone", players.Status{Player: old}, outdated, "not at hand", -1},
	} {
		c.status.Target, c.status.Key = linux, "k"
		l := line{Status: c.status, profiles: []platforms.Profile{platforms.Development}}
		text, actions := l.advice()
		first := -1
		if len(actions) > 0 {
			first = int(actions[0])
		}
		if l.state() != c.state || !strings.Contains(text, c.advice) || (c.advice == "") != (text == "") || first != c.first {
			t.Errorf("%s: state %d, %q, action %d", c.name, l.state(), text, first)
		}
	}
}
