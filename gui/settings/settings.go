// Package settings keeps what the window remembers between two starts: recent projects, the look, folders, and for each
// project where the person left it.
//
// It is one JSON file, settings.json in talebinder's configuration folder, and not the preferences of the toolkit,
// because the scale has to be known before an application exists. Every change reads the file again first, so that two
// windows of two processes do not undo each other, and replaces it in one step.
package settings

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/adrg/xdg"

	"talebinder/project/atomicfile"
)

// FileName is the name of the file in the configuration folder.
const FileName = "settings.json"

// MaxRecents is how many projects are remembered; the oldest that is not pinned goes first.
const MaxRecents = 40

// A Recent is a project that was opened before.
type Recent struct {
	Path   string    `json:"path"`  // absolute path of the project folder
	Title  string    `json:"title"` // of the game, when it was opened last
	Opened time.Time `json:"opened"`
	Pinned bool      `json:"pinned,omitempty"`
}

// A Memory is what is remembered of one project, outside its folder.
type Memory struct {
	Screen     string            `json:"screen,omitempty"` // id of the screen shown last
	Targets    []string          `json:"targets,omitempty"`
	Profile    string            `json:"profile,omitempty"`
	Values     map[string]string `json:"values,omitempty"` // whatever else a screen wants back, by a key of its own
	LastExport time.Time         `json:"lastExport,omitzero"`
}

type file struct {
	Theme         string            `json:"theme,omitempty"` // system, light, dark
	Scale         float32           `json:"scale,omitempty"` // 0: as the display says
	PlayersFolder string            `json:"playersFolder,omitempty"`
	EngineSources string            `json:"engineSources,omitempty"`
	EngineVersion string            `json:"engineVersion,omitempty"`
	WindowWidth   float32           `json:"windowWidth,omitempty"`
	WindowHeight  float32           `json:"windowHeight,omitempty"`
	Recents       []Recent          `json:"recents,omitempty"`
	Projects      map[string]Memory `json:"projects,omitempty"`
}

// Settings are the settings of one person. Methods may be called from any goroutine.
type Settings struct {
	path string

	mu       sync.Mutex
	file     file
	failed   error
	watchers []func()
}

// ConfigFolder is talebinder's folder in the system's configuration folder.
func ConfigFolder() string { return filepath.Join(xdg.ConfigHome, "talebinder") }

// DataFolder is talebinder's folder in the system's data folder.
func DataFolder() string { return filepath.Join(xdg.DataHome, "talebinder") }

// Open reads the settings kept in folder. A file that is not there gives the defaults. A file that cannot be understood
// gives the defaults too, together with an error that says so; it is kept as settings.json.invalid once a setting changes.
func Open(folder string) (*Settings, error) {
	s := &Settings{path: filepath.Join(folder, FileName)}
	err := s.read()
	s.failed = err
	return s, err
}

// Path is the file the settings are kept in.
func (s *Settings) Path() string { return s.path }

// read takes the file's content; what cannot be understood leaves the settings as they are.
func (s *Settings) read() error {
	text, err := os.ReadFile(s.path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("settings not read: %w", err)
	}
	var f file
	if err := json.Unmarshal(text, &f); err != nil {
		return fmt.Errorf("settings not read, the defaults are used: %s: %w", s.path, err)
	}
	s.file = f
	return nil
}

// change makes one change, keeps it and tells the watchers. A failure to keep it loses nothing in memory.
func (s *Settings) change(edit func(*file)) error {
	s.mu.Lock()
	s.failed = s.read()
	edit(&s.file)
	err := s.keep()
	watchers := slices.Clone(s.watchers)
	s.mu.Unlock()
	for _, f := range watchers {
		f()
	}
	return err
}

func (s *Settings) keep() error {
	text, err := json.MarshalIndent(s.file, "", "  ")
	if err != nil {
		return fmt.Errorf("settings not kept: %w", err)
	}
	if err := os.MkdirAll(filepath.Dir(s.path), 0o700); err != nil {
		return fmt.Errorf("settings not kept: %w", err)
	}
	if s.failed != nil {
		if err := os.Rename(s.path, s.path+".invalid"); err == nil || errors.Is(err, fs.ErrNotExist) {
			s.failed = nil
		}
	}
	if err := atomicfile.Write(s.path, append(text, '\n')); err != nil {
		return fmt.Errorf("settings not kept: %w", err)
	}
	return nil
}

// OnChange adds a function that is called after each change, on the goroutine that made it.
func (s *Settings) OnChange(f func()) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.watchers = append(s.watchers, f)
}

func get[T any](s *Settings, f func(*file) T) T {
	s.mu.Lock()
	defer s.mu.Unlock()
	return f(&s.file)
}

// Theme is system, light or dark.
func (s *Settings) Theme() string {
	t := get(s, func(f *file) string { return f.Theme })
	if t == "light" || t == "dark" {
		return t
	}
	return "system"
}

// SetTheme sets system, light or dark.
func (s *Settings) SetTheme(theme string) error {
	return s.change(func(f *file) { f.Theme = theme })
}

// The limits of the scale; outside of them a window cannot be used to set it back.
const (
	MinScale = 0.5
	MaxScale = 3
)

// Scale is the factor for everything drawn, 1 for the usual size; 0 leaves it to the display.
func (s *Settings) Scale() float32 {
	v := get(s, func(f *file) float32 { return f.Scale })
	if v == 0 {
		return 0
	}
	return min(max(v, MinScale), MaxScale)
}

