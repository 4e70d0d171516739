// Package document keeps the text of one file while a person edits it: a stack of edits to undo and redo, whether it
// differs from the file, and whether the file has changed in the meantime. It knows nothing of what the text means.
package document

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"sync"
	"time"

	"talebinder/project/atomicfile"
	"talebinder/project/internal/textfile"
)

// MaxSize is the largest file that is opened for editing, in bytes.
const MaxSize = 256 << 20

// A ConflictError says that a file was not saved since another program changed or deleted it after it was read.
type ConflictError struct {
	Path    string
	Deleted bool
}

// Error says what happened and what the choices are.
func (e *ConflictError) Error() string {
	what := "changed"
	if e.Deleted {
		what = "deleted"
	}
	return e.Path + " was " + what + " by another program after it was read: reload it, or save over it"
}

// A Document is the text of a file with its edits. All methods may be called from any goroutine.
type Document struct {
	path     string
	fallback []byte

	mu      sync.Mutex
	text    []byte
	version int
	saved   []byte // the file's text as last read or written; the fallback while there is no file
	exists  bool
	stamp   stamp
	blocked error // why the file could not be read: nothing is written over it then
	done    []step
	undone  []step
	open    bool // whether the last step still takes edits with the same merge key
}

// A step replaces old by new at a place of the text. Only what differs is kept, so a long history of a large text stays small.
type step struct {
	title, merge string
	at           int
	old, new     []byte
}

// A stamp tells cheaply whether a file can have changed.
type stamp struct {
	size int64
	time time.Time
	// racy is set when the file was written so shortly before it was read that a second change could carry the same time.
	racy bool
}

// Open reads the file at path. When there is no such file, the document starts with the fallback text and the first
// Save creates the file. A file that cannot be read is an error that names it; see Blocked.
func Open(path string, fallback []byte) (*Document, error) {
	d := &Document{path: path, fallback: fallback}
	text, st, err := read(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		d.text, d.saved = fallback, fallback
	case err != nil:
		return nil, err
	default:
		d.text, d.saved, d.stamp, d.exists = text, text, st, true
	}
	return d, nil
}

// Blocked returns a document for a file that Open could not read. It shows the fallback text; every way of saving
// fails with the reason until Reload reads the file.
func Blocked(path string, fallback []byte, reason error) *Document {
	return &Document{path: path, fallback: fallback, text: fallback, saved: fallback, exists: true, blocked: reason}
}

// racyWindow covers the coarsest file times in use, the two seconds of FAT.
const racyWindow = 2 * time.Second

func read(path string) ([]byte, stamp, error) {
	now := time.Now()
	text, info, err := textfile.Read(path, MaxSize)
	if err != nil {
		return nil, stamp{}, err
	}
	return text, stampOf(info, now), nil
}

func stampOf(info fs.FileInfo, now time.Time) stamp {
	return stamp{size: info.Size(), time: info.ModTime(), racy: now.Sub(info.ModTime()) < racyWindow}
}

// Path gives the file's path as it was opened.
func (d *Document) Path() string { return d.path }

// Text gives the current text, with all edits. The bytes must not be changed.
func (d *Document) Text() []byte {
	text, _ := d.Snapshot()
	return text
}

// Snapshot gives the current text together with a number that is different after every change of it, for callers that
// keep something computed from the text.
func (d *Document) Snapshot() (text []byte, version int) {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.text, d.version
}

// Saved gives the file's text as it was last read or written, or the fallback while there is no file. The bytes must not be changed.
func (d *Document) Saved() []byte {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.saved
}

// Disk reads the file as it is now, for a comparison with the text; the document does not change. A file that is gone gives
// the fallback.
func (d *Document) Disk() ([]byte, error) {
	text, _, err := read(d.path)
	if errors.Is(err, fs.ErrNotExist) {
		return d.fallback, nil
	}
	return text, err
}

// Exists says whether the file was there when it was last read or written.
func (d *Document) Exists() bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.exists
}

// Blocked gives the reason why the file could not be read, or nil.
func (d *Document) Blocked() error {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.blocked
}

// Dirty says whether the text differs from the file as last read or written.
func (d *Document) Dirty() bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.dirty()
}

func (d *Document) dirty() bool { return !bytes.Equal(d.text, d.saved) }

// Apply makes newText the text, as one step to undo. Consecutive steps with the same merge key become one, so that
// typing a word is undone at once; an empty key never merges. Text that is the same as before is no step.
func (d *Document) Apply(title, merge string, newText []byte) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.apply(title, merge, newText)
}

func (d *Document) apply(title, merge string, newText []byte) {
	if bytes.Equal(d.text, newText) {
		return
	}
	before := d.text
	if d.open && merge != "" && len(d.done) > 0 && d.done[len(d.done)-1].merge == merge {
		last := d.done[len(d.done)-1]
		d.done = d.done[:len(d.done)-1]
		before = last.undo(d.text)
	}
	d.undone = nil
	d.setText(bytes.Clone(newText))
	if s, differs := difference(before, d.text); differs {
		s.title, s.merge = title, merge
		d.done = append(d.done, s)
		d.open = true
	} else {
		d.open = false // what was typed was taken back by hand
	}
}

func (d *Document) setText(text []byte) {
	d.text = text
	d.version++
}

