package export

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"talebinder/formats"
	"talebinder/formats/assetpath"
	"talebinder/project/plugins"
	"talebinder/project/problem"
)

// loose lists what ships beside the pack: the configuration, the compiled scripts and the plugins.
func (c *collector) loose(ctx context.Context) error {
	err := c.walk(ctx, configFolder, func(path, source string, size int64) {
		c.ship(path, source, size, CategoryConfiguration)
	})
	if err != nil {
		return err
	}
	for _, file := range []*LooseFile{c.scripts.assembly, c.scripts.symbols} {
		if file != nil {
			c.content.Loose = append(c.content.Loose, *file)
		}
	}
	for _, plugin := range c.project.Plugins.Shipped() {
		err := c.walk(ctx, c.plugins+"/"+plugin.Folder, func(path, source string, size int64) {
			if c.pluginFileShips(plugin, path) {
				c.ship(path, source, size, CategoryPlugins)
			}
		})
		if err != nil {
			return err
		}
	}
	return nil
}

func (c *collector) ship(path, source string, size int64, category string) {
	c.content.Loose = append(c.content.Loose, LooseFile{Path: path, Source: source, Size: size, Category: category})
}

// pluginFileShips leaves out documentation, symbols unless the profile ships them, and what only the editor loads: the files
// of the editor assembly, Name.dll, Name.deps.json and so on.
func (c *collector) pluginFileShips(plugin *plugins.Plugin, path string) bool {
	name := assetpath.Base(path)
	ext := filepath.Ext(name)
	stem := strings.TrimSuffix(name, ext)
	if strings.EqualFold(ext, ".xml") || strings.EqualFold(ext, ".pdb") && !c.profile.Info().Symbols {
		return false
	}
	if editor := plugin.Manifest.EditorAssembly; editor != "" {
		if len(stem) >= len(".deps") && strings.EqualFold(stem[len(stem)-len(".deps"):], ".deps") {
			stem = stem[:len(stem)-len(".deps")]
		}
		if strings.EqualFold(stem, strings.TrimSuffix(editor, filepath.Ext(editor))) {
			return false
		}
	}
	return true
}

// leftPlugins adds the files of the plugins folder that do not ship.
func (c *collector) leftPlugins(ctx context.Context, loose map[string]bool) error {
	why := make(map[string]string)
	for _, plugin := range c.project.Plugins.All() {
		switch plugin.State {
		case plugins.Disabled:
			why[plugin.Folder] = DisabledPlugin
		case plugins.Skipped, plugins.Failed:
			why[plugin.Folder] = FailedPlugin
		}
	}
	if c.plugins == "" {
		return nil
	}
	return c.walk(ctx, c.plugins, func(path, _ string, size int64) {
		if loose[path] {
			return
		}
		folder, _, _ := strings.Cut(strings.TrimPrefix(path, c.plugins+"/"), "/")
		left := LeftOut{Path: path, Why: why[folder], Size: size}
		if left.Why == "" {
			left.Why = Unreferenced
		}
		c.content.Left = append(c.content.Left, left)
	})
}

// walk visits the files of a folder below the asset root, in lexical order, without .meta files and without files and folders
// whose name starts with a dot. A folder that does not exist has none. A link to a file counts as the file; one to a folder is
// not entered.
func (c *collector) walk(ctx context.Context, folder string, visit func(path, source string, size int64)) error {
	root, err := assetpath.SafeJoin(c.project.AssetRoot(), folder)
	if err != nil {
		return err
	}
	return filepath.WalkDir(root, func(source string, entry fs.DirEntry, err error) error {
		if source == root && isMissing(err) {
			return filepath.SkipAll
		}
		if err != nil {
			return err
		}
		if err := ctx.Err(); err != nil {
			return err
		}
		hidden := strings.HasPrefix(entry.Name(), ".") && source != root
		if entry.IsDir() {
			if hidden {
				return filepath.SkipDir
			}
			return nil
		}
		if hidden || strings.EqualFold(filepath.Ext(entry.Name()), ".meta") {
			return nil
		}
		rel, err := filepath.Rel(c.project.AssetRoot(), source)
		if err != nil {
			return err
		}
		path := filepath.ToSlash(rel)
		info, err := os.Stat(source)
		switch {
		case err != nil:
			return err
		case info.IsDir():
			if !c.linked[path] {
				c.linked[path] = true
				c.problem(problem.Problem{Level: problem.Warning, Code: "folder-link", File: "assets/" + path,
					Message: "is a link to a folder, which does not ship", Hint: "Put the folder itself there."})
			}
		case !info.Mode().IsRegular():
			return fmt.Errorf("%s: neither a file nor a folder (%s)", source, info.Mode().Type())
		default:
			visit(path, source, info.Size())
		}
		return nil
	})
}

func isMissing(err error) bool { return errors.Is(err, fs.ErrNotExist) }

// isFault says that a file was read and is not what it should be, as opposed to one that could not be read.
func isFault(err error) bool {
	return errors.Is(err, formats.ErrDamaged) || errors.Is(err, formats.ErrUnsupported)
}
