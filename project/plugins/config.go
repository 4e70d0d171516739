package plugins

import (
	"slices"
	"strings"

	"talebinder/formats/jsondoc"
	"talebinder/project/internal/fields"
)

// A Config is the content of config/plugins.json as far as it decides which plugins are switched on. The file's
// "settings" are the plugins' own and only checked.
type Config struct {
	Disabled []string // ids
	Enabled  []string // ids, over the manifest's own "enabled"
}

// ParseConfig reads the text of config/plugins.json. Its error lists every fault with its line and column and wraps
// formats.ErrDamaged.
func ParseConfig(text []byte) (Config, error) {
	r, err := fields.Read(text)
	if err != nil {
		return Config{}, err
	}
	var c Config
	root := r.Root()
	if r.Doc().Root().Kind() == jsondoc.Null {
		r.Fault(r.Doc().Root(), "expected an object, found null")
	}
	for name, v := range root.Value().Members() {
		if !slices.Contains([]string{"disabled", "enabled", "settings"}, name) {
			r.Fault(v.Name(), "%s is not a property of this file", name)
		}
	}
	ids := func(name string) []string {
		if v := root.Value().Get(name); v.Kind() == jsondoc.Null {
			r.Fault(v, "%s: expected a list, found null", name)
		}
		all := root.Texts(name, false)
		for i := range all {
			all[i] = strings.TrimSpace(all[i])
		}
		return all
	}
	c.Disabled, c.Enabled = ids("disabled"), ids("enabled")
	disabled := setOf(c.Disabled)
	i := -1
	for item := range root.Get("enabled").Items() {
		if i++; disabled[c.Enabled[i]] && item.Kind() == jsondoc.String {
			r.Fault(item, "enabled[%d]: %q is in both lists", i, c.Enabled[i])
		}
	}
	if v := root.Value().Get("settings"); v.Exists() {
		settings := r.Item(v, "settings")
		for name, entry := range settings.Value().Members() {
			r.Item(entry, settings.Path(name))
		}
	}
	if err := r.Err(); err != nil {
		return Config{}, err
	}
	return c, nil
}
