package jsondoc

import (
	"encoding/json"
	"errors"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

const goldenDir = "../../../shared/golden/talesmith"

// golden reads the cases of a listing; the test is skipped where the golden files are missing.
func golden[T any](t *testing.T, name string) []T {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(goldenDir, name))
	if errors.Is(err, os.ErrNotExist) {
		t.Skip("the golden files are not here")
	}
	if err != nil {
		t.Fatal(err)
	}
	var listing struct{ Cases []T }
	if err := json.Unmarshal(data, &listing); err != nil {
		t.Fatal(err)
	}
	if len(listing.Cases) == 0 {
		t.Fatal("no cases")
	}
	t.Logf("%d cases", len(listing.Cases))
	return listing.Cases
}

func TestGoldenStrings(t *testing.T) {
	for _, c := range golden[struct{ Value, Strict, Relaxed string }](t, "strings.json") {
		for escaping, want := range map[Escaping]string{Strict: c.Strict, Relaxed: c.Relaxed} {
			got := string(AppendString(nil, c.Value, escaping))
			if got != want {
				t.Errorf("%q in form %d: got %s, want %s", c.Value, escaping, got, want)
			}
			for _, text := range []string{c.Strict, c.Relaxed} {
				doc := parse(t, text)
				if back, err := doc.Root().Text(); back != c.Value || err != nil {
					t.Errorf("%s reads as %q, %v", text, back, err)
				}
				if again := Compact(doc.Root(), escaping); again != want {
					t.Errorf("%s escaped anew: got %s, want %s", text, again, want)
				}
			}
		}
	}
}

func TestGoldenNumbers(t *testing.T) {
	type number struct{ Bits, Text string }
	for _, c := range golden[number](t, "number_single.json") {
		bits, err := strconv.ParseUint(c.Bits, 16, 32)
		if err != nil {
			t.Fatal(err)
		}
		f := math.Float32frombits(uint32(bits))
		if got := string(AppendFloat32(nil, f)); got != c.Text {
			t.Errorf("%s: got %s, want %s", c.Bits, got, c.Text)
		}
		if back, err := parse(t, c.Text).Root().Float32(); math.Float32bits(back) != uint32(bits) || err != nil {
			t.Errorf("%s reads as %v, %v", c.Text, back, err)
		}
	}
	for _, c := range golden[number](t, "number_double.json") {
		bits, err := strconv.ParseUint(c.Bits, 16, 64)
		if err != nil {
			t.Fatal(err)
		}
		if got := string(AppendFloat64(nil, math.Float64frombits(bits))); got != c.Text {
			t.Errorf("%s: got %s, want %s", c.Bits, got, c.Text)
		}
		if back, err := parse(t, c.Text).Root().Float64(); math.Float64bits(back) != bits || err != nil {
			t.Errorf("%s reads as %v, %v", c.Text, back, err)
		}
	}
}

func TestGoldenLists(t *testing.T) {
	for _, c := range golden[struct{ JSON, ComponentData, UnknownField string }](t, "lists.json") {
		root := parse(t, c.JSON).Root()
		data, field := NewWriter(Relaxed), NewWriter(Relaxed)
		data.Data(root)
		field.Value(root)
		if got := string(data.Bytes()); got != c.ComponentData {
			t.Errorf("%s as component data: got %s, want %s", c.JSON, got, c.ComponentData)
		}
		if got := string(field.Bytes()); got != c.UnknownField {
			t.Errorf("%s as an unknown field: got %s, want %s", c.JSON, got, c.UnknownField)
		}
	}
}

func TestGoldenPaths(t *testing.T) {
	cases := golden[struct {
		Path              string
		Before, Set, Data json.RawMessage
		Valid             bool
	}](t, "json_paths.json")
	listing, err := os.ReadFile(filepath.Join(goldenDir, "json_paths.json"))
	if err != nil {
		t.Fatal(err)
	}
	start := parse(t, string(listing)).Root().Get("start")
	for _, text := range []string{string(start.Raw()), Compact(start, Relaxed), strings.ReplaceAll(string(start.Raw()), "\n", "\r\n")} {
		root := parse(t, text).Root()
		for _, c := range cases {
			before := root.Path(c.Path)
			want := parse(t, string(c.Before)).Root()
			if before.Exists() && Compact(before, Relaxed) != Compact(want, Relaxed) || !before.Exists() && want.Kind() != Null {
				t.Errorf("%s: got %s, want %s", c.Path, before.Raw(), c.Before)
			}
			edit, err := root.SetPath(c.Path, c.Set)
			if (err == nil) != c.Valid {
				t.Errorf("%s: got %v, want valid %v", c.Path, err, c.Valid)
			}
			var fault *PathError
			if err != nil && !errors.As(err, &fault) {
				t.Errorf("%s: got %v, want a PathError", c.Path, err)
			}
			after, err := root.doc.Apply(edit)
			if err != nil {
				t.Errorf("%s: %v", c.Path, err)
				continue
			}
			got, data := NewWriter(Relaxed), NewWriter(Relaxed)
			got.Data(after.Root())
			data.Data(parse(t, string(c.Data)).Root())
			if string(got.Bytes()) != string(data.Bytes()) {
				t.Errorf("%s: got %s, want %s", c.Path, got.Bytes(), data.Bytes())
			}
		}
	}
}

// The scenes and prefabs of the golden documents, good and bad: what is JSON must parse and survive, the rest must not.
func TestGoldenDocuments(t *testing.T) {
	files, err := filepath.Glob(filepath.Join(goldenDir, "documents", "*"))
	if err != nil {
		t.Fatal(err)
	}
	if len(files) == 0 {
		t.Skip("the golden files are not here")
	}
	bad := map[string]bool{"deep-bad": true, "truncated": true, "empty-file": true, "leading-zero": true}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		name, form, _ := strings.Cut(filepath.Base(file), ".")
		doc, err := Parse(text)
		if bad[name] != (err != nil) {
			t.Errorf("%s: %v", file, err)
		}
		if err != nil {
			continue
		}
		if string(doc.Text()) != string(text) {
			t.Errorf("%s: the text has changed", file)
		}
		if strings.HasPrefix(form, "out") {
			// What the engine wrote is a fixed point of the layout, but for the lists that it keeps short.
			w := NewWriter(Relaxed)
			w.Data(doc.Root())
			if flat(string(w.Bytes())) != flat(string(text)) {
				t.Errorf("%s: written again it differs", file)
			}
		}
	}
	t.Logf("%d files", len(files))
}

// The .meta files of the sample project were written by the engine, so writing them again must not change a byte.
func TestSampleMetasAreAFixedPoint(t *testing.T) {
	count := 0
	err := filepath.WalkDir("../../../shared/samples/LanternGrove", func(path string, entry fs.DirEntry, err error) error {
		if err != nil || filepath.Ext(path) != ".meta" {
			return err
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		w := NewWriter(Strict)
		w.Value(parse(t, string(text)).Root())
		if string(w.Bytes()) != string(text) {
			t.Errorf("%s becomes\n%s", path, w.Bytes())
		}
		count++
		return nil
	})
	if errors.Is(err, fs.ErrNotExist) {
		t.Skip("the sample project is not here")
	}
	if err != nil || count == 0 {
		t.Fatal(count, err)
	}
	t.Logf("%d files", count)
}

// flat takes white space out of a text, so that only order, numbers and escapes count.
func flat(text string) string { return strings.Join(strings.Fields(text), "") }
