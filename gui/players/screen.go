package players

import (
	"context"
	"errors"
	"strings"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/widget"

	"talebinder/export/players"
	"talebinder/gui/theme"
	"talebinder/gui/ui"
	"talebinder/gui/widgets"
)

// tick is how often a player that is being published is looked at.
const tick = 100 * time.Millisecond

type screen struct {
	host      ui.Host
	model     model
	publisher *publisher
	inventory func(context.Context, players.Options) ([]players.Status, error)

	looking, again bool
	shown, closed  bool
	wanted         string // to be brought into view once the players are known
	ended          int    // publications that have ended, when that was looked at last
	ticker         func()
	stop           func()

	root    *fyne.Container
	summary *theme.Text
	all     *widget.Button
	folder  *place
	sources *place
	rows    *widgets.Rows
	detail  *detail
	split   *widgets.Adaptive
	waiting *widgets.EmptyState
	middle  *fyne.Container
	head    *fyne.Container
}

var (
	_ ui.Screen  = (*screen)(nil)
	_ ui.Focuser = (*screen)(nil)
	_ ui.Dropper = (*screen)(nil)
)

// New makes the screen.
func New(h ui.Host) ui.Screen { return newScreen(h) }

func newScreen(h ui.Host) *screen {
	s := &screen{host: h, publisher: &publisher{publish: players.Publish}, inventory: players.Inventory}
	s.build()
	s.stop = h.Workspace().Subscribe(func(c ui.Change) {
		if c == ui.SettingsChanged && s.model.known {
			s.look()
		}
	})
	s.fill()
	return s
}

func (s *screen) ID() string                 { return ui.ScreenPlayers }
func (s *screen) Title() string              { return "Players" }
func (s *screen) Icon() fyne.Resource        { return theme.Icon(theme.IconDesktop) }
func (s *screen) Content() fyne.CanvasObject { return s.root }

// Badge counts what needs a look: players that are there and cannot be used.
func (s *screen) Badge() string { return s.model.badge() }

// Shown looks for the players: they may have been changed outside.
func (s *screen) Shown() {
	s.shown = true
	s.look()
	s.keepTicking()
}

func (s *screen) Hidden() {
	s.shown = false
	s.keepTicking()
}

// Close leaves what is being published alone: players belong to no project.
func (s *screen) Close() {
	s.closed, s.shown = true, false
	s.stop()
	s.keepTicking()
}

// Focus selects a player by its key, or the one of a target and profile: "win-x64/release". With ui.FocusPublish in front it
// is published as well.
func (s *screen) Focus(what string) {
	if !s.model.known {
		s.wanted = what
		return
	}
	if wanted, ok := strings.CutPrefix(what, ui.FocusPublish); ok {
		s.Focus(wanted)
		s.publishSelected()
		return
	}
	target, profile, _ := strings.Cut(what, "/")
	for i, l := range s.model.lines {
		if l.Key == what {
			s.rows.Select(i)
			return
		}
		for _, p := range l.profiles {
			if l.Target.ID == target && p.String() == profile {
				s.rows.Select(i)
				return
			}
		}
	}
}

// Drop takes a folder as the players folder, or a checkout of the engine as its sources.
func (s *screen) Drop(paths []string) bool {
	if len(paths) != 1 {
		return false
	}
	if _, err := players.FindCheckout(players.Options{Source: paths[0]}); err == nil {
		s.setSources(paths[0])
		return true
	}
	if !holdsPlayers(paths[0]) {
		return false
	}
	s.setFolder(paths[0])
	return true
}

// options say where players are looked for.
func (s *screen) options() players.Options {
	set := s.host.Settings()
	return players.Options{Dir: set.PlayersFolder(), Source: set.EngineSources()}
}

// look looks for the players in the background. A second call while one is under way makes another one follow.
func (s *screen) look() {
	if s.looking {
		s.again = true
		return
	}
	s.looking, s.again = true, false
	o := s.options()
	var all []players.Status
	s.host.Go("Looking for players", func(ctx context.Context) error {
		var err error
		all, err = s.inventory(ctx, o)
		return err
	}, func(err error) {
		s.looking = false
		if s.closed {
			return
		}
		if err == nil {
			s.model.set(all)
			s.fill()
			if wanted := s.wanted; wanted != "" {
				s.wanted = ""
				s.Focus(wanted)
			}
			s.host.BadgesChanged()
		} else if !errors.Is(err, context.Canceled) {
			s.host.Error(err)
		}
		if s.again {
			s.look()
		}
	})
}

