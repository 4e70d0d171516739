package filelock

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

func TestALockIsHeldOnce(t *testing.T) {
	path := filepath.Join(t.TempDir(), "work.lock")
	l, err := Acquire(path)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := Acquire(path); !errors.Is(err, ErrLocked) {
		t.Errorf("a second lock: %v", err)
	}
	l.Release()
	if _, err := os.Stat(path); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the file stays: %v", err)
	}
	l, err = Acquire(path)
	if err != nil {
		t.Fatal(err)
	}
	l.Release()
	(*Lock)(nil).Release()
	if _, err := Acquire(filepath.Join(path, "none", "x")); err == nil {
		t.Error("a lock in a folder that does not exist")
	}
}

func TestWaitersComeOneAfterTheOther(t *testing.T) {
	path := filepath.Join(t.TempDir(), "work.lock")
	var inside, waited atomic.Int32
	var done sync.WaitGroup
	for range 8 {
		done.Go(func() {
			l, err := Wait(t.Context(), path, func() { waited.Add(1) })
			if err != nil {
				t.Error(err)
				return
			}
			if inside.Add(1) != 1 {
				t.Error("two hold the lock")
			}
			time.Sleep(time.Millisecond)
			inside.Add(-1)
			l.Release()
		})
	}
	done.Wait()
	if waited.Load() == 0 {
		t.Error("nobody had to wait")
	}
}

func TestWaitingEndsWithTheContext(t *testing.T) {
	path := filepath.Join(t.TempDir(), "work.lock")
	l, err := Acquire(path)
	if err != nil {
		t.Fatal(err)
	}
	defer l.Release()
	ctx, cancel := context.WithCancel(t.Context())
	if _, err := Wait(ctx, path, cancel); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}
