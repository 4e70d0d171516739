package scenes

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"talebinder/formats/color"
	"talebinder/formats/guid"
	"talebinder/formats/jsondoc"
	"talebinder/gui/ui"
	"talebinder/project/assets"
	"talebinder/project/scene"
)

// fieldOf gives what is known of a value: what the engine says of the component's field, else what the value itself looks
// like. known is false for a guess.
func fieldOf(db *assets.Database, component, path string, values ...jsondoc.Value) (f scene.Field, known bool) {
	if f := scene.FieldOf(component, path); f.Type != scene.Unknown {
		return f, true
	}
	f = scene.Field{Name: path}
	for _, v := range values {
		if v.Kind() == jsondoc.Missing || v.Kind() == jsondoc.Null {
			continue
		}
		f.Type = scene.GuessType(v)
		if f.Type == scene.AssetType {
			// A guid of no asset may be that of an entity.
			f.Type = scene.EntityType
			if g, err := scene.ReadReference(v); err == nil {
				if a := db.ByGuid(g); a != nil {
					f.Type, f.Asset = scene.AssetType, a.Kind.ID
				}
			}
		}
		break
	}
	return f, false
}

// showValue writes a value on one line: assets by their path, entities by their name.
func showValue(db *assets.Database, nameOf func(guid.Guid) string, v jsondoc.Value, f scene.Field) string {
	if !v.Exists() {
		return ""
	}
	switch f.Type {
	case scene.AssetType, scene.EntityType:
		g, err := scene.ReadReference(v)
		switch {
		case err != nil:
		case g.IsZero():
			return "none"
		case f.Type == scene.AssetType:
			if a := db.ByGuid(g); a != nil {
				return a.Path
			}
			return "missing: " + g.String()
		case nameOf != nil:
			if name := nameOf(g); name != "" {
				return name
			}
		}
	}
	return clip(f.Show(v))
}

// longest is how many characters of a value one line shows.
const longest = 240

func clip(s string) string {
	if len(s) <= longest {
		return s
	}
	r := []rune(s)
	if len(r) <= longest {
		return s
	}
	return string(r[:longest]) + "…"
}

// editText writes a value as a person edits it: an angle in degrees, a vector without brackets, a text without quotes.
func editText(v jsondoc.Value, f scene.Field) string {
	if !v.Exists() {
		return ""
	}
	switch f.Type {
	case scene.Text:
		if text, err := v.Text(); err == nil {
			return text
		}
	case scene.Angle:
		if r, err := scene.ReadFloat32(v); err == nil {
			return strconv.FormatFloat(scene.Degrees(r), 'f', -1, 64)
		}
	case scene.VectorType:
		if p, err := scene.ReadVector(v); err == nil {
			return join(p.X, p.Y)
		}
	case scene.RectType:
		if r, err := scene.ReadRect(v); err == nil {
			return join(r.X, r.Y, r.Width, r.Height)
		}
	case scene.ColorType:
		if c, err := scene.ReadColor(v); err == nil {
			return c.String()
		}
	case scene.Enum:
		if text, err := v.Text(); err == nil {
			return text
		}
	case scene.TextSet:
		if v.Kind() == jsondoc.Array {
			return f.Show(v)
		}
	case scene.AssetType, scene.EntityType:
		if g, err := scene.ReadReference(v); err == nil {
			if g.IsZero() {
				return ""
			}
			return g.String()
		}
	}
	return jsondoc.Compact(v, jsondoc.Relaxed)
}

func join(numbers ...float32) string {
	var parts []string
	for _, n := range numbers {
		parts = append(parts, strconv.FormatFloat(float64(n), 'f', -1, 32))
	}
	return strings.Join(parts, ", ")
}

// expects says what a field of a type wants to be told, for the line below it.
func expects(f scene.Field) string {
	switch f.Type {
	case scene.Number:
		return "A number such as 1.5"
	case scene.Integer:
		return "A whole number such as 3"
	case scene.Angle:
		return "An angle in degrees, clockwise, such as 45"
	case scene.VectorType:
		return "Two numbers: x, y"
	case scene.RectType:
		return "Four numbers: x, y, width, height"
	case scene.ColorType:
		return "A color: #RRGGBB, or #AARRGGBB with its opacity first"
	case scene.Enum:
		return "One of " + strings.Join(f.Enum, ", ")
	case scene.TextSet:
		return "Words, separated by commas"
	case scene.Bool:
		return "true or false"
	case scene.AssetType:
		return "The path or guid of an asset; nothing for none"
	case scene.EntityType:
		return "The guid of an entity; nothing for none"
	case scene.Text:
		return "Any text"
	case scene.CurveType:
		return `A list of keys: [{"time": 0, "value": 1}, …]`
	case scene.GradientType:
		return `A list of stops: [{"position": 0, "color": "#FFFFFF"}, …]`
	}
	return "JSON: a number, true, \"text\", a list or an object"
}

// A wantError says what was expected where something else was typed.
type wantError struct{ want string }

func (e *wantError) Error() string { return e.want }

// expected says what a field wants in place of what was typed, and what is wrong with that when more is known.
func expected(f scene.Field, why string) error {
	text := expects(f)
	if !strings.HasPrefix(text, "JSON") {
		text = strings.ToLower(text[:1]) + text[1:]
	}
	text = "Expected " + text + "."
	if why != "" {
		text += " " + ui.Sentence(why)
	}
	return &wantError{text}
}

