package gui

import (
	"context"
	"errors"
	"fmt"
	"os"

	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/widget"

	"talebinder/export/cache"
	"talebinder/gui/theme"
	"talebinder/gui/ui"
	"talebinder/gui/widgets"
)

// cacheLimits are the choices for the most that the cache of exports may take, in bytes; 0 switches it off.
var cacheLimits = [...]int64{0, 512 << 20, 1 << 30, cache.DefaultLimit, 4 << 30, 8 << 30, 16 << 30}

func cacheLimitText(bytes int64) string {
	switch {
	case bytes == 0:
		return "No cache"
	case bytes%(1<<30) == 0:
		return fmt.Sprintf("At most %d GB", bytes>>30)
	}
	return fmt.Sprintf("At most %d MB", bytes>>20)
}

// cacheField is the row of the settings about what exports keep for the next one: how much that is, how much it may be, and
// a button that throws it away.
type cacheField struct {
	*widgets.Field
	shell *Shell
	usage *theme.Text
	limit *widget.Select
	clear *widget.Button
}

func newCacheField(s *Shell) *cacheField {
	f := &cacheField{shell: s, usage: theme.Body("Adding up…").WithTruncation(theme.TruncateEnd)}
	f.clear = widget.NewButton("Clear", f.empty)
	f.clear.Disable()
	limit, err := cache.Limit()
	var names []string
	known := false
	for _, v := range cacheLimits {
		names = append(names, cacheLimitText(v))
		known = known || v == limit
	}
	if !known {
		names = append(names, cacheLimitText(limit))
	}
	f.limit = widget.NewSelect(names, nil)
	f.limit.Selected = cacheLimitText(limit)
	f.limit.OnChanged = func(string) { f.setLimit() }
	f.Field = widgets.NewField("Cache of exports", container.NewBorder(nil, nil, nil, container.NewHBox(f.limit, f.clear), f.usage))
	f.SetHelp("What an export compresses is kept, so that the next one only compresses what has changed. It can be made again at any time.")
	switch {
	case err != nil:
		f.SetStatus(err.Error(), widgets.Danger)
	case os.Getenv(cache.LimitVariable) != "":
		f.limit.Disable()
		f.SetStatus("The environment variable "+cache.LimitVariable+" says how large it may be.", widgets.Notice)
	}
	f.look()
	return f
}

// look adds up what the cache holds, in the background.
func (f *cacheField) look() {
	var u cache.Usage
	f.shell.Go("Adding up the cache", func(context.Context) error {
		c, err := cache.Default()
		if c != nil {
			var failed error
			u, failed = c.Usage()
			err = errors.Join(err, failed)
		}
		return err
	}, func(err error) {
		if err != nil {
			f.SetStatus(err.Error(), widgets.Danger)
		}
		f.show(u)
	})
}

func (f *cacheField) show(u cache.Usage) {
	if u.Bytes == 0 {
		f.usage.SetText("Empty")
		f.clear.Disable()
		return
	}
	text := ui.Size(u.Bytes)
	if u.Entries > 0 {
		text += " of " + ui.Plural(u.Entries, "file")
	}
	f.usage.SetText(text)
	f.clear.Enable()
}

func (f *cacheField) setLimit() {
	for _, v := range cacheLimits {
		if cacheLimitText(v) != f.limit.Selected {
			continue
		}
		if err := cache.SetLimit(v); err != nil {
			f.SetStatus(err.Error(), widgets.Danger)
			return
		}
		f.SetStatus("Counts from the next export on.", widgets.Notice)
	}
}

// empty throws away what the cache holds. Exports that are running go on.
func (f *cacheField) empty() {
	f.clear.Disable()
	var removed cache.Usage
	f.shell.Go("Clearing the cache", func(context.Context) error {
		c, err := cache.Default()
		if c != nil {
			var failed error
			removed, failed = c.Clear()
			err = errors.Join(err, failed)
		}
		return err
	}, func(err error) {
		if err != nil {
			f.SetStatus("Not everything could be removed: "+err.Error(), widgets.Danger)
		} else {
			f.SetStatus(ui.Size(removed.Bytes)+" removed.", widgets.Success)
		}
		f.look()
	})
}
