package ui

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"talebinder/export/words"
)

// Size writes a count of bytes for people: 512 B, 4.0 kB, 38.1 MB, 1.73 GB, with steps of 1024 as the editor has them.
func Size(n int64) string { return words.Size(n) }

// SignedSize writes a difference of sizes with its sign: +1.2 MB, −300 B, ±0. A true minus is as wide as a plus.
func SignedSize(n int64) string {
	switch {
	case n > 0:
		return "+" + Size(n)
	case n < 0:
		return "−" + Size(-n)
	}
	return "±0"
}

// ExactSize writes a count of bytes with its digits in groups: 39,951,565 bytes.
func ExactSize(n int64) string {
	if n == 1 {
		return "1 byte"
	}
	return Count(n) + " bytes"
}

// Count writes a number with its digits in groups of three: 50,000.
func Count(n int64) string {
	s := strconv.FormatInt(n, 10)
	sign := ""
	if n < 0 {
		sign, s = "-", s[1:]
	}
	var b strings.Builder
	for i, r := range s {
		if i > 0 && (len(s)-i)%3 == 0 {
			b.WriteByte(',')
		}
		b.WriteRune(r)
	}
	return sign + b.String()
}

// Plural writes a number with its noun: 1 problem, 3 problems, 2 entries.
func Plural(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	switch {
	case strings.HasSuffix(noun, "y") && !strings.HasSuffix(noun, "ay") && !strings.HasSuffix(noun, "ey"):
		noun = noun[:len(noun)-1] + "ies"
	case strings.HasSuffix(noun, "s"), strings.HasSuffix(noun, "x"), strings.HasSuffix(noun, "ch"):
		noun += "es"
	default:
		noun += "s"
	}
	return Count(int64(n)) + " " + noun
}

// Duration writes a length of time for people: 0.4 s, 48 s, 2:05, 1:02:05.
func Duration(d time.Duration) string {
	switch {
	case d < 0:
		return "0 s"
	case d < 10*time.Second:
		return fmt.Sprintf("%.1f s", d.Seconds())
	case d < time.Minute:
		return fmt.Sprintf("%d s", int(d.Seconds()))
	}
	s := int(d.Round(time.Second).Seconds())
	if s < 3600 {
		return fmt.Sprintf("%d:%02d", s/60, s%60)
	}
	return fmt.Sprintf("%d:%02d:%02d", s/3600, s/60%60, s%60)
}

// Age writes how long ago something was: just now, 5 minutes ago, yesterday, 3 weeks ago, 2 years ago.
func Age(t, now time.Time) string {
	if t.IsZero() {
		return "never"
	}
	d := now.Sub(t)
	ago := func(n int, unit string) string { return Plural(n, unit) + " ago" }
	day := 24 * time.Hour
	switch {
	case d < time.Minute:
		return "just now"
	case d < time.Hour:
		return ago(int(d/time.Minute), "minute")
	case d < day:
		return ago(int(d/time.Hour), "hour")
	case d < 2*day:
		return "yesterday"
	case d < 14*day:
		return ago(int(d/day), "day")
	case d < 60*day:
		return ago(int(d/(7*day)), "week")
	case d < 730*day:
		return ago(int(d/(30*day)), "month")
	}
	return ago(int(d/(365*day)), "year")
}

// Percent writes a fraction of 0..1 in whole percent, rounded down so that 100 % means done.
func Percent(fraction float64) string {
	return strconv.Itoa(int(min(max(fraction, 0), 1)*100)) + " %"
}

// Sentence makes a message begin with a capital letter, unless it begins with a path, and end with a full stop.
func Sentence(s string) string {
	first, _, _ := strings.Cut(s, " ")
	if s == "" {
		return s
	}
	if !strings.ContainsAny(first, "./\\_") {
		r := []rune(s)
		s = strings.ToUpper(string(r[0])) + string(r[1:])
	}
	return strings.TrimSuffix(s, ".") + "."
}
