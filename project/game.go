package project

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"talebinder/formats"
	"talebinder/formats/assetpath"
	"talebinder/formats/color"
	"talebinder/formats/jsondoc"
	"talebinder/project/internal/fields"
)

// A Game is the content of config/game.json, the game's own settings. The export needs few of them; all are read since a
// wrong one keeps the player from starting.
type Game struct {
	Title                  string
	WindowWidth            int // pixels; not validated, as in the engine
	WindowHeight           int
	View                   *View // nil: unscaled
	Renderer               Renderer
	FixedUpdateRate        int // updates a second
	MaxFixedStepsPerFrame  int
	TextureFilter          TextureFilter
	ClearColor             Color
	StartScene             StartScene
	LoadingScreen          LoadingScreen
	InputProfile           string // asset path
	PluginsFolder          string // relative to the asset root, as written
	VSync                  bool
	MaxFramesPerSecond     int // 0: no limit
	PauseWhenInactive      bool
	ShowPerformanceOverlay bool
}

// A View is the part of the world that the window shows, in units of the scene.
type View struct {
	Width, Height               int
	ScaleMode                   ScaleMode
	IntegerScale                bool
	BorderColor                 Color
	OverlayWidth, OverlayHeight *int // both or none
}

// A LoadingScreen is shown while scenes load.
type LoadingScreen struct {
	BackgroundColor *Color
	Image           *string // asset path
	ForegroundColor *Color
	BetweenScenes   bool
}

// A StartScene is the scene that the game begins with. The scene named SceneFile is built into the engine and runs a
// .tscene file, which its parameter "path" or "guid" names.
type StartScene struct {
	Name       string
	Parameters []Parameter // in the order of the file, each name once
}

// SceneFile is the name of the built-in scene that runs a .tscene file.
const SceneFile = "scene"

// A Parameter is handed to the start scene.
type Parameter struct{ Name, Value string }

// Parameter gives the value of a parameter.
func (s StartScene) Parameter(name string) (value string, ok bool) {
	for _, p := range s.Parameters {
		if p.Name == name {
			return p.Value, true
		}
	}
	return "", false
}

// A Renderer draws the game. Files may hold numbers that are no renderer.
type Renderer int

// The renderers, with the numbers that files may use for them.
const (
	RendererAuto Renderer = iota
	RendererVulkan
	RendererSkia
)

// A TextureFilter says how scaled pictures look. Files may hold numbers that are no filter.
type TextureFilter int

// The texture filters, with the numbers that files may use for them.
const (
	FilterLinear TextureFilter = iota
	FilterNearest
)

// A ScaleMode says how the view is fitted into the window.
type ScaleMode int

// The scale modes.
const (
	ScaleFit ScaleMode = iota
	ScaleExpand
	ScaleCrop
	ScaleNone
)

var (
	rendererWords  = []string{"auto", "vulkan", "skia"}
	filterWords    = []string{"linear", "nearest"}
	scaleModeWords = []string{"fit", "expand", "crop", "none"}
)

// String gives the word of game.json, or the number of a value without one.
func (r Renderer) String() string { return word(rendererWords, int(r)) }

// String gives the word of game.json, or the number of a value without one.
func (f TextureFilter) String() string { return word(filterWords, int(f)) }

// String gives the word of game.json, or the number of a value without one.
func (m ScaleMode) String() string { return word(scaleModeWords, int(m)) }

func word(words []string, i int) string {
	if i >= 0 && i < len(words) {
		return words[i]
	}
	return strconv.Itoa(i)
}

// A Color is a color of game.json.
type Color = color.Color

// ParseColor reads #RGB, #RRGGBB or #AARRGGBB; white space around it and the # itself do not matter.
func ParseColor(text string) (Color, error) { return color.Parse(text) }

// DefaultGame is the game without a game.json.
func DefaultGame() Game {
	return Game{
		Title:                 "Talesmith Game",
		WindowWidth:           1280,
		WindowHeight:          800,
		FixedUpdateRate:       60,
		MaxFixedStepsPerFrame: 5,
		ClearColor:            Color{A: 255, R: 0x0E, G: 0x0F, B: 0x12},
		StartScene:            StartScene{Name: "map"},
		LoadingScreen:         LoadingScreen{BetweenScenes: true},
		InputProfile:          "config/input.json",
		PluginsFolder:         "plugins",
		VSync:                 true,
	}
}

