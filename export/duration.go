package export

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"
)

// tick is the unit of durations and times in report files.
const tick = 100 * time.Nanosecond

// FormatDuration writes a duration as reports do: [d.]hh:mm:ss and, unless it is whole seconds, a dot and seven digits.
// What is shorter than 100 ns is dropped.
func FormatDuration(d time.Duration) string {
	var b strings.Builder
	ticks := int64(d / tick)
	if ticks < 0 {
		b.WriteByte('-')
		ticks = -ticks
	}
	const second = int64(time.Second / tick)
	seconds, fraction := ticks/second, ticks%second
	if days := seconds / 86400; days > 0 {
		fmt.Fprintf(&b, "%d.", days)
	}
	fmt.Fprintf(&b, "%02d:%02d:%02d", seconds/3600%24, seconds/60%60, seconds%60)
	if fraction != 0 {
		fmt.Fprintf(&b, ".%07d", fraction)
	}
	return b.String()
}

// ParseDuration reads a duration as FormatDuration writes it.
func ParseDuration(s string) (time.Duration, error) {
	fail := func() (time.Duration, error) {
		return 0, fmt.Errorf("%q is no duration of the form [d.]hh:mm:ss[.fffffff]", s)
	}
	rest, negative := strings.CutPrefix(s, "-")
	parts := strings.Split(rest, ":")
	if len(parts) != 3 {
		return fail()
	}
	days, hours := "0", parts[0]
	if d, h, found := strings.Cut(parts[0], "."); found {
		days, hours = d, h
	}
	seconds, fraction, hasFraction := strings.Cut(parts[2], ".")
	if len(hours) != 2 || len(parts[1]) != 2 || len(seconds) != 2 || hasFraction && (len(fraction) == 0 || len(fraction) > 7) {
		return fail()
	}
	fraction += strings.Repeat("0", 7-len(fraction))
	const maxDays = uint64(math.MaxInt64 / (24 * time.Hour))
	total := uint64(0) // in ticks; the largest value is checked below
	for _, part := range []struct {
		text string
		max  uint64
		unit time.Duration
	}{
		{days, maxDays, 24 * time.Hour},
		{hours, 23, time.Hour},
		{parts[1], 59, time.Minute},
		{seconds, 59, time.Second},
		{fraction, 9_999_999, tick},
	} {
		n, err := strconv.ParseUint(part.text, 10, 64)
		if err != nil || n > part.max || part.text[0] == '+' {
			return fail()
		}
		total += n * uint64(part.unit/tick)
	}
	if total > uint64(math.MaxInt64/tick) {
		return fail()
	}
	d := time.Duration(total) * tick
	if negative {
		d = -d
	}
	return d, nil
}

// formatTime writes a time as reports do: the fraction up to seven digits without trailing zeros, then the offset.
func formatTime(t time.Time) string {
	return t.Truncate(tick).Format("2006-01-02T15:04:05.9999999-07:00")
}

// parseTime reads a time as formatTime writes it; Z is accepted for the offset +00:00.
func parseTime(s string) (time.Time, error) {
	t, err := time.Parse("2006-01-02T15:04:05Z07:00", s)
	if err != nil {
		return time.Time{}, fmt.Errorf("%q is no time of the form yyyy-MM-ddTHH:mm:ss[.fffffff]+hh:mm", s)
	}
	return t, nil
}
