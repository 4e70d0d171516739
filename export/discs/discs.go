// Package discs looks into finished disc and cartridge images and swaps their content: everything that the window and the
// commands do with a plain volume (.iso), a DiscJuggler image (.cdi) and a Nintendo 64 cartridge (.z64).
//
// [Identify] says what an image is. [Open] lists and reads its files, [Extract] writes them to a folder, [Compare] finds what
// differs between two images. A [Swap] is the job that replaces the directory Content of an image by a folder; its plan says
// beforehand what is kept, added, removed and moved, and the image that it writes is opened from scratch and compared with
// the plan before it takes the place of anything. A [Convert] brings a byte-swapped cartridge into the console's order.
package discs

import (
	"errors"
	"fmt"
	"strings"

	"talebinder/formats"
)

// Container says how an image holds its files.
type Container uint8

// The containers that are read.
const (
	ISO       Container = iota // a plain volume of 2048-byte sectors
	CDI                        // a DiscJuggler image: tracks, then their description
	Cartridge                  // a Nintendo 64 ROM with a DragonFS image at its end
)

// String gives the usual extension without the dot: iso, cdi or z64.
func (c Container) String() string { return [...]string{"iso", "cdi", "z64"}[c] }

// contentName is the directory that a swap replaces, as it is spelled on a medium.
const contentName = "Content"

// A Refusal says why something is not done, before anything has been written.
type Refusal struct {
	What   string // what is refused, such as "jazz2.v64: its content cannot be swapped"
	Found  string // what was found
	Needed string // what is needed, or ""
	Advice string // how to get there: a sentence, or ""
	Err    error  // what led to it, or nil
}

// Error gives everything in one line.
func (r *Refusal) Error() string {
	var b strings.Builder
	if r.What != "" {
		b.WriteString(r.What)
		b.WriteString(": ")
	}
	b.WriteString(r.Found)
	if r.Needed != "" {
		b.WriteString("; needed: ")
		b.WriteString(r.Needed)
	}
	if r.Advice != "" {
		b.WriteString(". ")
		b.WriteString(r.Advice)
	}
	return b.String()
}

// Unwrap gives what led to the refusal.
func (r *Refusal) Unwrap() error { return r.Err }

// refuse makes a refusal of an error about a file: what it found and needs, where the error knows that.
func refuse(what string, err error, advice string) error {
	var already *Refusal
	if err == nil || errors.As(err, &already) {
		return err
	}
	r := &Refusal{What: what, Found: err.Error(), Advice: advice, Err: err}
	var fault *formats.Fault
	var limit *formats.LimitError
	switch {
	case errors.As(err, &fault) && fault.Error() == err.Error():
		found := *fault
		found.Expected = ""
		r.Found, r.Needed = found.Error(), fault.Expected
	case errors.As(err, &limit) && limit.Error() == err.Error():
		unit := ""
		if limit.Unit != "" {
			unit = " " + limit.Unit
		}
		r.Found, r.Needed = fmt.Sprintf("%s is %d%s", limit.What, limit.Value, unit), fmt.Sprintf("%d%s at most", limit.Max, unit)
	}
	return r
}
