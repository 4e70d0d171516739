package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"

	"fyne.io/fyne/v2"

	"talebinder/export"
	"talebinder/formats/disctest"
	"talebinder/formats/dragonfs"
	"talebinder/gui/ui"
)

// discs shows the screen of images: what one is, the plan of a swap, the question, the swap at work, its proof, a refusal, a
// comparison and a conversion.
func (s *studio) discs(temp string) error {
	dir := filepath.Join(temp, "Release candidates")
	images, err := discImages(dir)
	if err != nil {
		return err
	}
	content := filepath.Join(dir, "DreamcastContent")
	if err := discContent(content); err != nil {
		return err
	}
	s.shell.Show(ui.ScreenDiscs, "")
	s.shot("discs-empty")
	s.shell.Show(ui.ScreenDiscs, images["harbour.gdi"])
	s.settle()
	s.shot("discs-unknown")
	s.shell.Show(ui.ScreenDiscs, images["lamps.cdi"])
	s.shot("discs-identity")
	s.shell.Show(ui.ScreenDiscs, content)
	s.settle()
	s.shot("discs-plan")
	s.shell.RunCommand("discs.replace")
	s.shot("discs-question")
	s.answer()
	if err := s.runningDisc(); err != nil {
		return err
	}
	s.shot("discs-running")
	w := s.shell.Workspace()
	w.Queue.Wait()
	w.Changed(ui.QueueChanged)
	s.settle()
	s.shot("discs-proof")
	s.shell.Show(ui.ScreenExports, fmt.Sprint(w.Queue.Rows()[len(w.Queue.Rows())-1].ID()))
	s.shot("discs-report")
	s.shell.Show(ui.ScreenDiscs, images["lamps-2352.cdi"])
	s.settle()
	s.shot("discs-refusal")
	s.shell.Show(ui.ScreenDiscs, images["lamps.v64"])
	s.settle()
	s.shot("discs-swapped")
	s.shell.Show(ui.ScreenDiscs, images["lamps.iso"])
	s.settle()
	s.shell.Show(ui.ScreenDiscs, filepath.Join(dir, "Broken content"))
	s.shot("discs-content-refused")
	s.shell.Show(ui.ScreenDiscs, images["lamps.z64"])
	s.shot("discs-cartridge")
	return nil
}

// answer presses the first button of a question, which has the focus.
func (s *studio) answer() {
	if f := s.shell.Window().Canvas().Focused(); f != nil {
		f.TypedKey(&fyne.KeyEvent{Name: fyne.KeySpace})
	}
	s.settle()
}

// runningDisc waits until the swap is well under way.
func (s *studio) runningDisc() error {
	w := s.shell.Workspace()
	for range 2000 {
		rows := w.Queue.Rows()
		if len(rows) == 0 {
			break
		}
		state := rows[len(rows)-1].Snapshot()
		switch {
		case state.State.Ended():
			return state.Err // too quick for a picture
		case state.State == export.Running && state.Overall > 0.35 && state.Detail != "":
			w.Changed(ui.QueueChanged)
			return nil
		}
		time.Sleep(2 * time.Millisecond)
	}
	return fmt.Errorf("the swap does not get on")
}

