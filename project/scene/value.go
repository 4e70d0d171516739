package scene

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"talebinder/formats/color"
	"talebinder/formats/guid"
	"talebinder/formats/jsondoc"
)

// A Vector is a pair of numbers: a position in world units, a size, a scale.
type Vector struct{ X, Y float32 }

func (v Vector) finite() bool { return finite(v.X) && finite(v.Y) }

func finite(f float32) bool { return !math.IsNaN(float64(f)) && !math.IsInf(float64(f), 0) }

// A Rect is a rectangle in world units; y points down.
type Rect struct{ X, Y, Width, Height float32 }

// A Key is a key of a curve. The tangents are the slopes of the curve before and after it, in value per time.
type Key struct{ Time, Value, InTangent, OutTangent float32 }

// A Curve is a value over time.
type Curve []Key

// A Stop is a color of a gradient at a position from 0 to 1.
type Stop struct {
	Position float32
	Color    color.Color
}

// A Gradient is a color over a position from 0 to 1.
type Gradient []Stop

// A ValueError says that a value is not of the type that was asked for. It wraps formats.ErrDamaged.
type ValueError = jsondoc.TypeError

func valueError(v jsondoc.Value, expected string) error {
	line, column := v.Position()
	found := v.Kind().String()
	if k := v.Kind(); k != jsondoc.Missing && k != jsondoc.Object && k != jsondoc.Array {
		found = quote(v)
	}
	return &ValueError{Line: line, Column: column, Expected: expected, Found: found}
}

// ReadFloat32 reads a single precision number: a number, or one of the texts "NaN", "Infinity" and "-Infinity".
func ReadFloat32(v jsondoc.Value) (float32, error) {
	if v.Kind() == jsondoc.String {
		switch string(v.Raw()) {
		case `"NaN"`:
			return float32(math.NaN()), nil
		case `"Infinity"`:
			return float32(math.Inf(1)), nil
		case `"-Infinity"`:
			return float32(math.Inf(-1)), nil
		}
	}
	if v.Kind() != jsondoc.Number {
		return 0, valueError(v, "a number")
	}
	return v.Float32()
}

// ReadVector reads a vector: a list of exactly two numbers, or an object with x and y in any case. A number may be a text
// that says one: sign, digits, decimal point, exponent, with white space around it.
func ReadVector(v jsondoc.Value) (Vector, error) {
	const expected = "two numbers, as in [0, 980]"
	var numbers [2]float32
	switch v.Kind() {
	case jsondoc.Array:
		if !readNumbers(v, numbers[:]) {
			return Vector{}, valueError(v, expected)
		}
	case jsondoc.Object:
		for i, name := range []string{"x", "y"} {
			var ok bool
			if numbers[i], ok = readNumber(v.GetFold(name)); !ok {
				return Vector{}, valueError(v, expected)
			}
		}
	default:
		return Vector{}, valueError(v, expected)
	}
	return Vector{numbers[0], numbers[1]}, nil
}

// ReadRect reads a rectangle: a list of x, y, width and height, its numbers as in ReadVector.
func ReadRect(v jsondoc.Value) (Rect, error) {
	var numbers [4]float32
	if v.Kind() != jsondoc.Array || !readNumbers(v, numbers[:]) {
		return Rect{}, valueError(v, "x, y, width and height, as in [0, 0, 320, 180]")
	}
	return Rect{numbers[0], numbers[1], numbers[2], numbers[3]}, nil
}

// readNumbers reads a list of exactly as many numbers.
func readNumbers(v jsondoc.Value, into []float32) bool {
	n := 0
	for item := range v.Items() {
		if n == len(into) {
			return false
		}
		var ok bool
		if into[n], ok = readNumber(item); !ok {
			return false
		}
		n++
	}
	return n == len(into)
}

