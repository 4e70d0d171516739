//go:build !(linux || freebsd || netbsd || openbsd || dragonfly)

package gui

import "talebinder/gui/ui"

// systemChooser asks with the toolkit's dialogs.
func systemChooser(h ui.Host) ui.Chooser { return dialogChooser{h} }
