package plugins

import (
	"net/url"
	"regexp"
	"slices"
	"strings"

	"talebinder/formats/assetpath"
	"talebinder/formats/jsondoc"
	"talebinder/project/internal/fields"
)

// ContractVersion is the version of the engine's interface for plugins that a manifest has to name.
const ContractVersion = 1

// A Manifest is the content of a plugin.json.
type Manifest struct {
	ID               string // lower-case letters and digits in groups, with single '.', '-' or '_' between them
	Name             string // the id when the file gives none
	Description      string
	License          string
	Version          Version
	Authors          []string
	Homepage         string // an http or https address, or empty
	Icon             string // relative to the plugin's folder, or empty
	Assets           string // a folder relative to the plugin's folder, or empty
	Assembly         string // file name of the assembly that the game loads
	EditorAssembly   string // file name of the assembly that only the editor loads, or empty
	ContractVersion  int
	MinEngineVersion *Version
	Extensions       []string // ids of what the plugin extends
	Permissions      []string
	Dependencies     []Dependency
	Enabled          bool // unless config/plugins.json says otherwise
}

// A Dependency is a plugin that another one needs, or can use when it is optional.
type Dependency struct {
	ID       string
	Range    Range
	Optional bool
}

// permissions are the words that a manifest may ask for.
var permissions = []string{
	"fileSystem", "network", "processExecution", "editorUi", "runtimeScene", "assetWrite", "renderBackend",
}

var (
	idForm = regexp.MustCompile(`^[a-z0-9]+([._-][a-z0-9]+)*$`)
	drive  = regexp.MustCompile(`^[A-Za-z]:`)
)

const idRule = "lower-case letters and digits in groups with a single '.', '-' or '_' between them"

// manifestNames are the properties of a plugin.json; any other is an error.
var manifestNames = []string{
	"id", "name", "description", "license", "version", "authors", "homepage", "icon", "assets", "assembly",
	"editorAssembly", "contractVersion", "minEngineVersion", "extensions", "permissions", "dependencies", "enabled",
}

// ParseManifest reads the text of a plugin.json. Its error lists every fault with its line and column and wraps
// formats.ErrDamaged.
func ParseManifest(text []byte) (*Manifest, error) {
	r, err := fields.Read(text)
	if err != nil {
		return nil, err
	}
	m := &Manifest{Enabled: true, Version: Version{Major: 1}}
	p := manifestReader{r}
	root := r.Root()
	if !root.Value().Exists() {
		if r.Doc().Root().Kind() == jsondoc.Null {
			r.Fault(r.Doc().Root(), "expected an object, found null")
		}
		return nil, r.Err()
	}
	p.unknown(root, manifestNames)

	m.ID = p.text(root, "id")
	switch {
	case !root.Get("id").Exists():
		r.Fault(root.Value(), "id is missing")
	case root.Get("id").Kind() == jsondoc.String && !idForm.MatchString(m.ID):
		p.fault(root, "id", "%q is not an id, expected %s", m.ID, idRule)
	}
	m.Name, m.Description, m.License = p.text(root, "name"), p.text(root, "description"), p.text(root, "license")
	if m.Name == "" {
		m.Name = m.ID
	}
	if v := p.version(root, "version"); v != nil {
		m.Version = *v
	}
	m.Authors = p.texts(root, "authors")
	m.Homepage = p.text(root, "homepage")
	if m.Homepage != "" && !isWebAddress(m.Homepage) {
		p.fault(root, "homepage", "%q is not an http or https address", m.Homepage)
	}
	m.Icon, m.Assets = p.inside(root, "icon"), p.inside(root, "assets")

	m.Assembly = p.text(root, "assembly")
	if !root.Get("assembly").Exists() {
		r.Fault(root.Value(), "assembly is missing")
	} else {
		p.assembly(root, "assembly", m.Assembly)
	}
	if m.EditorAssembly = p.text(root, "editorAssembly"); m.EditorAssembly != "" {
		p.assembly(root, "editorAssembly", m.EditorAssembly)
		if assetpath.Fold(m.EditorAssembly) == assetpath.Fold(m.Assembly) {
			p.fault(root, "editorAssembly", "the editor's assembly must not be the game's, %s", m.Assembly)
		}
	}

	if v := root.Value().Get("contractVersion"); !v.Exists() {
		r.Fault(root.Value(), "contractVersion is missing")
	} else {
		m.ContractVersion = ContractVersion // unless it is read; what is no number is a fault already
		root.Int("contractVersion", &m.ContractVersion)
		if m.ContractVersion < 1 {
			p.fault(root, "contractVersion", "expected 1 or more, found %d", m.ContractVersion)
		}
	}
	m.MinEngineVersion = p.version(root, "minEngineVersion")
	m.Extensions = p.texts(root, "extensions")
	p.eachOnce(root, "extensions", m.Extensions, func(s string) string {
		if idForm.MatchString(s) {
			return ""
		}
		return "expected " + idRule
	})
	m.Permissions = p.texts(root, "permissions")
	p.eachOnce(root, "permissions", m.Permissions, func(s string) string {
		if slices.Contains(permissions, s) {
			return ""
		}
		return "expected one of " + strings.Join(permissions, ", ")
	})
	m.Dependencies = p.dependencies(root, m.ID)
	root.Bool("enabled", &m.Enabled)
	if err := r.Err(); err != nil {
		return nil, err
	}
	return m, nil
}

