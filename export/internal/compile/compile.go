// Package compile turns the C# scripts of a game into the assembly that ships, with the engine's own command or with the .NET
// SDK. Nothing is written below the project: sources are read, and the result is kept in this program's cache under a key made
// of everything that it depends on, so that the same scripts are compiled once.
package compile

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"hash"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"talebinder/export/internal/filelock"
	"talebinder/formats/clr"
)

// The names of what is made.
const (
	assemblyName = "Game.Scripts"
	assemblyFile = assemblyName + ".dll"
	symbolsFile  = assemblyName + ".pdb"
)

// A File that goes into a compilation.
type File struct {
	Path    string // relative to the asset root, with forward slashes
	Source  string // where it is read from
	Changed time.Time
}

// A Request says what to compile.
type Request struct {
	AssetRoot     string
	Sources       []File // C#, in the order in which they are compiled
	PluginsFolder string // relative to the asset root; "" when there is none
	Plugins       []File // the assemblies of the plugins that ship, which scripts may use
	Debug         bool   // for development: not optimized, DEBUG defined
	Cache         string // this program's cache folder
}

// A Diagnostic is an error or a warning about the scripts.
type Diagnostic struct {
	File    string `json:"file,omitempty"` // relative to the asset root for a script, else as the compiler names it; "" when it is about no file
	Line    int    `json:"line,omitempty"`
	Column  int    `json:"column,omitempty"`
	Warning bool   `json:"warning,omitempty"` // else it is an error
	Text    string `json:"text"`              // with its code, such as "CS0246: ..."
}

// A Result is a compiled assembly.
type Result struct {
	Assembly    string       // the file
	Symbols     string       // the file, or "" when there is none
	Diagnostics []Diagnostic // warnings
	Cached      bool         // nothing had to be compiled
}

// A FailedError says that the scripts do not compile.
type FailedError struct{ Diagnostics []Diagnostic }

// Error counts the errors.
func (e *FailedError) Error() string {
	n := 0
	for _, d := range e.Diagnostics {
		if !d.Warning {
			n++
		}
	}
	if n == 1 {
		return "the scripts do not compile: 1 error"
	}
	return fmt.Sprintf("the scripts do not compile: %d errors", n)
}

// A Compiler compiles scripts.
type Compiler interface {
	// Name says what compiles, for people.
	Name() string
	// identify writes what the result depends on besides the request.
	identify(w io.Writer) error
	// compile leaves the assembly and its symbols in the folder work, or gives the diagnostics of a failure as *FailedError.
	compile(ctx context.Context, r *Request, work string, line func(string)) ([]Diagnostic, error)
}

// kept is how many compiled assemblies stay in the cache.
const kept = 24

// completeFile marks a finished folder of the cache, and holds its diagnostics.
const completeFile = ".complete"

// Run compiles the scripts, unless that has been done. Lines that the compiler prints go to line. An error that wraps a
// *FailedError is about the scripts; others are about the compiler or the system, or are that of ctx.
func Run(ctx context.Context, c Compiler, r *Request, line func(string)) (*Result, error) {
	key, err := r.key(c)
	if err != nil {
		return nil, err
	}
	root := filepath.Join(r.Cache, "scripts")
	if err := os.MkdirAll(root, 0o777); err != nil {
		return nil, err
	}
	lock, err := filelock.Wait(ctx, filepath.Join(root, "."+key+".lock"), func() { line("Waiting for another export that compiles the same scripts") })
	if err != nil {
		return nil, err
	}
	defer lock.Release()
	folder := filepath.Join(root, key)
	if result, ok := readResult(folder); ok {
		result.Cached = true
		now := time.Now()
		_ = os.Chtimes(filepath.Join(folder, completeFile), now, now)
		return result, nil
	}
	work := filepath.Join(root, "."+key+".work")
	if err := os.RemoveAll(work); err != nil {
		return nil, err
	}
	defer os.RemoveAll(work)
	if err := os.MkdirAll(work, 0o777); err != nil {
		return nil, err
	}
	diagnostics, err := c.compile(ctx, r, work, line)
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	if err != nil {
		return nil, err
	}
	if err := r.store(work, folder, diagnostics); err != nil {
		return nil, err
	}
	prune(root, key)
	result, ok := readResult(folder)
	if !ok {
		return nil, fmt.Errorf("%s: what was compiled has gone", folder)
	}
	return result, nil
}

