package cli

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"talebinder/examples"
)

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){
		"talebinder": func() {
			os.Exit(Run(context.Background(), os.Args[1:], Streams{Out: os.Stdout, Err: os.Stderr}))
		},
	})
}

// The scripts are terminal sessions: what is typed, and what has to be printed. `sample DIR` puts the sample game into DIR,
// `shared DIR PATH` copies what lies at PATH of the shared test material into DIR; scripts that need it begin with
// `[!shared] skip`. `unpack GOLDEN CASE DIR` puts the image of a golden disc case into DIR as in.<kind>, and its content folder
// as tree.
func TestScripts(t *testing.T) {
	shared, err := filepath.Abs(filepath.Join("..", "..", "shared"))
	if err != nil {
		t.Fatal(err)
	}
	testscript.Run(t, testscript.Params{
		Dir: filepath.Join("testdata", "script"),
		Setup: func(env *testscript.Env) error {
			env.Setenv("XDG_DATA_HOME", filepath.Join(env.WorkDir, ".data"))
			env.Setenv("XDG_CACHE_HOME", filepath.Join(env.WorkDir, ".cache"))
			env.Setenv("XDG_CONFIG_HOME", filepath.Join(env.WorkDir, ".config"))
			env.Setenv("TALEBINDER_CACHE", filepath.Join(env.WorkDir, ".cache", "talebinder"))
			env.Setenv("TALESMITH_CACHE", filepath.Join(env.WorkDir, ".cache", "talesmith"))
			return nil
		},
		Condition: func(name string) (bool, error) {
			if name != "shared" {
				return false, fmt.Errorf("unknown condition %q", name)
			}
			_, err := os.Stat(shared)
			return err == nil, nil
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"sample": func(ts *testscript.TestScript, _ bool, args []string) {
				ts.Check(os.CopyFS(ts.MkAbs(args[0]), examples.Files()))
			},
			"shared": func(ts *testscript.TestScript, _ bool, args []string) {
				from := filepath.Join(shared, filepath.FromSlash(args[1]))
				ts.Check(os.CopyFS(ts.MkAbs(args[0]), os.DirFS(from)))
			},
			"unpack": func(ts *testscript.TestScript, _ bool, args []string) {
				ts.Check(unpackDisc(ts.MkAbs(args[0]), args[1], ts.MkAbs(args[2])))
			},
		},
	})
}

// unpackDisc unpacks the image and the content folder of a golden disc case.
func unpackDisc(golden, id, folder string) error {
	text, err := os.ReadFile(filepath.Join(golden, "cases.json"))
	if err != nil {
		return err
	}
	var listing struct {
		Cases []struct{ ID, Kind, Source, Tree string }
	}
	if err := json.Unmarshal(text, &listing); err != nil {
		return err
	}
	unzip := func(name string) ([]byte, error) {
		packed, err := os.ReadFile(filepath.Join(golden, filepath.FromSlash(name)))
		if err != nil {
			return nil, err
		}
		zr, err := gzip.NewReader(bytes.NewReader(packed))
		if err != nil {
			return nil, err
		}
		return io.ReadAll(zr)
	}
	for _, c := range listing.Cases {
		if c.ID != id {
			continue
		}
		image, err := unzip(c.Source)
		if err != nil {
			return err
		}
		archive, err := unzip(c.Tree)
		if err != nil {
			return err
		}
		if err := os.MkdirAll(filepath.Join(folder, "tree"), 0o777); err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(folder, "in."+c.Kind), image, 0o666); err != nil {
			return err
		}
		for tr := tar.NewReader(bytes.NewReader(archive)); ; {
			h, err := tr.Next()
			if errors.Is(err, io.EOF) {
				return nil
			}
			if err != nil {
				return err
			}
			path := filepath.Join(folder, "tree", filepath.FromSlash(h.Name))
			if h.Typeflag == tar.TypeDir {
				if err := os.MkdirAll(path, 0o777); err != nil {
					return err
				}
				continue
			}
			content, err := io.ReadAll(tr)
			if err == nil {
				err = os.MkdirAll(filepath.Dir(path), 0o777)
			}
			if err == nil {
				err = os.WriteFile(path, content, 0o666)
			}
			if err != nil {
				return err
			}
		}
	}
	return fmt.Errorf("no golden case %s", id)
}
