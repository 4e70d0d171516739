package pe

import (
	"encoding/binary"
	"fmt"
	"math"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"talebinder/formats"
)

// VersionInfo is what Windows shows of a program under Properties, Details. Empty texts are left out.
type VersionInfo struct {
	FileNumber, ProductNumber [4]uint16 // most significant first

	CompanyName      string
	FileDescription  string // what the task manager calls the program
	FileVersion      string
	InternalName     string
	LegalCopyright   string
	OriginalFilename string
	ProductName      string
	ProductVersion   string
}

// texts gives the texts with their names, in the order in which they are written.
func (v *VersionInfo) texts() []struct {
	name string
	text *string
} {
	return []struct {
		name string
		text *string
	}{
		{"CompanyName", &v.CompanyName}, {"FileDescription", &v.FileDescription}, {"FileVersion", &v.FileVersion},
		{"InternalName", &v.InternalName}, {"LegalCopyright", &v.LegalCopyright}, {"OriginalFilename", &v.OriginalFilename},
		{"ProductName", &v.ProductName}, {"ProductVersion", &v.ProductVersion},
	}
}

// ParseNumber gives the leading numbers of a version, up to four of them with dots between, as in "1.4.2-beta". Numbers
// that are absent are 0, those above 65535 are 65535; exact is false when anything was left out or changed.
func ParseNumber(version string) (number [4]uint16, exact bool) {
	exact = true
	rest := version
	for i := range number {
		digits := rest[:len(rest)-len(strings.TrimLeft(rest, "0123456789"))]
		if digits == "" {
			return number, false
		}
		n, err := strconv.ParseUint(digits, 10, 16)
		if err != nil { // digits alone can only be too large
			n, exact = math.MaxUint16, false
		}
		number[i] = uint16(n)
		rest = rest[len(digits):]
		if rest == "" {
			return number, exact
		}
		if rest[0] != '.' {
			break
		}
		rest = rest[1:]
	}
	return number, false
}

const (
	fixedSignature = 0xFEEF04BD
	fixedSize      = 52
	// English (United States) in UTF-16: the block of texts that every reader asks for first.
	language, codePage = 0x0409, 0x04B0
	maxVersionSize     = math.MaxUint16
	maxVersionDepth    = 4
)

// encode gives the bytes of the resource:
//
//	u16 length, u16 length of the value, u16 1 when it is text; name and a zero in UTF-16; value; children; each part
//	aligned at 4
//
// VS_VERSION_INFO has a value of 52 bytes and the children StringFileInfo, which holds a block of texts for each language,
// and VarFileInfo, which lists the languages. The length of a text's value counts its UTF-16 units and a zero.
func (v *VersionInfo) encode() ([]byte, error) {
	le := binary.LittleEndian
	fixed := make([]byte, fixedSize)
	for i, n := range []uint32{fixedSignature, 0x10000, high(v.FileNumber), low(v.FileNumber), high(v.ProductNumber), low(v.ProductNumber),
		0x3F, 0, 0x40004 /* Windows NT */, 1 /* a program */} {
		le.PutUint32(fixed[4*i:], n)
	}
	block := node{name: fmt.Sprintf("%04X%04X", language, codePage), text: true}
	for _, t := range v.texts() {
		if strings.ContainsRune(*t.text, 0) || !utf8.ValidString(*t.text) {
			return nil, fmt.Errorf("version information: %s: %q is no text: it contains a zero character or is not UTF-8", t.name, *t.text)
		}
		if *t.text != "" {
			block.children = append(block.children, node{name: t.name, text: true, value: terminated(*t.text)})
		}
	}
	root := node{name: "VS_VERSION_INFO", value: fixed, children: []node{
		{name: "StringFileInfo", text: true, children: []node{block}},
		{name: "VarFileInfo", text: true, children: []node{{name: "Translation", value: []byte{language & 0xff, language >> 8, codePage & 0xff, codePage >> 8}}}},
	}}
	b := root.append(nil)
	if len(b) > maxVersionSize {
		return nil, fmt.Errorf("version information: %w", &formats.LimitError{What: "length of all texts", Value: int64(len(b)), Max: maxVersionSize, Unit: "bytes"})
	}
	return b, nil
}

func high(n [4]uint16) uint32 { return uint32(n[0])<<16 | uint32(n[1]) }
func low(n [4]uint16) uint32  { return uint32(n[2])<<16 | uint32(n[3]) }

// node is a part of version information.
type node struct {
	name     string
	text     bool
	value    []byte
	children []node
}