// key names the result: it changes whenever the result could.
func (r *Request) key(c Compiler) (string, error) {
	sum := sha256.New()
	fmt.Fprintf(sum, "1 %s %t %q\n", c.Name(), r.Debug, r.AssetRoot)
	if err := c.identify(sum); err != nil {
		return "", err
	}
	for _, files := range [][]File{r.Sources, r.Plugins} {
		fmt.Fprintf(sum, "%d\n", len(files))
		for _, file := range files {
			if err := addFile(sum, file); err != nil {
				return "", err
			}
		}
	}
	return hex.EncodeToString(sum.Sum(nil))[:24], nil
}

func addFile(sum hash.Hash, file File) error {
	in, err := os.Open(file.Source)
	if err != nil {
		return err
	}
	defer in.Close()
	content := sha256.New()
	if _, err := io.Copy(content, in); err != nil {
		return err
	}
	fmt.Fprintf(sum, "%q %x\n", file.Path, content.Sum(nil))
	return nil
}

// store checks what was compiled and puts it into its folder of the cache.
func (r *Request) store(work, folder string, diagnostics []Diagnostic) error {
	assembly := filepath.Join(work, assemblyFile)
	if err := checkAssembly(assembly); err != nil {
		return err
	}
	staging := filepath.Join(work, "done")
	if err := os.MkdirAll(staging, 0o777); err != nil {
		return err
	}
	// The same scripts give a file of the same time, so that builds can be reproduced.
	var newest time.Time
	for _, source := range r.Sources {
		if source.Changed.After(newest) {
			newest = source.Changed
		}
	}
	for _, name := range []string{assemblyFile, symbolsFile} {
		from, to := filepath.Join(work, name), filepath.Join(staging, name)
		err := os.Rename(from, to)
		if errors.Is(err, os.ErrNotExist) && name == symbolsFile {
			continue
		}
		if err == nil {
			err = os.Chtimes(to, newest, newest)
		}
		if err != nil {
			return err
		}
	}
	text, err := json.Marshal(diagnostics)
	if err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(staging, completeFile), text, 0o666); err != nil {
		return err
	}
	if err := os.RemoveAll(folder); err != nil { // one without its mark
		return err
	}
	return os.Rename(staging, folder)
}

// checkAssembly makes sure that a file is a .NET assembly that can be read to its strings.
func checkAssembly(path string) error {
	file, err := os.Open(path)
	if errors.Is(err, os.ErrNotExist) {
		return fmt.Errorf("the compiler ended well and left no %s", filepath.Base(path))
	}
	if err != nil {
		return err
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil {
		return err
	}
	if _, err := clr.UserStrings(file, info.Size()); err != nil {
		return fmt.Errorf("the compiler left a %s that cannot be read: %w", filepath.Base(path), err)
	}
	return nil
}

// readResult reads a folder of the cache.
func readResult(folder string) (*Result, bool) {
	text, err := os.ReadFile(filepath.Join(folder, completeFile))
	if err != nil {
		return nil, false
	}
	result := &Result{Assembly: filepath.Join(folder, assemblyFile), Symbols: filepath.Join(folder, symbolsFile)}
	if json.Unmarshal(text, &result.Diagnostics) != nil || checkAssembly(result.Assembly) != nil {
		return nil, false
	}
	if _, err := os.Stat(result.Symbols); err != nil {
		result.Symbols = ""
	}
	return result, true
}

// prune removes what was used longest ago, and the work folders of compilations that were killed. Of those that go on the lock
// is held.
func prune(root, current string) {
	entries, err := os.ReadDir(root)
	if err != nil {
		return
	}
	type done struct {
		name string
		used time.Time
	}
	var all []done
	for _, entry := range entries {
		name := entry.Name()
		if key, ok := strings.CutSuffix(name, ".work"); ok && name != "."+current+".work" {
			if lock, err := filelock.Acquire(filepath.Join(root, key+".lock")); err == nil {
				_ = os.RemoveAll(filepath.Join(root, name))
				lock.Release()
			}
			continue
		}
		if info, err := os.Stat(filepath.Join(root, name, completeFile)); err == nil && name != current {
			all = append(all, done{name, info.ModTime()})
		}
	}
	slices.SortFunc(all, func(a, b done) int { return cmp.Or(b.used.Compare(a.used), strings.Compare(a.name, b.name)) })
	for _, old := range all[min(kept-1, len(all)):] {
		_ = os.RemoveAll(filepath.Join(root, old.name))
	}
}