// parseValue reads what was typed and gives it as JSON. old is the value that it replaces: a vector that is an object stays
// one. The error says what is expected.
func parseValue(db *assets.Database, text string, f scene.Field, old jsondoc.Value) ([]byte, error) {
	if old.Exists() && text == editText(old, f) {
		return old.Raw(), nil // degrees do not say every angle exactly, and nobody has asked for another one
	}
	typed := strings.TrimSpace(text)
	want := func() error { return expected(f, "") }
	switch f.Type {
	case scene.Number:
		if raw, ok := number(typed); ok {
			return raw, nil
		}
		return nil, want()
	case scene.Integer:
		n, err := strconv.ParseInt(strings.TrimPrefix(typed, "+"), 10, 32)
		if err != nil {
			return nil, want()
		}
		return strconv.AppendInt(nil, n, 10), nil
	case scene.Angle:
		degrees, err := strconv.ParseFloat(strings.TrimSpace(strings.TrimSuffix(typed, "°")), 64)
		if err != nil || degrees-degrees != 0 {
			return nil, want()
		}
		return jsondoc.AppendFloat32(nil, scene.Radians(degrees)), nil
	case scene.VectorType:
		parts, ok := numbers(typed, 2)
		if !ok {
			return nil, want()
		}
		if old.Kind() == jsondoc.Object {
			return fmt.Appendf(nil, `{"x": %s, "y": %s}`, parts[0], parts[1]), nil
		}
		return fmt.Appendf(nil, "[%s]", strings.Join(parts, ", ")), nil
	case scene.RectType:
		parts, ok := numbers(typed, 4)
		if !ok {
			return nil, want()
		}
		return fmt.Appendf(nil, "[%s]", strings.Join(parts, ", ")), nil
	case scene.ColorType:
		c, err := color.Parse(typed)
		if err != nil {
			return nil, want()
		}
		return quoted(c.String()), nil
	case scene.Enum:
		for _, name := range f.Enum {
			if strings.EqualFold(name, typed) {
				return quoted(name), nil
			}
		}
		return nil, want()
	case scene.TextSet:
		words := []string{}
		for part := range strings.SplitSeq(typed, ",") {
			if part = strings.TrimSpace(part); part != "" {
				words = append(words, part)
			}
		}
		list := []byte{'['}
		for i, word := range scene.SortSet(words) {
			if i > 0 {
				list = append(list, ", "...)
			}
			list = jsondoc.AppendString(list, word, jsondoc.Relaxed)
		}
		return append(list, ']'), nil
	case scene.Bool:
		if typed == "true" || typed == "false" {
			return []byte(typed), nil
		}
		return nil, want()
	case scene.Text:
		return quoted(text), nil
	case scene.AssetType:
		if typed == "" {
			return []byte("null"), nil
		}
		if a := db.ByPath(strings.TrimPrefix(typed, "assets/")); a != nil && !a.Folder {
			if f.Asset != "" && a.Kind.ID != f.Asset {
				return nil, &wantError{fmt.Sprintf("%s is a %s, but a %s is expected.", a.Path, strings.ToLower(a.Kind.Name), kindName(f.Asset))}
			}
			return quoted(a.Meta.Guid.String()), nil
		}
		g, err := guid.Parse(typed)
		if err != nil {
			if near := db.NearMiss(typed); near != "" {
				return nil, &wantError{"There is no asset " + typed + ". Is it " + near + "?"}
			}
			return nil, want()
		}
		return quoted(g.String()), nil
	case scene.EntityType:
		if typed == "" {
			return []byte("null"), nil
		}
		g, err := guid.Parse(typed)
		if err != nil {
			return nil, want()
		}
		return quoted(g.String()), nil
	}
	return parseJSON(typed, f)
}

func kindName(id string) string {
	if k, ok := assets.KindByID(id); ok {
		return strings.ToLower(k.Name)
	}
	return id
}

// parseJSON reads a value as it stands in a document, and looks whether it is one of the field's type.
func parseJSON(typed string, f scene.Field) ([]byte, error) {
	if typed == "" {
		return nil, expected(f, "")
	}
	doc, err := jsondoc.Parse([]byte(typed))
	if err != nil {
		var syntax *jsondoc.SyntaxError
		if errors.As(err, &syntax) {
			return nil, expected(f, syntax.Error())
		}
		return nil, err
	}
	if err := f.Check(doc.Root()); err != nil {
		return nil, expected(f, err.Error())
	}
	return []byte(typed), nil
}

// number gives a decimal number as JSON writes it; what already is JSON stays as it was typed.
func number(typed string) ([]byte, bool) {
	for _, c := range []byte(typed) { // ParseFloat would also take hexadecimal numbers and words
		if (c < '0' || c > '9') && !strings.ContainsRune("+-.eE", rune(c)) {
			return nil, false
		}
	}
	f, err := strconv.ParseFloat(typed, 32)
	if err != nil {
		return nil, false
	}
	if doc, err := jsondoc.Parse([]byte(typed)); err == nil && doc.Root().Kind() == jsondoc.Number {
		return []byte(typed), true
	}
	return jsondoc.AppendFloat32(nil, float32(f)), true
}

// numbers reads exactly n numbers, with commas or blanks between them and brackets around them or not.
func numbers(typed string, n int) ([]string, bool) {
	if strings.HasPrefix(typed, "[") && strings.HasSuffix(typed, "]") {
		typed = typed[1 : len(typed)-1]
	}
	parts := strings.FieldsFunc(typed, func(r rune) bool { return r == ',' || r == ';' || r == ' ' || r == '\t' || r == '×' })
	if len(parts) != n {
		return nil, false
	}
	for i, part := range parts {
		raw, ok := number(part)
		if !ok {
			return nil, false
		}
		parts[i] = string(raw)
	}
	return parts, true
}

func quoted(text string) []byte { return jsondoc.AppendString(nil, text, jsondoc.Relaxed) }
