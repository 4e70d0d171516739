//go:build linux || freebsd || netbsd || openbsd || dragonfly

package gui

import (
	"context"
	"os"
	"path/filepath"
	"strings"

	"fyne.io/fyne/v2/driver"
	"github.com/rymdport/portal"
	"github.com/rymdport/portal/filechooser"

	"talebinder/gui/ui"
)

// systemChooser asks with the desktop's own dialogs, through the desktop portal; where there is no portal, with the
// toolkit's.
func systemChooser(h ui.Host) ui.Chooser { return portalChooser{h} }

type portalChooser struct{ host ui.Host }

// parent names our window to the portal, so that its dialog stays above it.
func (c portalChooser) parent() string {
	handle := ""
	if w, ok := c.host.Window().(driver.NativeWindow); ok {
		w.RunNative(func(context any) {
			if x, ok := context.(driver.X11WindowContext); ok {
				handle = portal.FormatX11WindowHandle(x.WindowHandle)
			}
		})
	}
	return handle
}

// ask runs the portal's dialog beside the interface. When there is no portal, fallback asks instead.
func (c portalChooser) ask(call func(parent string) ([]string, error), done func(string), fallback func()) {
	parent := c.parent()
	var got []string
	c.host.Go("Waiting for the file chooser", func(context.Context) error {
		var err error
		got, err = call(parent)
		return err
	}, func(err error) {
		if err != nil {
			fallback()
			return
		}
		if len(got) == 0 {
			return // cancelled
		}
		if path, ok := withoutScheme(got[0]); ok {
			done(restorePlus(path))
		}
	})
}

// Folder asks for a folder.
func (c portalChooser) Folder(title, start string, done func(string)) {
	c.ask(func(parent string) ([]string, error) {
		return filechooser.OpenFile(parent, title, &filechooser.OpenFileOptions{Directory: true, CurrentFolder: existingFolder(start)})
	}, done, func() { dialogChooser{c.host}.Folder(title, start, done) })
}

// File asks for a file that exists.
func (c portalChooser) File(title, start string, extensions []string, done func(string)) {
	options := &filechooser.OpenFileOptions{CurrentFolder: existingFolder(start)}
	if len(extensions) > 0 {
		filter := &filechooser.Filter{Name: strings.Join(extensions, ", ")}
		for _, e := range extensions {
			filter.Rules = append(filter.Rules, filechooser.Rule{Type: filechooser.GlobPattern, Pattern: "*" + e})
		}
		options.Filters = []*filechooser.Filter{filter}
	}
	c.ask(func(parent string) ([]string, error) { return filechooser.OpenFile(parent, title, options) },
		done, func() { dialogChooser{c.host}.File(title, start, extensions, done) })
}

// Save asks for a place to save at.
func (c portalChooser) Save(title, start, name string, done func(string)) {
	c.ask(func(parent string) ([]string, error) {
		return filechooser.SaveFile(parent, title, &filechooser.SaveFileOptions{CurrentFolder: existingFolder(start), CurrentName: name})
	}, done, func() { dialogChooser{c.host}.Save(title, start, name, done) })
}

// restorePlus finds the path that was meant when a plus sign in it has been read as a space, which the portal's library
// does with every path.
func restorePlus(path string) string {
	if _, err := os.Lstat(path); err == nil || !strings.Contains(path, " ") {
		return path
	}
	at := string(filepath.Separator)
	for _, part := range strings.Split(strings.Trim(path, at), at) {
		next := filepath.Join(at, part)
		if _, err := os.Lstat(next); err != nil {
			entries, _ := os.ReadDir(at) // what cannot be listed stays as it was said
			for _, e := range entries {
				if strings.ReplaceAll(e.Name(), "+", " ") == part {
					next = filepath.Join(at, e.Name())
					break
				}
			}
		}
		at = next
	}
	return at
}
