package cli

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"talebinder/formats/guid"
	"talebinder/formats/jsondoc"
	"talebinder/project/document"
	"talebinder/project/problem"
	"talebinder/project/scene"
	"talebinder/project/scene/overrides"
)

func prefabCommand(s Streams) *cobra.Command {
	c := &cobra.Command{
		Use:   "prefab",
		Short: "List and edit what instances have instead of their prefabs' values",
		Long: "Edits change only the bytes of the values that they are about, in all files or in none. With --dry-run they are worked out and\n" +
			"shown, and nothing is written.",
		Args: cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			return usagef("which one: overrides, set, apply, revert, clear, remove, restore, create or place?")
		},
	}
	c.AddCommand(
		prefabOverridesCommand(s), prefabSetCommand(s), prefabApplyCommand(s), prefabRevertCommand(s), prefabClearCommand(s),
		prefabRemoveCommand(s), prefabRestoreCommand(s), prefabCreateCommand(s), prefabPlaceCommand(s),
	)
	return c
}

// A prefabs is a project opened for its instances.
type prefabs struct {
	*overrides.Workspace
	catalog *scene.ProjectCatalog
}

func openPrefabs(ctx context.Context, path string) (*prefabs, error) {
	catalog, db, err := openScenes(ctx, path)
	if err != nil {
		return nil, err
	}
	return &prefabs{overrides.NewWorkspace(db, document.NewGroup(db.Root())), catalog}, nil
}

// file finds a scene or prefab by what a person calls it.
func (p *prefabs) file(name string) (string, error) {
	a, err := p.catalog.Find(name)
	if err != nil {
		return "", err
	}
	return a.Path, nil
}

// entity finds an entity of a document by its id, its name, or the names from the outermost parent down to it.
func (p *prefabs) entity(file, name string) (guid.Guid, error) {
	d, err := p.Document(file)
	if err != nil {
		return guid.Guid{}, err
	}
	if id, err := guid.Parse(name); err == nil {
		return id, nil
	}
	var found []*scene.Entity
	for i := range d.Entities {
		e := &d.Entities[i]
		if e.Name == name || overrides.EntityPath(d, e) == name {
			found = append(found, e)
		}
	}
	switch len(found) {
	case 0:
		return guid.Guid{}, fmt.Errorf("assets/%s has no entity called %q", file, name)
	case 1:
		return found[0].ID, nil
	}
	ids := make([]string, len(found))
	for i, e := range found {
		ids[i] = e.ID.String()
	}
	return guid.Guid{}, fmt.Errorf("assets/%s has %d entities called %q; say which one by its id: %s", file, len(found), name, strings.Join(ids, ", "))
}

type overrideJSON struct {
	Scene         string          `json:"scene"`
	Line          int             `json:"line"`
	Column        int             `json:"column"`
	Instance      guid.Guid       `json:"instance"`
	InstancePath  []string        `json:"instancePath"`
	Entity        guid.Guid       `json:"entity"`
	EntityName    string          `json:"entityName"`
	Component     string          `json:"component"`
	Path          string          `json:"path"`
	Kind          string          `json:"kind"`
	Class         string          `json:"class"`
	Reason        string          `json:"reason,omitempty"`
	PrefabValue   json.RawMessage `json:"prefabValue"`
	InstanceValue json.RawMessage `json:"instanceValue"`
	Chain         []prefabJSON    `json:"chain"`
}

type prefabJSON struct {
	Asset guid.Guid `json:"asset"`
	Path  string    `json:"path,omitempty"`
}

func rawJSON(v jsondoc.Value) json.RawMessage {
	return json.RawMessage(jsondoc.Compact(v, jsondoc.Relaxed))
}

