package export

import (
	"errors"
	"time"

	"talebinder/platforms"
)

// A Report says how an export ended and what is in the build. It is written beside the build folder in the form that the
// engine's own Build dialog reads.
type Report struct {
	Success         bool
	Cancelled       bool
	Game            string // the game's title
	Target          string // target id
	Profile         platforms.Profile
	StartedAt       time.Time
	Duration        time.Duration
	OutputDirectory string // the build folder; only after a success
	Executable      string // only after the success of a whole build
	Archive         string // only after a success with a profile that archives
	ReportFile      string
	TotalSize       int64 // bytes, the sum of the categories
	AssetCount      int   // packed assets
	Categories      []Category
	LargestAssets   []AssetSize
	Steps           []StepTime
	Warnings        []Entry
	Errors          []Entry // never empty after a failure; its last entry sums up
}

// A Category is a part of a build's size: a kind of asset, or one of the loose parts.
type Category struct {
	Name         string
	Files        int
	Size         int64 // bytes as stored
	OriginalSize int64 // bytes before compression
}

// An AssetSize is one of the largest packed assets.
type AssetSize struct {
	Path       string
	Kind       string // display name
	Size       int64  // bytes before compression
	StoredSize int64  // bytes as stored
	Reason     Reason
}

// A StepTime is how long a step took.
type StepTime struct {
	Title    string
	Duration time.Duration
}

// Text gives the report exactly as the engine writes it.
func (r *Report) Text() []byte { return nil }

// ParseReport reads a report file.
func ParseReport(text []byte) (*Report, error) { return nil, errors.ErrUnsupported }
