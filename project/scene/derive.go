package scene

import (
	"crypto/sha256"

	"talebinder/formats/guid"
)

// Derive gives the id that an entity of a prefab has in an instance, the same on every computer: the first 16 bytes of the
// SHA-256 of both guids, with the version (8) and variant bits set. All three are in the byte order of .NET, whose first
// three groups of 4, 2 and 2 bytes have their lowest byte first.
func Derive(instance, entity guid.Guid) guid.Guid {
	var input [32]byte
	copy(input[:], instance[:])
	copy(input[16:], entity[:])
	swap((*guid.Guid)(input[:16]))
	swap((*guid.Guid)(input[16:]))
	sum := sha256.Sum256(input[:])
	derived := guid.Guid(sum[:16])
	derived[6] = derived[6]&0x0F | 0x80
	derived[8] = derived[8]&0x3F | 0x80
	swap(&derived)
	return derived
}

// swap turns a guid from the order of its text into that of .NET, and back.
func swap(g *guid.Guid) {
	g[0], g[1], g[2], g[3] = g[3], g[2], g[1], g[0]
	g[4], g[5] = g[5], g[4]
	g[6], g[7] = g[7], g[6]
}

// Map gives the id that an entity of a prefab has in an instance: that of the instance for the prefab's root, else the
// derived one.
func Map(instance, root, id guid.Guid) guid.Guid {
	if id == root {
		return instance
	}
	return Derive(instance, id)
}
