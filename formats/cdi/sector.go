package cdi

import (
	"encoding/binary"
)

// Places in a stored sector of 2336 bytes.
const (
	edcAt = 2056
	pAt   = 2060
	qAt   = 2232
)

// A block of the parity codes is 4 bytes of header, which count as zero, and the sector. Its even and its odd bytes are
// coded apart and in the same way, so a pair of bytes is handled as one: 43 pairs a row, 24 rows of data, 2 of P parity.
const (
	columns   = 43
	rows      = 24
	rowBytes  = 2 * columns
	dataBytes = rows * rowBytes // 2064
	diagonals = rows + 2        // of the Q parity, over the rows of data and of P parity
	qStart    = dataBytes + 2*rowBytes
	blockSize = 4 + rawSize

	scratchSize = blockSize + 72 // words of several rows are read beyond the end
)

// EncodeForm1 makes the stored Mode 2 Form 1 sector of 2048 bytes of user data.
func EncodeForm1(sector *[rawSize]byte, data *[sectorSize]byte) {
	encode(sector, &form1, data)
}

// form1 is the subheader of data: file 0, channel 0, the data flag, no coding; twice.
var form1 = [8]byte{2: 0x09, 6: 0x09}

func encode(sector *[rawSize]byte, subheader *[8]byte, data *[sectorSize]byte) {
	var block [scratchSize]byte
	copy(block[4:], subheader[:])
	copy(block[12:], data[:])
	binary.LittleEndian.PutUint32(block[4+edcAt:], edc(block[4:4+edcAt]))
	parityP(&block)
	parityQ(&block)
	copy(sector[:], block[4:])
}

// polynomial is the one of the EDC, with its bits reversed.
const polynomial = 0xD8018001

// edcTables are for 16 bytes at a time: table k is for a byte that k bytes follow.
var edcTables = func() (t [16][256]uint32) {
	for i := range t[0] {
		e := uint32(i)
		for range 8 {
			e = e>>1 ^ polynomial&-(e&1)
		}
		t[0][i] = e
	}
	for k := 1; k < len(t); k++ {
		for i := range t[k] {
			e := t[k-1][i]
			t[k][i] = e>>8 ^ t[0][e&0xFF]
		}
	}
	return t
}()

// edc gives the error detection code of b, a CRC of 32 bits without an initial or final change.
func edc(b []byte) uint32 {
	t := &edcTables
	e := uint32(0)
	for ; len(b) >= 16; b = b[16:] {
		x := e ^ binary.LittleEndian.Uint32(b)
		y := binary.LittleEndian.Uint32(b[4:])
		z := binary.LittleEndian.Uint32(b[8:])
		w := binary.LittleEndian.Uint32(b[12:])
		e = t[15][x&0xFF] ^ t[14][x>>8&0xFF] ^ t[13][x>>16&0xFF] ^ t[12][x>>24] ^
			t[11][y&0xFF] ^ t[10][y>>8&0xFF] ^ t[9][y>>16&0xFF] ^ t[8][y>>24] ^
			t[7][z&0xFF] ^ t[6][z>>8&0xFF] ^ t[5][z>>16&0xFF] ^ t[4][z>>24] ^
			t[3][w&0xFF] ^ t[2][w>>8&0xFF] ^ t[1][w>>16&0xFF] ^ t[0][w>>24]
	}
	for _, c := range b {
		e = e>>8 ^ t[0][byte(e)^c]
	}
	return e
}

// Numbers of the parity codes are of GF(256) with x^8 = x^4 + x^3 + x^2 + 1, that is 11D. times2 multiplies 8 of them by x.
func times2(v uint64) uint64 {
	high := v & 0x8080808080808080
	return v&^0x8080808080808080<<1 ^ high>>7*0x1D
}

// third[v] is v divided by 3.
var third = func() (t [256]byte) {
	for i := range t {
		v := byte(i)
		product := v<<1 ^ v
		if v >= 0x80 {
			product ^= 0x1D
		}
		t[product] = v
	}
	return t
}()

