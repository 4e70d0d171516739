// Package process runs other programs: line by line, and together with everything that they start.
package process

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"time"
	"unicode/utf8"
)

// A Command is a program to run.
type Command struct {
	Path string   // of the program
	Args []string // without the program's own name
	Dir  string   // where it runs
	Env  []string // NAME=value, added to this program's environment
}

// longestLine is how many bytes of a line are passed on at most; the rest of it is dropped.
const longestLine = 8 << 10

// patience is how long a program that was ended may keep its output open.
const patience = 5 * time.Second

// Run runs the command until it ends and returns its exit code. The lines that it prints, on either stream, go to line as they
// arrive, from one goroutine. When ctx ends, the program and everything that it has started is ended too, and the error is
// that of ctx. Otherwise an error says that the program could not be run; an exit code other than 0 is none.
func Run(ctx context.Context, c Command, line func(string)) (int, error) {
	if err := ctx.Err(); err != nil {
		return -1, err
	}
	cmd := exec.CommandContext(ctx, c.Path, c.Args...)
	cmd.Dir = c.Dir
	cmd.Env = append(os.Environ(), c.Env...)
	out := &lines{pass: line}
	cmd.Stdout, cmd.Stderr = out, out // the same writer: one goroutine writes to it
	cmd.WaitDelay = patience
	family := prepare(cmd)
	defer family.close()
	if err := cmd.Start(); err != nil {
		return -1, fmt.Errorf("%s could not be started: %w", c.Path, err)
	}
	family.started(cmd)
	err := cmd.Wait()
	out.flush()
	var exit *exec.ExitError
	switch {
	case ctx.Err() != nil:
		return -1, ctx.Err()
	case err == nil:
		return 0, nil
	case errors.As(err, &exit), errors.Is(err, exec.ErrWaitDelay):
		return cmd.ProcessState.ExitCode(), nil
	}
	return -1, fmt.Errorf("%s: %w", c.Path, err)
}

// lines passes on what is written to it line by line.
type lines struct {
	pass    func(string)
	partial []byte
}

func (l *lines) Write(p []byte) (int, error) {
	n := len(p)
	for {
		i := bytes.IndexByte(p, '\n')
		if i < 0 {
			l.keep(p)
			return n, nil
		}
		l.keep(p[:i])
		l.flush()
		p = p[i+1:]
	}
}

func (l *lines) keep(p []byte) {
	l.partial = append(l.partial, p[:min(len(p), longestLine-len(l.partial))]...)
}

// flush passes on the line that has been written so far, unless there is nothing in it.
func (l *lines) flush() {
	text := strings.TrimRight(string(l.partial), "\r \t")
	l.partial = l.partial[:0]
	if text == "" || l.pass == nil {
		return
	}
	if !utf8.ValidString(text) {
		text = strings.ToValidUTF8(text, "\uFFFD")
	}
	l.pass(text)
}
