package coverage

import (
	"bytes"
	"errors"
	"fmt"
	"image"
	"image/color"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"talebinder/examples"
	"talebinder/export/fonts"
	"talebinder/formats"
	"talebinder/formats/jazz2/charlist"
	"talebinder/formats/jazz2/picture"
)

// sample is the sample font's folder with its image and list.
func sample(t testing.TB) (dir string, sheet *image.NRGBA, list *charlist.List) {
	t.Helper()
	dir, err := examples.ExtractFont(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(filepath.Join(dir, examples.FontImage))
	if err != nil {
		t.Fatal(err)
	}
	if sheet, err = picture.Read(data); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(filepath.Join(dir, examples.FontImage+".json"))
	if err != nil {
		t.Fatal(err)
	}
	if list, err = charlist.ParseJSON(text); err != nil {
		t.Fatal(err)
	}
	return dir, sheet, list
}

func packed(t testing.TB, sheet *image.NRGBA, list *charlist.List) Font {
	t.Helper()
	p, err := fonts.Pack(t.Context(), sheet, list)
	if err != nil {
		t.Fatal(err)
	}
	return Of(p.Font)
}

func write(t testing.TB, name, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	return path
}

func summary(r *Report) string {
	var b strings.Builder
	for _, m := range r.Missing {
		fmt.Fprintf(&b, "%c %d %s in %v\n", m.Code, m.Count, m.State, m.Strings)
	}
	return b.String()
}

func TestCheckTheSampleTranslation(t *testing.T) {
	dir, sheet, list := sample(t)
	texts, err := Read(filepath.Join(dir, examples.FontTranslation))
	if err != nil {
		t.Fatal(err)
	}
	if len(texts) != 11 || texts[0] != (String{texts[0].File, 11, "menu: Set sail", "Wypłyń w morze"}) {
		t.Errorf("%d strings, the first %+v", len(texts), texts[0])
	}
	for name, f := range map[string]Font{"packed": packed(t, sheet, list), "listed": OfList(list)} {
		r, err := Check(t.Context(), f, texts)
		if err != nil {
			t.Fatal(err)
		}
		if r.Affected == 0 || r.Total == 0 || len(r.Missing) < 6 {
			t.Errorf("%s: %+v", name, r)
		}
		codes := string(r.Absent())
		for _, c := range "łńęś…„”" {
			if !strings.ContainsRune(codes, c) {
				t.Errorf("%s: %c is not missing in %s", name, c, codes)
			}
		}
		if strings.ContainsAny(codes, "óaP ") {
			t.Errorf("%s: %s are missing", name, codes)
		}
	}
}

func TestCheckCountsAndNames(t *testing.T) {
	list := &charlist.List{CellWidth: 2, CellHeight: 2, Columns: 8, LineHeight: 2, ASCIIFirst: 'a', ASCIICount: 2, Characters: []charlist.Character{
		{Code: 'a', Advance: 2}, {Code: 'b', Advance: 0}, {Code: 'c', Advance: 2}, {Code: 'é', Advance: 2}, {Code: 'ö', Advance: 2}, {Code: 0x3000, Advance: 2},
	}}
	sheet := image.NewNRGBA(image.Rect(0, 0, 16, 2))
	for _, i := range []int{0, 1, 2, 4} {
		sheet.SetNRGBA(2*i, 0, color.NRGBA{9, 9, 9, 255})
	}
	texts := []String{{Text: "aé\n\té"}, {Text: "ö\u3000"}, {Text: "cb€€€"}, {Text: "é€"}}
	r, err := Check(t.Context(), packed(t, sheet, list), texts)
	if err != nil {
		t.Fatal(err)
	}
	want := "€ 4 absent in [2 3]\né 3 blank in [0 3]\nb 1 blank in [2]\nc 1 absent in [2]\n"
	if got := summary(r); got != want {
		t.Errorf("got\n%s, want\n%s", got, want)
	}
	if r.Affected != 3 || r.Distinct != 7 || r.Total != 12 || r.Missing[0].Name() != "euro sign" || Name(0xe000) == "" {
		t.Errorf("%+v", r)
	}
	if r, err := Check(t.Context(), OfList(list), texts); err != nil || summary(r) != "€ 4 absent in [2 3]\nc 1 absent in [2]\n" {
		t.Errorf("by the list alone\n%s%v", summary(r), err)
	}
}

func TestRead(t *testing.T) {
	utf16le := "\xff\xfeA\x00\n\x00\x42\x01"
	for _, c := range []struct{ name, text, want string }{
		{"a.txt", "\ufeffone\r\n\r\nzwölf\n", "1  one|3  zwölf"},
		{"a.md", "one", "1  one"},
		{"a.TXT", utf16le, "1  A|2  ł"},
		{"b.txt", "\xfe\xff\x00A", "1  A"},
		{"a.po", "msgid \"a\"\nmsgstr \"ą\"\nmsgid \"b\"\nmsgid_plural \"bs\"\nmsgstr[0] \"\"\nmsgstr[1] \"ź\"\n", "2 a ą|6 b ź"},
		{"a.pot", "msgctxt \"c\"\nmsgid \"b\"\nmsgid_plural \"bs\"\nmsgstr[0] \"\"\n", "1 c: b b|1 c: b bs"},
		{"a.tloc", "// a table\n{\"languages\": [\"xx\"], \"entries\": {\n\"title\": {\"en\": \"Mail\", \"cs\": \"Po\\u0161ta\"}}}", "3 title.en Mail|3 title.cs Pošta"},
		{"a.json", "{\"a\": [\"x\", {\"b\": \"y\"}],\n\"c\": 1, \"d\": \"\", \"e\": \"z\"}", "1 a.0 x|1 a.1.b y|2 e z"},
		{"a.csv", "key;en;cs\nt;Mail;\"Pošta\n2\"\n", "1  key|1 key en|1 key cs|2  t|2 t Mail|2 t Pošta\n2"},
		{"b.csv", "key,en\n", "1  key|1 key en"},
		{"a.tsv", "key\tMail, all\n", "1  key|1 key Mail, all"},
	} {
		path := write(t, c.name, c.text)
		list, err := Read(path)
		if err != nil {
			t.Error(err)
			continue
		}
		var got []string
		for _, s := range list {
			if s.File != path {
				t.Errorf("%s: file %s", c.name, s.File)
			}
			got = append(got, fmt.Sprint(s.Line, " ", s.Key, " ", s.Text))
		}
		if diff := cmp.Diff(c.want, strings.Join(got, "|")); diff != "" {
			t.Error(c.name, diff)
		}
	}
}

func TestReadSaysWhatItCannotRead(t *testing.T) {
	for _, c := range []struct {
		name, text string
		line       int
		kind       error
	}{
		{"a.txt", "one\ntw\xffo", 2, formats.ErrUnsupported},
		{"a.png", "\x89PNG\r\n\x1a\n\x00", 1, formats.ErrUnsupported},
		{"b.png", "PNG\r\n\x1a\n\x00", 3, formats.ErrUnsupported},
		{"a.po", "msgid \"a\"\nnothing", 2, formats.ErrDamaged},
		{"a.json", "{\n\"a\" 1}", 2, formats.ErrDamaged},
		{"a.tloc", "\n{}", 2, formats.ErrDamaged},
	} {
		path := write(t, c.name, c.text)
		_, err := Read(path)
		var e *Error
		if !errors.As(err, &e) || e.File != path || e.Line != c.line || !errors.Is(err, c.kind) || !strings.HasPrefix(err.Error(), fmt.Sprintf("%s:%d: ", path, c.line)) {
			t.Errorf("%s: %v", c.name, err)
		}
	}
	gone := filepath.Join(t.TempDir(), "gone.po")
	if _, err := Read(gone); !errors.Is(err, fs.ErrNotExist) || !strings.Contains(err.Error(), gone) {
		t.Errorf("a file that is not there: %v", err)
	}
	large := write(t, "large.txt", "")
	if err := os.Truncate(large, MaxText+1); err != nil {
		t.Fatal(err)
	}
	var limit *formats.LimitError
	if _, err := Read(large); !errors.As(err, &limit) || limit.Max != MaxText {
		t.Errorf("a large file: %v", err)
	}
	if !Reads("x/A.PO") || Reads("a.png") {
		t.Error("extensions")
	}
}

func TestAddCellsToTheSampleFont(t *testing.T) {
	dir, sheet, list := sample(t)
	text, err := os.ReadFile(filepath.Join(dir, examples.FontImage+".json"))
	if err != nil {
		t.Fatal(err)
	}
	c := AddCells(list, []rune("źłaał\nZ"))
	if len(c.Added) != 2 || c.Added[0].Code != 'ł' || c.Added[1].Code != 'ź' || len(c.Skipped) != 3 {
		t.Fatalf("added %+v, skipped %+v", c.Added, c.Skipped)
	}
	if z := c.Added[1]; z.Advance != 8 || z.Index != 193 || z.Rect.Min != image.Pt(13, 12*19) {
		t.Errorf("ź is %+v", z)
	}
	changed, lossless, err := c.JSON(text)
	if err != nil || !lossless {
		t.Fatal(lossless, err)
	}
	tail := "\t\t{ \"Fallback\": true, \"Advance\": 12 }"
	want := strings.Replace(string(text), tail, tail+",\n\t\t{ \"Char\": \"ł\", \"Advance\": 8 },\n\t\t{ \"Char\": \"ź\", \"Advance\": 8 }", 1)
	if diff := cmp.Diff(want, string(changed)); diff != "" {
		t.Error(diff)
	}
	got, err := charlist.ParseJSON(changed)
	if err != nil || !cmp.Equal(got, c.List) {
		t.Errorf("read back %+v, %v", got, err)
	}
	grown, err := Grow(sheet, c.List)
	if err != nil || grown.Rect.Dx() != sheet.Rect.Dx() || grown.Rect.Dy() != sheet.Rect.Dy()+list.CellHeight || !bytes.HasPrefix(grown.Pix, sheet.Pix) {
		t.Fatalf("grown to %v, %v", grown.Rect, err)
	}
	if bytes.Trim(grown.Pix[len(sheet.Pix):], "\x00") != nil && len(bytes.Trim(grown.Pix[len(sheet.Pix):], "\x00")) > 0 {
		t.Error("the new rows are not empty")
	}
	if again, err := Grow(grown, c.List); err != nil || again != grown {
		t.Error("an image with room enough is changed")
	}
	f := packed(t, grown, c.List)
	if f('ł') != Blank || f('ą') != Absent || f('a') != Drawn {
		t.Error("the new cells are not what they should be")
	}
	if data, err := PNG(grown); err != nil {
		t.Error(err)
	} else if back, err := picture.Read(data); err != nil || !bytes.Equal(back.Pix, grown.Pix) {
		t.Error("the image does not read back", err)
	}
}

func TestAddCellsKeepsTheRange(t *testing.T) {
	list := func(first rune, n int, more ...rune) *charlist.List {
		l := &charlist.List{CellWidth: 4, CellHeight: 4, Columns: 4, LineHeight: 4, ASCIIFirst: int(first), ASCIICount: n}
		for i := range n {
			l.Characters = append(l.Characters, charlist.Character{Code: uint32(first) + uint32(i), Advance: 3})
		}
		for _, r := range more {
			l.Characters = append(l.Characters, charlist.Character{Code: uint32(r), Advance: 5})
		}
		return l
	}
	for _, c := range []struct {
		name, text string
		list       *charlist.List
		add, got   string
		count      int
		json       string // what the text has to hold
	}{
		{"the range grows at its end", `{"CellWidth":4,"CellHeight":4,"Columns":4,"Characters":[{"Char":"x","Advance":3}]}`, list('x', 1), "{yz", "yz{", 4, `{ "Char": "{", "Advance": 3 }`},
		{"a count that is written is raised", "{\"CellWidth\":4,\"CellHeight\":4,\"Columns\":4,\"AsciiCount\":1,\n \"Characters\":[{\"Char\":\"!\",\"Advance\":3}]}", list('!', 1), "\"", "\"", 2, `"AsciiCount":2`},
		{"a gap is not jumped", `{"CellWidth":4,"CellHeight":4,"Columns":4,"Characters":[{"Char":"x","Advance":3}]}`, list('x', 1), "z", "", 1, ""},
		{"not into the middle", `{"CellWidth":4,"CellHeight":4,"Columns":4,"AsciiCount":1,"Characters":[{"Char":"x","Advance":3},{"Char":"é","Advance":5}]}`, list('x', 1, 'é'), "yü", "ü", 1, "\"ü\""},
		{"the range does not pass U+007F", `{"CellWidth":4,"CellHeight":4,"Columns":4,"Characters":[{"Codepoint":127,"Advance":3}]}`, list(0x7f, 1), "\u00a0é", "\u00a0é", 1, ""},
		{"a count keeps it from passing", `{"CellWidth":4,"CellHeight":4,"Columns":4,"AsciiFirst":160,"AsciiCount":0,"Characters":[{"Char":"é","Advance":3}]}`, list(0xa0, 0, 'é'), "ê", "ê", 0, `"AsciiCount":0`},
	} {
		parsed, err := charlist.ParseJSON([]byte(c.text))
		if err != nil || parsed.ASCIICount != c.list.ASCIICount {
			t.Fatalf("%s: %+v, %v", c.name, parsed, err)
		}
		cells := AddCells(parsed, []rune(c.add))
		var got []rune
		for _, cell := range cells.Added {
			got = append(got, cell.Code)
		}
		if string(got) != c.got || cells.List.ASCIICount != c.count || len(cells.Added)+len(cells.Skipped) != len([]rune(c.add)) {
			t.Errorf("%s: added %q, count %d, skipped %v", c.name, string(got), cells.List.ASCIICount, cells.Skipped)
		}
		text, lossless, err := cells.JSON([]byte(c.text))
		if err != nil || !lossless || !strings.Contains(string(text), c.json) {
			t.Errorf("%s: %s, %v", c.name, text, err)
		}
		if back, err := charlist.ParseJSON(text); err != nil || !cmp.Equal(back, cells.List) {
			t.Errorf("%s: read back %+v, %v", c.name, back, err)
		}
	}
}

func TestAListThatReadsOnlyIsWrittenAnew(t *testing.T) {
	text := []byte(`{"CellWidth":+4,"CellHeight":04,"Columns":4,"Characters":[{"Char":"x","Advance":3}]}`)
	list, err := charlist.ParseJSON(text)
	if err != nil {
		t.Fatal(err)
	}
	changed, lossless, err := AddCells(list, []rune("ü")).JSON(text)
	if err != nil || lossless {
		t.Fatal(lossless, err)
	}
	if back, err := charlist.ParseJSON(changed); err != nil || len(back.Characters) != 2 {
		t.Errorf("%s: %v", changed, err)
	}
}

func TestGrowHasALimit(t *testing.T) {
	list := &charlist.List{CellWidth: 4, CellHeight: 16384, Columns: 1, LineHeight: 1, Characters: make([]charlist.Character, 2)}
	var limit *formats.LimitError
	if _, err := Grow(image.NewNRGBA(image.Rect(0, 0, 1, 1)), list); !errors.As(err, &limit) || limit.Value != 32768 {
		t.Errorf("%v", err)
	}
}

func BenchmarkCheck(b *testing.B) {
	_, sheet, list := sample(b)
	f := packed(b, sheet, list)
	texts := make([]String, 20_000)
	for i := range texts {
		texts[i].Text = "Zanieś go jej przed wieczorem, zanim zgaśnie światło latarni."
	}
	b.ResetTimer()
	for b.Loop() {
		if _, err := Check(b.Context(), f, texts); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkReadTable(b *testing.B) {
	var text strings.Builder
	text.WriteString(`{"version":1,"entries":{`)
	for i := range 20_000 {
		if i > 0 {
			text.WriteByte(',')
		}
		fmt.Fprintf(&text, "\n\"key%d\": {\"en\": \"A letter for you\", \"cs\": \"Dopis pro tebe\"}", i)
	}
	text.WriteString("}}")
	path := write(b, "a.tloc", text.String())
	b.SetBytes(int64(text.Len()))
	for b.Loop() {
		if _, err := Read(path); err != nil {
			b.Fatal(err)
		}
	}
}
