package content

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// grove is a small project with something of everything.
func grove() []Entry {
	return []Entry{
		{Path: "audio/night.ogg", Kind: "Audio", State: Packed, Reason: "Dependency", Via: "scenes/grove.tscene", Size: 900},
		{Path: "audio/unused.ogg", Kind: "Audio", State: Left, Reason: "Not used", Size: 500},
		{Path: "config/game.json", Kind: "File", State: Loose, Reason: "Beside the pack", Via: "Configuration", Size: 80},
		{Path: "scenes/grove.tscene", Kind: "Scene", State: Packed, Reason: "Start scene", Via: "config/game.json", Size: 300, Missing: 2, Broken: true},
		{Path: "scripts/Lantern.cs", Kind: "Script", State: Left, Reason: "Script source", Size: 60},
		{Path: "sprites/big/Sky.png", Kind: "Texture", State: Packed, Reason: "Dependency", Via: "scenes/grove.tscene", Size: 4000},
		{Path: "sprites/lantern.png", Kind: "Texture", State: Packed, Reason: "Dependency", Via: "prefabs/lantern.tprefab", Size: 200},
		{Path: "title.png", Kind: "Texture", State: Packed, Reason: "Loading screen", Via: "config/game.json", Size: 100},
	}
}

// lines writes the rows in sight, indented, with what folders hold.
func lines(t *Tree) []string {
	var out []string
	for i := range t.Len() {
		r := t.Row(i)
		indent := strings.Repeat("  ", int(r.Depth))
		switch f := t.Folder(r); {
		case f != nil:
			out = append(out, fmt.Sprintf("%s%s/ %d files %d", indent, f.Name, f.Files, f.Size))
		case t.Layout() == Flat:
			out = append(out, t.Entry(r).Path)
		default:
			out = append(out, indent+t.Entry(r).Name)
		}
	}
	return out
}

