package scenes

import (
	"context"
	"errors"
	"fmt"
	"path"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/widget"

	"talebinder/formats/guid"
	"talebinder/gui/theme"
	"talebinder/gui/ui"
	"talebinder/project/document"
	"talebinder/project/scene/overrides"
)

// workOut works out a change in the background, one at a time, and hands it over.
func (s *screen) workOut(what string, f func(ctx context.Context) (*overrides.Change, error), then func(*overrides.Change)) {
	if s.busy || s.dialog != nil || s.data == nil {
		return
	}
	s.busy = true
	s.overrides.controls()
	var change *overrides.Change
	s.host.Go(what, func(ctx context.Context) error {
		var err error
		change, err = f(ctx)
		return err
	}, func(err error) {
		s.busy = false
		if s.closed {
			return
		}
		s.overrides.controls()
		if err != nil {
			if !errors.Is(err, context.Canceled) {
				s.host.Error(fmt.Errorf("nothing was changed: %w", err))
			}
			return
		}
		then(change)
	})
}

// do makes a change as one step.
func (s *screen) do(c *overrides.Change) {
	if c.Empty() {
		text := "There was nothing to change"
		if len(c.Skipped) > 0 {
			text = c.Skipped[0].Message
		}
		s.host.Notify(text)
		s.refresh()
		return
	}
	if err := s.data.Do(c, ""); err != nil {
		var stale *document.StaleError
		if errors.As(err, &stale) {
			s.refresh()
		}
		s.host.Error(fmt.Errorf("nothing was changed: %w", err))
		return
	}
	others := map[instance]bool{}
	for _, v := range c.Values {
		if v.What == overrides.Seen {
			others[instance{v.File, v.Instance}] = true
		}
	}
	text := c.Title
	if len(others) > 0 {
		text += ": " + ui.Plural(len(others), "other instance") + " changed too"
	}
	s.host.Notify(text)
	s.refresh()
}

// directly makes a change of one value at once: it can be undone.
func (s *screen) directly(what string, f func(ctx context.Context) (*overrides.Change, error)) {
	s.workOut(what, f, s.do)
}

// previewed shows what a change would touch, and makes it when the person says so.
func (s *screen) previewed(what, verb, commands string, f func(ctx context.Context) (*overrides.Change, error)) {
	var p *Preview
	db := s.host.Workspace().Project.Assets
	s.workOut(what, func(ctx context.Context) (*overrides.Change, error) {
		c, err := f(ctx)
		if err == nil {
			p = newPreview(db, c, verb)
		}
		return c, err
	}, func(c *overrides.Change) { s.showPreview(p, commands, func() { s.do(c) }) })
}

// setValue gives the chosen value another one.
func (s *screen) setValue(value []byte) {
	item := s.item()
	if item == nil || item.Path == "" {
		return
	}
	t := s.inspection.TargetOf(item)
	s.focusList() // the field makes room for that of the new value
	s.directly("Setting "+item.Name, func(ctx context.Context) (*overrides.Change, error) { return s.data.Set(ctx, t, value) })
}

// overridden says whether the chosen line is a value or component that the instance has for itself.
func (s *screen) overridden() bool {
	item := s.item()
	return item != nil && item.Member && (item.Row != nil || item.Below > 0)
}

func (s *screen) revertValue() {
	item := s.item()
	if !s.overridden() {
		return
	}
	if item.IsComponent() || item.Group {
		s.revertComponent()
		return
	}
	t := s.inspection.TargetOf(item)
	s.directly("Reverting "+item.Name, func(ctx context.Context) (*overrides.Change, error) { return s.data.Revert(ctx, t) })
}

// revertTargets reverts several values, after a preview.
func (s *screen) revertTargets(verb string, targets ...overrides.Target) {
	s.previewed("Working out what reverting changes", verb, s.commandsOf("revert", targets), func(ctx context.Context) (*overrides.Change, error) {
		return s.data.Revert(ctx, targets...)
	})
}

