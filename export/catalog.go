package export

import (
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"talebinder/formats/assetpath"
	"talebinder/formats/guid"
	"talebinder/formats/jsonscan"
)

// A catalog is the content of a build's assets.index.json: which asset has which guid.
type catalog struct {
	files  []string             // their paths, in the order of the index
	byGuid map[guid.Guid]string // files and folders
	paths  map[string]bool      // files and folders, folded
}

// indexVersion is the newest version of an index that is read.
const indexVersion = 1

// readCatalog reads an index, which may be large, as a stream.
func readCatalog(r io.Reader) (*catalog, error) {
	c := &catalog{byGuid: make(map[guid.Guid]string), paths: make(map[string]bool)}
	s := &indexScanner{}
	s.Reset(r)
	if err := s.document(c); err != nil {
		return nil, err
	}
	return c, nil
}

// An indexScanner goes through an index. Names are compared ignoring case; what it does not know it passes over.
type indexScanner struct{ jsonscan.Scanner }

func (s *indexScanner) document(c *catalog) error {
	if t, err := s.Next(); err != nil {
		return err
	} else if t != jsonscan.BeginObject {
		return s.wrong("an object")
	}
	for {
		name, more, err := s.name()
		if err != nil {
			return err
		}
		if !more {
			break
		}
		t, err := s.Next()
		if err != nil {
			return err
		}
		switch {
		case name == "version":
			version, err := strconv.Atoi(string(s.Raw()))
			if t != jsonscan.Number || err != nil {
				return s.wrong("a version")
			}
			if version > indexVersion {
				return fmt.Errorf("version %d is made for a newer engine, expected at most %d", version, indexVersion)
			}
		case name == "assets" && t == jsonscan.BeginArray:
			if err := s.assets(c); err != nil {
				return err
			}
		case name == "assets" && t != jsonscan.Null:
			return s.wrong("a list of assets")
		default:
			if err := s.skip(t); err != nil {
				return err
			}
		}
	}
	_, err := s.Next() // nothing may follow
	return err
}

// assets reads the list, whose beginning has been read. Of a repeated list the last counts.
func (s *indexScanner) assets(c *catalog) error {
	c.files = nil
	clear(c.byGuid)
	clear(c.paths)
	for {
		t, err := s.Next()
		switch {
		case err != nil:
			return err
		case t == jsonscan.EndArray:
			return nil
		case t != jsonscan.BeginObject:
			return s.wrong("an asset")
		}
		if err := s.asset(c); err != nil {
			return err
		}
	}
}

// asset reads an asset, whose beginning has been read.
func (s *indexScanner) asset(c *catalog) error {
	at := s.Offset()
	var path, id string
	folder := false
	for {
		name, more, err := s.name()
		if err != nil {
			return err
		}
		if !more {
			break
		}
		t, err := s.Next()
		if err != nil {
			return err
		}
		switch {
		case name == "path" && t == jsonscan.String:
			path = s.Text()
		case name == "guid" && t == jsonscan.String:
			id = s.Text()
		case name == "folder" && (t == jsonscan.True || t == jsonscan.False):
			folder = t == jsonscan.True
		default:
			if err := s.skip(t); err != nil {
				return err
			}
		}
	}
	normal, err := assetpath.Normalize(path)
	if err != nil || strings.TrimSpace(normal) == "" {
		return fmt.Errorf("the asset at byte %d has the path %q", at, path)
	}
	g, err := guid.Parse(id)
	if err != nil || g.IsZero() {
		return fmt.Errorf("%s has the guid %q, which is none", normal, id)
	}
	if other, ok := c.byGuid[g]; ok {
		return fmt.Errorf("%s has the guid of %s", normal, other)
	}
	c.byGuid[g] = normal
	c.paths[assetpath.Fold(normal)] = true
	if !folder {
		c.files = append(c.files, normal)
	}
	return nil
}

// name reads the next name of an object, in lower case, or its end.
func (s *indexScanner) name() (name string, more bool, err error) {
	t, err := s.Next()
	if err != nil || t == jsonscan.EndObject {
		return "", false, err
	}
	return strings.ToLower(s.Text()), true, nil
}

// skip passes over a value whose first token is t.
func (s *indexScanner) skip(t jsonscan.Token) error {
	for depth := 0; ; {
		switch t {
		case jsonscan.BeginArray, jsonscan.BeginObject:
			depth++
		case jsonscan.EndArray, jsonscan.EndObject:
			depth--
		case jsonscan.End:
			return errors.New("ends within a value")
		}
		if depth == 0 {
			return nil
		}
		var err error
		if t, err = s.Next(); err != nil {
			return err
		}
	}
}

func (s *indexScanner) wrong(expected string) error {
	return fmt.Errorf("byte %d: expected %s", s.Offset(), expected)
}
