package scenes

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"talebinder/formats/guid"
	"talebinder/formats/jsondoc"
	"talebinder/gui/ui"
	"talebinder/project/assets"
	"talebinder/project/scene"
	"talebinder/project/scene/overrides"
)

// A LineKind says what a line of a preview is.
type LineKind uint8

// The kinds of a line.
const (
	HeadingLine LineKind = iota // of a part of the preview
	FileLine                    // a file that changes
	InstanceLine
	ValueLine
	SkippedLine
)

// A PreviewLine is one thing that a change would touch.
type PreviewLine struct {
	Kind     LineKind
	Text     string // the file, the instance, or what of an entity
	Note     string // how it changes
	Old, New string // of a value
	Field    scene.Field
	OldValue jsondoc.Value
	NewValue jsondoc.Value
	File     string
	Entity   guid.Guid // the instance that the line is about, to show it
}

// A Preview is a change in words, before it is made.
type Preview struct {
	Change   *overrides.Change
	Title    string // a question
	Sentence string // what it comes to
	Verb     string // the button that makes the change
	Lines    []PreviewLine
	Seen     int // values that other instances come to see
	Skipped  int
}

// mostLines bounds a preview, which nobody reads to the end of.
const mostLines = 5000

// newPreview describes a change. verb begins the button and is followed by what is changed, as in "Apply".
func newPreview(db *assets.Database, c *overrides.Change, verb string) *Preview {
	p := &Preview{Change: c, Title: c.Title, Skipped: len(c.Skipped)}
	paths := map[instance]string{}
	for _, i := range c.Instances {
		paths[instance{i.File, i.ID}] = strings.Join(i.Path, " / ")
	}
	written := 0
	var seen, own []overrides.Touched
	others := map[instance]bool{}
	for _, v := range c.Values {
		if v.What == overrides.Seen {
			seen = append(seen, v)
			others[instance{v.File, v.Instance}] = true
		} else {
			own = append(own, v)
		}
	}
	p.Seen = len(seen)
	var files []string
	for _, f := range c.Files {
		files = append(files, f.Name)
	}
	for i, f := range files {
		if i == 0 {
			p.heading(ui.Plural(len(files), "file"), "")
		}
		note := "changes"
		switch {
		case c.Files[i].Before == nil:
			note = "is made"
		case c.Files[i].After == nil:
			note = "goes"
		default:
			added, removed := lineDiff(c.Files[i].Before, c.Files[i].After)
			note = fmt.Sprintf("+%d −%d lines", added, removed)
		}
		p.Lines = append(p.Lines, PreviewLine{Kind: FileLine, Text: f, Note: note, File: f})
	}
	value := func(v overrides.Touched) {
		note := word(v.What)
		if v.What == overrides.OverrideRemoved && comesFromPrefab(c, v) {
			note, v.New = "now from the prefab", v.Old
		}
		f, _ := fieldOf(db, v.Component, v.Path, v.New, v.Old)
		if v.Path == "" {
			f = scene.Field{}
		}
		p.Lines = append(p.Lines, PreviewLine{
			Kind: ValueLine, Text: valueName(v), Note: note, Field: f, OldValue: v.Old, NewValue: v.New, File: v.File, Entity: v.Instance,
			Old: orNothing(showValue(db, nil, v.Old, f)), New: orNothing(showValue(db, nil, v.New, f)),
		})
	}
	list := func(values []overrides.Touched) {
		var last instance
		first := true
		for _, v := range values {
			if len(p.Lines) > mostLines {
				return
			}
			if at := (instance{v.File, v.Instance}); first || at != last {
				text := path.Base(v.File)
				if name := paths[at]; name != "" {
					text += " › " + name
				}
				p.Lines = append(p.Lines, PreviewLine{Kind: InstanceLine, Text: text, File: v.File, Entity: v.Instance})
				last, first = at, false
			}
			value(v)
		}
	}
	if len(own) > 0 {
		written = len(own)
		p.heading(ui.Plural(written, "value"), "old → new")
		list(own)
	}
	if len(seen) > 0 {
		p.heading(ui.Plural(len(others), "other instance")+" will show "+ui.Plural(len(seen), "new value"), "they do not override it")
		list(seen)
	}
	if len(c.Skipped) > 0 {
		p.heading(upper(ui.Plural(len(c.Skipped), "difference"))+" left as they are", "")
		for _, s := range c.Skipped {
			p.Lines = append(p.Lines, PreviewLine{Kind: SkippedLine, Text: s.Message, Note: s.Hint, File: strings.TrimPrefix(s.File, "assets/")})
		}
	}
	p.Sentence = p.sentence(files, written, len(others))
	p.Verb = verb
	if len(files) == 1 {
		p.Verb += " in " + path.Base(files[0])
	} else {
		p.Verb += " in " + ui.Plural(len(files), "file")
	}
	return p
}