// below gives the targets of a line: itself, or all values in it that differ.
func (s *screen) below(item *Item) []overrides.Target {
	if item.IsComponent() || item.Row != nil {
		return []overrides.Target{s.inspection.TargetOf(item)}
	}
	var targets []overrides.Target
	for i := range s.inspection.Items {
		if other := &s.inspection.Items[i]; other.Row != nil && other.Component == item.Component && strings.HasPrefix(other.Path, item.Path+".") {
			targets = append(targets, s.inspection.TargetOf(other))
		}
	}
	return targets
}

func (s *screen) revertComponent() {
	item := s.item()
	if item == nil || !item.Member {
		return
	}
	t := s.inspection.Target
	t.Component = item.Component
	targets := []overrides.Target{t}
	if item.Group {
		targets = s.below(item)
	}
	s.revertTargets("Revert "+item.Component, targets...)
}

func (s *screen) revertInstance() {
	if s.inInstance() {
		s.revertTargets("Revert the instance", s.inspection.Whole())
	}
}

func (s *screen) inInstance() bool { return s.inspection != nil && s.inspection.Member }

func (s *screen) applyTargets(verb string, targets ...overrides.Target) {
	s.previewed("Working out what applying changes", verb, s.commandsOf("apply", targets), func(ctx context.Context) (*overrides.Change, error) {
		return s.data.Apply(ctx, targets...)
	})
}

func (s *screen) apply() {
	if item := s.item(); s.overridden() {
		s.applyTargets("Apply", s.below(item)...)
	}
}

func (s *screen) applyAll() {
	if s.inInstance() {
		s.applyTargets("Apply all", s.inspection.Whole())
	}
}

func (s *screen) removeComponent() {
	item := s.item()
	if item == nil || item.Removed {
		return
	}
	t := s.inspection.Target
	t.Component = item.Component
	s.directly("Removing "+item.Component, func(ctx context.Context) (*overrides.Change, error) { return s.data.RemoveComponent(ctx, t) })
}

func (s *screen) restoreComponent() {
	item := s.item()
	if item == nil || !item.Removed {
		return
	}
	t := s.inspection.TargetOf(item)
	s.directly("Restoring "+item.Component, func(ctx context.Context) (*overrides.Change, error) { return s.data.RestoreComponent(ctx, t) })
}

// chosenDifferences gives what is ticked in the list, else the chosen line.
func (s *screen) chosenDifferences() []*overrides.Row {
	if s.list == nil || s.overrides == nil {
		return nil
	}
	return s.list.Chosen(s.overrides.rows.Selected())
}

func (s *screen) revertChosen() {
	if rows := s.chosenDifferences(); len(rows) > 0 {
		s.revertTargets("Revert "+ui.Plural(len(rows), "difference"), targetsOf(rows)...)
	}
}

func (s *screen) applyChosen() {
	if rows := s.chosenDifferences(); len(rows) > 0 {
		s.applyTargets("Apply "+ui.Plural(len(rows), "difference"), targetsOf(rows)...)
	}
}

// clearChosen removes exactly the chosen differences, of whatever class.
func (s *screen) clearChosen() {
	rows := s.chosenDifferences()
	if len(rows) == 0 {
		return
	}
	var plain []overrides.Row
	for _, r := range rows {
		plain = append(plain, *r)
	}
	s.previewed("Working out what clearing changes", "Clear "+ui.Plural(len(rows), "difference"), "", func(ctx context.Context) (*overrides.Change, error) {
		return s.data.ClearRows(ctx, plain)
	})
}

// clean removes what is redundant or orphaned in the whole project.
func (s *screen) clean() {
	command := ui.CommandLine([]string{"talebinder", "prefab", "clear", s.host.Workspace().Project.Dir})
	s.previewed("Working out what cleaning up changes", "Clean up", command, func(ctx context.Context) (*overrides.Change, error) {
		return s.data.Clear(ctx, overrides.Filter{})
	})
}

