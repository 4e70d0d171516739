package document

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"talebinder/formats/assetpath"
	"talebinder/project/atomicfile"
)

// MaxHistory is how many bytes of differences a Group keeps to undo; of a longer history the oldest steps are dropped.
const MaxHistory = 256 << 20

// A StaleError says that a change was not made since a file is not as it was when the change was worked out.
type StaleError struct{ Name string }

// Error names the file and says what to do.
func (e *StaleError) Error() string {
	return e.Name + " has changed since this edit was worked out: look at the edit again"
}

// A GroupConflictError says that nothing was saved since another program changed or deleted files after they were read.
type GroupConflictError struct{ Conflicts []*ConflictError }

// Error names the files.
func (e *GroupConflictError) Error() string {
	texts := make([]string, len(e.Conflicts))
	for i, c := range e.Conflicts {
		texts[i] = c.Error()
	}
	return "nothing was saved: " + strings.Join(texts, "; ")
}

// Unwrap gives the conflicts.
func (e *GroupConflictError) Unwrap() []error {
	errs := make([]error, len(e.Conflicts))
	for i, c := range e.Conflicts {
		errs[i] = c
	}
	return errs
}

// A FileChange makes one text of a file another. The group keeps the text After, which must not be changed any more.
type FileChange struct {
	Name   string // slash path below the group's folder
	Before []byte // nil when there is no such file
	After  []byte // nil when the file goes
}

// A Group is the files below a folder with one stack of steps: a step changes any number of them, and is undone and saved as
// a whole. Files are read when they are asked for. Only those that are changed, or that a step can change again, stay in
// memory; the others are always as they are on the disk. All methods may be called from any goroutine.
type Group struct {
	folder string

	mu      sync.Mutex
	members map[string]*member
	version uint64
	order   uint64
	done    []groupStep
	undone  []groupStep
	open    bool // whether the last step still takes changes with the same merge key
}

// A member is a file that is kept: its Document holds what is on the disk.
type member struct {
	disk    *Document
	text    []byte
	present bool   // there is such a file, with all changes made
	order   uint64 // of the last change: files are saved in this order
}

func (m *member) dirty() bool {
	return m.present != m.disk.exists || m.present && !bytes.Equal(m.text, m.disk.saved)
}

// current is the text as FileChange has it: nil when there is no file.
func (m *member) current() []byte {
	if !m.present {
		return nil
	}
	return m.text
}

func (m *member) set(text []byte) { m.text, m.present = text, text != nil }

// A groupStep is what one step did to its files.
type groupStep struct {
	title, merge string
	files        []fileStep
}

// A fileStep turns one text of a file into another.
type fileStep struct {
	name             string
	created, removed bool
	step
}

func (s groupStep) size() int {
	n := 0
	for _, f := range s.files {
		n += len(f.old) + len(f.new)
	}
	return n
}

// NewGroup returns a group of the files below a folder. Nothing is read yet.
func NewGroup(folder string) *Group {
	return &Group{folder: folder, members: map[string]*member{}}
}

// Folder gives the folder that names are relative to.
func (g *Group) Folder() string { return g.folder }

// Text gives the current text of a file, with all changes. The bytes must not be changed. The error wraps fs.ErrNotExist when
// there is no such file.
func (g *Group) Text(name string) ([]byte, error) {
	name, path, err := g.locate(name)
	if err != nil {
		return nil, err
	}
	g.mu.Lock()
	m := g.members[name]
	var text []byte
	if m != nil {
		text = m.current()
	}
	g.mu.Unlock()
	switch {
	case text != nil:
		return text, nil
	case m != nil:
		return nil, fmt.Errorf("%s: %w", name, fs.ErrNotExist)
	}
	text, _, err = read(path)
	return text, err
}

// locate gives the one name of a file and its path.
func (g *Group) locate(name string) (normal, path string, err error) {
	if normal, err = assetpath.Normalize(name); err != nil {
		return "", "", err
	}
	path, err = assetpath.SafeJoin(g.folder, normal)
	return normal, path, err
}

