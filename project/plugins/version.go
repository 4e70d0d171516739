package plugins

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"
)

// A Version is the version of a plugin or of the engine.
type Version struct{ Major, Minor, Patch int }

// String gives all three numbers.
func (v Version) String() string { return fmt.Sprintf("%d.%d.%d", v.Major, v.Minor, v.Patch) }

// Compare orders versions: -1, 0 or +1.
func (v Version) Compare(w Version) int {
	return cmp.Or(cmp.Compare(v.Major, w.Major), cmp.Compare(v.Minor, w.Minor), cmp.Compare(v.Patch, w.Patch))
}

// ParseVersion reads one to three whole numbers with dots between them; missing numbers are 0. White space around the
// text is ignored.
func ParseVersion(text string) (Version, error) {
	v, _, err := parseParts(strings.TrimSpace(text))
	return v, err
}

// parseParts also says how many numbers were written.
func parseParts(text string) (Version, int, error) {
	parts := strings.Split(text, ".")
	if len(parts) > 3 {
		return Version{}, 0, fmt.Errorf("%q is not a version, expected one to three numbers such as 1.2.0", text)
	}
	var numbers [3]int
	for i, part := range parts {
		n, err := strconv.ParseUint(part, 10, 31) // ParseUint takes no sign, and base 10 no underscores
		if err != nil {
			if errors.Is(err, strconv.ErrRange) {
				return Version{}, 0, fmt.Errorf("%q is not a version, its numbers can be %d at most", text, math.MaxInt32)
			}
			return Version{}, 0, fmt.Errorf("%q is not a version, expected one to three numbers such as 1.2.0", text)
		}
		numbers[i] = int(n)
	}
	return Version{numbers[0], numbers[1], numbers[2]}, len(parts), nil
}

// A Range is the set of versions that a dependency accepts. The zero Range accepts every version.
//
// Alternatives stand between "||", the comparators of one alternative between spaces, and all of them must hold:
//
//   - x           every version
//     1.2.3          this version
//     1.2            every 1.2
//     >= > <= < =    compared as written; with fewer numbers the whole group counts, so >1.2 starts at 1.3.0
//     ^1.2           from 1.2.0, up to the next change of the first number that is not 0
//     ~1.2           from 1.2.0, below 1.3.0; ~1 below 2.0.0
//
// ".x", ".X" and ".*" at the end of a version say nothing, and there may be white space after an operator.
type Range struct {
	text string
	any  [][]span // one list of spans an alternative
}

// A span holds the versions from and above from, and below to; to is nil when there is no end.
type span struct {
	from Version
	to   *Version
}

// ParseRange reads a version range.
func ParseRange(text string) (Range, error) {
	text = strings.TrimSpace(text)
	r := Range{text: text}
	if text == "" {
		return Range{}, errors.New("the version range is empty, expected something such as ^1.2 or *")
	}
	for alternative := range strings.SplitSeq(text, "||") {
		words := strings.Fields(alternative)
		if len(words) == 0 {
			return Range{}, fmt.Errorf("the version range %q has an empty alternative", text)
		}
		var all []span
		for i := 0; i < len(words); i++ {
			operator := operatorOf(words[i])
			operand := words[i][len(operator):]
			if operand == "" && i+1 < len(words) {
				i++
				operand = words[i]
			}
			s, err := comparator(operator, operand)
			if err != nil {
				return Range{}, fmt.Errorf("the version range %q: %w", text, err)
			}
			all = append(all, s)
		}
		r.any = append(r.any, all)
	}
	return r, nil
}

func operatorOf(word string) string {
	for _, operator := range []string{">=", "<=", ">", "<", "=", "^", "~"} {
		if strings.HasPrefix(word, operator) {
			return operator
		}
	}
	return ""
}

func comparator(operator, operand string) (span, error) {
	if operand == "" {
		return span{}, fmt.Errorf("a version is missing after %s", operator)
	}
	if operator == "" && (operand == "*" || operand == "x" || operand == "X") {
		return span{}, nil
	}
	for {
		trimmed := operand
		for _, wildcard := range []string{".x", ".X", ".*"} {
			trimmed = strings.TrimSuffix(trimmed, wildcard)
		}
		if trimmed == operand {
			break
		}
		operand = trimmed
	}
	v, parts, err := parseParts(operand)
	if err != nil {
		return span{}, err
	}
	switch operator {
	case ">=":
		return span{from: v}, nil
	case ">":
		return span{from: v.next(parts)}, nil
	case "<":
		return span{to: &v}, nil
	case "<=":
		end := v.next(parts)
		return span{to: &end}, nil
	case "^":
		end := v.next(caretPart(v, parts))
		return span{from: v, to: &end}, nil
	case "~":
		end := v.next(min(parts, 2))
		return span{from: v, to: &end}, nil
	}
	end := v.next(parts)
	return span{from: v, to: &end}, nil
}

// next is the first version that no longer starts with the first so many numbers of v.
func (v Version) next(parts int) Version {
	switch parts {
	case 1:
		return Version{Major: v.Major + 1}
	case 2:
		return Version{v.Major, v.Minor + 1, 0}
	}
	return Version{v.Major, v.Minor, v.Patch + 1}
}

// caretPart is which number a ^ range keeps: the first that is not 0, else the last that was written.
func caretPart(v Version, parts int) int {
	switch {
	case v.Major != 0 || parts == 1:
		return 1
	case v.Minor != 0 || parts == 2:
		return 2
	}
	return 3
}

// atLeast is the range of a minimumVersion.
func atLeast(v Version) Range {
	return Range{text: ">=" + v.String(), any: [][]span{{{from: v}}}}
}

// Contains says whether a version is in the range.
func (r Range) Contains(v Version) bool {
	if len(r.any) == 0 {
		return true
	}
	for _, all := range r.any {
		holds := true
		for _, s := range all {
			if v.Compare(s.from) < 0 || s.to != nil && v.Compare(*s.to) >= 0 {
				holds = false
				break
			}
		}
		if holds {
			return true
		}
	}
	return false
}

// String gives the range as it was written, and * for the zero Range.
func (r Range) String() string {
	if r.text == "" {
		return "*"
	}
	return r.text
}
