package project

import (
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"sync"

	"talebinder/formats/assetpath"
	"talebinder/formats/jsondoc"
	"talebinder/platforms"
	"talebinder/project/document"
	"talebinder/project/internal/fields"
)

// BuildSettings is the content of build.json: how the game is exported. A nil text is one that the file leaves out.
type BuildSettings struct {
	Target           *string           // id of a platform; nil or unknown means the computer that exports
	Profile          platforms.Profile // what kind of build
	OutputFolder     string            // absolute, or relative to the project folder
	Scenes           []SceneEntry      // scenes that ship besides the start scene, in order
	AlwaysInclude    []string          // see ParseInclude
	Version          string            // the game's version
	ExecutableName   *string           // nil means the game's title
	Icon             *string           // a PNG file, relative to the asset root
	BundleIdentifier *string           // for macOS; nil means one derived from the name
	Compress         bool              // assets in the pack are compressed
}

// A SceneEntry is a scene of the list. It ships when it is enabled, and otherwise only keeps its place.
type SceneEntry struct {
	Path    string // asset path as written
	Enabled bool
}

// DefaultBuildSettings is what a project without build.json is built with.
func DefaultBuildSettings() BuildSettings {
	return BuildSettings{Profile: platforms.Release, OutputFolder: "builds", Version: "1.0.0", Compress: true}
}

// clone gives settings that share nothing with s.
func (s BuildSettings) clone() BuildSettings {
	s.Target, s.ExecutableName = cloneText(s.Target), cloneText(s.ExecutableName)
	s.Icon, s.BundleIdentifier = cloneText(s.Icon), cloneText(s.BundleIdentifier)
	s.Scenes, s.AlwaysInclude = slices.Clone(s.Scenes), slices.Clone(s.AlwaysInclude)
	return s
}

func cloneText(text *string) *string {
	if text == nil {
		return nil
	}
	copied := *text
	return &copied
}

// ParseBuildSettings reads the text of a build.json. What the text does not say has its default; names count exactly,
// unknown ones are ignored, comments and trailing commas are accepted, and the document null means defaults. The error is
// a *FileError with everything that is wrong.
func ParseBuildSettings(text []byte) (BuildSettings, error) {
	_, settings, err := parseBuild(text)
	return settings, err
}

func parseBuild(text []byte) (*jsondoc.Doc, BuildSettings, error) {
	r, err := fields.Read(text)
	if err != nil {
		return nil, DefaultBuildSettings(), fileError(err)
	}
	settings := readBuildSettings(r)
	if err := r.Err(); err != nil {
		return r.Doc(), DefaultBuildSettings(), fileError(err)
	}
	return r.Doc(), settings, nil
}

func readBuildSettings(r *fields.Reader) BuildSettings {
	s := DefaultBuildSettings()
	root := r.Root()
	s.Target = root.OptionalText("target")
	if n, ok := root.Enum("profile", profileWords(), true); ok {
		// Another number acts as release.
		s.Profile = platforms.Release
		if n >= 0 && n < len(platforms.Profiles()) {
			s.Profile = platforms.Profile(n)
		}
	}
	root.Text("outputFolder", &s.OutputFolder)
	items, paths := root.List("scenes")
	for i, item := range items {
		o := r.Item(item, paths[i])
		entry := SceneEntry{Enabled: true}
		o.Text("path", &entry.Path)
		o.Bool("enabled", &entry.Enabled)
		s.Scenes = append(s.Scenes, entry)
	}
	s.AlwaysInclude = root.Texts("alwaysInclude", true)
	root.Text("version", &s.Version)
	s.ExecutableName = root.OptionalText("executableName")
	s.Icon = root.OptionalText("icon")
	s.BundleIdentifier = root.OptionalText("bundleIdentifier")
	root.Bool("compress", &s.Compress)
	return s
}

func profileWords() []string {
	var words []string
	for _, p := range platforms.Profiles() {
		words = append(words, p.ID)
	}
	return words
}

// buildOrder is the order in which the engine writes the fields.
var buildOrder = []string{
	"target", "profile", "outputFolder", "scenes", "alwaysInclude", "version", "executableName", "icon", "bundleIdentifier", "compress",
}

// sceneOrder is the order in which the engine writes the fields of a scene.
var sceneOrder = []string{"path", "enabled"}