func overrideOf(r *overrides.Row) overrideJSON {
	chain := make([]prefabJSON, len(r.Chain))
	for i, link := range r.Chain {
		chain[i] = prefabJSON(link)
	}
	return overrideJSON{
		Scene: r.File, Line: r.Line, Column: r.Column, Instance: r.Instance, InstancePath: r.InstancePath,
		Entity: r.Entity, EntityName: r.EntityName, Component: r.Component, Path: r.Path,
		Kind: r.Kind.String(), Class: r.Class.String(), Reason: r.Reason,
		PrefabValue: rawJSON(r.PrefabValue), InstanceValue: rawJSON(r.InstanceValue), Chain: chain,
	}
}

// filterFlags are the options that choose among the overrides of a project.
type filterFlags struct{ scenes, classes []string }

func (f *filterFlags) add(c *cobra.Command, classes string) {
	c.Flags().StringArrayVar(&f.scenes, "scene", nil, "only this scene or prefab; may be repeated")
	c.Flags().StringSliceVar(&f.classes, "class", nil, classes)
}

func (f *filterFlags) filter(p *prefabs) (overrides.Filter, error) {
	var filter overrides.Filter
	for _, name := range f.scenes {
		file, err := p.file(name)
		if err != nil {
			return filter, err
		}
		filter.Files = append(filter.Files, file)
	}
	return filter, nil
}

// readClasses is apart from filter, since a wrong word is a mistake in the arguments whatever the project holds.
func (f *filterFlags) readClasses() ([]overrides.Class, error) {
	var classes []overrides.Class
	for _, name := range f.classes {
		class, ok := overrides.ParseClass(strings.TrimSpace(name))
		if !ok {
			return nil, usagef("unknown class %q; the classes are %s", name, classWords())
		}
		classes = append(classes, class)
	}
	return classes, nil
}

func classWords() string {
	var words []string
	for _, class := range overrides.Classes() {
		words = append(words, class.String())
	}
	return strings.Join(words, ", ")
}

func prefabOverridesCommand(s Streams) *cobra.Command {
	var flags filterFlags
	var asJSON bool
	c := &cobra.Command{
		Use:   "overrides PROJECT",
		Short: "List everything in which instances differ from their prefabs",
		Long: "Each override with the prefab's value and its own, and what it is good for: effective, redundant (the prefab has the same\n" +
			"value), hidden (a component of the instance, or a later override, wins), orphaned (its entity, component or path is gone) or\n" +
			"unreadable (it cannot be set at all). Components that instances remove or have of their own are listed too.",
		Args: exactly("PROJECT"),
		RunE: func(c *cobra.Command, args []string) error {
			classes, err := flags.readClasses()
			if err != nil {
				return err
			}
			p, err := openPrefabs(c.Context(), args[0])
			if err != nil {
				return err
			}
			filter, err := flags.filter(p)
			if err != nil {
				return err
			}
			filter.Classes = classes
			table, err := p.Overrides(c.Context(), filter, nil)
			if err != nil {
				return err
			}
			for _, found := range table.Problems {
				fmt.Fprintf(s.Err, "%s: %s\n", found.Level, found)
			}
			if asJSON {
				err = printOverridesJSON(s.Out, table)
			} else {
				err = printOverrides(s.Out, table)
			}
			if err != nil {
				return err
			}
			return errorIfAny(table.Problems)
		},
	}
	flags.add(c, "only these classes, separated by commas: "+classWords())
	c.Flags().BoolVar(&asJSON, "json", false, "print one JSON document")
	return c
}

func printOverridesJSON(w io.Writer, table *overrides.Table) error {
	values, components := []overrideJSON{}, []overrideJSON{}
	for i := range table.Rows {
		if r := &table.Rows[i]; r.Kind == overrides.Value {
			values = append(values, overrideOf(r))
		} else {
			components = append(components, overrideOf(r))
		}
	}
	problems := table.Problems
	if problems == nil {
		problems = []problem.Problem{}
	}
	return printJSON(w, struct {
		Overrides  []overrideJSON    `json:"overrides"`
		Components []overrideJSON    `json:"components"`
		Problems   []problem.Problem `json:"problems"`
	}{values, components, problems})
}

