package fonts

import (
	"errors"
	"fmt"
	"image"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/runenames"

	pack "talebinder/export/fonts"
	"talebinder/formats/jazz2/charlist"
	"talebinder/formats/jazz2/font"
	"talebinder/gui/ui"
)

// A Glyph is a line of the list.
type Glyph struct {
	Index         int
	Code          uint32
	Advance       int
	Width, Height int  // of what it draws; 0 when it draws nothing
	Packed        bool // its place on the atlas is known
	Bearing       image.Point
	Level         Level // the worst that is to be said about it
}

// Text gives the character itself, or a word in its place.
func (g Glyph) Text() string { return characterText(g.Code) }

// Name gives the Unicode name.
func (g Glyph) Name() string { return characterName(g.Code) }

func characterText(code uint32) string {
	r := rune(code)
	switch {
	case code == charlist.Fallback:
		return "any"
	case code > unicode.MaxRune || code >= 0xD800 && code < 0xE000:
		return "–"
	case code == ' ':
		return "space"
	case !unicode.IsPrint(r):
		return "–"
	}
	return string(r)
}

func characterName(code uint32) string {
	switch {
	case code == charlist.Fallback:
		return "fallback, for what the font lacks"
	case code > unicode.MaxRune:
		return "no character of Unicode"
	}
	name := runenames.Name(rune(code))
	if name == "" {
		return "not assigned"
	}
	return strings.ToLower(name)
}

// Glyph gives what is known of a glyph.
func (w *Workshop) Glyph(i int) (Glyph, bool) {
	if w.list == nil || i < 0 || i >= len(w.list.Characters) {
		return Glyph{}, false
	}
	c := w.list.Characters[i]
	g := Glyph{Index: i, Code: c.Code, Advance: int(c.Advance)}
	if packed := w.packed(i); packed != nil {
		g.Packed, g.Width, g.Height, g.Bearing = true, packed.Width, packed.Height, image.Pt(packed.BearingX, packed.BearingY)
	} else if ink := w.ink(i); !ink.Empty() {
		g.Width, g.Height, g.Bearing = ink.Dx(), ink.Dy(), ink.Min.Sub(w.list.Cell(i).Min)
	}
	return g, true
}

// packed gives the packed glyph, or nil while there is none.
func (w *Workshop) packed(i int) *font.Glyph {
	f := w.result.Font
	if f == nil || i < 0 || i >= len(f.Glyphs) || f.Glyphs[i].Code != w.list.Characters[i].Code {
		return nil
	}
	return &f.Glyphs[i]
}

// ink gives what a glyph draws, in the sheet.
func (w *Workshop) ink(i int) image.Rectangle {
	if i < 0 || i >= len(w.result.Ink) {
		return image.Rectangle{}
	}
	return w.result.Ink[i]
}

// A Table is the list of glyphs under a filter.
type Table struct {
	Query    string
	Problems bool // only those that something is to be said about

	shown  []int
	levels map[int]Level
}

// Update applies the filter to a font.
func (t *Table) Update(w *Workshop) {
	t.shown = t.shown[:0]
	t.levels = map[int]Level{}
	if w == nil || w.list == nil {
		return
	}
	for _, p := range w.Problems() {
		for _, i := range p.Glyphs() {
			t.levels[i] = max(t.levels[i], p.Level)
		}
	}
	query := strings.TrimSpace(t.Query)
	match := matcher(query)
	if t.Query == " " {
		match = func(code uint32) bool { return code == ' ' }
	}
	for i, c := range w.list.Characters {
		if t.Problems && t.levels[i] == Fine {
			continue
		}
		if match == nil || match(c.Code) {
			t.shown = append(t.shown, i)
		}
	}
}

// matcher takes a character, a code point as U+E9, 0xE9 or 233, or words of a name.
func matcher(query string) func(code uint32) bool {
	if query == "" {
		return nil
	}
	if r := []rune(query); len(r) == 1 {
		want := uint32(r[0])
		return func(code uint32) bool { return code == want }
	}
	lower := strings.ToLower(query)
	for _, prefix := range []string{"u+", "0x"} {
		if digits, ok := strings.CutPrefix(lower, prefix); ok {
			digits = strings.ToUpper(digits)
			return func(code uint32) bool {
				return strings.HasPrefix(charlist.CodeName(code), "U+"+digits) || strings.HasPrefix(fmt.Sprintf("%X", code), strings.TrimLeft(digits, "0")) && digits != ""
			}
		}
	}
	if n, err := strconv.ParseUint(query, 10, 32); err == nil {
		return func(code uint32) bool { return uint64(code) == n }
	}
	words := strings.Fields(lower)
	return func(code uint32) bool {
		name := characterName(code)
		return !slices.ContainsFunc(words, func(w string) bool { return !strings.Contains(name, w) })
	}
}

// Len is the number of glyphs in sight.
func (t *Table) Len() int { return len(t.shown) }

