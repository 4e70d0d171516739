//go:build !windows

// Package locale gives the toolkit a language where the system's locale has none. Containers and build servers run in C.UTF-8,
// which the toolkit takes for the name of a language and complains about on standard error, also when a command was asked for.
//
// The toolkit reads the locale while its packages are initialised. This one comes before them, since it needs nothing but
// package syscall: packages that are ready are initialised in the order of their paths, and this one is ready before package
// time, which sorts behind it and which the toolkit depends on.
package locale

import "syscall"

func init() {
	if without(syscall.Getenv) {
		_ = syscall.Setenv("LANGUAGE", "en")
	}
}

// without says that the environment names a locale such as C.UTF-8, and no language.
func without(getenv func(string) (string, bool)) bool {
	if language, _ := getenv("LANGUAGE"); language != "" {
		return false
	}
	for _, variable := range []string{"LC_ALL", "LC_MESSAGES", "LANG"} {
		if value, _ := getenv(variable); value != "" {
			return len(value) > 2 && value[:2] == "C."
		}
	}
	return false
}
