package export

import (
	"fmt"
	"iter"
	"strings"
	"time"

	"talebinder/formats/jsondoc"
	"talebinder/platforms"
)

// A Report says how an export ended and what is in the build. It is written beside the build folder in the form that the
// engine's own Build dialog reads; it passes over the notes, which are ours.
type Report struct {
	Success         bool
	Cancelled       bool
	Kind            string // "" for the export of a game; else what the job does, such as "swap-content", and Profile means nothing
	Game            string // the game's title
	Target          string // target id
	Profile         platforms.Profile
	StartedAt       time.Time
	Duration        time.Duration
	OutputDirectory string // the build folder; only after a success
	Executable      string // only after the success of a whole build
	Archive         string // only after a success with a profile that archives
	ReportFile      string
	TotalSize       int64 // bytes, the sum of the categories
	AssetCount      int   // packed assets
	Categories      []Category
	LargestAssets   []AssetSize
	Steps           []StepTime
	Warnings        []Entry
	Errors          []Entry // never empty after a failure; its last entry sums up
	Notes           []Note  // only after a success
	Sums            []Sum   // only after a success
}

// A Sum is the hash of a file, or of a part of one, that a person can quote.
type Sum struct {
	Role   string // what it is to the job, such as "image" or "kept"
	Path   string
	Size   int64  // bytes
	SHA256 string // hexadecimal
}

// A Note is advice about what to do with a finished build.
type Note struct {
	Title    string
	Text     string
	Commands []string // lines for a shell, to be run in order
}

// A Category is a part of a build's size: a kind of asset, or one of the loose parts.
type Category struct {
	Name         string
	Files        int
	Size         int64 // bytes as stored
	OriginalSize int64 // bytes before compression
}

// An AssetSize is one of the largest packed assets.
type AssetSize struct {
	Path       string
	Kind       string // display name
	Size       int64  // bytes before compression
	StoredSize int64  // bytes as stored
	Reason     Reason
}

// A StepTime is how long a step took.
type StepTime struct {
	Title    string
	Duration time.Duration
}

// Text gives the report exactly as the engine writes it: two spaces of indentation, strict escapes, what is empty left out,
// no final newline.
func (r *Report) Text() []byte {
	w := jsondoc.NewWriter(jsondoc.Strict)
	w.BeginObject()
	writeBool(w, "success", r.Success)
	writeBool(w, "cancelled", r.Cancelled)
	writeOptional(w, "kind", r.Kind)
	writeText(w, "game", r.Game)
	writeText(w, "target", r.Target)
	if r.Kind == "" {
		writeText(w, "profile", r.Profile.String())
	}
	writeTime(w, "startedAt", r.StartedAt)
	writeText(w, "duration", FormatDuration(r.Duration))
	writeOptional(w, "outputDirectory", r.OutputDirectory)
	writeOptional(w, "executable", r.Executable)
	writeOptional(w, "archive", r.Archive)
	writeOptional(w, "reportFile", r.ReportFile)
	writeInt(w, "totalSize", r.TotalSize)
	writeInt(w, "assetCount", int64(r.AssetCount))
	writeList(w, "categories", r.Categories, func(c Category) {
		writeText(w, "name", c.Name)
		writeInt(w, "files", int64(c.Files))
		writeInt(w, "size", c.Size)
		writeInt(w, "originalSize", c.OriginalSize)
	})
	writeList(w, "largestAssets", r.LargestAssets, func(a AssetSize) {
		writeText(w, "path", a.Path)
		writeText(w, "kind", a.Kind)
		writeInt(w, "size", a.Size)
		writeInt(w, "storedSize", a.StoredSize)
		writeText(w, "reason", a.Reason.String())
	})
	writeList(w, "steps", r.Steps, func(s StepTime) {
		writeText(w, "title", s.Title)
		writeText(w, "duration", FormatDuration(s.Duration))
	})
	writeList(w, "warnings", r.Warnings, func(e Entry) { writeEntry(w, e) })
	writeList(w, "errors", r.Errors, func(e Entry) { writeEntry(w, e) })
	if len(r.Notes) > 0 {
		writeList(w, "notes", r.Notes, func(n Note) {
			writeText(w, "title", n.Title)
			writeText(w, "text", n.Text)
			w.Name("commands")
			w.BeginArray()
			for _, command := range n.Commands {
				w.String(command)
			}
			w.EndArray()
		})
	}
	if len(r.Sums) > 0 {
		writeList(w, "sums", r.Sums, func(s Sum) {
			writeText(w, "role", s.Role)
			writeText(w, "path", s.Path)
			writeInt(w, "size", s.Size)
			writeText(w, "sha256", s.SHA256)
		})
	}
	w.EndObject()
	return w.Bytes()
}

