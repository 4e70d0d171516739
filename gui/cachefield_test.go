package gui

import (
	"os"
	"path/filepath"
	"testing"

	"talebinder/export/cache"
	"talebinder/export/folders"
)

func TestCacheField(t *testing.T) {
	r := newRig(t)
	t.Setenv("XDG_CONFIG_HOME", t.TempDir())
	t.Setenv(cache.LimitVariable, "")
	entries := filepath.Join(folders.Cache(), "entries")
	if err := os.MkdirAll(entries, 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(entries, "left.tmp"), make([]byte, 3<<20), 0o666); err != nil {
		t.Fatal(err)
	}
	f := newCacheField(r.shell)
	r.drain()
	if f.usage.Text != "3.0 MB" || f.clear.Disabled() || f.limit.Selected != "At most 2 GB" {
		t.Errorf("%q, limit %q", f.usage.Text, f.limit.Selected)
	}
	f.limit.SetSelected("At most 8 GB")
	if limit, err := cache.Limit(); err != nil || limit != 8<<30 {
		t.Errorf("limit %d, %v", limit, err)
	}
	f.clear.OnTapped()
	r.drain()
	if text, _ := f.Status(); f.usage.Text != "Empty" || !f.clear.Disabled() || text != "3.0 MB removed." {
		t.Errorf("%q, status %q", f.usage.Text, text)
	}
	if left, err := os.ReadDir(entries); err != nil || len(left) != 0 {
		t.Errorf("left: %v, %v", left, err)
	}

	t.Setenv(cache.LimitVariable, "300 MB")
	if f := newCacheField(r.shell); !f.limit.Disabled() {
		t.Error("the limit can be chosen though the environment decides")
	}
	t.Setenv(cache.LimitVariable, "a lot")
	f = newCacheField(r.shell)
	if text, tone := f.Status(); tone.Color() != "error" || text == "" {
		t.Errorf("status %q", text)
	}
	r.drain()
}
