package hub

import (
	"image"
	_ "image/jpeg" // pictures of a project are PNG or JPEG
	_ "image/png"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"golang.org/x/image/draw"

	"talebinder/formats/assetpath"
	"talebinder/project"
)

// The bounds of looking for a project's picture: a card is not worth more.
const (
	maxPictureBytes   = 8 << 20
	maxPicturePixels  = 16 << 20
	maxPictureEntries = 4000 // files and folders looked at
	thumbnail         = 128  // pixels a side, at most
)

// picture finds a picture for a project: its icon, its loading image, or the first texture; nil when it has none that can
// be read.
func picture(dir string) image.Image {
	root := filepath.Join(dir, "assets")
	for _, path := range named(dir, root) {
		if full, err := assetpath.SafeJoin(root, path); err == nil {
			if img := load(full); img != nil {
				return img
			}
		}
	}
	return firstTexture(root)
}

// named gives the pictures that the settings of a project name.
func named(dir, root string) []string {
	var out []string
	if text, err := readSmall(filepath.Join(dir, "build.json")); err == nil {
		if b, err := project.ParseBuildSettings(text); err == nil && b.Icon != nil {
			out = append(out, *b.Icon)
		}
	}
	if text, err := readSmall(filepath.Join(root, "config", "game.json")); err == nil {
		if g, err := project.ParseGame(text); err == nil && g.LoadingScreen.Image != nil {
			out = append(out, *g.LoadingScreen.Image)
		}
	}
	for i, p := range out {
		if n, err := assetpath.Normalize(p); err == nil {
			out[i] = n
		}
	}
	return out
}

func readSmall(path string) ([]byte, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() || info.Size() > 1<<20 {
		return nil, fs.ErrInvalid
	}
	return os.ReadFile(path)
}

// firstTexture gives the first picture below root in the order of names that can be read.
func firstTexture(root string) image.Image {
	seen := 0
	var found image.Image
	// A folder that cannot be listed is passed over: a card without a picture is no failure.
	_ = filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if seen++; seen > maxPictureEntries {
			return fs.SkipAll
		}
		if err != nil || d.IsDir() {
			return nil
		}
		switch strings.ToLower(filepath.Ext(path)) {
		case ".png", ".jpg", ".jpeg":
			if found = load(path); found != nil {
				return fs.SkipAll
			}
		}
		return nil
	})
	return found
}

// load reads a picture and makes it small enough for a card; nil when it cannot be read or is too large.
func load(path string) image.Image {
	info, err := os.Stat(path)
	if err != nil || !info.Mode().IsRegular() || info.Size() > maxPictureBytes {
		return nil
	}
	f, err := os.Open(path)
	if err != nil {
		return nil
	}
	defer f.Close()
	config, _, err := image.DecodeConfig(f)
	if err != nil || config.Width <= 0 || config.Height <= 0 || config.Width*config.Height > maxPicturePixels {
		return nil
	}
	if _, err := f.Seek(0, 0); err != nil {
		return nil
	}
	img, _, err := image.Decode(f)
	if err != nil {
		return nil
	}
	return shrink(img)
}

// shrink scales a picture down to a thumbnail. Small pixel art stays as it is.
func shrink(img image.Image) image.Image {
	b := img.Bounds()
	w, h := b.Dx(), b.Dy()
	if w <= thumbnail && h <= thumbnail {
		return img
	}
	scale := min(float64(thumbnail)/float64(w), float64(thumbnail)/float64(h))
	out := image.NewRGBA(image.Rect(0, 0, max(1, int(float64(w)*scale)), max(1, int(float64(h)*scale))))
	draw.CatmullRom.Scale(out, out.Bounds(), img, b, draw.Src, nil)
	return out
}