// focusList gives the keyboard back to the list that is in front.
func (s *screen) focusList() {
	rows := s.inspector.rows
	if s.modes.Selected() == 1 {
		rows = s.overrides.rows
	}
	if s.shown && rows.Visible() {
		s.host.Window().Canvas().Focus(rows)
	}
}

func (s *screen) tickLine(i int, on bool) {
	s.list.Tick(i, on)
	s.overrides.rows.Refresh()
	s.overrides.controls()
	s.overrides.head.tick.Set(len(s.list.ticked) > 0 && len(s.list.ticked) >= s.list.Count(s.list.filter.Class), true)
}

func (s *screen) tickAll(on bool) {
	if s.list == nil {
		return
	}
	s.list.TickAll(on)
	s.overrides.rows.Refresh()
	s.overrides.controls()
	s.overrides.head.tick.Set(on, true)
}

func (s *screen) foldLine(i int) {
	s.list.Fold(s.list.Row(i).Heading)
	s.overrides.rows.Refresh()
}

// showDifference shows the chosen difference in its document.
func (s *screen) showDifference() {
	if s.list == nil {
		return
	}
	r := s.list.Difference(s.overrides.rows.Selected())
	if r == nil {
		return
	}
	row := *r
	s.setMode(0)
	s.read(row.File, func() {
		if s.open.Expansion == nil {
			return
		}
		node, ok := s.open.Expansion.Find(row.Member)
		if !ok {
			node, ok = s.open.Expansion.Find(row.Instance)
		}
		if !ok {
			return
		}
		s.chooseNode(node, true)
		if i := s.inspection.Find(row.Component, row.Path); i >= 0 {
			s.inspector.rows.Select(i)
		}
	})
}

// showOverridesOf lists the differences of one document.
func (s *screen) showOverridesOf(file string) {
	s.setMode(1)
	if s.list != nil {
		s.list.SetFilter(ListFilter{Query: file, Class: -1})
		s.overrides.fill()
	}
}

// commandsOf writes what does the same in a terminal, a line for each target.
func (s *screen) commandsOf(verb string, targets []overrides.Target, more ...string) string {
	var lines []string
	for _, t := range targets {
		words := []string{"talebinder", "prefab", verb, s.host.Workspace().Project.Dir, t.File, t.Instance.String()}
		for _, o := range []struct{ name, value string }{{"--entity", id(t.Entity)}, {"--component", t.Component}, {"--path", t.Path}} {
			if o.value != "" {
				words = append(words, o.name, o.value)
			}
		}
		lines = append(lines, ui.CommandLine(append(words, more...)))
	}
	return strings.Join(lines, "\n")
}

func id(g guid.Guid) string {
	if g.IsZero() {
		return ""
	}
	return g.String()
}

// subject gives the targets that a command is about: of the list, or of the inspector.
func (s *screen) subject() []overrides.Target {
	if s.modes.Selected() == 1 {
		return targetsOf(s.chosenDifferences())
	}
	if item := s.item(); item != nil && s.overridden() {
		return s.below(item)
	}
	if s.inInstance() && s.inspection.Differences() > 0 {
		return []overrides.Target{s.inspection.Whole()}
	}
	return nil
}

// copyCommand copies what reverts or applies the chosen differences in a terminal.
func (s *screen) copyCommand(verb string) {
	if targets := s.subject(); len(targets) > 0 {
		s.host.Copy(s.commandsOf(verb, targets))
	}
}

func (s *screen) copySet() {
	item := s.item()
	if item == nil || item.Path == "" || !item.Value.Exists() {
		return
	}
	s.host.Copy(s.commandsOf("set", []overrides.Target{s.inspection.TargetOf(item)}, "--value", string(item.Value.Raw())))
}

func (s *screen) copyList() {
	s.host.Copy(ui.CommandLine([]string{"talebinder", "prefab", "overrides", s.host.Workspace().Project.Dir}))
}

