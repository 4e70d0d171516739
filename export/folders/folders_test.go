package folders

import (
	"path/filepath"
	"testing"

	"github.com/adrg/xdg"
)

func TestFoldersFollowTheEnvironment(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("TALEBINDER_CACHE", "")
	for _, variable := range []string{"XDG_CACHE_HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME"} {
		t.Setenv(variable, filepath.Join(dir, variable))
	}
	for got, want := range map[string]string{
		Cache():  filepath.Join(dir, "XDG_CACHE_HOME", "talebinder"),
		Config(): filepath.Join(dir, "XDG_CONFIG_HOME", "talebinder"),
		Data():   filepath.Join(dir, "XDG_DATA_HOME", "talebinder"),
	} {
		if got != want {
			t.Errorf("%s, want %s", got, want)
		}
	}
	t.Setenv("TALEBINDER_CACHE", filepath.Join(dir, "mine"))
	if got := Cache(); got != filepath.Join(dir, "mine") {
		t.Error(got)
	}
	t.Setenv("XDG_DATA_HOME", "not/a/full/path")
	if got := Data(); got != filepath.Join(xdg.DataHome, "talebinder") {
		t.Error(got)
	}
}
