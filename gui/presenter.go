package gui

import (
	"maps"
	"slices"
	"sync"
	"sync/atomic"
	"time"
)

// tickInterval is how often the window looks at work that runs: ten times a second.
const tickInterval = 100 * time.Millisecond

// A presenter is the one place where other goroutines reach the interface. Work keeps its progress where it can be looked
// at; the presenter looks ten times a second, and only while somebody wants it to.
type presenter struct {
	dispatch func(func()) // runs a function on the interface's goroutine, soon
	manual   bool         // ticks come from outside
	closed   atomic.Bool
	pending  atomic.Bool // a tick is on its way

	mu      sync.Mutex
	tickers map[int]*ticker
	next    int
	running bool
}

type ticker struct {
	every time.Duration
	last  time.Time
	f     func()
}

func newPresenter(dispatch func(func()), manual bool) *presenter {
	return &presenter{dispatch: dispatch, manual: manual, tickers: map[int]*ticker{}}
}

// do runs f on the interface's goroutine. What arrives after close is dropped.
func (p *presenter) do(f func()) {
	if p.closed.Load() {
		return
	}
	p.dispatch(func() {
		if !p.closed.Load() {
			f()
		}
	})
}

func (p *presenter) every(d time.Duration, f func()) (stop func()) {
	p.mu.Lock()
	defer p.mu.Unlock()
	id := p.next
	p.next++
	p.tickers[id] = &ticker{every: d, f: f}
	if !p.running && !p.manual {
		p.running = true
		go p.loop()
	}
	return func() {
		p.mu.Lock()
		defer p.mu.Unlock()
		delete(p.tickers, id)
	}
}

func (p *presenter) loop() {
	t := time.NewTicker(tickInterval)
	defer t.Stop()
	for now := range t.C {
		p.mu.Lock()
		if len(p.tickers) == 0 || p.closed.Load() {
			p.running = false
			p.mu.Unlock()
			return
		}
		p.mu.Unlock()
		if p.pending.CompareAndSwap(false, true) {
			p.do(func() {
				p.pending.Store(false)
				p.tick(now)
			})
		}
	}
}

// tick lets every ticker run that is due. It runs on the interface's goroutine.
func (p *presenter) tick(now time.Time) {
	p.mu.Lock()
	var due []func()
	for _, id := range slices.Sorted(maps.Keys(p.tickers)) { // in the order they were added
		t := p.tickers[id]
		if now.Sub(t.last) >= t.every-tickInterval/2 {
			t.last = now
			due = append(due, t.f)
		}
	}
	p.mu.Unlock()
	for _, f := range due {
		f()
	}
}

func (p *presenter) close() { p.closed.Store(true) }
