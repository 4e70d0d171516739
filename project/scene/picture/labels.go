package picture

// A Label is the name of a node and where it belongs on the screen, in pixels: below a point, or above it.
type Label struct {
	Node  int
	At    Point // the middle of the edge that is nearest to what it names
	Above bool
	Text  string
	Bad   bool // it says what is missing
}

// Labels lists the names of the nodes that a view shows: first what is missing, then sprites, the topmost first, then marks; about as many
// as most. With names false only what is missing is listed.
func (p *Picture) Labels(v View, show Show, names bool, most int) []Label {
	seen := narrow(v.Box())
	done := map[int]bool{}
	var bad, sprites, marks []Label
	for i := len(p.bounds) - 1; i >= 0 && len(sprites) < most; i-- {
		if !p.bounds[i].overlaps(seen) {
			continue
		}
		item := &p.Items[i]
		switch item.Kind {
		case Sprite, TileMap, Marker:
		default:
			continue
		}
		if !show.item(item) {
			continue
		}
		if item.Missing != "" && len(bad) < most {
			bad = append(bad, Label{Node: item.Node, At: v.under(item.Bounds), Text: item.Missing, Bad: item.Kind == Sprite})
		}
		if names && !done[item.Node] {
			done[item.Node] = true
			switch l, ok := p.Label(v, item.Node); {
			case !ok:
			case !l.Above:
				sprites = append(sprites, l)
			case len(marks) < most:
				marks = append(marks, l)
			}
		}
	}
	return append(append(bad, sprites...), marks[:min(len(marks), most-len(sprites))]...)
}

// Label gives the name of a node and its place; ok is false when it has no name.
func (p *Picture) Label(v View, node int) (l Label, ok bool) {
	if node < 0 || node >= len(p.places) || p.Expansion.Nodes[node].Name == "" {
		return Label{}, false
	}
	var box Box
	for _, i := range p.ItemsOf(node) {
		if p.Items[i].Kind == Sprite {
			box = box.Union(p.Items[i].Bounds)
		}
	}
	l = Label{Node: node, Text: p.Expansion.Nodes[node].Name}
	if box.Empty() {
		l.At, l.Above = v.ToScreen(p.places[node]), true
	} else {
		l.At = v.under(box)
	}
	return l, true
}

// under gives the middle of the lower edge of what is seen of a box.
func (v View) under(b Box) Point {
	from, to := v.ToScreen(b.Min), v.ToScreen(b.Max)
	w, h := float64(v.Width), float64(v.Height)
	left, right := min(max(from.X, 0), w), min(max(to.X, 0), w)
	return Point{(left + right) / 2, min(max(to.Y, 0), h)}
}