func (s *screen) copyTable() {
	if s.list != nil {
		s.host.Copy(s.list.Text())
		s.host.Notify("The list is on the clipboard")
	}
}

func (s *screen) copyValue() {
	item := s.item()
	switch {
	case item == nil:
	case item.Value.Exists():
		s.host.Copy(string(item.Value.Raw()))
	case item.Base.Exists():
		s.host.Copy(string(item.Base.Raw()))
	}
}

// openPlace leads to where the chosen thing is written.
func (s *screen) openPlace() {
	if s.open == nil || s.modes.Selected() == 1 {
		if r := s.list.Difference(s.overrides.rows.Selected()); r != nil {
			s.host.OpenPlace("assets/"+r.File, r.Line)
		}
		return
	}
	line := 0
	file := s.open.File
	if item := s.item(); item != nil && item.Row != nil {
		line = item.Row.Line
	} else if s.inspection != nil {
		if n := &s.open.Expansion.Nodes[s.inspection.Node]; n.Entity != nil {
			line, _ = n.Entity.JSON.Position()
			file = n.Document.Name
		}
	}
	s.host.OpenPlace("assets/"+trimAssets(file), line)
}

func (s *screen) itemMenu(at fyne.Position) {
	item := s.item()
	if item == nil {
		return
	}
	var items []*fyne.MenuItem
	add := func(title string, on bool, run func()) {
		m := fyne.NewMenuItem(title, run)
		m.Disabled = !on
		items = append(items, m)
	}
	value := item.Path != "" && !item.Group
	if value {
		add("Edit the value", true, s.inspector.editor.focus)
	}
	if item.Member {
		if value {
			add("Revert the value", item.Row != nil, s.revertValue)
		}
		add("Revert "+item.Component+"…", s.componentDiffers(item.Component), s.revertComponent)
		add("Revert the instance…", s.inspection.Differences() > 0, s.revertInstance)
		items = append(items, fyne.NewMenuItemSeparator())
		add("Apply to the prefab…", s.overridden(), s.apply)
		add("Apply all of the instance…", s.inspection.Differences() > 0, s.applyAll)
		items = append(items, fyne.NewMenuItemSeparator())
	}
	if item.Removed {
		add("Restore "+item.Component, true, s.restoreComponent)
	} else {
		add("Remove "+item.Component, item.Component != transform, s.removeComponent)
	}
	items = append(items, fyne.NewMenuItemSeparator())
	add("Copy the value", item.Value.Exists() || item.Base.Exists(), s.copyValue)
	if value {
		add("Copy setting it as command", item.Value.Exists(), s.copySet)
	}
	add("Copy reverting as command", s.overridden(), func() { s.copyCommand("revert") })
	add("Copy applying as command", s.overridden(), func() { s.copyCommand("apply") })
	add("Open where it is written", true, s.openPlace)
	widget.ShowPopUpMenuAtPosition(fyne.NewMenu("", items...), s.host.Window().Canvas(), at)
}

// componentDiffers says whether the instance has anything of its own in a component.
func (s *screen) componentDiffers(component string) bool {
	for i := range s.inspection.Items {
		if item := &s.inspection.Items[i]; item.Component == component && item.Row != nil {
			return true
		}
	}
	return false
}

func (s *screen) entityMenu(at fyne.Position) {
	in := s.inspection
	if in == nil {
		return
	}
	items := []*fyne.MenuItem{
		fyne.NewMenuItem("Show in the picture", func() { s.pane.choose(1); s.stage.FitNode(in.Node) }),
		fyne.NewMenuItem("Copy the id", func() { s.host.Copy(in.ID.String()) }),
		fyne.NewMenuItem("Open where it is written", s.openPlace),
	}
	if in.Member {
		for _, ref := range in.Prefab {
			if ref.Path != "" {
				items = append(items, fyne.NewMenuItem("Open "+path.Base(ref.Path), func() { s.openFile(ref.Path) }))
			}
		}
		revert, apply := fyne.NewMenuItem("Revert the instance…", s.revertInstance), fyne.NewMenuItem("Apply all of the instance…", s.applyAll)
		revert.Disabled, apply.Disabled = in.Differences() == 0, in.Differences() == 0
		items = append(items, fyne.NewMenuItemSeparator(), revert, apply)
	}
	widget.ShowPopUpMenuAtPosition(fyne.NewMenu("", items...), s.host.Window().Canvas(), at)
}

