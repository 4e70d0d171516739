// Package fonts is the screen where a bitmap font of Jazz² Resurrection is made: a grid image and its list of characters are
// packed as they are edited, and shown as the game will draw them. It also opens packed fonts.
//
// Everything below the widgets is plain: a [Workshop] is the font that is worked on, and the drawing works on pixels alone.
package fonts

import (
	"context"
	"errors"
	"fmt"
	"image"
	"io"
	"io/fs"
	"math/bits"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"talebinder/export"
	pack "talebinder/export/fonts"
	"talebinder/formats/jazz2/charlist"
	"talebinder/formats/jazz2/font"
	"talebinder/formats/jazz2/rectpack"
	"talebinder/formats/jsondoc"
	"talebinder/project/document"
)

// A Form says which file holds the numbers of a font.
type Form uint8

// The forms.
const (
	JSONList   Form = iota // image.png.json
	BinaryList             // image.png.font
	PackedFont             // the packed font itself, opened without an image
)

// maxGrid bounds the grid image that is laid out of a packed font to be looked at, in pixels.
const maxGrid = 32 << 20

// errNoList is the state of a grid image that has no list.
var errNoList = errors.New("there is no list of characters beside the image")

// A Workshop is a font that is worked on. It belongs to one goroutine; what it hands out to work in the background is never
// changed afterwards.
type Workshop struct {
	Path string // of the grid image, or of the packed font
	Form Form

	doc   *document.Document // the file that the numbers are in
	plain *jsondoc.Doc       // a JSON list, when it can be edited in place
	rough error              // why a JSON list cannot

	sheet    *image.NRGBA // nil when there is none that could be shown
	sheetErr error        // why the image was not read again; sheet is the last good one
	stamp    stamp
	colored  int // pixels of the sheet whose red, green and blue differ

	list    *charlist.List // nil when nothing is known of the cells
	listErr error          // of the text as it is; list is then what could be made of it

	result *Result
	round  int // counts the inputs of packing
}

// stamp tells whether a file has been written.
type stamp struct {
	size int64
	time time.Time
}

func stampOf(path string) stamp {
	info, err := os.Stat(path)
	if err != nil {
		return stamp{size: -1}
	}
	return stamp{info.Size(), info.ModTime()}
}

// A Result is what came of packing.
type Result struct {
	Font     *font.Font // nil when it failed
	Face     *font.Face
	Ink      []image.Rectangle // in pixels of the sheet
	Warnings []pack.Warning
	Limits   []pack.Limit
	Err      error
	Size     int64 // bytes of the file
	Took     time.Duration
	Baseline int // pixels below the top of the line where most letters end
}

// Resolve gives the grid image or packed font that a path leads to: a list leads to its image.
func Resolve(path string) (string, error) {
	ext := strings.ToLower(filepath.Ext(path))
	switch ext {
	case ".png":
		return path, nil
	case ".font", ".json":
		picture := path[:len(path)-len(ext)]
		if !strings.EqualFold(filepath.Ext(picture), ".png") || ext == ".font" && isPacked(path) {
			picture = ""
		}
		if _, err := os.Stat(picture); picture != "" && err == nil {
			return picture, nil
		}
		if ext == ".font" {
			return path, nil
		}
		return "", fmt.Errorf("%s: there is no grid image that this is the list of, which would be %s", path, strings.TrimSuffix(path, ext))
	}
	return "", fmt.Errorf("%s: the workshop opens grid images (.png), packed fonts (.font) and lists (.png.json, .png.font)", path)
}

// isPacked tells a packed font from a binary list, which may have the same extension.
func isPacked(path string) bool {
	f, err := os.Open(path)
	if err != nil {
		return false
	}
	defer f.Close()
	var start [8]byte
	_, err = io.ReadFull(f, start[:])
	return err == nil && string(start[:]) == "\xEF\xBB\xBF\xF0\x9F\xA5\x95\x20"
}

