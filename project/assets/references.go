package assets

import (
	"archive/zip"
	"bytes"
	"fmt"
	"io"
	"math"
	"runtime"
	"slices"
	"strings"

	"talebinder/formats"
	"talebinder/formats/assetpath"
	"talebinder/formats/guid"
	"talebinder/formats/jsondoc"
	"talebinder/formats/jsonscan"
)

// Limits of what is searched for references.
const (
	maxDocument  = 256 << 20 // bytes of a scene, prefab or other document
	maxMap       = 64 << 20  // bytes of the map.json in an archive, unpacked
	maxDirectory = 8 << 20   // bytes of an archive's list of entries
)

// A Reference is what an asset says about another one: a guid, or a path relative to the asset root.
type Reference struct {
	Guid guid.Guid // zero when the reference is a path
	Path string
}

// String gives the path, or the digits of the guid.
func (r Reference) String() string {
	if r.Guid.IsZero() {
		return r.Path
	}
	return r.Guid.String()
}

// A MissingReference is a reference that leads to no asset, with the place where the file says it first.
type MissingReference struct {
	Reference
	Line, Column int // from 1, the column in characters; 0 when the file is an archive
}

// References gives the references in the data of the asset at path: guids in the order of their first occurrence, then
// paths, both without repeats. A document that breaks off keeps what was found before. Files without references, most
// kinds of them, give none.
//
// In scenes, prefabs, particle systems, materials, atlases and shaders every text that is a guid of 32 digits, or of 36
// characters with hyphens, is a reference, unless its property is named parent, entity or entityId, or the document
// defines the guid itself in a property named id. Texts in the properties shader (materials), sources (atlases),
// skSlFile and spirVFile (shaders) are paths relative to the file's folder. A text in a list has the list's name. In
// tile maps the references are the images of the tilesets, except those that the map's archive holds itself.
func References(path string, data []byte) []Reference {
	x := extractorOf(path)
	if x == nil {
		return nil
	}
	var s searcher
	found, _ := x(&s, path, bytes.NewReader(data), int64(len(data)))
	all := make([]Reference, len(found))
	for i, f := range found {
		all[i] = f.Reference
	}
	return all
}

// found is a reference and where it stands in the file first.
type found struct {
	Reference
	offset int64 // in bytes; -1 in an archive
}

// An extractor finds the references of one kind of file. What it gives is valid until the searcher is used again. Its
// error says why the search broke off; what was found before is given all the same.
type extractor func(s *searcher, path string, r readerAt, size int64) ([]found, error)

// readerAt is how an extractor reads a file.
type readerAt interface {
	io.Reader
	io.ReaderAt
}

// pathProperties names, in lower case, the properties that hold paths.
var pathProperties = map[string][]string{
	".tscene":     nil,
	".tprefab":    nil,
	".tparticles": nil,
	".tmaterial":  {"shader"},
	".tatlas":     {"sources"},
	".tshader":    {"skslfile", "spirvfile"},
}

// tileMapExt is the extension of tile maps.
const tileMapExt = ".hexy"

// extractorOf gives the extractor for a file name, or nil.
func extractorOf(path string) extractor {
	ext := assetpath.Ext(path)
	if ext == tileMapExt {
		return (*searcher).tileMap
	}
	if properties, ok := pathProperties[ext]; ok {
		return func(s *searcher, path string, r readerAt, size int64) ([]found, error) {
			return s.document(path, properties, r, size)
		}
	}
	return nil
}

// A searcher holds what a search needs, to be used again for the next file. Its zero value is ready. It is not safe for
// several goroutines.
type searcher struct {
	scan    jsonscan.Scanner
	guids   []found
	paths   []found
	defined map[guid.Guid]bool // guids of the document: whether the document defines them
	seen    map[string]bool    // paths of the document
}

// role is what a property's name says about the texts under it.
type role uint8

const (
	anything role = iota
	ignored       // parent, entity, entityId
	defines       // id
	path          // one of the path properties
)

// roleOf gives the role of a name, compared ignoring case.
func roleOf(name []byte, paths []string) role {
	switch len(name) {
	case 2:
		if equalFold(name, "id") {
			return defines
		}
	case 6:
		if equalFold(name, "parent") || equalFold(name, "entity") {
			return ignored
		}
	case 8:
		if equalFold(name, "entityid") {
			return ignored
		}
	}
	for _, p := range paths {
		if equalFold(name, p) {
			return path
		}
	}
	return anything
}

// equalFold compares with a name in lower-case letters.
func equalFold(name []byte, lower string) bool {
	if len(name) != len(lower) {
		return false
	}
	for i, c := range name {
		if 'A' <= c && c <= 'Z' {
			c += 'a' - 'A'
		}
		if c != lower[i] {
			return false
		}
	}
	return true
}

