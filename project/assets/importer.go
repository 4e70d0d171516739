package assets

import (
	"talebinder/formats/assetpath"
	"talebinder/formats/guid"
)

// An importer is what the engine reads a kind of file with.
type importer struct {
	id         string
	version    int
	extensions []string
}

// importers is the table of the engine's importers and their current versions. Files with other extensions have none;
// plugins may bring their own, whose metas are left as they are.
var importers = [...]importer{
	{"texture", 1, []string{".png", ".jpg", ".jpeg", ".webp", ".bmp", ".gif", ".ico"}},
	{"atlas", 1, []string{".tatlas"}},
	{"font", 1, []string{".ttf", ".otf", ".ttc"}},
	{"audio", 1, []string{".wav", ".ogg"}},
	{"material", 1, []string{".tmaterial"}},
	{"shader", 1, []string{".tshader"}},
	{"localization", 1, []string{".tloc"}},
	{"tilemap", 1, []string{".hexy"}},
	{"scenedocument", 1, []string{".tscene"}},
	{"prefabdocument", 1, []string{".tprefab"}},
	{"particlepreset", 1, []string{".tparticles"}},
}

// importerByExtension finds an importer by the lower-case extension.
var importerByExtension = func() map[string]*importer {
	m := make(map[string]*importer)
	for i := range importers {
		for _, ext := range importers[i].extensions {
			m[ext] = &importers[i]
		}
	}
	return m
}()

// importerOf gives the importer of a file name, or nil.
func importerOf(path string) *importer { return importerByExtension[assetpath.Ext(path)] }

// NewMeta gives the meta that the engine makes for a new file of this name.
func NewMeta(path string, id guid.Guid) *Meta {
	m := &Meta{Version: 1, Guid: id}
	if i := importerOf(path); i != nil {
		m.Importer, m.ImporterVersion = i.id, i.version
	}
	return m
}
