// Package preferences reads what a person has set up in the window and commands go by too: where players and the engine's
// sources are. The window keeps it in settings.json in the program's configuration folder, with much that is the window's alone.
package preferences

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"talebinder/export/folders"
)

// Preferences are empty where nothing was set.
type Preferences struct {
	PlayersFolder string `json:"playersFolder"` // is looked at before the usual places
	EngineSources string `json:"engineSources"` // players are published from it
	EngineVersion string `json:"engineVersion"` // plugins are checked against it
}

// Read reads the preferences of the person who runs the program. A file that is not there sets nothing.
func Read() (Preferences, error) {
	var p Preferences
	path := filepath.Join(folders.Config(), "settings.json")
	text, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return p, nil
	}
	if err != nil {
		return p, fmt.Errorf("settings of the window not read: %w", err)
	}
	if err := json.Unmarshal(text, &p); err != nil {
		return Preferences{}, fmt.Errorf("settings of the window not read: %s: %w. Correct the file, or delete it to begin with the usual settings", path, err)
	}
	return p, nil
}