// Open reads what a path leads to and packs it. A list with errors, or none at all, is no error: the workshop says so.
func Open(ctx context.Context, path string) (*Workshop, error) {
	path, err := Resolve(path)
	if err != nil {
		return nil, err
	}
	if path, err = filepath.Abs(path); err != nil { // it is remembered, and watched
		return nil, err
	}
	w := &Workshop{Path: path, stamp: stampOf(path)}
	if strings.EqualFold(filepath.Ext(path), ".font") {
		w.Form = PackedFont
		if _, err := export.ReadFont(path); err != nil {
			return nil, err
		}
		if w.doc, err = document.Open(path, nil); err != nil {
			return nil, err
		}
	} else {
		if w.sheet, err = export.ReadPicture(path); err != nil {
			return nil, err
		}
		w.colored = countColored(w.sheet)
		if err := w.openList(); err != nil {
			return nil, err
		}
	}
	w.read()
	w.Adopt(w.Job(), w.Job().Run(ctx))
	return w, ctx.Err()
}

// openList opens the list that belongs to the image now.
func (w *Workshop) openList() error {
	path, isJSON := export.FontListPath(w.Path)
	w.Form = BinaryList
	if isJSON {
		w.Form = JSONList
	} else if _, err := os.Stat(path); errors.Is(err, fs.ErrNotExist) {
		path, w.Form = w.Path+".json", JSONList // what would be begun
	}
	if info, err := os.Stat(path); err == nil && info.Size() > charlist.MaxJSON {
		return fmt.Errorf("%s: the list has %d bytes, more than the %d that are read", path, info.Size(), charlist.MaxJSON)
	}
	doc, err := document.Open(path, nil)
	if err != nil {
		return err
	}
	w.doc = doc
	return nil
}

// countColored counts the visible pixels whose channels differ: a picture of indices has none.
func countColored(m *image.NRGBA) int {
	n := 0
	for y := range m.Rect.Dy() {
		row := m.Pix[y*m.Stride:][:4*m.Rect.Dx()]
		for ; len(row) > 0; row = row[4:] {
			if row[3] != 0 && (row[0] != row[1] || row[0] != row[2]) {
				n++
			}
		}
	}
	return n
}

// read makes the list out of the text of the document.
func (w *Workshop) read() {
	text := w.doc.Text()
	w.plain, w.rough = nil, nil
	switch w.Form {
	case PackedFont:
		w.readFont(text)
	case BinaryList:
		list, err := charlist.ParseBinary(text)
		if w.listErr = err; err == nil {
			w.list = list
		}
	default:
		if len(text) == 0 && !w.doc.Exists() {
			w.list, w.listErr = nil, errNoList
			break
		}
		w.plain, w.rough = jsondoc.ParseOptions(text, jsondoc.Options{MaxDepth: 256})
		list, err := charlist.ParseJSON(text)
		if w.listErr = err; err == nil {
			w.list = list
		} else if w.plain != nil {
			w.list = sketch(w.plain)
		}
	}
	w.round++
}

// readFont takes list, image and result from a packed font. It was read before, so that errors are those of an edit.
func (w *Workshop) readFont(data []byte) {
	start := time.Now()
	f, err := font.Read(data)
	if w.listErr = err; err != nil {
		return
	}
	w.sheet = nil
	grid, err := pack.NewGrid(f)
	if err != nil {
		w.list = listOf(f)
	} else {
		w.list = grid.List
		if grid.Width*grid.Height <= maxGrid {
			w.sheet = grid.Image()
		}
	}
	w.result = &Result{Font: f, Face: f.Face(), Warnings: append(pack.FontWarnings(f), acrossPages(f)...), Limits: limitsOf(f), Size: int64(len(data)), Baseline: baseline(f)}
	for i := range f.Glyphs {
		g := &f.Glyphs[i]
		ink := image.Rect(0, 0, g.Width, g.Height).Add(image.Pt(g.BearingX, g.BearingY))
		if !ink.Empty() {
			ink = ink.Add(w.list.Cell(i).Min)
		}
		w.result.Ink = append(w.result.Ink, ink)
	}
	w.result.Took = time.Since(start)
}

