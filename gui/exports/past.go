package exports

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
	"time"

	"talebinder/export"
	"talebinder/export/history"
	"talebinder/gui/ui"
	"talebinder/gui/widgets"
	"talebinder/platforms"
)

// past is an export of the history as the subject of a report.
type past struct{ history.Summary }

func (p past) Title() string {
	if t, ok := platforms.TargetByID(p.Summary.Target); ok {
		return p.Game + " for " + t.Name
	}
	return p.Game
}
func (p past) Target() string    { return p.Summary.Target }
func (p past) Output() string    { return p.Summary.Output }
func (p past) ContentOnly() bool { return p.Summary.ContentOnly }

func (p past) Profile() platforms.Profile {
	profile, _ := platforms.ParseProfile(p.Summary.Profile)
	return profile
}

// command is the export as words for a terminal.
func (p past) command() []string {
	words := []string{"talebinder", "export", p.Project, "--target", p.Summary.Target, "--profile", p.Summary.Profile}
	if p.Summary.ContentOnly {
		words = append(words, "--content-only")
	}
	return words
}

// state is how the export ended, as a row of the queue would have it.
func (p past) state(report *export.Report) export.RowState {
	s := export.RowState{
		State: export.Finished, Started: p.StartedAt, Elapsed: p.Duration, Remaining: -1,
		Warnings: p.Warnings, Errors: p.Errors, Report: report,
	}
	switch {
	case p.Cancelled:
		s.State = export.Cancelled
	case !p.Success:
		s.State = export.Failed
	case p.Warnings > 0:
		s.State = export.FinishedWithWarnings
	}
	if report != nil {
		s.Steps = report.Steps
	}
	return s
}

// role is the part that an export plays in a comparison.
type role uint8

const (
	noRole role = iota
	beforeRole
	afterRole
)

// A PastLine is what the list shows of an export of the past.
type PastLine struct {
	ID     string
	Mark   Mark
	Title  string // target and profile
	When   string
	Text   string // how long it took, how it ended, and what it made when that is not the whole game
	Size   string // of the build; empty when none was made
	Delta  string // against the one before it, with its sign; empty when there is none or nothing has changed
	Grown  bool   // of Delta
	Budget history.BudgetLevel
	role   role
}

// pastModel is the history behind the screen.
type pastModel struct {
	known   bool
	all     []history.Summary // newest first
	damaged []error
	budgets map[string]int64 // bytes by target

	target   string // only exports for it are listed; empty: all
	shown    []int
	selected string // id
	before   string // id of what the selected one is compared with; empty: what stands nearest
}

// set takes the history as it was read.
func (m *pastModel) set(all []history.Summary, damaged []error, budgets map[string]int64) {
	m.known, m.all, m.damaged, m.budgets = true, all, damaged, budgets
	m.filter(m.target)
}

// filter lists the exports for a target only, or all of them.
func (m *pastModel) filter(target string) {
	if !slices.ContainsFunc(m.all, func(s history.Summary) bool { return s.Target == target }) {
		target = ""
	}
	m.target = target
	m.shown = m.shown[:0]
	for i := range m.all {
		if target == "" || m.all[i].Target == target {
			m.shown = append(m.shown, i)
		}
	}
	if m.index(m.selected) < 0 {
		m.selected = ""
		if len(m.shown) > 0 {
			m.selected = m.all[m.shown[0]].ID
		}
	}
	if _, ok := m.find(m.before); !ok || m.before == m.selected {
		m.before = ""
	}
}

// targets lists the targets of the history, in the order of all targets.
func (m *pastModel) targets() []string {
	var ids []string
	for _, s := range m.all {
		if !slices.Contains(ids, s.Target) {
			ids = append(ids, s.Target)
		}
	}
	order := map[string]int{}
	for i, t := range platforms.Targets() {
		order[t.ID] = i + 1
	}
	slices.SortFunc(ids, func(a, b string) int { return cmp.Or(cmp.Compare(order[a], order[b]), strings.Compare(a, b)) })
	return ids
}

// targetName is a target's name, or its id when it is not known any more.
func targetName(id string) string {
	if t, ok := platforms.TargetByID(id); ok {
		return t.Name
	}
	return id
}

func (m *pastModel) find(id string) (history.Summary, bool) {
	for _, s := range m.all {
		if s.ID == id && id != "" {
			return s, true
		}
	}
	return history.Summary{}, false
}

// index gives the row of an export, or -1 when it is not listed.
func (m *pastModel) index(id string) int {
	return slices.IndexFunc(m.shown, func(i int) bool { return m.all[i].ID == id })
}

