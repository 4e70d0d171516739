package ui

import (
	"context"
	"errors"
	"strings"

	"talebinder/project"
	"talebinder/project/assets"
)

// listedFiles is how many files a question names before it only counts the rest.
const listedFiles = 12

// repairQuestion says what a repair is going to write.
func repairQuestion(r assets.Repair) string {
	files := r.Files
	rest := ""
	if len(files) > listedFiles {
		rest = "\nand " + Count(int64(len(files)-listedFiles)) + " more"
		files = files[:listedFiles]
	}
	noun := "This file is written:"
	if len(r.Files) > 1 {
		noun = "These files are written:"
	}
	return noun + "\n" + strings.Join(files, "\n") + rest
}

// Repair asks whether a repair of the open project is wanted, does it in the background, and reads the project again.
func Repair(h Host, r assets.Repair) {
	w := h.Workspace()
	p := w.Project
	var fresh *project.Project
	h.Confirm(r.Title+"?", repairQuestion(r), "Repair", func() {
		h.Go("Repairing", func(ctx context.Context) error {
			failed := p.Repair(r.ID)
			// Some files may be written even if one was not.
			var err error
			fresh, err = p.Refreshed(ctx, project.Options{EngineVersion: h.Settings().EngineVersion()})
			return errors.Join(failed, err)
		}, func(err error) {
			if fresh != nil {
				w.Replace(fresh)
			}
			if err != nil {
				h.Error(err)
				return
			}
			h.Notify("Repaired: " + Plural(len(r.Files), "file") + " written.")
		})
	})
}