func printOverrides(w io.Writer, table *overrides.Table) error {
	for i := range table.Rows {
		r := &table.Rows[i]
		what := valueName(r.EntityName, r.Entity, r.Component, r.Path)
		var change string
		switch r.Kind {
		case overrides.Value, overrides.Replaced:
			change = show(r.PrefabValue) + " -> " + show(r.InstanceValue)
		case overrides.Removed:
			change = "removed"
		case overrides.Added:
			change = "added " + show(r.InstanceValue)
		}
		chain := make([]string, len(r.Chain))
		for i, link := range r.Chain {
			if chain[i] = link.Path; chain[i] == "" {
				chain[i] = link.Asset.String()
			}
		}
		if _, err := fmt.Fprintf(w, "assets/%s(%d,%d): %s: %s: %s: %s  [%s]\n", r.File, r.Line, r.Column, r.Class,
			strings.Join(r.InstancePath, "/"), what, change, strings.Join(chain, " > ")); err != nil {
			return err
		}
		if r.Reason != "" {
			if _, err := fmt.Fprintf(w, "  %s\n", r.Reason); err != nil {
				return err
			}
		}
	}
	counts := table.Counts()
	words := []string{}
	for _, class := range overrides.Classes() {
		if counts[class] > 0 {
			words = append(words, fmt.Sprintf("%d %s", counts[class], class))
		}
	}
	summary := count(len(table.Rows), "change")
	if len(words) > 0 {
		summary += ": " + strings.Join(words, ", ")
	}
	_, err := fmt.Fprintf(w, "%s, in %s of %s\n", summary, count(table.Instances, "instance"), count(table.Files, "file"))
	return err
}

// valueName names a value in one word, such as "Lamp.Light2D.color".
func valueName(entity string, id guid.Guid, component, path string) string {
	if entity == "" {
		entity = id.String()
	}
	for _, part := range []string{component, path} {
		if part != "" {
			entity += "." + part
		}
	}
	return entity
}

// show gives a value in one short line.
func show(v jsondoc.Value) string {
	if !v.Exists() {
		return "nothing"
	}
	const most = 60
	text := []rune(jsondoc.Compact(v, jsondoc.Relaxed))
	if len(text) > most {
		return string(text[:most]) + "…"
	}
	return string(text)
}

// editFlags are the options of every command that edits.
type editFlags struct{ dryRun, asJSON bool }

func (f *editFlags) add(c *cobra.Command) {
	c.Flags().BoolVar(&f.dryRun, "dry-run", false, "say what would change, and write nothing")
	c.Flags().BoolVar(&f.asJSON, "json", false, "print one JSON document")
}

// targetFlags are the options that say what of an instance is meant.
type targetFlags struct{ entity, component, path string }

func (f *targetFlags) add(c *cobra.Command, withPath bool) {
	c.Flags().StringVar(&f.entity, "entity", "", "ID of an entity of the prefab, or of the expanded scene; the instance itself when a component is named without it")
	c.Flags().StringVar(&f.component, "component", "", "type of a component")
	if withPath {
		c.Flags().StringVar(&f.path, "path", "", "path of a value in the component, such as frames.2.duration")
	}
}

// target reads PROJECT SCENE INSTANCE and the options.
func (f *targetFlags) target(ctx context.Context, args []string) (*prefabs, overrides.Target, error) {
	var t overrides.Target
	if f.path != "" && f.component == "" {
		return nil, t, usagef("--path needs --component")
	}
	if f.entity != "" {
		id, err := guid.Parse(f.entity)
		if err != nil {
			return nil, t, usagef("--entity: %v", err)
		}
		t.Entity = id
	}
	p, err := openPrefabs(ctx, args[0])
	if err != nil {
		return nil, t, err
	}
	if t.File, err = p.file(args[1]); err != nil {
		return nil, t, err
	}
	if t.Instance, err = p.entity(t.File, args[2]); err != nil {
		return nil, t, err
	}
	t.Component, t.Path = f.component, f.path
	return p, t, nil
}

const instanceHelp = "SCENE is the asset path of a scene or prefab, the path of its file, or its guid. INSTANCE is the id of the entity with the prefab\n" +
	"link, its name, or the names from its outermost parent down to it, separated by slashes."

