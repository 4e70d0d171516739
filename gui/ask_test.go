package gui

import (
	"errors"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"

	"talebinder/gui/ui"
	"talebinder/gui/widgets"
)

func TestAskingForANameRefusesWhatTheCheckRefuses(t *testing.T) {
	r := newRig(t)
	got := ""
	ask := func() (*sheet, *widgets.Entry) {
		r.shell.Ask(ui.Question{
			Title: "Save the choice", Label: "Name", Text: "Friday", Verb: "Save",
			Check: func(text string) error {
				if text == "taken" {
					return errors.New("there is one of this name")
				}
				return nil
			},
			OK: func(text string) { got = text },
		})
		return r.shell.topSheet(), r.shell.window.Canvas().Focused().(*widgets.Entry)
	}
	sh, entry := ask()
	if entry.Text != "Friday" || sh.buttons[0].Disabled() {
		t.Fatalf("the field begins with %q, the button is off: %v", entry.Text, sh.buttons[0].Disabled())
	}
	entry.SetText("taken")
	if !sh.buttons[0].Disabled() {
		t.Error("what the check refuses can be answered")
	}
	entry.TypedKey(&fyne.KeyEvent{Name: fyne.KeyReturn})
	if got != "" || !r.shell.modal() {
		t.Errorf("Enter answered %q", got)
	}
	entry.SetText("  ")
	if !sh.buttons[0].Disabled() {
		t.Error("an empty name can be answered")
	}
	entry.SetText(" Monday ")
	test.Tap(sh.buttons[0])
	if got != "Monday" || r.shell.modal() {
		t.Errorf("the button answered %q", got)
	}
	sh, entry = ask()
	entry.SetText("Sunday")
	entry.TypedKey(&fyne.KeyEvent{Name: fyne.KeyReturn})
	if got != "Sunday" {
		t.Errorf("Enter answered %q", got)
	}
	_, entry = ask()
	entry.TypedKey(&fyne.KeyEvent{Name: fyne.KeyEscape})
	if got != "Sunday" || r.shell.modal() || !sh.closed {
		t.Error("Escape does not cancel")
	}
}

func TestFileNames(t *testing.T) {
	for name, ok := range map[string]bool{"lamps-new.cdi": true, ".cdi": true, "..": false, ".": false, "a/b": false, `a\b`: false} {
		if err := checkFileName(name); (err == nil) != ok {
			t.Errorf("%q: %v", name, err)
		}
	}
}
