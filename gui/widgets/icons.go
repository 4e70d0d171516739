package widgets

import (
	"fyne.io/fyne/v2"
	fynetheme "fyne.io/fyne/v2/theme"
)

// Icons that the toolkit does not have, drawn on a grid of 24 units.

func drawn(name, body string) fyne.Resource {
	return fynetheme.NewThemedResource(fyne.NewStaticResource("tb-"+name+".svg",
		[]byte(`<svg xmlns="http://www.w3.org/2000/svg" width="24" height="24" viewBox="0 0 24 24">`+body+`</svg>`)))
}

// GripIcon is the handle by which a row is dragged.
func GripIcon() fyne.Resource {
	return drawn("grip", `<path fill="#000" d="M8 4h3v3H8zM13 4h3v3h-3zM8 10.5h3v3H8zM13 10.5h3v3h-3zM8 17h3v3H8zM13 17h3v3h-3z"/>`)
}

// LockIcon marks what cannot be changed here.
func LockIcon() fyne.Resource {
	return drawn("lock", `<path fill="#000" fill-rule="evenodd" d="M7 10V8a5 5 0 0 1 10 0v2h1a2 2 0 0 1 2 2v7a2 2 0 0 1-2 2H6a2 2 0 0 1-2-2v-7a2 2 0 0 1 2-2zM9 10h6V8a3 3 0 0 0-6 0z"/>`)
}

// WindowsIcon stands for Windows: a window with four panes.
func WindowsIcon() fyne.Resource {
	return drawn("windows", `<path fill="#000" d="M3 5.4L11 4.2V11.4H3zM12.2 4.05L21 2.8V11.4H12.2zM3 12.6H11V19.8L3 18.6zM12.2 12.6H21V21.2L12.2 19.95z"/>`)
}

// LinuxIcon stands for Linux: a terminal with its prompt.
func LinuxIcon() fyne.Resource {
	return drawn("linux", `<path fill="#000" fill-rule="evenodd" d="M4 3h16a2 2 0 0 1 2 2v14a2 2 0 0 1-2 2H4a2 2 0 0 1-2-2V5a2 2 0 0 1 2-2zM4 5v14h16V5zM6.2 8.4L7.6 7l5 5-5 5-1.4-1.4L9.8 12zM12.5 15H18v2h-5.5z"/>`)
}

// MacIcon stands for macOS: the looped square of its command key.
func MacIcon() fyne.Resource {
	return drawn("mac", `<path fill="#000" fill-rule="evenodd" d="M6.5 2A4.5 4.5 0 0 1 11 6.5V8h2V6.5A4.5 4.5 0 1 1 17.5 11H16v2h1.5A4.5 4.5 0 1 1 13 17.5V16h-2v1.5A4.5 4.5 0 1 1 6.5 13H8v-2H6.5A4.5 4.5 0 0 1 6.5 2zM6.5 4a2.5 2.5 0 0 0 0 5H9V6.5A2.5 2.5 0 0 0 6.5 4zM17.5 4A2.5 2.5 0 0 0 15 6.5V9h2.5a2.5 2.5 0 0 0 0-5zM11 11v2h2v-2zM6.5 15A2.5 2.5 0 1 0 9 17.5V15zM15 15v2.5a2.5 2.5 0 1 0 2.5-2.5z"/>`)
}

// BracesIcon stands for the text of a JSON file.
func BracesIcon() fyne.Resource {
	return drawn("braces", `<path fill="#000" d="M8 3h2v2H8v5a2 2 0 0 1-2 2 2 2 0 0 1 2 2v5h2v2H8a2 2 0 0 1-2-2v-4a2 2 0 0 0-2-2H3v-2h1a2 2 0 0 0 2-2V5a2 2 0 0 1 2-2zM16 3a2 2 0 0 1 2 2v4a2 2 0 0 0 2 2h1v2h-1a2 2 0 0 0-2 2v4a2 2 0 0 1-2 2h-2v-2h2v-5a2 2 0 0 1 2-2 2 2 0 0 1-2-2V5h-2V3z"/>`)
}

// SceneIcon stands for a scene: two hills and a moon in a frame.
func SceneIcon() fyne.Resource {
	return drawn("scene", `<path fill="#000" fill-rule="evenodd" d="M4 4h16a2 2 0 0 1 2 2v12a2 2 0 0 1-2 2H4a2 2 0 0 1-2-2V6a2 2 0 0 1 2-2zM4 6v12h16V6zM5 17l4.5-6 3 4 2-2.4L19 17zM16 7.5a2 2 0 1 1 0 4 2 2 0 0 1 0-4z"/>`)
}

// LabelIcon stands for a label: a tag with its hole.
func LabelIcon() fyne.Resource {
	return drawn("label", `<path fill="#000" fill-rule="evenodd" d="M3 11V4a1 1 0 0 1 1-1h7l10 10a1.5 1.5 0 0 1 0 2l-6 6a1.5 1.5 0 0 1-2 0zM7.5 5.8a1.7 1.7 0 1 0 0 3.4 1.7 1.7 0 0 0 0-3.4z"/>`)
}

// PackageIcon stands for a build: a box with its tape.
func PackageIcon() fyne.Resource {
	return drawn("package", `<path fill="#000" fill-rule="evenodd" d="M12 2l9 4.5v11L12 22l-9-4.5v-11zM12 4.2L6.3 7 8.5 8.1l5.7-2.8zM16.2 6.3l-5.6 2.9L12 9.9 17.7 7zM5 8.6v7.7l6 3v-7.6zM19 8.6l-6 3.1v7.6l6-3z"/>`)
}

// TickIcon is the mark of something chosen.
func TickIcon() fyne.Resource {
	return drawn("tick", `<path fill="#000" d="M9.5 18.2L3.6 12.3 5.2 10.7 9.5 15 18.8 5.7 20.4 7.3z"/>`)
}
