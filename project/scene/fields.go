package scene

import (
	"slices"
	"strconv"
	"strings"

	"talebinder/formats/assetpath"
	"talebinder/formats/jsondoc"
)

// ValueType is what a field of a component holds, so that it can be shown and entered as such.
type ValueType uint8

// The types of values. Unknown is that of whatever the table of components does not know: it is shown as JSON.
const (
	Unknown ValueType = iota
	Number
	Integer
	Bool
	Text
	Enum
	VectorType
	RectType
	ColorType
	CurveType
	GradientType
	AssetType   // the guid of an asset
	EntityType  // the id of an entity, see Expansion.Resolve
	Angle       // radians, clockwise; shown in degrees
	TextSet     // a list of texts, sorted
	ScriptsType // the scripts of a ScriptComponent
)

// A Field is what is known about a field of a component.
type Field struct {
	Name  string
	Type  ValueType
	Enum  []string // the names that an Enum is known to have; there may be more
	Asset string   // the kind of an AssetType, as package assets names it; "" when any
}

// components is what is known of the engine's own components. A plugin's or a game's component is not here, and a field that is
// missing here is not wrong.
var components = map[string][]Field{
	"Transform": {{Name: "position", Type: VectorType}, {Name: "rotation", Type: Angle}, {Name: "scale", Type: VectorType}},
	"Sprite": {
		{Name: "texture", Type: AssetType, Asset: "texture"}, {Name: "sprite", Type: Text}, {Name: "layer", Type: Integer},
		{Name: "origin", Type: VectorType}, {Name: "tint", Type: ColorType},
	},
	"SpriteAnimator": {{Name: "texture", Type: AssetType, Asset: "texture"}, {Name: "animation", Type: Text}},
	"Camera": {
		{Name: "zoom", Type: Number}, {Name: "pixelSnap", Type: Bool}, {Name: "target", Type: EntityType},
		{Name: "followSharpness", Type: Number}, {Name: "bounds", Type: RectType},
	},
	"AudioListener": {},
	"AudioSource": {
		{Name: "clip", Type: AssetType, Asset: "audio"}, {Name: "volume", Type: Number}, {Name: "loop", Type: Bool},
		{Name: "spatial", Type: Bool}, {Name: "minDistance", Type: Number}, {Name: "maxDistance", Type: Number},
	},
	"Collider2D": {
		{Name: "shape", Type: Enum, Enum: []string{"box", "circle"}}, {Name: "size", Type: VectorType}, {Name: "offset", Type: VectorType},
		{Name: "radius", Type: Number}, {Name: "friction", Type: Number}, {Name: "isTrigger", Type: Bool},
	},
	"CharacterController2D": {{Name: "stepOffset", Type: Number}, {Name: "groundSnapDistance", Type: Number}, {Name: "interpolate", Type: Bool}},
	"Light2D": {
		{Name: "type", Type: Enum, Enum: []string{"directional"}}, {Name: "color", Type: ColorType}, {Name: "intensity", Type: Number},
		{Name: "radius", Type: Number}, {Name: "innerRadius", Type: Number}, {Name: "falloff", Type: Number},
		{Name: "castsShadows", Type: Bool}, {Name: "shadowStrength", Type: Number}, {Name: "shadowSoftness", Type: Number},
		{Name: "shadowLength", Type: Number}, {Name: "animation", Type: Enum, Enum: []string{"flicker", "pulse"}},
		{Name: "animationSpeed", Type: Number}, {Name: "animationAmount", Type: Number},
	},
	"ShadowCaster2D":  {{Name: "shape", Type: Enum, Enum: []string{"box"}}, {Name: "size", Type: VectorType}, {Name: "offset", Type: VectorType}},
	"Emissive":        {{Name: "color", Type: ColorType}, {Name: "intensity", Type: Number}},
	"ParticleEmitter": {{Name: "preset", Type: AssetType, Asset: "particles"}},
	"TileMapRenderer": {{Name: "map", Type: AssetType, Asset: "tilemap"}, {Name: "renderLayer", Type: Integer}},
	"Tags":            {{Name: "values", Type: TextSet}},
	"ScriptComponent": {{Name: "scripts", Type: ScriptsType}},
}

// Fields gives what is known about the fields of a component, in the order in which the engine lists them. It gives nil for a component that
// is not the engine's. The list is not to be changed.
func Fields(component string) []Field { return components[component] }

// FieldOf gives what is known about a path in a component's data, or about its shape: a path into a vector is a number. A path that is
// not known has the type Unknown.
func FieldOf(component, path string) Field {
	name, rest, deeper := strings.Cut(path, ".")
	at := slices.IndexFunc(components[component], func(f Field) bool { return f.Name == name })
	if at < 0 {
		return Field{Name: path}
	}
	f := components[component][at]
	if !deeper {
		return f
	}
	inner := Field{Name: path}
	switch f.Type {
	case VectorType, RectType:
		inner.Type = Number
	case TextSet:
		inner.Type = Text
	case ScriptsType:
		if _, last, ok := strings.Cut(rest, "."); ok && last == "type" {
			inner.Type = Text
		} else if last == "enabled" {
			inner.Type = Bool
		}
	}
	return inner
}