func prefabSetCommand(s Streams) *cobra.Command {
	var target targetFlags
	var edit editFlags
	var value string
	c := &cobra.Command{
		Use:   "set PROJECT SCENE INSTANCE --component C --path P --value JSON",
		Short: "Give an instance, or another entity, a value",
		Long: instanceHelp + "\n\nThe value becomes an override of the instance, or none when the prefab has the same. A component that the instance has itself is\n" +
			"changed where it is.",
		Args: exactly("PROJECT", "SCENE", "INSTANCE"),
		RunE: func(c *cobra.Command, args []string) error {
			switch {
			case target.component == "":
				return usagef("--component is missing")
			case !c.Flags().Changed("value"):
				return usagef("--value is missing")
			}
			p, t, err := target.target(c.Context(), args)
			if err != nil {
				return err
			}
			change, err := p.Set(c.Context(), t, []byte(value))
			if err != nil {
				return err
			}
			return edit.finish(s, p, change, true)
		},
	}
	target.add(c, true)
	edit.add(c)
	c.Flags().StringVar(&value, "value", "", `the new value as JSON, such as 12 or "\"#FF0000\""`)
	return c
}

// targetCommand makes a command that works on a part of an instance.
func targetCommand(s Streams, name, short, long string, withPath, needsComponent bool,
	work func(*prefabs, context.Context, overrides.Target) (*overrides.Change, error),
) *cobra.Command {
	var target targetFlags
	var edit editFlags
	c := &cobra.Command{
		Use:   name + " PROJECT SCENE INSTANCE",
		Short: short,
		Long:  long + "\n\n" + instanceHelp,
		Args:  exactly("PROJECT", "SCENE", "INSTANCE"),
		RunE: func(c *cobra.Command, args []string) error {
			if needsComponent && target.component == "" {
				return usagef("--component is missing")
			}
			p, t, err := target.target(c.Context(), args)
			if err != nil {
				return err
			}
			change, err := work(p, c.Context(), t)
			if err != nil {
				return err
			}
			return edit.finish(s, p, change, false)
		},
	}
	target.add(c, withPath)
	edit.add(c)
	return c
}

func prefabApplyCommand(s Streams) *cobra.Command {
	return targetCommand(s, "apply", "Make an instance's values those of its prefab",
		"All of the instance, or what the options name. Other instances see the new values where they do not override them; these are\n"+
			"listed. What has no place in the prefab any more is passed over and stays.", true, false,
		func(p *prefabs, ctx context.Context, t overrides.Target) (*overrides.Change, error) {
			return p.Apply(ctx, t)
		})
}

func prefabRevertCommand(s Streams) *cobra.Command {
	return targetCommand(s, "revert", "Give an instance the prefab's values back",
		"All of the instance, or what the options name. Name, place in the hierarchy and Transform stay.", true, false,
		func(p *prefabs, ctx context.Context, t overrides.Target) (*overrides.Change, error) {
			return p.Revert(ctx, t)
		})
}

func prefabRemoveCommand(s Streams) *cobra.Command {
	return targetCommand(s, "remove", "Let an instance do without a component", "A component of the instance itself goes; one of the prefab is listed as removed.", false, true,
		func(p *prefabs, ctx context.Context, t overrides.Target) (*overrides.Change, error) {
			return p.RemoveComponent(ctx, t)
		})
}

func prefabRestoreCommand(s Streams) *cobra.Command {
	return targetCommand(s, "restore", "Give an instance a component of the prefab back that it removed", "", false, true,
		func(p *prefabs, ctx context.Context, t overrides.Target) (*overrides.Change, error) {
			return p.RestoreComponent(ctx, t)
		})
}