// listOf describes a font that has no grid: one cell in a row.
func listOf(f *font.Font) *charlist.List {
	l := &charlist.List{CellWidth: 1, CellHeight: max(1, f.LineHeight), Columns: 1, LineHeight: f.LineHeight, BaseSpacing: f.BaseSpacing, ASCIIFirst: f.ASCIIFirst, ASCIICount: f.ASCIICount}
	for _, g := range f.Glyphs {
		l.CellWidth = max(l.CellWidth, g.BearingX+g.Width, g.Advance)
		l.CellHeight = max(l.CellHeight, g.BearingY+g.Height)
		l.Characters = append(l.Characters, charlist.Character{Code: g.Code, Advance: uint8(g.Advance)})
	}
	return l
}

func limitsOf(f *font.Font) []pack.Limit {
	limits := []pack.Limit{
		{Name: pack.AtlasWidth, Value: f.Atlas.Width, Max: rectpack.MaxSide, Glyph: -1}, {Name: pack.AtlasHeight, Value: f.Atlas.Height, Max: rectpack.MaxSide, Glyph: -1},
		{Name: pack.GlyphWidth, Max: font.MaxGlyphSide, Glyph: -1}, {Name: pack.GlyphHeight, Max: font.MaxGlyphSide, Glyph: -1},
		{Name: pack.BearingX, Max: font.MaxBearing, Glyph: -1}, {Name: pack.BearingY, Max: font.MaxBearing, Glyph: -1},
		{Name: pack.RangeGlyphs, Value: f.ASCIICount, Max: font.MaxRange, Glyph: -1}, {Name: pack.OtherGlyphs, Value: len(f.Glyphs) - f.ASCIICount, Max: font.MaxOthers, Glyph: -1},
	}
	for i := range f.Glyphs {
		g := &f.Glyphs[i]
		for j, v := range [...]int{g.Width, g.Height, g.BearingX, g.BearingY} {
			if l := &limits[2+j]; v > l.Value {
				l.Value, l.Glyph = v, i
			}
		}
	}
	return limits
}

// acrossPages tells which glyphs of a packed font lie on two pages.
func acrossPages(f *font.Font) []pack.Warning {
	w := pack.Warning{Kind: pack.PageLine, Glyph: -1, Size: image.Pt(f.Atlas.Width, f.Atlas.Height)}
	for i := range f.Glyphs {
		if ink := f.Glyphs[i].Ink(); !ink.Empty() && rectpack.Crosses(ink.Inset(-pack.Margin)) {
			w.Count++
			w.Spots = append(w.Spots, pack.Spot{Glyph: i, Rect: ink, Count: 1})
		}
	}
	if w.Count == 0 {
		return nil
	}
	return []pack.Warning{w}
}

// baseline finds the line that most capital letters and digits stand on; of a font without them, most glyphs.
func baseline(f *font.Font) int {
	count := map[int]int{}
	add := func(g *font.Glyph) {
		if g.Height > 0 {
			count[g.BearingY+g.Height]++
		}
	}
	for i := range f.Glyphs {
		if c := f.Glyphs[i].Code; c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' {
			add(&f.Glyphs[i])
		}
	}
	if len(count) == 0 {
		for i := range f.Glyphs {
			add(&f.Glyphs[i])
		}
	}
	best := 0
	for y, n := range count {
		if n > count[best] || n == count[best] && y < best {
			best = y
		}
	}
	return best
}

