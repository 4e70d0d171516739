package scenes

import (
	"cmp"
	"slices"
	"strings"

	"talebinder/formats/guid"
	"talebinder/project/assets"
	"talebinder/project/scene"
	"talebinder/project/scene/overrides"
)

// A Grouping says under which headings the differences stand.
type Grouping uint8

// The groupings.
const (
	ByFile Grouping = iota
	ByPrefab
	NoGroups
)

// A ListFilter chooses differences.
type ListFilter struct {
	Query string
	Class int // of overrides.Classes; -1: all
}

// A ListRow is a line of the list: a heading, or a difference.
type ListRow struct {
	Heading string // a path; empty for a difference
	Count   int    // of a heading
	Index   int    // of a difference in the table
}

// A key names a difference from one table to the next.
type key struct {
	target overrides.Target
	kind   overrides.Kind
	index  int
}

func keyOf(r *overrides.Row) key { return key{r.Target(), r.Kind, r.Index} }

// A List is the differences of a whole project, filtered and grouped.
type List struct {
	table  *overrides.Table
	texts  []string // lower-case, what a search looks into
	values [][2]string
	fields []scene.Field

	filter   ListFilter
	grouping Grouping
	ticked   map[key]bool
	folded   map[string]bool

	rows   []ListRow
	counts [6]int // by class, and of all, under the filter without its class
}

// newList makes the list of a table; it may run in the background.
func newList(db *assets.Database, t *overrides.Table) *List {
	l := &List{
		table: t, ticked: map[key]bool{}, folded: map[string]bool{}, filter: ListFilter{Class: -1},
		texts: make([]string, len(t.Rows)), values: make([][2]string, len(t.Rows)), fields: make([]scene.Field, len(t.Rows)),
	}
	for i := range t.Rows {
		r := &t.Rows[i]
		l.fields[i], _ = fieldOf(db, r.Component, r.Path, r.InstanceValue, r.PrefabValue)
		if r.Path == "" {
			l.fields[i] = scene.Field{}
		}
		l.values[i] = [2]string{showValue(db, nil, r.PrefabValue, l.fields[i]), showValue(db, nil, r.InstanceValue, l.fields[i])}
		l.texts[i] = strings.ToLower(strings.Join([]string{
			r.File, strings.Join(r.InstancePath, "/"), r.EntityName, r.Component, r.Path, l.values[i][0], l.values[i][1], prefabOf(r), r.Reason, r.Kind.String(),
		}, "\n"))
	}
	l.list()
	return l
}

// take filters, groups and ticks as another list does.
func (l *List) take(old *List) {
	l.filter, l.grouping, l.folded = old.filter, old.grouping, old.folded
	for i := range l.table.Rows {
		if k := keyOf(&l.table.Rows[i]); old.ticked[k] {
			l.ticked[k] = true
		}
	}
	l.list()
}

// prefabOf names the prefab that a difference is about.
func prefabOf(r *overrides.Row) string {
	if len(r.Chain) == 0 {
		return ""
	}
	if p := r.Chain[0].Path; p != "" {
		return p
	}
	return r.Chain[0].Asset.String()
}

func (l *List) group(r *overrides.Row) string {
	switch l.grouping {
	case ByFile:
		return r.File
	case ByPrefab:
		return cmp.Or(prefabOf(r), "No prefab")
	}
	return ""
}