func prefabClearCommand(s Streams) *cobra.Command {
	var flags filterFlags
	var edit editFlags
	c := &cobra.Command{
		Use:   "clear PROJECT",
		Short: "Remove redundant and orphaned overrides from all scenes and prefabs",
		Long:  "The game does not change by what is redundant. The other classes are removed only when --class names them.",
		Args:  exactly("PROJECT"),
		RunE: func(c *cobra.Command, args []string) error {
			classes, err := flags.readClasses()
			if err != nil {
				return err
			}
			p, err := openPrefabs(c.Context(), args[0])
			if err != nil {
				return err
			}
			filter, err := flags.filter(p)
			if err != nil {
				return err
			}
			filter.Classes = classes
			change, err := p.Clear(c.Context(), filter)
			if err != nil {
				return err
			}
			return edit.finish(s, p, change, false)
		},
	}
	flags.add(c, "these classes instead of redundant,orphaned: "+classWords())
	edit.add(c)
	return c
}

func prefabCreateCommand(s Streams) *cobra.Command {
	var edit editFlags
	c := &cobra.Command{
		Use:   "create PROJECT SCENE ENTITY",
		Short: "Make a prefab of an entity and everything below it",
		Long:  "The prefab goes into the folder prefabs, named after the entity, which becomes an instance of it.\n\n" + instanceHelp,
		Args:  exactly("PROJECT", "SCENE", "ENTITY"),
		RunE: func(c *cobra.Command, args []string) error {
			p, t, err := (&targetFlags{}).target(c.Context(), args)
			if err != nil {
				return err
			}
			change, err := p.CreatePrefab(c.Context(), t.File, t.Instance)
			if err != nil {
				return err
			}
			return edit.finish(s, p, change, false)
		},
	}
	edit.add(c)
	return c
}

func prefabPlaceCommand(s Streams) *cobra.Command {
	var edit editFlags
	var parent, position string
	c := &cobra.Command{
		Use:   "place PROJECT SCENE PREFAB",
		Short: "Put an instance of a prefab into a scene or another prefab",
		Args:  exactly("PROJECT", "SCENE", "PREFAB"),
		RunE: func(c *cobra.Command, args []string) error {
			at, err := parsePosition(position)
			if err != nil {
				return err
			}
			p, err := openPrefabs(c.Context(), args[0])
			if err != nil {
				return err
			}
			place := overrides.Placement{Position: at}
			if place.File, err = p.file(args[1]); err != nil {
				return err
			}
			prefab, err := p.catalog.Find(args[2])
			if err != nil {
				return err
			}
			place.Asset = prefab.Meta.Guid
			if parent != "" {
				if place.Parent, err = p.entity(place.File, parent); err != nil {
					return err
				}
			}
			change, err := p.Instantiate(c.Context(), place)
			if err != nil {
				return err
			}
			return edit.finish(s, p, change, false)
		},
	}
	edit.add(c)
	c.Flags().StringVar(&parent, "parent", "", "id or name of the entity that the instance is put below")
	c.Flags().StringVar(&position, "position", "0,0", "X,Y in world units, relative to the parent")
	return c
}

func parsePosition(text string) (scene.Vector, error) {
	x, y, ok := strings.Cut(text, ",")
	var numbers [2]float32
	for i, part := range []string{x, y} {
		n, err := strconv.ParseFloat(strings.TrimSpace(part), 32)
		if err != nil || !ok {
			return scene.Vector{}, usagef("--position %q: expected two numbers such as 12,-3.5", text)
		}
		numbers[i] = float32(n)
	}
	return scene.Vector{X: numbers[0], Y: numbers[1]}, nil
}

type touchedJSON struct {
	What       string          `json:"what"`
	File       string          `json:"file"`
	Instance   *guid.Guid      `json:"instance,omitempty"`
	Entity     guid.Guid       `json:"entity"`
	EntityName string          `json:"entityName"`
	Component  string          `json:"component"`
	Path       string          `json:"path"`
	Old        json.RawMessage `json:"old"`
	New        json.RawMessage `json:"new"`
}

type instanceJSON struct {
	Scene    string    `json:"scene"`
	Instance guid.Guid `json:"instance"`
	Path     []string  `json:"path"`
}