// difference finds the one stretch in which two texts differ.
func difference(before, after []byte) (step, bool) {
	if bytes.Equal(before, after) {
		return step{}, false
	}
	shorter := min(len(before), len(after))
	const block = 4096 // large texts are compared block by block first
	start := 0
	for start+block <= shorter && bytes.Equal(before[start:start+block], after[start:start+block]) {
		start += block
	}
	for start < shorter && before[start] == after[start] {
		start++
	}
	end := 0
	for end+block <= shorter-start && bytes.Equal(before[len(before)-end-block:len(before)-end], after[len(after)-end-block:len(after)-end]) {
		end += block
	}
	for end < shorter-start && before[len(before)-1-end] == after[len(after)-1-end] {
		end++
	}
	return step{
		at:  start,
		old: bytes.Clone(before[start : len(before)-end]),
		new: bytes.Clone(after[start : len(after)-end]),
	}, true
}

func (s step) undo(text []byte) []byte { return splice(text, s.at, len(s.new), s.old) }
func (s step) redo(text []byte) []byte { return splice(text, s.at, len(s.old), s.new) }

func splice(text []byte, at, length int, with []byte) []byte {
	out := make([]byte, 0, len(text)-length+len(with))
	out = append(out, text[:at]...)
	out = append(out, with...)
	return append(out, text[at+length:]...)
}

// Undo takes back the last step; false when there is none.
func (d *Document) Undo() bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	if len(d.done) == 0 {
		return false
	}
	last := d.done[len(d.done)-1]
	d.done = d.done[:len(d.done)-1]
	d.undone = append(d.undone, last)
	d.open = false
	d.setText(last.undo(d.text))
	return true
}

// Redo does the step again that was undone last; false when there is none.
func (d *Document) Redo() bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	if len(d.undone) == 0 {
		return false
	}
	last := d.undone[len(d.undone)-1]
	d.undone = d.undone[:len(d.undone)-1]
	d.done = append(d.done, last)
	d.open = false
	d.setText(last.redo(d.text))
	return true
}

// UndoTitle names the step that Undo takes back, or is empty.
func (d *Document) UndoTitle() string {
	d.mu.Lock()
	defer d.mu.Unlock()
	if len(d.done) == 0 {
		return ""
	}
	return d.done[len(d.done)-1].title
}

// RedoTitle names the step that Redo does again, or is empty.
func (d *Document) RedoTitle() string {
	d.mu.Lock()
	defer d.mu.Unlock()
	if len(d.undone) == 0 {
		return ""
	}
	return d.undone[len(d.undone)-1].title
}

// Save writes the text to the file. An unchanged document is not written. It fails with a *ConflictError, and writes
// nothing, when the file is not as it was last read or written.
func (d *Document) Save() error {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.blocked != nil {
		return d.blocked
	}
	if !d.dirty() {
		return nil
	}
	disk, err := d.compare(true)
	if err != nil {
		return err
	}
	if disk.changed {
		return &ConflictError{Path: d.path, Deleted: disk.deleted}
	}
	return d.write()
}

// SaveOver writes the text to the file whatever has become of it there.
func (d *Document) SaveOver() error {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.blocked != nil {
		return d.blocked
	}
	disk, err := d.compare(true)
	if err != nil {
		return err
	}
	if !disk.changed && !d.dirty() {
		return nil
	}
	return d.write()
}

func (d *Document) write() error {
	if err := atomicfile.Write(d.path, d.text); err != nil {
		return err
	}
	d.saved, d.exists, d.open = d.text, true, false
	d.stamp = stamp{racy: true}
	if info, err := os.Stat(d.path); err == nil {
		d.stamp = stampOf(info, time.Now())
	}
	return nil
}

// Revert makes the text that of the file as last read or written, as a step to undo.
func (d *Document) Revert() {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.apply("Revert", "", d.saved)
}

// DiskChanged says whether the file is different from what was last read or written. It compares size and time, and
// reads the file only when they leave a doubt.
func (d *Document) DiskChanged() (bool, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	disk, err := d.compare(false)
	return disk.changed, err
}

type diskState struct{ changed, deleted bool }

// compare looks at the file. With thorough set it compares the content even when size and time are the same.
func (d *Document) compare(thorough bool) (diskState, error) {
	info, err := os.Stat(d.path)
	if errors.Is(err, fs.ErrNotExist) {
		return diskState{changed: d.exists, deleted: d.exists}, nil
	}
	if err != nil {
		return diskState{}, err
	}
	if !d.exists {
		return diskState{changed: true}, nil
	}
	same := info.Size() == d.stamp.size && info.ModTime().Equal(d.stamp.time)
	if same && !d.stamp.racy && !thorough && d.blocked == nil {
		return diskState{}, nil
	}
	text, st, err := read(d.path)
	if d.blocked != nil {
		// Nothing is known of the file but that it could not be read; it has changed when it can be.
		return diskState{changed: err == nil}, nil
	}
	if err != nil {
		return diskState{}, err
	}
	if !bytes.Equal(text, d.saved) {
		return diskState{changed: true}, nil
	}
	d.stamp = st
	return diskState{}, nil
}

// Reload reads the file again and makes its text the document's, as a step to undo. When the file is gone, the text
// is the fallback. After an error the document is as before.
func (d *Document) Reload() error {
	d.mu.Lock()
	defer d.mu.Unlock()
	text, st, err := read(d.path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		d.saved, d.exists, d.stamp = d.fallback, false, stamp{}
	case err != nil:
		return err
	default:
		d.saved, d.exists, d.stamp = text, true, st
	}
	d.blocked = nil
	d.apply("Reload", "", d.saved)
	return nil
}