func (s *screen) documentMenu(at fyne.Position) {
	file := s.file
	items := []*fyne.MenuItem{
		fyne.NewMenuItem("List its overrides", func() { s.showOverridesOf(file) }),
		fyne.NewMenuItem("Show in the content", func() { s.host.Show(ui.ScreenContent, file) }),
		fyne.NewMenuItem("Copy the path", func() { s.host.Copy(file) }),
	}
	widget.ShowPopUpMenuAtPosition(fyne.NewMenu("", items...), s.host.Window().Canvas(), at)
}

func (s *screen) differenceMenu(at fyne.Position) {
	if len(s.chosenDifferences()) == 0 {
		return
	}
	items := []*fyne.MenuItem{
		fyne.NewMenuItem("Show in the hierarchy", s.showDifference),
		fyne.NewMenuItem("Open where it is written", s.openPlace),
		fyne.NewMenuItemSeparator(),
		fyne.NewMenuItem("Revert…", s.revertChosen), fyne.NewMenuItem("Apply…", s.applyChosen), fyne.NewMenuItem("Clear…", s.clearChosen),
		fyne.NewMenuItemSeparator(),
		fyne.NewMenuItem("Copy reverting as command", func() { s.copyCommand("revert") }),
		fyne.NewMenuItem("Copy applying as command", func() { s.copyCommand("apply") }),
		fyne.NewMenuItem("Copy the list", s.copyTable),
	}
	widget.ShowPopUpMenuAtPosition(fyne.NewMenu("", items...), s.host.Window().Canvas(), at)
}