// publishAll publishes what is missing or out of date.
func (s *screen) publishAll() { s.start(s.model.publishable()...) }

func (s *screen) publishSelected() {
	if l, ok := s.model.current(); ok {
		s.start(l)
	}
}

func (s *screen) start(lines ...line) {
	if s.publisher.add(lines...) {
		o := s.options()
		s.host.Go("Publishing players", func(ctx context.Context) error { return s.publisher.work(ctx, o) }, func(error) {
			s.follow()
			s.keepTicking()
		})
	}
	s.keepTicking()
	s.follow()
}

func (s *screen) cancelSelected() {
	s.publisher.stop(s.model.selected)
	s.follow()
}

// keepTicking looks at what is being published, as long as something is.
func (s *screen) keepTicking() {
	watch := !s.closed && s.publisher.active() > 0
	switch {
	case watch && s.ticker == nil:
		s.ticker = s.host.Every(tick, s.follow)
	case !watch && s.ticker != nil:
		s.ticker()
		s.ticker = nil
	}
}

// follow shows how far the publishing is, and looks for the players again when one has ended.
func (s *screen) follow() {
	if s.closed {
		return
	}
	if n := s.publisher.ended(); n != s.ended {
		s.ended = n
		s.tell()
		s.look()
		// Exports and the build screen look for players as well.
		s.host.Workspace().Changed(ui.SettingsChanged)
	}
	if !s.shown {
		return
	}
	for i, l := range s.model.lines {
		if _, ok := s.publisher.see(l.Key); ok {
			s.rows.RefreshRow(i)
		}
	}
	s.header()
	s.detail.update()
}

// tell says how the latest publication ended.
func (s *screen) tell() {
	if s.publisher.active() > 0 {
		return
	}
	for _, l := range s.model.lines {
		v, ok := s.publisher.see(l.Key)
		if !ok {
			continue
		}
		if v.outcome == failed {
			s.host.Notify("A player could not be published: " + l.title() + ".")
			return
		}
		if v.outcome == cancelled {
			return
		}
	}
	s.host.Notify("The players are published.")
}

func (s *screen) chooseFolder() {
	s.host.Chooser().Folder("Choose the folder that holds the players", s.host.Settings().PlayersFolder(), s.setFolder)
}

func (s *screen) setFolder(path string) {
	s.host.Error(s.host.Settings().SetPlayersFolder(path))
	s.host.Workspace().Changed(ui.SettingsChanged)
	s.fill()
}

func (s *screen) chooseSources() {
	start := s.host.Settings().EngineSources()
	s.host.Chooser().Folder("Choose a checkout of the engine's sources", start, s.setSources)
}

// setSources takes a checkout of the engine. A folder that is none is refused, since nothing can be done with it.
func (s *screen) setSources(path string) {
	if path != "" {
		if _, err := players.FindCheckout(players.Options{Source: path}); err != nil {
			s.host.Error(errors.New("These are not the engine's sources: " + err.Error()))
			return
		}
	}
	s.host.Error(s.host.Settings().SetEngineSources(path))
	s.host.Workspace().Changed(ui.SettingsChanged)
	s.fill()
}

func (s *screen) openFolder() {
	if l, ok := s.model.current(); ok && l.Player != nil {
		s.host.OpenFolder(l.Player.Dir)
	}
}

func (s *screen) copyCommand() {
	if l, ok := s.model.current(); ok {
		s.host.Copy(ui.CommandLine(l.command()))
	}
}

