// Package build is the screen of the build settings: what is exported for which targets, and how. It edits build.json
// through the project's document and puts exports into the queue.
package build

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/widget"

	"talebinder/formats/assetpath"
	"talebinder/gui/theme"
	"talebinder/gui/ui"
	"talebinder/gui/widgets"
	"talebinder/project"
	"talebinder/project/assets"
)

// New makes the screen for the host's open project.
func New(h ui.Host) ui.Screen {
	s := &screen{host: h, model: newModel(h.Workspace(), h.Settings())}
	s.json = newJSONPanel(s)
	s.form = newForm(s)
	s.scenes = newScenes(s)
	s.includes = newIncludes(s)
	s.broken = newBrokenView(s)
	s.head = newHead(s)
	s.foot = newFoot(s)
	s.body = newBody(s)
	s.content = container.New(&frameLayout{}, s.head.content, s.body, s.broken.content, s.foot.content)
	s.body.setJSON(s.model.jsonPanel())
	s.stop = h.Workspace().Subscribe(s.changed)
	s.sync()
	return s
}

type screen struct {
	host  ui.Host
	model *model

	content  *fyne.Container
	head     *head
	form     *form
	scenes   *scenes
	includes *includes
	json     *jsonPanel
	broken   *brokenView
	foot     *foot
	body     *body

	stop    func()
	shown   bool
	looking bool
	again   bool
	picker  *widgets.Picker // of presets, the latest
}

var (
	_ ui.Screen  = (*screen)(nil)
	_ ui.Focuser = (*screen)(nil)
	_ ui.Dropper = (*screen)(nil)
)

func (s *screen) ID() string                 { return ui.ScreenBuild }
func (s *screen) Title() string              { return "Build" }
func (s *screen) Icon() fyne.Resource        { return theme.Icon(theme.IconBuild) }
func (s *screen) Content() fyne.CanvasObject { return s.content }

// Badge counts what stands in the way of an export.
func (s *screen) Badge() string {
	if n := len(s.model.reasons()); n > 0 {
		return strconv.Itoa(n)
	}
	return ""
}

func (s *screen) Shown() {
	s.shown = true
	s.look()
	s.host.BadgesChanged()
}

func (s *screen) Hidden() {
	s.shown = false
	s.model.left()
}

func (s *screen) Close() { s.stop() }

// changed follows the project.
func (s *screen) changed(c ui.Change) {
	switch c {
	case ui.BuildEdited, ui.BuildSaved, ui.DiskChanged:
		s.sync()
	case ui.SettingsChanged:
		s.look()
	case ui.Rescanned:
		s.form.shownIcon = "" // its pixels may be others now
		s.sync()
		s.look()
	}
}

// do shows what went wrong with an edit.
func (s *screen) do(err error) { s.host.Error(err) }

// sync makes everything that is shown agree with the document.
func (s *screen) sync() {
	s.model.validate()
	err := s.model.broken()
	s.broken.content.Hidden = err == nil
	s.body.form.Hidden = err != nil
	if err != nil {
		s.broken.load(err)
	} else {
		s.form.load()
		s.scenes.load()
		s.includes.load()
	}
	if s.body.jsonShown {
		s.json.load()
	}
	s.head.load()
	s.foot.load()
	s.body.relayout()
	widgets.Relayout(s.head.content)
	widgets.Relayout(s.foot.content)
	s.content.Layout.Layout(s.content.Objects, s.content.Size())
	s.host.BadgesChanged()
}

// look looks for players and at the project's checks, in the background. A second call while one is under way makes
// another one follow.
func (s *screen) look() {
	if s.looking {
		s.again = true
		return
	}
	s.again = false
	if s.model.broken() != nil {
		return
	}
	s.looking = true
	work, apply := s.model.look()
	s.host.Go("Checking the targets", work, func(err error) {
		s.looking = false
		if err == nil {
			apply()
			s.sync()
		} else if !errors.Is(err, context.Canceled) {
			s.host.Error(err)
		}
		if s.again {
			s.look()
		}
	})
}

