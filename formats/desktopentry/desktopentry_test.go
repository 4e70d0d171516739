package desktopentry

import (
	"bytes"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"talebinder/formats"
)

// awkward is an entry with everything that has to be escaped.
var awkward = Entry{
	Name: `  Rock & "Roll" \ 100 %; $HOME`,
	Exec: []Argument{
		{Text: "sh"}, {Text: "-c"}, {Text: "cd \"$(dirname \"$1\")\" && exec \"./$2\"; echo `a` \\ 100%"}, {Text: "%k", Code: true},
		{Text: "Rock & \"Roll\" 100 %"}, {Text: ""}, {Text: "tab\tin it"}, {Text: "plain"}, {Text: "%k"},
	},
	Icon: "Rock & \"Roll\"", Comment: "one\ntwo\tthree", Categories: []string{"Game", "with;semicolon"},
}

func TestWrite(t *testing.T) {
	var b bytes.Buffer
	e := Entry{Name: "Hex Quest", Exec: []Argument{{Text: "sh"}, {Text: "%k", Code: true}, {Text: "100% \"Hex\""}}, Icon: "Hex Quest", Categories: []string{"Game"}}
	if err := Write(&b, e); err != nil {
		t.Fatal(err)
	}
	want := "[Desktop Entry]\nType=Application\nName=Hex Quest\nExec=sh %k \"100%% \\\\\"Hex\\\\\"\"\nIcon=Hex Quest\nTerminal=false\nCategories=Game;\n"
	if diff := cmp.Diff(want, b.String()); diff != "" {
		t.Error(diff)
	}
}

func TestRoundTrip(t *testing.T) {
	var b bytes.Buffer
	if err := Write(&b, awkward); err != nil {
		t.Fatal(err)
	}
	got, err := Read(&b)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(awkward, got); diff != "" {
		t.Error(diff)
	}
}

func TestOtherPrograms(t *testing.T) {
	tool, err := exec.LookPath("desktop-file-validate")
	if err != nil {
		t.Skip("desktop-file-validate is not here: ", err)
	}
	file := filepath.Join(t.TempDir(), "test.desktop")
	var b bytes.Buffer
	e := awkward
	e.Categories = []string{"Game"} // the tool knows the words
	if err := Write(&b, e); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, b.Bytes(), 0o666); err != nil {
		t.Fatal(err)
	}
	if out, err := exec.Command(tool, file).CombinedOutput(); err != nil {
		t.Errorf("%v: %s\n%s", err, out, b.Bytes())
	}
}

func TestReadOtherEntries(t *testing.T) {
	e, err := Read(strings.NewReader("# made by hand\r\n\r\n[Desktop Entry]\r\nName = Hex Quest\r\nName[de]=Sechseck\r\nExec=\"/opt/hex quest/hex\" --play %F\r\nTerminal=1\r\n\r\n[Desktop Action New]\r\nName=New\r\nExec=no"))
	if err != nil {
		t.Fatal(err)
	}
	want := Entry{Name: "Hex Quest", Exec: []Argument{{Text: "/opt/hex quest/hex"}, {Text: "--play"}, {Text: "%F", Code: true}}, Terminal: true}
	if diff := cmp.Diff(want, e); diff != "" {
		t.Error(diff)
	}
}

func TestErrors(t *testing.T) {
	for name, c := range map[string]struct {
		text, want string
		kind       error
	}{
		"no group":         {"Name=x\n", "without the group", formats.ErrUnsupported},
		"empty":            {"", "without the group", formats.ErrUnsupported},
		"a link":           {group + "\nType=Link\n", "Link", formats.ErrUnsupported},
		"no key":           {group + "\nnonsense\n", "byte 16", formats.ErrDamaged},
		"an escape":        {group + "\nName=\\x\n", `\\x`, formats.ErrDamaged},
		"half an escape":   {group + "\nName=x\\", "the escape", formats.ErrDamaged},
		"an open quote":    {group + "\nExec=\"sh\n", "closing quote", formats.ErrDamaged},
		"a bad word":       {group + "\nTerminal=yes\n", "true or false", formats.ErrDamaged},
		"two of the group": {group + "\n" + group + "\n", "second group", formats.ErrDamaged},
		"Latin-1":          {group + "\nName=\xe9\n", "UTF-8", formats.ErrDamaged},
	} {
		if _, err := Read(strings.NewReader(c.text)); !errors.Is(err, c.kind) || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v", name, err)
		}
	}
	var limit *formats.LimitError
	if _, err := Read(strings.NewReader(strings.Repeat("#", maxSize+1))); !errors.As(err, &limit) {
		t.Error("a long text: ", err)
	}
	for name, e := range map[string]Entry{
		"no name":     {Exec: []Argument{{Text: "x"}}},
		"no command":  {Name: "x"},
		"a zero":      {Name: "x\x00", Exec: []Argument{{Text: "x"}}},
		"no UTF-8":    {Name: "x\xff", Exec: []Argument{{Text: "x"}}},
		"in the line": {Name: "x", Exec: []Argument{{Text: "x\x1b"}}},
	} {
		var b bytes.Buffer
		if err := Write(&b, e); err == nil || b.Len() > 0 {
			t.Errorf("%s: %v, %d bytes written", name, err, b.Len())
		}
	}
}

func FuzzRead(f *testing.F) {
	var b bytes.Buffer
	if err := Write(&b, awkward); err != nil {
		f.Fatal(err)
	}
	f.Add(b.Bytes())
	f.Add([]byte(group + "\nName=x\nExec=\"a\" %k b%%\nCategories=;;a\\;b\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		e, err := Read(bytes.NewReader(data))
		if err != nil {
			return
		}
		var b bytes.Buffer
		if Write(&b, e) != nil {
			return // less than an application needs, or control characters
		}
		again, err := Read(&b)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(e, again); diff != "" {
			t.Error(diff)
		}
	})
}
