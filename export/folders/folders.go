// Package folders names the folders that the program keeps its own things in, outside of every project.
//
// The environment is read on every call, so that a process that sets it up for itself, such as a test, is heard.
package folders

import (
	"os"
	"path/filepath"

	"github.com/adrg/xdg"
)

// name is the name of the program's folder in the system's folders.
const name = "talebinder"

// Cache is the folder for what can be made again: compressed entries, published players, compiled scripts. It is what
// TALEBINDER_CACHE names, else talebinder in the system's cache folder.
func Cache() string {
	if dir := os.Getenv("TALEBINDER_CACHE"); dir != "" {
		return dir
	}
	return filepath.Join(system("XDG_CACHE_HOME", xdg.CacheHome), name)
}

// Config is the folder for settings and presets.
func Config() string { return filepath.Join(system("XDG_CONFIG_HOME", xdg.ConfigHome), name) }

// Data is the folder for what is kept, such as the history of exports.
func Data() string { return filepath.Join(system("XDG_DATA_HOME", xdg.DataHome), name) }

// system gives the folder that a variable names, or else the system's. The variable counts only with a full path.
func system(variable, usual string) string {
	if dir := os.Getenv(variable); filepath.IsAbs(dir) {
		return dir
	}
	return usual
}
