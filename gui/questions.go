package gui

import (
	"errors"
	"fmt"
	"io/fs"
	"strings"

	"fyne.io/fyne/v2"

	"talebinder/gui/settings"
	"talebinder/gui/theme"
	"talebinder/gui/ui"
	"talebinder/gui/widgets"
	"talebinder/project"
	"talebinder/project/document"
)

// Confirm asks before something that cannot be taken back; see [ui.Host].
func (s *Shell) Confirm(title, body, verb string, ok func()) {
	s.showSheet(sheetOptions{
		icon: theme.IconProblems, tone: widgets.Warning, title: title, body: body,
		buttons: []sheetButton{{text: verb, run: ok}, {text: "Cancel"}},
	})
}

// Ask asks for a line of text; see [ui.Host].
func (s *Shell) Ask(q ui.Question) {
	entry := widgets.NewEntry()
	field := widgets.NewField(q.Label, entry)
	field.SetHelp(" ") // keeps the place of what is wrong
	var sh *sheet
	valid := func() bool {
		text := strings.TrimSpace(entry.Text)
		if q.Check != nil && text != "" {
			if err := q.Check(text); err != nil {
				field.SetStatus(upperFirst(err.Error()), widgets.Danger)
				return false
			}
		}
		field.SetStatus("", widgets.Neutral)
		return text != ""
	}
	follow := func(string) {
		if valid() {
			sh.buttons[0].Enable()
		} else {
			sh.buttons[0].Disable()
		}
	}
	entry.OnChanged = follow
	entry.OnSubmitted = func(string) {
		if valid() {
			sh.close()
			q.OK(strings.TrimSpace(entry.Text))
		}
	}
	entry.OnKey = func(e *fyne.KeyEvent) bool {
		if e.Name == fyne.KeyEscape {
			sh.close()
			return true
		}
		return false
	}
	sh = s.showSheet(sheetOptions{
		title: q.Title, body: q.Body, content: field, focus: entry,
		buttons: []sheetButton{{text: q.Verb, run: func() { q.OK(strings.TrimSpace(entry.Text)) }}, {text: "Cancel"}},
	})
	entry.Load(q.Text)
	entry.CursorColumn = len([]rune(q.Text))
	entry.Refresh()
	follow("")
}

// Error shows what failed; see [ui.Host].
func (s *Shell) Error(err error) {
	if err == nil {
		return
	}
	var conflict *document.ConflictError
	if errors.As(err, &conflict) {
		s.conflict()
		return
	}
	title, body := outcome(err.Error())
	var content fyne.CanvasObject
	var pathErr *fs.PathError
	if errors.As(err, &pathErr) {
		// The file is shown in its own line, where a long path can be read and copied.
		body = strings.TrimSuffix(strings.ReplaceAll(body, pathErr.Error(), upperFirst(pathErr.Err.Error())), ".") + "."
		content = theme.Mono(pathErr.Path)
	}
	s.showSheet(sheetOptions{
		icon: theme.IconFailed, tone: widgets.Danger, title: title, body: body, content: content,
		buttons: []sheetButton{{text: "OK"}, {text: "Copy", stay: true, run: func() { s.Copy(err.Error()) }}},
	})
}

// outcome takes a message "what failed: cause" apart into a title and the rest.
func outcome(message string) (title, body string) {
	head, rest, found := strings.Cut(message, ": ")
	if !found || len(head) > 60 || strings.ContainsAny(head, "/\\") {
		return "That did not work", message
	}
	return upperFirst(head), rest
}

// upperFirst begins a sentence, unless it begins with the name of a file.
func upperFirst(s string) string {
	first, _, _ := strings.Cut(s, " ")
	if s == "" || strings.ContainsAny(first, "./\\_") {
		return s
	}
	r := []rune(s)
	return strings.ToUpper(string(r[0])) + string(r[1:])
}

// refuse says in plain words why a path was not opened.
func (s *Shell) refuse(path string, err error) {
	var not *project.NotProjectError
	if !errors.As(err, &not) {
		s.Error(fmt.Errorf("project not opened: %w", err))
		return
	}
	body := not.Error()
	if not.Hint != "" && !strings.Contains(body, not.Hint) {
		body += "\n" + not.Hint
	}
	buttons := []sheetButton{{text: "Open another folder…", run: s.chooseProject}, {text: "Cancel"}}
	if s.options.Sample != nil {
		buttons = append(buttons, sheetButton{text: "Try the sample game", run: s.OpenSample})
	}
	s.showSheet(sheetOptions{
		icon: theme.IconFolder, tone: widgets.Warning, title: "This is not a Talesmith project", body: body,
		content: theme.MonoMuted(path), buttons: buttons, width: 520,
	})
}

// Copy puts a text into the clipboard.
func (s *Shell) Copy(text string) {
	s.app.Clipboard().SetContent(text)
	s.status.notice("Copied.")
}

// Notify shows a line in the status bar, and a desktop notification while the window is not in front.
func (s *Shell) Notify(text string) {
	s.status.notice(text)
	if !s.inFront {
		s.app.SendNotification(fyne.NewNotification("Talebinder", text))
	}
}