// At gives the index of the glyph in a row.
func (t *Table) At(row int) int { return t.shown[row] }

// Row gives the row of a glyph, or -1.
func (t *Table) Row(glyph int) int {
	if row, ok := slices.BinarySearch(t.shown, glyph); ok {
		return row
	}
	return -1
}

// Level is the worst that is to be said about a glyph.
func (t *Table) Level(glyph int) Level { return t.levels[glyph] }

// A Level says how bad a problem is.
type Level uint8

// The levels.
const (
	Fine Level = iota
	Hint
	Warning
	Error
)

// A Problem is something to be said about the font, with the places that it is about.
type Problem struct {
	Level Level
	Title string // in a few words
	Text  string // in whole sentences
	Glyph int    // the first one that is meant, or -1
	Spots []pack.Spot
	Atlas bool // the spots are on the atlas
}

// Glyphs lists the glyphs that a problem is about.
func (p Problem) Glyphs() []int {
	var list []int
	if p.Glyph >= 0 {
		list = append(list, p.Glyph)
	}
	for _, s := range p.Spots {
		if s.Glyph >= 0 && s.Glyph != p.Glyph {
			list = append(list, s.Glyph)
		}
	}
	return list
}

// Problems lists what is to be said, errors first.
func (w *Workshop) Problems() []Problem {
	var all []Problem
	if w.sheetErr != nil {
		all = append(all, Problem{Level: Error, Title: "The image cannot be read", Text: ui.Sentence(w.sheetErr.Error()) + " What is shown is the last one that could.", Glyph: -1})
	}
	if err := w.result.Err; err != nil {
		all = append(all, w.failure(err))
	}
	if w.colored > 0 && w.Form != PackedFont {
		all = append(all, Problem{Level: Hint, Title: "The image has colours", Glyph: -1,
			Text: fmt.Sprintf("%s in a colour of their own. In a grid image red is the palette index, and green and blue say nothing. "+
				"When this is a picture in colours, turn it into indices first: talebinder to-indices does that.", pixelsAre(w.colored))})
	}
	if w.rough != nil && w.listErr == nil && w.Form == JSONList {
		all = append(all, Problem{Level: Hint, Title: "Edits rewrite the whole list", Glyph: -1,
			Text: "The game's tools read this list, but it is not strict JSON: " + ui.Sentence(w.rough.Error()) + " The first edit here writes it anew, without its comments and spacing."})
	}
	for _, warning := range w.result.Warnings {
		all = append(all, warningProblem(warning))
	}
	return all
}

func (w *Workshop) failure(err error) Problem {
	p := Problem{Level: Error, Title: "It cannot be packed", Text: ui.Sentence(err.Error()), Glyph: -1}
	if list, ok := errorAs[*charlist.Error](err); ok {
		p.Title = "The list has an error"
		p.Glyph = list.Position
		if list.Line > 0 {
			p.Title = fmt.Sprintf("The list has an error in line %d", list.Line)
			p.Text = fmt.Sprintf("Line %d, column %d: %s", list.Line, list.Column, ui.Sentence(list.Error()))
		}
	} else if e, ok := errorAs[*pack.Error](err); ok {
		p.Glyph = e.Glyph
		if !e.Rect.Empty() {
			p.Spots = []pack.Spot{{Glyph: e.Glyph, Rect: e.Rect}}
		}
	} else if w.NoList() {
		p.Title = "There is no list"
		p.Text = fmt.Sprintf("A grid image needs a list of its characters beside it: %s.json, or the binary %s.font. Begin one here, or put one there.", w.Name(), w.Name())
	}
	return p
}

func warningProblem(x pack.Warning) Problem {
	p := Problem{Level: Warning, Text: x.String(), Glyph: x.Glyph, Spots: x.Spots}
	code := charlist.CodeName(x.Code)
	switch x.Kind {
	case pack.RangePastASCII:
		p.Title = "The range goes to " + code
	case pack.OutsideRange:
		p.Title = code + " is outside the range"
	case pack.Duplicate:
		p.Title = code + " is listed twice"
	case pack.TransparentPixels:
		p.Title = pixelsAre(x.Count) + " not counted"
	case pack.PartialPixels:
		p.Title = pixelsAre(x.Count) + " partly covered"
	case pack.PageLine:
		p.Title, p.Atlas = "Glyphs across a page line", true
	case pack.AtlasShort:
		p.Title = pixelsAre(x.Count) + " missing"
	case pack.InexactColors:
		p.Title = pixelsAre(x.Count) + " not in the palette"
	}
	return p
}

// errorAs looks for an error of a type.
func errorAs[T error](err error) (found T, ok bool) {
	ok = errors.As(err, &found)
	return found, ok
}

func pixelsAre(n int) string {
	if n == 1 {
		return "1 pixel is"
	}
	return fmt.Sprintf("%d pixels are", n)
}
