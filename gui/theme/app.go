package theme

import (
	_ "embed"

	"fyne.io/fyne/v2"
)

//go:embed app.png
var appIcon []byte

// AppIcon is the program's own icon, 128 by 128 pixels.
func AppIcon() fyne.Resource { return fyne.NewStaticResource("talebinder.png", appIcon) }