// Commands are what can be done with players.
func (s *screen) Commands() []ui.Command {
	is := func(f func(line) bool) func() bool {
		return func() bool {
			l, ok := s.model.current()
			return ok && s.shown && f(l)
		}
	}
	publishing := func() bool {
		v, ok := s.publisher.see(s.model.selected)
		return ok && !v.outcome.ended()
	}
	return []ui.Command{
		{ID: "players.look", Title: "Look for players", Menu: ui.MenuProject, Group: 6, Icon: theme.Icon(theme.IconSearch),
			Run: func() { s.host.Show(ui.ScreenPlayers, ""); s.look() }},
		{ID: "players.folder", Title: "Choose players folder…", Menu: ui.MenuProject, Group: 6, Icon: theme.Icon(theme.IconFolderOpen), Run: s.chooseFolder},
		{ID: "players.sources", Title: "Choose the engine's sources…", Menu: ui.MenuProject, Group: 6, Run: s.chooseSources},
		{ID: "players.publishAll", Title: "Publish missing players", Menu: ui.MenuProject, Group: 6, Icon: theme.Icon(theme.IconBuild),
			Enabled: func() bool { return len(s.model.publishable()) > 0 }, Run: func() { s.host.Show(ui.ScreenPlayers, ""); s.publishAll() }},
		{ID: "players.publish", Title: "Publish the selected player", Enabled: is(func(l line) bool { return l.Checkout != nil && !publishing() }), Run: s.publishSelected},
		{ID: "players.cancel", Title: "Cancel publishing the selected player", Enabled: is(func(line) bool { return publishing() }), Run: s.cancelSelected},
		{ID: "players.open", Title: "Open the folder of the selected player", Enabled: is(func(l line) bool { return l.Player != nil }), Run: s.openFolder},
		{ID: "players.copyCommand", Title: "Copy publishing the player as command", Enabled: is(func(line) bool { return true }), Run: s.copyCommand},
	}
}

func (s *screen) build() {
	s.summary = theme.Muted("").WithTruncation(theme.TruncateEnd)
	s.all = widget.NewButtonWithIcon("Publish missing", theme.Icon(theme.IconBuild), s.publishAll)
	look := widget.NewButtonWithIcon("Look again", theme.Icon(theme.IconReload), s.look)
	s.head = container.New(widgets.HeadLayout{}, theme.Title("Players").WithTruncation(theme.TruncateNone), s.summary, container.NewHBox(s.all, look))
	s.folder = newPlace("Players folder", s.chooseFolder, func() { s.setFolder("") })
	s.sources = newPlace("Engine's sources", s.chooseSources, func() { s.setSources("") })
	s.rows = widgets.NewRows(func() int { return len(s.model.lines) }, newRow, func(i int, o fyne.CanvasObject) {
		l := s.model.lines[i]
		v, ok := s.publisher.see(l.Key)
		o.(*row).set(l, v, ok)
	})
	s.rows.Height = rowHeight
	s.rows.OnSelected = func(i int) {
		s.model.selected = s.model.lines[i].Key
		s.detail.show()
		s.host.BadgesChanged()
	}
	s.rows.OnActivated = func(int) { s.openFolder() }
	s.detail = newDetail(s)
	s.waiting = widgets.NewEmptyState(theme.Icon(theme.IconWaiting), "Looking for players",
		"In the players folder, beside this program, in the engine's cache, and among those that were published here.")
	s.split = widgets.NewAdaptive(s.rows, s.detail.object, 820, 0.46, 0.42)
	s.middle = container.NewStack(s.waiting)
	top := container.New(&widgets.PadLayout{Left: 16, Top: 10, Right: 16, Bottom: 8},
		widgets.NewStack(6, s.head, widgets.NewStack(0, s.folder.object, s.sources.object)))
	s.root = container.New(widgets.PageLayout{}, top, widgets.NewGround(theme.ColorNameHairline, 0), s.middle)
}

// fill shows what is known.
func (s *screen) fill() {
	set := s.host.Settings()
	if dir := set.PlayersFolder(); dir != "" {
		s.folder.set(dir, true, true)
	} else {
		s.folder.set("None chosen; the usual places are looked at", false, false)
	}
	text, ok := s.model.sources()
	s.sources.set(text, ok && text != "", set.EngineSources() != "")
	var front fyne.CanvasObject = s.split
	if !s.model.known {
		front = s.waiting
	}
	if s.middle.Objects[0] != front {
		s.middle.Objects[0] = front
		s.middle.Refresh()
	}
	s.header()
	s.rows.Refresh()
	s.rows.Mark(s.model.index(s.model.selected))
	s.detail.show()
}

func (s *screen) header() {
	text := s.model.summary()
	if n := s.publisher.active(); n > 0 {
		text += " · publishing " + ui.Plural(n, "player")
	}
	s.summary.SetText(strings.TrimPrefix(text, " · "))
	hidden := len(s.model.publishable()) == 0 || s.publisher.active() > 0
	if s.all.Hidden != hidden {
		s.all.Hidden = hidden
		s.head.Refresh()
	}
}
