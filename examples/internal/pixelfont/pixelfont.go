// Package pixelfont makes a grid font out of a drawing in text, as examples/fonts/postmark.txt explains it: the font's pixels
// are drawn there in one colour, and get their shades and an outline here.
package pixelfont

import (
	"bufio"
	"bytes"
	"fmt"
	"image"
	"image/color"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"talebinder/formats/jazz2/charlist"
	"talebinder/formats/jazz2/palette"
	"talebinder/formats/jazz2/picture"
)

// The measures of the font in pixels. A cell has room for the accents of capitals, the descenders, and the outline around both.
const (
	ascent     = 3  // rows above the top of the capitals
	rows       = 16 // from there to the last row of the descenders
	outline    = 1
	shadow     = 1 // rows below the outline
	columns    = 16
	spacing    = -1 // the outlines of neighbours share a column
	lineGap    = 2
	rangeFirst = 0x20
)

// The colours are entries of the game's palette.
const (
	edge  = 156 // the outline, navy
	below = 159 // its shadow
	shine = 15  // where light falls on an upper edge
)

// shades gives the colour of a row, from the top of the accents down: cream, gold, and the orange of a low sun.
func shades(row int) uint8 {
	switch {
	case row < 3:
		return 64
	case row < 7:
		return 41
	case row < 10:
		return 42
	}
	return 43
}

// A shape is what a glyph draws in one colour.
type shape struct {
	top     int // row of the first line, 0 is the top of the capitals
	width   int
	lines   []string
	advance int // 0: worked out from the width
	close   bool
	below   bool
}

func (s shape) at(x, y int) bool {
	y -= s.top
	return y >= 0 && y < len(s.lines) && x >= 0 && x < len(s.lines[y]) && s.lines[y][x] == '#'
}

// ink gives the first row that draws something.
func (s shape) ink() int {
	for i, line := range s.lines {
		if strings.Contains(line, "#") {
			return s.top + i
		}
	}
	return s.top
}

// over puts a part above or below a letter, in its middle.
func over(letter, part shape) shape {
	width := max(letter.width, part.width)
	dx, px := (width-letter.width)/2, (width-part.width)/2
	shift := 0
	if !part.below {
		gap := 1
		if part.close {
			gap = 0
		}
		shift = letter.ink() - gap - len(part.lines) - part.top
	}
	top := min(letter.top, part.top+shift)
	bottom := max(letter.top+len(letter.lines), part.top+shift+len(part.lines))
	s := shape{top: top, width: width}
	for y := top; y < bottom; y++ {
		line := make([]byte, width)
		for x := range line {
			line[x] = '.'
			if letter.at(x-dx, y) || part.at(x-px, y-shift) {
				line[x] = '#'
			}
		}
		s.lines = append(s.lines, string(line))
	}
	return s
}

// A Font is what a drawing describes.
type Font struct {
	glyphs map[string]shape
	names  []string // of the glyphs that are characters, in order of their code points
}

// syntaxError says in which line of a drawing something is wrong.
func syntaxError(line int, format string, args ...any) error {
	return fmt.Errorf("line %d: %s", line, fmt.Sprintf(format, args...))
}