// Text gives the settings exactly as the engine writes a build.json.
func (s BuildSettings) Text() []byte {
	w := jsondoc.NewWriter(jsondoc.Strict)
	optional := func(name string, text *string) {
		if text != nil {
			w.Name(name)
			w.String(*text)
		}
	}
	w.BeginObject()
	optional("target", s.Target)
	w.Name("profile")
	w.String(s.Profile.String())
	w.Name("outputFolder")
	w.String(s.OutputFolder)
	w.Name("scenes")
	writeScenes(w, s.Scenes)
	w.Name("alwaysInclude")
	writeTexts(w, s.AlwaysInclude)
	w.Name("version")
	w.String(s.Version)
	optional("executableName", s.ExecutableName)
	optional("icon", s.Icon)
	optional("bundleIdentifier", s.BundleIdentifier)
	w.Name("compress")
	w.Bool(s.Compress)
	w.EndObject()
	return append(slices.Clone(w.Bytes()), '\n')
}

func writeScenes(w *jsondoc.Writer, scenes []SceneEntry) {
	w.BeginArray()
	for _, scene := range scenes {
		writeScene(w, scene)
	}
	w.EndArray()
}

func writeScene(w *jsondoc.Writer, scene SceneEntry) {
	w.BeginObject()
	w.Name("path")
	w.String(scene.Path)
	w.Name("enabled")
	w.Bool(scene.Enabled)
	w.EndObject()
}

func writeTexts(w *jsondoc.Writer, texts []string) {
	w.BeginArray()
	for _, text := range texts {
		w.String(text)
	}
	w.EndArray()
}

// labelPrefix begins the entries of the always-include list that name a label, in any case.
const labelPrefix = "label:"

// isLabel says whether an entry of the always-include list is one for a label.
func isLabel(entry string) bool {
	return len(entry) >= len(labelPrefix) && assetpath.Fold(entry[:len(labelPrefix)]) == assetpath.Fold(labelPrefix)
}

// ParseInclude reads an entry of the always-include list: the name of a label, or the normalized path of an asset file or
// folder. Both are empty for a blank entry and for the asset folder itself, which name nothing. The error is that of a
// path that leaves the asset folder.
//
// Entries that begin with "label:", in any case, name a label, with the white space around it taken off; labels compare
// ignoring case. White space around a path is a part of it, so an entry with a space before "label:" is a path.
func ParseInclude(entry string) (label, path string, err error) {
	if isLabel(entry) {
		return strings.TrimSpace(entry[len(labelPrefix):]), "", nil
	}
	if strings.TrimSpace(entry) == "" {
		return "", "", nil
	}
	path, err = assetpath.Normalize(entry)
	return "", path, err
}

// BuildFile is the name of the file with the build settings, in the project folder.
const BuildFile = "build.json"

// A BuildDocument is build.json while it is edited. It is lossless: a change touches the bytes of the changed values
// alone, and comments, order, formatting and unknown fields stay. All methods may be called from any goroutine.
type BuildDocument struct {
	*document.Document

	mu       sync.Mutex
	version  int // of the text that the rest was read from
	doc      *jsondoc.Doc
	settings BuildSettings // of the last text that was valid
	err      error
}

// OpenBuild reads a build.json. When there is none, the document has the engine's text of the default settings and the
// file appears with the first save of a change. A file that cannot be read or is not valid is not an error here: Err says so.
func OpenBuild(path string) *BuildDocument {
	fallback := DefaultBuildSettings().Text()
	doc, err := document.Open(path, fallback)
	if err != nil {
		doc = document.Blocked(path, fallback, err)
	}
	d := &BuildDocument{Document: doc, version: -1, settings: DefaultBuildSettings()}
	d.refresh()
	return d
}

// refresh reads the text when it has changed.
func (d *BuildDocument) refresh() (*jsondoc.Doc, BuildSettings, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	text, version := d.Snapshot()
	if reason := d.Blocked(); reason != nil {
		return nil, d.settings, &FileError{File: BuildFile, Err: reason, Faults: []Fault{{Message: "the file cannot be read: " + systemReason(reason)}}}
	}
	if version != d.version {
		var settings BuildSettings
		d.doc, settings, d.err = parseBuild(text)
		d.version = version
		var faulty *FileError
		if errors.As(d.err, &faulty) {
			faulty.File = BuildFile
		} else {
			d.settings = settings
		}
	}
	return d.doc, d.settings, d.err
}