// A FileError says everything that is wrong in a settings file. It wraps formats.ErrDamaged, or the error of reading the file.
type FileError struct {
	File   string // relative to the project folder, or empty when only the text was parsed
	Faults []Fault
	Err    error
}

// A Fault is one thing that a settings file says wrongly, and where: line and column count from 1 and are 0 when the
// whole file is meant.
type Fault = fields.Fault

// Error gives every fault in the form "file(line,column): message".
func (e *FileError) Error() string {
	if len(e.Faults) == 0 {
		return e.File + ": " + e.Err.Error()
	}
	all := make([]string, len(e.Faults))
	for i, f := range e.Faults {
		all[i] = f.String()
		if e.File != "" {
			all[i] = place(e.File, f.Line, f.Column) + f.Message
		}
	}
	return strings.Join(all, "\n")
}

// place is the beginning of a message that points into a file.
func place(file string, line, column int) string {
	if line == 0 {
		return file + ": "
	}
	return fmt.Sprintf("%s(%d,%d): ", file, line, column)
}

// Unwrap gives the cause.
func (e *FileError) Unwrap() error { return e.Err }

// fileError turns the error of a reader into a *FileError; nil stays nil.
func fileError(err error) error {
	var faults *fields.Error
	switch {
	case err == nil:
		return nil
	case errors.As(err, &faults):
		return &FileError{Faults: faults.Faults, Err: formats.ErrDamaged}
	}
	return &FileError{Err: err}
}

// ParseGame reads the text of a game.json. What the text does not say has its default; names count exactly, unknown ones
// are ignored, comments and trailing commas are accepted, and the document null means defaults. The error is a
// *FileError with everything that is wrong.
func ParseGame(text []byte) (Game, error) {
	r, err := fields.Read(text)
	if err != nil {
		return DefaultGame(), fileError(err)
	}
	game := readGame(r)
	if err := r.Err(); err != nil {
		return DefaultGame(), fileError(err)
	}
	return game, nil
}

func readGame(r *fields.Reader) Game {
	game := DefaultGame()
	root := r.Root()
	root.Text("title", &game.Title)
	root.Int("windowWidth", &game.WindowWidth)
	root.Int("windowHeight", &game.WindowHeight)
	game.View = readView(r, root.Object("view"))
	if n, ok := root.Enum("renderer", rendererWords, true); ok {
		game.Renderer = Renderer(n)
	}
	root.Int("fixedUpdateRate", &game.FixedUpdateRate)
	root.Int("maxFixedStepsPerFrame", &game.MaxFixedStepsPerFrame)
	if n, ok := root.Enum("textureFilter", filterWords, true); ok {
		game.TextureFilter = TextureFilter(n)
	}
	readColor(r, root, "clearColor", &game.ClearColor)
	readStartScene(r, root, &game.StartScene)

	loading := root.Object("loadingScreen")
	game.LoadingScreen.BackgroundColor = readOptionalColor(r, loading, "backgroundColor")
	game.LoadingScreen.Image = loading.OptionalText("image")
	game.LoadingScreen.ForegroundColor = readOptionalColor(r, loading, "foregroundColor")
	loading.Bool("betweenScenes", &game.LoadingScreen.BetweenScenes)

	root.Text("inputProfile", &game.InputProfile)
	root.Text("pluginsFolder", &game.PluginsFolder)
	root.Bool("vSync", &game.VSync)
	root.Int("maxFramesPerSecond", &game.MaxFramesPerSecond)
	root.Bool("pauseWhenInactive", &game.PauseWhenInactive)
	root.Bool("showPerformanceOverlay", &game.ShowPerformanceOverlay)
	return game
}

