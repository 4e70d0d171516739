package tspack

import (
	"context"
	"io"
	"runtime"
	"sync"
	"sync/atomic"
)

// Verify opens and reads every entry, on all cores, and gives what is wrong with them in the order of the table; none
// when all is well. A cancelled context ends it early with the context's error as the last one. progress, which may be
// nil, is called after each entry, from one goroutine at a time.
func (r *Reader) Verify(ctx context.Context, progress func(done, total int, path string)) []error {
	faults := make([]error, len(r.entries))
	var next atomic.Int64
	var workers sync.WaitGroup
	var lock sync.Mutex
	done := 0
	for range min(runtime.GOMAXPROCS(0), len(r.entries)) {
		workers.Go(func() {
			buffer := make([]byte, 1<<18)
			for ctx.Err() == nil {
				i := int(next.Add(1)) - 1
				if i >= len(r.entries) {
					return
				}
				faults[i] = r.verify(ctx, r.entries[i], buffer)
				lock.Lock()
				if done++; progress != nil && ctx.Err() == nil {
					progress(done, len(r.entries), r.entries[i].Path)
				}
				lock.Unlock()
			}
		})
	}
	workers.Wait()
	var found []error
	for _, err := range faults {
		if err != nil {
			found = append(found, err)
		}
	}
	if err := ctx.Err(); err != nil {
		found = append(found, err)
	}
	return found
}

// verify reads one entry to its end, or until ctx is done.
func (r *Reader) verify(ctx context.Context, e Entry, buffer []byte) error {
	content, err := r.Open(e)
	if err != nil {
		return err
	}
	defer content.Close()
	for ctx.Err() == nil {
		if _, err := content.Read(buffer); err == io.EOF {
			return nil
		} else if err != nil {
			return err
		}
	}
	return nil
}
