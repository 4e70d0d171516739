// Package desktopentry reads and writes desktop entries, the files ending in .desktop from which Linux desktops make the
// entries of their menus.
//
// An entry is UTF-8 text of lines: groups such as [Desktop Entry], keys with values such as Name=Hex Quest, comments that begin
// with "#", and empty lines. Source: the Desktop Entry Specification of freedesktop.org, version 1.5.
//
//	Type        Application for what is written here
//	Name        as a menu shows it
//	Comment     a sentence about it
//	Exec        the command line, see below
//	Icon        name in the icon theme, or an absolute path
//	Terminal    true or false
//	Categories  list of words, each with a ";" behind it
//
// In values a backslash begins an escape: \s space, \n, \t, \r, \\ and, in lists, \; for a semicolon that is a part of a word.
//
// The value of Exec is, once its escapes are resolved, a list of arguments separated by spaces. An argument may stand in double
// quotes, and has to when it contains one of
//
//	space tab newline " ' \ > < ~ | & ; $ * ? # ( ) `
//
// inside of which a backslash stands before each of " ` $ \. A percent sign outside of quotes begins a field code, such as %k,
// the place of the entry itself; a percent sign as such is written twice.
package desktopentry

import (
	"bytes"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"talebinder/formats"
)

// Entry is the entry of an application. Texts that are empty are left out.
type Entry struct {
	Name       string
	Comment    string
	Exec       []Argument
	Icon       string
	Terminal   bool
	Categories []string
}

// Argument is a part of a command line.
type Argument struct {
	Text string
	// Code makes Text a field code, such as "%k", which the desktop replaces.
	Code bool
}

const (
	group = "[Desktop Entry]"
	// maxSize is more than any entry needs.
	maxSize = 1 << 20
)

// Write writes an entry. An entry without a name or a command, or with text that is not UTF-8 or has control characters that
// cannot be written, gives an error before anything is written.
func Write(w io.Writer, e Entry) error {
	if e.Name == "" || len(e.Exec) == 0 {
		return fmt.Errorf("desktop entry: an application needs a name and a command")
	}
	var b bytes.Buffer
	var err error
	put := func(key, value string) {
		if err == nil {
			err = checkText(key, value)
		}
		if value != "" {
			fmt.Fprintf(&b, "%s=%s\n", key, value)
		}
	}
	b.WriteString(group + "\nType=Application\n")
	put("Name", escape(e.Name))
	put("Comment", escape(e.Comment))
	put("Exec", escape(commandLine(e.Exec)))
	put("Icon", escape(e.Icon))
	put("Terminal", fmt.Sprint(e.Terminal))
	var categories strings.Builder
	for _, c := range e.Categories {
		categories.WriteString(strings.ReplaceAll(escape(c), ";", `\;`) + ";")
	}
	put("Categories", categories.String())
	if err != nil {
		return err
	}
	_, err = w.Write(b.Bytes())
	return err
}

// checkText refuses what has no form in a value.
func checkText(key, value string) error {
	if !utf8.ValidString(value) {
		return fmt.Errorf("desktop entry: %s is not UTF-8: %q", key, value)
	}
	for _, r := range value {
		if r < ' ' || r == 0x7f {
			return fmt.Errorf("desktop entry: %s has the control character %q: %q", key, r, value)
		}
	}
	return nil
}

