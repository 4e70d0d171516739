package packview

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"image"
	"image/png"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"talebinder/export"
	"talebinder/formats"
)

func write(t *testing.T, dir string, files map[string]string) string {
	t.Helper()
	for path, text := range files {
		file := filepath.Join(dir, filepath.FromSlash(path))
		if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func picture(t *testing.T, width, height int) string {
	t.Helper()
	var b bytes.Buffer
	if err := png.Encode(&b, image.NewNRGBA(image.Rect(0, 0, width, height))); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// second is a WAV of one second.
func second() string {
	le := binary.LittleEndian
	b := []byte("RIFF\x00\x00\x00\x00WAVEfmt \x10\x00\x00\x00\x01\x00\x02\x00")
	b = le.AppendUint32(b, 8000)
	b = le.AppendUint32(b, 32_000)
	b = append(b, 4, 0, 16, 0)
	b = append(b, "data"...)
	b = le.AppendUint32(b, 32_000)
	return string(append(b, make([]byte, 32_000)...))
}

// game are the files of a pack.
func game(t *testing.T) map[string]string {
	return map[string]string{
		"assets.index.json":   `{ "version": 1 }`,
		"sprites/gull.png":    picture(t, 30, 20),
		"sprites/broken.png":  "\x89PNG, but no more",
		"sprites/ui/cat.txt":  strings.Repeat("a cat ", 1000),
		"audio/tide.wav":      second(),
		"audio/broken.wav":    "RIFF",
		"audio/broken.ogg":    "OggS",
		"data/blob.bin":       "\x00\x01\x02\xff",
		"data/long.txt":       "\uFEFF" + strings.Repeat("é", maxText),
		"Zebra.txt":           "stripes",
		"data/empty.tscene":   "",
		"data/latin1.txt":     "caf\xe9",
		"sprites/picture.jpg": picture(t, 3, 4), // it is what it says, whatever its name
	}
}

func makePack(t *testing.T, file string, files map[string]string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
		t.Fatal(err)
	}
	if _, err := export.CreatePack(t.Context(), write(t, t.TempDir(), files), file, true, nil); err != nil {
		t.Fatal(err)
	}
}

func open(t *testing.T, path string) *View {
	t.Helper()
	v, err := Open(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { v.Close() })
	return v
}

// outline lists a tree.
func outline(v *View) []string {
	var lines []string
	for n := range v.Root.All {
		line := n.Path
		if n.Folder {
			line = fmt.Sprintf("%s/ %d", n.Path, n.Files)
		}
		lines = append(lines, line)
	}
	return lines
}

func TestTreeOfAPack(t *testing.T) {
	file := filepath.Join(t.TempDir(), "content.tspack")
	makePack(t, file, game(t))
	v := open(t, file)
	v.Root.Path = "" // which is that of a temporary folder
	want := []string{
		"/ 13", "audio/ 3", "audio/broken.ogg", "audio/broken.wav", "audio/tide.wav",
		"data/ 4", "data/blob.bin", "data/empty.tscene", "data/latin1.txt", "data/long.txt",
		"sprites/ 4", "sprites/ui/ 1", "sprites/ui/cat.txt", "sprites/broken.png", "sprites/gull.png", "sprites/picture.jpg",
		"Zebra.txt", "assets.index.json",
	}
	if diff := cmp.Diff(want, outline(v)); diff != "" {
		t.Error(diff)
	}
	cat := v.Root.Find("sprites/ui/cat.txt")
	if cat == nil || cat.Size != 6000 || cat.Stored >= 500 || cat.Ratio() > 0.1 || cat.Kind != "File" || cat.Entry == nil {
		t.Errorf("%+v", cat)
	}
	folder := v.Root.Find("sprites/ui")
	if folder.Size != cat.Size || folder.Stored != cat.Stored {
		t.Errorf("%+v", folder)
	}
	if scene := v.Root.Find("data/empty.tscene"); scene.Ratio() != 1 || scene.Kind != "Scene" {
		t.Errorf("%+v", scene)
	}
	if v.Root.Find("sprites/none") != nil {
		t.Error("found what is not there")
	}
	if v.Root.Size != v.Root.Find("audio").Size+v.Root.Find("data").Size+v.Root.Find("sprites").Size+v.Root.Find("Zebra.txt").Size+v.Root.Find("assets.index.json").Size {
		t.Error("sizes do not add up")
	}
}

func TestTreeOfABuild(t *testing.T) {
	dir := write(t, t.TempDir(), map[string]string{
		"Game": "program", "launcher.json": `{ "gameFolder": "game" }`, "game/config/game.json": "{}", ".hidden/x": "no", ".note": "no",
	})
	makePack(t, filepath.Join(dir, "game", "content.tspack"), map[string]string{"config/inside.txt": "in the pack", "a.txt": "a"})
	v := open(t, dir)
	want := []string{
		"/ 5", "game/ 3", "game/config/ 1", "game/config/game.json", "game/content.tspack/ 2", "config/ 1", "config/inside.txt", "a.txt", "Game", "launcher.json",
	}
	if diff := cmp.Diff(want, outline(v)); diff != "" {
		t.Error(diff)
	}
	if pack := v.Root.Find("game/content.tspack"); !pack.IsPack || !pack.Folder {
		t.Errorf("%+v", pack)
	}
	for path, text := range map[string]string{"game/content.tspack/config/inside.txt": "in the pack", "launcher.json": `{ "gameFolder": "game" }`} {
		p, err := v.Preview(t.Context(), v.Root.Find(path))
		if err != nil || p.Kind != TextPreview || p.Text != text {
			t.Errorf("%s: %+v, %v", path, p, err)
		}
	}

	// A damaged pack is a file of the build.
	write(t, dir, map[string]string{"game/content.tspack": "TSPACK"})
	v = open(t, dir)
	if !errors.Is(v.Err, formats.ErrDamaged) || v.Pack != nil || v.Root.Find("game/content.tspack").Folder {
		t.Errorf("%v", v.Err)
	}
}

func TestWhatCannotBeOpened(t *testing.T) {
	dir := write(t, t.TempDir(), map[string]string{"broken.tspack": "TSPACK", "folder/x.txt": ""})
	for _, path := range []string{"broken.tspack", "folder", "missing"} {
		if _, err := Open(t.Context(), filepath.Join(dir, path)); err == nil || !strings.Contains(err.Error(), path) {
			t.Errorf("%s: %v", path, err)
		}
	}
}

func TestPreviews(t *testing.T) {
	file := filepath.Join(t.TempDir(), "content.tspack")
	makePack(t, file, game(t))
	v := open(t, file)
	preview := func(path string) *Preview {
		t.Helper()
		p, err := v.Preview(t.Context(), v.Root.Find(path))
		if err != nil {
			t.Fatal(err)
		}
		return p
	}
	if p := preview("sprites/gull.png"); p.Kind != PicturePreview || p.Picture != (PictureFacts{"png", 30, 20}) || p.Err != nil {
		t.Errorf("%+v", p)
	}
	if p := preview("sprites/picture.jpg"); p.Kind != PicturePreview || p.Picture != (PictureFacts{"png", 3, 4}) {
		t.Errorf("%+v", p)
	}
	if p := preview("audio/tide.wav"); p.Kind != SoundPreview || p.Sound != (SoundFacts{"WAV, PCM", 8000, 2, 16, time.Second}) {
		t.Errorf("%+v", p)
	}
	for _, path := range []string{"sprites/broken.png", "audio/broken.wav", "audio/broken.ogg"} {
		if p := preview(path); p.Kind != DataPreview || p.Err == nil || len(p.Head) == 0 {
			t.Errorf("%s: %+v", path, p)
		}
	}
	if p := preview("data/long.txt"); p.Kind != TextPreview || !p.Truncated || !strings.HasPrefix(p.Text, "éé") || !strings.HasSuffix(p.Text, "éé") || len(p.Text) < maxText-10 {
		t.Errorf("%v %v, %d bytes", p.Kind, p.Truncated, len(p.Text))
	}
	for _, path := range []string{"data/blob.bin", "data/latin1.txt"} {
		if p := preview(path); p.Kind != DataPreview || p.Err != nil {
			t.Errorf("%s: %+v", path, p)
		}
	}
	if p := preview("data/empty.tscene"); p.Kind != TextPreview || p.Text != "" {
		t.Errorf("%+v", p)
	}
	if got, want := HexDump(preview("data/blob.bin").Head), "0000  00 01 02 ff                                      ....\n"; got != want {
		t.Errorf("%q, want %q", got, want)
	}

	got, err := v.Picture(t.Context(), v.Root.Find("sprites/gull.png"))
	if err != nil || got.Bounds() != image.Rect(0, 0, 30, 20) {
		t.Error(err)
	}
	if _, err := v.Picture(t.Context(), v.Root.Find("sprites/broken.png")); err == nil {
		t.Error("a broken picture is decoded")
	}
	if _, err := v.Preview(t.Context(), v.Root); err == nil {
		t.Error("a folder has a preview")
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := v.Preview(ctx, v.Root.Find("Zebra.txt")); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}

func TestVastPicturesAreRefused(t *testing.T) {
	data := []byte(picture(t, 1, 1)) // of which it will say to have more
	binary.BigEndian.PutUint32(data[16:], 1<<20)
	binary.BigEndian.PutUint32(data[20:], 1<<20)
	binary.BigEndian.PutUint32(data[29:], crc32.ChecksumIEEE(data[12:29]))
	file := filepath.Join(t.TempDir(), "content.tspack")
	makePack(t, file, map[string]string{"vast.png": string(data)})
	v := open(t, file)
	var limit *formats.LimitError
	if _, err := v.Picture(t.Context(), v.Root.Find("vast.png")); !errors.As(err, &limit) {
		t.Error(err)
	}
}
