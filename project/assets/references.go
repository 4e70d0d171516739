package assets

import "talebinder/formats/guid"

// A Reference is one of two: a guid, or a path relative to the asset root.
type Reference struct {
	Guid guid.Guid
	Path string
}

// A MissingReference is a reference that leads to no asset, with its first place in the file.
type MissingReference struct {
	Reference
	Line, Column int // from 1, the column in characters; 0 in archives
}

// References gives the references in the data of the asset at path, in order, without repeats.
func References(path string, data []byte) []Reference { return nil }