// Commands are what the menus offer for this screen.
func (s *screen) Commands() []ui.Command {
	free := func() bool { return s.shown && s.data != nil && s.dialog == nil && !s.busy }
	browsing := func() bool { return free() && s.modes.Selected() == 0 }
	listing := func() bool { return free() && s.modes.Selected() == 1 && s.list != nil }
	value := func() bool { i := s.item(); return browsing() && i != nil && i.Path != "" && !i.Group }
	differs := func() bool { return free() && len(s.subject()) > 0 }
	either := func(page, list func()) func() {
		return func() {
			if s.modes.Selected() == 1 {
				list()
			} else {
				page()
			}
		}
	}
	instance := func() bool { return browsing() && s.inInstance() && s.inspection.Differences() > 0 }
	component := func(removed bool) func() bool {
		return func() bool {
			i := s.item()
			return browsing() && i != nil && i.Removed == removed && i.Component != transform
		}
	}
	return []ui.Command{
		{ID: "scenes.search", Title: "Find an entity or override", Menu: ui.MenuEdit, Group: 6, Shortcut: ui.CtrlShift(fyne.KeyF), Icon: theme.Icon(theme.IconSearch), Enabled: free,
			Run: either(func() { s.entities.Focus() }, func() { s.overrides.search.Focus() })},
		{ID: "scenes.edit", Title: "Edit the value", Menu: ui.MenuEdit, Group: 6, Shortcut: ui.Ctrl(fyne.KeyE), Enabled: value, Run: s.inspector.editor.focus},
		{ID: "scenes.revert", Title: "Revert to the prefab", Menu: ui.MenuEdit, Group: 6, Shortcut: ui.Ctrl(fyne.KeyD), Icon: theme.Icon(theme.IconUndo),
			Enabled: func() bool {
				return differs() && (s.modes.Selected() == 1 || s.overridden())
			}, Run: either(s.revertValue, s.revertChosen)},
		{ID: "scenes.revertComponent", Title: "Revert the component…", Enabled: func() bool {
			i := s.item()
			return browsing() && i != nil && i.Member && s.componentDiffers(i.Component)
		}, Run: s.revertComponent},
		{ID: "scenes.revertInstance", Title: "Revert the instance…", Menu: ui.MenuEdit, Group: 6, Enabled: instance, Run: s.revertInstance},
		{ID: "scenes.apply", Title: "Apply to the prefab…", Menu: ui.MenuEdit, Group: 6, Shortcut: ui.CtrlShift(fyne.KeyD), Icon: theme.Icon(theme.IconPrefab),
			Enabled: func() bool {
				return differs() && (s.modes.Selected() == 1 || s.overridden())
			}, Run: either(s.apply, s.applyChosen)},
		{ID: "scenes.applyAll", Title: "Apply all of the instance…", Menu: ui.MenuEdit, Group: 6, Enabled: instance, Run: s.applyAll},
		{ID: "scenes.remove", Title: "Remove the component", Enabled: component(false), Run: s.removeComponent},
		{ID: "scenes.restore", Title: "Restore the component", Enabled: component(true), Run: s.restoreComponent},
		{ID: "scenes.clear", Title: "Clear the chosen overrides…", Enabled: func() bool { return listing() && len(s.chosenDifferences()) > 0 }, Run: s.clearChosen},
		{ID: "scenes.clean", Title: "Clean up redundant and orphaned overrides…", Menu: ui.MenuProject, Group: 7, Icon: theme.Icon(theme.IconTrash),
			Enabled: func() bool { return free() && s.list != nil && s.waste() > 0 }, Run: s.clean},
		{ID: "scenes.mode", Title: "Hierarchy or list of overrides", Menu: ui.MenuView, Group: 5, Shortcut: ui.Ctrl(fyne.KeyT), Enabled: free,
			Run: func() { s.setMode(1 - max(0, s.modes.Selected())) }},
		{ID: "scenes.picture", Title: "Values or picture of a scene", Menu: ui.MenuView, Group: 5, Enabled: browsing, Run: func() { s.pane.choose(1 - s.pane.shown) }},
		{ID: "scenes.fit", Title: "Show the entity in the picture", Menu: ui.MenuView, Group: 5, Enabled: func() bool { return browsing() && s.inspection != nil },
			Run: func() { s.pane.choose(1); s.stage.FitNode(s.inspection.Node) }},
		{ID: "scenes.show", Title: "Show the override in the hierarchy", Enabled: func() bool { return listing() && s.list.Difference(s.overrides.rows.Selected()) != nil }, Run: s.showDifference},
		{ID: "scenes.place", Title: "Open where the value is written", Enabled: func() bool {
			return browsing() && s.inspection != nil || listing() && s.list.Difference(s.overrides.rows.Selected()) != nil
		}, Run: s.openPlace},
		{ID: "scenes.compare", Title: "Compare all instances again", Enabled: free, Run: s.compareAll},
		{ID: "scenes.copyRevert", Title: "Copy reverting as command", Icon: theme.Icon(theme.IconCopy), Enabled: differs, Run: func() { s.copyCommand("revert") }},
		{ID: "scenes.copyApply", Title: "Copy applying as command", Icon: theme.Icon(theme.IconCopy), Enabled: differs, Run: func() { s.copyCommand("apply") }},
		{ID: "scenes.copySet", Title: "Copy setting the value as command", Icon: theme.Icon(theme.IconCopy), Enabled: value, Run: s.copySet},
		{ID: "scenes.copyOverrides", Title: "Copy listing overrides as command", Icon: theme.Icon(theme.IconCopy), Enabled: free, Run: s.copyList},
		{ID: "scenes.copyTable", Title: "Copy the list of overrides", Icon: theme.Icon(theme.IconCopy), Enabled: func() bool { return free() && s.list != nil }, Run: s.copyTable},
	}
}