// finish makes the two parity bytes of every codeword. With n the length of a codeword, v[i] its bytes and a = 2, the sums
// of v[i] and of v[i]*a^(n-1-i) are 0. s0 and s1 are these sums over the data, s1 divided by a^2.
func finish(first, second []byte, s0, s1 []uint64) {
	var sum, quotient [8]byte
	for len(first) > 0 {
		binary.LittleEndian.PutUint64(sum[:], s0[0])
		binary.LittleEndian.PutUint64(quotient[:], s0[0]^times2(times2(s1[0])))
		n := min(len(first), 8)
		for i := range n {
			v := third[quotient[i]]
			first[i], second[i] = v, sum[i]^v
		}
		first, second, s0, s1 = first[n:], second[n:], s0[1:], s1[1:]
	}
}

// parityP makes the two rows that follow the data, column by column; 4 columns of pairs are handled at once.
func parityP(block *[scratchSize]byte) {
	const words = (rowBytes + 7) / 8
	var s0, s1 [words]uint64
	for i := range words {
		var a, b uint64
		for at := 8 * i; at < dataBytes; at += rowBytes {
			v := binary.LittleEndian.Uint64(block[at:])
			a ^= v
			b = times2(b) ^ v
		}
		s0[i], s1[i] = a, b
	}
	finish(block[dataBytes:dataBytes+rowBytes], block[dataBytes+rowBytes:qStart], s0[:], s1[:])
}

// parityQ makes the parity of the diagonals: the one with number d has the pairs of column k in row (d + k) mod 26. Columns
// are laid out as rows, twice each, so that the diagonals at column k are a stretch from row k mod 26 on.
func parityQ(block *[scratchSize]byte) {
	const (
		bytes = 2 * diagonals
		words = (bytes + 7) / 8
	)
	// Squares of 4 rows and 4 columns are turned over at once; those at the edges go beyond them.
	var layout [(columns + 3) &^ 3][2*bytes + 8]byte
	for r := 0; r < diagonals; r += 4 {
		for k := 0; k < columns; k += 4 {
			at := r*rowBytes + 2*k
			c0, c1, c2, c3 := turnOver(
				binary.LittleEndian.Uint64(block[at:]),
				binary.LittleEndian.Uint64(block[at+rowBytes:]),
				binary.LittleEndian.Uint64(block[at+2*rowBytes:]),
				binary.LittleEndian.Uint64(block[at+3*rowBytes:]))
			binary.LittleEndian.PutUint64(layout[k][2*r:], c0)
			binary.LittleEndian.PutUint64(layout[k+1][2*r:], c1)
			binary.LittleEndian.PutUint64(layout[k+2][2*r:], c2)
			binary.LittleEndian.PutUint64(layout[k+3][2*r:], c3)
		}
	}
	var s0, s1 [words]uint64
	turn := 0
	for k := range columns {
		column := &layout[k]
		copy(column[bytes:2*bytes], column[:bytes])
		for i := range words {
			v := binary.LittleEndian.Uint64(column[turn+8*i:])
			s0[i] ^= v
			s1[i] = times2(s1[i]) ^ v
		}
		if turn += 2; turn == bytes {
			turn = 0
		}
	}
	finish(block[qStart:qStart+bytes], block[qStart+bytes:blockSize], s0[:], s1[:])
}

// turnOver makes the columns of a square of 4 rows of 4 pairs.
func turnOver(a, b, c, d uint64) (c0, c1, c2, c3 uint64) {
	const (
		even = 0x0000FFFF0000FFFF
		low  = 0x00000000FFFFFFFF
	)
	ab02, ab13 := a&even|b&even<<16, a>>16&even|b&^even
	cd02, cd13 := c&even|d&even<<16, c>>16&even|d&^even
	return ab02&low | cd02<<32, ab13&low | cd13<<32, ab02>>32 | cd02&^low, ab13>>32 | cd13&^low
}