// sketch takes out of a list with errors what can be shown of it: the cells, and a character for each entry.
func sketch(doc *jsondoc.Doc) *charlist.List {
	root := doc.Root()
	number := func(v jsondoc.Value, low, high int64) (int, bool) {
		n, err := v.Int64()
		return int(n), err == nil && n >= low && n <= high
	}
	l := &charlist.List{}
	var ok [3]bool
	l.CellWidth, ok[0] = number(root.Get("CellWidth"), 1, charlist.MaxCell)
	l.CellHeight, ok[1] = number(root.Get("CellHeight"), 1, charlist.MaxCell)
	l.Columns, ok[2] = number(root.Get("Columns"), 1, charlist.MaxColumns)
	if ok != [3]bool{true, true, true} {
		return nil
	}
	if l.LineHeight, ok[0] = number(root.Get("LineHeight"), 1, charlist.MaxCell); !ok[0] {
		l.LineHeight = l.CellHeight
	}
	l.BaseSpacing, _ = number(root.Get("BaseSpacing"), charlist.MinSpacing, charlist.MaxSpacing)
	for item := range root.Get("Characters").Items() {
		var c charlist.Character
		if advance, ok := number(item.Get("Advance"), 0, charlist.MaxAdvance); ok {
			c.Advance = uint8(advance)
		}
		if fallback, err := item.Get("Fallback").Bool(); err != nil || !fallback {
			if text, err := item.Get("Char").Text(); err == nil && text != "" {
				c.Code = uint32([]rune(text)[0])
			} else if code, ok := number(item.Get("Codepoint"), 0, 1<<32-1); ok {
				c.Code = uint32(code)
			}
		}
		l.Characters = append(l.Characters, c)
	}
	if len(l.Characters) == 0 {
		return nil
	}
	l.FitRange()
	return l
}

// A Job packs the font as it was when the job was made.
type Job struct {
	round int
	sheet *image.NRGBA
	list  *charlist.List
	err   error
	done  *Result // of a packed font, which is not packed again
}

// Job makes the job that packs what there is now.
func (w *Workshop) Job() Job {
	j := Job{round: w.round, sheet: w.sheet, list: w.list, err: w.listErr}
	if w.Form == PackedFont {
		j.done = w.result
	}
	return j
}

// Run packs, on any goroutine.
func (j Job) Run(ctx context.Context) *Result {
	switch {
	case j.done != nil:
		return j.done
	case j.err != nil:
		return &Result{Err: j.err}
	}
	start := time.Now()
	p, err := pack.Pack(ctx, j.sheet, j.list)
	r := &Result{Font: p.Font, Ink: p.Ink, Warnings: append(pack.CheckList(j.list), p.Warnings...), Limits: p.Limits, Err: err}
	if err == nil {
		r.finish()
	}
	r.Took = time.Since(start)
	return r
}

// finish writes the file once and reads it back, so that nothing is offered to be saved that the game would not read as it is.
func (r *Result) finish() {
	r.Face, r.Baseline = r.Font.Face(), baseline(r.Font)
	data, err := r.Font.File()
	if err == nil {
		r.Size = int64(len(data))
		err = verify(r.Font, data)
	}
	r.Err = err
}

// verify reads a file and compares it with the font that it was made of.
func verify(f *font.Font, data []byte) error {
	back, err := font.Read(data)
	if err != nil {
		return fmt.Errorf("the packed file does not read back: %w", err)
	}
	if d := difference(f, back); d != "" {
		return errors.New("the packed file reads back as another font: " + d)
	}
	return nil
}

// Adopt takes what a job made, unless the font has changed since. It says whether it did.
func (w *Workshop) Adopt(j Job, r *Result) bool {
	if j.round != w.round {
		return false
	}
	if r.Font == nil && w.result != nil && w.listErr != nil && r.Ink == nil {
		r.Ink = w.inkOf()
	}
	if r.Font != nil && j.list != w.list && w.list != nil {
		r = r.with(w.list) // numbers were edited while it was packed
	}
	w.result = r
	return true
}

// inkOf keeps the boxes of the last good list while the list has an error, as far as the cells are the same.
func (w *Workshop) inkOf() []image.Rectangle {
	if w.list == nil || len(w.result.Ink) != len(w.list.Characters) {
		return nil
	}
	return w.result.Ink
}

// Result is what packing gave last.
func (w *Workshop) Result() *Result { return w.result }

// List is what the list says, as far as it can be read; nil when it cannot.
func (w *Workshop) List() *charlist.List { return w.list }

