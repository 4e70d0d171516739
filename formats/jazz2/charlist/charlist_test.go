package charlist

import (
	"bytes"
	"errors"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"talebinder/formats"
)

const example = `{
	"CellWidth": 15,
	"CellHeight": 20,
	"Columns": 19,
	"LineHeight": 21,
	"BaseSpacing": -2,
	"AsciiFirst": 33,
	"AsciiCount": 2,
	"Characters": [
		{ "Char": "!", "Advance": 4 },
		{ "Char": "\"", "Advance": 6 },
		{ "Char": "\", "Advance": 7 },
		{ "Char": "é", "Advance": 8 },
		{ "Codepoint": 160000000, "Advance": 11 },
		{ "Codepoint": 55296, "Advance": 1 },
		{ "Codepoint": 159, "Advance": 255 },
		{ "Char": "😀", "Advance": 0 },
		{ "Fallback": true, "Advance": 8 }
	]
}
`

func exampleText() string { return strings.Replace(example, `"\",`, `"\\",`, 1) }

func exampleList() *List {
	return &List{
		CellWidth: 15, CellHeight: 20, Columns: 19, LineHeight: 21, BaseSpacing: -2, ASCIIFirst: 33, ASCIICount: 2,
		Characters: []Character{{'!', 4}, {'"', 6}, {'\\', 7}, {'é', 8}, {160000000, 11}, {0xD800, 1}, {0x9F, 255}, {'😀', 0}, {Fallback, 8}},
	}
}

func TestJSONIsReadAndWrittenBack(t *testing.T) {
	list, err := ParseJSON([]byte(exampleText()))
	if err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(list, exampleList()) {
		t.Errorf("read %+v", list)
	}
	if got := string(list.JSON()); got != exampleText() {
		t.Errorf("written:\n%s", got)
	}
	if err := list.Check(); err != nil {
		t.Error(err)
	}
}

func TestBinaryIsReadAndWrittenBack(t *testing.T) {
	list := exampleList()
	list.LineHeight = list.CellHeight
	list.Characters = append(list.Characters[:2], Character{'é', 8}, Character{0xD800, 1}, Character{'𝔗', 255}, Character{Fallback, 8})
	want := "\x00\x0f\x00\x14\x00\x13\xfe\xff\x21\x02\x04\x06\x04\x00\x00\x00é\x08\xed\xa0\x80\x01𝔗\xff\x00\x08"
	if got := list.Binary(); string(got) != want {
		t.Errorf("written %q, want %q", got, want)
	}
	got, err := ParseBinary([]byte(want + "bytes behind the end"))
	if err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(got, list) {
		t.Errorf("read %+v, want %+v", got, list)
	}
	for cut := range want {
		var e *Error
		if _, err := ParseBinary([]byte(want[:cut])); !errors.As(err, &e) || !errors.Is(err, formats.ErrDamaged) {
			t.Errorf("cut off after %d bytes: %v", cut, err)
		}
	}
}

func TestBinaryCharacters(t *testing.T) {
	tests := []struct {
		name  string
		bytes string
		code  uint32
	}{
		{"a letter is the fallback", "A", Fallback},
		{"a byte that continues nothing too", "\x80", Fallback},
		{"two bytes", "é", 'é'},
		{"an overlong form", "\xc1\x81", 'A'},
		{"half of a surrogate pair", "\xed\xa0\x80", 0xD800},
		{"beyond Unicode", "\xf7\xbf\xbf\xbf", 0x1FFFFF},
		{"no continuation", "\xc3A", 0xFFFFFFFF},
		{"a lead byte that there is not", "\xff\xbf\xbf\xbf", 0xFFFFFFFF},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			list, err := ParseBinary([]byte("\x00\x01\x00\x01\x00\x01\x00\x00\x00\x00\x01\x00\x00\x00" + test.bytes + "\x09"))
			if err != nil {
				t.Fatal(err)
			}
			if want := []Character{{test.code, 9}}; !reflect.DeepEqual(list.Characters, want) {
				t.Errorf("read %v, want %v", list.Characters, want)
			}
		})
	}
}