// Version gives a number that is different after every change of a text.
func (g *Group) Version() uint64 {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.version
}

// member finds a kept file, or reads it.
func (g *Group) member(name, path string) (*member, error) {
	if m := g.members[name]; m != nil {
		return m, nil
	}
	d, err := Open(path, nil)
	if err != nil {
		return nil, err
	}
	return &member{disk: d, text: d.text, present: d.exists}, nil
}

// Apply makes changes of files as one step to undo. Every Before must be the current text of its file, else nothing happens
// and the error is a *StaleError. Consecutive steps with the same merge key that change the same files become one; an
// empty key never merges. Changes that change nothing are no step.
func (g *Group) Apply(title, merge string, changes ...FileChange) error {
	g.mu.Lock()
	defer g.mu.Unlock()
	changes = slices.Clone(changes)
	members := make([]*member, len(changes))
	seen := make(map[string]bool, len(changes))
	for i, c := range changes {
		name, path, err := g.locate(c.Name)
		if err != nil {
			return err
		}
		if seen[name] {
			return fmt.Errorf("%s: expected one change of a file, found two", name)
		}
		seen[name] = true
		changes[i].Name = name
		m, err := g.member(name, path)
		if err != nil {
			return err
		}
		if m.present != (c.Before != nil) || !bytes.Equal(m.current(), c.Before) {
			return &StaleError{Name: c.Name}
		}
		members[i] = m
	}
	s := groupStep{title: title, merge: merge}
	former := g.mergeable(merge, changes)
	for i, c := range changes {
		m := members[i]
		before := m.current()
		if former != nil {
			before = former.find(c.Name).undo(m)
		}
		if f, differs := fileDifference(c.Name, before, c.After); differs {
			s.files = append(s.files, f)
		}
	}
	if len(s.files) == 0 && former == nil {
		return nil
	}
	for i, c := range changes {
		if m := members[i]; !bytes.Equal(m.text, c.After) || m.present != (c.After != nil) {
			g.touch(c.Name, m, c.After)
		}
	}
	g.undone = nil
	if former != nil {
		g.done = g.done[:len(g.done)-1]
	}
	if g.open = len(s.files) > 0; g.open { // else what was typed was taken back by hand
		g.done = append(g.done, s)
	}
	g.bound()
	g.release()
	return nil
}

// mergeable gives the last step when changes with this key become part of it.
func (g *Group) mergeable(merge string, changes []FileChange) *groupStep {
	if !g.open || merge == "" || len(g.done) == 0 {
		return nil
	}
	last := &g.done[len(g.done)-1]
	if last.merge != merge || len(last.files) != len(changes) {
		return nil
	}
	for _, c := range changes {
		if last.find(c.Name) == nil {
			return nil
		}
	}
	return last
}

func (s *groupStep) find(name string) *fileStep {
	for i := range s.files {
		if s.files[i].name == name {
			return &s.files[i]
		}
	}
	return nil
}

func fileDifference(name string, before, after []byte) (fileStep, bool) {
	s, differs := difference(before, after)
	f := fileStep{name: name, created: before == nil && after != nil, removed: before != nil && after == nil, step: s}
	return f, differs || f.created || f.removed
}

// undo gives the text before the step.
func (f *fileStep) undo(m *member) []byte {
	if f.created {
		return nil
	}
	return f.step.undo(m.text)
}

// redo gives the text after the step.
func (f *fileStep) redo(m *member) []byte {
	if f.removed {
		return nil
	}
	return f.step.redo(m.text)
}

// touch gives a file another text.
func (g *Group) touch(name string, m *member, text []byte) {
	g.order++
	g.version++
	m.set(text)
	m.order = g.order
	g.members[name] = m
}

