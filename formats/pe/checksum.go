package pe

import (
	"context"
	"encoding/binary"
	"fmt"
)

// checksum adds up a file from front to back.
type checksum struct {
	sum    uint64
	length int64
}

// add adds bytes; their number is even in every call but the last one.
func (c *checksum) add(b []byte) {
	c.length += int64(len(b))
	// Carries are folded in at the end: 32-bit words in four sums that cannot overflow give the same as 16-bit words with
	// every carry added at once.
	var s0, s1, s2, s3 uint64
	for len(b) >= 16 {
		x, y := binary.LittleEndian.Uint64(b), binary.LittleEndian.Uint64(b[8:])
		s0 += x & 0xffffffff
		s1 += x >> 32
		s2 += y & 0xffffffff
		s3 += y >> 32
		b = b[16:]
	}
	sum := fold(s0) + fold(s1) + fold(s2) + fold(s3)
	for ; len(b) >= 2; b = b[2:] {
		sum += uint64(binary.LittleEndian.Uint16(b))
	}
	if len(b) == 1 {
		sum += uint64(b[0])
	}
	c.sum += sum
}

// fold adds the carries out of 16 bits, all but the last ones.
func fold(sum uint64) uint64 {
	return sum&0xffff + sum>>16&0xffff + sum>>32&0xffff + sum>>48
}

// value gives the checksum of the file.
func (c *checksum) value() uint32 {
	sum := c.sum
	for sum > 0xffff {
		sum = sum&0xffff + sum>>16
	}
	return uint32(sum + uint64(c.length))
}

// VerifyChecksum reads the whole file and says whether the checksum in the headers is right.
func (f *File) VerifyChecksum(ctx context.Context) (bool, error) {
	var c checksum
	buffer := make([]byte, min(bufferSize, f.size))
	field := span{f.optional + 64, 4}
	for at := int64(0); at < f.size; at += bufferSize {
		if err := ctx.Err(); err != nil {
			return false, err
		}
		part := buffer[:min(bufferSize, f.size-at)]
		if err := f.fill("executable", part, at); err != nil {
			return false, fmt.Errorf("checksum: %w", err)
		}
		overwrite(part, at, field.offset, make([]byte, field.size))
		c.add(part)
	}
	return c.value() == f.checksum, nil
}
