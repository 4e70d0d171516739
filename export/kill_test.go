//go:build unix

package export

import (
	"archive/tar"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"talebinder/platforms"
	"talebinder/project"
)

// exportInstead names the environment variable that makes the test program export a project over and over, for tests that
// kill it.
const exportInstead = "TALEBINDER_TEST_EXPORT"

// exportForever exports the project PROJECT to OUTPUT with PLAYERS until it is killed. The last line of the arguments says
// whether it may exchange folders in one call.
func exportForever(arguments string) int {
	words := strings.Split(arguments, "\n")
	dir, output, players := words[0], words[1], words[2]
	p, err := project.Open(context.Background(), dir, project.Options{})
	if err == nil {
		var job *Build
		job, err = NewBuild(p, BuildOptions{Output: output, PlayersDir: players, Profile: profile(platforms.Distribution)})
		if err == nil && words[3] == "false" {
			job.exchange = func(string, string) error { return errors.ErrUnsupported }
		}
		for err == nil {
			_, err = job.Run(context.Background(), Discard())
			fmt.Println("exported")
		}
	}
	fmt.Println(err)
	return 1
}

// A killed export leaves the previous build or the new one, complete, each time.
func TestKilledExportsLeaveACompleteBuild(t *testing.T) {
	for _, exchange := range []bool{true, false} {
		t.Run(fmt.Sprintf("exchange %v", exchange), func(t *testing.T) { killExports(t, exchange) })
	}
}

func killExports(t *testing.T, exchange bool) {
	const kills = 20
	// Two versions of the project, in which every file differs, so that a mixture would be seen.
	versions := make([]string, 2)
	players := make([]string, 2)
	want := make([]tree, 2)
	for i := range versions {
		text := fmt.Sprintf("version %d ", i)
		changes := tree{"assets/audio/tide.wav": strings.Repeat(text, 30_000)}
		for n := range 40 {
			changes[fmt.Sprintf("assets/extra/%d.txt", n)] = strings.Repeat(fmt.Sprint(text, n), 2000)
		}
		for path, content := range tidewater() {
			if strings.HasSuffix(path, ".png") {
				changes[path] = content + text
			}
		}
		changes["assets/config/input.json"] = fmt.Sprintf(`{ "version": %d }`, i)
		changes["assets/plugins/rain/data/rain.txt"] = text
		versions[i] = tidewater().with(changes).write(t, t.TempDir())
		players[i] = plantPlayers(t, strings.Repeat(text, 1000))
		output := t.TempDir()
		if _, out, err := build(t, versions[i], BuildOptions{Output: output, PlayersDir: players[i], Profile: profile(platforms.Distribution)}); err != nil {
			t.Fatal(err, out.lines)
		}
		want[i] = readTree(t, filepath.Join(output, "Tide Water-linux-x64"))
	}
	if diff := cmp.Diff(want[0].paths(), want[1].paths()); diff != "" {
		t.Fatal(diff)
	}

	output := t.TempDir()
	whole := 10 * time.Millisecond // how long an export takes, found out below
	found := make(map[string]int)
	for n := range kills + 1 {
		cmd := exec.Command(os.Args[0])
		cmd.Env = append(os.Environ(), exportInstead+"="+strings.Join([]string{versions[n%2], output, players[n%2], fmt.Sprint(exchange)}, "\n"))
		stdout, err := cmd.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		started := time.Now()
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		if n == 0 { // the first one is let through, so that there is a previous build
			line := make([]byte, 100)
			length, err := stdout.Read(line)
			if err != nil || !strings.HasPrefix(string(line), "exported\n") {
				t.Fatalf("the first export: %q, %v", line[:length], err)
			}
			whole = time.Since(started)
		}
		time.Sleep(time.Duration(rand.Float64() * 1.2 * float64(whole)))
		if err := cmd.Process.Signal(syscall.SIGKILL); err != nil {
			t.Fatal(err)
		}
		_ = cmd.Wait()

		if _, err := Recover(output); err != nil {
			t.Fatal(err)
		}
		got := readTree(t, filepath.Join(output, "Tide Water-linux-x64"))
		if archived := readArchive(t, filepath.Join(output, "Tide Water-1.2.0-linux-x64.tar.gz")); !cmp.Equal(archived, want[0]) && !cmp.Equal(archived, want[1]) {
			t.Fatalf("kill %d left an archive of neither build: %v", n, archived.paths())
		}
		switch {
		case cmp.Equal(got, want[n%2]):
			found["the new build"]++
		case cmp.Equal(got, want[(n+1)%2]):
			found["the previous build"]++
		default:
			t.Fatalf("kill %d left neither build complete: %v", n, got.paths())
		}
	}
	t.Logf("%d kills left %v", kills, found)

	// What the killed exports left behind goes with the next one.
	if _, out, err := build(t, versions[0], BuildOptions{Output: output, PlayersDir: players[0], Profile: profile(platforms.Distribution)}); err != nil {
		t.Fatal(err, out.lines)
	}
	entries, err := os.ReadDir(output)
	if err != nil {
		t.Fatal(err)
	}
	for _, entry := range entries {
		if strings.HasPrefix(entry.Name(), ".") {
			t.Errorf("%s is left", entry.Name())
		}
	}
}

// readArchive reads the files of a distribution archive, without the folder at its top.
func readArchive(t *testing.T, path string) tree {
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
	files := make(tree)
	for tr := tar.NewReader(zr); ; {
		header, err := tr.Next()
		if err == io.EOF {
			return files
		}
		if err != nil {
			t.Fatal(err)
		}
		content, err := io.ReadAll(tr)
		if err != nil {
			t.Fatal(err)
		}
		_, name, _ := strings.Cut(header.Name, "/")
		files[name] = string(content)
	}
}
