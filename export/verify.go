package export

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"talebinder/formats/assetpath"
	"talebinder/formats/clr"
	"talebinder/formats/guid"
	"talebinder/formats/jsondoc"
	"talebinder/formats/plist"
	"talebinder/formats/tspack"
	"talebinder/project"
	"talebinder/project/assets"
	"talebinder/project/plugins"
	"talebinder/project/problem"
)

// A Verification is what came of opening a build as the player opens it.
type Verification struct {
	Build    BuildFolder
	Title    string            // of the game
	Problems []problem.Problem // files are relative to Build.Folder; those of the game's assets are asset paths
	Assets   int               // entries of the pack
	Bytes    int64             // of them, once decompressed
}

// Sound says that no error was found.
func (v *Verification) Sound() bool {
	return !slices.ContainsFunc(v.Problems, func(p problem.Problem) bool { return p.Level == problem.Error })
}

// VerifyBuild opens a build as the player does and looks at all that the player would need: the launcher, the game folder, the
// pack, each of its entries, the index, the start scene, what the assets refer to, and the files beside the pack. The path is
// one that FindBuild takes; the build may have been made by another program. What is wrong with the build is in the
// verification. The error says that there is no build to look at, or that ctx ended. progress, which may be nil, is called
// from one goroutine at a time.
func VerifyBuild(ctx context.Context, path string, progress func(done, total int, path string)) (*Verification, error) {
	build, err := FindBuild(path)
	if err != nil {
		return nil, err
	}
	v := newVerifier(build, progress)
	if err := v.run(ctx); err != nil {
		return nil, err
	}
	return v.result(), nil
}

// A verifier looks at one build.
type verifier struct {
	build    BuildFolder
	expected *expected // what an export has just made; nil when the build is not known
	progress func(done, total int, path string)

	title    string
	problems []problem.Problem
	pack     *PackFile
	catalog  *catalog // nil when there is none that can be read
	game     project.Game
	bytes    atomic.Int64
}

// expected is what an export knows about the build that it has made.
type expected struct {
	title      string
	executable string // its path
	runnable   bool   // it needs execute permission, and this system has such a thing
	entries    []tspack.Entry
	sums       []uint32         // checksums of the stored bytes
	files      map[string]int64 // other files of the build, and their sizes
	known      func(assets.Reference) bool
	documents  *sync.Map // of the same pack: see sharedPack; nil when it is not shared
}

func newVerifier(build BuildFolder, progress func(done, total int, path string)) *verifier {
	if progress == nil {
		progress = func(int, int, string) {}
	}
	return &verifier{build: build, progress: progress}
}

func (v *verifier) result() *Verification {
	result := &Verification{Build: v.build, Title: v.title, Problems: v.problems, Bytes: v.bytes.Load()}
	if v.pack != nil {
		result.Assets = len(v.pack.Entries())
	}
	return result
}

// found adds a problem. The file is relative to the build's folder, or an asset path.
func (v *verifier) found(level problem.Level, code, file, hint, format string, args ...any) {
	v.problems = append(v.problems, problem.Problem{Level: level, Code: code, File: file, Message: fmt.Sprintf(format, args...), Hint: hint})
}

// exportAgain is what helps when a part of a build is missing or damaged.
const exportAgain = "Export the game again, or copy the build again if it was copied."

// reason is what an error says about a file that the problem names already.
func reason(err error) string {
	var at *fs.PathError
	if errors.As(err, &at) {
		return at.Err.Error()
	}
	return err.Error()
}

// run goes the way of the player.
func (v *verifier) run(ctx context.Context) error {
	if v.build.Kind == CompleteBuild && !v.launch() {
		return ctx.Err()
	}
	if err := v.openPack(); err != nil {
		return err
	}
	if v.pack != nil {
		defer v.pack.Close()
		v.readIndex()
	}
	if v.build.Kind != PackAlone {
		v.readGame()
		v.checkLoose()
	}
	if v.pack == nil {
		return ctx.Err()
	}
	return v.checkEntries(ctx)
}

