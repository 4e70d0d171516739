package main

import (
	"bytes"
	"os"
	"path/filepath"

	"talebinder/examples"
	"talebinder/export"
	"talebinder/formats/jazz2/picture"
	"talebinder/gui/ui"
)

// fonts shows the font workshop: on the first visit, with the sample font, with a warning chosen, and with an error in the list.
func (s *studio) fonts(temp string) error {
	s.shell.Show(ui.ScreenFonts, "")
	s.shot("fonts-first")
	dir, err := examples.ExtractFont(temp)
	if err != nil {
		return err
	}
	sheet := filepath.Join(dir, "Postmark.png")
	s.shell.Show(ui.ScreenFonts, sheet)
	s.shot("fonts")
	s.shell.RunCommand("fonts.sheet")
	s.shell.RunCommand("fonts.numbers")
	s.shell.RunCommand("fonts.padded")
	s.shell.RunCommand("fonts.ground3")
	s.shell.RunCommand("fonts.roundTrip")
	s.shot("fonts-atlas")
	if err := soften(sheet); err != nil {
		return err
	}
	s.shell.Show(ui.ScreenBuild, "")
	s.shell.Show(ui.ScreenFonts, "problems") // it looks at the files when it is shown
	s.settle()
	s.shell.RunCommand("fonts.nextProblem")
	s.shell.RunCommand("fonts.nextProblem")
	s.shot("fonts-warning")
	list := sheet + ".json"
	text, err := os.ReadFile(list)
	if err != nil {
		return err
	}
	text = bytes.Replace(text, []byte(`"Char": "C"`), []byte(`"Char": "Ç"`), 1)
	if err := os.WriteFile(list, text, 0o644); err != nil {
		return err
	}
	s.shell.Show(ui.ScreenBuild, "")
	s.shell.Show(ui.ScreenFonts, "")
	s.settle()
	s.shell.Show(ui.ScreenFonts, "problems")
	s.shot("fonts-error")
	return nil
}

// soften gives some pixels of a grid image half their cover, as the soft brush of an image editor does.
func soften(path string) error {
	m, err := export.ReadPicture(path)
	if err != nil {
		return err
	}
	for _, cell := range [][2]int{{1, 2}, {4, 3}, {6, 5}} {
		for i := range 5 {
			at := m.PixOffset(cell[0]*13+2+i, cell[1]*19+9)
			if m.Pix[at] != 0 {
				m.Pix[at+3] = 128
			}
		}
	}
	var b bytes.Buffer
	if err := picture.Write(&b, m); err != nil {
		return err
	}
	return os.WriteFile(path, b.Bytes(), 0o644)
}
