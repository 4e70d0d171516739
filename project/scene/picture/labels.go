package picture

// A Label is the name of a node and where it belongs on the screen: the middle of the name's upper edge, in pixels.
type Label struct {
	Node int
	At   Point
	Text string
	Bad  bool // it says what is missing
}

// Labels lists the names of the nodes that a view shows, the topmost first and no more than most, and what is missing in front of all.
// With names false only what is missing is listed.
func (p *Picture) Labels(v View, show Show, names bool, most int) []Label {
	seen := narrow(v.Box())
	done := map[int]bool{}
	var bad, labels []Label
	for i := len(p.bounds) - 1; i >= 0 && len(labels) < most; i-- {
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
			if l, ok := p.Label(v, item.Node); ok {
				labels = append(labels, l)
			}
		}
	}
	return append(bad, labels...)
}

// Label gives the name of a node and its place; ok is false when it has no name.
func (p *Picture) Label(v View, node int) (l Label, ok bool) {
	if node < 0 || node >= len(p.places) || p.Expansion.Nodes[node].Name == "" {
		return Label{}, false
	}
	var box Box
	for _, i := range p.ItemsOf(node) {
		if k := p.Items[i].Kind; k == Sprite || k == TileMap || k == Marker {
			box = box.Union(p.Items[i].Bounds)
		}
	}
	if box.Empty() {
		box = Box{p.places[node], p.places[node]}
	}
	return Label{Node: node, At: v.under(box), Text: p.Expansion.Nodes[node].Name}, true
}

// under gives the middle of the lower edge of what is seen of a box.
func (v View) under(b Box) Point {
	from, to := v.ToScreen(b.Min), v.ToScreen(b.Max)
	w, h := float64(v.Width), float64(v.Height)
	left, right := min(max(from.X, 0), w), min(max(to.X, 0), w)
	return Point{(left + right) / 2, min(max(to.Y, 0), h)}
}
