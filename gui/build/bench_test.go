package build

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"talebinder/export"
	"talebinder/gui/ui"
	"talebinder/gui/ui/uitest"
	"talebinder/project"
)

// BenchmarkTyping measures a keystroke in the form of a project with 400 scenes in its list: the edit of the text, the
// checks of every field, and the form following the document.
func BenchmarkTyping(b *testing.B) {
	isolate(b)
	files := hexQuest(b, "")
	var scenes []string
	for i := range 400 {
		files[fmt.Sprintf("assets/scenes/s%03d.tscene", i)] = "{}"
		scenes = append(scenes, fmt.Sprintf(`{ "path": "scenes/s%03d.tscene" }`, i))
	}
	files["build.json"] = `{ "version": "1.0.0", "scenes": [ ` + strings.Join(scenes, ",\n") + ` ] }`
	p, err := project.Open(context.Background(), tree(b, files), project.Options{})
	if err != nil {
		b.Fatal(err)
	}
	h := uitest.New(b)
	h.SetWorkspace(ui.NewWorkspace(p, export.NewQueue(1), h))
	s := New(h).(*screen)
	defer s.Close()
	h.Put(s)
	h.Drain()
	for i := range b.N {
		s.form.version.SetText(fmt.Sprint("1.0.", i%10))
	}
}
