package discs

import (
	"archive/tar"
	"bytes"
	"cmp"
	"compress/gzip"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"talebinder/export"
)

// area is where the golden images are, seen from this package.
var area = filepath.Join("..", "..", "..", "shared", "golden", "discs")

// A goldenCase is a row of the listing.
type goldenCase struct {
	ID, Kind, Source, Tree, Expect string
	ExactSHA256                    string `json:"exact_sha256"`
	ResultSize                     int64  `json:"result_size"`
	Warning                        bool
	RoundTrip                      bool `json:"round_trip"`
	ContentMissing                 bool `json:"content_missing"`
	ExtraFiles                     []struct {
		Path string
		Size int64
	} `json:"extra_files"`
	Keep []struct {
		Path, SHA256 string
		Dir          bool
	}
	Container struct {
		TrackLength       int64 `json:"track_length"`
		SourceTrackLength int64 `json:"source_track_length"`
	}
}

// goldenCases reads the listing, or skips the test where it is missing.
func goldenCases(t testing.TB) []goldenCase {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(area, "cases.json"))
	if err != nil {
		t.Skip("the golden images are not here: ", err)
	}
	var listing struct{ Cases []goldenCase }
	if err := json.Unmarshal(text, &listing); err != nil {
		t.Fatal(err)
	}
	return listing.Cases
}

// goldenCaseOf finds a case by its id.
func goldenCaseOf(t testing.TB, id string) goldenCase {
	t.Helper()
	for _, c := range goldenCases(t) {
		if c.ID == id {
			return c
		}
	}
	t.Fatalf("no case %s", id)
	return goldenCase{}
}

// image unpacks the image of a case into a folder.
func (c goldenCase) image(t testing.TB, folder string) string {
	t.Helper()
	path := filepath.Join(folder, "in."+c.Kind)
	if err := os.WriteFile(path, unzip(t, filepath.Join(area, c.Source)), 0o666); err != nil {
		t.Fatal(err)
	}
	return path
}