func (l *List) list() {
	words := strings.Fields(strings.ToLower(l.filter.Query))
	l.counts = [6]int{}
	var chosen []int
	for i := range l.table.Rows {
		r := &l.table.Rows[i]
		if slices.ContainsFunc(words, func(w string) bool { return !strings.Contains(l.texts[i], w) }) {
			continue
		}
		l.counts[r.Class]++
		l.counts[5]++
		if l.filter.Class < 0 || overrides.Class(l.filter.Class) == r.Class {
			chosen = append(chosen, i)
		}
	}
	if l.grouping == ByPrefab {
		slices.SortStableFunc(chosen, func(a, b int) int {
			return strings.Compare(l.group(&l.table.Rows[a]), l.group(&l.table.Rows[b]))
		})
	}
	l.rows = l.rows[:0]
	heading := -1
	for _, i := range chosen {
		group := l.group(&l.table.Rows[i])
		if group != "" && (heading < 0 || l.rows[heading].Heading != group) {
			heading = len(l.rows)
			l.rows = append(l.rows, ListRow{Heading: group})
		}
		if heading >= 0 {
			l.rows[heading].Count++
		}
		if group == "" || !l.folded[group] {
			l.rows = append(l.rows, ListRow{Index: i})
		}
	}
}

// Len is the number of lines, and Row gives one.
func (l *List) Len() int          { return len(l.rows) }
func (l *List) Row(i int) ListRow { return l.rows[i] }

// Difference gives the difference of a line, or nil for a heading.
func (l *List) Difference(i int) *overrides.Row {
	if i < 0 || i >= len(l.rows) || l.rows[i].Heading != "" {
		return nil
	}
	return &l.table.Rows[l.rows[i].Index]
}

// Filter gives what is chosen, SetFilter changes it.
func (l *List) Filter() ListFilter { return l.filter }

func (l *List) SetFilter(f ListFilter) {
	l.filter = f
	l.list()
}

// SetGrouping changes the headings.
func (l *List) SetGrouping(g Grouping) {
	l.grouping = g
	l.list()
}

// Fold shows or hides what stands under a heading.
func (l *List) Fold(heading string) {
	l.folded[heading] = !l.folded[heading]
	l.list()
}

// Folded says whether what stands under a heading is hidden.
func (l *List) Folded(heading string) bool { return l.folded[heading] }

// Count gives the number of differences of a class that the search leaves; -1 is all.
func (l *List) Count(class int) int {
	if class < 0 {
		return l.counts[5]
	}
	return l.counts[class]
}

// Tick marks a difference for what is done next; on a heading it marks all below.
func (l *List) Tick(i int, on bool) {
	set := func(r *overrides.Row) {
		if on {
			l.ticked[keyOf(r)] = true
		} else {
			delete(l.ticked, keyOf(r))
		}
	}
	if r := l.Difference(i); r != nil {
		set(r)
		return
	}
	heading := l.rows[i].Heading
	for n := range l.table.Rows {
		if r := &l.table.Rows[n]; l.group(r) == heading && l.chosen(n) {
			set(r)
		}
	}
}

// TickAll marks everything that the filter leaves, or nothing.
func (l *List) TickAll(on bool) {
	clear(l.ticked)
	for n := range l.table.Rows {
		if on && l.chosen(n) {
			l.ticked[keyOf(&l.table.Rows[n])] = true
		}
	}
}

func (l *List) chosen(n int) bool {
	r := &l.table.Rows[n]
	if l.filter.Class >= 0 && overrides.Class(l.filter.Class) != r.Class {
		return false
	}
	for _, w := range strings.Fields(strings.ToLower(l.filter.Query)) {
		if !strings.Contains(l.texts[n], w) {
			return false
		}
	}
	return true
}

// Ticked says whether a line is marked; of a heading, whether all below are.
func (l *List) Ticked(i int) bool {
	if r := l.Difference(i); r != nil {
		return l.ticked[keyOf(r)]
	}
	all := false
	for n := range l.table.Rows {
		if r := &l.table.Rows[n]; l.group(r) == l.rows[i].Heading && l.chosen(n) {
			if !l.ticked[keyOf(r)] {
				return false
			}
			all = true
		}
	}
	return all
}

