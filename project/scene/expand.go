package scene

import (
	"context"
	"slices"
	"sync"

	"talebinder/formats"
	"talebinder/formats/guid"
	"talebinder/formats/jsondoc"
)

// A Catalog knows the prefabs that instances refer to. It is used by many goroutines at once.
type Catalog interface {
	// Prefab gives the prefab of an asset. It gives nil when there is none, and an error when it cannot be read.
	Prefab(asset guid.Guid) (*Document, error)
}

// Prefabs is a Catalog of documents that are at hand.
type Prefabs map[guid.Guid]*Document

// Prefab gives the prefab of an asset, or nil.
func (p Prefabs) Prefab(asset guid.Guid) (*Document, error) { return p[asset], nil }

// DefaultMaxNodes is the number of nodes that an expansion makes at most.
const DefaultMaxNodes = 2_000_000

// maxPrefabDepth is the number of prefabs that may lie in each other. Nobody nests them so deep; a project that was made to
// do harm shall not exhaust the stack.
const maxPrefabDepth = 10_000

// Options steer an expansion.
type Options struct {
	// Display expands for an editor instead of for the game: an instance's own component takes the place of the prefab's
	// component of its type instead of moving to the end, and an override with an empty path is passed over in silence.
	Display bool

	// MaxNodes is the number of nodes that one expansion makes at most, those of prefabs in prefabs included; 0 means
	// DefaultMaxNodes. A few prefabs that contain each other twice would otherwise fill any memory.
	MaxNodes int
}

// An Expander expands documents: it puts the entities of prefabs in the place of their instances, as the engine does when it
// loads a scene. Each prefab is expanded once and shared by all of its instances. It may be used by many goroutines.
type Expander struct {
	catalog Catalog
	options Options

	mu      sync.Mutex
	prefabs map[guid.Guid]*prefab
	kept    int // nodes of all prefabs
}

// NewExpander returns an Expander that finds prefabs in the catalog. Make a new one when a prefab has changed.
func NewExpander(c Catalog, o Options) *Expander {
	if o.MaxNodes <= 0 {
		o.MaxNodes = DefaultMaxNodes
	}
	return &Expander{catalog: c, options: o, prefabs: map[guid.Guid]*prefab{}}
}

// A Node is an entity of an expanded document.
type Node struct {
	ID          guid.Guid
	Name        string
	Parent      guid.Guid // as it is written, when HasParent is true, even if there is no such node
	HasParent   bool
	Active      bool
	ParentIndex int32           // of the parent in Expansion.Nodes, or -1 for a root
	Asset       guid.Guid       // of the prefab that the node is an instance of, or zero
	Components  []NodeComponent // may be shared with other nodes; not to be changed

	// Document and Entity say where the node is written. For the root of an instance that is the prefab's own root; the entity
	// with the link is Instance.Entity.
	Document *Document
	Entity   *Entity

	// Instance is the instance that brought the node here, and nil for an entity of the document itself. Proto is then the
	// same node in the prefab, before this instance changed anything: Proto.ID is the id that overrides of this instance name,
	// and Proto.Proto leads further, into the prefab in the prefab.
	Instance *Instance
	Proto    *Node
}

// An Instance is an entity that was replaced by the entities of a prefab.
type Instance struct {
	ID       guid.Guid // of the entity, as expanded in the document that has it
	Asset    guid.Guid
	Root     guid.Guid // of the prefab's root
	Prefab   *Document
	Document *Document // the document whose entity it is
	Entity   *Entity   // with the link
}

// A NodeComponent is a component of a node.
type NodeComponent struct {
	Type   string
	Data   jsondoc.Value // always an object; no place in a document once an override has changed it
	Source *Component    // where it is written, or nil when an override created it
	Own    bool          // from the own components of an instance
	Skip   int32         // as many of the innermost instances around it do not count for its references, see Resolve
}

