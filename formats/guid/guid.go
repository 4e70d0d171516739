// Package guid reads and writes the identifiers of Talesmith assets, entities and documents.
//
// They are written as 32 lower-case hexadecimal digits. Read is every form that .NET reads, ignoring case and the white
// space around it:
//
//	00112233445566778899aabbccddeeff
//	00112233-4455-6677-8899-aabbccddeeff
//	{00112233-4455-6677-8899-aabbccddeeff}
//	(00112233-4455-6677-8899-aabbccddeeff)
//	{0x00112233,0x4455,0x6677,{0x88,0x99,0xaa,0xbb,0xcc,0xdd,0xee,0xff}}
//
// In the last form white space may stand anywhere, and each number may have fewer digits or more leading zeros. The
// identifier of zeros only means that there is none.
package guid

import (
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"strconv"
	"strings"
	"unicode"

	"talebinder/formats"
)

// A Guid is an identifier of 16 bytes, in the order in which its digits are written. (.NET keeps the first eight bytes
// in another order in memory.)
type Guid [16]byte

// Parse reads a guid in any of the forms of the package comment. Its error quotes the text and wraps
// formats.ErrDamaged.
func Parse(s string) (Guid, error) {
	text := strings.TrimFunc(s, unicode.IsSpace)
	if g, ok := parseDigits(text); ok {
		return g, nil
	}
	if n := len(text); n > 2 {
		switch {
		case text[0] == '{' && text[n-1] == '}', text[0] == '(' && text[n-1] == ')':
			if g, ok := parseHyphenated(text[1 : n-1]); ok {
				return g, nil
			}
		}
	}
	if g, ok := parseNumbers(text); ok {
		return g, nil
	}
	const most = 80
	shown := s
	if len(shown) > most {
		shown = strings.ToValidUTF8(shown[:most], "") + "…"
	}
	return Guid{}, &formats.Fault{Kind: formats.ErrDamaged, Part: "guid", Offset: -1,
		Found: strconv.Quote(shown), Expected: "32 hexadecimal digits"}
}

// ParseReference reads a guid in one of the two forms that count as a reference inside a file: 32 digits, or 36
// characters with hyphens, without anything around. The zero guid is no reference.
func ParseReference(s string) (Guid, bool) {
	g, ok := parseDigits(s)
	if !ok || g.IsZero() {
		return Guid{}, false
	}
	return g, true
}

func parseDigits(s string) (Guid, bool) {
	if len(s) == 32 {
		var g Guid
		_, err := hex.Decode(g[:], []byte(s))
		return g, err == nil
	}
	return parseHyphenated(s)
}

func parseHyphenated(s string) (g Guid, ok bool) {
	if len(s) != 36 || s[8] != '-' || s[13] != '-' || s[18] != '-' || s[23] != '-' {
		return g, false
	}
	return parseDigits(s[:8] + s[9:13] + s[14:18] + s[19:23] + s[24:])
}

// parseNumbers reads the form of eleven hexadecimal numbers. A number of the second and third place may be as large as
// 32 bits; .NET takes its lower 16.
func parseNumbers(s string) (g Guid, ok bool) {
	s = strings.Map(func(r rune) rune {
		if unicode.IsSpace(r) {
			return -1
		}
		return r
	}, s)
	s, opened := strings.CutPrefix(s, "{")
	s, closed := strings.CutSuffix(s, "}}")
	head, tail, inner := strings.Cut(s, ",{")
	numbers, bytes := strings.Split(head, ","), strings.Split(tail, ",")
	if !opened || !closed || !inner || len(numbers) != 3 || len(bytes) != 8 {
		return g, false
	}
	at := 0
	for i, text := range numbers {
		v, ok := parseHex(text, 32)
		if !ok {
			return Guid{}, false
		}
		if i == 0 {
			g[0], g[1] = byte(v>>24), byte(v>>16)
			at = 2
		}
		g[at], g[at+1] = byte(v>>8), byte(v)
		at += 2
	}
	for _, text := range bytes {
		v, ok := parseHex(text, 8)
		if !ok {
			return Guid{}, false
		}
		g[at] = byte(v)
		at++
	}
	return g, true
}

func parseHex(s string, bits int) (uint32, bool) {
	if len(s) < 3 || s[0] != '0' || s[1]|0x20 != 'x' {
		return 0, false
	}
	for _, c := range []byte(s[2:]) { // ParseUint would take underscores and signs in some bases
		if !('0' <= c && c <= '9' || 'a' <= c|0x20 && c|0x20 <= 'f') {
			return 0, false
		}
	}
	v, err := strconv.ParseUint(s[2:], 16, bits)
	return uint32(v), err == nil
}

// String gives the 32 lower-case digits.
func (g Guid) String() string { return hex.EncodeToString(g[:]) }

// IsZero reports whether g is the zero guid, which stands for "none".
func (g Guid) IsZero() bool { return g == Guid{} }

// MarshalText gives the 32 lower-case digits.
func (g Guid) MarshalText() ([]byte, error) { return hex.AppendEncode(nil, g[:]), nil }

// UnmarshalText reads any of the forms of Parse.
func (g *Guid) UnmarshalText(text []byte) error {
	parsed, err := Parse(string(text))
	if err != nil {
		return err
	}
	*g = parsed
	return nil
}

// namespace keeps the guids of FromPath apart from other hashes of the same text. It was drawn at random and must
// never change: projects depend on the guids derived with it.
const namespace = "talebinder asset path 6f0f7a5c24e94b0f9d3c1e8b5a7d2c41\x00"

// FromPath derives the guid of an asset that has none from its normalized path: the first 16 bytes of the SHA-256 of a
// fixed text and the path, with the version (8) and variant bits of RFC 9562. Every computer derives the same.
func FromPath(path string) Guid {
	sum := sha256.Sum256([]byte(namespace + path))
	var g Guid
	copy(g[:], sum[:])
	g.mark(8)
	return g
}

// New gives a random guid (version 4 of RFC 9562).
func New() Guid {
	var g Guid
	_, _ = rand.Read(g[:]) // never fails: without random bytes it ends the program
	g.mark(4)
	return g
}

// mark sets the version and variant bits.
func (g *Guid) mark(version byte) {
	g[6] = g[6]&0x0F | version<<4
	g[8] = g[8]&0x3F | 0x80
}
