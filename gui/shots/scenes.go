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

// escape closes what is in front of the window.
func (s *studio) escape() {
	if f := s.shell.Window().Canvas().Focused(); f != nil {
		f.TypedKey(&fyne.KeyEvent{Name: fyne.KeyEscape})
	}
}

// scenes shows an instance beside its prefab, an edited value, the list of overrides, and what applying them would touch.
func (s *studio) scenes() {
	s.shell.Show(ui.ScreenScenes, "scenes/harbour.tscene:309")
	s.drawn()
	s.shot("scenes")
	s.shell.RunCommand("scenes.picture")
	s.drawn()
	s.shot("scenes-picture")
	s.shell.RunCommand("scenes.picture")
	s.shell.RunCommand("scenes.apply")
	s.drawn()
	s.shot("scenes-preview")
	s.escape()
	s.shell.Show(ui.ScreenScenes, "prefabs/buoy.tprefab")
	s.drawn()
	s.shot("scenes-prefab")
	s.shell.Show(ui.ScreenScenes, "overrides")
	s.drawn()
	s.shot("scenes-overrides")
}