// Component finds the first component of a type, or nil.
func (n *Node) Component(kind string) *NodeComponent {
	for i := range n.Components {
		if n.Components[i].Type == kind {
			return &n.Components[i]
		}
	}
	return nil
}

// Instances gives the instances that the node was expanded through, the outermost first.
func (n *Node) Instances() []*Instance {
	var chain []*Instance
	for ; n != nil && n.Instance != nil; n = n.Proto {
		chain = append(chain, n.Instance)
	}
	return chain
}

// depth counts the instances that the node was expanded through.
func (n *Node) depth() int32 {
	depth := int32(0)
	for ; n != nil && n.Instance != nil; n = n.Proto {
		depth++
	}
	return depth
}

// A prefab is an expanded prefab in its own space of ids, before repeated ids are dropped.
type prefab struct {
	document *Document
	nodes    []Node
	warnings []Warning
	byID     map[guid.Guid]int32 // the first node of each id
	parents  []int32             // for each node, the first node that has the id of its parent, or -1
	root     int32               // the first node without a parent, or -1

	cyclic bool // it was cut off at a prefab that is being expanded, so it only holds where it was found

	finish    sync.Once
	expansion *Expansion // once somebody has asked for it
}

// Expand expands a document. The error is that of ctx, or a *formats.LimitError for a document that has more nodes than
// Options.MaxNodes. Everything else that is wrong is among the warnings.
func (x *Expander) Expand(ctx context.Context, d *Document) (*Expansion, error) {
	r := x.expanding(ctx)
	nodes, err := r.entities(d)
	if err != nil {
		return nil, err
	}
	return finish(d, nodes, r.warnings), nil
}

// Prefab expands a prefab in its own space of ids: what its instances are before any of them changes something. It gives nil
// when the catalog has none, and the catalog's error.
func (x *Expander) Prefab(ctx context.Context, asset guid.Guid) (*Expansion, error) {
	p := x.known(asset)
	if p == nil {
		d, err := x.catalog.Prefab(asset)
		if d == nil || err != nil {
			return nil, err
		}
		if p, err = x.expanding(ctx).prefab(asset, d); err != nil {
			return nil, err
		}
	}
	p.finish.Do(func() { p.expansion = finish(p.document, slices.Clone(p.nodes), slices.Clone(p.warnings)) })
	return p.expansion, nil
}

func (x *Expander) expanding(ctx context.Context) *expanding {
	return &expanding{ctx: ctx, x: x, told: map[*prefab]bool{}, seen: map[warningKey]bool{}}
}

// An expanding is one call of Expand.
type expanding struct {
	ctx       context.Context
	x         *Expander
	enclosing []guid.Guid // the prefabs that are being expanded, the outermost first
	cut       bool        // at a prefab that is being expanded
	made      int         // nodes
	warnings  []Warning
	told      map[*prefab]bool // whose warnings are among ours
	seen      map[warningKey]bool
}

// entities expands the entities of a document, in order.
func (r *expanding) entities(d *Document) ([]Node, error) {
	nodes := make([]Node, 0, len(d.Entities))
	for i := range d.Entities {
		var err error
		if nodes, err = r.entity(nodes, d, &d.Entities[i]); err != nil {
			return nil, err
		}
	}
	return nodes, nil
}

func (r *expanding) entity(nodes []Node, d *Document, e *Entity) ([]Node, error) {
	if e.Link == nil || e.Link.Asset.IsZero() {
		return r.plain(nodes, d, e)
	}
	asset := e.Link.Asset
	warning := Warning{Asset: asset, Entity: e.ID, Document: d, JSON: e.Link.JSON}
	for _, outer := range r.enclosing {
		if outer == asset {
			r.cut = true
			warning.Kind = PrefabCycle
			r.warnings = append(r.warnings, warning)
			return r.plain(nodes, d, e)
		}
	}
	p := r.x.known(asset)
	if p == nil {
		prefab, err := r.x.catalog.Prefab(asset)
		if prefab == nil || err != nil {
			warning.Kind, warning.Err = PrefabMissing, err
			r.warnings = append(r.warnings, warning)
			return r.plain(nodes, d, e)
		}
		if p, err = r.prefab(asset, prefab); err != nil {
			return nil, err
		}
	}
	r.tell(p)
	return r.instance(nodes, d, e, p)
}