// Sheet is the grid image, or nil.
func (w *Workshop) Sheet() *image.NRGBA { return w.sheet }

// Font is the packed font, or nil.
func (w *Workshop) Font() *font.Font { return w.result.Font }

// NoList says that the image has no list yet.
func (w *Workshop) NoList() bool { return errors.Is(w.listErr, errNoList) }

// Name is the name of the file that was opened.
func (w *Workshop) Name() string { return filepath.Base(w.Path) }

// ListPath is the file that edits are saved to.
func (w *Workshop) ListPath() string { return w.doc.Path() }

// Target is where the packed font goes by itself.
func (w *Workshop) Target() string {
	return strings.TrimSuffix(w.Path, filepath.Ext(w.Path)) + ".font"
}

// A Setting is a number of the whole font.
type Setting uint8

// The settings, in the order of the file.
const (
	CellWidth Setting = iota
	CellHeight
	Columns
	LineHeight
	BaseSpacing
)

type settingFacts struct {
	member, title string
	min, max      int
	in            func(*charlist.List) *int
}

var settingTable = [...]settingFacts{
	{"CellWidth", "Cell width", 1, charlist.MaxCell, func(l *charlist.List) *int { return &l.CellWidth }},
	{"CellHeight", "Cell height", 1, charlist.MaxCell, func(l *charlist.List) *int { return &l.CellHeight }},
	{"Columns", "Columns", 1, charlist.MaxColumns, func(l *charlist.List) *int { return &l.Columns }},
	{"LineHeight", "Line height", 1, charlist.MaxCell, func(l *charlist.List) *int { return &l.LineHeight }},
	{"BaseSpacing", "Base spacing", charlist.MinSpacing, charlist.MaxSpacing, func(l *charlist.List) *int { return &l.BaseSpacing }},
}

// String names the setting.
func (s Setting) String() string { return settingTable[s].title }

// Range gives the least and the largest value.
func (s Setting) Range() (low, high int) { return settingTable[s].min, settingTable[s].max }

// Value gives a setting as it is.
func (w *Workshop) Value(s Setting) int {
	if w.list == nil {
		return 0
	}
	return *settingTable[s].in(w.list)
}

// CanSet says why a setting cannot be changed, or nil.
func (w *Workshop) CanSet(s Setting) error {
	switch {
	case w.list == nil || w.listErr != nil:
		return errors.New("the list has to be mended first")
	case w.Form == PackedFont && s < LineHeight:
		return errors.New("a packed font has no cells; unpack it to edit them")
	case w.Form == BinaryList && s == LineHeight:
		return errors.New("a binary list has no line height of its own: it is the cell height")
	}
	return nil
}

// Set changes a setting of the font, as a step to undo. Steps of the same setting right behind each other are one.
func (w *Workshop) Set(s Setting, value int) error {
	if err := w.CanSet(s); err != nil {
		return err
	}
	facts := settingTable[s]
	if value < facts.min || value > facts.max {
		return fmt.Errorf("%s is %d, expected %d to %d", strings.ToLower(facts.title), value, facts.min, facts.max)
	}
	if w.Value(s) == value {
		return nil
	}
	return w.edit(facts.title, facts.member, change{
		list: func(l *charlist.List) { *facts.in(l) = value },
		value: func(root jsondoc.Value) jsondoc.Edit {
			return root.SetMember(facts.member, fmt.Append(nil, value), memberOrder)
		},
		font: func(f *font.Font) {
			if s == LineHeight {
				f.LineHeight = value
			} else {
				f.BaseSpacing = value
			}
		},
	})
}

// memberOrder is the order of what a list holds.
var memberOrder = []string{"CellWidth", "CellHeight", "Columns", "LineHeight", "BaseSpacing", "AsciiFirst", "AsciiCount", "Characters"}

