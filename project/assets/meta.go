package assets

import "talebinder/formats/guid"

// Meta is what a .meta file says.
type Meta struct {
	Version         int
	Guid            guid.Guid
	Folder          bool
	Importer        string // "" when there is none
	ImporterVersion int
	Settings        []byte // the object's text as it was read, or nil
	Labels          []string
}

// ParseMeta reads a .meta file.
func ParseMeta(text []byte) (*Meta, error) { return &Meta{}, nil }

// Text gives the meta exactly as the engine writes it.
func (m *Meta) Text() []byte { return nil }
