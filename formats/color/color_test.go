package color

import (
	"errors"
	"image/color"
	"strings"
	"testing"

	"talebinder/formats"
)

func TestParse(t *testing.T) {
	for text, want := range map[string]string{
		"#0f8":          "#00FF88",
		"0F8":           "#00FF88",
		"#FFB25A":       "#FFB25A",
		" \t##ffb25a\n": "#FFB25A",
		"80ff00aa":      "#80FF00AA",
		"#FFff00aa":     "#FF00AA",
		"#00000000":     "#00000000",
	} {
		c, err := Parse(text)
		if err != nil || c.String() != want {
			t.Errorf("%q: got %s, %v, want %s", text, c, err, want)
		}
		if again, err := Parse(c.String()); again != c || err != nil {
			t.Errorf("%s reads as %s, %v", c, again, err)
		}
	}
	c, err := Parse("#80FF00AA")
	if want := (color.NRGBA{R: 0xFF, B: 0xAA, A: 0x80}); err != nil || c.NRGBA() != want {
		t.Errorf("got %v, %v, want %v", c.NRGBA(), err, want)
	}
}

func TestWhatIsNoColor(t *testing.T) {
	for _, text := range []string{"", "#", "red", "#12", "#1234", "#12345", "#1234567", "#123456789", "#GGGGGG", "# FFF", "0xFFF", "#FF F", "１２３", strings.Repeat("1", 1000)} {
		c, err := Parse(text)
		if !errors.Is(err, formats.ErrDamaged) || c != (Color{}) {
			t.Errorf("%q: got %s, %v", text, c, err)
		}
		if err != nil && len(err.Error()) > 200 {
			t.Errorf("the message has %d bytes", len(err.Error()))
		}
	}
}