func unzip(t testing.TB, path string) []byte {
	t.Helper()
	file, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	zr, err := gzip.NewReader(file)
	if err != nil {
		t.Fatal(err)
	}
	data, err := io.ReadAll(zr)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// content unpacks the content folder of a case, with its dates.
func (c goldenCase) content(t testing.TB, folder string) string {
	t.Helper()
	root := filepath.Join(folder, "tree")
	if c.ContentMissing {
		return root
	}
	times := map[string]time.Time{}
	check := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	check(os.MkdirAll(root, 0o777))
	tr := tar.NewReader(bytes.NewReader(unzip(t, filepath.Join(area, c.Tree))))
	for {
		h, err := tr.Next()
		if err == io.EOF {
			break
		}
		check(err)
		path := filepath.Join(root, filepath.FromSlash(h.Name))
		times[path] = h.ModTime
		if h.Typeflag == tar.TypeDir {
			check(os.MkdirAll(path, 0o777))
			continue
		}
		check(os.MkdirAll(filepath.Dir(path), 0o777))
		data, err := io.ReadAll(tr)
		check(err)
		check(os.WriteFile(path, data, 0o666))
	}
	for _, e := range c.ExtraFiles {
		path := filepath.Join(root, filepath.FromSlash(e.Path))
		check(os.MkdirAll(filepath.Dir(path), 0o777))
		check(os.WriteFile(path, nil, 0o666))
		check(os.Truncate(path, e.Size))
		times[path] = time.Unix(1500000000, 0)
	}
	paths := make([]string, 0, len(times))
	for path := range times {
		paths = append(paths, path)
	}
	slices.SortFunc(paths, func(a, b string) int { return cmp.Compare(len(b), len(a)) })
	for _, path := range paths {
		check(os.Chtimes(path, times[path], times[path]))
	}
	return root
}

// A recorder keeps what a job logs.
type recorder struct {
	export.Reporter
	entries []export.Entry
	steps   []string
	details []string
}

func newRecorder() *recorder { return &recorder{Reporter: export.Discard()} }

func (r *recorder) Log(e export.Entry)                { r.entries = append(r.entries, e) }
func (r *recorder) Step(_, _ int, title string)       { r.steps = append(r.steps, title) }
func (r *recorder) Progress(_ float64, detail string) { r.details = append(r.details, detail) }
func (r *recorder) messages(level export.Level) []string {
	var list []string
	for _, e := range r.entries {
		if e.Level == level {
			list = append(list, e.Message)
		}
	}
	return list
}

// swap runs a swap in UTC.
func swap(t testing.TB, image, target, content string) (*export.Report, *recorder, error) {
	t.Helper()
	s, err := NewSwap(SwapOptions{Image: image, Target: target, Content: content, Location: time.UTC})
	if err != nil {
		t.Fatal(err)
	}
	out := newRecorder()
	report, err := s.Run(t.Context(), out)
	return report, out, err
}

func read(t testing.TB, path string) []byte {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func names(t testing.TB, folder string) []string {
	t.Helper()
	entries, err := os.ReadDir(folder)
	if err != nil {
		t.Fatal(err)
	}
	var list []string
	for _, e := range entries {
		list = append(list, e.Name())
	}
	return list
}

func sum(data []byte) string {
	s := sha256.Sum256(data)
	return hex.EncodeToString(s[:])
}

// Every golden image gives the exact result, to a target, in place and again; or is refused, and nothing is left behind.
func TestGolden(t *testing.T) {
	accepted, refused := 0, 0
	for _, c := range goldenCases(t) {
		t.Run(c.ID, func(t *testing.T) {
			folder := t.TempDir()
			image, content := c.image(t, folder), c.content(t, folder)
			before := read(t, image)
			target := filepath.Join(folder, "out."+c.Kind)
			if c.Expect == "refuse" {
				refused++
				testGoldenRefusal(t, c, folder, image, target, content)
				return
			}
			accepted++
			report, out, err := swap(t, image, target, content)
			if err != nil {
				t.Fatal(err, out.messages(export.Error))
			}
			got := read(t, target)
			if c.ExactSHA256 != "" && sum(got) != c.ExactSHA256 {
				t.Errorf("sha256 %s, want %s", sum(got), c.ExactSHA256)
			}
			if c.ResultSize != 0 && int64(len(got)) != c.ResultSize {
				t.Errorf("%d bytes, want %d", len(got), c.ResultSize)
			}
			if report.Sums[0].SHA256 != sum(got) || report.Sums[0].Size != int64(len(got)) {
				t.Errorf("the report says %+v of an image with sha256 %s", report.Sums[0], sum(got))
			}
			if !bytes.Equal(read(t, image), before) {
				t.Error("the source was changed")
			}
			if c.Warning && len(report.Warnings) == 0 {
				t.Error("no warning")
			}
			kept := map[string]string{}
			for _, s := range report.Sums {
				if s.Role == "kept" {
					kept[s.Path] = s.SHA256
				}
			}
			for _, k := range c.Keep {
				if !k.Dir && kept[k.Path] != k.SHA256 {
					t.Errorf("kept %s: %q, want %s", k.Path, kept[k.Path], k.SHA256)
				}
			}

			// The plan says what the swap has done.
			s, err := NewSwap(SwapOptions{Image: image, Content: content, Location: time.UTC})
			if err != nil {
				t.Fatal(err)
			}
			plan, err := s.Plan(t.Context(), nil)
			if err != nil {
				t.Fatal(err)
			}
			if plan.Size != int64(len(got)) || plan.SizeBefore != int64(len(before)) || !plan.InPlace {
				t.Errorf("planned %d bytes, in place %v", plan.Size, plan.InPlace)
			}
			for _, k := range plan.Kept {
				if kept[k.Path] != k.SHA256 {
					t.Errorf("planned to keep %s with %s, kept %q", k.Path, k.SHA256, kept[k.Path])
				}
			}
			if n := plan.Count(Added) + plan.Count(Changed) + plan.Count(Unchanged); n != report.AssetCount {
				t.Errorf("planned %d files, wrote %d", n, report.AssetCount)
			}
			if c.RoundTrip && (plan.Count(Unchanged) != report.AssetCount || plan.Count(Removed) != 0) {
				t.Errorf("the tree that it was built from changes: %+v", plan.Changes)
			}
			if c.Container.TrackLength > 0 {
				last := len(plan.TracksAfter) - 1
				if int64(plan.TracksAfter[last].Length) != c.Container.TrackLength || int64(plan.TracksBefore[last].Length) != c.Container.SourceTrackLength {
					t.Errorf("tracks %+v, then %+v, want %+v", plan.TracksBefore, plan.TracksAfter, c.Container)
				}
			}

			for range 2 { // in place, and once more, which changes nothing
				if _, out, err := swap(t, image, "", content); err != nil {
					t.Fatal(err, out.messages(export.Error))
				}
				if !bytes.Equal(read(t, image), got) {
					t.Fatal("in place it is another image")
				}
			}
			if again, err := s.Plan(t.Context(), nil); err != nil || again.Count(Added)+again.Count(Changed)+again.Count(Removed) > 0 || len(again.Moved) > 0 {
				t.Errorf("a plan for what is there already: %v, %+v", err, again)
			}
			if left := names(t, folder); len(left) != 3 {
				t.Errorf("left behind: %v", left)
			}
		})
	}
	t.Logf("%d images swapped, %d refused", accepted, refused)
}

func testGoldenRefusal(t *testing.T, c goldenCase, folder, image, target, content string) {
	before, listed := read(t, image), names(t, folder)
	for _, target := range []string{target, ""} {
		s, err := NewSwap(SwapOptions{Image: image, Target: target, Content: content, Location: time.UTC})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := s.Plan(t.Context(), nil); err == nil {
			t.Error("a plan for it")
		}
		out := newRecorder()
		report, err := s.Run(context.Background(), out)
		if !errors.Is(err, export.ErrFailed) || report == nil || report.Success {
			t.Fatalf("it was accepted: %v", err)
		}
		messages := out.messages(export.Error)
		if len(messages) != 2 || !strings.HasSuffix(messages[1], "Nothing was changed") {
			t.Errorf("%q", messages)
		}
		if target == "" {
			t.Log(strings.ReplaceAll(messages[0], folder, "…"))
		}
	}
	if !bytes.Equal(read(t, image), before) {
		t.Error("the source was changed")
	}
	if left := names(t, folder); !slices.Equal(left, listed) {
		t.Errorf("left behind: %v", left)
	}
}
