//go:build unix

package process

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

func shell(t *testing.T, script string) Command {
	t.Helper()
	return Command{Path: "/bin/sh", Args: []string{"-c", script}, Dir: t.TempDir()}
}

func TestLinesOfBothStreamsAndTheExitCode(t *testing.T) {
	c := shell(t, `echo one; echo "two" >&2; echo; printf 'no end'; printf '\377' >&2; exit 3`)
	c.Env = []string{"X=y"}
	var got []string
	code, err := Run(t.Context(), c, func(line string) { got = append(got, line) })
	if err != nil || code != 3 {
		t.Fatalf("code %d, %v", code, err)
	}
	if diff := cmp.Diff([]string{"one", "two", "no end\uFFFD"}, got); diff != "" {
		t.Error(diff)
	}
}

func TestLongLinesAreCut(t *testing.T) {
	var got []string
	_, err := Run(t.Context(), shell(t, `head -c 1000000 /dev/zero | tr '\0' x; echo; echo next`), func(line string) { got = append(got, line) })
	if err != nil || len(got) != 2 || len(got[0]) != longestLine || got[1] != "next" {
		t.Errorf("%d lines, %v", len(got), err)
	}
}

func TestTheEnvironmentIsAddedTo(t *testing.T) {
	c := shell(t, `echo "$X $HOME"; pwd`)
	c.Env = []string{"X=y"}
	t.Setenv("HOME", "/somewhere")
	var got []string
	if _, err := Run(t.Context(), c, func(line string) { got = append(got, line) }); err != nil {
		t.Fatal(err)
	}
	dir, err := filepath.EvalSymlinks(c.Dir)
	if err != nil || len(got) != 2 || got[0] != "y /somewhere" || got[1] != dir {
		t.Errorf("%v, %v", got, err)
	}
}

func TestAProgramThatIsNotThere(t *testing.T) {
	_, err := Run(t.Context(), Command{Path: filepath.Join(t.TempDir(), "none")}, nil)
	if !errors.Is(err, os.ErrNotExist) || !strings.Contains(err.Error(), "could not be started") {
		t.Error(err)
	}
}

func TestCancellingEndsTheChildrenToo(t *testing.T) {
	c := shell(t, `sleep 600 & echo $!; sleep 600`)
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	child := 0
	started := time.Now()
	_, err := Run(ctx, c, func(line string) {
		child, _ = strconv.Atoi(line)
		cancel()
	})
	if !errors.Is(err, context.Canceled) || child == 0 {
		t.Fatalf("child %d, %v", child, err)
	}
	if took := time.Since(started); took > patience {
		t.Errorf("it took %s", took)
	}
	for deadline := time.Now().Add(5 * time.Second); syscall.Kill(child, 0) == nil && !zombie(child); time.Sleep(10 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatal("the child goes on")
		}
	}
	if _, err := Run(ctx, c, nil); !errors.Is(err, context.Canceled) {
		t.Errorf("after the end of the context: %v", err)
	}
}

// zombie says that a process has ended and waits for its parent, which may not collect it where the tests run.
func zombie(pid int) bool {
	text, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat")
	return err == nil && strings.Contains(string(text), ") Z ")
}
