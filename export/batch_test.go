package export

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"talebinder/platforms"
)

func TestBatches(t *testing.T) {
	dir := tidewater().write(t, t.TempDir())
	p := openProject(t, dir)
	windows, _ := platforms.TargetByID("win-x64")
	linux, _ := platforms.TargetByID("linux-x64")
	for _, c := range []struct {
		name    string
		batch   Batch
		options BuildOptions
		want    []string // target, profile and output of each job
		command string
	}{
		{"nothing chosen is what build.json says", Batch{}, BuildOptions{}, []string{"linux-x64 release builds/Tide Water-linux-x64"}, ""},
		{"targets share the output folder", Batch{Targets: []platforms.Target{windows, linux}}, BuildOptions{Output: "/out"},
			[]string{"win-x64 release /out/Tide Water-win-x64", "linux-x64 release /out/Tide Water-linux-x64"}, "--target win-x64 --target linux-x64 --output /out"},
		{"profiles have one each", Batch{Targets: []platforms.Target{linux}, Profiles: []platforms.Profile{platforms.Release, platforms.Development}}, BuildOptions{},
			[]string{"linux-x64 release builds/release/Tide Water-linux-x64", "linux-x64 development builds/development/Tide Water-linux-x64"},
			"--target linux-x64 --profile release --profile development"},
		{"everything", Batch{Targets: platforms.Targets(), ContentOnly: true}, BuildOptions{Profile: profile(platforms.Distribution), NoCache: true}, []string{
			"win-x64 distribution builds/Tide Water-win-x64", "linux-x64 distribution builds/Tide Water-linux-x64",
			"osx-arm64 distribution builds/Tide Water-osx-arm64", "osx-x64 distribution builds/Tide Water-osx-x64",
		}, "--all --profile distribution --content-only --no-cache"},
	} {
		jobs, err := c.batch.Jobs(p, c.options)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		outputs := map[string]bool{}
		for _, job := range jobs {
			outputs[job.Output()] = true
			output := strings.TrimPrefix(filepath.ToSlash(strings.TrimPrefix(job.Output(), dir)), "/")
			if filepath.IsAbs(c.options.Output) {
				output = filepath.ToSlash(job.Output())
			}
			got = append(got, job.Target()+" "+job.Profile().String()+" "+output)
			if job.ContentOnly() != c.batch.ContentOnly {
				t.Errorf("%s: content only %v", c.name, job.ContentOnly())
			}
		}
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%s: %s", c.name, diff)
		}
		if len(outputs) != len(jobs) {
			t.Errorf("%s: jobs share an output", c.name)
		}
		want := strings.TrimSpace("talebinder export " + dir + " " + c.command)
		if got := strings.Join(c.batch.Command(p, c.options), " "); got != want {
			t.Errorf("%s: %s, want %s", c.name, got, want)
		}
	}
	if _, err := (Batch{Targets: []platforms.Target{{ID: "amiga"}}}).Jobs(p, BuildOptions{}); err == nil {
		t.Error("a target that does not exist")
	}
}
