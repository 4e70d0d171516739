package ui

import (
	"strconv"
	"strings"

	"talebinder/export"
)

// SumsText writes hashes for a report that a person sends on: a line for each, with tabs between what it is, its path, its
// bytes and its SHA-256.
func SumsText(sums []export.Sum) string {
	var b strings.Builder
	for _, s := range sums {
		b.WriteString(s.Role + "\t" + s.Path + "\t" + strconv.FormatInt(s.Size, 10) + " bytes")
		if s.SHA256 != "" {
			b.WriteString("\tsha256 " + s.SHA256)
		}
		b.WriteByte('\n')
	}
	return b.String()
}
