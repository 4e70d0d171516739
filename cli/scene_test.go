package cli

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"talebinder/formats/jsondoc"
)

// What `scene expand` prints for a real scene is the expected expansion, which lists its references besides.
func TestExpandEqualsTheGoldenExpansion(t *testing.T) {
	shared := filepath.Join("..", "..", "shared")
	text, err := os.ReadFile(filepath.Join(shared, "golden", "talesmith", "lantern_grove", "grove.expanded.json"))
	if err != nil {
		t.Skip("the shared test material is not here")
	}
	want, err := jsondoc.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	if want, err = want.Apply(want.Root().RemoveMember("references")); err != nil {
		t.Fatal(err)
	}
	var out, errOut bytes.Buffer
	project := filepath.Join(shared, "samples", "LanternGrove")
	if code := Run(context.Background(), []string{"scene", "expand", project, "scenes/grove.tscene", "--json"}, Streams{Out: &out, Err: &errOut}); code != Done || errOut.Len() > 0 {
		t.Fatalf("exit code %d: %s", code, &errOut)
	}
	got, err := jsondoc.Parse(out.Bytes())
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(jsondoc.Compact(want.Root(), jsondoc.Relaxed), jsondoc.Compact(got.Root(), jsondoc.Relaxed)); diff != "" {
		t.Error(diff)
	}
}