// A manifestReader adds the rules of manifests to those of settings.
type manifestReader struct{ r *fields.Reader }

// fault adds a fault at a member, or at the object when the member is not there.
func (p manifestReader) fault(o fields.Object, name, format string, args ...any) {
	at := o.Value().Get(name)
	if !at.Exists() {
		at = o.Value()
	}
	p.r.Fault(at, o.Path(name)+": "+format, args...)
}

// unknown adds a fault for each member without a meaning.
func (p manifestReader) unknown(o fields.Object, known []string) {
	for name, v := range o.Value().Members() {
		if !slices.Contains(known, name) {
			p.r.Fault(v.Name(), "%s is not a property of this file", o.Path(name))
		}
	}
}

// text reads a text without the white space around it; missing and null are empty.
func (p manifestReader) text(o fields.Object, name string) string {
	var text string
	o.Text(name, &text)
	return strings.TrimSpace(text)
}

func (p manifestReader) texts(o fields.Object, name string) []string {
	all := o.Texts(name, false)
	for i := range all {
		all[i] = strings.TrimSpace(all[i])
	}
	return all
}

// version reads a version, nil when it is missing.
func (p manifestReader) version(o fields.Object, name string) *Version {
	if o.Get(name).Kind() != jsondoc.String {
		p.text(o, name) // for its fault, if it is neither missing nor null
		return nil
	}
	v, err := ParseVersion(p.text(o, name))
	if err != nil {
		p.fault(o, name, "%v", err)
	}
	return &v
}

// inside reads a path that has to stay in the plugin's folder.
func (p manifestReader) inside(o fields.Object, name string) string {
	path := p.text(o, name)
	if path == "" {
		return ""
	}
	segments := strings.FieldsFunc(path, func(r rune) bool { return r == '/' || r == '\\' })
	rooted := path[0] == '/' || path[0] == '\\' || drive.MatchString(path)
	if rooted || slices.Contains(segments, ".") || slices.Contains(segments, "..") || strings.ContainsRune(path, 0) {
		p.fault(o, name, "%q is not a path inside the plugin's folder", path)
	}
	return path
}

func (p manifestReader) assembly(o fields.Object, name, file string) {
	if o.Get(name).Kind() == jsondoc.String && (strings.ContainsAny(file, "/\\:\x00") || assetpath.Ext(file) != ".dll") {
		p.fault(o, name, "%q is not a plain file name ending in .dll", file)
	}
}

// eachOnce adds a fault for each entry of a list that check objects to or that was there before.
func (p manifestReader) eachOnce(o fields.Object, name string, all []string, check func(string) string) {
	seen := make(map[string]bool, len(all))
	i := -1
	for item := range o.Get(name).Items() {
		i++
		entry := all[i]
		if item.Kind() != jsondoc.String {
			continue // a fault already
		}
		if wrong := check(entry); wrong != "" {
			p.r.Fault(item, "%s[%d]: %q is not allowed, %s", o.Path(name), i, entry, wrong)
		} else if seen[entry] {
			p.r.Fault(item, "%s[%d]: %q is listed twice", o.Path(name), i, entry)
		}
		seen[entry] = true
	}
}

func (p manifestReader) dependencies(root fields.Object, self string) []Dependency {
	items, paths := root.List("dependencies")
	all := make([]Dependency, 0, len(items))
	seen := make(map[string]bool, len(items))
	for i, item := range items {
		o := p.r.Item(item, paths[i])
		if !o.Value().Exists() {
			continue
		}
		p.unknown(o, []string{"id", "version", "minimumVersion", "optional"})
		d := Dependency{ID: p.text(o, "id")}
		switch {
		case !o.Get("id").Exists():
			p.r.Fault(o.Value(), "%s is missing", o.Path("id"))
		case o.Get("id").Kind() != jsondoc.String:
		case !idForm.MatchString(d.ID):
			p.fault(o, "id", "%q is not an id, expected %s", d.ID, idRule)
		case d.ID == self:
			p.fault(o, "id", "the plugin depends on itself")
		case seen[d.ID]:
			p.fault(o, "id", "the plugin %q is listed twice", d.ID)
		}
		seen[d.ID] = true
		text := p.text(o, "version")
		if o.Get("version").Kind() == jsondoc.String {
			var err error
			if d.Range, err = ParseRange(text); err != nil {
				p.fault(o, "version", "%v", err)
			}
		}
		if minimum := p.version(o, "minimumVersion"); minimum != nil {
			if o.Get("version").Exists() {
				p.fault(o, "minimumVersion", "version and minimumVersion exclude each other")
			}
			d.Range = atLeast(*minimum)
		}
		o.Bool("optional", &d.Optional)
		all = append(all, d)
	}
	return all
}

func isWebAddress(text string) bool {
	address, err := url.Parse(text)
	return err == nil && (address.Scheme == "http" || address.Scheme == "https") && address.Host != ""
}
