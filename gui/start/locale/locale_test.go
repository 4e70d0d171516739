//go:build !windows

package locale

import "testing"

func TestWithout(t *testing.T) {
	type env map[string]string
	for name, c := range map[string]struct {
		env  env
		want bool
	}{
		"C.UTF-8":                   {env{"LANG": "C.UTF-8"}, true},
		"C.UTF-8 for messages":      {env{"LC_MESSAGES": "C.utf8", "LANG": "de_DE.UTF-8"}, true},
		"a language goes first":     {env{"LANG": "C.UTF-8", "LANGUAGE": "de"}, false},
		"a locale with a language":  {env{"LANG": "de_DE.UTF-8"}, false},
		"everything else set aside": {env{"LC_ALL": "de_DE.UTF-8", "LANG": "C.UTF-8"}, false},
		"C":                         {env{"LANG": "C"}, false},
		"nothing":                   {nil, false},
	} {
		if got := without(func(name string) (string, bool) { v, ok := c.env[name]; return v, ok }); got != c.want {
			t.Errorf("%s: %v, want %v", name, got, c.want)
		}
	}
}