// systemReason is an error without the absolute path that errors of the system begin with.
func systemReason(err error) string {
	var pathErr *fs.PathError
	if errors.As(err, &pathErr) {
		return pathErr.Err.Error()
	}
	return err.Error()
}

// Settings gives the settings of the current text, and those of the last valid text while Err is not nil.
func (d *BuildDocument) Settings() BuildSettings {
	_, settings, _ := d.refresh()
	return settings.clone()
}

// Err says why the current text is not valid, as a *FileError, or is nil.
func (d *BuildDocument) Err() error {
	_, _, err := d.refresh()
	return err
}

// Place gives the line and column of a field in the current text: a name such as "version", or a name and an index such
// as "scenes/2". It is that of the list for an item that is not there, and 0, 0 for a field that the text leaves out.
func (d *BuildDocument) Place(field string) (line, column int) {
	doc, _, _ := d.refresh()
	if doc == nil {
		return 0, 0
	}
	name, index, isItem := strings.Cut(field, "/")
	v := doc.Root().Get(name)
	if i := 0; isItem {
		if _, err := fmt.Sscanf(index, "%d", &i); err == nil {
			if item := v.Index(i); item.Exists() {
				v = item
			}
		}
	}
	return v.Position()
}

// Change edits the settings: it calls change with the present ones and puts what differs afterwards into the text, as one
// step to undo. The merge key is that of document.Document.Apply. While Err is not nil nothing is changed and it is returned.
func (d *BuildDocument) Change(title, merge string, change func(*BuildSettings)) error {
	doc, before, err := d.refresh()
	if err != nil {
		return err
	}
	after := before.clone()
	change(&after)
	changed, err := editBuild(doc, before, after)
	if err != nil {
		return fmt.Errorf("%s: the change could not be made: %w", BuildFile, err)
	}
	d.Apply(title, merge, changed.Text())
	return nil
}

// ReplaceWithDefaults makes the text that of the default settings, as a step to undo: a way on when a file is not valid.
func (d *BuildDocument) ReplaceWithDefaults() {
	d.Apply("Replace with defaults", "", DefaultBuildSettings().Text())
}

// editBuild gives the document with the settings after in place of those before, which are the document's own.
func editBuild(doc *jsondoc.Doc, before, after BuildSettings) (*jsondoc.Doc, error) {
	if doc.Root().Kind() != jsondoc.Object { // null
		if settingsEqual(before, after) {
			return doc, nil
		}
		return doc.Apply(doc.Root().Replace(after.Text()))
	}
	e := &editor{doc: doc}
	e.optional("target", before.Target, after.Target)
	if before.Profile != after.Profile {
		e.set("profile", quoted(after.Profile.String()))
	}
	e.text("outputFolder", before.OutputFolder, after.OutputFolder)
	e.scenes(before.Scenes, after.Scenes)
	e.includes(before.AlwaysInclude, after.AlwaysInclude)
	e.text("version", before.Version, after.Version)
	e.optional("executableName", before.ExecutableName, after.ExecutableName)
	e.optional("icon", before.Icon, after.Icon)
	e.optional("bundleIdentifier", before.BundleIdentifier, after.BundleIdentifier)
	if before.Compress != after.Compress {
		e.set("compress", boolean(after.Compress))
	}
	return e.doc, e.err
}

func settingsEqual(a, b BuildSettings) bool {
	return sameText(a.Target, b.Target) && a.Profile == b.Profile && a.OutputFolder == b.OutputFolder &&
		slices.Equal(a.Scenes, b.Scenes) && slices.Equal(a.AlwaysInclude, b.AlwaysInclude) && a.Version == b.Version &&
		sameText(a.ExecutableName, b.ExecutableName) && sameText(a.Icon, b.Icon) &&
		sameText(a.BundleIdentifier, b.BundleIdentifier) && a.Compress == b.Compress
}

func sameText(a, b *string) bool {
	return (a == nil) == (b == nil) && (a == nil || *a == *b)
}

func quoted(text string) []byte { return jsondoc.AppendString(nil, text, jsondoc.Strict) }

func boolean(b bool) []byte { return fmt.Appendf(nil, "%t", b) }

// An editor applies edits to a document one after the other, since each changes where the next one goes. After the first
// error it does nothing more.
type editor struct {
	doc *jsondoc.Doc
	err error
}

