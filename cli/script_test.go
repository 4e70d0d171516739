package cli

import (
	"context"
	"fmt"
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
// `[!shared] skip`.
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
		},
	})
}
