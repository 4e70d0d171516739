package scene

import (
	"context"
	"errors"
	"runtime"
	"sync"

	"golang.org/x/sync/errgroup"

	"talebinder/project/assets"
	"talebinder/project/problem"
)

// Check reads and expands scenes and prefabs of a project and lists what is wrong with them: what cannot be read (errors), what is odd in
// a document, and the warnings of its expansion, those inside of the prefabs that it uses included. The error is that of ctx.
func Check(ctx context.Context, c *ProjectCatalog, documents []*assets.Asset) ([]problem.Problem, error) {
	expander := NewExpander(c, Options{})
	lists := make([][]problem.Problem, len(documents))
	var mu sync.Mutex
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(runtime.GOMAXPROCS(0))
	for i, a := range documents {
		group.Go(func() error {
			found, err := check(ctx, c, expander, a)
			mu.Lock()
			defer mu.Unlock()
			lists[i] = found
			return err
		})
	}
	if err := group.Wait(); err != nil {
		return nil, err
	}
	return problem.Merge(lists...), nil
}

func check(ctx context.Context, c *ProjectCatalog, expander *Expander, a *assets.Asset) ([]problem.Problem, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	var d *Document
	var err error
	if a.Kind.ID == assets.Prefab && a == c.assets.ByGuid(a.Meta.Guid) {
		d, err = c.Prefab(a.Meta.Guid)
	} else {
		d, err = c.Read(a.Path)
	}
	if err != nil {
		return []problem.Problem{readProblem(a, err)}, nil
	}
	found := d.Problems()
	var x *Expansion
	if d.Kind == Prefab {
		x, err = expander.Prefab(ctx, a.Meta.Guid)
	} else {
		x, err = expander.Expand(ctx, d)
	}
	switch {
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case err != nil:
		return append(found, problem.Problem{Level: problem.Error, Code: "too-many-entities", Message: err.Error(), File: d.Name,
			Hint: "remove prefabs that contain each other several times"}), nil
	}
	return append(found, Problems(x.Warnings)...), nil
}

// readProblem gives the problem for a document that cannot be read.
func readProblem(a *assets.Asset, err error) problem.Problem {
	var fault *ReadError
	if errors.As(err, &fault) {
		return fault.Problem()
	}
	return problem.Problem{Level: problem.Error, Code: "unreadable", Message: err.Error(), File: "assets/" + a.Path}
}