// count counts nodes that are about to be made.
func (r *expanding) count(n int) error {
	r.made += n
	if r.made > r.x.options.MaxNodes {
		return &formats.LimitError{What: "the number of entities with all prefabs expanded", Value: int64(r.made), Max: int64(r.x.options.MaxNodes)}
	}
	return r.ctx.Err()
}

// plain makes the node of an entity that nothing is put in the place of. One that is the instance of a prefab that is missing is
// an instance all the same.
func (r *expanding) plain(nodes []Node, d *Document, e *Entity) ([]Node, error) {
	if err := r.count(1); err != nil {
		return nil, err
	}
	n := Node{ID: e.ID, Name: e.Name, Parent: e.Parent, HasParent: e.HasParent, Active: e.Active, Document: d, Entity: e}
	if e.Link != nil {
		n.Asset = e.Link.Asset
	}
	n.Components = make([]NodeComponent, len(e.Components))
	for i := range e.Components {
		c := &e.Components[i]
		n.Components[i] = NodeComponent{Type: c.Type, Data: c.Data, Source: c}
	}
	return append(nodes, n), nil
}

// tell adds the warnings of a prefab. Each is told once, however many instances there are.
func (r *expanding) tell(p *prefab) {
	if len(p.warnings) == 0 || r.told[p] {
		return
	}
	r.told[p] = true
	for _, w := range p.warnings {
		key := warningKey{w.Kind, w.Document, w.JSON.Start()}
		if !r.seen[key] {
			r.seen[key] = true
			r.warnings = append(r.warnings, w)
		}
	}
}

// A warningKey is the same for warnings that say the same about the same place.
type warningKey struct {
	kind     WarningKind
	document *Document
	start    int
}

// known finds a prefab that is already expanded.
func (x *Expander) known(asset guid.Guid) *prefab {
	x.mu.Lock()
	defer x.mu.Unlock()
	return x.prefabs[asset]
}

// keep remembers an expanded prefab, unless another goroutine was faster, whose result is then given. What was cut off at a
// cycle holds only where it was found.
func (x *Expander) keep(asset guid.Guid, p *prefab) *prefab {
	x.mu.Lock()
	defer x.mu.Unlock()
	if known := x.prefabs[asset]; known != nil {
		return known
	}
	if !p.cyclic && x.kept+len(p.nodes) <= x.options.MaxNodes {
		x.prefabs[asset] = p
		x.kept += len(p.nodes)
	}
	return p
}

// prefab expands a prefab. Its warnings stay with it.
func (r *expanding) prefab(asset guid.Guid, d *Document) (*prefab, error) {
	if len(r.enclosing) == maxPrefabDepth {
		return nil, &formats.LimitError{What: "the number of prefabs in each other", Value: maxPrefabDepth + 1, Max: maxPrefabDepth}
	}
	inner := &expanding{ctx: r.ctx, x: r.x, enclosing: append(r.enclosing, asset), made: r.made, told: map[*prefab]bool{}, seen: map[warningKey]bool{}}
	nodes, err := inner.entities(d)
	r.made = inner.made
	if err != nil {
		return nil, err
	}
	p := &prefab{document: d, nodes: nodes, warnings: inner.warnings, root: -1, cyclic: inner.cut}
	r.cut = r.cut || inner.cut
	p.index()
	return r.x.keep(asset, p), nil
}

