package iso9660

import (
	"context"
	"fmt"
	"io"
	"strings"
)

// IPBin is what the bootstrap of a Dreamcast disc (IP.BIN) says of the disc, at the start of the system area. Texts are
// without the spaces that fill them up.
//
//	00 16  hardware identifier, "SEGA SEGAKATANA"
//	10 16  maker; 20: device information, 16; 30: area symbols, 8; 38: peripherals, 8
//	40 10  product number; 4A: version, 6; 50: release date, 16
//	60 16  boot file; 70: publisher, 16; 80: title, 128
type IPBin struct {
	HardwareID, Maker, Device string
	Areas, Peripherals        string
	Product, Version, Date    string
	BootFile                  string // a name in the plain hierarchy
	Publisher, Title          string
}

const katana = "SEGA SEGAKATANA"

// ReadIPBin reads the facts of a Dreamcast disc. A system area that does not begin with "SEGA SEGAKATANA" gives nil.
func (v *Volume) ReadIPBin(ctx context.Context) (*IPBin, error) {
	b := make([]byte, 256)
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if _, err := io.ReadFull(v.SystemArea(), b); err != nil {
		return nil, fmt.Errorf("system area: %w", err)
	}
	if !strings.HasPrefix(string(b), katana) {
		return nil, nil
	}
	text := func(from, to int) string { return printable(b[from:to]) }
	return &IPBin{
		HardwareID: text(0x00, 0x10), Maker: text(0x10, 0x20), Device: text(0x20, 0x30), Areas: text(0x30, 0x38), Peripherals: text(0x38, 0x40),
		Product: text(0x40, 0x4A), Version: text(0x4A, 0x50), Date: text(0x50, 0x60), BootFile: text(0x60, 0x70), Publisher: text(0x70, 0x80), Title: text(0x80, 0x100),
	}, nil
}

// printable gives bytes as text for people: what is not printable ASCII becomes a question mark.
func printable(b []byte) string {
	return strings.Map(func(r rune) rune {
		if r < ' ' || r > '~' {
			return '?'
		}
		return r
	}, strings.TrimRight(string(b), " \x00"))
}

// SystemCNF is the file of a PlayStation disc that names its executable.
type SystemCNF struct {
	Boot         string // the value of BOOT2, else of BOOT, such as "cdrom0:\JAZZ2.ELF;1"
	PlayStation2 bool   // it is BOOT2 that names the executable
	Executable   string // its path on the disc with slashes and without the version, such as "JAZZ2.ELF"
	Version      string // the value of VER
	VideoMode    string // the value of VMODE
	Text         string // the whole file
}

// maxCNF is far more than any console reads of SYSTEM.CNF.
const maxCNF = 16 << 10

// ReadSystemCNF reads SYSTEM.CNF from the root directory, at most 16 KiB of it. A disc without one gives nil; of a file
// that is no list of settings the values are empty.
func (v *Volume) ReadSystemCNF(ctx context.Context) (*SystemCNF, error) {
	root, err := v.ReadRoot(ctx)
	if err != nil {
		return nil, err
	}
	for _, n := range root {
		if n.Dir || !equalFold(n.Name, "SYSTEM.CNF") {
			continue
		}
		content, err := v.Open(n)
		if err != nil {
			return nil, err
		}
		text, err := io.ReadAll(io.LimitReader(content, maxCNF))
		if err != nil {
			return nil, fmt.Errorf("%s: %w", part(n), err)
		}
		return parseSystemCNF(string(text)), nil
	}
	return nil, nil
}

func parseSystemCNF(text string) *SystemCNF {
	c := &SystemCNF{Text: text}
	for line := range strings.Lines(text) {
		key, value, ok := strings.Cut(line, "=")
		if !ok {
			continue
		}
		value = printable([]byte(strings.TrimSpace(value)))
		switch strings.ToUpper(strings.TrimSpace(key)) {
		case "BOOT2":
			c.Boot, c.PlayStation2 = value, true
		case "BOOT":
			if !c.PlayStation2 {
				c.Boot = value
			}
		case "VER":
			c.Version = value
		case "VMODE":
			c.VideoMode = value
		}
	}
	path := c.Boot
	if _, rest, ok := strings.Cut(path, ":"); ok {
		path = rest
	}
	path, _, _ = strings.Cut(path, ";")
	c.Executable = strings.TrimLeft(strings.ReplaceAll(path, `\`, "/"), "/")
	return c
}
