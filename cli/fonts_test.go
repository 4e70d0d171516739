package cli

import (
	"bytes"
	"compress/flate"
	"context"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"image/png"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"talebinder/formats/jazz2/picture"
)

// fontCase is a case of the shared material on fonts: files, commands, and what has to come of them.
type fontCase struct {
	ID          string
	Inputs      []string
	Steps       []fontStep
	Recommended []fontStep // wins over Steps
}

type fontStep struct {
	Argv       []string
	Exit       int
	Stdout     *string // the game's own tool; its words differ, its numbers do not
	Conditions [][]any // a code, and what the message has to name
	Outputs    map[string]string
}

// TestFontCases runs every command of the shared material on fonts.
func TestFontCases(t *testing.T) {
	root, err := filepath.Abs(filepath.Join("..", "..", "shared", "golden", "fonts"))
	if err != nil {
		t.Fatal(err)
	}
	files, err := filepath.Glob(filepath.Join(root, "*", "*", "case.json"))
	if err != nil || len(files) == 0 {
		t.Skip("the shared test material is missing")
	}
	var steps, conditions, outputs int
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		var c fontCase
		if err := json.Unmarshal(text, &c); err != nil {
			t.Fatal(err)
		}
		t.Run(c.ID, func(t *testing.T) {
			golden := filepath.Dir(file)
			dir := t.TempDir()
			t.Chdir(dir)
			for _, input := range c.Inputs {
				copyFile(t, filepath.Join(golden, input), input)
			}
			list := c.Steps
			if c.Recommended != nil {
				list = c.Recommended
			}
			for _, step := range list {
				step.run(t, golden)
				steps++
				conditions += len(step.Conditions)
				outputs += len(step.Outputs)
			}
			checkNoTemporaries(t, dir)
		})
	}
	t.Logf("%d cases, %d commands, %d conditions, %d outputs", len(files), steps, conditions, outputs)
}

func copyFile(t *testing.T, from, to string) {
	t.Helper()
	data, err := os.ReadFile(from)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(to, data, 0o666); err != nil {
		t.Fatal(err)
	}
}

func checkNoTemporaries(t *testing.T, dir string) {
	t.Helper()
	err := filepath.WalkDir(dir, func(path string, _ fs.DirEntry, err error) error {
		if strings.HasSuffix(path, ".tmp") {
			t.Errorf("%s is left over", path)
		}
		return err
	})
	if err != nil {
		t.Error(err)
	}
}

func (s *fontStep) run(t *testing.T, golden string) {
	t.Helper()
	what := strings.Join(s.Argv, " ")
	var out, errOut bytes.Buffer
	if exit := Run(context.Background(), s.Argv, Streams{Out: &out, Err: &errOut}); exit != s.Exit {
		t.Errorf("%s: exit code %d, want %d\n%s%s", what, exit, s.Exit, out.String(), errOut.String())
	}
	var told []string // warnings and errors
	var progress []string
	for line := range strings.Lines(out.String()) {
		if line = strings.TrimSuffix(line, "\n"); strings.HasPrefix(line, "Warning: ") {
			told = append(told, line)
		} else {
			progress = append(progress, line)
		}
	}
	for line := range strings.Lines(errOut.String()) {
		if !strings.HasPrefix(line, "Error: ") {
			t.Errorf("%s: on standard error: %s", what, line)
		}
		told = append(told, strings.TrimSuffix(line, "\n"))
	}
	usage := false
	for _, condition := range s.Conditions {
		code := condition[0].(string)
		if code == "E-USAGE" {
			usage = true
			continue
		}
		if len(told) == 0 {
			t.Errorf("%s: %v is not told", what, condition)
			continue
		}
		kind := map[byte]string{'W': "Warning: ", 'E': "Error: "}[code[0]]
		if !strings.HasPrefix(told[0], kind) {
			t.Errorf("%s: %q, want one that begins with %q for %v", what, told[0], kind, condition)
		}
		for _, datum := range condition[1:] {
			if !names(told[0], fmt.Sprint(datum)) {
				t.Errorf("%s: %q does not name %v of %v", what, told[0], datum, condition)
			}
		}
		told = told[1:]
	}
	if len(told) > 0 {
		t.Errorf("%s: more than expected: %q", what, told)
	}
	if usage != (len(progress) > 0 && strings.HasPrefix(progress[0], "Usage: talebinder "+s.Argv[0])) {
		t.Errorf("%s: usage is %v, the output is %q", what, usage, progress)
	}
	if !usage {
		s.checkProgress(t, what, progress)
	}
	for name, comparison := range s.Outputs {
		compareOutput(t, what, comparison, name, filepath.Join(golden, name))
	}
}