// SetAdvance changes the advance of a glyph.
func (w *Workshop) SetAdvance(glyph, value int) error {
	switch {
	case w.list == nil || w.listErr != nil:
		return errors.New("the list has to be mended first")
	case glyph < 0 || glyph >= len(w.list.Characters):
		return errors.New("no glyph is chosen")
	case value < 0 || value > charlist.MaxAdvance:
		return fmt.Errorf("the advance is %d, expected 0 to %d", value, charlist.MaxAdvance)
	case int(w.list.Characters[glyph].Advance) == value:
		return nil
	}
	title := "Advance of " + charlist.CodeName(w.list.Characters[glyph].Code)
	return w.edit(title, fmt.Sprint("advance ", glyph), change{
		list: func(l *charlist.List) { l.Characters[glyph].Advance = uint8(value) },
		value: func(root jsondoc.Value) jsondoc.Edit {
			return root.Get("Characters").Index(glyph).SetMember("Advance", fmt.Append(nil, value), []string{"Fallback", "Char", "Codepoint", "Advance"})
		},
		font: func(f *font.Font) { f.Glyphs[glyph].Advance = value },
	})
}

// A change is one edit in each of the three forms.
type change struct {
	list  func(*charlist.List)
	value func(root jsondoc.Value) jsondoc.Edit
	font  func(*font.Font)
}

// edit makes a change in the text, of which all that is not meant stays as it is.
func (w *Workshop) edit(title, merge string, c change) error {
	text, err := w.changed(c)
	if err != nil {
		return err
	}
	w.doc.Apply(title, merge, text)
	w.follow()
	return nil
}

func (w *Workshop) changed(c change) ([]byte, error) {
	switch {
	case w.Form == PackedFont:
		f := *w.result.Font
		f.Glyphs = slices.Clone(f.Glyphs)
		c.font(&f)
		f.Atlas.Pix = wholeAtlas(&f)
		return f.File()
	case w.Form == JSONList && w.plain != nil:
		doc, err := w.plain.Apply(c.value(w.plain.Root()))
		if err != nil {
			return nil, err
		}
		_, err = charlist.ParseJSON(doc.Text())
		return doc.Text(), err
	}
	list := w.list.Clone()
	c.list(list)
	if err := list.CheckNumbers(); err != nil {
		return nil, err
	}
	if w.Form == BinaryList {
		return list.Binary(), nil
	}
	return list.JSON(), list.Check()
}

// wholeAtlas gives all pixels of an atlas, of which a font that was read keeps only those that glyphs use.
func wholeAtlas(f *font.Font) []byte {
	if n := f.Atlas.Width * f.Atlas.Height; len(f.Atlas.Pix) < n {
		return append(slices.Clone(f.Atlas.Pix), make([]byte, n-len(f.Atlas.Pix))...)
	}
	return f.Atlas.Pix
}

// follow takes up a changed text. Numbers that move nothing on the atlas need no packing.
func (w *Workshop) follow() {
	before, beforeErr, result := w.list, w.listErr, w.result
	w.read()
	if w.Form == PackedFont || w.listErr != nil || beforeErr != nil || !sameCells(before, w.list) || result == nil || result.Font == nil {
		return
	}
	w.result = result.with(w.list)
	w.round-- // what is packed is what there is
}

// with gives the result with the numbers of a list that cuts the image in the same way.
func (r *Result) with(l *charlist.List) *Result {
	n, f := *r, *r.Font
	f.LineHeight, f.BaseSpacing = l.LineHeight, l.BaseSpacing
	f.Glyphs = slices.Clone(f.Glyphs)
	for i := range f.Glyphs {
		f.Glyphs[i].Advance = int(l.Characters[i].Advance)
	}
	n.Font = &f
	return &n
}

// sameCells says whether two lists cut an image in the same way.
func sameCells(a, b *charlist.List) bool {
	if a == nil || b == nil || a.CellWidth != b.CellWidth || a.CellHeight != b.CellHeight || a.Columns != b.Columns || a.ASCIIFirst != b.ASCIIFirst || a.ASCIICount != b.ASCIICount {
		return false
	}
	return slices.EqualFunc(a.Characters, b.Characters, func(x, y charlist.Character) bool { return x.Code == y.Code })
}

