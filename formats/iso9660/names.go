package iso9660

import (
	"bytes"
	"slices"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"talebinder/formats"
)

const (
	maxFileBase      = 28 // characters of a plain identifier, with its dot and extension
	maxExtension     = 10
	maxDirectoryName = 31
	versionOne       = ";1"
)

// jolietIdentifier spells a name in big-endian UCS-2. What is not UTF-8 becomes an underscore for each byte. So does a
// character that UCS-2 cannot spell, unless pairs are allowed: a name that was read with a pair of surrogates keeps it.
func jolietIdentifier(name string, dir, pairs bool) (string, error) {
	b := make([]byte, 0, 2*len(name)+4)
	for i := 0; i < len(name); {
		r, n := utf8.DecodeRuneInString(name[i:])
		i += n
		switch {
		case r == utf8.RuneError && n == 1:
			r = '_'
		case r > 0xFFFF && pairs:
			high, low := utf16.EncodeRune(r)
			b, r = be.AppendUint16(b, uint16(high)), low
		case r > 0xFFFF:
			r = '_'
		}
		b = be.AppendUint16(b, uint16(r))
	}
	most := int64(maxIdentifier / 2)
	if !dir {
		b = append(b, "\x00;\x001"...)
		most -= int64(len(versionOne))
	}
	if len(b) > maxIdentifier {
		units := int64(len(b) / 2)
		if !dir {
			units -= int64(len(versionOne))
		}
		return "", &formats.LimitError{What: "length of the name " + quote(name), Value: units, Max: most, Unit: "characters"}
	}
	return string(b), nil
}

// plainIdentifier spells a name in capital letters, digits and underscores, shortened to what interchange level 2 allows.
// Another name of the same directory may be spelled the same.
func plainIdentifier(name string, dir bool) string {
	if dir {
		return capitals(cut(name, maxDirectoryName))
	}
	base, extension := name, ""
	if i := strings.LastIndexByte(name, '.'); i > 0 {
		base, extension = name[:i], cut(name[i+1:], maxExtension)
	}
	if extension == "" {
		return capitals(cut(base, maxFileBase)) + versionOne
	}
	return capitals(cut(base, maxFileBase-1-len(extension))) + "." + capitals(extension) + versionOne
}

func cut(s string, n int) string { return s[:min(len(s), n)] }

// capitals replaces every byte that a plain identifier does not have.
func capitals(s string) string {
	b := []byte(s)
	for i, c := range b {
		switch {
		case 'a' <= c && c <= 'z':
			b[i] = c - 'a' + 'A'
		case 'A' <= c && c <= 'Z', '0' <= c && c <= '9':
		default:
			b[i] = '_'
		}
	}
	return string(b)
}

// setIdentifiers gives the children of a directory their identifiers in both hierarchies, and sorts them for each.
//
// Where plain identifiers are equal, all but that of the first name in byte order get a number in place of their last
// characters. Names that differ in the case of ASCII letters alone, or that Joliet spells the same, are refused, and so are directories
// with a semicolon, which would be read as the start of a version.
func (d *entry) setIdentifiers() error {
	byName := slices.Clone(d.children)
	slices.SortFunc(byName, func(a, b *entry) int { return strings.Compare(a.name, b.name) })
	var (
		folded = make(map[string]*entry, len(byName))
		joliet = make(map[string]*entry, len(byName)) // by the name that is read back
		taken  = make(map[string]bool, len(byName))
		tried  = make(map[string]*attempts) // by the identifier that was wanted
	)
	for _, c := range byName {
		if other, ok := folded[fold(c.name)]; ok {
			return clash(other, c, "differ only in the case of letters")
		}
		folded[fold(c.name)] = c
		if c.dir && strings.Contains(c.name, ";") {
			return formats.Unsupported("directory "+quote(c.path()), -1, "a semicolon in its name", "none: on a disc a version follows it, and only files have one")
		}
		identifier, err := jolietIdentifier(c.name, c.dir, c.node != nil)
		if err != nil {
			return withPath(err, c)
		}
		c.joliet = identifier
		read := fold(nameOf([]byte(identifier), true))
		if other, ok := joliet[read]; ok {
			return clash(other, c, "are the same in the characters of a disc")
		}
		joliet[read] = c

		c.plain = plainIdentifier(c.name, c.dir)
		if taken[c.plain] {
			a := tried[c.plain]
			if a == nil {
				a = &attempts{identifier: []byte(c.plain)}
				tried[c.plain] = a
			}
			for taken[string(a.identifier)] && a.made < len(byName) {
				a.next(c.dir)
			}
			if c.plain = string(a.identifier); taken[c.plain] {
				return withPath(&formats.LimitError{What: "number of names that begin like " + quote(c.name), Value: int64(a.made) + 1, Max: int64(a.made)}, c)
			}
		}
		taken[c.plain] = true
	}
	d.byPlain, d.byJoliet = byName, slices.Clone(byName)
	slices.SortFunc(d.byPlain, func(a, b *entry) int { return strings.Compare(a.plain, b.plain) })
	slices.SortFunc(d.byJoliet, func(a, b *entry) int { return strings.Compare(a.joliet, b.joliet) })
	return nil
}

// attempts is how far the search for a free identifier has come. Every name that wants the same one goes through the same
// identifiers, and those that were taken stay so.
type attempts struct {
	identifier []byte
	made       int
}

// next writes the number of the attempt over the last characters ahead of the version.
func (a *attempts) next(dir bool) {
	digits := strconv.Itoa(a.made)
	stem := a.identifier
	if !dir {
		stem = bytes.TrimSuffix(stem, []byte(versionOne))
	}
	copy(stem[max(0, len(stem)-len(digits)):], digits)
	a.made++
}