// leaveProject asks about running exports and unsaved edits, and goes on when nothing speaks against it.
func (s *Shell) leaveProject(title string, then func()) {
	o := s.open
	if o == nil {
		then()
		return
	}
	edits := func() { s.askAboutEdits(title, then) }
	n := o.work.Queue.Active()
	if n == 0 {
		edits()
		return
	}
	is, they := "is", "It"
	if n > 1 {
		is, they = "are", "They"
	}
	s.showSheet(sheetOptions{
		icon: theme.IconExports, tone: widgets.Accent, title: upperFirst(ui.Plural(n, "export")) + " " + is + " still running",
		body: they + " will be cancelled. What was built before stays as it is.",
		buttons: []sheetButton{
			{text: "Keep working"},
			{text: "Cancel exports", danger: true, run: func() { o.work.Queue.CancelAll(); edits() }},
		},
	})
}

func (s *Shell) askAboutEdits(title string, then func()) {
	o := s.open
	if !o.edited() {
		then()
		return
	}
	body, verb := "", "Save"
	if o.dirty() {
		body = "The build settings of " + o.work.Project.Title() + " have changes that are not saved in build.json."
	}
	if editors := o.editors(); len(editors) > 0 {
		var files []string
		for _, e := range editors {
			files = append(files, e.DirtyFiles()...)
		}
		if body != "" {
			body, verb = body+"\n", "Save all"
		}
		body += notSaved(files)
		if len(files) > 1 {
			verb = "Save all"
		}
	}
	s.showSheet(sheetOptions{
		icon: theme.IconSave, tone: widgets.Accent, title: title, body: body,
		buttons: []sheetButton{
			{text: verb, run: func() { s.saveAll(then) }},
			{text: "Discard", danger: true, run: then},
			{text: "Cancel"},
		},
	})
}

// notSaved names files with changes that are not saved, not more of them than can be read at a glance.
func notSaved(files []string) string {
	const most = 6
	if len(files) == 1 {
		return files[0] + " has changes that are not saved."
	}
	text := ui.Plural(len(files), "file") + " have changes that are not saved: " + strings.Join(files[:min(most, len(files))], ", ")
	if more := len(files) - most; more > 0 {
		text += " and " + ui.Count(int64(more)) + " more"
	}
	return text + "."
}

// saveAll saves everything, and goes on when all of it is saved.
func (s *Shell) saveAll(then func()) {
	if s.open.dirty() && !s.save() {
		return
	}
	s.saveEditors(s.open.editors(), then)
}

// saveEditors saves one screen's edits after the other.
func (s *Shell) saveEditors(editors []ui.Editor, then func()) {
	if len(editors) == 0 {
		then()
		return
	}
	editors[0].Save(func(err error) {
		if err != nil {
			s.Error(err)
			return
		}
		s.BadgesChanged()
		s.saveEditors(editors[1:], then)
	})
}

// Quit closes the window after asking about edits and running exports.
func (s *Shell) Quit() {
	if s.quitting {
		return
	}
	if s.opening != nil {
		s.opening.cancel()
	}
	s.leaveProject("Quit Talebinder?", s.shutDown)
}

// shutDown stops what runs and ends the program. Cancelled jobs clean up after themselves, so the window waits for them
// without standing in the way.
func (s *Shell) shutDown() {
	s.quitting = true
	size := s.window.Canvas().Size()
	// Losing the size of the window is not worth a question at the end.
	_ = s.options.Settings.SetWindowSize(size.Width, size.Height)
	o := s.open
	wait := func() {}
	if o != nil {
		o.work.Queue.CancelAll()
		if o.work.Queue.Active() > 0 {
			s.status.notice("Cancelling exports and cleaning up…")
		}
		wait = o.work.Queue.Wait
	}
	s.cancel()
	s.options.Spawn(func() {
		wait()
		s.Do(func() {
			s.closeProject()
			s.presenter.close()
			s.app.Quit()
		})
	})
}

// save writes build.json and tells whether it is saved now.
func (s *Shell) save() bool {
	o := s.open
	if o == nil || o.build() == nil {
		return false
	}
	if !o.dirty() && o.work.Project.Build.Exists() {
		return true
	}
	if err := o.work.Project.Build.Save(); err != nil {
		s.Error(err)
		return false
	}
	s.space.hideBanner()
	o.work.Changed(ui.BuildSaved)
	s.status.notice("Saved build.json.")
	return true
}

// explainMissing says why the project of a card cannot be opened, and offers what helps.
func (s *Shell) explainMissing(r settings.Recent, title, body string) {
	s.showSheet(sheetOptions{
		icon: theme.IconFolder, tone: widgets.Warning, title: title, body: body, content: theme.MonoMuted(r.Path), width: 520,
		buttons: []sheetButton{
			{text: "Find the folder…", run: func() {
				s.Chooser().Folder("Where is "+r.Title+" now?", r.Path, func(path string) {
					s.Error(s.options.Settings.Forget(r.Path))
					s.Open(path)
				})
			}},
			{text: "Remove the card", run: func() {
				s.Error(s.options.Settings.Forget(r.Path))
				s.hub.Reload()
			}},
			{text: "Cancel"},
		},
	})
}