// names says whether a message has a word or number in it, not as a part of another one. Sizes are written as 4x4.
func names(message, datum string) bool {
	return regexp.MustCompile(`(^|[^0-9A-Za-wyz])` + regexp.QuoteMeta(datum) + `($|[^0-9A-Za-wyz])`).MatchString(message)
}

var numbers = regexp.MustCompile(`\d+`)

// checkProgress compares the numbers of the lines between those that warn. The size of a file depends on the compressor: it is
// compared with the file.
func (s *fontStep) checkProgress(t *testing.T, what string, lines []string) {
	t.Helper()
	if s.Exit == 0 && (len(lines) == 0 || lines[len(lines)-1] != "Done") {
		t.Errorf("%s: the last line is not Done: %q", what, lines)
	}
	if s.Stdout == nil {
		return
	}
	var want []string
	for line := range strings.Lines(*s.Stdout) {
		if !strings.HasPrefix(line, "Warning: ") {
			want = append(want, strings.TrimSuffix(line, "\n"))
		}
	}
	if len(want) != len(lines) {
		t.Errorf("%s: the lines %q, want as many as %q", what, lines, want)
		return
	}
	for i := range want {
		wanted, got := numbers.FindAllString(want[i], -1), numbers.FindAllString(lines[i], -1)
		if s.Argv[0] == "pack-font" && len(wanted) == 7 {
			info, err := os.Stat(s.Argv[2])
			if err != nil {
				t.Error(err)
				return
			}
			wanted[6] = fmt.Sprint(info.Size())
		}
		if !slices.Equal(got, wanted) {
			t.Errorf("%s: the line %q, want the numbers of %q", what, lines[i], want[i])
		}
	}
	if s.Argv[0] == "pack-font" && len(lines) > 1 {
		list := regexp.MustCompile(`"([^"]*)"`).FindStringSubmatch(want[0])[1]
		if !strings.Contains(lines[0], list) {
			t.Errorf("%s: the line %q does not name the list %s", what, lines[0], list)
		}
	}
}

func compareOutput(t *testing.T, what, comparison, made, golden string) {
	t.Helper()
	got, err := os.ReadFile(made)
	if comparison == "absent" {
		if !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("%s: %s is there (%v)", what, made, err)
		}
		return
	}
	if err != nil {
		t.Errorf("%s: %v", what, err)
		return
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	switch comparison {
	case "bytes":
		if !bytes.Equal(got, want) {
			t.Errorf("%s: %s differs:\n%q\nwant\n%q", what, made, got, want)
		}
	case "font-payload":
		if !bytes.Equal(got[:11], want[:11]) || int(binary.LittleEndian.Uint32(got[11:])) != len(got)-15 {
			t.Errorf("%s: the head of %s is % x, want that of % x", what, made, got[:15], want[:15])
		}
		if !bytes.Equal(inflated(t, got[15:]), inflated(t, want[15:])) {
			t.Errorf("%s: the block of %s differs:\n% x, want\n% x", what, made, inflated(t, got[15:]), inflated(t, want[15:]))
		}
	case "png-pixels":
		// The standard library reads what was written, so that it is a PNG for others too.
		if _, err := png.Decode(bytes.NewReader(got)); err != nil {
			t.Errorf("%s: %s: %v", what, made, err)
		}
		m, err := picture.Read(got)
		if err != nil {
			t.Errorf("%s: %s: %v", what, made, err)
			return
		}
		wanted, err := picture.Read(want)
		if err != nil {
			t.Fatal(err)
		}
		if m.Rect != wanted.Rect || !bytes.Equal(m.Pix, wanted.Pix) {
			t.Errorf("%s: the pixels of %s differ", what, made)
		}
	default:
		t.Errorf("%s: there is no comparison %q", what, comparison)
	}
}

func inflated(t *testing.T, block []byte) []byte {
	t.Helper()
	data, err := io.ReadAll(flate.NewReader(bytes.NewReader(block)))
	if err != nil {
		t.Error(err)
	}
	return data
}
