package gui

import (
	"bytes"
	"strings"
)

// A diffLine is a line of a comparison: of both texts, of the first only, or of the second only.
type diffLine struct {
	kind        diffKind
	text        string
	left, right int // line numbers from 1; 0 where the line does not exist
}

type diffKind uint8

const (
	same diffKind = iota
	removed
	added
)

// diffLimit bounds the work of a comparison. What differs between two settings files is far below it; beyond it the parts
// that differ are shown one after the other.
const diffLimit = 2000

// diffLines compares two texts line by line: the common beginning and end are found first, the middle by the longest
// common subsequence.
func diffLines(a, b []byte) []diffLine {
	x, y := splitLines(a), splitLines(b)
	var out []diffLine
	i, j := 0, 0
	put := func(kind diffKind) {
		l := diffLine{kind: kind}
		if kind != added {
			l.text, l.left = x[i], i+1
			i++
		}
		if kind != removed {
			l.text, l.right = y[j], j+1
			j++
		}
		out = append(out, l)
	}
	for i < len(x) && j < len(y) && x[i] == y[j] {
		put(same)
	}
	endX, endY := len(x), len(y)
	for endX > i && endY > j && x[endX-1] == y[endY-1] {
		endX, endY = endX-1, endY-1
	}
	if endX-i <= diffLimit && endY-j <= diffLimit {
		startX, startY := i, j
		lengths := commonLengths(x[i:endX], y[j:endY])
		for i < endX && j < endY {
			di, dj := i-startX, j-startY
			switch {
			case x[i] == y[j]:
				put(same)
			case lengths[di+1][dj] >= lengths[di][dj+1]:
				put(removed)
			default:
				put(added)
			}
		}
	}
	for i < endX {
		put(removed)
	}
	for j < endY {
		put(added)
	}
	for i < len(x) {
		put(same)
	}
	return out
}

// commonLengths gives for each pair of positions how many lines the rests have in common.
func commonLengths(x, y []string) [][]uint16 {
	table := make([][]uint16, len(x)+1)
	for i := range table {
		table[i] = make([]uint16, len(y)+1)
	}
	for i := len(x) - 1; i >= 0; i-- {
		for j := len(y) - 1; j >= 0; j-- {
			if x[i] == y[j] {
				table[i][j] = table[i+1][j+1] + 1
			} else {
				table[i][j] = max(table[i+1][j], table[i][j+1])
			}
		}
	}
	return table
}

func splitLines(text []byte) []string {
	text = bytes.TrimPrefix(text, []byte("\ufeff"))
	if len(text) == 0 {
		return nil
	}
	lines := strings.Split(strings.TrimSuffix(string(text), "\n"), "\n")
	for i, l := range lines {
		lines[i] = strings.ReplaceAll(strings.TrimSuffix(l, "\r"), "\t", "    ")
	}
	return lines
}

// around keeps the lines that differ and some around them; a gap is marked by a line without numbers.
func around(lines []diffLine, context int) []diffLine {
	keep := make([]bool, len(lines))
	for i, l := range lines {
		if l.kind != same {
			for k := max(0, i-context); k <= min(len(lines)-1, i+context); k++ {
				keep[k] = true
			}
		}
	}
	var out []diffLine
	for i, l := range lines {
		switch {
		case keep[i]:
			out = append(out, l)
		case i > 0 && keep[i-1] || i == 0 && len(lines) > 0:
			out = append(out, diffLine{text: "⋯"})
		}
	}
	return out
}