// launch reads the launcher and finds the game.
func (v *verifier) launch() bool {
	file := v.build.Launcher
	l, err := readLauncher(file)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		v.found(problem.Error, "launcher-missing", v.build.rel(file), exportAgain, "is missing: the player does not know which game to play")
		return false
	case err != nil:
		v.found(problem.Error, "launcher-invalid", v.build.rel(file), exportAgain, "cannot be read: %s", strings.TrimPrefix(err.Error(), file+": "))
		return false
	}
	v.title = l.Title
	if v.expected != nil && l.Title != v.expected.title {
		v.found(problem.Error, "launcher-invalid", v.build.rel(file), exportAgain, "has the title %q, expected %q", l.Title, v.expected.title)
	}
	v.checkExecutable()
	game := filepath.Join(filepath.Dir(file), filepath.FromSlash(l.GameFolder))
	if filepath.IsAbs(filepath.FromSlash(l.GameFolder)) {
		game = filepath.FromSlash(l.GameFolder)
	}
	if !isWithin(resolved(game), resolved(v.build.Folder)) {
		v.found(problem.Error, "game-folder-outside", v.build.rel(file), exportAgain, "gameFolder is %q, which is not in the build: the game works on this computer only", l.GameFolder)
	}
	if !isDir(game) {
		v.found(problem.Error, "game-folder-missing", v.build.rel(file), exportAgain, "gameFolder is %q, and there is no such folder", l.GameFolder)
		return false
	}
	v.build.setGame(game)
	return true
}

// checkExecutable looks for what starts the game.
func (v *verifier) checkExecutable() {
	dir := filepath.Dir(v.build.Launcher)
	missing := func(format string, args ...any) {
		v.found(problem.Error, "executable-missing", v.build.rel(dir), exportAgain, format, args...)
	}
	if v.expected != nil {
		info, err := os.Stat(v.expected.executable)
		switch {
		case err != nil:
			missing("the executable cannot be read: %v", err)
		case !info.Mode().IsRegular() || info.Size() == 0:
			missing("%s is not a program", filepath.Base(v.expected.executable))
		case v.expected.runnable && info.Mode().Perm()&0o111 == 0:
			missing("%s may not be executed", filepath.Base(v.expected.executable))
		}
		return
	}
	if text, err := os.ReadFile(filepath.Join(filepath.Dir(dir), "Info.plist")); err == nil && filepath.Base(dir) == "MacOS" {
		info, err := plist.Read(text)
		if err != nil {
			v.found(problem.Error, "bundle-invalid", v.build.rel(filepath.Join(filepath.Dir(dir), "Info.plist")), exportAgain, "cannot be read: %v", err)
			return
		}
		name := info.Get("CFBundleExecutable")
		if text, ok := name.(string); !ok || text == "" || !exists(filepath.Join(dir, filepath.Base(text))) {
			missing("Info.plist names the executable %v, and there is no such file", name)
		}
		return
	}
	entries, err := os.ReadDir(dir)
	if err != nil {
		missing("cannot be read: %s", reason(err))
		return
	}
	for _, entry := range entries {
		info, err := entry.Info()
		if err != nil || !info.Mode().IsRegular() {
			continue
		}
		if strings.EqualFold(filepath.Ext(entry.Name()), ".exe") || info.Mode().Perm()&0o111 != 0 || runtime.GOOS == "windows" && filepath.Ext(entry.Name()) == "" {
			return
		}
	}
	missing("there is no file beside launcher.json that may be executed")
}

// openPack opens the pack.
func (v *verifier) openPack() error {
	file := v.build.Pack
	pack, err := OpenPack(file)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		if v.build.Kind == PackAlone {
			return err
		}
		v.found(problem.Error, "pack-missing", v.build.rel(file), exportAgain, "is missing: the game has no assets")
	case err != nil:
		v.found(problem.Error, "pack-damaged", v.build.rel(file), exportAgain, "cannot be read: %s", strings.TrimPrefix(err.Error(), file+": "))
	default:
		v.pack = pack
	}
	if v.pack != nil && v.expected != nil && !slices.Equal(pack.Entries(), v.expected.entries) {
		v.found(problem.Error, "pack-damaged", v.build.rel(file), exportAgain, "does not list what was packed")
	}
	return nil
}

// open opens a file of the game as the player does: from the pack, or from the folder when the pack does not hold it.
func (v *verifier) open(path string) (io.ReadCloser, error) {
	if v.pack != nil {
		entry, ok, err := v.pack.Find(path)
		if err != nil {
			return nil, err
		}
		if ok {
			return v.pack.Open(entry)
		}
	}
	file, err := v.loose(path)
	if err != nil {
		return nil, err
	}
	return os.Open(file)
}

