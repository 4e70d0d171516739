package main

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"talebinder/formats/assetpath"
	"talebinder/formats/clr"
	"talebinder/formats/guid"
	"talebinder/formats/jsondoc"
	"talebinder/formats/tspack"
)

// readLauncher reads launcher.json, all of whose members are optional.
func readLauncher(path string, s *settings) (found bool, err error) {
	text, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	doc, err := jsondoc.Parse(text)
	if err != nil {
		return false, fmt.Errorf("launcher.json: %w", err)
	}
	root := doc.Root()
	if root.Kind() != jsondoc.Object {
		return false, errors.New("launcher.json: not an object")
	}
	gameFolder := "game"
	s.logLevel, s.devTools = "warning", false
	for name, target := range map[string]*string{"gameFolder": &gameFolder, "title": &s.title, "logLevel": &s.logLevel} {
		if v := root.Get(name); v.Exists() {
			if *target, err = v.Text(); err != nil {
				return false, fmt.Errorf("launcher.json: %s: %w", name, err)
			}
		}
	}
	if v := root.Get("developerTools"); v.Exists() {
		if s.devTools, err = v.Bool(); err != nil {
			return false, fmt.Errorf("launcher.json: developerTools: %w", err)
		}
	}
	if s.logLevel = strings.ToLower(s.logLevel); !slices.Contains(logLevels, s.logLevel) {
		return false, fmt.Errorf("launcher.json: %q is no log level", s.logLevel)
	}
	s.gameFolder = filepath.Join(filepath.Dir(path), filepath.FromSlash(gameFolder))
	return true, nil
}

// game is a game folder: a pack with the folder around it, or the folder alone.
type game struct {
	root          string
	packFile      *os.File
	pack          *tspack.Reader
	catalog       map[guid.Guid]asset
	catalogSource string
}

type asset struct {
	path   string
	folder bool
}

// openGame finds the asset root and opens the pack in it.
func openGame(folder string) (*game, error) {
	g := &game{root: folder}
	if info, err := os.Stat(filepath.Join(folder, "assets")); err == nil && info.IsDir() {
		g.root = filepath.Join(folder, "assets")
	}
	file, err := os.Open(filepath.Join(g.root, "content.tspack"))
	if errors.Is(err, fs.ErrNotExist) {
		return g, nil
	}
	if err != nil {
		return nil, err
	}
	info, err := file.Stat()
	if err == nil {
		g.pack, err = tspack.NewReader(file, info.Size())
	}
	if err != nil {
		file.Close()
		return nil, fmt.Errorf("content.tspack: %w", err)
	}
	g.packFile = file
	return g, nil
}

func (g *game) close() {
	if g.packFile != nil {
		g.packFile.Close()
	}
}

// read reads a file from the pack, or from the folder when the pack does not hold it.
func (g *game) read(path string) ([]byte, error) {
	if g.pack != nil {
		entry, ok, err := g.pack.Find(path)
		if err != nil {
			return nil, err
		}
		if ok {
			content, err := g.pack.Open(entry)
			if err != nil {
				return nil, err
			}
			defer content.Close()
			return io.ReadAll(content)
		}
	}
	file, err := assetpath.SafeJoin(g.root, path)
	if err != nil {
		return nil, err
	}
	return os.ReadFile(file)
}

// readCatalog reads which guid belongs to which asset: from the index, or from the .meta files.
func (g *game) readCatalog() error {
	g.catalog = make(map[guid.Guid]asset)
	text, err := g.read("assets.index.json")
	if errors.Is(err, fs.ErrNotExist) {
		g.catalogSource = ".meta files"
		return g.readMetas()
	}
	if err != nil {
		return err
	}
	g.catalogSource = "assets.index.json"
	doc, err := jsondoc.Parse(text)
	if err != nil {
		return fmt.Errorf("assets.index.json: %w", err)
	}
	if version, err := doc.Root().GetFold("version").Int32(); err != nil || version > 1 {
		return fmt.Errorf("assets.index.json: version %s cannot be read", doc.Root().GetFold("version").Raw())
	}
	for entry := range doc.Root().GetFold("assets").Items() {
		path, err := entry.GetFold("path").Text()
		if err != nil {
			return fmt.Errorf("assets.index.json: %w", err)
		}
		if path, err = assetpath.Normalize(path); err != nil || path == "" {
			return fmt.Errorf("assets.index.json: an entry has the path %q", path)
		}
		folder := string(entry.GetFold("folder").Raw()) == "true"
		if err := g.enter(path, folder, entry.GetFold("guid")); err != nil {
			return fmt.Errorf("assets.index.json: %s: %w", path, err)
		}
	}
	return nil
}

func (g *game) readMetas() error {
	return filepath.WalkDir(g.root, func(file string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || filepath.Ext(file) != ".meta" {
			return err
		}
		text, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		doc, err := jsondoc.Parse(text)
		if err != nil {
			return fmt.Errorf("%s: %w", file, err)
		}
		path := relative(g.root, strings.TrimSuffix(file, ".meta"))
		return g.enter(path, string(doc.Root().GetFold("folder").Raw()) == "true", doc.Root().GetFold("guid"))
	})
}