// Undo and the others are about the file that the numbers are in. After them the font may have to be packed: see Pending.
func (w *Workshop) Undo() bool { return w.moved(w.doc.Undo()) }

// Redo does the step again that was undone last.
func (w *Workshop) Redo() bool { return w.moved(w.doc.Redo()) }

// Revert goes back to what is in the file, as a step.
func (w *Workshop) Revert() { w.doc.Revert(); w.moved(true) }

func (w *Workshop) moved(did bool) bool {
	if did {
		w.follow()
	}
	return did
}

// Pending says whether what there is differs from what was packed last; packed is the round of the last job that was begun.
func (w *Workshop) Pending(packed int) bool { return w.round != packed }

// Round identifies what there is to pack.
func (w *Workshop) Round() int { return w.round }

// BeginList begins a list for an image without one: printable ASCII, in cells of a size.
func (w *Workshop) BeginList(width, height int) error {
	if !w.NoList() || w.sheet == nil {
		return errors.New("the image has a list already")
	}
	l := &charlist.List{CellWidth: width, CellHeight: height, LineHeight: height, Columns: min(max(w.sheet.Rect.Dx()/max(1, width), 1), charlist.MaxColumns)}
	for c := uint32(' '); c <= '~'; c++ {
		l.Characters = append(l.Characters, charlist.Character{Code: c, Advance: uint8(min(width, charlist.MaxAdvance))})
	}
	l.FitRange()
	if err := l.Check(); err != nil {
		return err
	}
	w.doc.Apply("Begin the list", "", l.JSON())
	w.follow()
	return nil
}

// A Look is what is different on disk.
type Look struct {
	sheet    *image.NRGBA // nil: the same as before
	colored  int
	stamp    stamp
	sheetErr error // the image is damaged, or still being written
	list     bool  // the list has changed
	other    bool  // another file is the list now
}

// Nothing says that all is as it was.
func (l *Look) Nothing() bool { return l.sheet == nil && l.sheetErr == nil && !l.list && !l.other }

// Look looks at the files again, on any goroutine. It changes nothing.
func (w *Workshop) Look(ctx context.Context) *Look {
	l := &Look{}
	if w.Form != PackedFont {
		now := stampOf(w.Path)
		if now != w.stamp || w.sheetErr != nil {
			m, err := export.ReadPicture(w.Path)
			if l.sheetErr = err; err == nil {
				l.sheet, l.stamp, l.colored = m, now, countColored(m)
			}
		}
		path, isJSON := export.FontListPath(w.Path)
		if _, err := os.Stat(path); err == nil && (path != w.doc.Path() || isJSON != (w.Form == JSONList)) {
			l.other = true
			return l
		}
	}
	changed, err := w.doc.DiskChanged()
	l.list = changed && err == nil
	return l
}

// Take takes up what has changed of the image.
func (w *Workshop) Take(l *Look) {
	w.sheetErr = l.sheetErr
	if l.sheet != nil {
		w.sheet, w.stamp, w.colored = l.sheet, l.stamp, l.colored
		w.round++
	}
}

// Reload takes the numbers from the file again, as a step to undo. A file in the middle of being written is left for later.
func (w *Workshop) Reload() error {
	disk, err := w.doc.Disk()
	if err != nil {
		return err
	}
	if w.Form == PackedFont {
		if _, err := font.Read(disk); err != nil {
			return err
		}
	}
	if err := w.doc.Reload(); err != nil {
		return err
	}
	w.moved(true)
	return nil
}

// SwitchList opens the list that belongs to the image now, for instance after a JSON list was put beside a binary one.
func (w *Workshop) SwitchList() error {
	if err := w.openList(); err != nil {
		return err
	}
	w.read()
	return nil
}

// padded is the side of a texture with power-of-two sides that holds n pixels.
func padded(n int) int {
	if n <= 1 {
		return 1
	}
	return 1 << bits.Len(uint(n-1))
}