func (e *editor) apply(edits ...jsondoc.Edit) {
	if e.err == nil {
		var doc *jsondoc.Doc
		if doc, e.err = e.doc.Apply(edits...); e.err == nil {
			e.doc = doc
		}
	}
}

func (e *editor) set(name string, raw []byte) {
	e.apply(e.doc.Root().SetMember(name, raw, buildOrder))
}

func (e *editor) text(name, before, after string) {
	if before != after {
		e.set(name, quoted(after))
	}
}

func (e *editor) optional(name string, before, after *string) {
	switch {
	case sameText(before, after):
	case after == nil:
		e.apply(e.doc.Root().RemoveMember(name))
	default:
		e.set(name, quoted(*after))
	}
}

func (e *editor) scenes(before, after []SceneEntry) {
	if slices.Equal(before, after) {
		return
	}
	if e.doc.Root().Get("scenes").Kind() != jsondoc.Array {
		w := jsondoc.NewWriter(jsondoc.Strict)
		writeScenes(w, after)
		e.set("scenes", w.Bytes())
		return
	}
	samePath := func(s SceneEntry) string { return s.Path }
	editList(e, "scenes", before, after, samePath, newScene,
		func(item jsondoc.Value, before, after SceneEntry) (edit jsondoc.Edit, changed bool) {
			return item.SetMember("path", quoted(after.Path), sceneOrder), before.Path != after.Path
		},
		func(item jsondoc.Value, before, after SceneEntry) (edit jsondoc.Edit, changed bool) {
			return item.SetMember("enabled", boolean(after.Enabled), sceneOrder), before.Enabled != after.Enabled
		})
}

// newScene lays a scene out as the other scenes of the list are: each on its own line, or as the engine does.
func newScene(list jsondoc.Value, scene SceneEntry) []byte {
	w := jsondoc.NewWriter(jsondoc.Strict)
	writeScene(w, scene)
	var like jsondoc.Value
	for item := range list.Items() {
		like = item
	}
	text := string(like.Raw())
	if like.Len() == 0 || strings.Contains(text, "\n") {
		return w.Bytes()
	}
	at := func(offset int) int { return offset - like.Start() }
	padding := text[1 : 1+len(text[1:])-len(strings.TrimLeft(text[1:], " \t"))]
	colon, comma := ": ", ""
	previous := -1
	for _, v := range like.Members() {
		if between := text[at(v.Name().End()):at(v.Start())]; strings.Trim(between, " \t:") == "" {
			colon = between
		}
		if previous >= 0 {
			if between := text[previous:at(v.Name().Start())]; strings.Trim(between, " \t,") == "" {
				comma = between
			}
		}
		previous = at(v.End())
	}
	if comma == "" {
		comma = ", "
		if strings.HasSuffix(colon, ":") {
			comma = ","
		}
	}
	return fmt.Appendf(nil, "{%s%s%s%s%s%s%s%s%s}", padding, quoted("path"), colon, quoted(scene.Path), comma, quoted("enabled"), colon, boolean(scene.Enabled), padding)
}

func (e *editor) includes(before, after []string) {
	if slices.Equal(before, after) {
		return
	}
	if e.doc.Root().Get("alwaysInclude").Kind() != jsondoc.Array {
		w := jsondoc.NewWriter(jsondoc.Strict)
		writeTexts(w, after)
		e.set("alwaysInclude", w.Bytes())
		return
	}
	editList(e, "alwaysInclude", before, after, func(s string) string { return s },
		func(_ jsondoc.Value, entry string) []byte { return quoted(entry) },
		func(item jsondoc.Value, _, after string) (edit jsondoc.Edit, changed bool) {
			return item.Replace(quoted(after)), true
		})
}

// A change of an item, when it is one.
type changeItem[T any] func(item jsondoc.Value, before, after T) (edit jsondoc.Edit, changed bool)

// maxMoves is how many items are moved one by one, with the comments behind them. In a list that is sorted anew or turned
// round more would have to go: then the items change places and everything between them stays.
const maxMoves = 64

