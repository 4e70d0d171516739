package theme

import (
	"sync"

	"fyne.io/fyne/v2"
)

// A ruler adds up the widths of characters, which it measures once each. To measure a whole text the toolkit shapes it, which
// takes a tenth of a millisecond; a list that shortens hundreds of paths while it scrolls cannot wait for that. Kerning
// is left out, so a text may come out a little wider than it is drawn.
type ruler struct {
	mu     sync.Mutex
	widths map[letter]float32
}

type letter struct {
	r     rune
	size  float32
	style fyne.TextStyle
}

func newRuler() *ruler { return &ruler{widths: map[letter]float32{}} }

// rulerOf gives the ruler of a theme; a theme that is not ours gets one for the occasion.
func rulerOf(t fyne.Theme) *ruler {
	if t, ok := t.(*theme); ok {
		return t.ruler
	}
	return newRuler()
}

// ends gives for every count of the first characters how wide they are: one number more than there are characters.
func (u *ruler) ends(text []rune, size float32, style fyne.TextStyle) []float32 {
	u.mu.Lock()
	defer u.mu.Unlock()
	ends := make([]float32, len(text)+1)
	for i, r := range text {
		key := letter{r, size, style}
		w, ok := u.widths[key]
		if !ok {
			w = fyne.MeasureText(string(r), size, style).Width
			u.widths[key] = w
		}
		ends[i+1] = ends[i] + w
	}
	return ends
}

// fits says whether a text fits a width, given the sum of its characters. Near the edge it asks the toolkit: a label that was
// given exactly the room it asked for must not lose its last letter to kerning.
func (u *ruler) fits(text string, sum, width, size float32, style fyne.TextStyle) bool {
	return sum <= width || sum <= width*1.04+1 && fyne.MeasureText(text, size, style).Width <= width
}

// width is how wide a text is.
func (u *ruler) width(text string, size float32, style fyne.TextStyle) float32 {
	runes := []rune(text)
	return u.ends(runes, size, style)[len(runes)]
}
