package export

import (
	"talebinder/formats/jsondoc"
	"talebinder/platforms"
)

// launcherText is the content of launcher.json, which tells the player which game to play, and how. The game folder is
// relative to the executable's folder. The title is the game's own, not the sanitized name: logs and captures go into a folder
// named after it.
func launcherText(gameFolder, title string, profile platforms.ProfileInfo) []byte {
	w := jsondoc.NewWriter(jsondoc.Strict)
	w.BeginObject()
	writeText(w, "gameFolder", gameFolder)
	writeText(w, "title", title)
	writeText(w, "logLevel", profile.LogLevel)
	writeBool(w, "developerTools", profile.DevTools)
	w.EndObject()
	return w.Bytes()
}
