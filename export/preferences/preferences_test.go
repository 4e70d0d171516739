package preferences

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestRead(t *testing.T) {
	config := t.TempDir()
	t.Setenv("XDG_CONFIG_HOME", config)
	if p, err := Read(); err != nil || p != (Preferences{}) {
		t.Errorf("without a file: %+v, %v", p, err)
	}
	path := filepath.Join(config, "talebinder", "settings.json")
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	for text, want := range map[string]Preferences{
		`{"theme": "dark"}`: {},
		`{"scale": 1.25, "playersFolder": "/players", "engineSources": "/engine", "engineVersion": "1.4.0", "recents": [{"path": "/game"}]}`: {
			PlayersFolder: "/players", EngineSources: "/engine", EngineVersion: "1.4.0"},
	} {
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if p, err := Read(); err != nil || p != want {
			t.Errorf("%s: %+v, %v", text, p, err)
		}
	}
	if err := os.WriteFile(path, []byte(`{"playersFolder": 5}`), 0o600); err != nil {
		t.Fatal(err)
	}
	if p, err := Read(); err == nil || !strings.Contains(err.Error(), path) || p != (Preferences{}) {
		t.Errorf("with a number for a folder: %+v, %v", p, err)
	}
}