// SetScale sets the factor; it counts from the next start on.
func (s *Settings) SetScale(scale float32) error {
	return s.change(func(f *file) { f.Scale = scale })
}

// PlayersFolder is where players are looked for first, or empty.
func (s *Settings) PlayersFolder() string {
	return get(s, func(f *file) string { return f.PlayersFolder })
}

// SetPlayersFolder sets the folder; empty takes the setting away.
func (s *Settings) SetPlayersFolder(folder string) error {
	return s.change(func(f *file) { f.PlayersFolder = folder })
}

// EngineSources is a checkout of the engine's sources that players are published from, or empty.
func (s *Settings) EngineSources() string {
	return get(s, func(f *file) string { return f.EngineSources })
}

// SetEngineSources sets the folder; empty takes the setting away.
func (s *Settings) SetEngineSources(folder string) error {
	return s.change(func(f *file) { f.EngineSources = folder })
}

// EngineVersion is the version of the engine that plugins are checked against, or empty for the newest one known.
func (s *Settings) EngineVersion() string {
	return get(s, func(f *file) string { return f.EngineVersion })
}

// SetEngineVersion sets the version; empty takes the setting away.
func (s *Settings) SetEngineVersion(version string) error {
	return s.change(func(f *file) { f.EngineVersion = version })
}

// WindowSize is the size the window had last, in device independent pixels; 0, 0 when it is not known.
func (s *Settings) WindowSize() (width, height float32) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.file.WindowWidth, s.file.WindowHeight
}

// SetWindowSize remembers the size of the window.
func (s *Settings) SetWindowSize(width, height float32) error {
	if w, h := s.WindowSize(); w == width && h == height {
		return nil
	}
	return s.change(func(f *file) { f.WindowWidth, f.WindowHeight = width, height })
}

// Recents gives the projects opened before: pinned ones first, then the newest first.
func (s *Settings) Recents() []Recent {
	list := get(s, func(f *file) []Recent { return slices.Clone(f.Recents) })
	slices.SortStableFunc(list, func(a, b Recent) int {
		if a.Pinned != b.Pinned {
			if a.Pinned {
				return -1
			}
			return 1
		}
		return b.Opened.Compare(a.Opened)
	})
	return list
}

// Remember puts a project at the head of the recent ones.
func (s *Settings) Remember(path, title string, now time.Time) error {
	path = clean(path)
	return s.change(func(f *file) {
		r := Recent{Path: path, Title: title, Opened: now.UTC().Truncate(time.Second)}
		if i := f.find(path); i >= 0 {
			r.Pinned = f.Recents[i].Pinned
			f.Recents = slices.Delete(f.Recents, i, i+1)
		}
		f.Recents = slices.Insert(f.Recents, 0, r)
		for i := len(f.Recents) - 1; i > 0 && len(f.Recents) > MaxRecents; i-- {
			if !f.Recents[i].Pinned {
				f.Recents = slices.Delete(f.Recents, i, i+1)
			}
		}
	})
}

// Forget takes a project off the list; the project itself stays as it is.
func (s *Settings) Forget(path string) error {
	path = clean(path)
	return s.change(func(f *file) {
		if i := f.find(path); i >= 0 {
			f.Recents = slices.Delete(f.Recents, i, i+1)
		}
	})
}

// Pin keeps a project at the top of the list, or lets it go.
func (s *Settings) Pin(path string, pinned bool) error {
	path = clean(path)
	return s.change(func(f *file) {
		if i := f.find(path); i >= 0 {
			f.Recents[i].Pinned = pinned
		}
	})
}

// ClearRecents empties the list.
func (s *Settings) ClearRecents() error {
	return s.change(func(f *file) { f.Recents = nil })
}

// Project gives what is remembered of the project in a folder; the zero Memory when nothing is.
func (s *Settings) Project(folder string) Memory {
	folder = clean(folder)
	return get(s, func(f *file) Memory {
		m := f.Projects[folder]
		m.Targets = slices.Clone(m.Targets)
		values := make(map[string]string, len(m.Values))
		for k, v := range m.Values {
			values[k] = v
		}
		m.Values = values
		return m
	})
}

// ChangeProject changes what is remembered of the project in a folder. Values is never nil inside edit.
func (s *Settings) ChangeProject(folder string, edit func(*Memory)) error {
	folder = clean(folder)
	return s.change(func(f *file) {
		m := f.Projects[folder]
		if m.Values == nil {
			m.Values = map[string]string{}
		}
		edit(&m)
		if f.Projects == nil {
			f.Projects = map[string]Memory{}
		}
		f.Projects[folder] = m
	})
}

func (f *file) find(path string) int {
	return slices.IndexFunc(f.Recents, func(r Recent) bool { return r.Path == path })
}

// clean gives a folder the one name that it is remembered by. What is remembered without a project has the empty one.
func clean(path string) string {
	if path == "" {
		return ""
	}
	if abs, err := filepath.Abs(path); err == nil {
		return abs
	}
	return filepath.Clean(path)
}

// Search gives the recent projects whose title or folder contains every word of the query, ignoring case.
func Search(list []Recent, query string) []Recent {
	words := strings.Fields(strings.ToLower(query))
	var out []Recent
	for _, r := range list {
		text := strings.ToLower(r.Title + "\n" + r.Path)
		if !slices.ContainsFunc(words, func(w string) bool { return !strings.Contains(text, w) }) {
			out = append(out, r)
		}
	}
	return out
}
