package jsondoc

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"
)

// An Edit replaces the bytes from Start to End of a document's text. The methods of Value make edits; one that cannot be
// made carries its error, which Apply returns.
type Edit struct {
	Start, End int
	New        []byte

	err error
}

// Err gives the error of an edit that cannot be made.
func (e Edit) Err() error { return e.err }

// Apply gives the document with the edits done; d stays as it is. The edits are those of values of d, in any order, and
// must not overlap. Edits of different values never do; those that insert into or remove from the same list or object
// may, and are better applied one after the other. The error is that of an edit, or says that edits overlap, or is a
// *SyntaxError when the new text is no document.
func (d *Doc) Apply(edits ...Edit) (*Doc, error) {
	sorted := slices.Clone(edits)
	slices.SortStableFunc(sorted, func(a, b Edit) int {
		if c := cmp.Compare(a.Start, b.Start); c != 0 {
			return c
		}
		return cmp.Compare(min(a.End-a.Start, 1), min(b.End-b.Start, 1)) // what is inserted comes before what is replaced
	})
	length, last := len(d.text), 0
	for _, e := range sorted {
		if e.err != nil {
			return nil, e.err
		}
		if e.Start < last || e.End < e.Start || e.End > len(d.text) {
			return nil, fmt.Errorf("edit of bytes %d to %d: expected edits of this document that do not overlap", e.Start, e.End)
		}
		last = e.End
		length += len(e.New) - (e.End - e.Start)
	}
	text := make([]byte, 0, length)
	last = 0
	for _, e := range sorted {
		text = append(text, d.text[last:e.Start]...)
		text = append(text, e.New...)
		last = e.End
	}
	text = append(text, d.text[last:]...)
	return ParseOptions(text, d.options)
}

var errMissing = errors.New("there is no value to change")

// Replace gives the edit that puts the JSON text raw in the place of the value. Text of one line is put in as it is; longer
// text takes the document's line ends and indentation, or becomes one line when it replaces something in a list or object
// of one line.
func (v Value) Replace(raw []byte) Edit {
	if v.doc == nil {
		return Edit{err: errMissing}
	}
	if !hasLineEnd(raw) { // there is nothing to lay out, and looking for the layout goes over the lists around v
		text, err := v.doc.layOut(raw, style{}, "", false)
		return Edit{Start: v.Start(), End: v.End(), New: text, err: err}
	}
	style := v.doc.style(v)
	frame := v
	if (v.Kind() != Object && v.Kind() != Array) || v.span().size == 1 {
		frame = v.doc.parent(v)
	}
	oneLine := frame.Exists() && !hasLineEnd(frame.Raw())
	laid, err := v.doc.layOut(raw, style, v.doc.lineIndent(v.Start()), oneLine)
	return Edit{Start: v.Start(), End: v.End(), New: laid, err: err}
}

// SetMember gives the edit that gives the member of an object the value raw: the last member of that name is replaced
// as by Replace, and where there is none a new one is inserted. The names of order stand in the order in which the
// object's members should; a new member goes behind the nearest member that should be before it, else in front of the
// nearest that should be behind it. Without such neighbours it goes to the end.
func (v Value) SetMember(name string, raw []byte, order []string) Edit {
	if v.Kind() != Object {
		return Edit{err: fmt.Errorf("set %q: expected an object, found %s", name, v.Kind())}
	}
	if member := v.Get(name); member.Exists() {
		return member.Replace(raw)
	}
	entries := v.entries()
	return v.insert(entries, v.placeOf(name, order, entries), func(style style, indent string, oneLine bool) (piece, error) {
		laid, err := v.doc.layOut(raw, style, indent, oneLine)
		head := AppendString(nil, name, Relaxed)
		head = append(head, style.colon...)
		return piece{head: append(head, laid...)}, err
	})
}

// placeOf gives the index among the entries at which a new member of that name belongs.
func (v Value) placeOf(name string, order []string, entries []entry) int {
	rank := slices.Index(order, name)
	if rank < 0 {
		return len(entries)
	}
	before, beforeRank := -1, -1
	after, afterRank := -1, len(order)
	for i, e := range entries {
		r := slices.Index(order, v.doc.decode(&v.doc.spans[e.name]))
		switch {
		case r < 0:
		case r < rank && r >= beforeRank:
			before, beforeRank = i, r
		case r > rank && r < afterRank:
			after, afterRank = i, r
		}
	}
	switch {
	case before >= 0:
		return before + 1
	case after >= 0:
		return after
	}
	return len(entries)
}

