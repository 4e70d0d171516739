package gui

import (
	"errors"
	"os"
	"path/filepath"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/dialog"
	"fyne.io/fyne/v2/storage"

	"talebinder/gui/ui"
)

// dialogChooser asks with the toolkit's own dialogs. They are the fallback: they list a folder as a whole, which takes
// long with many thousand entries.
type dialogChooser struct{ host ui.Host }

func (c dialogChooser) size() fyne.Size {
	s := c.host.Window().Canvas().Size()
	return fyne.NewSize(min(820, s.Width-60), min(600, s.Height-60))
}

func startURI(start string) fyne.ListableURI {
	folder := existingFolder(start)
	if folder == "" {
		return nil
	}
	list, err := storage.ListerForURI(storage.NewFileURI(folder))
	if err != nil {
		return nil
	}
	return list
}

// Folder asks for a folder.
func (c dialogChooser) Folder(title, start string, done func(string)) {
	d := dialog.NewFolderOpen(func(u fyne.ListableURI, err error) {
		c.host.Error(err)
		if err == nil && u != nil {
			done(u.Path())
		}
	}, c.host.Window())
	d.SetTitleText(title)
	if u := startURI(start); u != nil {
		d.SetLocation(u)
	}
	d.Resize(c.size())
	d.Show()
}

// File asks for a file that exists.
func (c dialogChooser) File(title, start string, extensions []string, done func(string)) {
	d := dialog.NewFileOpen(func(r fyne.URIReadCloser, err error) {
		c.host.Error(err)
		if err != nil || r == nil {
			return
		}
		path := r.URI().Path()
		c.host.Error(r.Close())
		done(path)
	}, c.host.Window())
	d.SetTitleText(title)
	if len(extensions) > 0 {
		d.SetFilter(storage.NewExtensionFileFilter(extensions))
	}
	if u := startURI(start); u != nil {
		d.SetLocation(u)
	}
	d.Resize(c.size())
	d.Show()
}

// Save asks for a place to save at: a folder, then the name of the file in it. The toolkit's dialog for saving creates the
// file at once, which would leave an empty one behind after a cancelled or failed job.
func (c dialogChooser) Save(title, start, name string, done func(string)) {
	c.Folder(title+": the folder", start, func(folder string) {
		c.host.Ask(ui.Question{
			Title: title, Body: "In " + folder, Label: "File name", Text: name, Verb: "Save", Check: checkFileName,
			OK: func(name string) { done(filepath.Join(folder, name)) },
		})
	})
}

// checkFileName says why a name cannot be that of a file in a folder.
func checkFileName(name string) error {
	if name == "." || name == ".." || strings.ContainsAny(name, `/\`) {
		return errors.New("a file name has no slashes, and is not . or ..")
	}
	return nil
}

// existingFolder gives the folder that a path is, or that it lies in; empty when there is none.
func existingFolder(path string) string {
	for path != "" {
		if info, err := os.Stat(path); err == nil {
			if info.IsDir() {
				return path
			}
		}
		parent := filepath.Dir(path)
		if parent == path {
			return ""
		}
		path = parent
	}
	return ""
}

// withoutScheme gives the path of a file URI that has been unescaped already.
func withoutScheme(uri string) (string, bool) {
	return strings.CutPrefix(uri, "file://")
}