// bound drops the oldest steps of a history that has become too large.
func (g *Group) bound() {
	size := 0
	for i := len(g.done) - 1; i >= 0; i-- {
		if size += g.done[i].size(); size > MaxHistory && i < len(g.done)-1 {
			g.done = slices.Clone(g.done[i+1:])
			return
		}
	}
}

// release forgets files that are as they are on the disk and that no step can change.
func (g *Group) release() {
	if len(g.members) == 0 {
		return
	}
	used := map[string]bool{}
	for _, steps := range [][]groupStep{g.done, g.undone} {
		for _, s := range steps {
			for _, f := range s.files {
				used[f.name] = true
			}
		}
	}
	for name, m := range g.members {
		if !used[name] && !m.dirty() {
			delete(g.members, name)
		}
	}
}

// Undo takes back the last step; false when there is none.
func (g *Group) Undo() bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	if len(g.done) == 0 {
		return false
	}
	last := g.done[len(g.done)-1]
	g.done = g.done[:len(g.done)-1]
	g.undone = append(g.undone, last)
	g.open = false
	for i := len(last.files) - 1; i >= 0; i-- { // the other way round, so that saving goes the safe way too
		f := &last.files[i]
		m := g.members[f.name]
		g.touch(f.name, m, f.undo(m))
	}
	return true
}

// Redo does the step again that was undone last; false when there is none.
func (g *Group) Redo() bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	if len(g.undone) == 0 {
		return false
	}
	last := g.undone[len(g.undone)-1]
	g.undone = g.undone[:len(g.undone)-1]
	g.done = append(g.done, last)
	g.open = false
	for i := range last.files {
		f := &last.files[i]
		m := g.members[f.name]
		g.touch(f.name, m, f.redo(m))
	}
	return true
}

// UndoTitle names the step that Undo takes back, or is empty.
func (g *Group) UndoTitle() string {
	g.mu.Lock()
	defer g.mu.Unlock()
	if len(g.done) == 0 {
		return ""
	}
	return g.done[len(g.done)-1].title
}

// RedoTitle names the step that Redo does again, or is empty.
func (g *Group) RedoTitle() string {
	g.mu.Lock()
	defer g.mu.Unlock()
	if len(g.undone) == 0 {
		return ""
	}
	return g.undone[len(g.undone)-1].title
}

// Dirty says whether a file differs from what was last read or written.
func (g *Group) Dirty() bool { return len(g.DirtyFiles()) > 0 }