// loose gives the place on disk of a file beside the pack.
func (v *verifier) loose(path string) (string, error) {
	if v.build.Root == "" {
		return "", fs.ErrNotExist // of a pack alone
	}
	return assetpath.SafeJoin(v.build.Root, path)
}

// has says whether the game can open a file.
func (v *verifier) has(path string) bool {
	normal, err := assetpath.Normalize(path)
	if err != nil || normal == "" {
		return false
	}
	if v.pack != nil {
		if _, ok, err := v.pack.Find(normal); ok && err == nil {
			return true
		}
	}
	file, err := v.loose(normal)
	if err != nil {
		return false
	}
	info, err := os.Stat(file)
	return err == nil && info.Mode().IsRegular()
}

// readIndex reads the catalog of the assets, and sees that they are there.
func (v *verifier) readIndex() {
	in, err := v.open(indexPath)
	if errors.Is(err, fs.ErrNotExist) {
		level := problem.Error
		if v.build.Kind == PackAlone {
			level = problem.Warning // it may not be a game's
		}
		v.found(level, "index-missing", v.build.rel(v.build.Pack), exportAgain, "holds no %s: the game would find no asset by its guid", indexPath)
		return
	}
	if err == nil {
		v.catalog, err = readCatalog(in)
		_ = in.Close()
	}
	if err != nil {
		v.found(problem.Error, "index-invalid", indexPath, exportAgain, "cannot be read: %v", err)
		return
	}
	for _, path := range v.catalog.files {
		if !v.has(path) {
			v.found(problem.Error, "asset-missing", path, exportAgain, "is in the index and nowhere else")
		}
	}
	for _, entry := range v.pack.Entries() {
		if key := assetpath.Fold(entry.Path); !v.catalog.paths[key] && key != assetpath.Fold(indexPath) {
			v.found(problem.Warning, "asset-unlisted", entry.Path, "", "is in the pack and not in its index: the game can open it by its path only")
		}
	}
}

// readGame reads game.json and looks for what the game starts with.
func (v *verifier) readGame() {
	in, err := v.open(viaGame)
	if errors.Is(err, fs.ErrNotExist) {
		v.found(problem.Error, "game-missing", viaGame, exportAgain, "is missing: the game would start with the engine's own settings")
		return
	}
	var text []byte
	if err == nil {
		text, err = io.ReadAll(in)
		_ = in.Close()
	}
	if err == nil {
		v.game, err = project.ParseGame(text)
	}
	if err != nil {
		v.found(problem.Error, "game-invalid", viaGame, "Correct the file, and export the game again.", "cannot be read: %v", err)
		return
	}
	if v.title == "" {
		v.title = v.game.Title
	}
	if v.pack == nil {
		return // whatever the game needs is missing with it
	}
	v.checkStart()
	if image := v.game.LoadingScreen.Image; image != nil && *image != "" && !v.has(*image) {
		v.found(problem.Warning, "loading-image-missing", viaGame, "", "the picture of the loading screen, %s, is missing: the game shows its title instead", *image)
	}
}

// checkStart looks for the start scene.
func (v *verifier) checkStart() {
	start := v.game.StartScene
	missing := func(format string, args ...any) {
		v.found(problem.Error, "start-scene-missing", viaGame, exportAgain, format, args...)
	}
	if start.Name != project.SceneFile {
		for _, parameter := range start.Parameters {
			for _, part := range strings.Split(parameter.Value, ";") {
				part = strings.TrimSpace(part)
				if part == "" || strings.Contains(part, " ") || v.has(part) {
					continue
				}
				if kind := assets.KindOf(part).ID; kind != assets.Other && kind != assets.Script { // scripts ship compiled
					missing("the start scene %s needs %s, which is missing", start.Name, part)
				}
			}
		}
		return
	}
	if path, ok := start.Parameter("path"); ok {
		if !v.has(path) {
			missing("the start scene %s is missing", path)
		}
		return
	}
	text, _ := start.Parameter("guid")
	id, err := guid.Parse(text)
	if err != nil || id.IsZero() {
		missing("the start scene has neither a path nor a guid")
		return
	}
	if v.catalog == nil {
		return
	}
	if path, ok := v.catalog.byGuid[id]; !ok || !v.has(path) {
		missing("the start scene %s is missing", id)
	}
}