// MarshalJSON writes the report's properties as in a report file.
func (r *Report) MarshalJSON() ([]byte, error) { return r.Text(), nil }

// MarshalJSON writes the entry as reports do.
func (e Entry) MarshalJSON() ([]byte, error) {
	w := jsondoc.NewWriter(jsondoc.Strict)
	w.BeginObject()
	writeEntry(w, e)
	w.EndObject()
	return w.Bytes(), nil
}

func writeEntry(w *jsondoc.Writer, e Entry) {
	writeTime(w, "time", e.Time)
	writeText(w, "level", e.Level.String())
	writeText(w, "message", e.Message)
	writeOptional(w, "file", e.File)
	writeInt(w, "line", int64(e.Line))
	writeInt(w, "column", int64(e.Column))
	writeOptional(w, "step", e.Step)
}

func writeBool(w *jsondoc.Writer, name string, b bool) { w.Name(name); w.Bool(b) }
func writeInt(w *jsondoc.Writer, name string, n int64) { w.Name(name); w.Int(n) }
func writeText(w *jsondoc.Writer, name, s string)      { w.Name(name); w.String(s) }

func writeOptional(w *jsondoc.Writer, name, s string) {
	if s != "" {
		writeText(w, name, s)
	}
}

// writeTime writes a time. Unlike in other strings the plus sign of its offset is not escaped.
func writeTime(w *jsondoc.Writer, name string, t time.Time) {
	w.Name(name)
	w.Number(`"` + formatTime(t) + `"`)
}

func writeList[T any](w *jsondoc.Writer, name string, items []T, members func(T)) {
	w.Name(name)
	w.BeginArray()
	for _, item := range items {
		w.BeginObject()
		members(item)
		w.EndObject()
	}
	w.EndArray()
}

// ParseReport reads a report file, also one of the engine's. Properties that are not known are passed over, missing ones
// are zero. Errors give line and column.
func ParseReport(text []byte) (*Report, error) {
	doc, err := jsondoc.ParseOptions(text, jsondoc.Options{Plain: true})
	if err != nil {
		return nil, err
	}
	root := doc.Root()
	in := reportReader{}
	in.expect(root, jsondoc.Object, "an object")
	r := &Report{
		Success:         in.bool(root, "success"),
		Cancelled:       in.bool(root, "cancelled"),
		Kind:            in.text(root, "kind"),
		Game:            in.text(root, "game"),
		Target:          in.text(root, "target"),
		Profile:         in.profile(root, "profile"),
		StartedAt:       in.time(root, "startedAt"),
		Duration:        in.duration(root, "duration"),
		OutputDirectory: in.text(root, "outputDirectory"),
		Executable:      in.text(root, "executable"),
		Archive:         in.text(root, "archive"),
		ReportFile:      in.text(root, "reportFile"),
		TotalSize:       in.int(root, "totalSize"),
		AssetCount:      int(in.int(root, "assetCount")),
	}
	for v := range in.list(root, "categories") {
		r.Categories = append(r.Categories, Category{
			Name: in.text(v, "name"), Files: int(in.int(v, "files")), Size: in.int(v, "size"), OriginalSize: in.int(v, "originalSize"),
		})
	}
	for v := range in.list(root, "largestAssets") {
		r.LargestAssets = append(r.LargestAssets, AssetSize{
			Path: in.text(v, "path"), Kind: in.text(v, "kind"), Size: in.int(v, "size"), StoredSize: in.int(v, "storedSize"),
			Reason: Reason(in.word(v, "reason", reasonWords[:])),
		})
	}
	for v := range in.list(root, "steps") {
		r.Steps = append(r.Steps, StepTime{Title: in.text(v, "title"), Duration: in.duration(v, "duration")})
	}
	r.Warnings = in.entries(root, "warnings")
	r.Errors = in.entries(root, "errors")
	for v := range in.list(root, "notes") {
		note := Note{Title: in.text(v, "title"), Text: in.text(v, "text")}
		if commands, ok := in.member(v, "commands"); ok && in.expect(commands, jsondoc.Array, "a list") {
			for command := range commands.Items() {
				text, err := command.Text()
				in.keep(err)
				note.Commands = append(note.Commands, text)
			}
		}
		r.Notes = append(r.Notes, note)
	}
	for v := range in.list(root, "sums") {
		r.Sums = append(r.Sums, Sum{Role: in.text(v, "role"), Path: in.text(v, "path"), Size: in.int(v, "size"), SHA256: in.text(v, "sha256")})
	}
	if in.err != nil {
		return nil, in.err
	}
	return r, nil
}

