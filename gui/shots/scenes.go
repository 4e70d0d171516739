package main

import (
	"time"

	"fyne.io/fyne/v2"

	"talebinder/gui/ui"
)

// drawn settles the window with the pictures that are drawn in the background once the window has asked for them.
func (s *studio) drawn() {
	for i := range 24 {
		if i%8 == 0 {
			s.settle()
			s.shell.Window().Canvas().Capture()
		}
		s.settle()
		time.Sleep(20 * time.Millisecond)
	}
}

// key presses a key where the focus is.
func (s *studio) key(name fyne.KeyName) {
	if f := s.shell.Window().Canvas().Focused(); f != nil {
		f.TypedKey(&fyne.KeyEvent{Name: name})
	}
	s.settle()
}

// write types a text where the focus is, in place of what is selected.
func (s *studio) write(text string) {
	if f := s.shell.Window().Canvas().Focused(); f != nil {
		for _, r := range text {
			f.TypedRune(r)
		}
	}
	s.settle()
}

// scenes shows an instance beside its prefab, a value that is typed wrong and one that was edited, what applying it would
// touch, and the list of overrides. Afterwards the edits are taken back.
func (s *studio) scenes() {
	s.shell.Show(ui.ScreenScenes, "scenes/harbour.tscene:309")
	s.drawn()
	s.shot("scenes")
	s.shell.RunCommand("scenes.picture")
	s.drawn()
	s.shot("scenes-picture")
	s.shell.RunCommand("scenes.picture")
	s.shell.RunCommand("scenes.edit")
	s.write("orange")
	s.shot("scenes-typing")
	s.shell.RunCommand("scenes.edit")
	s.write("#FF8800")
	s.key(fyne.KeyReturn)
	s.drawn()
	s.shot("scenes-edited")
	s.shell.RunCommand("scenes.apply")
	s.drawn()
	s.shot("scenes-preview")
	s.key(fyne.KeyEscape)
	s.shell.RunCommand("edit.undo")
	s.shell.Show(ui.ScreenScenes, "prefabs/buoy.tprefab")
	s.drawn()
	s.shot("scenes-prefab")
	s.shell.Show(ui.ScreenScenes, "overrides")
	s.settle()
	s.shell.RunCommand("scenes.search")
	s.write("bottle")
	s.key(fyne.KeyDown)
	s.key(fyne.KeyDown)
	s.drawn()
	s.shot("scenes-overrides")
}