// background runs work beside the interface and then what it returns on the interface's goroutine.
func (s *screen) background(what string, work func() (apply func())) {
	var apply func()
	s.host.Go(what, func(context.Context) error {
		apply = work()
		return nil
	}, func(error) { apply() })
}

// Scrolled takes the wheel from the entries of the form.
func (s *screen) Scrolled(e *fyne.ScrollEvent) { s.body.form.column().Scrolled(e) }

// reveal brings an object of the form into sight.
func (s *screen) reveal(o fyne.CanvasObject) { s.body.reveal(o) }

// Focus implements ui.Focuser: the name of a field, "scenes/2", "target/linux-x64", "line:12" of build.json, or "json".
func (s *screen) Focus(what string) {
	line, isLine := strings.CutPrefix(what, "line:")
	switch {
	case isLine:
		n, err := strconv.Atoi(line)
		if err == nil && !s.focusField(s.model.fieldAt(n)) {
			s.showJSON(true)
			s.json.show(n)
		}
	case what == "json":
		s.showJSON(true)
		s.json.show(s.json.wrong)
	default:
		s.focusField(what)
	}
}

// focusField brings a field into sight and gives it the keyboard; false when it cannot be shown.
func (s *screen) focusField(what string) bool {
	if what == "" || s.model.broken() != nil {
		return false
	}
	switch name, index := splitField(what); name {
	case fieldScenes:
		s.scenes.focus(max(-1, index))
		return true
	case fieldInclude:
		s.includes.focus(max(0, index))
		return true
	}
	return s.form.focus(what)
}

func (s *screen) toggleJSON() { s.showJSON(!s.body.jsonShown) }

func (s *screen) showJSON(shown bool) {
	s.body.setJSON(shown)
	s.do(s.model.setJSONPanel(shown))
	if shown {
		s.json.load()
	}
	s.head.load()
	s.content.Layout.Layout(s.content.Objects, s.content.Size())
}

// export puts the chosen targets into the queue and shows it.
func (s *screen) export() {
	s.model.left()
	if len(s.model.reasons()) > 0 {
		return
	}
	rows, err := s.model.start()
	if err != nil {
		s.host.Error(err)
		return
	}
	s.host.Workspace().Changed(ui.QueueChanged)
	s.host.Show(ui.ScreenExports, strconv.Itoa(rows[0].ID()))
}

// exportContent exports the chosen targets without a player, as their cards offer where none is found.
func (s *screen) exportContent() {
	for _, c := range s.model.chosen() {
		s.do(s.model.setContentOnly(c.target.ID, true))
	}
	s.sync()
	s.export()
}

func (s *screen) copyCommand() {
	command, err := s.model.command()
	if err != nil {
		s.host.Error(err)
		return
	}
	s.host.Copy(command)
}

func (s *screen) save() {
	if err := s.model.document().Save(); err != nil {
		s.host.Error(fmt.Errorf("build.json not saved: %w", err))
		return
	}
	s.host.Workspace().Changed(ui.BuildSaved)
	s.host.Notify("Saved build.json.")
}

func (s *screen) revert() {
	s.model.left()
	s.model.document().Revert()
	s.host.Workspace().Changed(ui.BuildEdited)
}

// Drop implements ui.Dropper: scenes go to the scene list, a PNG becomes the icon, other assets are always included, and a
// folder outside the assets becomes the output folder.
func (s *screen) Drop(paths []string) bool {
	if s.model.broken() != nil {
		return false
	}
	var scenes, others []string
	root := s.model.project().AssetRoot()
	for _, p := range paths {
		rel, err := filepath.Rel(root, p)
		inside := err == nil && filepath.IsLocal(rel) && rel != "."
		info, err := os.Stat(p)
		if err != nil {
			return false
		}
		if !inside {
			if len(paths) == 1 && info.IsDir() && !isProject(p) {
				s.model.left()
				s.form.output.Type(s.model.outputFor(p))
				s.Focus(fieldOutput)
				return true
			}
			return false
		}
		path := filepath.ToSlash(rel)
		switch kind := assets.KindOf(path).ID; {
		case kind == assets.Scene:
			scenes = append(scenes, path)
		case assetpath.Ext(path) == ".png" && len(paths) == 1:
			s.form.setIcon(path)
			s.Focus(fieldIcon)
			return true
		default:
			others = append(others, path)
		}
	}
	s.addDropped(scenes, others)
	return true
}