var escapes = strings.NewReplacer(`\`, `\\`, "\n", `\n`, "\t", `\t`, "\r", `\r`)

// escape gives the form of a text as a value.
func escape(s string) string {
	rest := strings.TrimLeft(s, " ")
	return strings.Repeat(`\s`, len(s)-len(rest)) + escapes.Replace(rest)
}

const special = " \t\n\"'\\><~|&;$*?#()`"

var quotes = strings.NewReplacer(`"`, `\"`, "`", "\\`", `$`, `\$`, `\`, `\\`)

// commandLine gives the arguments as one text, quoted where they have to be.
func commandLine(arguments []Argument) string {
	var words []string
	for _, a := range arguments {
		word := a.Text
		if !a.Code {
			word = strings.ReplaceAll(word, "%", "%%")
			if word == "" || strings.ContainsAny(word, special) {
				word = `"` + quotes.Replace(word) + `"`
			}
		}
		words = append(words, word)
	}
	return strings.Join(words, " ")
}

// Read reads the entry of an application. Keys that are not in Entry, translations and other groups are passed over. Text that
// is no desktop entry gives a *formats.Fault with the offset of the line.
func Read(r io.Reader) (Entry, error) {
	data, err := io.ReadAll(io.LimitReader(r, maxSize+1))
	if err != nil {
		return Entry{}, err
	}
	if len(data) > maxSize {
		return Entry{}, fmt.Errorf("desktop entry: %w", &formats.LimitError{What: "length", Value: int64(len(data)), Max: maxSize, Unit: "bytes"})
	}
	if !utf8.Valid(data) {
		return Entry{}, formats.Damaged("desktop entry", -1, "bytes that are not UTF-8", "UTF-8")
	}
	var e Entry
	here, found, offset := false, false, int64(0)
	for line := range strings.Lines(string(data)) {
		at := offset
		offset += int64(len(line))
		line = strings.TrimRight(line, "\r\n")
		switch {
		case strings.TrimSpace(line) == "" || strings.HasPrefix(line, "#"):
			continue
		case strings.HasPrefix(line, "["):
			here = line == group
			if here && found {
				return Entry{}, formats.Damaged("desktop entry", at, "a second group "+group, "one")
			}
			found = found || here
			continue
		}
		key, value, ok := strings.Cut(line, "=")
		if !ok {
			return Entry{}, formats.Damaged("desktop entry", at, fmt.Sprintf("%q", line), "a key with a value, such as Name=Hex Quest")
		}
		if !here {
			continue
		}
		if err := e.set(strings.TrimRight(key, " "), strings.TrimLeft(value, " "), at); err != nil {
			return Entry{}, err
		}
	}
	if !found {
		return Entry{}, formats.Unsupported("desktop entry", 0, "a text without the group "+group, "a file ending in .desktop")
	}
	return e, nil
}

// set takes a value over. The line is at an offset of the file.
func (e *Entry) set(key, value string, offset int64) (err error) {
	switch key {
	case "Type":
		if value != "Application" {
			return formats.Unsupported("desktop entry: Type", offset, fmt.Sprintf("%q", value), "Application")
		}
	case "Terminal":
		switch value {
		case "true", "1": // the numbers are of old entries
			e.Terminal = true
		case "false", "0":
			e.Terminal = false
		default:
			return formats.Damaged("desktop entry: Terminal", offset, fmt.Sprintf("%q", value), "true or false")
		}
	case "Name":
		e.Name, err = unescape(value, offset)
	case "Comment":
		e.Comment, err = unescape(value, offset)
	case "Icon":
		e.Icon, err = unescape(value, offset)
	case "Categories":
		e.Categories, err = list(value, offset)
	case "Exec":
		var line string
		if line, err = unescape(value, offset); err == nil {
			e.Exec, err = arguments(line, offset)
		}
	}
	return err
}

var unescapes = map[byte]byte{'s': ' ', 'n': '\n', 't': '\t', 'r': '\r', '\\': '\\', ';': ';'}

// unescape gives the text of a value.
func unescape(value string, offset int64) (string, error) {
	var b strings.Builder
	for i := 0; i < len(value); i++ {
		if value[i] != '\\' {
			b.WriteByte(value[i])
			continue
		}
		i++
		if i == len(value) || unescapes[value[i]] == 0 {
			return "", formats.Damaged("desktop entry", offset, fmt.Sprintf("the escape %q", value[i-1:min(i+1, len(value))]), `one of \s \n \t \r \\`)
		}
		b.WriteByte(unescapes[value[i]])
	}
	return b.String(), nil
}

// list gives the words of a list.
func list(value string, offset int64) ([]string, error) {
	var words []string
	start := 0
	add := func(end int) error {
		word, err := unescape(value[start:end], offset)
		words = append(words, word)
		return err
	}
	for i := 0; i < len(value); i++ {
		switch value[i] {
		case '\\':
			i++
		case ';':
			if err := add(i); err != nil {
				return nil, err
			}
			start = i + 1
		}
	}
	if start < len(value) {
		return words, add(len(value))
	}
	return words, nil
}

// arguments takes a command line apart.
func arguments(line string, offset int64) ([]Argument, error) {
	var all []Argument
	for line = strings.TrimLeft(line, " "); line != ""; line = strings.TrimLeft(line, " ") {
		var word string
		if line[0] != '"' {
			word, line, _ = strings.Cut(line, " ")
			if len(word) == 2 && word[0] == '%' && word != "%%" {
				all = append(all, Argument{Text: word, Code: true})
				continue
			}
		} else {
			var b strings.Builder
			i := 1
			for ; i < len(line) && line[i] != '"'; i++ {
				if line[i] == '\\' && i+1 < len(line) {
					i++
				}
				b.WriteByte(line[i])
			}
			if i >= len(line) {
				return nil, formats.Damaged("desktop entry: Exec", offset, "an argument without its closing quote", "one in a pair of quotes")
			}
			word, line = b.String(), line[i+1:]
		}
		all = append(all, Argument{Text: strings.ReplaceAll(word, "%%", "%")})
	}
	return all, nil
}