// Chosen gives what is marked and shown by the filter; without marks, the difference of the line.
func (l *List) Chosen(line int) []*overrides.Row {
	var rows []*overrides.Row
	for n := range l.table.Rows {
		if len(l.ticked) == 0 {
			break
		}
		if r := &l.table.Rows[n]; l.ticked[keyOf(r)] && l.chosen(n) {
			rows = append(rows, r)
		}
	}
	if len(rows) == 0 {
		if r := l.Difference(line); r != nil {
			rows = append(rows, r)
		}
	}
	return rows
}

// Find gives the line of a difference, or -1.
func (l *List) Find(k key) int {
	for i, r := range l.rows {
		if r.Heading == "" && keyOf(&l.table.Rows[r.Index]) == k {
			return i
		}
	}
	return -1
}

// Values gives both values of a line as texts.
func (l *List) Values(i int) (prefab, instance string) {
	v := l.values[l.rows[i].Index]
	return v[0], v[1]
}

// Field gives what is known of the value of a line.
func (l *List) Field(i int) scene.Field { return l.fields[l.rows[i].Index] }

// Text is the list for the clipboard: a line for each difference, with tabs between the columns.
func (l *List) Text() string {
	var b strings.Builder
	b.WriteString("file\tinstance\tentity\tcomponent\tpath\tprefab value\tinstance value\tclass\n")
	for i := range l.rows {
		r := l.Difference(i)
		if r == nil {
			continue
		}
		prefab, instance := l.Values(i)
		b.WriteString(strings.Join([]string{
			r.File, strings.Join(r.InstancePath, "/"), r.EntityName, r.Component, pathOf(r), prefab, instance, r.Class.String(),
		}, "\t") + "\n")
	}
	return b.String()
}

// pathOf writes what of a component differs.
func pathOf(r *overrides.Row) string {
	switch {
	case r.Kind == overrides.Removed:
		return "(removed)"
	case r.Kind == overrides.Replaced:
		return "(replaced)"
	case r.Kind == overrides.Added:
		return "(added)"
	}
	return r.Path
}

// A DocumentRow is a scene or prefab in the list at the left.
type DocumentRow struct {
	Path   string
	Kind   scene.Kind
	Counts [5]int // differences by class
	Broken bool   // it cannot be read
	Edited bool   // it has changes that are not saved
	Start  bool   // the scene that the game starts with
}

// Total is the number of differences.
func (d *DocumentRow) Total() int {
	n := 0
	for _, c := range d.Counts {
		n += c
	}
	return n
}

// Waste is how many of them do nothing.
func (d *DocumentRow) Waste() int {
	return d.Total() - d.Counts[overrides.Effective]
}

// documentRows lists scenes and prefabs that have all words of a query in their path: scenes first, both by path.
func documentRows(paths []string, t *overrides.Table, dirty []string, start, query string) []DocumentRow {
	words := strings.Fields(strings.ToLower(query))
	var rows []DocumentRow
	at := map[string]int{}
	for _, p := range paths {
		kind, ok := scene.KindOf(p)
		if !ok || slices.ContainsFunc(words, func(w string) bool { return !strings.Contains(strings.ToLower(p), w) }) {
			continue
		}
		rows = append(rows, DocumentRow{
			Path: p, Kind: kind, Edited: slices.Contains(dirty, p), Start: p == start,
		})
	}
	slices.SortStableFunc(rows, func(a, b DocumentRow) int {
		return cmp.Or(cmp.Compare(a.Kind, b.Kind), strings.Compare(a.Path, b.Path))
	})
	for i := range rows {
		at[rows[i].Path] = i
	}
	if t != nil {
		for i := range t.Rows {
			if n, ok := at[t.Rows[i].File]; ok {
				rows[n].Counts[t.Rows[i].Class]++
			}
		}
		for _, p := range t.Problems {
			if n, ok := at[strings.TrimPrefix(p.File, "assets/")]; ok {
				rows[n].Broken = true
			}
		}
	}
	return rows
}

// shortID gives the first digits of a guid, enough for people to tell two of them apart.
func shortID(g guid.Guid) string { return g.String()[:8] }