func (s *screen) addDropped(scenes, others []string) {
	free := map[string]bool{}
	for _, a := range s.model.scenesToAdd() {
		free[assetpath.Fold(a.Path)] = true
	}
	var add []string
	for _, p := range scenes {
		if free[assetpath.Fold(p)] {
			add = append(add, p)
		}
	}
	if len(add) > 0 {
		s.do(s.model.addScenes(add))
	}
	listed, _ := s.model.listed()
	add = nil
	for _, p := range others {
		if !listed[fold(p)] {
			add = append(add, p)
		}
	}
	if len(add) > 0 {
		s.do(s.model.addIncludes("Always include "+ui.Plural(len(add), "asset"), add))
	}
}

// isProject says whether a dropped folder is better opened as a project.
func isProject(folder string) bool {
	_, err := project.Find(folder)
	return err == nil
}

// Commands implements ui.Screen.
func (s *screen) Commands() []ui.Command {
	form := func() bool { return s.model.broken() == nil }
	here := func() bool { return s.shown && form() }
	return []ui.Command{
		{ID: "build.export", Title: "Export chosen targets", Menu: ui.MenuExport, Group: 1, Shortcut: ui.CtrlShift(fyne.KeyB), Icon: theme.Icon(theme.IconExports),
			Enabled: func() bool { return len(s.model.reasons()) == 0 }, Run: s.export},
		{ID: "build.exportContent", Title: "Export game folder only", Menu: ui.MenuExport, Group: 1, Icon: theme.Icon(theme.IconFolder),
			Enabled: form, Run: s.exportContent},
		{ID: "build.presets", Title: "Run an export preset…", Menu: ui.MenuExport, Group: 1, Shortcut: ui.CtrlShift(fyne.KeyP), Icon: theme.Icon(theme.IconPlay),
			Enabled: form, Run: func() { s.host.Show(ui.ScreenBuild, ""); s.showPresets() }},
		{ID: "build.savePreset", Title: "Save choice as preset…", Menu: ui.MenuExport, Group: 1, Icon: theme.Icon(theme.IconSave), Enabled: form, Run: s.savePreset},
		{ID: "build.copyCommand", Title: "Copy export as command", Menu: ui.MenuExport, Group: 1, Shortcut: ctrlAlt(fyne.KeyC),
			Icon: theme.Icon(theme.IconCopy), Enabled: form, Run: s.copyCommand},
		{ID: "build.addScene", Title: "Add scene…", Menu: ui.MenuProject, Group: 3, Shortcut: ui.CtrlShift(fyne.KeyA), Icon: theme.Icon(theme.IconScene),
			Enabled: form, Run: func() { s.host.Show(ui.ScreenBuild, fieldScenes); s.scenes.pick() }},
		{ID: "build.includeFile", Title: "Always include file…", Menu: ui.MenuProject, Group: 3, Enabled: form,
			Run: func() { s.host.Show(ui.ScreenBuild, fieldInclude); s.includes.pickFile() }},
		{ID: "build.includeFolder", Title: "Always include folder…", Menu: ui.MenuProject, Group: 3, Enabled: form,
			Run: func() { s.host.Show(ui.ScreenBuild, fieldInclude); s.includes.pickFolder() }},
		{ID: "build.includeLabel", Title: "Always include label…", Menu: ui.MenuProject, Group: 3, Enabled: form,
			Run: func() { s.host.Show(ui.ScreenBuild, fieldInclude); s.includes.pickLabel() }},
		{ID: "build.moveUp", Title: "Move scene up", Menu: ui.MenuEdit, Group: 5, Shortcut: ui.Alt(fyne.KeyUp),
			Enabled: func() bool { return here() && s.scenes.canMove(-1) }, Run: func() { s.scenes.move(-1) }},
		{ID: "build.moveDown", Title: "Move scene down", Menu: ui.MenuEdit, Group: 5, Shortcut: ui.Alt(fyne.KeyDown),
			Enabled: func() bool { return here() && s.scenes.canMove(1) }, Run: func() { s.scenes.move(1) }},
		{ID: "build.json", Title: "Show text of build.json", Menu: ui.MenuView, Group: 4, Shortcut: ui.Ctrl(fyne.KeyJ), Icon: theme.Icon(theme.IconData),
			Enabled: func() bool { return s.shown }, Run: s.toggleJSON},
	}
}