// readNumber reads a number or a text that says one.
func readNumber(v jsondoc.Value) (float32, bool) {
	switch v.Kind() {
	case jsondoc.Number:
		f, err := v.Float32()
		return f, err == nil
	case jsondoc.String:
		text, err := v.Text()
		if err != nil {
			return 0, false
		}
		text = strings.TrimFunc(text, unicode.IsSpace)
		for _, c := range []byte(text) { // ParseFloat would also take hexadecimal numbers, underscores and words
			if (c < '0' || c > '9') && !strings.ContainsRune("+-.eE", rune(c)) {
				return 0, false
			}
		}
		f, err := strconv.ParseFloat(text, 32)
		if err != nil && !math.IsInf(f, 0) {
			return 0, false
		}
		return float32(f), true
	}
	return 0, false
}

// ReadColor reads a color in any of its three forms.
func ReadColor(v jsondoc.Value) (color.Color, error) {
	if text, err := v.Text(); err == nil {
		if c, err := color.Parse(text); err == nil {
			return c, nil
		}
	}
	return color.Color{}, valueError(v, "a color such as #FFB25A")
}

// ReadReference reads the guid of an asset or an entity in any of its forms. null, an empty text and the zero guid refer to
// nothing: the zero guid is given.
func ReadReference(v jsondoc.Value) (guid.Guid, error) {
	if v.Kind() == jsondoc.Null || v.Kind() == jsondoc.String && string(v.Raw()) == `""` {
		return guid.Guid{}, nil
	}
	if text, err := v.Text(); err == nil {
		if g, err := guid.Parse(text); err == nil {
			return g, nil
		}
	}
	return guid.Guid{}, valueError(v, "a guid or null")
}

// ReadEnum reads one of the names, in any case, or the whole number of one, which need not be defined: name is then the
// number's text. The names are those that the engine writes, in camelCase, in the order of their numbers.
func ReadEnum(v jsondoc.Value, names []string) (name string, err error) {
	switch v.Kind() {
	case jsondoc.Number:
		if n, err := v.Int32(); err == nil {
			if 0 <= n && int(n) < len(names) {
				return names[n], nil
			}
			return strconv.Itoa(int(n)), nil
		}
	case jsondoc.String:
		if text, err := v.Text(); err == nil {
			if name, ok := enumName(text, names); ok {
				return name, nil
			}
		}
	}
	return "", valueError(v, "one of "+strings.Join(names, ", "))
}

// ReadFlags reads names separated by commas, each as ReadEnum reads a text. An empty text is none.
func ReadFlags(v jsondoc.Value, names []string) ([]string, error) {
	text, err := v.Text()
	if err != nil {
		return nil, valueError(v, "names separated by commas")
	}
	var set []string
	if strings.TrimSpace(text) == "" {
		return set, nil
	}
	for part := range strings.SplitSeq(text, ",") {
		name, ok := enumName(part, names)
		if !ok {
			return nil, valueError(v, "names separated by commas, of "+strings.Join(names, ", "))
		}
		set = append(set, name)
	}
	return set, nil
}

func enumName(text string, names []string) (string, bool) {
	text = strings.TrimFunc(text, unicode.IsSpace)
	for _, name := range names {
		if strings.EqualFold(name, text) {
			return name, true
		}
	}
	return "", false
}

// ReadCurve reads a list of keys, each an object with time and value, and inTangent and outTangent where they are not 0. The
// keys are given in the order of their times.
func ReadCurve(v jsondoc.Value) (Curve, error) {
	if v.Kind() != jsondoc.Array {
		return nil, valueError(v, "a curve: a list of keys")
	}
	curve := make(Curve, 0, v.Len())
	for item := range v.Items() {
		if item.Kind() != jsondoc.Object {
			return nil, valueError(item, "a key of a curve: an object with time and value")
		}
		var key Key
		for _, field := range []struct {
			name string
			into *float32
		}{{"time", &key.Time}, {"value", &key.Value}, {"inTangent", &key.InTangent}, {"outTangent", &key.OutTangent}} {
			number := item.Get(field.name)
			if !number.Exists() {
				continue
			}
			var ok bool
			if *field.into, ok = readNumber(number); !ok {
				return nil, valueError(number, "a number for "+field.name)
			}
		}
		curve = append(curve, key)
	}
	slices.SortStableFunc(curve, func(a, b Key) int { return cmp.Compare(a.Time, b.Time) })
	return curve, nil
}

