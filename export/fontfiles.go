package export

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"image"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"talebinder/formats"
	"talebinder/formats/jazz2/charlist"
	"talebinder/formats/jazz2/font"
	jazzpicture "talebinder/formats/jazz2/picture"
)

// The names of the lists beside a grid image are its own with these behind.
const (
	jsonListSuffix   = ".json"
	binaryListSuffix = ".font"
)

// maxFontFile bounds what is read of files that have no limit of their own: 65790 glyphs and an atlas of noise take less.
const maxFontFile = 64 << 20

// ReadPicture reads a PNG file the way the game's tools do. The error names the file.
func ReadPicture(path string) (*image.NRGBA, error) {
	data, err := readBounded(path, jazzpicture.MaxFile)
	if err != nil {
		return nil, err
	}
	m, err := jazzpicture.Read(data)
	if err != nil {
		return nil, inFile(path, err)
	}
	return m, nil
}

// ReadFont reads a packed font. The error names the file.
func ReadFont(path string) (*font.Font, error) {
	data, err := readBounded(path, maxFontFile)
	if err != nil {
		return nil, err
	}
	f, err := font.Read(data)
	if err != nil {
		return nil, inFile(path, err)
	}
	return f, nil
}

// FontListPath says which list belongs to a grid image: the JSON form when there is such a file, else the binary one, whether
// it is there or not.
func FontListPath(imagePath string) (path string, isJSON bool) {
	path = imagePath + jsonListSuffix
	if info, err := os.Stat(path); err == nil && info.Mode().IsRegular() {
		if f, err := os.Open(path); err == nil {
			f.Close()
			return path, true
		}
	}
	return imagePath + binaryListSuffix, false
}

// ReadFontList reads the list that belongs to a grid image. The error names the file.
func ReadFontList(imagePath string) (list *charlist.List, path string, isJSON bool, err error) {
	path, isJSON = FontListPath(imagePath)
	list, err = readList(path, isJSON)
	return list, path, isJSON, err
}

func readList(path string, isJSON bool) (*charlist.List, error) {
	parse := charlist.ParseBinary
	if isJSON {
		parse = charlist.ParseJSON
	}
	data, err := readBounded(path, charlist.MaxJSON)
	if err != nil {
		return nil, err
	}
	list, err := parse(data)
	if err != nil {
		return nil, inFile(path, err)
	}
	return list, nil
}

// readBounded reads a whole file of at most limit bytes.
func readBounded(path string, limit int64) ([]byte, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, cannotRead(path, err)
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return nil, cannotRead(path, err)
	}
	if info.Size() > limit {
		return nil, tooLarge(path, info.Size(), limit)
	}
	var data bytes.Buffer
	data.Grow(int(info.Size()) + bytes.MinRead)
	if _, err := io.Copy(&data, io.LimitReader(f, limit+1)); err != nil {
		return nil, cannotRead(path, err)
	}
	if size := int64(data.Len()); size > limit {
		return nil, tooLarge(path, size, limit)
	}
	return data.Bytes(), nil
}

func tooLarge(path string, size, limit int64) error {
	return inFile(path, &formats.LimitError{What: "the size of the file", Value: size, Max: limit, Unit: "bytes"})
}

// cannotRead is the error of a file that does not open.
func cannotRead(path string, err error) error {
	var pathErr *fs.PathError
	reason := err
	if errors.As(err, &pathErr) {
		reason = pathErr.Err
	}
	message := fmt.Sprintf("cannot be read: %v", reason)
	if errors.Is(err, fs.ErrNotExist) {
		message = "there is no such file"
	}
	return &placedError{file: path, message: message, err: err}
}

// inFile puts a file's name and, where it is known, the place to an error.
func inFile(path string, err error) error {
	placed := &placedError{file: path, message: err.Error(), err: err}
	var list *charlist.Error
	if errors.As(err, &list) {
		placed.line, placed.column = list.Line, list.Column
	}
	return placed
}

// A FontSource is a grid image with a list beside it.
type FontSource struct {
	Image  string // path of the grid image
	List   string // path of its list
	JSON   bool   // the list has the JSON form
	Target string // the font that it is packed into
}

// FindFonts finds the grid images in a folder and all folders below it, in the order of their paths. A grid image is a .png
// file with a list beside it. Folders behind links are not entered. A folder that cannot be read is an error.
func FindFonts(ctx context.Context, folder string) ([]FontSource, error) {
	var found []FontSource
	err := filepath.WalkDir(folder, func(path string, entry fs.DirEntry, err error) error {
		switch {
		case ctx.Err() != nil:
			return ctx.Err()
		case err != nil:
			return cannotRead(path, err)
		case entry.IsDir():
			return nil
		case !strings.EqualFold(filepath.Ext(path), ".png"):
			return nil
		}
		list, isJSON := FontListPath(path)
		if !isJSON {
			if info, err := os.Stat(list); err != nil || !info.Mode().IsRegular() {
				return nil
			}
		}
		found = append(found, FontSource{Image: path, List: list, JSON: isJSON, Target: strings.TrimSuffix(path, filepath.Ext(path)) + ".font"})
		return nil
	})
	return found, err
}
