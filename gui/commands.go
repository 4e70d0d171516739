package gui

import (
	"fmt"
	"slices"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver/desktop"

	"talebinder/gui/theme"
	"talebinder/gui/ui"
)

// The table of commands is the one source of the menu bar, the shortcuts, the palette and the shortcut sheet. The shell's
// own commands stand here; each screen adds its own while a project is open.
func (s *Shell) ownCommands() []ui.Command {
	workspace := func() bool { return s.open != nil }
	inProject := func() bool { return s.open != nil && s.open.work.Project != nil }
	edited := func() bool {
		if s.open == nil {
			return false
		}
		if e := s.open.editor(); e != nil {
			return e.Dirty()
		}
		return s.open.dirty()
	}
	savable := func() bool { return s.open != nil && (s.open.editor() != nil || s.open.work.Project != nil) }
	list := []ui.Command{
		{ID: "file.open", Title: "Open project folder…", Menu: ui.MenuFile, Shortcut: ui.Ctrl(fyne.KeyO), Icon: theme.Icon(theme.IconFolderOpen), Run: s.chooseProject},
		{ID: "file.sample", Title: "Open the sample game", Menu: ui.MenuFile, Icon: theme.Icon(theme.IconSample),
			Enabled: func() bool { return s.options.Sample != nil }, Run: s.OpenSample},
		{ID: "file.close", Title: "Close project", Menu: ui.MenuFile, Shortcut: ui.Ctrl(fyne.KeyW), Icon: theme.Icon(theme.IconHome), Enabled: workspace, Run: s.CloseProject},
		{ID: "file.save", Title: "Save", Menu: ui.MenuFile, Group: 1, Shortcut: ui.Ctrl(fyne.KeyS), Icon: theme.Icon(theme.IconSave), Enabled: savable, Run: s.saveFront},
		{ID: "file.revert", Title: "Revert to what is saved", Menu: ui.MenuFile, Group: 1, Icon: theme.Icon(theme.IconHistory), Enabled: edited, Run: s.revert},
		{ID: "view.settings", Title: "Settings…", Menu: ui.MenuFile, Group: 2, Shortcut: ui.Ctrl(fyne.KeyComma), Icon: theme.Icon(theme.IconSettings), Run: s.showSettings},
		{ID: "file.quit", Title: "Quit", Menu: ui.MenuFile, Group: 3, Shortcut: ui.Ctrl(fyne.KeyQ), Icon: theme.Icon(theme.IconClose), Run: s.Quit},

		{ID: "edit.undo", Title: "Undo", Menu: ui.MenuEdit, Shortcut: &fyne.ShortcutUndo{}, Icon: theme.Icon(theme.IconUndo),
			Enabled: func() bool { return s.undoTitle() != "" }, Run: s.undo},
		{ID: "edit.redo", Title: "Redo", Menu: ui.MenuEdit, Shortcut: ui.CtrlShift(fyne.KeyZ), Also: []fyne.Shortcut{&fyne.ShortcutRedo{}}, Icon: theme.Icon(theme.IconRedo),
			Enabled: func() bool { return s.redoTitle() != "" }, Run: s.redo},

		{ID: "project.reload", Title: "Read the project again", Menu: ui.MenuProject, Group: 8, Shortcut: ui.Ctrl(fyne.KeyR), Also: []fyne.Shortcut{ui.Key(fyne.KeyF5)},
			Icon: theme.Icon(theme.IconReload), Enabled: inProject, Run: s.Rescan},
		{ID: "project.folder", Title: "Show the project folder", Menu: ui.MenuProject, Group: 9, Icon: theme.Icon(theme.IconFolder), Enabled: inProject,
			Run: func() { s.OpenFolder(s.open.work.Project.Dir) }},

		{ID: "view.palette", Title: "Find a command…", Menu: ui.MenuView, Group: 8, Shortcut: ui.Ctrl(fyne.KeyK), Icon: theme.Icon(theme.IconPalette), Run: s.showPalette},
		{ID: "view.next", Title: "Next screen", Menu: ui.MenuView, Group: 7, Shortcut: &desktop.CustomShortcut{KeyName: fyne.KeyTab, Modifier: fyne.KeyModifierControl},
			Enabled: workspace, Run: func() { s.step(1) }},
		{ID: "view.previous", Title: "Previous screen", Menu: ui.MenuView, Group: 7,
			Shortcut: &desktop.CustomShortcut{KeyName: fyne.KeyTab, Modifier: fyne.KeyModifierControl | fyne.KeyModifierShift},
			Enabled:  workspace, Run: func() { s.step(-1) }},
		{ID: "view.light", Title: "Light look", Menu: ui.MenuView, Group: 9, Icon: theme.Icon(theme.IconSun), Run: func() { s.setTheme(theme.Light) }},
		{ID: "view.dark", Title: "Dark look", Menu: ui.MenuView, Group: 9, Icon: theme.Icon(theme.IconMoon), Run: func() { s.setTheme(theme.Dark) }},

		{ID: "help.shortcuts", Title: "Keyboard shortcuts", Menu: ui.MenuHelp, Shortcut: ui.Ctrl(fyne.KeySlash), Also: []fyne.Shortcut{ui.Key(fyne.KeyF1)},
			Icon: theme.Icon(theme.IconKeyboard), Run: s.showShortcuts},
	}
	if s.open != nil {
		for i, screen := range s.open.screens {
			c := ui.Command{ID: "view.screen." + screen.ID(), Title: screen.Title(), Menu: ui.MenuView, Group: 1, Icon: screen.Icon(), Run: func() { s.showIndex(i) }}
			if i < 9 {
				c.Shortcut = ui.Alt(fyne.KeyName(fmt.Sprint(i + 1)))
			}
			list = append(list, c)
		}
	}
	return list
}