// DirtyFiles gives the names of the files that differ from what was last read or written, sorted.
func (g *Group) DirtyFiles() []string {
	g.mu.Lock()
	defer g.mu.Unlock()
	var names []string
	for name, m := range g.members {
		if m.dirty() {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}

// Save writes all files that have changed, or none of them. It fails with a *GroupConflictError, and writes nothing, when
// any of them is not as it was last read or written. They are written in the order in which they were changed.
func (g *Group) Save() error { return g.save(false) }

// SaveOver is Save that writes whatever has become of the files.
func (g *Group) SaveOver() error { return g.save(true) }

func (g *Group) save(over bool) error {
	g.mu.Lock()
	defer g.mu.Unlock()
	var dirty []*member
	for _, m := range g.members {
		if m.dirty() {
			dirty = append(dirty, m)
		}
	}
	slices.SortFunc(dirty, func(a, b *member) int { return cmp.Compare(a.order, b.order) })
	var conflicts []*ConflictError
	changes := make([]atomicfile.Change, 0, len(dirty))
	for _, m := range dirty {
		disk, err := m.disk.compare(true)
		if err != nil {
			return err
		}
		if disk.changed && !over {
			conflicts = append(conflicts, &ConflictError{Path: m.disk.path, Deleted: disk.deleted})
		}
		changes = append(changes, atomicfile.Change{Path: m.disk.path, Data: m.text, Remove: !m.present})
	}
	if len(conflicts) > 0 {
		slices.SortFunc(conflicts, func(a, b *ConflictError) int { return cmp.Compare(a.Path, b.Path) })
		return &GroupConflictError{Conflicts: conflicts}
	}
	folders, err := makeFolders(changes)
	if err == nil {
		err = atomicfile.WriteAll(changes)
	}
	if err != nil {
		for _, folder := range slices.Backward(folders) {
			_ = os.Remove(folder)
		}
		return err
	}
	for _, m := range dirty {
		m.disk.saved, m.disk.exists, m.disk.stamp = m.current(), m.present, stamp{racy: true}
		if info, err := os.Stat(m.disk.path); err == nil && m.present {
			m.disk.stamp = stampOf(info, time.Now())
		}
	}
	g.open = false
	g.release()
	return nil
}

// makeFolders makes the folders of new files and gives those that were not there, the outer ones first.
func makeFolders(changes []atomicfile.Change) (made []string, err error) {
	for _, c := range changes {
		if c.Remove {
			continue
		}
		var missing []string
		for folder := filepath.Dir(c.Path); ; folder = filepath.Dir(folder) {
			if _, err := os.Stat(folder); !errors.Is(err, fs.ErrNotExist) || folder == filepath.Dir(folder) {
				break
			}
			missing = append(missing, folder)
		}
		for _, folder := range slices.Backward(missing) {
			if err := os.Mkdir(folder, 0o777); err != nil {
				return made, err
			}
			made = append(made, folder)
		}
	}
	return made, nil
}

// Revert makes all files what they were when they were last read or written, as one step to undo.
func (g *Group) Revert() {
	g.mu.Lock()
	defer g.mu.Unlock()
	texts := map[string][]byte{}
	for name, m := range g.members {
		if m.dirty() {
			texts[name] = m.onDisk()
		}
	}
	g.replace("Revert", texts)
}

// onDisk is the text on the disk as it is known, nil when there is no file.
func (m *member) onDisk() []byte {
	if !m.disk.exists {
		return nil
	}
	return m.disk.saved
}

// replace gives files other texts, as one step to undo. The last change is the first to be taken back.
func (g *Group) replace(title string, texts map[string][]byte) {
	names := make([]string, 0, len(texts))
	for name := range texts {
		names = append(names, name)
	}
	slices.SortFunc(names, func(a, b string) int { return cmp.Compare(g.members[b].order, g.members[a].order) })
	s := groupStep{title: title}
	for _, name := range names {
		m := g.members[name]
		if f, differs := fileDifference(name, m.current(), texts[name]); differs {
			s.files = append(s.files, f)
			g.touch(name, m, texts[name])
		}
	}
	if len(s.files) > 0 {
		g.undone, g.open = nil, false
		g.done = append(g.done, s)
		g.bound()
	}
	g.release()
}

// DiskChanged gives the names of the kept files that are not as they were last read or written, sorted. It compares sizes and
// times, and reads a file only when they leave a doubt.
func (g *Group) DiskChanged() ([]string, error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	var names []string
	var errs []error
	for name, m := range g.members {
		disk, err := m.disk.compare(false)
		if err != nil {
			errs = append(errs, err)
		}
		if disk.changed {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names, errors.Join(errs...)
}

// Reload reads files again and makes their texts those of the group, as one step to undo; without names, all that have
// changed on the disk. After an error nothing has changed.
func (g *Group) Reload(names ...string) error {
	if len(names) == 0 {
		var err error
		if names, err = g.DiskChanged(); err != nil {
			return err
		}
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	texts := map[string][]byte{}
	fresh := map[string]*Document{}
	for _, name := range names {
		name, _, err := g.locate(name)
		if err != nil {
			return err
		}
		m := g.members[name]
		if m == nil {
			continue // it is read whenever it is asked for
		}
		d, err := Open(m.disk.path, nil)
		if err != nil {
			return err
		}
		fresh[name], texts[name] = d, nil
		if d.exists {
			texts[name] = d.text
		}
	}
	for name, d := range fresh {
		g.members[name].disk = d
	}
	g.replace("Reload", texts)
	return nil
}