// RemoveMember gives the edit that removes the members of that name, with their commas, comments behind them on the same
// line, and their lines when nothing else is on them. Comments above stay. Nothing happens when there is none.
func (v Value) RemoveMember(name string) Edit {
	if v.Kind() != Object {
		return Edit{err: fmt.Errorf("remove %q: expected an object, found %s", name, v.Kind())}
	}
	entries := v.entries()
	var gone []int
	for i, e := range entries {
		if v.doc.nameIs(&v.doc.spans[e.name], name) {
			gone = append(gone, i)
		}
	}
	return v.doc.merge(v.cuts(entries, gone))
}

// InsertItem gives the edit that inserts raw into a list so that its index is i, which is at most the list's length. Raw
// is laid out as by Replace.
func (v Value) InsertItem(i int, raw []byte) Edit {
	entries := v.entries()
	if err := v.checkIndex("insert an item", i, len(entries)+1); err != nil {
		return Edit{err: err}
	}
	return v.insert(entries, i, func(style style, indent string, oneLine bool) (piece, error) {
		laid, err := v.doc.layOut(raw, style, indent, oneLine)
		return piece{head: laid}, err
	})
}

// RemoveItem gives the edit that removes an item from a list, as RemoveMember removes a member.
func (v Value) RemoveItem(i int) Edit {
	entries := v.entries()
	if err := v.checkIndex("remove an item", i, len(entries)); err != nil {
		return Edit{err: err}
	}
	return v.doc.merge(v.cuts(entries, []int{i}))
}

// MoveItem gives the edits that move an item of a list so that its index becomes to. Its own bytes and a comment behind
// it on the same line move, commas are put right, and all else stays where it is.
func (v Value) MoveItem(from, to int) []Edit {
	entries := v.entries()
	for _, i := range []int{from, to} {
		if err := v.checkIndex("move an item", i, len(entries)); err != nil {
			return []Edit{{err: err}}
		}
	}
	if from == to {
		return nil
	}
	edits := v.cuts(entries, []int{from})
	if to > from {
		to++
	}
	moved := v.pieceOf(entries, from)
	return append(edits, v.insert(entries, to, func(style, string, bool) (piece, error) { return moved, nil }))
}

func (v Value) checkIndex(what string, i, n int) error {
	if v.Kind() != Array {
		return fmt.Errorf("%s: expected a list, found %s", what, v.Kind())
	}
	if i < 0 || i >= n {
		return fmt.Errorf("%s: expected an index from 0 to %d, found %d", what, n-1, i)
	}
	return nil
}

// An entry is a member or an item in the text.
type entry struct {
	start, end int    // from the name, or the value, to the end of the value
	name       uint32 // index of the span of a member's name
	value      uint32 // index of the span of the value
}

func (v Value) entries() []entry {
	var list []entry
	switch v.Kind() {
	case Object:
		for _, member := range v.Members() {
			list = append(list, entry{start: member.Name().Start(), end: member.End(), name: member.at - 1, value: member.at})
		}
	case Array:
		for item := range v.Items() {
			list = append(list, entry{start: item.Start(), end: item.End(), value: item.at})
		}
	}
	return list
}

// A tail is what follows an entry: its comma, and the comments on the same line that belong to it.
type tail struct {
	comma   int  // offset of the comma behind the entry, or -1
	end     int  // after the last of entry, comma and comments on the line of the entry
	lineEnd int  // offset of the line end that follows at once, or -1 when something else is on the line
	slashes bool // one of the comments is of two slashes
}

// tailOf reads the text between entry i and the next entry or the closing bracket.
func (v Value) tailOf(entries []entry, i int) tail {
	text := v.doc.text
	pos, limit := entries[i].end, v.End()-1
	last := i == len(entries)-1
	if !last {
		limit = entries[i+1].start
	}
	t := tail{comma: -1, end: pos, lineEnd: -1}
	behind, slashes := 0, false // the end of the comments behind the comma, which may belong to the next entry
	for pos < limit {
		switch text[pos] {
		case '\r', '\n':
			if t.lineEnd < 0 {
				t.lineEnd = pos
			}
			pos++
		case '/':
			end, _ := commentEnd(text, pos)
			if t.lineEnd < 0 {
				if t.comma < 0 {
					t.end = end
					t.slashes = t.slashes || text[pos+1] == '/'
				} else {
					behind, slashes = end, text[pos+1] == '/'
				}
			}
			pos = end
		case ',':
			t.comma = pos
			pos++
			if t.lineEnd < 0 {
				t.end = pos
			}
		default:
			pos++
		}
	}
	if behind > 0 && (t.lineEnd >= 0 || last) {
		t.end = behind
		t.slashes = slashes
	}
	return t
}

