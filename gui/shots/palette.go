package main

import (
	"image/color"
	"os"
	"path/filepath"

	"talebinder/examples"
	"talebinder/export"
	"talebinder/formats/jazz2/picture"
	"talebinder/gui/ui"
)

// palette shows the screen of the palette: empty, with colours that are not in it, with one of them highlighted, and with indices.
func (s *studio) palette(temp string) error {
	s.shell.Show(ui.ScreenPalette, "")
	s.shot("palette-empty")
	dir, err := examples.ExtractFont(filepath.Join(temp, "palette"))
	if err != nil {
		return err
	}
	colors := filepath.Join(dir, examples.FontColors)
	if err := fade(colors); err != nil {
		return err
	}
	s.shell.Show(ui.ScreenPalette, colors)
	s.shot("palette-colours")
	for range 3 {
		s.shell.RunCommand("palette.zoomIn")
	}
	s.shell.RunCommand("palette.nextInexact")
	s.shot("palette-highlight")
	s.shell.Show(ui.ScreenPalette, filepath.Join(dir, examples.FontImage))
	s.shot("palette-indices")
	return nil
}

// coverage shows what the sample font lacks for a translation: the missing characters, then the cells that were added for them.
func (s *studio) coverage(temp string) error {
	dir, err := examples.ExtractFont(filepath.Join(temp, "coverage"))
	if err != nil {
		return err
	}
	s.shell.Show(ui.ScreenFonts, filepath.Join(dir, examples.FontImage))
	s.settle()
	s.shell.Show(ui.ScreenFonts, "coverage")
	s.shot("coverage-empty")
	s.shell.Show(ui.ScreenFonts, filepath.Join(dir, examples.FontTranslation))
	s.settle()
	s.shell.RunCommand("fonts.coverageNext")
	s.shot("coverage")
	s.shell.RunCommand("fonts.addCells")
	s.shot("coverage-added")
	s.shell.RunCommand("edit.undo")
	s.settle()
	return nil
}

// fade moves some colours of a picture away from those of the palette, as an image editor with a colour profile does.
func fade(path string) error {
	m, err := export.ReadPicture(path)
	if err != nil {
		return err
	}
	for y := range m.Rect.Dy() * 2 / 5 {
		for x := range m.Rect.Dx() {
			if c := m.NRGBAAt(x, y); c.A == 255 && c.R > 100 {
				m.SetNRGBA(x, y, color.NRGBA{c.R - uint8(y%12), c.G - min(c.G, uint8(x%3*9)), c.B, 255})
			}
		}
	}
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	defer f.Close()
	if err := picture.Write(f, m); err != nil {
		return err
	}
	return f.Close()
}