// earlier gives the export before the i-th that made the same thing: a build of the same target and profile.
func (m *pastModel) earlier(i int) (history.Summary, bool) {
	s := m.all[i]
	for _, o := range m.all[i+1:] {
		if o.Success && o.Target == s.Target && o.Profile == s.Profile && o.ContentOnly == s.ContentOnly {
			return o, true
		}
	}
	return history.Summary{}, false
}

// pair gives what is compared, the older one first. Without a choice of the person it is the selected export with the one
// before it of the same target and profile, else with the nearest that made anything.
func (m *pastModel) pair() (before, after history.Summary, ok bool) {
	after, ok = m.find(m.selected)
	if !ok || !after.Success {
		return before, after, false
	}
	if before, ok = m.find(m.before); !ok {
		i := slices.IndexFunc(m.all, func(s history.Summary) bool { return s.ID == after.ID })
		if before, ok = m.earlier(i); !ok {
			before, ok = m.nearest(i)
		}
	}
	if ok && before.StartedAt.After(after.StartedAt) {
		before, after = after, before
	}
	return before, after, ok
}

// nearest gives the next older export that made a build, else the next newer one.
func (m *pastModel) nearest(i int) (history.Summary, bool) {
	for _, s := range m.all[i+1:] {
		if s.Success {
			return s, true
		}
	}
	for _, s := range slices.Backward(m.all[:i]) {
		if s.Success {
			return s, true
		}
	}
	return history.Summary{}, false
}

// compareWith makes an export the other one of the comparison; it reports whether that can be.
func (m *pastModel) compareWith(id string) bool {
	s, ok := m.find(id)
	after, okToo := m.find(m.selected)
	if !ok || !okToo || id == m.selected || !s.Success || !after.Success {
		return false
	}
	m.before = id
	return true
}

// line writes the i-th row; now is the time that ages are counted from.
func (m *pastModel) line(i int, now time.Time) PastLine {
	at := m.shown[i]
	s := m.all[at]
	p := past{s}
	l := PastLine{ID: s.ID, When: when(s.StartedAt, now)}
	row := lineOf(0, p, p.state(nil), "")
	l.Mark, l.Title, l.Text = row.Mark, row.Title, row.Word
	if s.Duration > 0 {
		l.Text = ui.Duration(s.Duration) + " · " + l.Text
	}
	if row.What != "" {
		l.Text += " · " + row.What
	}
	if s.Success {
		l.Size = ui.Size(s.TotalSize)
		l.Budget = history.EvaluateBudget(s.TotalSize, m.budgets[s.Target]).Level
		if o, ok := m.earlier(at); ok && o.TotalSize != s.TotalSize {
			l.Delta, l.Grown = ui.SignedSize(s.TotalSize-o.TotalSize), s.TotalSize > o.TotalSize
		}
	}
	if before, after, ok := m.pair(); ok {
		switch s.ID {
		case before.ID:
			l.role = beforeRole
		case after.ID:
			l.role = afterRole
		}
	}
	return l
}

// summary counts what the list shows.
func (m *pastModel) summary() string {
	if len(m.all) == 0 {
		return ""
	}
	made := 0
	for _, i := range m.shown {
		if m.all[i].Success {
			made++
		}
	}
	text := ui.Plural(len(m.shown), "export") + ", " + ui.Count(int64(made)) + " successful"
	if n := len(m.damaged); n > 0 {
		text += " · " + ui.Plural(n, "damaged record") + " left out"
	}
	return text
}

// over counts the targets whose newest build is larger than its budget.
func (m *pastModel) over() int {
	n := 0
	for target := range m.budgets {
		if s, ok := m.latest(target); ok && history.EvaluateBudget(s.TotalSize, m.budgets[target]).Level == history.Over {
			n++
		}
	}
	return n
}

// latest gives the newest build for a target; a whole one when there is any.
func (m *pastModel) latest(target string) (history.Summary, bool) {
	var found history.Summary
	for _, s := range m.all {
		if s.Success && s.Target == target && (found.ID == "" || found.ContentOnly && !s.ContentOnly) {
			found = s
		}
	}
	return found, found.ID != ""
}

// when writes the time of an export: the time alone for today, the day too in this year, and the year before that.
func when(t, now time.Time) string {
	t = t.In(now.Location())
	switch y, m, d := now.Date(); {
	case t.Year() == y && t.Month() == m && t.Day() == d:
		return "Today, " + t.Format("15:04")
	case t.Year() == y:
		return t.Format("2 Jan, 15:04")
	}
	return t.Format("2 Jan 2006, 15:04")
}