// cuts gives the edits that remove entries and the commas that are then too many. They are sorted and do not overlap.
func (v Value) cuts(entries []entry, gone []int) []Edit {
	if len(gone) == 0 {
		return nil
	}
	text := v.doc.text
	open, closing := v.Start()+1, v.End()-1
	last := len(entries) - 1
	var cuts []Edit
	for _, i := range gone {
		e, t := entries[i], v.tailOf(entries, i)
		line, own := lineStart(text, e.start)
		cut := Edit{Start: e.start, End: t.end}
		switch {
		case own && t.lineEnd >= 0:
			cut.Start, cut.End = line, lineEndAfter(text, t.lineEnd)
			if v.blankAfter(cut.End) {
				cut.Start = blankBefore(text, cut.Start)
			}
		case i < last && t.lineEnd < 0: // more follows on the line
			cut.End = skipBlanks(text, t.end)
		case own: // the closing bracket follows on the line
			before := open
			if i > 0 {
				before = entries[i-1].end
			}
			if endsInSlashes(text, before, line) {
				cut.End = skipBlanks(text, t.end)
			} else {
				cut.Start = len(bytes.TrimRight(text[:line], " \t\r\n"))
			}
		default: // the last of its line
			cut.Start = len(bytes.TrimRight(text[:e.start], " \t"))
		}
		cuts = append(cuts, cut)
		if t.comma >= 0 {
			cuts = append(cuts, commaCut(text, t.comma))
		}
	}
	if gone[len(gone)-1] == last && v.tailOf(entries, last).comma < 0 {
		for i := last; i >= 0; i-- { // the last entry that stays had a comma before the ones that go
			if !slices.Contains(gone, i) {
				cuts = append(cuts, commaCut(text, v.tailOf(entries, i).comma))
				break
			}
		}
	}
	cuts = union(cuts)
	if len(gone) == len(entries) {
		rest, from := []byte(nil), open
		for _, c := range cuts {
			rest = append(rest, text[from:c.Start]...)
			from = c.End
		}
		rest = append(rest, text[from:closing]...)
		if len(bytes.TrimSpace(rest)) == 0 {
			return []Edit{{Start: open, End: closing}}
		}
	}
	return cuts
}

// commaCut removes a comma: with the blanks behind it when it begins a line, with its line when nothing else is on it.
func commaCut(text []byte, comma int) Edit {
	line, own := lineStart(text, comma)
	if !own {
		return Edit{Start: comma, End: comma + 1}
	}
	end := skipBlanks(text, comma+1)
	if text[end] == '\r' || text[end] == '\n' {
		return Edit{Start: line, End: lineEndAfter(text, end)}
	}
	return Edit{Start: comma, End: end}
}

// union sorts removals and joins those that touch.
func union(cuts []Edit) []Edit {
	slices.SortFunc(cuts, func(a, b Edit) int { return cmp.Compare(a.Start, b.Start) })
	joined := cuts[:1]
	for _, c := range cuts[1:] {
		if last := &joined[len(joined)-1]; c.Start <= last.End {
			last.End = max(last.End, c.End)
		} else {
			joined = append(joined, c)
		}
	}
	return joined
}

// merge makes one edit of several removals.
func (d *Doc) merge(cuts []Edit) Edit {
	if len(cuts) == 0 {
		return Edit{}
	}
	merged := Edit{Start: cuts[0].Start, End: cuts[len(cuts)-1].End}
	for i := 1; i < len(cuts); i++ {
		merged.New = append(merged.New, d.text[cuts[i-1].End:cuts[i].Start]...)
	}
	return merged
}

// A piece is an entry to insert.
type piece struct {
	head []byte // up to the comma
	post []byte // comments behind the comma
}

// pieceOf gives an entry with the comments that belong to it.
func (v Value) pieceOf(entries []entry, i int) piece {
	text := v.doc.text
	e, t := entries[i], v.tailOf(entries, i)
	if t.comma >= 0 && t.comma < t.end {
		return piece{
			head: bytes.TrimRight(text[e.start:t.comma], " \t"),
			post: text[t.comma+1 : t.end],
		}
	}
	return piece{head: text[e.start:e.end], post: text[e.end:t.end]}
}

