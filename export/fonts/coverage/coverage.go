// Package coverage says which characters of a game's texts a font cannot draw, and which texts need them.
package coverage

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"
	"golang.org/x/text/unicode/runenames"

	"talebinder/formats/jazz2/charlist"
	"talebinder/formats/jazz2/font"
)

// A State says what the game does with a character.
type State uint8

// The states.
const (
	Drawn  State = iota
	Blank        // it is listed, but its glyph draws nothing, which only a space should do
	Absent       // the fallback glyph is drawn, or nothing at all
)

// String names the state.
func (s State) String() string { return [...]string{"drawn", "blank", "absent"}[s] }

// A Font tells the state of a character.
type Font func(r rune) State

// Of gives what a packed font draws, by the rules of the game.
func Of(f *font.Font) Font {
	face := f.Face()
	return func(r rune) State {
		i, found := face.Lookup(r)
		switch {
		case !found:
			return Absent
		case unicode.IsSpace(r):
			return Drawn
		case f.Glyphs[i].Advance == 0 || f.Glyphs[i].Width == 0:
			return Blank
		}
		return Drawn
	}
}

// OfList gives what the game finds of a list whose image is not known: nothing of it is blank.
func OfList(l *charlist.List) Font {
	f := &font.Font{ASCIIFirst: l.ASCIIFirst, ASCIICount: l.ASCIICount, Glyphs: make([]font.Glyph, len(l.Characters))}
	for i, c := range l.Characters {
		f.Glyphs[i].Code = c.Code
	}
	face := f.Face()
	return func(r rune) State {
		if _, found := face.Lookup(r); !found {
			return Absent
		}
		return Drawn
	}
}

// A String is a text of the game.
type String struct {
	File string
	Line int    // from 1
	Key  string // what the file calls it; "" in a plain text
	Text string
}

// A Missing is a character that the game cannot draw.
type Missing struct {
	Code    rune
	State   State // Blank or Absent
	Count   int   // how often it is there
	Strings []int // the strings that need it, by index, ascending
}

// Name gives the character's Unicode name in small letters.
func (m Missing) Name() string { return Name(m.Code) }

// Name gives the Unicode name of a character in small letters.
func Name(r rune) string {
	if name := runenames.Name(r); name != "" {
		return strings.ToLower(name)
	}
	return "not assigned"
}

// A Report is what came of checking texts.
type Report struct {
	Strings  []String
	Missing  []Missing // the most frequent first, then by code point
	Distinct int       // different characters in all texts
	Total    int       // characters in all texts
	Affected int       // strings that need one of the missing
}

// Absent gives the characters for which there is no cell, in the order of Missing.
func (r *Report) Absent() []rune {
	var list []rune
	for _, m := range r.Missing {
		if m.State == Absent {
			list = append(list, m.Code)
		}
	}
	return list
}

// Check looks at every character of the strings. Control characters are not drawn and do not count. The error is that of ctx.
func Check(ctx context.Context, f Font, texts []String) (*Report, error) {
	type seen struct {
		state   State
		missing int
	}
	r := &Report{Strings: texts}
	known := map[rune]seen{}
	for i, s := range texts {
		if i%1024 == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		affected := false
		for _, c := range s.Text {
			if unicode.IsControl(c) {
				continue
			}
			r.Total++
			k, ok := known[c]
			if !ok {
				k = seen{state: f(c), missing: len(r.Missing)}
				known[c] = k
				if k.state != Drawn {
					r.Missing = append(r.Missing, Missing{Code: c, State: k.state})
				}
			}
			if k.state == Drawn {
				continue
			}
			m := &r.Missing[k.missing]
			m.Count++
			if n := len(m.Strings); n == 0 || m.Strings[n-1] != i {
				m.Strings = append(m.Strings, i)
			}
			affected = true
		}
		if affected {
			r.Affected++
		}
	}
	r.Distinct = len(known)
	slices.SortFunc(r.Missing, func(a, b Missing) int { return cmp.Or(cmp.Compare(b.Count, a.Count), cmp.Compare(a.Code, b.Code)) })
	return r, nil
}

// base gives the letter that a character is built on, or the character itself: Ż gives Z.
func base(r rune) rune {
	for _, first := range norm.NFD.String(string(r)) {
		return first
	}
	return r
}