// longestFound is how many bytes of what was found an error quotes at most.
const longestFound = 60

// reportReader reads typed members and keeps the first error.
type reportReader struct{ err error }

func (in *reportReader) keep(err error) {
	if in.err == nil {
		in.err = err
	}
}

func (in *reportReader) expect(v jsondoc.Value, kind jsondoc.Kind, expected string) bool {
	if v.Kind() == kind {
		return true
	}
	in.unexpected(v, expected)
	return false
}

func (in *reportReader) unexpected(v jsondoc.Value, expected string) {
	line, column := v.Position()
	found := v.Kind().String()
	if raw := v.Raw(); (v.Kind() == jsondoc.String || v.Kind() == jsondoc.Number) && len(raw) <= longestFound {
		found = string(raw)
	}
	in.keep(&jsondoc.TypeError{Line: line, Column: column, Expected: expected, Found: found})
}

// member finds a member that is there and not null.
func (in *reportReader) member(v jsondoc.Value, name string) (jsondoc.Value, bool) {
	m := v.Get(name)
	return m, m.Kind() != jsondoc.Missing && m.Kind() != jsondoc.Null
}

func (in *reportReader) bool(v jsondoc.Value, name string) bool {
	m, ok := in.member(v, name)
	if !ok {
		return false
	}
	b, err := m.Bool()
	in.keep(err)
	return b
}

func (in *reportReader) int(v jsondoc.Value, name string) int64 {
	m, ok := in.member(v, name)
	if !ok {
		return 0
	}
	n, err := m.Int64()
	in.keep(err)
	return n
}

func (in *reportReader) text(v jsondoc.Value, name string) string {
	m, ok := in.member(v, name)
	if !ok {
		return ""
	}
	s, err := m.Text()
	in.keep(err)
	return s
}

func (in *reportReader) time(v jsondoc.Value, name string) time.Time {
	s := in.text(v, name)
	if s == "" {
		return time.Time{}
	}
	t, err := parseTime(s)
	if err != nil {
		in.unexpected(v.Get(name), "a time of the form yyyy-MM-ddTHH:mm:ss[.fffffff]+hh:mm")
	}
	return t
}

func (in *reportReader) duration(v jsondoc.Value, name string) time.Duration {
	s := in.text(v, name)
	if s == "" {
		return 0
	}
	d, err := ParseDuration(s)
	if err != nil {
		in.unexpected(v.Get(name), "a duration of the form [d.]hh:mm:ss[.fffffff]")
	}
	return d
}

// word reads one of the words, ignoring case, or its number.
func (in *reportReader) word(v jsondoc.Value, name string, words []string) int {
	m, ok := in.member(v, name)
	if !ok {
		return 0
	}
	if m.Kind() == jsondoc.Number {
		n, err := m.Int32()
		if err != nil || n < 0 || int(n) >= len(words) {
			in.unexpected(m, fmt.Sprintf("a number from 0 to %d", len(words)-1))
			return 0
		}
		return int(n)
	}
	s := in.text(v, name)
	for i, word := range words {
		if strings.EqualFold(word, s) {
			return i
		}
	}
	in.unexpected(m, "one of "+strings.Join(words, ", "))
	return 0
}

func (in *reportReader) profile(v jsondoc.Value, name string) platforms.Profile {
	m, ok := in.member(v, name)
	if !ok {
		return platforms.Release
	}
	text := string(m.Raw())
	if m.Kind() == jsondoc.String {
		text = in.text(v, name)
	}
	p, ok := platforms.ParseProfile(text)
	if !ok {
		in.unexpected(m, "development, release or distribution")
	}
	return p
}

// list gives the objects of a list.
func (in *reportReader) list(v jsondoc.Value, name string) iter.Seq[jsondoc.Value] {
	return func(yield func(jsondoc.Value) bool) {
		m, ok := in.member(v, name)
		if !ok || !in.expect(m, jsondoc.Array, "a list") {
			return
		}
		for item := range m.Items() {
			if !in.expect(item, jsondoc.Object, "an object") || !yield(item) {
				return
			}
		}
	}
}

func (in *reportReader) entries(v jsondoc.Value, name string) []Entry {
	var entries []Entry
	for e := range in.list(v, name) {
		entries = append(entries, Entry{
			Time:    in.time(e, "time"),
			Level:   Level(in.word(e, "level", levelWords[:])),
			Message: in.text(e, "message"),
			File:    in.text(e, "file"),
			Line:    int(in.int(e, "line")),
			Column:  int(in.int(e, "column")),
			Step:    in.text(e, "step"),
		})
	}
	return entries
}