// hasSlashes reports whether the piece ends in a comment that only a line end ends.
func (p piece) hasSlashes() bool {
	for pos := 0; pos < len(p.post); {
		if p.post[pos] != '/' {
			pos++
			continue
		}
		end, _ := commentEnd(p.post, pos)
		if p.post[pos+1] == '/' {
			return true
		}
		pos = end
	}
	return false
}

// insert makes the edit that inserts a piece in front of entry k, or behind the last one. The piece is made once it is
// known how its line is indented, and whether it should stay on one line.
func (v Value) insert(entries []entry, k int, build func(s style, indent string, oneLine bool) (piece, error)) Edit {
	d := v.doc
	s := d.style(v)
	oneLine := !hasLineEnd(v.Raw())
	if len(entries) == 0 {
		return v.insertFirst(s, build)
	}
	var prev tail
	lines := v.lineEndBefore(entries, max(k-1, 0)) || k > 0 && k < len(entries) && v.lineEndBefore(entries, k)
	if k > 0 {
		prev = v.tailOf(entries, k-1)
		lines = lines || prev.slashes
	}
	indent := v.entryIndent(entries, k, s, lines)
	p, err := build(s, indent, oneLine)
	if err != nil {
		return Edit{err: err}
	}
	if !lines && !p.hasSlashes() {
		p = piece{head: append(slices.Clip(p.head), p.post...)} // a comment behind the comma would belong to the next
	}
	var e Edit
	newLine := s.lineEnd + indent
	switch {
	case k == 0 && lines:
		e.Start = v.openEnd()
		e.End = e.Start
		e.New = p.append(append(e.New, newLine...), true)
	case k == 0:
		e.Start = skipBlanks(d.text, v.Start()+1)
		e.End = e.Start
		e.New = p.append(e.New, true)
		if !p.hasSlashes() {
			e.New = append(e.New, s.separator...)
		}
	default:
		gap := newLine
		if !lines {
			gap = s.separator
		}
		ownComma := prev.comma >= 0 && prev.comma < prev.end
		e.Start, e.End = prev.end, prev.end
		switch {
		case ownComma:
		case lines: // the comma goes in front of the comments behind the entry
			e.Start = entries[k-1].end
			e.New = append(append(e.New, ','), d.text[e.Start:e.End]...)
		default:
			e.New = append(e.New, ',')
		}
		e.New = p.append(append(e.New, gap...), ownComma)
	}
	if p.hasSlashes() {
		if rest := skipBlanks(d.text, e.End); d.text[rest] != '\n' && d.text[rest] != '\r' {
			e.New = append(e.New, newLine...)
			e.End = rest
		}
	}
	return e
}

// append appends the piece, with its comma when it has one.
func (p piece) append(dst []byte, comma bool) []byte {
	dst = append(dst, p.head...)
	if comma {
		dst = append(dst, ',')
	}
	return append(dst, p.post...)
}

// insertFirst inserts a piece into an empty list or object.
func (v Value) insertFirst(s style, build func(s style, indent string, oneLine bool) (piece, error)) Edit {
	d := v.doc
	open, closing := v.Start()+1, v.End()-1
	inner := d.text[open:closing]
	base := d.lineIndent(v.Start())
	indent := base + s.unit
	parent := d.parent(v)
	comment := len(bytes.TrimSpace(inner)) > 0
	lines := hasLineEnd(inner)
	if !lines && !comment {
		lines = !parent.Exists() || hasLineEnd(parent.Raw())
	}
	content := open // after the last comment
	if comment {
		content = open + len(bytes.TrimRight(inner, " \t\r\n"))
		for pos := open; pos < content; pos++ {
			if d.text[pos] == '/' {
				if line, own := lineStart(d.text, pos); own {
					indent = string(d.text[line:pos])
				}
				pos, _ = commentEnd(d.text, pos)
			}
		}
	}
	p, err := build(s, indent, !lines)
	if err != nil {
		return Edit{err: err}
	}
	e := Edit{Start: content, End: closing}
	switch {
	case lines:
		e.New = p.append(append(e.New, s.lineEnd+indent...), false)
		if rest := d.text[content:closing]; comment && hasLineEnd(rest) {
			e.New = append(e.New, rest...)
		} else {
			e.New = append(e.New, s.lineEnd+base...)
		}
	case comment:
		e.New = p.append(append(e.New, ' '), false)
		e.New = append(e.New, d.text[content:closing]...)
	default:
		padding := string(inner)
		if padding == "" && v.Kind() == Object {
			padding = s.padding
		}
		e.New = append(p.append([]byte(padding), false), padding...)
	}
	return e
}