// Check says why the engine could not read a value as the field's, or gives nil. A name that an Enum is not known to have is no error, since
// the table of components need not know all. null is none either for what refers to something.
func (f Field) Check(v jsondoc.Value) error {
	var err error
	switch f.Type {
	case Number, Angle:
		_, err = ReadFloat32(v)
	case Integer:
		_, err = v.Int32()
	case Bool:
		_, err = v.Bool()
	case Text:
		if v.Kind() != jsondoc.Null {
			_, err = v.Text()
		}
	case Enum:
		if v.Kind() != jsondoc.String && v.Kind() != jsondoc.Number {
			err = valueError(v, "the name of a choice")
		}
	case VectorType:
		_, err = ReadVector(v)
	case RectType:
		if v.Kind() != jsondoc.Null {
			_, err = ReadRect(v)
		}
	case ColorType:
		_, err = ReadColor(v)
	case CurveType:
		_, err = ReadCurve(v)
	case GradientType:
		_, err = ReadGradient(v)
	case AssetType, EntityType:
		_, err = ReadReference(v)
	case TextSet, ScriptsType:
		if v.Kind() != jsondoc.Array && v.Kind() != jsondoc.Null {
			err = valueError(v, "a list")
		}
	}
	return err
}

// Show gives a value on one line, for tables: colors in their canonical form, vectors as "256, 672", angles in degrees, and JSON without
// white space for what cannot be read as the field's type. Whoever shows a guid looks up its name. What is Missing is "".
func (f Field) Show(v jsondoc.Value) string {
	if !v.Exists() {
		return ""
	}
	switch f.Type {
	case VectorType:
		if vector, err := ReadVector(v); err == nil {
			return vector.String()
		}
	case RectType:
		if r, err := ReadRect(v); err == nil {
			return r.String()
		}
	case ColorType:
		if c, err := ReadColor(v); err == nil {
			return c.String()
		}
	case Angle:
		if radians, err := ReadFloat32(v); err == nil {
			return strconv.FormatFloat(Degrees(radians), 'g', -1, 64) + "°"
		}
	case TextSet:
		var texts []string
		for item := range v.Items() {
			text, err := item.Text()
			if err != nil {
				return jsondoc.Compact(v, jsondoc.Relaxed)
			}
			texts = append(texts, text)
		}
		if v.Kind() == jsondoc.Array {
			return strings.Join(texts, ", ")
		}
	}
	if text, err := v.Text(); err == nil {
		return text
	}
	return jsondoc.Compact(v, jsondoc.Relaxed)
}

// GuessType guesses the type of a value that no table knows from its form, so that a script's field is shown as more than JSON: numbers,
// booleans, texts, colors with # in front, guids, and lists of two or four numbers. A guid may be that of an asset or of an entity: it is
// taken for an asset, which the caller can look up.
func GuessType(v jsondoc.Value) ValueType {
	switch v.Kind() {
	case jsondoc.Number:
		return Number
	case jsondoc.Bool:
		return Bool
	case jsondoc.String:
		text, err := v.Text()
		if err != nil {
			return Unknown
		}
		if strings.HasPrefix(text, "#") {
			if _, err := ReadColor(v); err == nil {
				return ColorType
			}
		}
		if len(text) == 32 {
			if g, err := ReadReference(v); err == nil && !g.IsZero() {
				return AssetType
			}
		}
		return Text
	case jsondoc.Array:
		numbers := 0
		for item := range v.Items() {
			if item.Kind() != jsondoc.Number || numbers == 4 {
				return guessList(v)
			}
			numbers++
		}
		switch numbers {
		case 2:
			return VectorType
		case 4:
			return RectType
		}
		return guessList(v)
	}
	return Unknown
}

// guessList tells curves and gradients from other lists by their first item.
func guessList(v jsondoc.Value) ValueType {
	first := v.Index(0)
	switch {
	case first.Get("time").Exists() && first.Get("value").Exists():
		if _, err := ReadCurve(v); err == nil {
			return CurveType
		}
	case first.Get("position").Exists() && first.Get("color").Exists():
		if _, err := ReadGradient(v); err == nil {
			return GradientType
		}
	}
	return Unknown
}

// SortSet gives texts as the engine writes a set: sorted by their UTF-16 units, each once.
func SortSet(texts []string) []string {
	sorted := slices.Clone(texts)
	slices.SortFunc(sorted, assetpath.Compare)
	return slices.Compact(sorted)
}