func (g *game) enter(path string, folder bool, id jsondoc.Value) error {
	text, err := id.Text()
	if err != nil {
		return err
	}
	parsed, err := guid.Parse(text)
	if err != nil || parsed.IsZero() {
		return fmt.Errorf("%q is no guid of an asset", text)
	}
	if other, ok := g.catalog[parsed]; ok {
		return fmt.Errorf("%s has the guid of %s", path, other.path)
	}
	g.catalog[parsed] = asset{path, folder}
	return nil
}

// check reads everything that the catalog lists, follows the references from the start scene, and gives what is missing.
func (g *game) check(say func(format string, values ...any)) (missing []string) {
	lost := func(format string, values ...any) { missing = append(missing, fmt.Sprintf(format, values...)) }
	paths := make([]string, 0, len(g.catalog))
	for _, a := range g.catalog {
		if !a.folder {
			paths = append(paths, a.path)
		}
	}
	slices.Sort(paths)
	bytes := 0
	for _, path := range paths {
		content, err := g.read(path)
		if err != nil {
			lost("%s: %v", path, err)
		}
		bytes += len(content)
	}
	say("read: %d files, %d bytes", len(paths), bytes)

	start, err := g.startScene()
	switch {
	case err != nil:
		lost("config/game.json: %v", err)
	case strings.HasSuffix(strings.ToLower(start), ".tscene"):
		say("start scene: %s", start)
		g.follow(start, say, lost)
	default:
		say("start scene: %s, made by the scripts", start)
	}

	scripts := filepath.Join(g.root, "scripts", "bin", "Game.Scripts.dll")
	switch literals, err := userStrings(scripts); {
	case errors.Is(err, fs.ErrNotExist):
		say("scripts: none")
	case err != nil:
		lost("scripts/bin/Game.Scripts.dll: %v", err)
	default:
		say("scripts: %d strings", len(literals))
	}
	return missing
}

func userStrings(path string) ([]string, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil {
		return nil, err
	}
	return clr.UserStrings(file, info.Size())
}

// startScene gives the path of the start scene's file, or the name of one that is not a file.
func (g *game) startScene() (string, error) {
	text, err := g.read("config/game.json")
	if errors.Is(err, fs.ErrNotExist) {
		return "map", nil
	}
	if err != nil {
		return "", err
	}
	doc, err := jsondoc.Parse(text)
	if err != nil {
		return "", err
	}
	start := doc.Root().Get("startScene")
	switch start.Kind() {
	case jsondoc.Missing, jsondoc.Null:
		return "map", nil
	case jsondoc.String:
		return start.Text()
	}
	name, err := start.Get("name").Text()
	if err != nil || name != "scene" {
		return name, err
	}
	parameters := start.Get("parameters")
	if path := parameters.Get("path"); path.Exists() {
		return path.Text()
	}
	id, err := parameters.Get("guid").Text()
	if err != nil {
		return "", err
	}
	parsed, err := guid.Parse(id)
	if err != nil {
		return "", err
	}
	a, ok := g.catalog[parsed]
	if !ok {
		return "", fmt.Errorf("the start scene %s is not in the catalog", parsed)
	}
	return a.path, nil
}

// follow resolves the guids of a scene and of every scene, prefab and particle system that they lead to.
func (g *game) follow(start string, say, lost func(format string, values ...any)) {
	seen := map[string]bool{start: true}
	queue := []string{start}
	for len(queue) > 0 {
		path := queue[0]
		queue = queue[1:]
		text, err := g.read(path)
		if err != nil {
			lost("%s: %v", path, err)
			continue
		}
		doc, err := jsondoc.Parse(text)
		if err != nil {
			lost("%s: %v", path, err)
			continue
		}
		references := references(doc)
		say("%s: %d references", path, len(references))
		for _, id := range references {
			target, ok := g.catalog[id]
			if !ok {
				lost("%s refers to %s, which is not in the catalog", path, id)
				continue
			}
			switch assetpath.Ext(target.path) {
			case ".tscene", ".tprefab", ".tparticles":
				if !seen[target.path] {
					seen[target.path] = true
					queue = append(queue, target.path)
				}
			}
		}
	}
}

// references gives the guids that a document refers to: every text that is a guid, except under the names of links between
// entities, and except those that the document defines under the name id.
func references(doc *jsondoc.Doc) []guid.Guid {
	defined := make(map[guid.Guid]bool)
	var found []guid.Guid
	var visit func(name string, v jsondoc.Value)
	visit = func(name string, v jsondoc.Value) {
		switch v.Kind() {
		case jsondoc.Object:
			for member, value := range v.Members() {
				visit(strings.ToLower(member), value)
			}
		case jsondoc.Array:
			for item := range v.Items() {
				if item.Kind() == jsondoc.Array {
					visit("", item)
				} else {
					visit(name, item)
				}
			}
		case jsondoc.String:
			text, err := v.Text()
			if err != nil {
				return
			}
			id, ok := guid.ParseReference(text)
			switch {
			case !ok || name == "parent" || name == "entity" || name == "entityid":
			case name == "id":
				defined[id] = true
			case !slices.Contains(found, id):
				found = append(found, id)
			}
		}
	}
	visit("", doc.Root())
	return slices.DeleteFunc(found, func(id guid.Guid) bool { return defined[id] })
}