// checkLoose looks at the files beside the pack.
func (v *verifier) checkLoose() {
	if v.expected != nil {
		for _, file := range slices.Sorted(maps.Keys(v.expected.files)) {
			size := v.expected.files[file]
			info, err := os.Stat(file)
			switch {
			case err != nil:
				v.found(problem.Error, "file-missing", v.build.rel(file), exportAgain, "cannot be read: %s", reason(err))
			case !info.Mode().IsRegular() || info.Size() != size:
				v.found(problem.Error, "file-damaged", v.build.rel(file), exportAgain, "has %d bytes, expected %d", info.Size(), size)
			}
		}
		return
	}
	v.checkConfig()
	v.checkScripts()
	v.checkPlugins()
}

// checkConfig sees that the configuration can be read. What it says is the game's own affair.
func (v *verifier) checkConfig() {
	_ = filepath.WalkDir(filepath.Join(v.build.Root, configFolder), func(file string, d fs.DirEntry, err error) error {
		if errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		if err != nil {
			v.found(problem.Error, "config-unreadable", v.build.rel(file), "", "cannot be read: %s", reason(err))
			return nil
		}
		if d.IsDir() || !strings.EqualFold(filepath.Ext(file), ".json") {
			return nil
		}
		text, err := os.ReadFile(file)
		if err != nil {
			v.found(problem.Error, "config-unreadable", v.build.rel(file), "", "cannot be read: %s", reason(err))
			return nil
		}
		if _, err := jsondoc.Parse(text); err != nil {
			v.found(problem.Warning, "config-invalid", v.build.rel(file), "Correct the file in the project, and export the game again.", "%v", err)
		}
		return nil
	})
}

// checkScripts sees that the compiled scripts, if there are any, are an assembly.
func (v *verifier) checkScripts() {
	file := filepath.Join(v.build.Root, filepath.FromSlash(scriptAssembly))
	switch err := assemblyFault(file); {
	case errors.Is(err, fs.ErrNotExist):
	case err != nil:
		v.found(problem.Error, "scripts-invalid", v.build.rel(file), "Compile the scripts again, and export the game.", "is no assembly that the player can load: %v", err)
	}
}

func assemblyFault(file string) error {
	in, err := os.Open(file)
	if err != nil {
		return err
	}
	defer in.Close()
	info, err := in.Stat()
	if err == nil {
		_, err = clr.UserStrings(in, info.Size())
	}
	return err
}

// checkPlugins sees that the plugins can be loaded. The player goes without one that cannot.
func (v *verifier) checkPlugins() {
	folder := v.game.PluginsFolder
	if folder == "" {
		return // game.json could not be read
	}
	root, err := v.loose(folder)
	if err != nil {
		return
	}
	entries, err := os.ReadDir(root)
	if err != nil {
		return // a game without plugins
	}
	for _, entry := range entries {
		if !entry.IsDir() {
			continue
		}
		file := filepath.Join(root, entry.Name(), plugins.ManifestFile)
		text, err := os.ReadFile(file)
		var manifest *plugins.Manifest
		if err == nil {
			manifest, err = plugins.ParseManifest(text)
		}
		if err != nil {
			v.found(problem.Warning, "plugin-invalid", v.build.rel(file), "", "the player cannot load the plugin: %s", reason(err))
			continue
		}
		assembly := filepath.Join(root, entry.Name(), manifest.Assembly)
		if err := assemblyFault(assembly); err != nil {
			v.found(problem.Warning, "plugin-invalid", v.build.rel(assembly), "", "the player cannot load the plugin %s: %s", manifest.ID, reason(err))
		}
	}
}

// checkEntries reads every entry of the pack, on all cores.
func (v *verifier) checkEntries(ctx context.Context) error {
	entries := v.pack.Entries()
	found := make([][]problem.Problem, len(entries))
	var next atomic.Int64
	var workers sync.WaitGroup
	var lock sync.Mutex
	done := 0
	for range min(runtime.GOMAXPROCS(0), len(entries)) {
		workers.Go(func() {
			w := entryVerifier{verifier: v, buffer: make([]byte, 1<<18)}
			for ctx.Err() == nil {
				i := int(next.Add(1)) - 1
				if i >= len(entries) {
					return
				}
				found[i] = w.check(ctx, i)
				lock.Lock()
				done++
				v.progress(done, len(entries), entries[i].Path)
				lock.Unlock()
			}
		})
	}
	workers.Wait()
	if err := ctx.Err(); err != nil {
		return err
	}
	for _, problems := range found {
		v.problems = append(v.problems, problems...)
	}
	return nil
}

