package cli

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"talebinder/formats/guid"
	"talebinder/project/assets"
	"talebinder/project/atomicfile"
	"talebinder/project/scene"
)

func sceneCommand(s Streams) *cobra.Command {
	c := &cobra.Command{
		Use:   "scene",
		Short: "Show, expand and check scenes and prefabs",
		Args:  cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			return usagef("which one: show, expand or check?")
		},
	}
	c.AddCommand(sceneShowCommand(s), sceneExpandCommand(s), sceneCheckCommand(s))
	return c
}

// openScenes opens a project for its scenes and prefabs.
func openScenes(ctx context.Context, path string) (*scene.ProjectCatalog, *assets.Database, error) {
	p, err := openProject(ctx, path)
	if err != nil {
		return nil, nil, err
	}
	return scene.NewProjectCatalog(p.Assets), p.Assets, nil
}

type sceneEntity struct {
	ID     guid.Guid  `json:"id"`
	Name   string     `json:"name"`
	Parent *guid.Guid `json:"parent"`
	Prefab *guid.Guid `json:"prefab"`
}

func sceneShowCommand(s Streams) *cobra.Command {
	var asJSON bool
	c := &cobra.Command{
		Use:   "show PROJECT SCENE",
		Short: "Print the hierarchy of a scene or prefab as its file has it",
		Long:  "SCENE is an asset path such as scenes/harbour.tscene, the path of a file, or a guid; a prefab may be named as well.",
		Args:  exactly("PROJECT", "SCENE"),
		RunE: func(c *cobra.Command, args []string) error {
			catalog, db, err := openScenes(c.Context(), args[0])
			if err != nil {
				return err
			}
			a, err := catalog.Find(args[1])
			if err != nil {
				return err
			}
			d, err := catalog.Read(a.Path)
			if err != nil {
				return err
			}
			if asJSON {
				entities := make([]sceneEntity, len(d.Entities))
				for i := range d.Entities {
					e := &d.Entities[i]
					entities[i] = sceneEntity{ID: e.ID, Name: e.Name}
					if e.HasParent {
						entities[i].Parent = &e.Parent
					}
					if e.Link != nil && !e.Link.Asset.IsZero() {
						entities[i].Prefab = &e.Link.Asset
					}
				}
				return printJSON(s.Out, struct {
					Entities []sceneEntity `json:"entities"`
				}{entities})
			}
			return printHierarchy(s.Out, db, d)
		},
	}
	c.Flags().BoolVar(&asJSON, "json", false, "print one JSON document")
	return c
}

// printHierarchy prints a document's own entities. They are those of an expansion without any prefab.
func printHierarchy(w io.Writer, db *assets.Database, d *scene.Document) error {
	x, err := scene.NewExpander(scene.Prefabs{}, scene.Options{}).Expand(context.Background(), d)
	if err != nil {
		return err
	}
	return printNodes(w, db, x)
}

// printNodes prints the nodes as a tree: two spaces a level, what is no component behind the name.
func printNodes(w io.Writer, db *assets.Database, x *scene.Expansion) error {
	type open struct{ node, depth int }
	stack := make([]open, 0, len(x.Roots))
	push := func(nodes []int, depth int) {
		for i := len(nodes) - 1; i >= 0; i-- {
			stack = append(stack, open{nodes[i], depth})
		}
	}
	push(x.Roots, 0)
	for len(stack) > 0 {
		at := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		n := &x.Nodes[at.node]
		name := n.Name
		if name == "" {
			name = "(no name)"
		}
		var notes []string
		if !n.Asset.IsZero() {
			prefab := n.Asset.String()
			if a := db.ByGuid(n.Asset); a != nil {
				prefab = a.Path
			}
			notes = append(notes, "prefab "+prefab)
		}
		if !n.Active {
			notes = append(notes, "inactive")
		}
		types := make([]string, len(n.Components))
		for i := range n.Components {
			types[i] = n.Components[i].Type
		}
		if len(types) > 0 {
			notes = append(notes, strings.Join(types, ", "))
		}
		line := strings.Repeat("  ", min(at.depth, 40)) + name
		if len(notes) > 0 {
			line += "  [" + strings.Join(notes, "; ") + "]"
		}
		if _, err := fmt.Fprintf(w, "%s  %s\n", n.ID, line); err != nil {
			return err
		}
		push(x.Children(at.node), at.depth+1)
	}
	return nil
}

