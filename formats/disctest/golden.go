// Package disctest reads the golden cases of disc images, and makes small images, for tests.
package disctest

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"talebinder/formats/iso9660"
)

// Case is a golden case: an image, a tree for it, and what comes of it.
type Case struct {
	ID, Kind, What, Source string
	SourceSHA256           string `json:"source_sha256"`
	Tree, Expect           string
	Keep                   []struct {
		Path   string
		Dir    bool
		Size   int64
		SHA256 string
	}
	Container struct {
		RunOut       uint32 `json:"run_out"`
		TrackLength  uint32 `json:"track_length"`
		SourceLength uint32 `json:"source_track_length"`
	}
	ExtraFiles []struct {
		Path string
		Size int64
	} `json:"extra_files"`
	ExactSHA256    string `json:"exact_sha256"`
	ResultSize     int64  `json:"result_size"`
	Warning        bool
	ContentMissing bool `json:"content_missing"` // the tree is not given to the program

	folder string
}

// Refused says whether the image or the tree has to be refused.
func (c *Case) Refused() bool { return c.Expect == "refuse" }

// Cases gives the golden cases of a kind ("iso", "cdi" or "z64"). root is the path to the project's root; the golden files
// stand beside the project, and without them the test is skipped.
func Cases(t testing.TB, root, kind string) []*Case {
	t.Helper()
	folder := filepath.Join(root, "../shared/golden/discs")
	data, err := os.ReadFile(filepath.Join(folder, "cases.json"))
	if errors.Is(err, fs.ErrNotExist) {
		t.Skip("the golden files are not here")
	}
	if err != nil {
		t.Fatal(err)
	}
	var all struct{ Cases []*Case }
	if err := json.Unmarshal(data, &all); err != nil {
		t.Fatal(err)
	}
	var cases []*Case
	for _, c := range all.Cases {
		if c.folder = folder; c.Kind == kind {
			cases = append(cases, c)
		}
	}
	if len(cases) == 0 {
		t.Fatal("no golden cases of kind", kind)
	}
	return cases
}

// Image gives the image that the case starts with.
func (c *Case) Image(t testing.TB) []byte {
	t.Helper()
	data := c.unzip(t, c.Source)
	if sum := SHA256(data); sum != c.SourceSHA256 {
		t.Fatalf("%s has the SHA-256 %s", c.Source, sum)
	}
	return data
}

func (c *Case) unzip(t testing.TB, name string) []byte {
	t.Helper()
	f, err := os.Open(filepath.Join(c.folder, name))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	data, err := io.ReadAll(z)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// Replacement gives the tree of the case as what is to replace the directory Content, with dates in UTC.
func (c *Case) Replacement(t testing.TB) iso9660.Replacement {
	t.Helper()
	r := iso9660.Replacement{Name: "Content", Location: time.UTC, KeepLength: c.Kind == "cdi"}
	archive := tar.NewReader(bytes.NewReader(c.unzip(t, c.Tree)))
	for {
		h, err := archive.Next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		content, err := io.ReadAll(archive)
		if err != nil {
			t.Fatal(err)
		}
		path := strings.Trim(strings.TrimPrefix(h.Name, "./"), "/")
		if path == "" || path == "." {
			r.ModTime = h.ModTime
			continue
		}
		r.Sources = append(r.Sources, Source(path, content, h.ModTime, h.Typeflag == tar.TypeDir))
	}
	for _, f := range c.ExtraFiles {
		r.Sources = append(r.Sources, Source(f.Path, make([]byte, f.Size), time.Unix(1500000000, 0), false))
	}
	return r
}

// Source gives a file or a directory that is in memory.
func Source(path string, content []byte, modified time.Time, dir bool) iso9660.Source {
	s := iso9660.Source{Path: path, Dir: dir, ModTime: modified}
	if !dir {
		s.Size = int64(len(content))
		s.Open = func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(content)), nil }
	}
	return s
}

// SHA256 gives the hash of b in hexadecimal digits.
func SHA256(b []byte) string {
	sum := sha256.Sum256(b)
	return hex.EncodeToString(sum[:])
}
