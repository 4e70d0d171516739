package theme_test

import (
	"image/color"
	"io/fs"
	"math"
	"strings"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"
	fynetheme "fyne.io/fyne/v2/theme"

	"talebinder/gui/theme"
)

// luminance and contrast follow the definition of WCAG 2.
func luminance(c color.Color) float64 {
	r, g, b, _ := c.RGBA()
	f := func(v uint32) float64 {
		x := float64(v) / 0xffff
		if x <= 0.03928 {
			return x / 12.92
		}
		return math.Pow((x+0.055)/1.055, 2.4)
	}
	return 0.2126*f(r) + 0.7152*f(g) + 0.0722*f(b)
}

func contrast(a, b color.Color) float64 {
	x, y := luminance(a), luminance(b)
	if x < y {
		x, y = y, x
	}
	return (x + 0.05) / (y + 0.05)
}

func TestTextCanBeReadOnEveryGround(t *testing.T) {
	for _, mode := range []theme.Mode{theme.Light, theme.Dark} {
		th := theme.New(mode)
		get := func(n fyne.ThemeColorName) color.Color { return th.Color(n, fynetheme.VariantLight) }
		grounds := []fyne.ThemeColorName{fynetheme.ColorNameBackground, theme.ColorNamePanel, theme.ColorNameCard,
			theme.ColorNameSidebar, theme.ColorNameRowAlt, fynetheme.ColorNameInputBackground,
			fynetheme.ColorNameOverlayBackground, fynetheme.ColorNameMenuBackground}
		texts := map[fyne.ThemeColorName]float64{
			fynetheme.ColorNameForeground: 7, theme.ColorNameMuted: 4.5,
			fynetheme.ColorNameError: 3, fynetheme.ColorNameWarning: 3, fynetheme.ColorNameSuccess: 3,
			theme.ColorNameInfo: 3, theme.ColorNameAccent: 3,
		}
		for text, least := range texts {
			for _, ground := range grounds {
				if got := contrast(get(text), get(ground)); got < least {
					t.Errorf("%s: %s on %s has a contrast of %.2f, want at least %.1f", mode, text, ground, got, least)
				}
			}
		}
		pairs := [][2]fyne.ThemeColorName{
			{fynetheme.ColorNameForegroundOnPrimary, fynetheme.ColorNamePrimary},
			{fynetheme.ColorNameForegroundOnError, fynetheme.ColorNameError},
			{fynetheme.ColorNameForegroundOnWarning, fynetheme.ColorNameWarning},
			{fynetheme.ColorNameForegroundOnSuccess, fynetheme.ColorNameSuccess},
			{fynetheme.ColorNameForeground, fynetheme.ColorNameButton},
		}
		for _, p := range pairs {
			if got := contrast(get(p[0]), get(p[1])); got < 4.3 {
				t.Errorf("%s: %s on %s has a contrast of %.2f", mode, p[0], p[1], got)
			}
		}
	}
}

func TestSystemFollowsTheVariant(t *testing.T) {
	system := theme.New(theme.System)
	for variant, mode := range map[fyne.ThemeVariant]theme.Mode{
		fynetheme.VariantLight: theme.Light, fynetheme.VariantDark: theme.Dark,
	} {
		want := theme.New(mode).Color(fynetheme.ColorNameBackground, variant)
		if got := system.Color(fynetheme.ColorNameBackground, variant); got != want {
			t.Errorf("variant %v: background %v, want %v", variant, got, want)
		}
	}
}

func TestEveryIconHasAFileAndATheme(t *testing.T) {
	test.NewTempApp(t).Settings().SetTheme(theme.New(theme.Dark))
	names, err := fs.Glob(theme.IconFiles(), "icons/*.svg")
	if err != nil || len(names) == 0 {
		t.Fatal("no icons", err)
	}
	for _, n := range names {
		name := theme.IconName(strings.TrimSuffix(strings.TrimPrefix(n, "icons/"), ".svg"))
		icon := theme.IconIn(name, theme.ColorNameAccent)
		if !strings.Contains(icon.Name(), string(name)) || !strings.Contains(string(icon.Content()), "<path") {
			t.Errorf("icon %q is not a picture of its own: %s", name, icon.Name())
		}
	}
	if got := theme.Icon("no-such-icon"); !strings.Contains(got.Name(), "broken") {
		t.Errorf("an unknown icon gives %s", got.Name())
	}
}

func TestTextGivesWayWhereItWasTold(t *testing.T) {
	app := test.NewTempApp(t)
	app.Settings().SetTheme(theme.New(theme.Dark))
	const long = "assets/scenes/caves/deep/level-with-a-long-name.tscene"
	show := func(x *theme.Text, width float32) []string {
		w := test.NewTempWindow(t, x)
		w.SetPadded(false)
		w.Resize(fyne.NewSize(width, 200))
		x.Resize(fyne.NewSize(width, x.MinSize().Height))
		return x.Lines()
	}
	end := show(theme.Body(long).WithTruncation(theme.TruncateEnd), 120)
	if len(end) != 1 || !strings.HasSuffix(end[0], "…") || !strings.HasPrefix(long, strings.TrimSuffix(end[0], "…")) {
		t.Errorf("cut at the end: %q", end)
	}
	middle := show(theme.Mono(long), 160)
	if len(middle) != 1 || !strings.HasSuffix(middle[0], ".tscene") || !strings.Contains(middle[0], "…") {
		t.Errorf("cut in the middle: %q", middle)
	}
	const sentence = "Scripts without a compiled assembly are an error of a full export and a warning of a content-only one."
	lines := show(theme.Paragraph(sentence), 200)
	if len(lines) < 3 || strings.Join(lines, " ") != sentence {
		t.Errorf("wrapped: %q", lines)
	}
	word := show(theme.Paragraph(strings.Repeat("w", 200)), 200)
	if len(word) < 3 || strings.Join(word, "") != strings.Repeat("w", 200) {
		t.Errorf("a long word: %q", word)
	}
	full := show(theme.Body(long), 120)
	if full[0] != long {
		t.Errorf("without truncation: %q", full)
	}
}

func TestAParagraphGrowsWithItsContainer(t *testing.T) {
	app := test.NewTempApp(t)
	app.Settings().SetTheme(theme.New(theme.Light))
	p := theme.Paragraph(strings.Repeat("several words ", 30))
	p.Resize(fyne.NewSize(600, 20))
	wide := p.MinSize().Height
	p.Resize(fyne.NewSize(200, 20))
	if narrow := p.MinSize().Height; narrow <= wide*2 {
		t.Errorf("height at 600 is %v, at 200 it is %v", wide, narrow)
	}
}

func TestShortcutsInMenusCanBeSeen(t *testing.T) {
	for _, mode := range []theme.Mode{theme.Light, theme.Dark} {
		c := theme.New(mode).Color(fynetheme.ColorNameForeground, fynetheme.VariantDark)
		_, _, _, a := c.RGBA()
		if low := uint8(float32(a) * 0.95); low < 0x80 { // as the toolkit's menus compute it
			t.Errorf("%s: shortcuts are drawn with an opacity of %d of 255", mode, low)
		}
		if n := color.NRGBAModel.Convert(c).(color.NRGBA); n.A != 0xff {
			t.Errorf("%s: text is drawn with an opacity of %d of 255", mode, n.A)
		}
	}
}
