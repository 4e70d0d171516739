package discs

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/widget"

	"talebinder/export"
	"talebinder/export/discs"
	"talebinder/gui/theme"
	"talebinder/gui/ui"
	"talebinder/gui/widgets"
)

// cardParts is what the open image is.
func (s *screen) cardParts() []fyne.CanvasObject {
	id := s.open.id
	head := theme.Title(s.open.title()).WithTruncation(theme.TruncateEnd)
	buttons := container.NewHBox()
	if id.Console != "" {
		buttons.Add(widgets.NewBadge(id.Console, widgets.Accent))
	}
	copied := widgets.NewIconButton(theme.Icon(theme.IconCopy), "Copy what the image is", s.copyFacts)
	copied.Quiet = true
	buttons.Add(copied)
	parts := []fyne.CanvasObject{widgets.NewStack(2, container.NewBorder(nil, nil, nil, buttons, head), theme.Caption(id.Kind))}
	if id.Refusal != nil {
		parts = append(parts, widgets.NewCard("", widgets.NewStack(6, s.refusedImage(s.live[pageImage])...)))
	} else {
		swap := widget.NewButtonWithIcon("Swap its content…", theme.Icon(theme.IconArrowRight), func() { s.turn(pageSwap) })
		swap.Importance = widget.HighImportance
		parts = append(parts, container.New(&widgets.FlowLayout{Gap: 8, Line: 32}, swap))
	}
	for _, w := range id.Warnings {
		parts = append(parts, widgets.NewNote(ui.Sentence(w), widgets.Warning))
	}
	if bar := tracksBar(id); bar != nil {
		name := "Tracks, in sectors"
		if id.ROM != nil {
			name = "Parts"
		}
		parts = append(parts, overline(name), bar)
	}
	facts := widgets.NewStack(0)
	for _, f := range id.Facts() {
		switch f.Name {
		case "Container", "Console", "Title", "Swapping": // said above
			continue
		}
		name, value := f.Name, f.Value
		if track, session, ok := strings.Cut(name, " ("); ok { // the name has little room
			name, value = track, value+", "+strings.TrimSuffix(session, ")")
		}
		facts.Add(fact(name, value))
	}
	return append(parts, overline("Facts"), facts)
}

// refusedImage says why the content of the open image cannot be swapped, and offers the step that mends it.
func (s *screen) refusedImage(live *liveJob) []fyne.CanvasObject {
	id := s.open.id
	if j := s.job(); j != nil && j.converts() {
		return s.jobParts(j, live)
	}
	parts := refusal(s.icons, "Its content cannot be swapped", id.Refusal, id.Path)
	if id.Convertible() {
		convert := widget.NewButtonWithIcon("Convert to .z64…", theme.Icon(theme.IconReload), s.convert)
		convert.Importance = widget.HighImportance
		parts = append(parts, container.New(&widgets.FlowLayout{Gap: 8, Line: 32}, convert),
			theme.Caption("The image itself stays as it is."))
	}
	return parts
}

func (s *screen) copyFacts() {
	if s.open == nil {
		return
	}
	var b strings.Builder
	fmt.Fprintf(&b, "Image\t%s\n", s.open.path)
	for _, f := range s.open.id.Facts() {
		fmt.Fprintf(&b, "%s\t%s\n", f.Name, f.Value)
	}
	s.host.Copy(b.String())
	s.host.Notify("What the image is is on the clipboard")
}

func (s *screen) canConvert() bool {
	return s.open != nil && s.open.id.Convertible() && !s.running()
}

// convert asks where the image in the console's byte order goes, and writes it.
func (s *screen) convert() {
	if !s.canConvert() {
		return
	}
	image := s.open.path
	name := strings.TrimSuffix(nameOf(image), filepath.Ext(image)) + ".z64"
	s.host.Chooser().Save("Write the .z64 image as", filepath.Dir(image), name, func(target string) {
		s.overwrite(target, func() {
			c, err := discs.NewConvert(image, target)
			if err != nil {
				s.host.Error(err)
				return
			}
			s.enqueue(c, &job{image: image})
		})
	})
}

// overwrite asks before a file that is there is replaced.
func (s *screen) overwrite(target string, ok func()) {
	if _, err := os.Stat(target); err != nil {
		ok()
		return
	}
	s.host.Confirm("Replace "+nameOf(target)+"?", target+" is there already. It is replaced once the new image is complete and verified.", "Replace", ok)
}

// enqueue puts a job about an image into the queue, and shows it.
func (s *screen) enqueue(work export.Job, j *job) {
	j.row = s.host.Workspace().Queue.Add(work)
	s.jobs[j.image] = j
	s.fill()
	s.host.BadgesChanged()
}