// append appends the bytes of a node; b is aligned.
func (n node) append(b []byte) []byte {
	le := binary.LittleEndian
	start := len(b)
	length, kind := len(n.value), uint16(0)
	if n.text {
		length, kind = length/2, 1
	}
	b = le.AppendUint16(append(b, 0, 0), uint16(length))
	b = le.AppendUint16(b, kind)
	b = append(b, terminated(n.name)...)
	if len(n.value) > 0 {
		b = append(align4(b), n.value...)
	}
	for _, child := range n.children {
		b = child.append(align4(b))
	}
	le.PutUint16(b[start:], uint16(len(b)-start))
	return b
}

func align4(b []byte) []byte {
	for len(b)%4 != 0 {
		b = append(b, 0)
	}
	return b
}

// terminated gives a text in UTF-16 with a zero at its end.
func terminated(s string) []byte {
	var b []byte
	for _, u := range append(utf16.Encode([]rune(s)), 0) {
		b = binary.LittleEndian.AppendUint16(b, u)
	}
	return b
}

// VersionInfo gives the version information, of its languages the first one, or nil when there is none.
func (f *File) VersionInfo() (*VersionInfo, error) {
	resources, err := f.Resources()
	if err != nil {
		return nil, err
	}
	for _, r := range resources {
		if r.Type == number(typeVersion) {
			b, err := f.read("version information", r.offset, min(r.Size, maxVersionSize))
			if err != nil {
				return nil, err
			}
			return parseVersion(b, r.offset)
		}
	}
	return nil, nil
}

// parseVersion reads version information that lies at an offset of the file.
func parseVersion(b []byte, offset int64) (*VersionInfo, error) {
	root, err := parseNode(b, offset, maxVersionDepth)
	if err != nil {
		return nil, err
	}
	le := binary.LittleEndian
	if root.name != "VS_VERSION_INFO" || len(root.value) < fixedSize || le.Uint32(root.value) != fixedSignature {
		return nil, formats.Damaged("version information", offset, fmt.Sprintf("%q with a value of %d bytes", root.name, len(root.value)),
			fmt.Sprintf("VS_VERSION_INFO with %d bytes that begin with 0x%X", fixedSize, uint32(fixedSignature)))
	}
	numbers := func(at int) [4]uint16 {
		ms, ls := le.Uint32(root.value[at:]), le.Uint32(root.value[at+4:])
		return [4]uint16{uint16(ms >> 16), uint16(ms), uint16(ls >> 16), uint16(ls)}
	}
	v := &VersionInfo{FileNumber: numbers(8), ProductNumber: numbers(16)}
	for _, info := range root.children {
		if info.name != "StringFileInfo" || len(info.children) == 0 {
			continue
		}
		for _, entry := range info.children[0].children {
			for _, t := range v.texts() {
				if t.name == entry.name {
					*t.text = decoded(entry.value)
				}
			}
		}
	}
	return v, nil
}

// decoded gives a text in UTF-16, up to a zero.
func decoded(b []byte) string {
	var units []uint16
	for ; len(b) >= 2; b = b[2:] {
		u := binary.LittleEndian.Uint16(b)
		if u == 0 {
			break
		}
		units = append(units, u)
	}
	return string(utf16.Decode(units))
}

// parseNode reads the node at the start of b, which lies at an offset of the file.
func parseNode(b []byte, offset int64, depth int) (node, error) {
	const header = 6
	le := binary.LittleEndian
	if len(b) < header {
		return node{}, formats.Damaged("version information", offset, fmt.Sprintf("%d bytes", len(b)), fmt.Sprintf("at least %d", header))
	}
	length := int(le.Uint16(b))
	if length < header || length > len(b) {
		return node{}, formats.Damaged("version information: length", offset, fmt.Sprint(length), fmt.Sprintf("%d to %d", header, len(b)))
	}
	b = b[:length]
	n := node{text: le.Uint16(b[4:]) == 1}
	valueLength := int(le.Uint16(b[2:]))
	if n.text {
		valueLength *= 2
	}
	n.name = decoded(b[header:])
	at := header + len(terminated(n.name))
	at = min((at+3)&^3, length)
	// Some linkers count the bytes of a text instead of its units, so that a value is cut off at the end of its node.
	valueLength = min(valueLength, length-at)
	n.value = b[at : at+valueLength]
	if depth == 1 {
		return n, nil
	}
	for at += valueLength; ; {
		at = (at + 3) &^ 3
		if at+header > length {
			return n, nil
		}
		if le.Uint16(b[at:]) == 0 {
			return n, nil // padding
		}
		child, err := parseNode(b[at:], offset+int64(at), depth-1)
		if err != nil {
			return node{}, err
		}
		n.children = append(n.children, child)
		at += int(le.Uint16(b[at:]))
	}
}