func TestBinaryErrors(t *testing.T) {
	head := func(width, height, columns byte) string {
		return string([]byte{0, width, 0, height, 0, columns, 0, 0, 0, 0, 0, 0, 0, 0})
	}
	tests := []struct{ name, data, message string }{
		{"empty", "", "the file ends at byte 0, expected the header at byte 0"},
		{"no cell width", head(0, 1, 1), "CellWidth is 0, expected 1 to 65535"},
		{"no cell height", head(1, 0, 1), "CellHeight is 0, expected 1 to 65535"},
		{"no columns", head(1, 1, 0), "Columns is 0, expected 1 to 255"},
		{"more characters than bytes", "\x00\x01\x00\x01\x00\x01\x00\x00\x00\x00\xff\xff\xff\x7f\x00\x05", "character at position 1: the file ends at byte 16"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			_, err := ParseBinary([]byte(test.data))
			if !errors.Is(err, formats.ErrDamaged) || !strings.HasPrefix(err.Error(), test.message) {
				t.Errorf("the error is %v, want %s", err, test.message)
			}
		})
	}
	if list, err := ParseBinary([]byte("\x00\x01\x00\x01\x00\x01\x00\x00\x20\x00\xff\xff\xff\xff")); err != nil || len(list.Characters) != 0 {
		t.Errorf("a negative number of characters gives %v, %v", list, err)
	}
}

// with gives a list in JSON with characters and other values.
func with(characters string, values ...string) string {
	return `{"CellWidth":4,"CellHeight":5,"Columns":6,` + strings.Join(append(values, ""), ",") + `"Characters":[` + characters + `]}`
}

func TestTolerance(t *testing.T) {
	tests := []struct {
		name, text string
		want       List
	}{
		{"a final line feed", with(`{"Char":"A","Advance":1}`) + "\n", List{ASCIIFirst: 'A', ASCIICount: 1, Characters: []Character{{'A', 1}}}},
		{"comments and commas", "\ufeff// start\n/**/" + with(`{"Char":"A",/* } */"Advance":1,},`) + " //", List{ASCIIFirst: 'A', ASCIICount: 1, Characters: []Character{{'A', 1}}}},
		{"numbers", with(`{"Char":"A","Advance":+007.99},{"Char":"B","Advance":true},{"Char":"C","Advance":2e1},{"Char":"D","Advance":-0.5}`),
			List{ASCIIFirst: 'A', ASCIICount: 4, Characters: []Character{{'A', 7}, {'B', 1}, {'C', 20}, {'D', 0}}}},
		{"the last of repeated names counts", with(`{"Char":"A","Advance":1,"Advance":2,"Char":"B"}`), List{ASCIIFirst: 'B', ASCIICount: 1, Characters: []Character{{'B', 2}}}},
		{"null is absent", with(`{"Char":null,"Codepoint":67,"Fallback":null,"Advance":1}`, `"LineHeight":null`, `"AsciiFirst":null`), List{ASCIIFirst: 'C', ASCIICount: 1, Characters: []Character{{'C', 1}}}},
		{"unknown names", with(`{"Char":"A","Advance":1,"advance":300,"X":[{"Advance":[]}]}`, `"columns":0`), List{ASCIIFirst: 'A', ASCIICount: 1, Characters: []Character{{'A', 1}}}},
		{"escapes in names and texts", with(`{"\u0043har":"\u00e9","Advance":1},{"Char":"\ud83d\ude00","Advance":2},{"Char":"\/","Advance":3},{"Char":"\udc00","Advance":4},{"Char":"\ud800\u0041","Advance":5},{"Char":"\n","Advance":6}`),
			List{ASCIIFirst: 'é', ASCIICount: 1, Characters: []Character{{'é', 1}, {'😀', 2}, {'/', 3}, {0xDC00, 4}, {0x10041, 5}, {'\n', 6}}}},
		{"precedence", with(`{"Char":"A","Codepoint":66,"Fallback":2,"Advance":1},{"Char":"A","Codepoint":66,"Fallback":0,"Advance":1},{"Char":"\u0000","Advance":3}`),
			List{ASCIICount: 1, Characters: []Character{{0, 1}, {'A', 1}, {0, 3}}}},
		{"a first fallback starts the range", with(`{"Fallback":true,"Advance":1},{"Codepoint":1,"Advance":1},{"Char":"A","Advance":1}`),
			List{ASCIICount: 2, Characters: []Character{{0, 1}, {1, 1}, {'A', 1}}}},
		{"a first character elsewhere", with(`{"Char":"B","Advance":1}`, `"AsciiFirst":65`), List{ASCIIFirst: 'A', Characters: []Character{{'B', 1}}}},
		{"a first character past the range", with(`{"Char":"€","Advance":1}`), List{Characters: []Character{{'€', 1}}}},
		{"all values", with(`{"Char":"A","Advance":1}`, `"LineHeight":9`, `"BaseSpacing":-32768`, `"AsciiFirst":65`, `"AsciiCount":0`),
			List{LineHeight: 9, BaseSpacing: -32768, ASCIIFirst: 65, Characters: []Character{{'A', 1}}}},
		{"UTF-8 that is none", with("{\"Char\":\"A\",\"\xff\":\"\xff\",\"Advance\":1}"), List{ASCIIFirst: 'A', ASCIICount: 1, Characters: []Character{{'A', 1}}}},
		{"nesting of 256", with(`{"Char":"A","Advance":1}`, `"X":`+strings.Repeat("[", 255)+strings.Repeat("]", 255)), List{ASCIIFirst: 'A', ASCIICount: 1, Characters: []Character{{'A', 1}}}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			got, err := ParseJSON([]byte(test.text))
			if err != nil {
				t.Fatal(err)
			}
			test.want.CellWidth, test.want.CellHeight, test.want.Columns = 4, 5, 6
			if test.want.LineHeight == 0 {
				test.want.LineHeight = 5
			}
			if !reflect.DeepEqual(*got, test.want) {
				t.Errorf("read %+v, want %+v", *got, test.want)
			}
		})
	}
}

