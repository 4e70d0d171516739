package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// The content of a real project, item by item in pack order, and everything else of it as left out or loose.
func TestContentEqualsTheManifestOfLanternGrove(t *testing.T) {
	shared := filepath.Join("..", "..", "shared")
	text, err := os.ReadFile(filepath.Join(shared, "golden", "talesmith", "lantern_grove", "manifest.json"))
	if err != nil {
		t.Skip("the shared test material is not here")
	}
	type item struct{ Path, Kind, Reason, Via string }
	var want struct{ Items []item }
	if err := json.Unmarshal(text, &want); err != nil {
		t.Fatal(err)
	}
	var out, errOut bytes.Buffer
	project := filepath.Join(shared, "samples", "LanternGrove")
	if code := Run(context.Background(), []string{"content", project, "--json"}, Streams{Out: &out, Err: &errOut}); code != Done {
		t.Fatalf("exit code %d: %s", code, &errOut)
	}
	var got struct {
		Items []struct {
			item
			Size int64
		}
		Left  []struct{ Path, Why string }
		Loose []string
	}
	if err := json.Unmarshal(out.Bytes(), &got); err != nil {
		t.Fatal(err)
	}
	var items []item
	for _, i := range got.Items {
		info, err := os.Stat(filepath.Join(project, "assets", filepath.FromSlash(i.Path)))
		if err != nil {
			t.Fatal(err)
		}
		if info.Size() != i.Size {
			t.Errorf("%s: size %d, the file has %d", i.Path, i.Size, info.Size())
		}
		items = append(items, i.item)
	}
	if diff := cmp.Diff(want.Items, items); diff != "" {
		t.Error(diff)
	}
	t.Logf("%d items as in the manifest, %d left out, %d loose", len(items), len(got.Left), len(got.Loose))
	if len(got.Left) == 0 || len(got.Loose) != 2 {
		t.Errorf("left out %v, loose %v; expected the scripts to be left out and two configuration files to be loose", got.Left, got.Loose)
	}
}