func sceneExpandCommand(s Streams) *cobra.Command {
	var asJSON bool
	c := &cobra.Command{
		Use:   "expand PROJECT SCENE",
		Short: "Print a scene as the game sees it: with the entities of prefabs in the place of their instances",
		Long: "SCENE is named as for show. A prefab is expanded by itself, with the ids that its instances' overrides name. What an expansion\n" +
			"has to pass over, such as a prefab that is missing, is a warning.",
		Args: exactly("PROJECT", "SCENE"),
		RunE: func(c *cobra.Command, args []string) error {
			ctx := c.Context()
			catalog, db, err := openScenes(ctx, args[0])
			if err != nil {
				return err
			}
			a, err := catalog.Find(args[1])
			if err != nil {
				return err
			}
			x, err := expand(ctx, catalog, a)
			if err != nil {
				return err
			}
			for _, p := range scene.Problems(x.Warnings) {
				fmt.Fprintf(s.Err, "%s: %s\n", p.Level, p)
			}
			if asJSON {
				_, err = s.Out.Write(append(x.JSON(), '\n'))
				return err
			}
			return printNodes(s.Out, db, x)
		},
	}
	c.Flags().BoolVar(&asJSON, "json", false, "print one JSON document")
	return c
}

func expand(ctx context.Context, catalog *scene.ProjectCatalog, a *assets.Asset) (*scene.Expansion, error) {
	expander := scene.NewExpander(catalog, scene.Options{})
	if a.Kind.ID == assets.Prefab {
		return expander.Prefab(ctx, a.Meta.Guid)
	}
	d, err := catalog.Read(a.Path)
	if err != nil {
		return nil, err
	}
	return expander.Expand(ctx, d)
}

func sceneCheckCommand(s Streams) *cobra.Command {
	var asJSON bool
	c := &cobra.Command{
		Use:   "check PROJECT [SCENE...]",
		Short: "List what is wrong with scenes and prefabs: all of the project, or those that are named",
		Args:  atLeast("PROJECT"),
		RunE: func(c *cobra.Command, args []string) error {
			catalog, _, err := openScenes(c.Context(), args[0])
			if err != nil {
				return err
			}
			documents := catalog.Documents()
			if len(args) > 1 {
				documents = nil
				for _, name := range args[1:] {
					a, err := catalog.Find(name)
					if err != nil {
						return err
					}
					documents = append(documents, a)
				}
			}
			problems, err := scene.Check(c.Context(), catalog, documents)
			if err != nil {
				return err
			}
			return reportProblems(s.Out, problems, asJSON)
		},
	}
	c.Flags().BoolVar(&asJSON, "json", false, "print one JSON document")
	return c
}

func formatCommand(s Streams) *cobra.Command {
	var check, stdout bool
	c := &cobra.Command{
		Use:   "format FILE...",
		Short: "Write scenes and prefabs as the engine would save them",
		Long: "Every property in its place, defaults included, unknown fields behind them. Comments are lost, as they are when the engine saves a\n" +
			"file. A file that is canonical already is not written.",
		Args: atLeast("FILE"),
		RunE: func(c *cobra.Command, args []string) error {
			switch {
			case check && stdout:
				return usagef("--check and --stdout cannot be used together")
			case stdout && len(args) > 1:
				return usagef("--stdout takes one file")
			}
			failed := false
			for _, path := range args {
				if err := c.Context().Err(); err != nil {
					return err
				}
				err := formatFile(s, path, check, stdout)
				switch {
				case errors.Is(err, errReported):
					failed = true
				case err != nil:
					failed = true
					fmt.Fprintf(s.Err, "error: %v\n", err)
				}
			}
			if failed {
				return errReported
			}
			return nil
		},
	}
	c.Flags().BoolVar(&check, "check", false, "write nothing; print the paths of files that are not canonical, and exit with 1")
	c.Flags().BoolVar(&stdout, "stdout", false, "print the text instead of writing the file")
	return c
}

// formatFile formats one file. It gives errReported for a file that a check has printed.
func formatFile(s Streams, path string, check, stdout bool) error {
	d, err := scene.ReadFile(path)
	if err != nil {
		return err
	}
	text, err := d.Canonical()
	if err != nil {
		return err
	}
	same := !d.Migrated && bytes.Equal(text, d.Text())
	switch {
	case stdout:
		_, err = s.Out.Write(text)
		return err
	case same:
		return nil
	case check:
		fmt.Fprintln(s.Out, path)
		return errReported
	}
	return atomicfile.Write(path, text)
}
