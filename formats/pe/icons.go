package pe

import (
	"encoding/binary"
	"fmt"
	"math"
	"slices"

	"talebinder/formats"
	"talebinder/formats/ico"
	"talebinder/formats/icon"
)

// An icon's list of images is that of an icon file, with the number of the image's resource in 2 bytes instead of its
// offset.
const (
	groupHeader = 6
	groupEntry  = 14
)

// defaultIcon is the number that compilers for .NET give to a program's icon, and under which programs look for it.
const defaultIcon = 32512

// Icons gives the images of the icon that Windows shows for the executable: the first one in the tree. There are none when
// it has no icon.
func (f *File) Icons() ([]ico.Entry, error) {
	resources, err := f.Resources()
	if err != nil {
		return nil, err
	}
	slices.SortStableFunc(resources, Resource.compare)
	for _, group := range resources {
		if group.Type != number(typeGroupIcon) {
			continue
		}
		entries, ids, err := f.readGroup(group)
		if err != nil {
			return nil, err
		}
		for i, id := range ids {
			image := find(resources, id, group.Language)
			if image == nil {
				return nil, formats.Damaged(fmt.Sprintf("icon %v", group.Name), group.offset+groupHeader+groupEntry*int64(i), fmt.Sprintf("image %d, which does not exist", id), "the number of an image")
			}
			if entries[i].Data, err = f.ReadResource(*image); err != nil {
				return nil, err
			}
		}
		return entries, nil
	}
	return nil, nil
}

// find gives the image of a number, in a language when there is one in it.
func find(resources []Resource, id uint16, language uint16) *Resource {
	var found *Resource
	for i, r := range resources {
		if r.Type == number(typeIcon) && r.Name == number(id) && (found == nil || r.Language == language) {
			found = &resources[i]
		}
	}
	return found
}

// readGroup reads a list of images.
func (f *File) readGroup(group Resource) (entries []ico.Entry, ids []uint16, err error) {
	part := fmt.Sprintf("icon %v", group.Name)
	b, err := f.ReadResource(group)
	if err != nil {
		return nil, nil, err
	}
	le := binary.LittleEndian
	if len(b) < groupHeader || len(b) < groupHeader+groupEntry*int(le.Uint16(b[4:])) {
		return nil, nil, formats.Damaged(part, group.offset, fmt.Sprintf("%d bytes", len(b)), "6 bytes and 14 for every image")
	}
	for entry := range slices.Chunk(b[groupHeader:groupHeader+groupEntry*int(le.Uint16(b[4:]))], groupEntry) {
		e, _ := ico.ParseEntry(entry)
		entries = append(entries, e)
		ids = append(ids, le.Uint16(entry[12:]))
	}
	return entries, ids, nil
}

// setIcon replaces the icon that Windows shows for the executable, in all its languages. Other icons stay, with their
// images.
func (f *File) setIcon(resources []Resource, images []icon.Image) ([]Resource, error) {
	slices.SortStableFunc(resources, Resource.compare)
	name, found := number(defaultIcon), false
	var old, kept []uint16 // numbers of images
	for _, r := range resources {
		if r.Type != number(typeGroupIcon) {
			continue
		}
		if !found {
			name, found = r.Name, true
		}
		_, ids, err := f.readGroup(r)
		switch {
		case err == nil && r.Name == name:
			old = append(old, ids...)
		case err == nil:
			kept = append(kept, ids...)
		case r.Name != name:
			return nil, err // nobody knows which images it needs
		}
	}
	used := make(map[uint16]bool)
	resources = slices.DeleteFunc(resources, func(r Resource) bool {
		switch r.Type {
		case number(typeGroupIcon):
			return r.Name == name
		case number(typeIcon):
			id, ok := r.Name.ID()
			if ok && slices.Contains(old, id) && !slices.Contains(kept, id) {
				return true
			}
			used[id] = used[id] || ok
		}
		return false
	})

	group := []byte{0, 0, 1, 0}
	group = binary.LittleEndian.AppendUint16(group, uint16(len(images)))
	free := 1
	for _, image := range images {
		for used[uint16(free)] {
			free++
		}
		if free > math.MaxUint16 {
			return nil, fmt.Errorf("icon: %w", &formats.LimitError{What: "number of images", Value: int64(len(used) + len(images)), Max: math.MaxUint16})
		}
		id := uint16(free)
		free++
		var err error
		if group, err = ico.AppendEntry(group, image); err != nil {
			return nil, err
		}
		group = binary.LittleEndian.AppendUint16(group, id)
		resources = append(resources, newResource(typeIcon, number(id), image.PNG))
	}
	return append(resources, newResource(typeGroupIcon, name, group)), nil
}

// newResource gives a resource in the neutral language, which Windows finds whatever its own language is.
func newResource(kind uint16, name Ident, data []byte) Resource {
	return Resource{Type: number(kind), Name: name, Size: int64(len(data)), data: data}
}
