package ui_test

import (
	"testing"

	"talebinder/export"
	"talebinder/gui/ui"
)

func TestSumsText(t *testing.T) {
	got := ui.SumsText([]export.Sum{
		{Role: "image", Path: "/discs/new game.cdi", Size: 1 << 20, SHA256: "ab12"}, {Role: "backup", Path: "/discs/game.cdi.bak", Size: 7},
	})
	if want := "image\t/discs/new game.cdi\t1048576 bytes\tsha256 ab12\nbackup\t/discs/game.cdi.bak\t7 bytes\n"; got != want {
		t.Errorf("%q", got)
	}
}