// Parse reads a drawing.
func Parse(text []byte) (*Font, error) {
	f := &Font{glyphs: map[string]shape{}}
	var strip []string
	var open shape
	line := 0
	add := func(name string, s shape) error {
		if _, there := f.glyphs[name]; there {
			return syntaxError(line, "%s is drawn twice", name)
		}
		f.glyphs[name] = s
		return nil
	}
	finish := func() error {
		for i, name := range strip {
			s := open
			for _, row := range open.lines {
				s.width = len(strings.Fields(row)[i])
			}
			s.lines = make([]string, len(open.lines))
			for j, row := range open.lines {
				s.lines[j] = strings.Fields(row)[i]
				if len(s.lines[j]) != s.width || strings.Trim(s.lines[j], ".#") != "" {
					return syntaxError(line, "row %d of %s is not %d dots and hashes", j+1, name, s.width)
				}
			}
			if s.top < -ascent || s.top+len(s.lines) > rows-ascent {
				return syntaxError(line, "%s reaches from row %d to %d; there is room from %d to %d", name, s.top, s.top+len(s.lines)-1, -ascent, rows-ascent-1)
			}
			if err := add(name, s); err != nil {
				return err
			}
		}
		strip, open = nil, shape{}
		return nil
	}
	lines := bufio.NewScanner(bytes.NewReader(text))
	for lines.Scan() {
		line++
		row := strings.TrimSpace(lines.Text())
		if row != "" && strings.Trim(row, ".# ") == "" && strip != nil {
			if n := len(strings.Fields(row)); n != len(strip) {
				return nil, syntaxError(line, "%d columns for %d glyphs", n, len(strip))
			}
			open.lines = append(open.lines, row)
			continue
		}
		if err := finish(); err != nil {
			return nil, err
		}
		word, rest, _ := strings.Cut(row, ":")
		if row == "" || strings.HasPrefix(row, "#") {
			continue
		}
		words := strings.Fields(word)
		var err error
		switch words[0] {
		case "glyphs":
			if strip, open, err = header(words[1:], rest); err != nil {
				return nil, syntaxError(line, "%v", err)
			}
		case "blank":
			name, value, _ := strings.Cut(strings.TrimSpace(rest), " ")
			advance, err := strconv.Atoi(value)
			if err != nil || advance < 1 || advance > charlist.MaxAdvance {
				return nil, syntaxError(line, "%q is no number of pixels", value)
			}
			if err := add(name, shape{advance: advance}); err != nil {
				return nil, err
			}
		case "same", "accents":
			for _, rule := range strings.Split(rest, ",") {
				if err := f.rule(rule, add); err != nil {
					return nil, syntaxError(line, "%v", err)
				}
			}
		default:
			return nil, syntaxError(line, "%q is not understood", words[0])
		}
	}
	if err := lines.Err(); err != nil {
		return nil, err
	}
	if err := finish(); err != nil {
		return nil, err
	}
	for name := range f.glyphs {
		if utf8.RuneCountInString(name) > 1 && strings.HasPrefix(name, "<") {
			continue
		}
		if _, err := code(name); err != nil {
			return nil, err
		}
		f.names = append(f.names, name)
	}
	slices.SortFunc(f.names, func(a, b string) int {
		x, _ := code(a)
		y, _ := code(b)
		return int(x) - int(y)
	})
	return f, nil
}

func header(words []string, names string) ([]string, shape, error) {
	var s shape
	if len(words) == 0 {
		return nil, s, fmt.Errorf("the first row is not given")
	}
	top, err := strconv.Atoi(words[0])
	if err != nil {
		return nil, s, fmt.Errorf("%q is no row", words[0])
	}
	s.top, s.close, s.below = top, slices.Contains(words, "close"), slices.Contains(words, "below")
	strip := strings.Fields(names)
	if len(strip) == 0 {
		return nil, s, fmt.Errorf("there are no names")
	}
	return strip, s, nil
}

// rule makes a glyph of others: "Á = A <acute>" or "U+00AD = -".
func (f *Font) rule(rule string, add func(string, shape) error) error {
	words := strings.Fields(rule)
	if len(words) < 3 || len(words) > 4 || words[1] != "=" {
		return fmt.Errorf("%q is no rule", strings.TrimSpace(rule))
	}
	for _, part := range words[2:] {
		if _, there := f.glyphs[part]; !there {
			return fmt.Errorf("%s is not drawn above this line", part)
		}
	}
	s := f.glyphs[words[2]]
	if len(words) == 4 {
		s = over(s, f.glyphs[words[3]])
	}
	return add(words[0], s)
}

