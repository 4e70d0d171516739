package cli

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"sync"
	"time"
	"unicode/utf8"

	"talebinder/export"
)

// textReporter prints a job's steps and log as lines; on a terminal a last line shows how far the work has got.
type textReporter struct {
	mu       sync.Mutex
	streams  Streams
	index    int
	count    int
	drawn    int // width of the progress line that stands on the terminal, 0 when there is none
	lastDraw time.Time
}

func (r *textReporter) Step(index, count int, title string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.index, r.count = index, count
	r.clear()
	if index < count {
		fmt.Fprintf(r.streams.Out, "[%d/%d] %s\n", index+1, count, title)
	}
}

func (r *textReporter) Progress(fraction float64, detail string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if !r.streams.Terminal || time.Since(r.lastDraw) < 100*time.Millisecond {
		return
	}
	r.lastDraw = time.Now()
	const width = 76
	line := fmt.Sprintf("%3.0f %%  %s", 100*export.Overall(r.index, r.count, fraction), detail)
	if runes := []rune(line); len(runes) > width {
		line = string(runes[:width-1]) + "…"
	}
	r.clear()
	fmt.Fprint(r.streams.Err, line)
	r.drawn = utf8.RuneCountInString(line)
}

func (r *textReporter) Log(e export.Entry) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.clear()
	switch e.Level {
	case export.Debug:
	case export.Info:
		fmt.Fprintf(r.streams.Out, "  %s\n", e)
	default:
		fmt.Fprintf(r.streams.Err, "%s: %s\n", e.Level, e)
	}
}

// clear takes the progress line off the terminal.
func (r *textReporter) clear() {
	if r.drawn > 0 {
		fmt.Fprintf(r.streams.Err, "\r%s\r", strings.Repeat(" ", r.drawn))
		r.drawn = 0
	}
}

// jsonReporter prints a job as JSON lines.
type jsonReporter struct {
	mu    sync.Mutex
	out   io.Writer
	job   string // which one of several jobs, or ""
	index int
	count int
}

type stepEvent struct {
	Event string `json:"event"`
	Job   string `json:"job,omitempty"`
	Index int    `json:"index"`
	Count int    `json:"count"`
	Title string `json:"title"`
}

type progressEvent struct {
	Event   string  `json:"event"`
	Job     string  `json:"job,omitempty"`
	Overall float64 `json:"overall"`
	Detail  string  `json:"detail"`
}

func (r *jsonReporter) Step(index, count int, title string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.index, r.count = index, count
	r.print(stepEvent{"step", r.job, index, count, title})
}

func (r *jsonReporter) Progress(fraction float64, detail string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.print(progressEvent{"progress", r.job, export.Overall(r.index, r.count, fraction), detail})
}

func (r *jsonReporter) Log(e export.Entry) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if text, err := json.Marshal(e); err == nil {
		r.tagged("log", text)
	}
}

// Report prints the last line: the properties of the report.
func (r *jsonReporter) Report(report *export.Report) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.tagged("report", report.Text())
}

func (r *jsonReporter) print(event any) {
	e := json.NewEncoder(r.out)
	e.SetEscapeHTML(false)
	// A reader that has gone away must not end the job.
	_ = e.Encode(event)
}

// tagged prints the properties of a JSON object behind the name of its event, on one line.
func (r *jsonReporter) tagged(event string, object []byte) {
	var line bytes.Buffer
	fmt.Fprintf(&line, `{"event":%q,`, event)
	if r.job != "" {
		fmt.Fprintf(&line, `"job":%q,`, r.job)
	}
	head := line.Len()
	if err := json.Compact(&line, object); err != nil {
		return
	}
	text := append(line.Bytes()[:head:head], line.Bytes()[head+1:]...)
	_, _ = r.out.Write(append(text, '\n'))
}