// index finds out what every instance needs.
func (p *prefab) index() {
	p.byID = make(map[guid.Guid]int32, len(p.nodes))
	for i := range p.nodes {
		if _, ok := p.byID[p.nodes[i].ID]; !ok {
			p.byID[p.nodes[i].ID] = int32(i)
		}
		if p.root < 0 && !p.nodes[i].HasParent {
			p.root = int32(i)
		}
	}
	p.parents = make([]int32, len(p.nodes))
	for i := range p.nodes {
		p.parents[i] = -1
		if n := &p.nodes[i]; n.HasParent {
			if at, ok := p.byID[n.Parent]; ok {
				p.parents[i] = at
			}
		}
	}
}

// instance puts the nodes of a prefab in the place of an entity.
func (r *expanding) instance(nodes []Node, d *Document, e *Entity, p *prefab) ([]Node, error) {
	changed := r.change(d, e, p)
	if p.root < 0 {
		return r.plain(nodes, d, e)
	}
	if err := r.count(len(p.nodes)); err != nil {
		return nil, err
	}
	instance := &Instance{ID: e.ID, Asset: e.Link.Asset, Root: p.nodes[p.root].ID, Prefab: p.document, Document: d, Entity: e}
	first := len(nodes)
	for i := range p.nodes {
		proto := &p.nodes[i]
		nodes = append(nodes, Node{
			ID: Map(e.ID, instance.Root, proto.ID), Name: proto.Name, Active: proto.Active, Asset: proto.Asset,
			Parent: e.ID, HasParent: true, Components: proto.Components,
			Document: proto.Document, Entity: proto.Entity, Instance: instance, Proto: proto,
		})
		if components, ok := changed[int32(i)]; ok {
			nodes[first+i].Components = components
		}
	}
	for i := range p.nodes {
		proto, n := &p.nodes[i], &nodes[first+i]
		switch {
		case int32(i) == p.root:
			n.Parent, n.HasParent = e.Parent, e.HasParent
		case !proto.HasParent:
		case p.parents[i] >= 0:
			n.Parent = nodes[first+int(p.parents[i])].ID
		default:
			n.Parent = Map(e.ID, instance.Root, proto.Parent)
		}
	}
	root := &nodes[first+int(p.root)]
	if e.Name != "" {
		root.Name = e.Name
	}
	root.Active = e.Active
	root.Asset = e.Link.Asset
	root.Components = r.own(root, e)
	return nodes, nil
}

// own gives the components of the root of an instance with those that the instance has itself. Each replaces the components of
// its type: at the end, or for display in the place of the first.
func (r *expanding) own(root *Node, e *Entity) []NodeComponent {
	if len(e.Components) == 0 {
		return root.Components
	}
	depth := root.depth()
	last := lastOfType(e.Components)
	components := make([]NodeComponent, 0, len(root.Components)+len(e.Components))
	var placed map[int]bool // the own components that stand where one of the prefab stood
	for _, c := range root.Components {
		own := last(c.Type)
		switch {
		case own < 0:
			components = append(components, c)
		case r.x.options.Display && !placed[own]:
			if placed == nil {
				placed = map[int]bool{}
			}
			placed[own] = true
			components = append(components, ownComponent(&e.Components[own], depth))
		}
	}
	if !r.x.options.Display {
		for i := range e.Components {
			if c := &e.Components[i]; last(c.Type) == i {
				components = append(components, ownComponent(c, depth))
			}
		}
		return components
	}
	for i := range e.Components { // a type that occurs twice stands where it first did, with its last data
		if own := last(e.Components[i].Type); !placed[own] {
			if placed == nil {
				placed = map[int]bool{}
			}
			placed[own] = true
			components = append(components, ownComponent(&e.Components[own], depth))
		}
	}
	return components
}

func ownComponent(c *Component, depth int32) NodeComponent {
	return NodeComponent{Type: c.Type, Data: c.Data, Source: c, Own: true, Skip: depth}
}

// few is the number of components up to which looking at each is faster than a map.
const few = 16

