package export

import (
	"fmt"
	"slices"

	"talebinder/formats/assetpath"
	"talebinder/formats/jsondoc"
	"talebinder/project/assets"
)

// indexEntry is about how many bytes an asset takes in the index, its path and settings aside.
const indexEntry = 160

// indexText is the content of assets.index.json, the catalog of a pack: its files and their folders in ordinal path order,
// each with its guid and import settings. It stands in for the .meta files, which do not ship.
func (c *Content) indexText() ([]byte, error) {
	listed := make([]*assets.Asset, 0, len(c.Items)+len(c.Folders))
	for _, item := range c.Items {
		listed = append(listed, item.Asset)
	}
	listed = append(listed, c.Folders...)
	slices.SortFunc(listed, func(a, b *assets.Asset) int { return assetpath.Compare(a.Path, b.Path) })

	w := jsondoc.NewWriter(jsondoc.Strict)
	length := 0
	for _, a := range listed {
		length += indexEntry + len(a.Path) + len(a.Meta.Settings)
	}
	w.Grow(length)
	w.BeginObject()
	writeInt(w, "version", 1)
	w.Name("assets")
	w.BeginArray()
	for _, a := range listed {
		w.BeginObject()
		writeText(w, "path", a.Path)
		writeText(w, "guid", a.Meta.Guid.String())
		if a.Folder {
			writeBool(w, "folder", true)
		}
		if a.Meta.Importer != "" {
			writeText(w, "importer", a.Meta.Importer)
			writeInt(w, "importerVersion", int64(a.Meta.ImporterVersion))
		}
		if a.Meta.Settings != nil {
			settings, err := jsondoc.Parse(a.Meta.Settings)
			if err != nil {
				return nil, fmt.Errorf("assets/%s.meta: settings: %w", a.Path, err)
			}
			w.Name("settings")
			w.Value(settings.Root())
		}
		w.EndObject()
	}
	w.EndArray()
	w.EndObject()
	return w.Bytes(), nil
}