// document searches a JSON document.
func (s *searcher) document(file string, properties []string, r readerAt, size int64) ([]found, error) {
	if size > maxDocument {
		return nil, &formats.LimitError{What: "the size of a document", Value: size, Max: maxDocument, Unit: "bytes"}
	}
	s.reset()
	s.scan.Reset(r)
	err := s.search(file, properties)
	s.guids = slices.DeleteFunc(s.guids, func(f found) bool { return s.defined[f.Guid] })
	s.guids = append(s.guids, s.paths...)
	return s.guids, err
}

// search collects guids and paths until the document ends or breaks off.
func (s *searcher) search(file string, properties []string) error {
	// For each open list or object, the role of the texts directly in it: that of the list's own name, or of the last
	// name in the object. A list in a list has no name.
	type level struct {
		role role
		list bool
	}
	levels := make([]level, 1, 1+jsondoc.MaxDepth)
	for {
		t, err := s.scan.Next()
		if err != nil || t == jsonscan.End {
			return err
		}
		top := &levels[len(levels)-1]
		switch t {
		case jsonscan.Name:
			top.role = roleOf(s.content(), properties)
		case jsonscan.String:
			s.text(file, top.role)
		case jsonscan.BeginObject:
			levels = append(levels, level{})
		case jsonscan.BeginArray:
			now := level{list: true}
			if !top.list {
				now.role = top.role
			}
			levels = append(levels, now)
		case jsonscan.EndObject, jsonscan.EndArray:
			levels = levels[:len(levels)-1]
		}
	}
}

// content gives what the scanned name or text says, valid until the next token.
func (s *searcher) content() []byte {
	if s.scan.Escaped() {
		return []byte(s.scan.Text())
	}
	return s.scan.Raw()
}

// text takes the text that was scanned.
func (s *searcher) text(file string, now role) {
	if now == ignored {
		return
	}
	content := s.content()
	if n := len(content); n == 32 || n == 36 {
		if g, ok := guid.ParseReference(string(content)); ok {
			switch _, seen := s.defined[g]; {
			case now == defines:
				s.defined[g] = true
			case !seen:
				s.defined[g] = false
				s.guids = append(s.guids, found{Reference{Guid: g}, s.scan.Offset()})
			}
			return
		}
	}
	if now == path && len(content) > 0 {
		s.addPath(file, string(content), s.scan.Offset())
	}
}

// addPath takes a path relative to the file's folder, unless it leaves the asset root.
func (s *searcher) addPath(file, relative string, offset int64) {
	resolved, err := assetpath.Resolve(assetpath.Dir(file), relative)
	if err != nil || s.seen[resolved] {
		return
	}
	s.seen[resolved] = true
	s.paths = append(s.paths, found{Reference{Path: resolved}, offset})
}

// reset makes the searcher ready for a file.
func (s *searcher) reset() {
	if s.defined == nil {
		s.defined = make(map[guid.Guid]bool)
		s.seen = make(map[string]bool)
	}
	clear(s.defined)
	clear(s.seen)
	s.guids, s.paths = s.guids[:0], s.paths[:0]
}

// tileMap searches a tile map: a JSON document, or a ZIP archive with one in the entry map.json. Any error means that
// there are no references.
func (s *searcher) tileMap(file string, r readerAt, size int64) ([]found, error) {
	if size > maxDocument {
		return nil, &formats.LimitError{What: "the size of a tile map", Value: size, Max: maxDocument, Unit: "bytes"}
	}
	s.reset()
	var start [2]byte
	if n, err := r.ReadAt(start[:], 0); n < len(start) && err != io.EOF {
		return nil, err
	}
	inArchive := func(string) bool { return false }
	text := io.Reader(r)
	archived := string(start[:]) == "PK"
	if archived {
		archive, err := openArchive(r, size)
		if err != nil {
			return nil, err
		}
		entries := make(map[string]*zip.File, len(archive.File))
		for _, f := range archive.File {
			if entries[f.Name] == nil {
				entries[f.Name] = f
			}
		}
		document := entries["map.json"]
		if document == nil {
			return nil, nil
		}
		content, err := document.Open()
		if err != nil {
			return nil, fmt.Errorf("map.json in the archive: %w", err)
		}
		defer content.Close()
		text = &limited{content, maxMap}
		inArchive = func(name string) bool { return entries[name] != nil }
	}
	s.scan.Reset(text)
	images, err := s.tilesetImages()
	if err != nil {
		if archived {
			err = fmt.Errorf("map.json in the archive: %w", err)
		}
		return nil, err
	}
	for _, image := range images {
		if !inArchive(image.Path) && !isAbsolute(image.Path) {
			if archived {
				image.offset = -1
			}
			s.addPath(file, image.Path, image.offset)
		}
	}
	return s.paths, nil
}

