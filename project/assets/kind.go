package assets

import (
	"slices"

	"talebinder/formats/assetpath"
)

// A Kind is what an asset is, chosen by its extension alone.
type Kind struct {
	ID         string   // a fixed word such as "texture"
	Name       string   // the name that reports and sizes use, such as "Texture"
	Extensions []string // lower-case, with the dot; shared by all values of the kind, not to be changed
}

// The ids of the kinds.
const (
	Texture      = "texture"
	Atlas        = "atlas"
	Font         = "font"
	Audio        = "audio"
	Scene        = "scene"
	Prefab       = "prefab"
	Material     = "material"
	Shader       = "shader"
	Particles    = "particles"
	TileMap      = "tilemap"
	Script       = "script"
	Plugin       = "plugin"
	Localization = "localization"
	Folder       = "folder"
	Other        = "other"
)

// kinds is the table of kinds: one row each, in the order in which they are shown.
var kinds = [...]Kind{
	{Texture, "Texture", []string{".png", ".jpg", ".jpeg", ".webp", ".bmp", ".gif", ".ico"}},
	{Atlas, "Sprite Atlas", []string{".tatlas"}},
	{Font, "Font", []string{".ttf", ".otf", ".ttc"}},
	{Audio, "Audio", []string{".wav", ".ogg"}},
	{Scene, "Scene", []string{".tscene"}},
	{Prefab, "Prefab", []string{".tprefab"}},
	{Material, "Material", []string{".tmaterial"}},
	{Shader, "Shader", []string{".tshader", ".sksl", ".spv"}},
	{Particles, "Particle System", []string{".tparticles"}},
	{TileMap, "Tile Map", []string{".hexy"}},
	{Script, "Script", []string{".cs"}},
	{Plugin, "Plugin Manifest", []string{".tplugin"}},
	{Localization, "Localization", []string{".tloc"}},
	{Folder, "Folder", nil},
	{Other, "File", nil},
}

// kindByExtension finds a kind by its lower-case extension.
var kindByExtension = func() map[string]Kind {
	m := make(map[string]Kind)
	for _, k := range kinds {
		for _, ext := range k.Extensions {
			m[ext] = k
		}
	}
	return m
}()

// Kinds gives every kind, in the order in which they are shown; Folder and Other come last.
func Kinds() []Kind { return slices.Clone(kinds[:]) }

// KindByID finds a kind by its id.
func KindByID(id string) (Kind, bool) {
	i := slices.IndexFunc(kinds[:], func(k Kind) bool { return k.ID == id })
	if i < 0 {
		return Kind{}, false
	}
	return kinds[i], true
}

// KindOf gives the kind of a file with this name. A folder has the kind Folder whatever its name, which the caller
// must know.
func KindOf(path string) Kind {
	if k, ok := kindByExtension[assetpath.Ext(path)]; ok {
		return k
	}
	return kinds[len(kinds)-1]
}

// folderKind is the kind of every folder.
var folderKind = kinds[len(kinds)-2]