// ChangeFilter says which of a comparison's files are listed.
type ChangeFilter uint8

// The filters, in the order of their switch.
const (
	AllChanges ChangeFilter = iota
	AddedFiles
	RemovedFiles
	GrownFiles
	ShrunkFiles
)

// A CompareRow is a line of a comparison: the name of a group, a category, or a file.
type CompareRow struct {
	Group  string // of a line that only names a group
	Filter ChangeFilter
	Path   string // of a file; its place is in Note
	Name   string // of a category
	Note   string // kind of a file, and where it is when not in the pack; number of files of a category
	Before string // empty when it was not there
	After  string // empty when it is not there any more
	Delta  int64
	Share  float64 // of the largest change in its group, from -1 to 1
}

// comparison is two exports compared, as the page shows it.
type comparison struct {
	*history.Comparison
	filter ChangeFilter
	query  string
	rows   []CompareRow
}

func newComparison(c *history.Comparison) *comparison {
	v := &comparison{Comparison: c}
	v.list()
	return v
}

// narrow lists only the files that a filter takes and whose paths contain all words of the query.
func (c *comparison) narrow(f ChangeFilter, query string) {
	c.filter, c.query = f, query
	c.list()
}

func (c *comparison) lists() [4][]history.Change {
	return [...][]history.Change{c.Added, c.Removed, c.Grown, c.Shrunk}
}

// counts gives the number of files of each filter.
func (c *comparison) counts() (n [ShrunkFiles + 1]int) {
	for i, list := range c.lists() {
		n[i+1] = len(list)
		n[AllChanges] += len(list)
	}
	return n
}

// same says that nothing in the builds differs in size.
func (c *comparison) same() bool { return c.counts()[AllChanges] == 0 && c.Comparison.Delta() == 0 }

// sentence says what has become of the whole.
func (c *comparison) sentence(now time.Time) string {
	before, after := c.Comparison.Before, c.Comparison.After
	what := describeOther(before, after)
	at := when(before.StartedAt, now)
	if at, ok := strings.CutPrefix(at, "Today, "); ok {
		what += "at " + at + " today"
	} else {
		what += "on " + at
	}
	switch d := c.Comparison.Delta(); {
	case d > 0:
		return ui.Size(d) + " larger than " + what
	case d < 0:
		return ui.Size(-d) + " smaller than " + what
	}
	return "Of the same size as " + what
}

// describeOther names the earlier export as far as it is of another kind than the later one.
func describeOther(before, after history.Summary) string {
	if before.Target == after.Target && before.Profile == after.Profile && before.ContentOnly == after.ContentOnly {
		return ""
	}
	title, what := describe(past{before})
	if what != "" {
		title += " · " + what
	}
	return title + " "
}

// tally counts the files.
func (c *comparison) tally() string {
	n := c.counts()
	return ui.Count(int64(n[AddedFiles])) + " added, " + ui.Count(int64(n[RemovedFiles])) + " removed, " +
		ui.Count(int64(n[GrownFiles])) + " grown, " + ui.Count(int64(n[ShrunkFiles])) + " shrunk, " + ui.Count(int64(c.Unchanged)) + " unchanged"
}

func (c *comparison) list() {
	c.rows = c.rows[:0]
	words := strings.Fields(strings.ToLower(c.query))
	if len(words) == 0 && c.filter == AllChanges && len(c.Categories) > 0 {
		c.rows = append(c.rows, CompareRow{Group: "By category"})
		largest := int64(0)
		for _, k := range c.Categories {
			largest = max(largest, max(k.Delta(), -k.Delta()))
		}
		for _, k := range c.Categories {
			row := CompareRow{Name: k.Name, Delta: k.Delta(), Share: share(k.Delta(), largest), Note: fileCounts(k.Before.Files, k.After.Files)}
			if k.Before.Files > 0 || k.Before.Size > 0 {
				row.Before = ui.Size(k.Before.Size)
			}
			if k.After.Files > 0 || k.After.Size > 0 {
				row.After = ui.Size(k.After.Size)
			}
			c.rows = append(c.rows, row)
		}
	}
	type change struct {
		history.Change
		filter ChangeFilter
	}
	var changes []change
	for i, list := range c.lists() {
		f := ChangeFilter(i + 1)
		if c.filter != AllChanges && c.filter != f {
			continue
		}
		for _, k := range list {
			if contains(k.Path, words) {
				changes = append(changes, change{k, f})
			}
		}
	}
	if len(changes) == 0 {
		return
	}
	slices.SortStableFunc(changes, func(a, b change) int {
		return cmp.Compare(max(b.Delta(), -b.Delta()), max(a.Delta(), -a.Delta()))
	})
	largest := max(changes[0].Delta(), -changes[0].Delta())
	c.rows = append(c.rows, CompareRow{Group: "By asset"})
	for _, k := range changes {
		row := CompareRow{Filter: k.filter, Path: k.Path, Note: k.Kind, Delta: k.Delta(), Share: share(k.Delta(), largest)}
		if k.Place == history.WithPlayer && k.Kind != export.CategoryPlayer {
			row.Note = export.CategoryPlayer
		}
		if k.filter != AddedFiles {
			row.Before = ui.Size(k.Before)
		}
		if k.filter != RemovedFiles {
			row.After = ui.Size(k.After)
		}
		c.rows = append(c.rows, row)
	}
}

