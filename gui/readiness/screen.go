package readiness

import (
	"context"
	"errors"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/widget"

	"talebinder/export"
	"talebinder/gui/theme"
	"talebinder/gui/ui"
	"talebinder/gui/widgets"
	"talebinder/platforms"
	"talebinder/project"
)

type screen struct {
	host   ui.Host
	doctor func(ctx context.Context, p *project.Project, targets []string, o export.BuildOptions) ([]export.Readiness, error)

	all      []export.Readiness
	known    bool
	profile  platforms.Profile
	followed bool // the profile is that of build.json
	selected string

	looking, again bool
	shown, closed  bool
	stop           func()

	root     *fyne.Container
	summary  *theme.Text
	profiles *widgets.Segmented
	rows     *widgets.Rows
	detail   *detail
	split    *widgets.Adaptive
	waiting  *widgets.EmptyState
	broken   *widgets.EmptyState
	middle   *fyne.Container
}

var (
	_ ui.Screen  = (*screen)(nil)
	_ ui.Focuser = (*screen)(nil)
)

// New makes the screen.
func New(h ui.Host) ui.Screen { return newScreen(h) }

func newScreen(h ui.Host) *screen {
	s := &screen{host: h, doctor: export.Doctor, followed: true}
	s.build()
	s.follow()
	s.stop = h.Workspace().Subscribe(func(c ui.Change) {
		switch c {
		case ui.BuildEdited, ui.BuildSaved, ui.DiskChanged, ui.Rescanned, ui.SettingsChanged:
			s.follow()
			if s.shown {
				s.look()
			}
		}
	})
	s.fill()
	return s
}

func (s *screen) ID() string                 { return ui.ScreenReadiness }
func (s *screen) Title() string              { return "Readiness" }
func (s *screen) Icon() fyne.Resource        { return theme.Icon(theme.IconHealthy) }
func (s *screen) Content() fyne.CanvasObject { return s.root }

// Badge is empty: which targets matter is chosen on the build screen, and that counts what stands in their way.
func (s *screen) Badge() string { return "" }

// Shown looks again: players, disks and folders change outside.
func (s *screen) Shown() {
	s.shown = true
	s.look()
}

func (s *screen) Hidden() { s.shown = false }

func (s *screen) Close() {
	s.closed, s.shown = true, false
	s.stop()
}

// Focus selects a target by its id, alone or with a profile: "win-x64/release".
func (s *screen) Focus(what string) {
	target, profile, ok := strings.Cut(what, "/")
	if p, known := platforms.ParseProfile(profile); ok && known {
		s.setProfile(p)
	}
	s.selected = target
	if i := s.index(target); i >= 0 {
		s.rows.Select(i)
	}
}

func (s *screen) index(id string) int {
	for i, r := range s.all {
		if r.Target.ID == id {
			return i
		}
	}
	return -1
}

// follow takes over the profile of build.json until another one is chosen here.
func (s *screen) follow() {
	build := s.host.Workspace().Project.Build
	if s.followed && build != nil {
		s.profile = build.Settings().Profile
		s.profiles.Load(int(s.profile))
	}
}

func (s *screen) setProfile(p platforms.Profile) {
	s.profile, s.followed = p, false
	s.profiles.Load(int(p))
	s.look()
}

// whole splits the targets into those that are exported as a whole and those that only the game folder is made of, as the
// build screen has them.
func (s *screen) whole() (whole, contentOnly []string) {
	only := map[string]bool{}
	for _, id := range strings.Fields(s.host.Settings().Project(s.host.Workspace().Project.Dir).Values[ui.RememberContentOnly]) {
		only[id] = true
	}
	for _, t := range platforms.Targets() {
		if only[t.ID] {
			contentOnly = append(contentOnly, t.ID)
		} else {
			whole = append(whole, t.ID)
		}
	}
	return whole, contentOnly
}

// look looks at all targets in the background. A second call while one is under way makes another one follow.
func (s *screen) look() {
	if s.looking {
		s.again = true
		return
	}
	s.looking, s.again = true, false
	p, profile := s.host.Workspace().Project, s.profile
	whole, contentOnly := s.whole()
	o := export.BuildOptions{Profile: &profile, PlayersDir: s.host.Settings().PlayersFolder(), EngineSources: s.host.Settings().EngineSources(), EngineVersion: s.host.Settings().EngineVersion()}
	found := map[string]export.Readiness{}
	s.host.Go("Looking at the targets", func(ctx context.Context) error {
		for i, targets := range [][]string{whole, contentOnly} {
			if len(targets) == 0 {
				continue
			}
			o.ContentOnly = i == 1
			some, err := s.doctor(ctx, p, targets, o)
			if err != nil {
				return err
			}
			for _, r := range some {
				found[r.Target.ID] = r
			}
		}
		return nil
	}, func(err error) {
		s.looking = false
		switch {
		case s.closed:
			return
		case err == nil:
			s.all = s.all[:0]
			for _, t := range platforms.Targets() {
				s.all = append(s.all, found[t.ID])
			}
			s.known = true
			s.fill()
		case !errors.Is(err, context.Canceled):
			s.host.Error(err)
		}
		if s.again {
			s.look()
		}
	})
}

func (s *screen) current() (export.Readiness, bool) {
	if i := s.index(s.selected); i >= 0 {
		return s.all[i], true
	}
	return export.Readiness{}, false
}

