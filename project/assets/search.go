package assets

import (
	"bytes"
	"io"

	"talebinder/formats"
	"talebinder/formats/assetpath"
)

// A Search finds the references of files that are not on disk, such as the entries of a content pack. It keeps its memory for
// the next file. Its zero value is ready; it is not safe for several goroutines.
type Search struct{ searcher searcher }

// HasReferences reports whether a file of this name is one that refers to others.
func HasReferences(path string) bool { return extractorOf(path) != nil }

// References gives the references of the file at path, as the function References does, and why the search broke off if it
// did. The file is size bytes long; documents are read as a stream, tile maps as a whole.
func (s *Search) References(path string, r io.Reader, size int64) ([]Reference, error) {
	x := extractorOf(path)
	if x == nil {
		return nil, nil
	}
	in := readerAt(forward{r})
	if assetpath.Ext(path) == tileMapExt {
		if size > maxDocument {
			return nil, &formats.LimitError{What: "the size of a tile map", Value: size, Max: maxDocument, Unit: "bytes"}
		}
		data, err := io.ReadAll(io.LimitReader(r, size))
		if err != nil {
			return nil, err
		}
		in = bytes.NewReader(data)
	}
	found, err := x(&s.searcher, path, in, size)
	all := make([]Reference, len(found))
	for i, f := range found {
		all[i] = f.Reference
	}
	return all, err
}

// forward is a reader for those who never go back.
type forward struct{ io.Reader }

func (forward) ReadAt([]byte, int64) (int, error) { return 0, io.ErrUnexpectedEOF }