func TestLongestRanges(t *testing.T) {
	all := func(first, count int) string {
		var b strings.Builder
		for i := range count {
			fmt.Fprintf(&b, `{"Codepoint":%d,"Advance":1},`, first+i)
		}
		return b.String()
	}
	for _, test := range []struct{ first, listed, count int }{{0, 300, 255}, {1, 300, 255}, {32, 300, 224}, {255, 2, 1}, {200, 20, 20}} {
		list, err := ParseJSON([]byte(with(all(test.first, test.listed))))
		if err != nil || list.ASCIICount != test.count {
			t.Errorf("%d from %d: %v, %v, want %d", test.listed, test.first, list.ASCIICount, err, test.count)
		}
		list.FitRange()
		if list.ASCIICount != test.count || list.ASCIIFirst != test.first {
			t.Errorf("%d from %d fitted: %d from %d", test.listed, test.first, list.ASCIICount, list.ASCIIFirst)
		}
	}
}

func TestJSONErrors(t *testing.T) {
	a := `{"Char":"A","Advance":1}`
	tests := []struct {
		name, text   string
		line, column int
		position     int
		message      string
	}{
		{"empty", "", 0, 0, -1, "a file of 0 bytes, expected a character list of 1 to 16777216 bytes"},
		{"white space", " \n ", 2, 2, -1, "the list is not valid JSON: the text ends, expected a value"},
		{"no colon", "{\n \"CellWidth\": 8,\n \"CellHeight\" 8\n}", 3, 15, -1, `the list is not valid JSON: found '8', expected a colon behind the name`},
		{"columns count characters", "{\"é😀\" 1}", 1, 7, -1, "the list is not valid JSON: found '1'"},
		{"the byte order mark is no column", "\ufeff{,}", 1, 2, -1, "the list is not valid JSON: found ',', expected a name in double quotes"},
		{"single quotes", `{'a':1}`, 1, 2, -1, `the list is not valid JSON: found '\'', expected a name`},
		{"a name without quotes", `{a:1}`, 1, 2, -1, "the list is not valid JSON: found 'a', expected a name"},
		{"text behind the end", `{} x`, 1, 4, -1, "the list is not valid JSON: found 'x', expected nothing behind the end"},
		{"a control character", "{\"a\": \"\t\"}", 1, 8, -1, "the list is not valid JSON: a control character in a text, expected it as \\u0009"},
		{"half of a surrogate pair", `{"a": "\ud800"}`, 1, 14, -1, "the list is not valid JSON: the first half of a surrogate pair stands alone"},
		{"a short escape", `{"a": "\u12"}`, 1, 8, -1, "the list is not valid JSON: an escape that is not complete"},
		{"an unknown escape", `{"a": "\x"}`, 1, 8, -1, "the list is not valid JSON: an escape that there is not"},
		{"an escape at the end", `{"a": "\`, 1, 8, -1, "the list is not valid JSON: "},
		{"a text without end", `{"a": "b`, 1, 7, -1, "the list is not valid JSON: a text is not closed"},
		{"a comment without end", `{/* `, 1, 2, -1, "the list is not valid JSON: a comment is not closed"},
		{"half a comment", `{/`, 1, 2, -1, "the list is not valid JSON: found '/', expected // or /* of a comment"},
		{"two commas", `{"a":1,,}`, 1, 8, -1, "the list is not valid JSON: found ','"},
		{"no comma", `[1 2]`, 1, 4, -1, "the list is not valid JSON: found '2', expected a comma or ]"},
		{"the end in an object", `{"a":1`, 1, 7, -1, "the list is not valid JSON: the text ends, expected a comma or }"},
		{"the end behind a comma", `[1,`, 1, 4, -1, "the list is not valid JSON: the text ends, expected ]"},
		{"a lone sign", `[-]`, 1, 3, -1, "the list is not valid JSON: found ']', expected a digit"},
		{"a point without digits", `[1.]`, 1, 4, -1, "the list is not valid JSON: found ']', expected a digit"},
		{"an exponent without digits", `[1e+]`, 1, 5, -1, "the list is not valid JSON: found ']', expected a digit"},
		{"a word", `[nul]`, 1, 2, -1, "the list is not valid JSON: found 'n', expected a value"},
		{"nesting of 257", strings.Repeat("[", 257), 1, 257, -1, "the list is not valid JSON: the value is nested deeper than 256 levels"},
		{"nesting without end", strings.Repeat(`{"a":`, 1<<20), 1, 1281, -1, "the list is not valid JSON: the value is nested deeper than 256 levels"},
		{"an array", "[]", 1, 1, -1, "the list is an array, expected an object"},
		{"a text for a number", `{"CellWidth":"8"}`, 1, 14, -1, "CellWidth is not a number, expected 1 to 65535"},
		{"a number past 64 bits", `{"CellWidth":9223372036854775808}`, 1, 14, -1, "CellWidth is not a number"},
		{"a number past all bounds", `{"CellWidth":1e999}`, 1, 14, -1, "CellWidth is not a number"},
		{"too small", `{"CellWidth":0.9}`, 1, 14, -1, "CellWidth is 0, expected 1 to 65535"},
		{"too large", with(a, `"BaseSpacing":32768`), 1, 57, -1, "BaseSpacing is 32768, expected -32768 to 32767"},
		{"checked in order", `{"AsciiCount":256,"Columns":256}`, 1, 29, -1, "Columns is 256, expected 1 to 255"},
		{"no cell width", `{"CellHeight":1,"Columns":1}`, 1, 1, -1, "CellWidth is missing"},
		{"no columns", "\n " + `{"CellHeight":1,"CellWidth":1,"Columns":null}`, 2, 2, -1, "Columns is missing"},
		{"no characters", `{"CellWidth":1,"CellHeight":1,"Columns":1}`, 1, 1, -1, "Characters has none"},
		{"an empty array of characters", with(""), 1, 56, -1, "Characters has none"},
		{"characters that are no array", `{"CellWidth":1,"CellHeight":1,"Columns":1,"Characters":{}}`, 1, 56, -1, "Characters is an object"},
		{"a character that is no object", with(a + ",\n7"), 2, 1, 1, "character at position 1: found a number, expected an object"},
		{"null for a character", with("null"), 1, 57, 0, "character at position 0: found null, expected an object"},
		{"fallback is a text", with(`{"Fallback":"x"}`), 1, 69, 0, "character at position 0: Fallback is a text, expected true or false"},
		{"char is a number", with(`{"Fallback":true,"Char":1}`), 1, 81, 0, "character at position 0: Char is a number, expected a text of one character"},
		{"codepoint is negative", with(`{"Char":"A","Codepoint":-1}`), 1, 81, 0, "character at position 0: Codepoint is not a code point, expected a number from 0 to 4294967295"},
		{"codepoint is too large", with(`{"Codepoint":4294967296}`), 1, 70, 0, "character at position 0: Codepoint is not a code point"},
		{"codepoint is a text", with(`{"Codepoint":"A"}`), 1, 70, 0, "character at position 0: Codepoint is not a code point"},
		{"an empty char", with(`{"Char":""}`), 1, 65, 0, "character at position 0: Char is empty"},
		{"two characters", with(`{"Char":"e\u0301"}`), 1, 65, 0, "character at position 0: Char is \"e\u0301\", which is not one character"},
		{"a char that is no UTF-8", with("{\"Char\":\"\xc3A\"}"), 1, 65, 0, `character at position 0: Char is "\xc3A", which is not one character`},
		{"a long text", with(`{"Char":"` + strings.Repeat("é", 5000) + `"}`), 1, 65, 0, `character at position 0: Char is "éééééééééé…", which`},
		{"no name", with(`{"Advance":1}`), 1, 57, 0, "character at position 0: nothing says which character it is"},
		{"no advance", with(a + "," + `{"Char":"A"}`), 1, 82, 1, "character at position 1: Advance is missing"},
		{"an advance that is a text", with(`{"Char":"A","Advance":"1"}`), 1, 79, 0, "character at position 0: Advance is not a number, expected 0 to 255"},
		{"an advance of 256", with(`{"Char":"A","Advance":256}`), 1, 79, 0, "character at position 0: Advance is 256, expected 0 to 255"},
		{"an advance below 0", with(`{"Char":"A","Advance":-1}`), 1, 79, 0, "character at position 0: Advance is -1, expected 0 to 255"},
		{"a range longer than the list", with(a, `"AsciiCount":2`), 1, 56, -1, "AsciiCount is 2, but the number of characters is 1"},
		{"a range past its end", with(a+strings.Repeat(","+a, 9), `"AsciiCount":10`, `"AsciiFirst":250`), 1, 72, -1, "AsciiCount is 10 from U+00FA on, which reaches past U+00FF, expected at most 6"},
		{"a range out of order", with(a+",\n"+`{"Char":"C","Advance":1}`, `"AsciiCount":2`), 2, 1, 1, "character at position 1: the character is U+0043, expected U+0042: the range has to come first, one character after another from U+0041 on"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			list, err := ParseJSON([]byte(test.text))
			var e *Error
			if !errors.As(err, &e) {
				t.Fatalf("read %+v, the error is %v", list, err)
			}
			if !strings.HasPrefix(err.Error(), test.message) {
				t.Errorf("the message is %q, want %q", err, test.message)
			}
			if e.Line != test.line || e.Column != test.column || e.Position != test.position {
				t.Errorf("line %d, column %d, position %d; want %d, %d, %d", e.Line, e.Column, e.Position, test.line, test.column, test.position)
			}
			var limit *formats.LimitError
			if !errors.Is(err, formats.ErrDamaged) && !errors.As(err, &limit) {
				t.Errorf("%v is neither damage nor a limit", err)
			}
		})
	}
}

func TestListsTooLarge(t *testing.T) {
	var limit *formats.LimitError
	if _, err := ParseJSON(make([]byte, MaxJSON+1)); !errors.As(err, &limit) || limit.Value != MaxJSON+1 || limit.Max != MaxJSON {
		t.Errorf("the error is %v", err)
	}
	// As many characters as a file can have; which of them a font can hold is for the packer to say.
	text := []byte(with(strings.Repeat(`{"Char":"é","Advance":1},`, 640_000)))
	list, err := ParseJSON(text)
	if err != nil || len(list.Characters) != 640_000 {
		t.Errorf("%v", err)
	}
}

func TestCheck(t *testing.T) {
	tests := []struct {
		name    string
		change  func(*List)
		message string
	}{
		{"cell width", func(l *List) { l.CellWidth = 0 }, "CellWidth is 0"},
		{"columns", func(l *List) { l.Columns = 256 }, "Columns is 256"},
		{"no characters", func(l *List) { l.Characters, l.ASCIICount = nil, 0 }, "Characters has none"},
		{"range too long", func(l *List) { l.ASCIICount = 10 }, "AsciiCount is 10"},
		{"range out of order", func(l *List) { l.ASCIICount = 3 }, "character at position 2: the character is U+005C, expected U+0023"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			list := exampleList()
			test.change(list)
			if err := list.Check(); err == nil || !strings.HasPrefix(err.Error(), test.message) {
				t.Errorf("the error is %v, want %s", err, test.message)
			}
		})
	}
}

