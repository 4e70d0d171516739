package rectpack

// A shelf holds a row of rectangles in each column of pages.
type shelf struct {
	y      int
	cursor [2]int // where the next rectangle goes, by column
	right  [2]int // where the column ends; columns that the sheet does not have end before they begin
}

// room is the width of the widest rectangle that the shelf still takes; below 0 when it takes none.
func (s *shelf) room() int { return max(s.right[0]-s.cursor[0], s.right[1]-s.cursor[1]) }

// shelves are the shelves of a layout, in the order in which they were made. A tree over them holds the largest room in
// each half, quarter and so on, so that the first shelf with enough room is found in a few steps.
type shelves struct {
	all    []shelf
	leaves int   // a power of two, at least len(all)
	tree   []int // node n has the children 2n and 2n + 1; the leaves come last
}

const noRoom = -1

func (s *shelves) reset() {
	s.all = s.all[:0]
	for i := range s.tree {
		s.tree[i] = noRoom
	}
}

// find gives the first shelf that has room for a width, or -1.
func (s *shelves) find(width int) int {
	if s.leaves == 0 || s.tree[1] < width {
		return -1
	}
	node := 1
	for node < s.leaves {
		node *= 2
		if s.tree[node] < width {
			node++
		}
	}
	return node - s.leaves
}

// add puts a shelf behind the others and gives its index.
func (s *shelves) add(new shelf) int {
	i := len(s.all)
	s.all = append(s.all, new)
	if i >= s.leaves {
		s.leaves = max(64, 2*s.leaves)
		s.tree = make([]int, 2*s.leaves)
		for node := range s.tree {
			s.tree[node] = noRoom
		}
		for j := range s.all {
			s.changed(j)
		}
	} else {
		s.changed(i)
	}
	return i
}

// changed brings the tree up to date with the room in a shelf.
func (s *shelves) changed(i int) {
	node := s.leaves + i
	s.tree[node] = s.all[i].room()
	for node /= 2; node > 0; node /= 2 {
		s.tree[node] = max(s.tree[2*node], s.tree[2*node+1])
	}
}
