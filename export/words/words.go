// Package words writes numbers the way people read them, the same in the window, in the log and on the command line.
package words

import "fmt"

// Size writes a count of bytes for people: 512 B, 4.0 kB, 38.1 MB, 1.73 GB, with steps of 1024 as the editor has them.
func Size(n int64) string {
	v, unit := float64(n), "B"
	for _, next := range []string{"kB", "MB", "GB", "TB"} {
		if v < 1024 && v > -1024 {
			break
		}
		v, unit = v/1024, next
	}
	switch {
	case unit == "B":
		return fmt.Sprintf("%d B", n)
	case unit == "GB" || unit == "TB":
		return fmt.Sprintf("%.2f %s", v, unit)
	}
	return fmt.Sprintf("%.1f %s", v, unit)
}
