package build

import (
	"bytes"
	"strings"
)

// mark says what became of a line of build.json since it was saved.
type mark uint8

const (
	same    mark = iota
	added        // only in the text that Save would write
	removed      // only in the saved text
)

// line is one line of the panel that shows the text.
type line struct {
	number int // in the text that Save would write, from 1; 0 for a removed line
	text   string
	mark   mark
}

// maxCompare bounds the work of finding which lines changed, as the product of the numbers of lines that differ. Beyond
// it all of them count as changed.
const maxCompare = 4 << 20

// compareLines gives the lines of after, with those of before that are gone in their place.
func compareLines(before, after []byte) []line {
	old, text := splitLines(before), splitLines(after)
	head := 0
	for head < len(old) && head < len(text) && old[head] == text[head] {
		head++
	}
	tail := 0
	for tail < len(old)-head && tail < len(text)-head && old[len(old)-1-tail] == text[len(text)-1-tail] {
		tail++
	}
	lines := make([]line, 0, len(text)+len(old)-head-tail)
	add := func(m mark, s string, number int) { lines = append(lines, line{number: number, text: s, mark: m}) }
	for i := range head {
		add(same, text[i], i+1)
	}
	a, b := old[head:len(old)-tail], text[head:len(text)-tail]
	common := longestCommon(a, b)
	i, j := 0, 0
	for _, c := range common {
		for ; i < c[0]; i++ {
			add(removed, a[i], 0)
		}
		for ; j < c[1]; j++ {
			add(added, b[j], head+j+1)
		}
		add(same, b[j], head+j+1)
		i, j = i+1, j+1
	}
	for ; i < len(a); i++ {
		add(removed, a[i], 0)
	}
	for ; j < len(b); j++ {
		add(added, b[j], head+j+1)
	}
	for i := len(text) - tail; i < len(text); i++ {
		add(same, text[i], i+1)
	}
	return lines
}

// longestCommon gives the positions of a longest common subsequence of two lists of lines.
func longestCommon(a, b []string) [][2]int {
	if len(a) == 0 || len(b) == 0 || len(a)*len(b) > maxCompare {
		return nil
	}
	width := len(b) + 1
	length := make([]int32, (len(a)+1)*width)
	for i := len(a) - 1; i >= 0; i-- {
		for j := len(b) - 1; j >= 0; j-- {
			if a[i] == b[j] {
				length[i*width+j] = length[(i+1)*width+j+1] + 1
			} else {
				length[i*width+j] = max(length[(i+1)*width+j], length[i*width+j+1])
			}
		}
	}
	var common [][2]int
	for i, j := 0, 0; i < len(a) && j < len(b); {
		switch {
		case a[i] == b[j]:
			common = append(common, [2]int{i, j})
			i, j = i+1, j+1
		case length[(i+1)*width+j] >= length[i*width+j+1]:
			i++
		default:
			j++
		}
	}
	return common
}

// splitLines cuts a text at its line ends. A final line end does not begin another line.
func splitLines(text []byte) []string {
	if len(text) == 0 {
		return nil
	}
	text = bytes.TrimSuffix(text, []byte("\n"))
	lines := strings.Split(string(text), "\n")
	for i, l := range lines {
		lines[i] = strings.TrimSuffix(l, "\r")
	}
	return lines
}