// editList turns one list into another with as few edits of items as it takes: an item that stays keeps its bytes. Two
// items with one key are the same item with other properties, which changes put right one after the other.
func editList[T comparable](e *editor, name string, before, after []T, key func(T) string,
	create func(list jsondoc.Value, item T) []byte, changes ...changeItem[T],
) {
	list := func() jsondoc.Value { return e.doc.Root().Get(name) }
	from := matchItems(before, after, key)
	to := make([]int, len(before)) // index in after, or -1
	for i := range to {
		to[i] = -1
	}
	var wanted []int // the items of before that stay, in the order of after
	for j, i := range from {
		if i >= 0 {
			to[i] = j
			wanted = append(wanted, i)
		}
	}
	var now, gone []int // the items of before that stay, in the order of the list, and the ones that go
	for i := range before {
		if to[i] >= 0 {
			now = append(now, i)
		} else {
			gone = append(gone, i)
		}
	}
	if len(gone) > 0 {
		e.apply(list().RemoveItems(gone...))
	}

	for _, change := range changes {
		var edits []jsondoc.Edit
		at := 0
		for item := range list().Items() {
			i := now[at]
			at++
			if before[i] == after[to[i]] {
				continue
			}
			if edit, changed := change(item, before[i], after[to[i]]); changed {
				edits = append(edits, edit)
			}
		}
		e.apply(edits...)
	}

	e.reorder(list, now, wanted)

	for j := 0; j < len(from); j++ {
		first := j
		var raws [][]byte
		for ; j < len(from) && from[j] < 0; j++ {
			raws = append(raws, create(list(), after[j]))
		}
		if len(raws) > 0 {
			e.apply(list().InsertItems(first, raws...))
		}
	}
}

// reorder puts the items of a list, which are now, into the order of wanted, which holds the same ones.
func (e *editor) reorder(list func() jsondoc.Value, now, wanted []int) {
	still := longestRise(now, wanted)
	if len(wanted)-len(still) > maxMoves {
		raw := make(map[int][]byte, len(now))
		at := 0
		for item := range list().Items() {
			raw[now[at]] = item.Raw()
			at++
		}
		var edits []jsondoc.Edit
		at = 0
		for item := range list().Items() {
			edits = append(edits, jsondoc.Edit{Start: item.Start(), End: item.End(), New: raw[wanted[at]]})
			at++
		}
		e.apply(edits...)
		return
	}
	for t, i := range wanted {
		if still[i] {
			continue
		}
		at := slices.Index(now, i)
		to := 0
		if t > 0 {
			if to = slices.Index(now, wanted[t-1]) + 1; at < to {
				to--
			}
		}
		e.apply(list().MoveItem(at, to)...)
		now = slices.Insert(slices.Delete(now, at, at+1), to, i)
	}
}

// matchItems says for each item of after which item of before it is, or -1 for a new one: first the equal ones, then those
// with an equal key, then, in lists of one length, the ones in the same place.
func matchItems[T comparable](before, after []T, key func(T) string) []int {
	from := make([]int, len(after))
	for j := range from {
		from[j] = -1
	}
	taken := make([]bool, len(before))
	pair := func(same func(T) any) {
		free := map[any][]int{}
		for i, item := range before {
			if !taken[i] {
				free[same(item)] = append(free[same(item)], i)
			}
		}
		for j, item := range after {
			if at := free[same(item)]; from[j] < 0 && len(at) > 0 {
				from[j], free[same(item)] = at[0], at[1:]
				taken[at[0]] = true
			}
		}
	}
	pair(func(item T) any { return item })
	pair(func(item T) any { return key(item) })
	if len(before) == len(after) {
		for j := range after {
			if from[j] < 0 && !taken[j] {
				from[j], taken[j] = j, true
			}
		}
	}
	return from
}

// longestRise gives the largest set of items that can stay where they are when now is put into the order of wanted, which
// holds the same items.
func longestRise(now, wanted []int) map[int]bool {
	place := make(map[int]int, len(now))
	for at, i := range now {
		place[i] = at
	}
	var tails []int                      // tails[n] is the index in wanted at which a rise of n+1 items ends lowest
	previous := make([]int, len(wanted)) // the one before in its rise, or -1
	for t, i := range wanted {
		n, _ := slices.BinarySearchFunc(tails, place[i], func(tail, at int) int { return place[wanted[tail]] - at })
		previous[t] = -1
		if n > 0 {
			previous[t] = tails[n-1]
		}
		if n == len(tails) {
			tails = append(tails, t)
		} else {
			tails[n] = t
		}
	}
	still := map[int]bool{}
	if len(tails) > 0 {
		for t := tails[len(tails)-1]; t >= 0; t = previous[t] {
			still[wanted[t]] = true
		}
	}
	return still
}
