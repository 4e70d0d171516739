package widgets

import (
	"strings"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/test"

	"talebinder/gui/theme"
)

func TestAPressableAnswersPointerAndKeys(t *testing.T) {
	test.NewTempApp(t).Settings().SetTheme(theme.New(theme.Dark))
	presses, hovers := 0, ""
	p := NewPressable(theme.Body("Driftmail"), func() { presses++ })
	p.OnHover = func(on bool) {
		if on {
			hovers += "in "
		} else {
			hovers += "out "
		}
	}
	p.OnKey = func(e *fyne.KeyEvent) bool { return e.Name == fyne.KeyDelete }
	var at fyne.Position
	p.OnSecondary = func(pos fyne.Position) { at = pos }
	w := test.NewTempWindow(t, p)
	w.Resize(fyne.NewSize(200, 60))

	test.Tap(p)
	for _, key := range []fyne.KeyName{fyne.KeyReturn, fyne.KeySpace, fyne.KeyDelete, fyne.KeyA} {
		p.TypedKey(&fyne.KeyEvent{Name: key})
	}
	if presses != 3 {
		t.Errorf("pressed %d times by a tap, Enter and Space", presses)
	}
	w.Canvas().Unfocus()
	hovers = ""
	p.MouseIn(&desktop.MouseEvent{})
	p.MouseOut()
	if hovers != "in out " {
		t.Errorf("the pointer: %q", hovers)
	}
	test.TapSecondaryAt(p, fyne.NewPos(5, 6))
	if at.IsZero() {
		t.Error("the secondary button does nothing")
	}
	p.Disable()
	test.Tap(p)
	if presses != 3 {
		t.Error("a pressable that is off can be pressed")
	}
}

func TestAnIconButtonSaysWhatItDoes(t *testing.T) {
	test.NewTempApp(t).Settings().SetTheme(theme.New(theme.Dark))
	var said []string
	b := NewIconButton(theme.Icon(theme.IconClose), "Remove the card", func() {})
	b.OnHint = func(hint string) { said = append(said, hint) }
	test.NewTempWindow(t, b)
	b.MouseIn(&desktop.MouseEvent{})
	b.MouseOut()
	b.FocusGained()
	b.FocusLost()
	if got := strings.Join(said, "|"); got != "Remove the card||Remove the card|" {
		t.Errorf("said %q", got)
	}
}