// fix does what a check proposes, or leads to where it is done.
func (s *screen) fix(r export.Readiness, c export.Check) {
	switch c.Fix.ID {
	case export.FixSetting:
		s.host.Show(ui.ScreenBuild, c.Fix.Field)
	case export.FixOutput:
		s.host.Show(ui.ScreenBuild, "outputFolder")
	case export.FixPublishPlayer:
		s.host.Show(ui.ScreenPlayers, ui.FocusPublish+r.Target.ID+"/"+r.Profile.String())
	case export.FixPlayersFolder:
		set := s.host.Settings()
		s.host.Chooser().Folder("Choose the folder that holds the players", set.PlayersFolder(), func(path string) {
			s.host.Error(set.SetPlayersFolder(path))
			s.host.Workspace().Changed(ui.SettingsChanged)
		})
	case export.FixRepair:
		for _, repair := range s.host.Workspace().Project.Repairs() {
			if repair.ID == c.Fix.Repair {
				ui.Repair(s.host, repair)
				return
			}
		}
		s.look() // it is done already
	}
}

func (s *screen) open(c export.Check) {
	if file := ui.PlaceOf(c.File, s.host.Workspace().Project); file != "" {
		s.host.OpenPlace(file, c.Line)
	}
}

func (s *screen) showPlayer() {
	if r, ok := s.current(); ok {
		s.host.Show(ui.ScreenPlayers, r.Target.ID+"/"+r.Profile.String())
	}
}

func (s *screen) copyText() {
	if r, ok := s.current(); ok {
		s.host.Copy(text(r))
	}
}

func (s *screen) copyCommand() {
	words := []string{"talebinder", "doctor", s.host.Workspace().Project.Dir, "--profile", s.profile.String()}
	s.host.Copy(ui.CommandLine(words))
}

// Commands are what can be done here.
func (s *screen) Commands() []ui.Command {
	here := func() bool { _, ok := s.current(); return s.shown && ok }
	return []ui.Command{
		{ID: "readiness.check", Title: "Check readiness of all targets", Menu: ui.MenuExport, Group: 2, Icon: theme.Icon(theme.IconHealthy),
			Run: func() { s.host.Show(ui.ScreenReadiness, ""); s.look() }},
		{ID: "readiness.copy", Title: "Copy the checks of the target", Menu: ui.MenuExport, Group: 2, Enabled: here, Run: s.copyText},
		{ID: "readiness.command", Title: "Copy readiness check as command", Menu: ui.MenuExport, Group: 2, Icon: theme.Icon(theme.IconCopy), Run: s.copyCommand},
		{ID: "readiness.player", Title: "Show the player of the target", Enabled: here, Run: s.showPlayer},
	}
}

func (s *screen) build() {
	s.summary = theme.Muted("").WithTruncation(theme.TruncateEnd)
	s.profiles = widgets.NewSegmented(profileNames(), func(i int) { s.setProfile(platforms.Profiles()[i].Profile) })
	again := widget.NewButtonWithIcon("Check again", theme.Icon(theme.IconReload), s.look)
	head := container.New(widgets.HeadLayout{}, theme.Title("Readiness"), s.summary, container.NewHBox(s.profiles, again))
	s.rows = widgets.NewRows(func() int { return len(s.all) }, newRow, func(i int, o fyne.CanvasObject) { o.(*row).set(s.all[i]) })
	s.rows.Height = rowHeight
	s.rows.OnSelected = func(i int) {
		s.selected = s.all[i].Target.ID
		s.detail.show()
	}
	s.detail = newDetail(s)
	s.waiting = widgets.NewEmptyState(theme.Icon(theme.IconWaiting), "Looking at the targets",
		"Everything that an export looks at before it writes: settings, content, scripts, players, the output folder and its disk.")
	s.broken = widgets.NewEmptyState(theme.Icon(theme.IconFailed), "build.json is not valid",
		"Nothing can be said about an export before it is mended.",
		widget.NewButtonWithIcon("Show it", theme.Icon(theme.IconArrowRight), func() { s.host.Show(ui.ScreenBuild, "json") }))
	s.split = widgets.NewAdaptive(s.rows, s.detail.object, 820, 0.4, 0.4)
	s.middle = container.NewStack(s.waiting)
	s.root = container.New(widgets.PageLayout{}, container.New(&widgets.PadLayout{Left: 16, Top: 10, Right: 16, Bottom: 10}, head),
		widgets.NewGround(theme.ColorNameHairline, 0), s.middle)
}

// fill shows what is known.
func (s *screen) fill() {
	if s.index(s.selected) < 0 && len(s.all) > 0 {
		s.selected = s.first()
	}
	var front fyne.CanvasObject = s.split
	build := s.host.Workspace().Project.Build
	switch {
	case build != nil && build.Err() != nil:
		front = s.broken
	case !s.known:
		front = s.waiting
	}
	if s.middle.Objects[0] != front {
		s.middle.Objects[0] = front
		s.middle.Refresh()
	}
	s.summary.SetText(summary(s.all))
	s.rows.Refresh()
	s.rows.Mark(s.index(s.selected))
	s.detail.show()
}

// first is the target to begin with: the one of build.json.
func (s *screen) first() string {
	if build := s.host.Workspace().Project.Build; build != nil && build.Settings().Target != nil {
		if t, ok := platforms.TargetByID(*build.Settings().Target); ok {
			return t.ID
		}
	}
	return platforms.Host().ID
}
