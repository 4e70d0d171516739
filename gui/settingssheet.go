package gui

import (
	"strconv"
	"strings"

	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/widget"

	"talebinder/gui/theme"
	"talebinder/gui/ui"
	"talebinder/gui/widgets"
)

// scales are the choices for the size of everything drawn; 0 leaves it to the display.
var scales = [...]float32{0, 0.75, 0.9, 1, 1.1, 1.25, 1.5, 1.75, 2, 2.5}

func scaleText(scale float32) string {
	if scale == 0 {
		return "As the display says"
	}
	return strconv.Itoa(int(scale*100+0.5)) + " %"
}

// showSettings is the form of the person's settings. Everything counts at once, except the scale.
func (s *Shell) showSettings() {
	set := s.options.Settings
	modes := []theme.Mode{theme.System, theme.Light, theme.Dark}
	look := widgets.NewSegmented([]string{"Like the system", "Light", "Dark"}, func(i int) { s.setTheme(modes[i]) })
	for i, m := range modes {
		if string(m) == set.Theme() {
			look.Load(i)
		}
	}
	lookField := widgets.NewField("Look", look)

	var names []string
	for _, v := range scales {
		names = append(names, scaleText(v))
	}
	scaleField := (*widgets.Field)(nil)
	scale := widget.NewSelect(names, nil)
	scale.Selected = scaleText(set.Scale())
	scale.OnChanged = func(name string) {
		for _, v := range scales {
			if scaleText(v) == name {
				s.Error(set.SetScale(v))
				scaleField.SetStatus("Counts from the next start on.", widgets.Notice)
			}
		}
	}
	scaleField = widgets.NewField("Size of everything", scale)
	scaleField.SetHelp("For screens on which texts are too small or too large.")

	players := widgets.NewPathField()
	playersField := widgets.NewField("Players folder", players)
	playersField.SetHelp("Folder with the engine's players, a folder for each. Empty: they are looked for beside Talebinder, in the engine's cache and among those published here.")
	players.Load(set.PlayersFolder())
	players.OnChanged = func(text string) { s.Error(set.SetPlayersFolder(strings.TrimSpace(text))); s.settingsChanged() }
	players.OnBrowse = func() {
		s.Chooser().Folder("Players folder", set.PlayersFolder(), func(path string) { players.Type(path) })
	}

	sources := widgets.NewPathField()
	sourcesField := widgets.NewField("Engine's sources", sources)
	sourcesField.SetHelp("A checkout that players are published from. Empty: what TALESMITH_SOURCE names, or the one that Talebinder lies in.")
	sources.Load(set.EngineSources())
	sources.OnChanged = func(text string) { s.Error(set.SetEngineSources(strings.TrimSpace(text))); s.settingsChanged() }
	sources.OnBrowse = func() {
		s.Chooser().Folder("Engine's sources", set.EngineSources(), func(path string) { sources.Type(path) })
	}

	version := widgets.NewEntry()
	version.SetPlaceHolder("newest known")
	version.Load(set.EngineVersion())
	versionField := widgets.NewField("Engine version", version)
	versionField.SetHelp("Plugins are checked against it, for example 0.9.2.")
	version.OnChanged = func(text string) {
		text = strings.TrimSpace(text)
		if !versionLike(text) {
			versionField.SetStatus("A version is up to three numbers with dots between them.", widgets.Danger)
			return
		}
		versionField.SetStatus("Counts when a project is opened or read again.", widgets.Notice)
		s.Error(set.SetEngineVersion(text))
	}

	recents := theme.Body(ui.Plural(len(set.Recents()), "project"))
	var clear *widget.Button
	clear = widget.NewButton("Clear the list", func() {
		s.Error(set.ClearRecents())
		recents.SetText("No projects")
		clear.Disable()
		s.settingsChanged()
	})
	if len(set.Recents()) == 0 {
		recents.SetText("No projects")
		clear.Disable()
	}
	recentsField := widgets.NewField("Recent projects", container.NewBorder(nil, nil, nil, clear, recents))

	about := theme.Caption("Talebinder " + s.options.Version)
	if s.options.Version == "" {
		about = theme.Caption("Talebinder")
	}
	file := theme.MonoMuted(set.Path())
	form := widgets.NewStack(14, lookField, scaleField, playersField, sourcesField, versionField, newCacheField(s).Field, recentsField,
		widgets.NewStack(2, about, file))
	s.showSheet(sheetOptions{
		icon: theme.IconSettings, tone: widgets.Accent, title: "Settings", width: 520,
		content: widgets.NewColumn(container.New(&widgets.PadLayout{Right: 12}, form)), height: 456,
		buttons: []sheetButton{{text: "Close"}},
	})
}

// settingsChanged lets what depends on the settings be looked at again.
func (s *Shell) settingsChanged() {
	if s.open == nil {
		s.hub.Reload()
	} else {
		s.open.work.Changed(ui.SettingsChanged)
	}
	s.rebuildCommands()
}

func versionLike(text string) bool {
	if text == "" {
		return true
	}
	parts := strings.Split(text, ".")
	if len(parts) > 3 {
		return false
	}
	for _, p := range parts {
		if _, err := strconv.ParseUint(p, 10, 31); err != nil || strings.HasPrefix(p, "+") {
			return false
		}
	}
	return true
}