func TestCells(t *testing.T) {
	list := &List{CellWidth: 3, CellHeight: 5, Columns: 2, Characters: make([]Character, 5)}
	if got := fmt.Sprint(list.Cell(3), list.Cell(4), list.Rows()); got != "(3,5)-(6,10) (0,10)-(3,15) 3" {
		t.Error(got)
	}
	clone := list.Clone()
	clone.Characters[0].Code = 7
	if list.Characters[0].Code != 0 {
		t.Error("the clone shares characters")
	}
}

// FuzzJSON reads lists: what is read is written back to the same list.
func FuzzJSON(f *testing.F) {
	f.Add([]byte(exampleText()))
	f.Add([]byte("\ufeff// grid\n" + with(`{"Char":"\ud83d\ude00","Advance":+07.5e0,},`, `"AsciiCount":null`)))
	f.Fuzz(func(t *testing.T, text []byte) {
		list, err := ParseJSON(text)
		if err != nil {
			var e *Error
			if !errors.As(err, &e) {
				t.Fatalf("%v is no *Error", err)
			}
			return
		}
		if err := list.Check(); err != nil {
			t.Fatal(err)
		}
		again, err := ParseJSON(list.JSON())
		if err != nil {
			t.Fatalf("%v\n%s", err, list.JSON())
		}
		if !reflect.DeepEqual(again, list) {
			t.Fatalf("%+v, read again %+v", list, again)
		}
	})
}

// FuzzBinary reads lists: one that the form can hold is written back to the same list.
func FuzzBinary(f *testing.F) {
	f.Add(exampleList().Binary())
	f.Add([]byte("\x00\x01\x00\x01\x00\x01\x00\x00\xf0\xff\xff\xff\xff\x7f"))
	f.Fuzz(func(t *testing.T, data []byte) {
		list, err := ParseBinary(data)
		if err != nil {
			if !errors.Is(err, formats.ErrDamaged) {
				t.Fatalf("%v is no damage", err)
			}
			return
		}
		for _, c := range list.Characters[list.ASCIICount:] {
			if c.Code > 0x10FFFF || c.Code > 0 && c.Code < 0x80 {
				return
			}
		}
		written := list.Binary()
		again, err := ParseBinary(written)
		if err != nil || !reflect.DeepEqual(again, list) || !bytes.Equal(again.Binary(), written) {
			t.Fatalf("%+v, read again %+v, %v", list, again, err)
		}
	})
}

func BenchmarkParseJSON(b *testing.B) {
	text := []byte(with(strings.Repeat(`{"Char":"é","Advance":12},`+"\n", 5000)))
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := ParseJSON(text); err != nil {
			b.Fatal(err)
		}
	}
}