// finish prints a change, and makes and saves it unless it is only to be shown. A change that changes nothing is a failure, except
// where what was asked for is so already.
func (f *editFlags) finish(s Streams, p *prefabs, change *overrides.Change, mayBeSo bool) error {
	for _, skipped := range change.Skipped {
		fmt.Fprintf(s.Err, "%s: %s\n", skipped.Level, skipped)
		if skipped.Hint != "" {
			fmt.Fprintf(s.Err, "  %s\n", skipped.Hint)
		}
	}
	if change.Empty() && !mayBeSo {
		fmt.Fprintln(s.Err, "error: nothing matched, and nothing was changed")
		return errReported
	}
	if !f.dryRun {
		if err := p.Do(change, ""); err != nil {
			return err
		}
		if err := p.Files().Save(); err != nil {
			return err
		}
	}
	if f.asJSON {
		return printChangeJSON(s.Out, change)
	}
	return f.print(s.Out, change)
}

func printChangeJSON(w io.Writer, change *overrides.Change) error {
	out := struct {
		Files     []string          `json:"files"`
		Instances []instanceJSON    `json:"instances"`
		Values    []touchedJSON     `json:"values"`
		Skipped   []problem.Problem `json:"skipped"`
		Created   *guid.Guid        `json:"created,omitempty"`
	}{[]string{}, []instanceJSON{}, []touchedJSON{}, change.Skipped, nil}
	if out.Skipped == nil {
		out.Skipped = []problem.Problem{}
	}
	if !change.Created.IsZero() {
		out.Created = &change.Created
	}
	for _, file := range change.Files {
		out.Files = append(out.Files, file.Name)
	}
	for _, i := range change.Instances {
		out.Instances = append(out.Instances, instanceJSON{Scene: i.File, Instance: i.ID, Path: i.Path})
	}
	for i := range change.Values {
		v := &change.Values[i]
		t := touchedJSON{
			What: v.What.String(), File: v.File, Entity: v.Entity, EntityName: v.EntityName, Component: v.Component, Path: v.Path,
			Old: rawJSON(v.Old), New: rawJSON(v.New),
		}
		if !v.Instance.IsZero() {
			t.Instance = &v.Instance
		}
		out.Values = append(out.Values, t)
	}
	return printJSON(w, out)
}

func (f *editFlags) print(w io.Writer, change *overrides.Change) error {
	if change.Empty() {
		_, err := fmt.Fprintln(w, "It is so already: nothing was changed")
		return err
	}
	names := map[string]string{}
	for _, i := range change.Instances {
		names[i.File+i.ID.String()] = strings.Join(i.Path, "/")
	}
	for i := range change.Values {
		v := &change.Values[i]
		place := "assets/" + v.File
		if name := names[v.File+v.Instance.String()]; name != "" {
			place += ": " + name
		}
		if _, err := fmt.Fprintf(w, "%s: %s: %s -> %s (%s)\n", place, valueName(v.EntityName, v.Entity, v.Component, v.Path),
			show(v.Old), show(v.New), whatWords(v.What)); err != nil {
			return err
		}
	}
	verb := "Written"
	if f.dryRun {
		verb = "Would write"
	}
	var files []string
	for _, file := range change.Files {
		files = append(files, "assets/"+file.Name)
	}
	slices.Sort(files)
	_, err := fmt.Fprintf(w, "%s: %s\n", verb, strings.Join(files, ", "))
	return err
}

func whatWords(w overrides.What) string {
	switch w {
	case overrides.OverrideAdded:
		return "new override"
	case overrides.OverrideChanged:
		return "override changed"
	case overrides.OverrideRemoved:
		return "override removed"
	case overrides.ComponentRemoved:
		return "component removed"
	case overrides.ComponentRestored:
		return "component restored"
	case overrides.OwnChanged:
		return "own value changed"
	case overrides.OwnRemoved:
		return "own component removed"
	case overrides.PrefabChanged:
		return "prefab changed"
	case overrides.PrefabRemoved:
		return "removed from the prefab"
	}
	return "seen by this instance"
}