// lastOfType gives a function that finds the last component of a type, or -1.
func lastOfType(components []Component) func(kind string) int {
	if len(components) > few {
		last := make(map[string]int, len(components))
		for i := range components {
			last[components[i].Type] = i
		}
		return func(kind string) int {
			if i, ok := last[kind]; ok {
				return i
			}
			return -1
		}
	}
	return func(kind string) int {
		for i := len(components) - 1; i >= 0; i-- {
			if components[i].Type == kind {
				return i
			}
		}
		return -1
	}
}

// A changing is a node of a prefab that an instance changes.
type changing struct {
	components []NodeComponent
	removed    map[string]bool // types
	places     map[string]int  // of the first component of each type, once there are many
	editors    map[int]*editor // of the components that get values
}

// change carries out what an instance removes and overrides. It gives the components of the nodes that are changed; the prefab
// itself stays as it is.
func (r *expanding) change(d *Document, e *Entity, p *prefab) map[int32][]NodeComponent {
	link := e.Link
	if len(link.Removed) == 0 && len(link.Overrides) == 0 {
		return nil
	}
	changes := map[int32]*changing{}
	for i := range link.Removed {
		removed := &link.Removed[i]
		if at, ok := p.byID[removed.Entity]; ok {
			c := changes[at]
			if c == nil {
				c = &changing{removed: map[string]bool{}}
				changes[at] = c
			}
			c.removed[removed.Component] = true
		}
	}
	for at, c := range changes {
		for _, component := range p.nodes[at].Components {
			if !c.removed[component.Type] {
				c.components = append(c.components, component)
			}
		}
	}
	for i := range link.Overrides {
		o := &link.Overrides[i]
		warning := Warning{Asset: link.Asset, Entity: o.Entity, Component: o.Component, Path: o.Path, Document: d, JSON: o.JSON}
		at, ok := p.byID[o.Entity]
		switch {
		case !ok:
			warning.Kind = OverrideTargetMissing
			r.warnings = append(r.warnings, warning)
			continue
		case o.Path == "":
			if !r.x.options.Display {
				warning.Kind = OverridePathInvalid
				r.warnings = append(r.warnings, warning)
			}
			continue
		}
		c := changes[at]
		if c == nil {
			c = &changing{components: slices.Clone(p.nodes[at].Components)}
			changes[at] = c
		}
		if err := c.set(&p.nodes[at], o); err != nil {
			warning.Kind, warning.Err = OverridePathInvalid, err
			r.warnings = append(r.warnings, warning)
		}
	}
	components := make(map[int32][]NodeComponent, len(changes))
	for at, c := range changes {
		for i, editor := range c.editors {
			c.components[i].Data = editor.value()
		}
		components[at] = c.components
	}
	return components
}

// set carries out one override of a node of the prefab.
func (c *changing) set(n *Node, o *Override) error {
	at := c.find(o.Component)
	if at < 0 {
		at = len(c.components)
		c.components = append(c.components, NodeComponent{Type: o.Component, Data: emptyObject, Skip: n.depth()})
		if c.places != nil {
			c.places[o.Component] = at
		}
	}
	if c.editors == nil {
		c.editors = map[int]*editor{}
	}
	if c.editors[at] == nil {
		c.editors[at] = newEditor(c.components[at].Data)
	}
	return c.editors[at].set(o.Path, o.Value)
}

// find gives the place of the first component of a type, or -1.
func (c *changing) find(kind string) int {
	if c.places == nil && len(c.components) > few {
		c.places = make(map[string]int, len(c.components))
		for i := len(c.components) - 1; i >= 0; i-- {
			c.places[c.components[i].Type] = i
		}
	}
	if c.places != nil {
		if at, ok := c.places[kind]; ok {
			return at
		}
		return -1
	}
	return slices.IndexFunc(c.components, func(other NodeComponent) bool { return other.Type == kind })
}