// openEnd gives the end of the opening bracket's line: behind the comments that follow the bracket on it.
func (v Value) openEnd() int {
	text := v.doc.text
	pos := v.Start() + 1
	end := pos
	for {
		switch text[pos] {
		case ' ', '\t':
			pos++
		case '/':
			pos, _ = commentEnd(text, pos)
			end = pos
		case '\r', '\n':
			return end
		default:
			return v.Start() + 1
		}
	}
}

// lineEndBefore reports whether there is a line end between entry i and what is before it.
func (v Value) lineEndBefore(entries []entry, i int) bool {
	from := v.Start()
	if i > 0 {
		from = entries[i-1].end
	}
	to := v.End()
	if i < len(entries) {
		to = entries[i].start
	}
	return hasLineEnd(v.doc.text[from:to])
}

// entryIndent gives the indentation of an entry inserted in front of entry k: that of a neighbour on a line of its own.
func (v Value) entryIndent(entries []entry, k int, s style, lines bool) string {
	text := v.doc.text
	if !lines {
		return v.doc.lineIndent(entries[max(k-1, 0)].start)
	}
	for _, i := range []int{k - 1, k} {
		if i >= 0 && i < len(entries) {
			if line, own := lineStart(text, entries[i].start); own {
				return string(text[line:entries[i].start])
			}
		}
	}
	return v.doc.lineIndent(v.Start()) + s.unit
}

// blankAfter reports whether the line that begins at pos is blank or begins with the closing bracket.
func (v Value) blankAfter(pos int) bool {
	text := v.doc.text
	pos = skipBlanks(text, pos)
	return pos >= v.End()-1 || text[pos] == '\r' || text[pos] == '\n'
}

// blankBefore gives the beginning of the blank lines that end at pos, the beginning of a line.
func blankBefore(text []byte, pos int) int {
	for {
		end := pos - 1
		if end > 0 && text[end] == '\n' && text[end-1] == '\r' {
			end--
		}
		start, blank := lineStart(text, end)
		if !blank {
			return pos
		}
		pos = start
	}
}

// lineStart gives the beginning of the line of pos, and whether there are only blanks between; it is of no use otherwise.
func lineStart(text []byte, pos int) (start int, own bool) {
	for pos > 0 && (text[pos-1] == ' ' || text[pos-1] == '\t') {
		pos--
	}
	return pos, pos > 0 && (text[pos-1] == '\n' || text[pos-1] == '\r')
}

// lineEndAfter gives the offset behind the line end at pos.
func lineEndAfter(text []byte, pos int) int {
	if text[pos] == '\r' && pos+1 < len(text) && text[pos+1] == '\n' {
		return pos + 2
	}
	return pos + 1
}

// skipBlanks goes over spaces and tabs.
func skipBlanks(text []byte, pos int) int {
	for pos < len(text) && (text[pos] == ' ' || text[pos] == '\t') {
		pos++
	}
	return pos
}

// endsInSlashes reports whether the last thing in the text is a comment of two slashes.
func endsInSlashes(text []byte, from, to int) bool {
	slashes := false
	for from < to {
		switch text[from] {
		case '/':
			slashes = text[from+1] == '/'
			from, _ = commentEnd(text, from)
		case ',':
			slashes = false
			from++
		default:
			from++
		}
	}
	return slashes
}

func hasLineEnd(text []byte) bool { return bytes.IndexByte(text, '\n') >= 0 }

// lineIndent gives the blanks at the beginning of the line of pos.
func (d *Doc) lineIndent(pos int) string {
	start := bytes.LastIndexByte(d.text[:pos], '\n') + 1
	if start == 0 && strings.HasPrefix(string(d.text[:min(3, len(d.text))]), byteOrderMark) {
		start = len(byteOrderMark)
	}
	return string(d.text[start:skipBlanks(d.text[:pos], start)])
}

// parent gives the list or object that holds v, or Missing for the root.
func (d *Doc) parent(v Value) Value {
	for at := int(v.at) - 1; at >= 0; at-- {
		if uint32(at)+d.spans[at].size > v.at {
			return Value{doc: d, at: uint32(at)}
		}
	}
	return Value{}
}