// ctrlAlt gives the shortcut of a key with Ctrl (Command on macOS) and Alt.
func ctrlAlt(key fyne.KeyName) fyne.Shortcut {
	return &desktop.CustomShortcut{KeyName: key, Modifier: fyne.KeyModifierShortcutDefault | fyne.KeyModifierAlt}
}

// head is the line above the form: what this is, whether it is saved, and what can be done with it.
type head struct {
	screen  *screen
	title   *fyne.Container
	state   *widgets.Badge
	where   *theme.Text
	save    *widget.Button
	revert  *widget.Button
	json    *widget.Button
	content fyne.CanvasObject
}

func newHead(s *screen) *head {
	h := &head{screen: s, state: widgets.NewBadge("", widgets.Accent), where: theme.Caption("")}
	h.where.Truncate = theme.TruncateEnd
	h.save = widget.NewButtonWithIcon("Save", theme.Icon(theme.IconSave), s.save)
	h.revert = widget.NewButtonWithIcon("Revert", theme.Icon(theme.IconUndo), s.revert)
	h.json = widget.NewButtonWithIcon("JSON", theme.Icon(theme.IconData), s.toggleJSON)
	name := theme.Title("Build")
	name.Truncate = theme.TruncateNone
	h.title = container.NewHBox(name, container.NewCenter(h.state))
	left := widgets.NewStack(2, h.title, h.where)
	bar := container.New(&sidesLayout{gap: 12}, left, container.NewHBox(h.json, h.revert, h.save))
	h.content = container.New(&overLayout{}, widgets.NewGround(theme.ColorNamePanel, widgets.EdgeBottom),
		container.New(&widgets.PadLayout{Left: 16, Top: 8, Right: 16, Bottom: 8}, bar))
	return h
}

func (h *head) load() {
	d := h.screen.model.document()
	dirty := d.Dirty()
	switch {
	case dirty:
		h.state.Set("Unsaved changes", widgets.Accent)
	case !d.Exists():
		h.state.Set("Defaults", widgets.Neutral)
	default:
		h.state.Set("Saved", widgets.Neutral)
	}
	what := "The export settings of " + h.screen.model.project().Title() + ", kept in build.json."
	if title := d.UndoTitle(); dirty && title != "" {
		what = "Last change: " + strings.ToLower(title[:1]) + title[1:] + "."
	}
	h.where.SetText(what)
	set := func(b *widget.Button, on bool) {
		if on {
			b.Enable()
		} else {
			b.Disable()
		}
	}
	set(h.save, dirty || !d.Exists())
	set(h.revert, dirty)
	importance := widget.MediumImportance
	if h.screen.body.jsonShown {
		importance = widget.HighImportance
	}
	if h.json.Importance != importance {
		h.json.Importance = importance
		h.json.Refresh()
	}
}

// foot is the line below the form: what an export would do, or what stands in its way, and the button that starts it.
type foot struct {
	screen  *screen
	lines   *fyne.Container
	summary *widgets.Note
	export  *widget.Button
	command *widget.Button
	presets *widget.Button
	content fyne.CanvasObject
}

// maxReasons is how many obstacles are listed beside the export button.
const maxReasons = 3