func TestTreeRows(t *testing.T) {
	for _, c := range []struct {
		name string
		set  func(*Tree)
		want []string
	}{
		{"what ships by folder, folders first", func(*Tree) {}, []string{
			"audio/ 1 files 900", "  night.ogg", "config/ 1 files 80", "  game.json", "scenes/ 1 files 300", "  grove.tscene",
			"sprites/ 2 files 4200", "  big/ 1 files 4000", "    Sky.png", "  lantern.png", "title.png",
		}},
		{"what is left out", func(t *Tree) { t.SetFilter(Filter{Mode: ModeLeft}) }, []string{
			"audio/ 1 files 500", "  unused.ogg", "scripts/ 1 files 60", "  Lantern.cs",
		}},
		{"what has problems", func(t *Tree) { t.SetFilter(Filter{Mode: ModeProblems}) }, []string{"scenes/ 1 files 300", "  grove.tscene"}},
		{"a closed folder keeps its totals", func(t *Tree) { t.SetFilter(Filter{Mode: ModeAll, Kind: "Texture"}); t.SetOpen("sprites", false) }, []string{
			"sprites/ 2 files 4200", "title.png",
		}},
		{"all closed", func(t *Tree) { t.SetOpen("audio", true); t.SetAllOpen(false) }, []string{
			"audio/ 1 files 900", "config/ 1 files 80", "scenes/ 1 files 300", "sprites/ 2 files 4200", "title.png",
		}},
		{"a search opens what it finds and ignores case", func(t *Tree) {
			t.SetAllOpen(false)
			t.SetFilter(Filter{Mode: ModeAll, Query: "PNG sprites sky"})
		}, []string{"sprites/ 1 files 4000", "  big/ 1 files 4000", "    Sky.png"}},
		{"a reason", func(t *Tree) { t.SetLayout(Flat); t.SetFilter(Filter{Reason: "Dependency"}) }, []string{
			"audio/night.ogg", "sprites/big/Sky.png", "sprites/lantern.png",
		}},
		{"flat by size, the largest first", func(t *Tree) { t.SetLayout(Flat); t.SetFilter(Filter{Mode: ModeAll}); t.SortBy(BySize) }, []string{
			"sprites/big/Sky.png", "audio/night.ogg", "audio/unused.ogg", "scenes/grove.tscene", "sprites/lantern.png", "title.png",
			"config/game.json", "scripts/Lantern.cs",
		}},
		{"the same column again turns the order", func(t *Tree) { t.SetLayout(Flat); t.SortBy(BySize); t.SortBy(BySize) }, []string{
			"config/game.json", "title.png", "sprites/lantern.png", "scenes/grove.tscene", "audio/night.ogg", "sprites/big/Sky.png",
		}},
		{"folders by size too", func(t *Tree) { t.SortBy(BySize); t.SetAllOpen(false) }, []string{
			"sprites/ 2 files 4200", "audio/ 1 files 900", "scenes/ 1 files 300", "config/ 1 files 80", "title.png",
		}},
		{"by kind, then path", func(t *Tree) { t.SetLayout(Flat); t.SortBy(ByKind) }, []string{
			"audio/night.ogg", "config/game.json", "scenes/grove.tscene", "sprites/big/Sky.png", "sprites/lantern.png", "title.png",
		}},
		{"by via", func(t *Tree) { t.SetLayout(Flat); t.SortBy(ByVia) }, []string{
			"config/game.json", "scenes/grove.tscene", "title.png", "sprites/lantern.png", "audio/night.ogg", "sprites/big/Sky.png",
		}},
		{"names against the alphabet", func(t *Tree) { t.SetFilter(Filter{Kind: "Texture"}); t.SortBy(ByName) }, []string{
			"sprites/ 2 files 4200", "  big/ 1 files 4000", "    Sky.png", "  lantern.png", "title.png",
		}},
		{"nothing matches", func(t *Tree) { t.SetFilter(Filter{Query: "no such thing"}) }, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			tree := NewTree(grove())
			c.set(tree)
			if diff := cmp.Diff(c.want, lines(tree)); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestTreeCounts(t *testing.T) {
	tree := NewTree(grove())
	want := []Count{{"Texture", 3, 4300}, {"Audio", 1, 900}, {"Scene", 1, 300}, {"File", 1, 80}}
	if diff := cmp.Diff(want, tree.Kinds(ModeShips)); diff != "" {
		t.Error(diff)
	}
	if got := tree.Reasons(ModeLeft); len(got) != 2 || got[0].Files != 1 {
		t.Errorf("reasons of what is left out: %v", got)
	}
	if got := tree.ModeTotal(ModeLeft); got.Files != 2 || got.Size != 560 {
		t.Errorf("left out: %+v", got)
	}
	tree.SetFilter(Filter{Mode: ModeAll, Query: "png"})
	if files, size, _ := tree.Total(); files != 3 || size != 4300 {
		t.Errorf("found %d files of %d bytes", files, size)
	}
}

func TestTreeReveal(t *testing.T) {
	t.Run("opens the folders above", func(t *testing.T) {
		tree := NewTree(grove())
		tree.SetAllOpen(false)
		i := tree.Reveal("sprites/big/Sky.png")
		if i < 0 || tree.Entry(tree.Row(i)).Name != "Sky.png" {
			t.Fatalf("row %d of %v", i, lines(tree))
		}
		if tree.Index("audio/night.ogg") >= 0 {
			t.Error("another folder was opened as well")
		}
	})
	t.Run("widens the filter only when it hides the file", func(t *testing.T) {
		tree := NewTree(grove())
		tree.SetFilter(Filter{Kind: "Texture"})
		tree.Reveal("title.png")
		if tree.Filter().Kind != "Texture" {
			t.Error("the filter was dropped for a file in sight")
		}
		if tree.Reveal("audio/unused.ogg") < 0 || tree.Filter() != (Filter{Mode: ModeAll}) {
			t.Errorf("filter %+v", tree.Filter())
		}
	})
	t.Run("finds folders", func(t *testing.T) {
		tree := NewTree(grove())
		tree.SetLayout(Flat)
		if i := tree.Reveal("scripts"); i < 0 || tree.Folder(tree.Row(i)).Name != "scripts" {
			t.Errorf("row %d of %v", i, lines(tree))
		}
	})
	t.Run("knows what it does not have", func(t *testing.T) {
		tree := NewTree(grove())
		if i := tree.Reveal("nowhere.png"); i != -1 {
			t.Errorf("row %d", i)
		}
		if i := tree.Reveal(""); i != -1 {
			t.Errorf("row %d for the root", i)
		}
	})
}

func TestTreeKeepsItsViewOverNewResults(t *testing.T) {
	tree := NewTree(grove())
	tree.SetOpen("sprites", false)
	tree.SetFilter(Filter{Mode: ModeAll, Kind: "Texture"})
	tree.SortBy(BySize)
	next := NewTree(append(grove(), Entry{Path: "sprites/new.png", Kind: "Texture", State: Packed, Size: 1}))
	next.Take(tree)
	if diff := cmp.Diff([]string{"sprites/ 3 files 4201", "title.png"}, lines(next)); diff != "" {
		t.Error(diff)
	}
}

func TestTreeAgainstSlowSearch(t *testing.T) {
	entries := many(3000)
	tree := NewTree(slices.Clone(entries))
	for _, q := range []string{"", "a", "7 png", "folder1/", "zzz"} {
		for _, m := range []Mode{ModeShips, ModeLeft, ModeAll} {
			tree.SetFilter(Filter{Mode: m, Query: q})
			tree.SetLayout(Flat)
			want := 0
			for _, e := range entries {
				found := m == ModeAll || (e.State == Left) == (m == ModeLeft)
				for _, w := range strings.Fields(q) {
					found = found && strings.Contains(strings.ToLower(e.Path), w)
				}
				if found {
					want++
				}
			}
			if tree.Len() != want {
				t.Errorf("%q in mode %d: %d rows, expected %d", q, m, tree.Len(), want)
			}
			tree.SetLayout(Folders)
			tree.SetAllOpen(true)
			files := 0
			for i := range tree.Len() {
				if !tree.Row(i).IsFolder() {
					files++
				}
			}
			if files != want {
				t.Errorf("%q in mode %d: %d files in the tree, expected %d", q, m, files, want)
			}
		}
	}
}

// many makes up a project of n files in nested folders, in path order.
func many(n int) []Entry {
	random := rand.New(rand.NewPCG(1, 2))
	entries := make([]Entry, n)
	for i := range entries {
		kind, ext := "Texture", "png"
		if i%3 == 0 {
			kind, ext = "Audio", "ogg"
		}
		entries[i] = Entry{
			Path: fmt.Sprintf("Folder%d/sub%d/asset_%05d.%s", i%40, i%7, i, ext), Kind: kind, State: State(i % 5 % 3), Reason: "Dependency",
			Via: "scenes/a.tscene", Size: random.Int64N(1 << 20),
		}
	}
	slices.SortFunc(entries, byPath)
	return entries
}

func BenchmarkTree(b *testing.B) {
	entries := many(50_000)
	b.Run("build", func(b *testing.B) {
		for b.Loop() {
			NewTree(entries)
		}
	})
	tree := NewTree(entries)
	tree.SetAllOpen(true)
	b.Run("search", func(b *testing.B) {
		for i := 0; b.Loop(); i++ {
			tree.SetFilter(Filter{Mode: ModeAll, Query: []string{"sub3 png", "asset_04"}[i%2]})
		}
	})
	b.Run("sort", func(b *testing.B) {
		tree.SetFilter(Filter{Mode: ModeAll})
		tree.SetLayout(Flat)
		for b.Loop() {
			tree.SortBy(BySize)
		}
	})
	b.Run("toggle", func(b *testing.B) {
		tree.SetLayout(Folders)
		for i := 0; b.Loop(); i++ {
			tree.SetOpen("Folder1", i%2 == 0)
		}
	})
}
