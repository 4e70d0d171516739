package gui

import (
	"path/filepath"

	"fyne.io/fyne/v2"

	"talebinder/gui/ui"
)

// The menuBar is made from the table of commands. Shortcuts of menu items are the ones that work while a field has the
// focus, so every command with a shortcut is a menu item.
type menuBar struct {
	shell *Shell
	main  *fyne.MainMenu
	items map[string]*fyne.MenuItem // by command
}

// recentsInMenu is how many recent projects the File menu lists.
const recentsInMenu = 10

func newMenuBar(s *Shell) *menuBar { return &menuBar{shell: s} }

func (m *menuBar) rebuild() {
	m.items = map[string]*fyne.MenuItem{}
	m.main = fyne.NewMainMenu()
	for _, name := range ui.Menus() {
		menu := fyne.NewMenu(name)
		group := -1
		for _, c := range m.shell.commands {
			if c.Menu != name {
				continue
			}
			if group >= 0 && c.Group != group {
				menu.Items = append(menu.Items, fyne.NewMenuItemSeparator())
			}
			group = c.Group
			menu.Items = append(menu.Items, m.item(c))
			if c.ID == "file.open" {
				menu.Items = append(menu.Items, m.recent())
			}
		}
		if len(menu.Items) > 0 {
			m.main.Items = append(m.main.Items, menu)
		}
	}
	m.update()
	m.shell.window.SetMainMenu(m.main)
}

func (m *menuBar) item(c ui.Command) *fyne.MenuItem {
	item := fyne.NewMenuItem(c.Title, func() { m.shell.RunCommand(c.ID) })
	item.Shortcut = c.Shortcut
	item.IsQuit = c.ID == "file.quit"
	m.items[c.ID] = item
	return item
}

func (m *menuBar) recent() *fyne.MenuItem {
	item := fyne.NewMenuItem("Recent projects", nil)
	var list []*fyne.MenuItem
	for i, r := range m.shell.options.Settings.Recents() {
		if i == recentsInMenu {
			break
		}
		list = append(list, fyne.NewMenuItem(r.Title+"   "+filepath.Base(r.Path), func() {
			if !m.shell.modal() {
				m.shell.Open(r.Path)
			}
		}))
	}
	item.Disabled = len(list) == 0
	item.ChildMenu = fyne.NewMenu("", list...)
	return item
}

// update takes up which commands make sense now, and tells whether anything changed.
func (m *menuBar) update() bool {
	changed := false
	for _, c := range m.shell.commands {
		item := m.items[c.ID]
		if item == nil {
			continue
		}
		label := c.Title
		switch c.ID {
		case "edit.undo":
			if t := m.shell.undoTitle(); t != "" {
				label = "Undo: " + t
			}
		case "edit.redo":
			if t := m.shell.redoTitle(); t != "" {
				label = "Redo: " + t
			}
		}
		if disabled := !c.CanRun(); item.Disabled != disabled || item.Label != label {
			item.Disabled, item.Label = disabled, label
			changed = true
		}
	}
	return changed
}

// refresh takes up what has changed since the menu bar was made.
func (m *menuBar) refresh() {
	if m.main != nil && m.update() {
		m.main.Refresh()
	}
}
