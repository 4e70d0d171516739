package ui

import (
	"path"
	"path/filepath"
	"strings"

	"talebinder/project"
)

// PlaceOf turns the file of a log entry, which may be relative to the project folder or to the asset root, into a path
// relative to the project folder. It is empty when there is no such place.
func PlaceOf(file string, p *project.Project) string {
	if file == "" || p == nil {
		return ""
	}
	if filepath.IsAbs(file) {
		rel, err := filepath.Rel(p.Dir, file)
		if err != nil || !filepath.IsLocal(rel) {
			return ""
		}
		return filepath.ToSlash(rel)
	}
	root, err := filepath.Rel(p.Dir, p.AssetRoot())
	if err != nil {
		return file
	}
	root = filepath.ToSlash(root)
	if p.Assets.ByPath(file) != nil && !strings.HasPrefix(file, root+"/") || strings.HasPrefix(file, "config/") {
		return path.Join(root, file)
	}
	return file
}
