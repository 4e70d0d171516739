package ui

import (
	"runtime"
	"strings"
)

// CommandLine joins the words of a command so that this system's shell takes them apart again.
func CommandLine(words []string) string { return commandLine(words, runtime.GOOS == "windows") }

// commandLine writes for a POSIX shell, or for the command prompt of Windows.
func commandLine(words []string, windows bool) string {
	quoted := make([]string, len(words))
	for i, w := range words {
		switch {
		case w != "" && strings.IndexFunc(w, func(r rune) bool { return !plain(r, windows) }) < 0:
			quoted[i] = w
		case windows:
			quoted[i] = `"` + strings.ReplaceAll(w, `"`, `\"`) + `"`
		default:
			quoted[i] = "'" + strings.ReplaceAll(w, "'", `'\''`) + "'"
		}
	}
	return strings.Join(quoted, " ")
}

// plain says whether a character means nothing to a shell.
func plain(r rune, windows bool) bool {
	switch {
	case r >= 'a' && r <= 'z', r >= 'A' && r <= 'Z', r >= '0' && r <= '9', r > 0x7f:
		return true
	case r == '\\':
		return windows
	}
	return strings.ContainsRune("-_./:+,@", r)
}
