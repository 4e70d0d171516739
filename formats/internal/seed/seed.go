// Package seed keeps the committed inputs of fuzz targets in step with the tests that describe how each is made.
package seed

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"testing"
)

var update = flag.Bool("update-seeds", false, "write the inputs of fuzz targets anew")

// Check compares the files in testdata/fuzz/target with the seeds, by name. With -update-seeds it writes them.
func Check(t *testing.T, target string, seeds map[string][]byte) {
	t.Helper()
	folder := filepath.Join("testdata", "fuzz", target)
	if *update {
		if err := os.MkdirAll(folder, 0o777); err != nil {
			t.Fatal(err)
		}
	}
	for name, data := range seeds {
		path := filepath.Join(folder, name)
		want := fmt.Sprintf("go test fuzz v1\n[]byte(%q)\n", data)
		if *update {
			if err := os.WriteFile(path, []byte(want), 0o666); err != nil {
				t.Fatal(err)
			}
			continue
		}
		got, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if string(got) != want {
			t.Errorf("%s is not what its description makes: run this test with -update-seeds", path)
		}
	}
	if entries, err := os.ReadDir(folder); err == nil {
		for _, entry := range entries {
			if _, ok := seeds[entry.Name()]; !ok {
				t.Errorf("%s has no description in the test", filepath.Join(folder, entry.Name()))
			}
		}
	}
}
