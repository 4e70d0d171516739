package players

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"talebinder/formats/netbundle"
	"talebinder/platforms"
)

// ErrNoAssemblies is wrapped by the error of a player that scripts cannot be compiled against.
var ErrNoAssemblies = errors.New("the engine's assemblies are neither beside the player nor inside")

// forScripts recognises the assemblies that scripts are compiled against: the engine's, and the two libraries whose types it
// hands to scripts.
func forScripts(name string) bool {
	switch name {
	case "Microsoft.Extensions.DependencyInjection.Abstractions.dll", "Microsoft.Extensions.Logging.Abstractions.dll":
		return true
	}
	return strings.HasPrefix(name, "Talesmith.") && strings.HasSuffix(name, ".dll")
}

// Assemblies gives the files of the engine's assemblies that scripts are compiled against, in the order of their names: those
// beside the player, or, of a player that is a single file, copies that are put into folder. The error wraps ErrNoAssemblies
// when there are none.
func (p Player) Assemblies(ctx context.Context, target platforms.Target, folder string) ([]string, error) {
	entries, err := os.ReadDir(p.Dir)
	if err != nil {
		return nil, err
	}
	var found []string
	for _, entry := range entries {
		if forScripts(entry.Name()) && entry.Type().IsRegular() {
			found = append(found, filepath.Join(p.Dir, entry.Name()))
		}
	}
	if len(found) == 0 {
		if found, err = p.extract(ctx, target, folder); err != nil {
			return nil, err
		}
	}
	if len(found) == 0 {
		return nil, fmt.Errorf("%s: %w", p.File(target), ErrNoAssemblies)
	}
	slices.Sort(found)
	return found, nil
}

// extract copies the assemblies out of the executable.
func (p Player) extract(ctx context.Context, target platforms.Target, folder string) ([]string, error) {
	file, err := os.Open(p.File(target))
	if err != nil {
		return nil, err
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil {
		return nil, err
	}
	bundle, ok, err := netbundle.Find(file, info.Size())
	if err != nil {
		return nil, fmt.Errorf("%s: %w", file.Name(), err)
	}
	if !ok {
		return nil, nil
	}
	var found []string
	for _, entry := range bundle.Entries {
		name := path.Base(entry.Path)
		if entry.Type != netbundle.Assembly || name != entry.Path || !forScripts(name) || !filepath.IsLocal(name) {
			continue
		}
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		copied := filepath.Join(folder, name)
		if err := extractEntry(bundle, entry, copied); err != nil {
			return nil, fmt.Errorf("%s: %s: %w", file.Name(), entry.Path, err)
		}
		found = append(found, copied)
	}
	return found, nil
}

func extractEntry(bundle *netbundle.Bundle, entry netbundle.Entry, file string) (err error) {
	content, err := bundle.Open(entry)
	if err != nil {
		return err
	}
	defer content.Close()
	if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
		return err
	}
	out, err := os.Create(file)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, out.Close()) }()
	_, err = io.Copy(out, content)
	return err
}