// An entryVerifier reads entries with memory of its own.
type entryVerifier struct {
	*verifier
	buffer []byte
	search assets.Search
}

// check reads one entry to its end, or until ctx is done.
func (w *entryVerifier) check(ctx context.Context, i int) (problems []problem.Problem) {
	e := w.pack.Entries()[i]
	w.bytes.Add(e.ContentLength())
	add := func(level problem.Level, code, hint, format string, args ...any) {
		problems = append(problems, problem.Problem{Level: level, Code: code, File: e.Path, Hint: hint, Message: fmt.Sprintf(format, args...)})
	}
	document := assets.HasReferences(e.Path)
	if w.expected != nil && i < len(w.expected.sums) {
		if err := w.checkStored(ctx, e, w.expected.sums[i]); err != nil {
			add(problem.Error, "entry-damaged", exportAgain, "%v", err)
			return problems
		}
		if !document {
			return nil
		}
		if w.expected.documents != nil {
			if found, ok := w.expected.documents.Load(i); ok {
				return found.([]problem.Problem)
			}
			defer func() {
				if ctx.Err() == nil {
					w.expected.documents.Store(i, problems)
				}
			}()
		}
	}
	content, err := w.pack.Open(e)
	if err == nil {
		defer content.Close()
		if document {
			problems = append(problems, w.references(e, content)...)
		}
		err = w.drain(ctx, content)
	}
	if err != nil && ctx.Err() == nil {
		add(problem.Error, "entry-damaged", exportAgain, "cannot be read: %v", err)
	}
	return problems
}

// drain reads to the end.
func (w *entryVerifier) drain(ctx context.Context, content io.Reader) error {
	for ctx.Err() == nil {
		if _, err := content.Read(w.buffer); errors.Is(err, io.EOF) {
			return nil
		} else if err != nil {
			return err
		}
	}
	return ctx.Err()
}

// checkStored sees that the stored bytes are those that were packed, which the packing has compared with the file.
func (w *entryVerifier) checkStored(ctx context.Context, e tspack.Entry, sum uint32) error {
	stored, err := w.pack.OpenStored(e)
	if err != nil {
		return err
	}
	defer stored.Close()
	h := tspack.NewChecksum()
	for ctx.Err() == nil {
		n, err := stored.Read(w.buffer)
		h.Write(w.buffer[:n])
		if errors.Is(err, io.EOF) {
			if found := h.Sum32(); found != sum {
				return fmt.Errorf("is not what was packed: the stored bytes have the checksum %08x, expected %08x", found, sum)
			}
			return nil
		}
		if err != nil {
			return err
		}
	}
	return ctx.Err()
}

// references looks for what an asset refers to.
func (w *entryVerifier) references(e tspack.Entry, content io.Reader) []problem.Problem {
	var problems []problem.Problem
	references, err := w.search.References(e.Path, content, e.ContentLength())
	if err != nil {
		problems = append(problems, problem.Problem{Level: problem.Warning, Code: "document-invalid", File: e.Path,
			Message: fmt.Sprintf("cannot be read to its end: %v", err), Hint: "Save the asset again in the editor, and export the game."})
	}
	for _, r := range references {
		if w.catalog == nil || w.resolves(r) || w.expected != nil && w.expected.known(r) {
			continue
		}
		problems = append(problems, problem.Problem{Level: problem.Error, Code: "reference-missing", File: e.Path,
			Message: fmt.Sprintf("refers to %s, which is not in the build", r), Hint: "Restore the asset in the project, or remove the reference, and export the game."})
	}
	return problems
}

// resolves says whether a reference leads to something in the build.
func (v *verifier) resolves(r assets.Reference) bool {
	if r.Guid.IsZero() {
		return v.catalog.paths[assetpath.Fold(r.Path)] || v.has(r.Path)
	}
	_, ok := v.catalog.byGuid[r.Guid]
	return ok
}
