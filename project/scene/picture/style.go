package picture

import "image/color"

// Show says what is drawn besides what the game shows.
type Show struct {
	Grid     bool
	Frames   bool // of cameras
	Outlines bool // of lights, colliders and shadow casters
	Marks    bool // of entities without anything to see
	Selected int  // node with a strong outline; NoNode for none
	Hovered  int  // node with a thin outline
}

// NoNode is no node.
const NoNode = -1

// Everything shows all but the grid, and selects nothing.
func Everything() Show {
	return Show{Frames: true, Outlines: true, Marks: true, Selected: NoNode, Hovered: NoNode}
}

func (s Show) item(i *Item) bool {
	switch i.Kind {
	case CameraBounds, CameraFrame:
		return s.Frames
	case Light, Shadow, Collider, Trigger:
		return s.Outlines
	case Marker:
		return s.Marks
	}
	return true
}

// Style is the colors and widths of what is drawn around a scene. Widths and sizes are in pixels.
type Style struct {
	Grid, Axis      color.NRGBA
	Frame, Bounds   color.NRGBA // of cameras
	Collider        color.NRGBA
	Trigger, Shadow color.NRGBA
	Map             color.NRGBA
	Mark, MarkEdge  color.NRGBA
	Selected, Edge  color.NRGBA // of the selection: the line, and what it is set off with
	Hovered         color.NRGBA
	Missing         [2]color.NRGBA // fields of the chequer
	Loading         color.NRGBA
	Line            float64 // width of lines
	Pixel           int     // pixels a pixel of a mark
}

// DefaultStyle gives a style that stands out on most scenes. scale is the number of pixels that a line is wide.
func DefaultStyle(scale float64) Style {
	return Style{
		Grid: color.NRGBA{255, 255, 255, 26}, Axis: color.NRGBA{255, 255, 255, 90},
		Frame: color.NRGBA{240, 240, 245, 230}, Bounds: color.NRGBA{240, 240, 245, 110},
		Collider: color.NRGBA{110, 220, 130, 220}, Trigger: color.NRGBA{90, 200, 235, 210}, Shadow: color.NRGBA{200, 140, 235, 200},
		Map:  color.NRGBA{185, 190, 98, 230},
		Mark: color.NRGBA{240, 240, 245, 235}, MarkEdge: color.NRGBA{20, 22, 28, 190},
		Selected: color.NRGBA{232, 163, 61, 255}, Edge: color.NRGBA{16, 16, 20, 170},
		Hovered: color.NRGBA{255, 255, 255, 200},
		Missing: [2]color.NRGBA{{200, 60, 170, 255}, {40, 36, 48, 255}},
		Loading: color.NRGBA{128, 134, 148, 70},
		Line:    max(1, scale), Pixel: max(1, int(scale+0.5)),
	}
}

// symbols are the signs of marks: x is drawn in the mark's color.
var symbols = [...][]string{
	Nothing: {
		"...x...",
		"...x...",
		".......",
		"xx...xx",
		".......",
		"...x...",
		"...x...",
	},
	CameraSymbol: {
		".........",
		"xxxxxx..x",
		"xxxxxx.xx",
		"xxxxxxxxx",
		"xxxxxx.xx",
		"xxxxxx..x",
		".........",
	},
	LightSymbol: {
		"x...x...x",
		".x.....x.",
		"...xxx...",
		"..xxxxx..",
		"x.xxxxx.x",
		"..xxxxx..",
		"...xxx...",
		".x.....x.",
		"x...x...x",
	},
	SoundSymbol: {
		"...x...x.",
		"..xx.x..x",
		"xxxx..x.x",
		"xxxx..x.x",
		"xxxx..x.x",
		"..xx.x..x",
		"...x...x.",
	},
	ParticleSymbol: {
		"x...x...x",
		".........",
		"..x...x..",
		"....x....",
		"..xxxxx..",
		"....x....",
		"..x...x..",
		".........",
		"x...x...x",
	},
	MapSymbol: {
		"xxxx.xxxx",
		"x..x.x..x",
		"xxxx.xxxx",
		".........",
		"xxxx.xxxx",
		"x..x.x..x",
		"xxxx.xxxx",
	},
	ScriptSymbol: {
		"..x...x..",
		".x.....x.",
		"x.......x",
		".x.....x.",
		"..x...x..",
	},
}