// contains says whether all words occur in a path, whatever their case.
func contains(path string, words []string) bool {
	path = strings.ToLower(path)
	for _, w := range words {
		if !strings.Contains(path, w) {
			return false
		}
	}
	return true
}

// share is a difference as a part of the largest one, with its sign.
func share(delta, largest int64) float64 {
	if largest == 0 {
		return 0
	}
	return float64(delta) / float64(largest)
}

// fileCounts says how many files there are, and how many there were when that is another number.
func fileCounts(before, after int) string {
	if before == after {
		return ui.Plural(after, "file")
	}
	return ui.Count(int64(before)) + " → " + ui.Plural(after, "file")
}

// text is the comparison for the clipboard: a line for each file, with tabs between the columns.
func (c *comparison) text(now time.Time) string {
	var b strings.Builder
	b.WriteString(c.sentence(now) + ": " + c.tally() + "\n")
	words := [...]string{"", "added", "removed", "grown", "shrunk"}
	for _, r := range c.rows {
		if r.Path != "" {
			b.WriteString(words[r.Filter] + "\t" + r.Path + "\t" + dash(r.Before) + "\t" + dash(r.After) + "\t" + ui.SignedSize(r.Delta) + "\n")
		}
	}
	return b.String()
}

// dash stands for a size that is not there.
func dash(size string) string {
	if size == "" {
		return "–"
	}
	return size
}

// The units of a budget, in the steps in which the window writes sizes.
var budgetUnits = [...]string{"kB", "MB", "GB"}

func unitBytes(unit int) float64 { return float64(int64(1) << (10 * (unit + 1))) }

// budgetText writes a budget as a number and the index of its unit: the largest one that it is a whole number or a short
// fraction of.
func budgetText(bytes int64) (number string, unit int) {
	if bytes <= 0 {
		return "", 1
	}
	for unit = len(budgetUnits) - 1; unit > 0; unit-- {
		v := float64(bytes) / unitBytes(unit)
		if hundredths := v * 100; v >= 1 && hundredths == float64(int64(hundredths)) {
			break
		}
	}
	return strconv.FormatFloat(float64(bytes)/unitBytes(unit), 'f', -1, 64), unit
}

// parseBudget reads what budgetText writes; an empty text is no budget, 0. ok is false for what is no size.
func parseBudget(number string, unit int) (bytes int64, ok bool) {
	number = strings.TrimSpace(number)
	if number == "" {
		return 0, true
	}
	v, err := strconv.ParseFloat(strings.Replace(number, ",", ".", 1), 64)
	if bytes := v * unitBytes(unit); err == nil && bytes >= 1 && bytes < 1<<62 {
		return int64(bytes + 0.5), true
	}
	return 0, false
}

// budgetName writes a budget for a label, such as "64 MB".
func budgetName(bytes int64) string {
	if number, unit := budgetText(bytes); len(number) <= 6 {
		return number + " " + budgetUnits[unit]
	}
	return ui.Size(bytes)
}

// budgetSentence says how a size stands to a budget.
func budgetSentence(b history.BudgetState) (string, widgets.Tone) {
	share := strconv.Itoa(int(b.Share()*100)) + " %"
	switch b.Level {
	case history.Over:
		return "Over the budget: " + ui.Size(b.Size) + " of " + budgetName(b.Budget) + ", " + ui.Size(-b.Left()) + " too much.", widgets.Danger
	case history.Near:
		return "Near the budget: " + ui.Size(b.Size) + " of " + budgetName(b.Budget) + " (" + share + "), " + ui.Size(b.Left()) + " left.", widgets.Warning
	case history.Within:
		return "Within the budget: " + ui.Size(b.Size) + " of " + budgetName(b.Budget) + " (" + share + "), " + ui.Size(b.Left()) + " left.", widgets.Success
	}
	return "", widgets.Neutral
}
