package jsondoc

import (
	"fmt"
	"slices"
)

// InsertItems gives the edit that inserts several items into a list, one behind the other, so that the first has the index
// i. Each is laid out as by InsertItem. It does at once what as many edits one after the other would do.
func (v Value) InsertItems(i int, raws ...[]byte) Edit {
	entries := v.entries()
	if err := v.checkIndex("insert items", i, len(entries)+1); err != nil {
		return Edit{err: err}
	}
	if len(raws) == 0 {
		return Edit{}
	}
	return v.insert(entries, i, func(s style, indent string, oneLine bool) (piece, error) {
		gap := s.lineEnd + indent
		if oneLine {
			gap = s.separator
		}
		var head []byte
		for n, raw := range raws {
			laid, err := v.doc.layOut(raw, s, indent, oneLine)
			if err != nil {
				return piece{}, fmt.Errorf("item %d: %w", n, err)
			}
			if n > 0 {
				head = append(append(head, ','), gap...)
			}
			head = append(head, laid...)
		}
		return piece{head: head}, nil
	})
}

// RemoveItems gives the edit that removes the items with these indexes, in any order, as RemoveItem removes each.
func (v Value) RemoveItems(indexes ...int) Edit {
	entries := v.entries()
	gone := slices.Compact(slices.Sorted(slices.Values(indexes)))
	for _, i := range gone {
		if err := v.checkIndex("remove items", i, len(entries)); err != nil {
			return Edit{err: err}
		}
	}
	return v.doc.merge(v.cuts(entries, gone))
}