// tilesetImages gives the texts of the property image of the objects in the list tilesets of the document that is being
// scanned, as they are written.
func (s *searcher) tilesetImages() ([]found, error) {
	var images []found
	var image found
	depth := 0
	tilesets := false // the last name in the document's object is tilesets
	listed := false   // the list is open, at depth 2
	wanted := false   // the last name in an object of the list, at depth 3, is image
	for {
		t, err := s.scan.Next()
		if err != nil {
			return nil, err
		}
		switch t {
		case jsonscan.End:
			return images, nil
		case jsonscan.Name:
			// Of a repeated name the last counts.
			if depth == 1 {
				if tilesets = s.scan.Text() == "tilesets"; tilesets {
					images = nil
				}
			}
			if depth == 3 && listed {
				if wanted = s.scan.Text() == "image"; wanted {
					image = found{}
				}
			}
		case jsonscan.String:
			if depth == 3 && wanted {
				image = found{Reference{Path: s.scan.Text()}, s.scan.Offset()}
			}
		case jsonscan.BeginObject, jsonscan.BeginArray:
			listed = listed || depth == 1 && tilesets && t == jsonscan.BeginArray
			wanted = false
			depth++
		case jsonscan.EndObject, jsonscan.EndArray:
			depth--
			wanted = false
			listed = listed && depth >= 2
			if depth == 2 && listed && image.Path != "" {
				images = append(images, image)
				image = found{}
			}
		}
	}
}

// isAbsolute reports whether a tileset's image is a path of the computer.
func isAbsolute(path string) bool {
	if strings.HasPrefix(path, "/") {
		return true
	}
	return runtime.GOOS == "windows" && (strings.HasPrefix(path, `\`) || len(path) > 1 && path[1] == ':')
}

// openArchive reads the list of entries of a ZIP archive, of a bounded size.
func openArchive(r io.ReaderAt, size int64) (*zip.Reader, error) {
	bounded := &limitedAt{r, maxDirectory}
	archive, err := zip.NewReader(bounded, size)
	bounded.left = math.MaxInt64 // the entry that is read has a bound of its own
	if err != nil {
		return nil, fmt.Errorf("the archive: %w", err)
	}
	return archive, nil
}

// limitedAt gives an error when more than left bytes are read.
type limitedAt struct {
	r    io.ReaderAt
	left int64
}

func (l *limitedAt) ReadAt(b []byte, at int64) (int, error) {
	if l.left -= int64(len(b)); l.left < 0 {
		return 0, &formats.LimitError{What: "the size of an archive's list of entries", Value: maxDirectory - l.left, Max: maxDirectory, Unit: "bytes"}
	}
	return l.r.ReadAt(b, at)
}

// limited gives an error when more than left bytes come.
type limited struct {
	r    io.Reader
	left int64
}

func (l *limited) Read(b []byte) (int, error) {
	n, err := l.r.Read(b)
	if l.left -= int64(n); l.left < 0 {
		return 0, &formats.LimitError{What: "the size of an unpacked map", Value: maxMap - l.left, Max: maxMap, Unit: "bytes"}
	}
	return n, err
}

// A place is a line and a column in a text, both from 1; a column is a character.
type place struct{ line, column int }

// places turns byte offsets, in rising order, into places.
func places(r io.Reader, offsets []int64) ([]place, error) {
	all := make([]place, 0, len(offsets))
	now := place{1, 1}
	buf := make([]byte, 32<<10)
	for at := int64(0); len(all) < len(offsets); {
		n, err := r.Read(buf)
		text := buf[:n]
		for len(all) < len(offsets) {
			part := min(offsets[len(all)]-at, int64(len(text)))
			now.pass(text[:part], at == 0)
			at += part
			text = text[part:]
			if at < offsets[len(all)] {
				break
			}
			all = append(all, now)
		}
		if err != nil && len(all) < len(offsets) {
			return nil, err
		}
	}
	return all, nil
}

// pass moves behind a part of the text.
func (p *place) pass(text []byte, first bool) {
	if first {
		text = bytes.TrimPrefix(text, []byte("\uFEFF"))
	}
	if last := bytes.LastIndexByte(text, '\n'); last >= 0 {
		p.line += bytes.Count(text, []byte{'\n'})
		p.column = 1
		text = text[last+1:]
	}
	for _, c := range text {
		if c&0xC0 != 0x80 { // not inside a character
			p.column++
		}
	}
}