// code gives the code point of a name.
func code(name string) (uint32, error) {
	if digits, ok := strings.CutPrefix(name, "U+"); ok {
		n, err := strconv.ParseUint(digits, 16, 32)
		return uint32(n), err
	}
	r, size := utf8.DecodeRuneInString(name)
	if size != len(name) {
		return 0, fmt.Errorf("%q is neither one character nor a code point", name)
	}
	return uint32(r), nil
}

// List gives the character list: the printable ASCII characters, the others, and the fallback in the end.
func (f *Font) List() *charlist.List {
	list := &charlist.List{
		CellHeight: rows + 2*outline + shadow, Columns: columns, BaseSpacing: spacing,
	}
	list.LineHeight = list.CellHeight + lineGap
	var fallback *charlist.Character
	for _, name := range f.names {
		s := f.glyphs[name]
		list.CellWidth = max(list.CellWidth, s.width+2*outline)
		c, _ := code(name)
		advance := s.advance
		if advance == 0 {
			advance = s.width + 2*outline
		}
		entry := charlist.Character{Code: c, Advance: uint8(advance)}
		if c == charlist.Fallback {
			fallback = &entry
			continue
		}
		list.Characters = append(list.Characters, entry)
	}
	list.ASCIIFirst = rangeFirst
	for list.ASCIICount < len(list.Characters) && list.Characters[list.ASCIICount].Code < 0x80 {
		list.ASCIICount++
	}
	if fallback != nil {
		list.Characters = append(list.Characters, *fallback)
	}
	return list
}

// Image gives the grid image that belongs to the list, in palette indices.
func (f *Font) Image() *image.NRGBA {
	list := f.List()
	m := image.NewNRGBA(image.Rect(0, 0, list.Columns*list.CellWidth, list.Rows()*list.CellHeight))
	shapes := map[uint32]shape{}
	for _, name := range f.names {
		c, _ := code(name)
		shapes[c] = f.glyphs[name]
	}
	for i, c := range list.Characters {
		draw(m, list.Cell(i), shapes[c.Code])
	}
	return m
}

// Colors gives the grid image in the colours of the palette, as a person would draw it.
func (f *Font) Colors() *image.NRGBA { return palette.ApplyImage(f.Image()) }

// Files gives the files of the font that a drawing describes, by what their names end in.
func Files(text []byte) (map[string][]byte, error) {
	f, err := Parse(text)
	if err != nil {
		return nil, err
	}
	files := map[string][]byte{".png.json": f.List().JSON()}
	for suffix, m := range map[string]*image.NRGBA{".png": f.Image(), "-colours.png": f.Colors()} {
		var b bytes.Buffer
		if err := picture.Write(&b, m); err != nil {
			return nil, err
		}
		files[suffix] = b.Bytes()
	}
	return files, nil
}

func draw(m *image.NRGBA, cell image.Rectangle, s shape) {
	for y := cell.Min.Y; y < cell.Max.Y; y++ {
		for x := cell.Min.X; x < cell.Max.X; x++ {
			if i := pixel(s, x-cell.Min.X-outline, y-cell.Min.Y-outline-ascent); i != 0 {
				m.SetNRGBA(x, y, color.NRGBA{i, i, i, 255})
			}
		}
	}
}

// pixel gives the index at a place: the shape with light from above, an outline around it, and a shadow below that.
func pixel(s shape, x, y int) uint8 {
	if s.at(x, y) {
		if !s.at(x, y-1) && y > 0 || y == s.ink() {
			return shine
		}
		return shades(y)
	}
	around := func(y int) bool {
		for dy := -1; dy <= 1; dy++ {
			for dx := -1; dx <= 1; dx++ {
				if s.at(x+dx, y+dy) {
					return true
				}
			}
		}
		return false
	}
	switch {
	case around(y):
		return edge
	case around(y - 1):
		return below
	}
	return 0
}