func newFoot(s *screen) *foot {
	f := &foot{screen: s, summary: widgets.NewNote("", widgets.Neutral)}
	f.lines = widgets.NewStack(0)
	f.export = widget.NewButtonWithIcon("Export", theme.Icon(theme.IconExports), s.export)
	f.export.Importance = widget.HighImportance
	f.command = widget.NewButtonWithIcon("Copy as command", theme.Icon(theme.IconCopy), s.copyCommand)
	f.presets = widget.NewButtonWithIcon("Presets", theme.Icon(theme.IconChevronUp), s.showPresets)
	bar := container.New(&sidesLayout{gap: 16}, widgets.NewStack(2, f.summary, f.lines), container.NewHBox(f.command, f.presets, f.export))
	f.content = container.New(&overLayout{}, widgets.NewGround(theme.ColorNamePanel, widgets.EdgeTop),
		container.New(&widgets.PadLayout{Left: 16, Top: 8, Right: 16, Bottom: 8}, bar))
	return f
}

func (f *foot) load() {
	reasons := f.screen.model.reasons()
	f.lines.Objects = f.lines.Objects[:0]
	for i, r := range reasons {
		if i == maxReasons-1 && len(reasons) > maxReasons {
			f.lines.Add(widgets.NewLink(fmt.Sprintf("and %d more…", len(reasons)-i), func() { f.screen.host.Show(ui.ScreenReadiness, "") }))
			break
		}
		f.lines.Add(widgets.NewLink(shorten(upperFirst(r.text), 110), func() { f.screen.open(r) }))
	}
	f.lines.Refresh()
	if f.screen.model.broken() != nil {
		f.summary.Set("Nothing can be exported before build.json is mended.", widgets.Danger)
		f.export.SetText("Export")
		f.export.Disable()
		f.command.Disable()
		f.presets.Disable()
		return
	}
	f.command.Enable()
	f.presets.Enable()
	f.export.SetText(f.screen.model.verb())
	if n := len(reasons); n > 0 {
		f.summary.Set(obstacles(n), widgets.Danger)
		f.export.Disable()
		return
	}
	f.export.Enable()
	state := widgets.Success
	if f.screen.model.warnings() > 0 {
		state = widgets.Warning
	}
	f.summary.Set(f.screen.model.summary(), state)
}

func obstacles(n int) string {
	if n == 1 {
		return "One thing stands in the way:"
	}
	return fmt.Sprintf("%d things stand in the way:", n)
}

func shorten(s string, most int) string {
	if r := []rune(s); len(r) > most {
		return string(r[:most-1]) + "…"
	}
	return s
}

// open leads to where a reason can be mended.
func (s *screen) open(r reason) {
	if r.field != "" {
		s.Focus(r.field)
		return
	}
	if r.target != "" {
		s.host.Show(ui.ScreenReadiness, r.target)
		return
	}
	s.host.OpenPlace(r.file, r.line)
}

// brokenView stands in place of the form while build.json cannot be understood.
type brokenView struct {
	screen  *screen
	state   *widgets.EmptyState
	content *fyne.Container
}

func newBrokenView(s *screen) *brokenView {
	v := &brokenView{screen: s}
	v.state = widgets.NewEmptyState(theme.Icon(theme.IconFailed), "build.json is not valid", "",
		widget.NewButtonWithIcon("Show the text", theme.Icon(theme.IconData), func() { s.Focus("json") }),
		widget.NewButtonWithIcon("Show the file", theme.Icon(theme.IconExternal), func() { s.host.OpenFolder(s.model.document().Path()) }),
		widget.NewButtonWithIcon("Replace with defaults", theme.Icon(theme.IconReload), s.model.replaceWithDefaults))
	v.content = container.NewStack(v.state)
	v.content.Hide()
	return v
}

func (v *brokenView) load(err error) {
	v.state.Set("build.json is not valid", upperFirst(brokenText(err))+
		".\nMend it in a text editor and it is read again, or start over with the defaults: that can be undone, and nothing is written before you save.")
}

func upperFirst(s string) string {
	if s == "" {
		return s
	}
	return strings.ToUpper(s[:1]) + s[1:]
}
