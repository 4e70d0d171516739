package testassembly

import (
	"bytes"
	"debug/pe"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"talebinder/formats/clr"
)

func TestBuild(t *testing.T) {
	want := []string{"sprites/hero.png", "ünïcode 日本 😀", strings.Repeat("x", 100), strings.Repeat("y", 9000), "a"}
	file := Build("Game.Scripts", want...)
	got, err := clr.UserStrings(bytes.NewReader(file), int64(len(file)))
	if err != nil {
		t.Fatal(err)
	}
	var named []string
	for _, s := range got {
		if s != "" { // the heap is padded
			named = append(named, s)
		}
	}
	if diff := cmp.Diff(want, named); diff != "" {
		t.Error(diff)
	}

	parsed, err := pe.NewFile(bytes.NewReader(file))
	if err != nil {
		t.Fatal(err)
	}
	defer parsed.Close()
	header, ok := parsed.OptionalHeader.(*pe.OptionalHeader32)
	if !ok || header.DataDirectory[14].VirtualAddress == 0 || parsed.Characteristics&pe.IMAGE_FILE_DLL == 0 {
		t.Errorf("not a managed library: %+v", parsed.FileHeader)
	}
	if text, err := parsed.Section(".text").Data(); err != nil || !bytes.Contains(text, []byte("BSJB")) {
		t.Errorf("no metadata in the section, %v", err)
	}
}