// Commands gives the table as it is now, in the order of the menus.
func (s *Shell) Commands() []ui.Command { return slices.Clone(s.commands) }

// rebuildCommands makes the table and the menu bar again, after a project was opened or closed.
func (s *Shell) rebuildCommands() {
	s.commands = s.ownCommands()
	if s.open != nil {
		for _, screen := range s.open.screens {
			s.commands = append(s.commands, screen.Commands()...)
		}
	}
	menus := ui.Menus()
	order := func(c ui.Command) int {
		if i := slices.Index(menus, c.Menu); i >= 0 {
			return i*100 + c.Group
		}
		return len(menus) * 100
	}
	slices.SortStableFunc(s.commands, func(a, b ui.Command) int { return order(a) - order(b) })
	s.menu.rebuild()
	s.addFurtherKeys()
}

// addFurtherKeys lets the second shortcuts of commands work where no field takes them first.
func (s *Shell) addFurtherKeys() {
	for _, sc := range s.further {
		s.window.Canvas().RemoveShortcut(sc)
	}
	s.further = nil
	for _, c := range s.commands {
		for _, sc := range c.Also {
			if _, modifier, ok := ui.KeysOf(sc); ok && modifier != 0 {
				s.window.Canvas().AddShortcut(sc, func(fyne.Shortcut) { s.RunCommand(c.ID) })
				s.further = append(s.further, sc)
			}
		}
	}
}

// RunCommand runs a command of the table, unless it makes no sense now or a sheet is in front.
func (s *Shell) RunCommand(id string) bool {
	if s.modal() && id != "file.quit" {
		return false
	}
	for _, c := range s.commands {
		if c.ID == id && c.CanRun() {
			c.Run()
			s.menu.refresh()
			return true
		}
	}
	return false
}

// typedKey takes keys while nothing has the focus: the keys without Ctrl or Alt of the table, and Escape for a sheet.
func (s *Shell) typedKey(e *fyne.KeyEvent) {
	if sh := s.topSheet(); sh != nil {
		if e.Name == fyne.KeyEscape {
			sh.close()
		}
		return
	}
	for _, c := range s.commands {
		for _, sc := range append([]fyne.Shortcut{c.Shortcut}, c.Also...) {
			if key, modifier, ok := ui.KeysOf(sc); ok && key == e.Name && modifier == 0 {
				s.RunCommand(c.ID)
				return
			}
		}
	}
}

// undoTitle names what Undo takes back: of the screen in front when it has edits of its own, else of the build settings.
func (s *Shell) undoTitle() string {
	if s.open == nil {
		return ""
	}
	if e := s.open.editor(); e != nil {
		return e.UndoTitle()
	}
	if s.open.build() == nil {
		return ""
	}
	return s.open.build().UndoTitle()
}

func (s *Shell) redoTitle() string {
	if s.open == nil {
		return ""
	}
	if e := s.open.editor(); e != nil {
		return e.RedoTitle()
	}
	if s.open.build() == nil {
		return ""
	}
	return s.open.build().RedoTitle()
}

// saveFront saves the edits of the screen in front when it has edits of its own, else the build settings.
func (s *Shell) saveFront() {
	e := s.open.editor()
	if e == nil {
		s.save()
		return
	}
	if !e.Dirty() {
		return
	}
	files := e.DirtyFiles()
	e.Save(func(err error) {
		if err != nil {
			s.Error(err)
			return
		}
		if len(files) == 1 {
			s.status.notice("Saved " + files[0] + ".")
		} else {
			s.status.notice("Saved " + ui.Plural(len(files), "file") + ".")
		}
		s.BadgesChanged()
	})
}

func (s *Shell) undo() {
	title := s.undoTitle()
	if e := s.open.editor(); e != nil {
		e.Undo()
		s.status.notice("Undone: " + title)
		s.BadgesChanged()
		return
	}
	if s.open.work.Project.Build.Undo() {
		s.open.work.Changed(ui.BuildEdited)
		s.status.notice("Undone: " + title)
	}
}

func (s *Shell) redo() {
	title := s.redoTitle()
	if e := s.open.editor(); e != nil {
		e.Redo()
		s.status.notice("Done again: " + title)
		s.BadgesChanged()
		return
	}
	if s.open.work.Project.Build.Redo() {
		s.open.work.Changed(ui.BuildEdited)
		s.status.notice("Done again: " + title)
	}
}

func (s *Shell) revert() {
	if e := s.open.editor(); e != nil {
		e.Revert()
		s.status.notice("Back to what is saved. Undo brings your edits back.")
		s.BadgesChanged()
		return
	}
	s.open.work.Project.Build.Revert()
	s.open.work.Changed(ui.BuildEdited)
	s.status.notice("Back to what is saved. Undo brings your edits back.")
}

func (s *Shell) setTheme(mode theme.Mode) {
	s.Error(s.options.Settings.SetTheme(string(mode)))
	s.app.Settings().SetTheme(theme.New(mode))
}
