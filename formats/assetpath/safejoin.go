package assetpath

import (
	"errors"
	"fmt"
	"path/filepath"
	"runtime"
	"strings"
)

// ErrFileName is wrapped by the error for a path that cannot be the name of a file on this system.
var ErrFileName = errors.New("not a file name on this system")

// SafeJoin gives the path below the folder root that holds the asset path rel, with the separators of this system. It
// normalizes rel and refuses what would leave root (ErrLeaves) or cannot be the name of a file here (ErrFileName): a
// NUL anywhere, and on Windows drives, devices such as NUL or COM1, the characters < > : " | ? * and control
// characters, and names that end in a dot or a space. rel "" gives root. Symbolic links below root are not looked at.
func SafeJoin(root, rel string) (string, error) {
	normal, err := Normalize(rel)
	if err != nil {
		return "", err
	}
	if normal == "" {
		return root, nil
	}
	for segment := range strings.SplitSeq(normal, "/") {
		if fault := segmentFault(segment, runtime.GOOS == "windows"); fault != "" {
			return "", fmt.Errorf("%q: %w: %s", rel, ErrFileName, fault)
		}
	}
	local, err := filepath.Localize(normal)
	if err != nil {
		return "", fmt.Errorf("%q: %w", rel, ErrFileName)
	}
	return filepath.Join(root, local), nil
}

// segmentFault says why a segment cannot be a file name, or gives "".
func segmentFault(segment string, windows bool) string {
	if strings.IndexByte(segment, 0) >= 0 {
		return "it contains a NUL character"
	}
	if !windows {
		return ""
	}
	for _, r := range segment {
		if r < ' ' || strings.ContainsRune(`<>:"|?*`, r) {
			return fmt.Sprintf("%q must not be in a name", r)
		}
	}
	if strings.HasSuffix(segment, ".") || strings.HasSuffix(segment, " ") {
		return "a name must not end in a dot or a space"
	}
	stem, _, _ := strings.Cut(segment, ".")
	if isDevice(strings.ToUpper(strings.TrimRight(stem, " "))) {
		return fmt.Sprintf("%q is the name of a device", stem)
	}
	return ""
}

// isDevice reports whether an upper-case name without extension belongs to a device of Windows.
func isDevice(stem string) bool {
	switch stem {
	case "CON", "PRN", "AUX", "NUL", "CONIN$", "CONOUT$":
		return true
	}
	digit, found := strings.CutPrefix(stem, "COM")
	if !found {
		digit, found = strings.CutPrefix(stem, "LPT")
	}
	if !found {
		return false
	}
	switch digit {
	case "0", "1", "2", "3", "4", "5", "6", "7", "8", "9", "¹", "²", "³":
		return true
	}
	return false
}
