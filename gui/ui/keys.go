package ui

import (
	"runtime"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver/desktop"
)

// Ctrl gives the shortcut of a key with Ctrl, or with Command on macOS.
func Ctrl(key fyne.KeyName) fyne.Shortcut {
	return &desktop.CustomShortcut{KeyName: key, Modifier: fyne.KeyModifierShortcutDefault}
}

// CtrlShift gives the shortcut of a key with Ctrl and Shift, or with Command and Shift on macOS.
func CtrlShift(key fyne.KeyName) fyne.Shortcut {
	return &desktop.CustomShortcut{KeyName: key, Modifier: fyne.KeyModifierShortcutDefault | fyne.KeyModifierShift}
}

// Alt gives the shortcut of a key with Alt.
func Alt(key fyne.KeyName) fyne.Shortcut {
	return &desktop.CustomShortcut{KeyName: key, Modifier: fyne.KeyModifierAlt}
}

// Key gives the shortcut of a key alone, such as F5.
func Key(key fyne.KeyName) fyne.Shortcut { return &desktop.CustomShortcut{KeyName: key} }

// KeysOf takes a shortcut apart; ok is false for one that has no keys.
func KeysOf(s fyne.Shortcut) (key fyne.KeyName, modifier fyne.KeyModifier, ok bool) {
	k, ok := s.(fyne.KeyboardShortcut)
	if !ok {
		return "", 0, false
	}
	return k.Key(), k.Mod(), true
}

// ShortcutText writes a shortcut as it stands on the keys: Ctrl+Shift+B, Alt+1, F5.
func ShortcutText(s fyne.Shortcut) string {
	key, modifier, ok := KeysOf(s)
	if !ok {
		return ""
	}
	super, alt := "Super", "Alt"
	if runtime.GOOS == "darwin" {
		super, alt = "Cmd", "Option"
	}
	var parts []string
	for _, m := range []struct {
		bit  fyne.KeyModifier
		name string
	}{
		{fyne.KeyModifierControl, "Ctrl"}, {fyne.KeyModifierAlt, alt}, {fyne.KeyModifierShift, "Shift"}, {fyne.KeyModifierSuper, super},
	} {
		if modifier&m.bit != 0 {
			parts = append(parts, m.name)
		}
	}
	names := map[fyne.KeyName]string{
		fyne.KeyReturn: "Enter", fyne.KeyEscape: "Esc", fyne.KeySpace: "Space", fyne.KeyDelete: "Del",
		fyne.KeyPageUp: "Page Up", fyne.KeyPageDown: "Page Down",
	}
	name, known := names[key]
	if !known {
		name = string(key)
	}
	return strings.Join(append(parts, name), "+")
}
