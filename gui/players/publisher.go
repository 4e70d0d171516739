package players

import (
	"context"
	"errors"
	"slices"
	"sync"

	"talebinder/export/players"
	"talebinder/platforms"
)

// outcome is where a publication stands.
type outcome uint8

const (
	waiting outcome = iota
	running
	published
	cancelled
	failed
)

func (o outcome) ended() bool { return o >= published }

// keptLines is how many lines of a publication's output are kept.
const keptLines = 4000

// publication is the publishing of one player.
type publication struct {
	key     string
	target  platforms.Target
	profile platforms.Profile

	outcome  outcome
	stopping bool
	fraction float64
	latest   string
	lines    []string // the latest ones
	dropped  int      // lines before them
	err      error
	cancel   context.CancelFunc
}

// view is what the window shows of a publication.
type view struct {
	outcome  outcome
	stopping bool
	fraction float64
	latest   string
	err      error
}

// publisher publishes players one after the other: each keeps all cores busy. Its methods may be called from any goroutine.
type publisher struct {
	// publish is players.Publish.
	publish func(ctx context.Context, t platforms.Target, p platforms.Profile, o players.Options, progress func(float64, string)) (players.Player, error)

	mu      sync.Mutex
	list    []*publication // the latest of each key, in the order in which they were asked for
	working bool
	count   int // of those that have ended
}

// add puts players into the line, except those that stand in it. It reports whether somebody has to call work.
func (b *publisher) add(lines ...line) (start bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, l := range lines {
		if p := b.find(l.Key); p != nil && !p.outcome.ended() {
			continue
		}
		b.list = slices.DeleteFunc(b.list, func(p *publication) bool { return p.key == l.Key })
		b.list = append(b.list, &publication{key: l.Key, target: l.Target, profile: l.Profile})
		start = true
	}
	start = start && !b.working
	b.working = b.working || start
	return start
}

func (b *publisher) find(key string) *publication {
	for _, p := range b.list {
		if p.key == key {
			return p
		}
	}
	return nil
}

// work publishes until nothing waits.
func (b *publisher) work(ctx context.Context, o players.Options) error {
	for {
		p, own := b.next(ctx)
		if p == nil {
			return ctx.Err()
		}
		_, err := b.publish(own, p.target, p.profile, o, func(fraction float64, text string) { b.told(p, fraction, text) })
		b.end(p, own, err)
	}
}

// next takes the first one that waits. When ctx has ended none does any more.
func (b *publisher) next(ctx context.Context) (*publication, context.Context) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, p := range b.list {
		if p.outcome != waiting {
			continue
		}
		if ctx.Err() != nil {
			p.outcome = cancelled
			continue
		}
		own, cancel := context.WithCancel(ctx)
		p.outcome, p.cancel = running, cancel
		return p, own
	}
	b.working = false
	return nil, nil
}

func (b *publisher) told(p *publication, fraction float64, text string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	p.fraction, p.latest = fraction, text
	if text == "" {
		return
	}
	if len(p.lines) == 2*keptLines {
		p.lines = slices.Delete(p.lines, 0, keptLines)
		p.dropped += keptLines
	}
	p.lines = append(p.lines, text)
}

func (b *publisher) end(p *publication, ctx context.Context, err error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	p.err = err
	switch {
	case err == nil:
		p.outcome, p.fraction = published, 1
	case ctx.Err() != nil && errors.Is(err, ctx.Err()):
		p.outcome = cancelled
	default:
		p.outcome = failed
	}
	b.count++
	p.cancel()
}

// stop takes a player out of the line, or tells the build of it to end.
func (b *publisher) stop(key string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	p := b.find(key)
	switch {
	case p == nil:
	case p.outcome == waiting:
		p.outcome = cancelled
	case p.outcome == running:
		p.stopping = true
		p.cancel()
	}
}

// active counts those that wait or run.
func (b *publisher) active() int {
	b.mu.Lock()
	defer b.mu.Unlock()
	n := 0
	for _, p := range b.list {
		if !p.outcome.ended() {
			n++
		}
	}
	return n
}

// ended counts the publications that are over.
func (b *publisher) ended() int {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.count
}

// see gives what is to be shown of the publication of a player.
func (b *publisher) see(key string) (view, bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	p := b.find(key)
	if p == nil {
		return view{}, false
	}
	return view{p.outcome, p.stopping, p.fraction, p.latest, p.err}, true
}

// output gives the lines from number from on, and the number to ask for next.
func (b *publisher) output(key string, from int) (lines []string, next int) {
	b.mu.Lock()
	defer b.mu.Unlock()
	p := b.find(key)
	if p == nil {
		return nil, 0
	}
	next = p.dropped + len(p.lines)
	from = min(max(from, p.dropped), next)
	return slices.Clone(p.lines[from-p.dropped:]), next
}