func readView(r *fields.Reader, o fields.Object) *View {
	if !o.Value().Exists() {
		return nil
	}
	view := &View{Width: 1280, Height: 720, BorderColor: Color{A: 255}}
	o.Int("width", &view.Width)
	o.Int("height", &view.Height)
	if n, ok := o.Enum("scaleMode", scaleModeWords, false); ok {
		view.ScaleMode = ScaleMode(n)
	}
	o.Bool("integerScale", &view.IntegerScale)
	readColor(r, o, "borderColor", &view.BorderColor)
	view.OverlayWidth = readOptionalInt(o, "overlayWidth")
	view.OverlayHeight = readOptionalInt(o, "overlayHeight")

	positive := func(name string, n int) {
		if n <= 0 {
			r.Fault(o.Get(name), "%s must be positive, found %d", o.Path(name), n)
		}
	}
	positive("width", view.Width)
	positive("height", view.Height)
	switch {
	case view.OverlayWidth != nil && view.OverlayHeight != nil:
		positive("overlayWidth", *view.OverlayWidth)
		positive("overlayHeight", *view.OverlayHeight)
	case view.OverlayWidth != nil:
		r.Fault(o.Get("overlayWidth"), "%s is missing: overlayWidth and overlayHeight go together", o.Path("overlayHeight"))
	case view.OverlayHeight != nil:
		r.Fault(o.Get("overlayHeight"), "%s is missing: overlayWidth and overlayHeight go together", o.Path("overlayWidth"))
	}
	return view
}

func readOptionalInt(o fields.Object, name string) *int {
	if !o.Get(name).Exists() {
		return nil
	}
	n := 1 // unless it is read, which is a fault of its own
	o.Int(name, &n)
	return &n
}

func readColor(r *fields.Reader, o fields.Object, name string, into *Color) {
	v := o.Value().Get(name)
	if !v.Exists() {
		return
	}
	text, err := v.Text()
	if err != nil {
		r.Fault(v, "%s: expected a color such as #0E0F12, found %s", o.Path(name), v.Kind())
		return
	}
	c, err := ParseColor(text)
	if err != nil {
		r.Fault(v, "%s: %v", o.Path(name), err)
		return
	}
	*into = c
}

func readOptionalColor(r *fields.Reader, o fields.Object, name string) *Color {
	if !o.Get(name).Exists() {
		return nil
	}
	var c Color
	readColor(r, o, name, &c)
	return &c
}

func readStartScene(r *fields.Reader, root fields.Object, into *StartScene) {
	v := root.Get("startScene")
	switch v.Kind() {
	case jsondoc.Missing:
	case jsondoc.String:
		var text string
		root.Text("startScene", &text)
		if assetpath.Fold(text[max(0, len(text)-len(".tscene")):]) == ".TSCENE" {
			*into = StartScene{SceneFile, []Parameter{{"path", text}}}
		} else {
			*into = StartScene{Name: text}
		}
	case jsondoc.Object:
		o := root.Object("startScene")
		if !o.Get("name").Exists() {
			r.Fault(v, "startScene: an object needs the name of a scene, as in { \"name\": \"map\" }")
		}
		scene := StartScene{}
		o.Text("name", &scene.Name)
		scene.Parameters = readParameters(r, o.Object("parameters"))
		*into = scene
	default:
		r.Fault(v, "startScene: expected a text or an object, found %s", v.Kind())
	}
}

// readParameters takes a text as it is and everything else as its JSON text; what is null is left out. The last of a
// repeated name counts, at the place of the first.
func readParameters(r *fields.Reader, o fields.Object) []Parameter {
	var all []Parameter
	var null []bool
	at := map[string]int{}
	for name, v := range o.Value().Members() {
		value := jsondoc.Compact(v, jsondoc.Strict)
		if v.Kind() == jsondoc.String {
			text, err := v.Text()
			if err != nil {
				r.Fault(v, "%s: %v", o.Path(name), err)
			}
			value = text
		}
		i, repeated := at[name]
		if !repeated {
			i = len(all)
			at[name] = i
			all, null = append(all, Parameter{Name: name}), append(null, false)
		}
		all[i].Value, null[i] = value, v.Kind() == jsondoc.Null
	}
	var kept []Parameter
	for i, p := range all {
		if !null[i] {
			kept = append(kept, p)
		}
	}
	return kept
}