// discImages writes images of a game that there is not, and gives their paths by name.
func discImages(dir string) (map[string]string, error) {
	if err := os.MkdirAll(filepath.Join(dir, "Broken content"), 0o755); err != nil {
		return nil, err
	}
	if err := os.Symlink("nowhere", filepath.Join(dir, "Broken content", "music")); err != nil {
		return nil, err
	}
	text := func(size int, of string) []byte { return bytes.Repeat([]byte(of), size/len(of)+1)[:size] }
	files := []disctest.File{
		{Path: "1ST_READ.BIN", Content: text(1<<20+777, "scrambled ")},
		{Path: "Content", Dir: true},
		{Path: "Content/Animations", Dir: true},
		{Path: "Content/Animations/lamp.aura", Content: text(90<<10, "lamp ")},
		{Path: "Content/Animations/gull.aura", Content: text(120<<10, "gull ")},
		{Path: "Content/Episodes", Dir: true},
		{Path: "Content/Episodes/harbour.j2e", Content: text(4<<10, "harbour ")},
		{Path: "Content/Music", Dir: true},
		{Path: "Content/Music/quay.mod", Content: text(300<<10, "quay ")},
		{Path: "Content/Music/the-very-long-walk-home-along-the-breakwater-at-night.mod", Content: text(280<<10, "walk ")},
		{Path: "Content/Prebaked.pak", Content: text(3<<20, "baked ")},
	}
	system := make([]byte, 16<<11)
	for at, text := range map[int]string{
		0: "SEGA SEGAKATANA SEGA ENTERPRISES", 0x20: "A1B2 CD-ROM1/1", 0x30: "JUE", 0x38: "E000F10", 0x40: "T-00000", 0x4A: "V1.000", 0x50: "20261130",
		0x60: "1ST_READ.BIN", 0x70: "A LIGHTHOUSE", 0x80: "HARBOUR OF LAMPS",
	} {
		copy(system[at:], text)
	}
	volume := disctest.ISO{Base: 11702, System: system, Joliet: true, RunOut: 150, Files: files}.Build().Data
	dreamcast := func(size int) []byte {
		return disctest.CDI{Version: 0x80000006, Tracks: []disctest.CDITrack{
			{Session: 1, Mode: 0, SectorSize: 2352, Pregap: 150, Sectors: make([]byte, 302*2352)},
			{Session: 2, Mode: 2, SectorSize: size, Pregap: 150, LBA: 11702, Sectors: disctest.Stored(volume, size, 2)},
		}}.Build().Data
	}
	cnf := disctest.File{Path: "SYSTEM.CNF", Content: []byte("BOOT2 = cdrom0:\\LAMPS.ELF;1\r\nVER = 1.00\r\nVMODE = PAL\r\n")}
	elf := disctest.File{Path: "LAMPS.ELF", Content: text(2<<20, "code ")}
	var sources []dragonfs.Source
	for _, f := range files[1:] {
		sources = append(sources, dragonfs.Source{Path: f.Path, Dir: f.Dir, Size: int64(len(f.Content)), Open: func() (io.ReadCloser, error) {
			return io.NopCloser(bytes.NewReader(f.Content)), nil
		}})
	}
	layout, err := dragonfs.NewLayout(sources)
	if err != nil {
		return nil, err
	}
	var fs bytes.Buffer
	if err := layout.Write(context.Background(), &fs); err != nil {
		return nil, err
	}
	rom := disctest.ROM{Title: "Harbour of Lamps", Code: "NHLE", Executable: text(1<<20, "code "), FileSystem: fs.Bytes()}.Build()
	paths := map[string]string{}
	for name, data := range map[string][]byte{
		"lamps.cdi": dreamcast(2336), "lamps-2352.cdi": dreamcast(2352), "lamps.iso": disctest.ISO{Joliet: true, Files: append([]disctest.File{cnf, elf}, files[1:]...)}.Build().Data,
		"lamps.z64": rom, "lamps.v64": disctest.Swapped(rom, 2), "harbour.gdi": []byte("3\n1 0 4 2352 track01.bin 0\n"),
	} {
		paths[name] = filepath.Join(dir, name)
		if err := os.WriteFile(paths[name], data, 0o644); err != nil {
			return nil, err
		}
	}
	return paths, nil
}

// discContent makes the folder that becomes the content of the discs: some files as on them, others not.
func discContent(dir string) error {
	for name, size := range map[string]int64{
		"Animations/lamp.aura": 90 << 10, "Animations/crane.aura": 44 << 10, "Episodes/harbour.j2e": 5 << 10, "Music/quay.mod": 300 << 10,
		"Music/storm.mod": 512 << 10, "Prebaked.pak": 64 << 20,
	} {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			return err
		}
		file, err := os.Create(path)
		if err != nil {
			return err
		}
		words := map[string]string{"lamp.aura": "lamp ", "quay.mod": "quay "}
		text := []byte(strings.Repeat(words[filepath.Base(name)], int(size)))
		if _, err := file.Write(text[:min(int64(len(text)), size)]); err != nil {
			return err
		}
		if err := file.Truncate(size); err != nil {
			return err
		}
		if err := file.Close(); err != nil {
			return err
		}
	}
	return nil
}