// comesFromPrefab says whether the value of an override that goes is the one that its prefab comes to have.
func comesFromPrefab(c *overrides.Change, gone overrides.Touched) bool {
	return slices.ContainsFunc(c.Values, func(v overrides.Touched) bool {
		return v.What == overrides.PrefabChanged && v.Component == gone.Component && v.Path == gone.Path && scene.Equal(v.New, gone.Old)
	})
}

type instance struct {
	file string
	id   guid.Guid
}

func (p *Preview) heading(text, note string) {
	p.Lines = append(p.Lines, PreviewLine{Kind: HeadingLine, Text: text, Note: note})
}

func (p *Preview) sentence(files []string, values, others int) string {
	if p.Change.Empty() {
		return "There is nothing to change."
	}
	s := ui.Plural(len(files), "file") + " would change, by " + ui.Plural(values, "value") + ". "
	switch others {
	case 0:
		s += "No other instance looks different afterwards."
	case 1:
		s += "1 other instance looks different afterwards."
	default:
		s += ui.Plural(others, "other instance") + " look different afterwards."
	}
	return s + " Nothing is saved yet, and Undo takes it back as one step."
}

// valueName says of which entity, component and path a value is.
func valueName(v overrides.Touched) string {
	parts := []string{}
	if v.EntityName != "" {
		parts = append(parts, v.EntityName)
	}
	if v.Component != "" {
		parts = append(parts, v.Component)
	}
	if v.Path != "" {
		parts = append(parts, v.Path)
	}
	return strings.Join(parts, " › ")
}

func word(w overrides.What) string {
	switch w {
	case overrides.OverrideAdded:
		return "override added"
	case overrides.OverrideChanged:
		return "override changed"
	case overrides.OverrideRemoved:
		return "override removed"
	case overrides.ComponentRemoved:
		return "component removed"
	case overrides.ComponentRestored:
		return "component restored"
	case overrides.OwnChanged:
		return "own component changed"
	case overrides.OwnRemoved:
		return "own component removed"
	case overrides.PrefabChanged:
		return "prefab changed"
	case overrides.PrefabRemoved:
		return "removed from prefab"
	case overrides.Seen:
		return "will show"
	}
	return w.String()
}

func orNothing(s string) string {
	if s == "" {
		return "–"
	}
	return s
}

func upper(s string) string {
	if s == "" {
		return s
	}
	return strings.ToUpper(s[:1]) + s[1:]
}

// lineDiff counts the lines that are only in one of two texts, beside what they begin and end with in common. Edits touch one
// place or a few, so that this is what a person would count.
func lineDiff(before, after []byte) (added, removed int) {
	a, b := strings.Split(string(before), "\n"), strings.Split(string(after), "\n")
	left := map[string]int{}
	for len(a) > 0 && len(b) > 0 && a[0] == b[0] {
		a, b = a[1:], b[1:]
	}
	for len(a) > 0 && len(b) > 0 && a[len(a)-1] == b[len(b)-1] {
		a, b = a[:len(a)-1], b[:len(b)-1]
	}
	for _, line := range a {
		left[line]++
	}
	for _, line := range b {
		if left[line] > 0 {
			left[line]--
		} else {
			added++
		}
	}
	for _, n := range left {
		removed += n
	}
	return added, removed
}

// Text is the preview for the clipboard.
func (p *Preview) Text() string {
	var b strings.Builder
	b.WriteString(p.Title + "\n" + p.Sentence + "\n")
	for _, l := range p.Lines {
		switch l.Kind {
		case HeadingLine:
			b.WriteString("\n" + l.Text + "\n")
		case ValueLine:
			b.WriteString("    " + l.Text + ": " + l.Old + " -> " + l.New + " (" + l.Note + ")\n")
		default:
			b.WriteString("  " + strings.TrimSpace(l.Text+"  "+l.Note) + "\n")
		}
	}
	return b.String()
}

// targetsOf gives what differences are about, each once.
func targetsOf(rows []*overrides.Row) []overrides.Target {
	var targets []overrides.Target
	for _, r := range rows {
		if t := r.Target(); !slices.Contains(targets, t) {
			targets = append(targets, t)
		}
	}
	return targets
}
