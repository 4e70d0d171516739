package tspack

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"talebinder/formats"
)

// golden reads a file of the golden vectors, which stand beside the project; without them the test is skipped.
func golden(t *testing.T, name string) []byte {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("../../../shared/golden/talesmith", name))
	if errors.Is(err, fs.ErrNotExist) {
		t.Skip("the golden files are not here")
	}
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func open(t testing.TB, data []byte) *Reader {
	t.Helper()
	r, err := NewReader(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func TestGoldenPack(t *testing.T) {
	var want struct {
		File    string
		Version int32
		Entries []struct {
			Path                         string
			Offset, StoredLength, Length int64
			Compression                  Compression
			SHA256                       string
		}
		Lookups []struct {
			Path  string
			Entry *string
			Error bool
		}
	}
	if err := json.Unmarshal(golden(t, "packs/content.json"), &want); err != nil {
		t.Fatal(err)
	}
	r := open(t, golden(t, want.File))
	if r.Version() != want.Version {
		t.Errorf("version %d, want %d", r.Version(), want.Version)
	}
	var entries []Entry
	for _, e := range want.Entries {
		entries = append(entries, Entry{e.Path, e.Offset, e.StoredLength, e.Length, e.Compression})
		content, err := r.ReadFile(e.Path)
		if err != nil {
			t.Error(err)
		}
		if sum := sha256.Sum256(content); hex.EncodeToString(sum[:]) != e.SHA256 {
			t.Errorf("%s: %d bytes with another SHA-256", e.Path, len(content))
		}
	}
	if d := cmp.Diff(entries, r.Entries()); d != "" {
		t.Errorf("entries (-want +got):\n%s", d)
	}
	for _, l := range want.Lookups {
		e, found, err := r.Find(l.Path)
		switch {
		case (err != nil) != l.Error:
			t.Errorf("Find(%q): error %v", l.Path, err)
		case found != (l.Entry != nil) || found && e.Path != *l.Entry:
			t.Errorf("Find(%q) = %q, %v", l.Path, e.Path, found)
		}
	}
	if errs := r.Verify(t.Context(), nil); errs != nil {
		t.Error(errs)
	}
	t.Logf("%d entries, %d look-ups", len(want.Entries), len(want.Lookups))
	if len(want.Entries) == 0 || len(want.Lookups) == 0 {
		t.Error("nothing to compare with")
	}
}

func TestGoldenDamagedPacks(t *testing.T) {
	var want struct {
		Cases []struct{ Name, File, Outcome, Error, When string }
	}
	if err := json.Unmarshal(golden(t, "packs/damaged.json"), &want); err != nil {
		t.Fatal(err)
	}
	for _, c := range want.Cases {
		t.Run(c.Name, func(t *testing.T) {
			data := golden(t, c.File)
			when, err := "open", error(nil)
			r, err := NewReader(bytes.NewReader(data), int64(len(data)))
			if err == nil {
				when = "read"
				err = errors.Join(r.Verify(context.Background(), nil)...)
			}
			if c.Outcome == "ok" {
				if err != nil {
					t.Error(err)
				}
				return
			}
			kind := formats.ErrDamaged
			if c.Error == "newer-version" {
				kind = formats.ErrUnsupported
			}
			var fault *formats.Fault
			if !errors.Is(err, kind) || !errors.As(err, &fault) || when != c.When {
				t.Fatalf("%v at %s, want an error of kind %v at %s", err, when, kind, c.When)
			}
			t.Log(err)
		})
	}
	t.Logf("%d cases", len(want.Cases))
	if len(want.Cases) == 0 {
		t.Error("no cases")
	}
}

func TestGoldenUnusualContents(t *testing.T) {
	for _, c := range []struct{ file, path, want string }{
		{"path-case-twice", "a.txt", "world"},
		{"path-case-twice", "A.TXT", "world"},
	} {
		r := open(t, golden(t, "packs/damaged/"+c.file+".tspack"))
		if got, err := r.ReadFile(c.path); err != nil || string(got) != c.want {
			t.Errorf("%s: %s holds %q, %v, want %q", c.file, c.path, got, err, c.want)
		}
	}
	r := open(t, golden(t, "packs/damaged/none-length-differs.tspack"))
	for _, e := range r.Entries() {
		if got, err := r.ReadFile(e.Path); err != nil || int64(len(got)) != e.StoredLength || e.Length == e.StoredLength {
			t.Errorf("%+v: read %d bytes, %v", e, len(got), err)
		}
	}
	r = open(t, golden(t, "packs/damaged/path-bad-utf8.tspack"))
	if got := r.Entries()[0].Path; !bytes.ContainsRune([]byte(got), '\uFFFD') {
		t.Errorf("path %q", got)
	}
}