// ReadGradient reads a list of stops, each an object with position and color. They are given in the order of their
// positions.
func ReadGradient(v jsondoc.Value) (Gradient, error) {
	if v.Kind() != jsondoc.Array {
		return nil, valueError(v, "a gradient: a list of stops")
	}
	gradient := make(Gradient, 0, v.Len())
	for item := range v.Items() {
		if item.Kind() != jsondoc.Object {
			return nil, valueError(item, "a stop of a gradient: an object with position and color")
		}
		stop := Stop{Color: color.White()}
		if number := item.Get("position"); number.Exists() {
			var ok bool
			if stop.Position, ok = readNumber(number); !ok {
				return nil, valueError(number, "a number for position")
			}
		}
		if c := item.Get("color"); c.Exists() {
			var err error
			if stop.Color, err = ReadColor(c); err != nil {
				return nil, err
			}
		}
		gradient = append(gradient, stop)
	}
	slices.SortStableFunc(gradient, func(a, b Stop) int { return cmp.Compare(a.Position, b.Position) })
	return gradient, nil
}

// At gives the value of the curve at a time: that of the first key before it, that of the last behind it, and between two keys
// the cubic that has their values and tangents. A curve without keys is 0.
func (c Curve) At(time float32) float32 {
	if len(c) == 0 {
		return 0
	}
	if time <= c[0].Time {
		return c[0].Value
	}
	for i := 1; i < len(c); i++ {
		a, b := c[i-1], c[i]
		if time > b.Time {
			continue
		}
		width := b.Time - a.Time
		if width <= 0 {
			return b.Value
		}
		t := (time - a.Time) / width
		t2, t3 := t*t, t*t*t
		return (2*t3-3*t2+1)*a.Value + (t3-2*t2+t)*width*a.OutTangent + (3*t2-2*t3)*b.Value + (t3-t2)*width*b.InTangent
	}
	return c[len(c)-1].Value
}

// At gives the color at a position: that of the first stop before it, that of the last behind it, and a mixture of two
// neighbours between them. A gradient without stops is white.
func (g Gradient) At(position float32) color.Color {
	if len(g) == 0 {
		return color.White()
	}
	if position <= g[0].Position {
		return g[0].Color
	}
	for i := 1; i < len(g); i++ {
		a, b := g[i-1], g[i]
		if position > b.Position {
			continue
		}
		width := b.Position - a.Position
		if width <= 0 {
			return b.Color
		}
		t := (position - a.Position) / width
		mix := func(a, b uint8) uint8 { return uint8(float32(a) + (float32(b)-float32(a))*t + 0.5) }
		return color.Color{A: mix(a.Color.A, b.Color.A), R: mix(a.Color.R, b.Color.R), G: mix(a.Color.G, b.Color.G), B: mix(a.Color.B, b.Color.B)}
	}
	return g[len(g)-1].Color
}

// Degrees gives an angle in radians in degrees, rounded so that what was entered in degrees comes back: 1.5707964 is 90.
func Degrees(radians float32) float64 {
	return math.Round(float64(radians)*180/math.Pi*1e4) / 1e4
}

// Radians gives an angle in degrees in radians, as documents have it.
func Radians(degrees float64) float32 { return float32(degrees * math.Pi / 180) }

// String gives the vector as people write it.
func (v Vector) String() string { return fmt.Sprintf("%g, %g", v.X, v.Y) }

// String gives the rectangle as people write it.
func (r Rect) String() string { return fmt.Sprintf("%g, %g, %g × %g", r.X, r.Y, r.Width, r.Height) }
