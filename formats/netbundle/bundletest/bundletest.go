// Package bundletest makes .NET single-file bundles for tests.
package bundletest

import (
	"bytes"
	"compress/flate"
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"math/rand/v2"

	"talebinder/formats/netbundle"
)

// File is a file to be bundled.
type File struct {
	Path     string
	Type     netbundle.Type
	Content  []byte
	Compress bool // from version 6 on
}

// Bundle describes a bundle.
type Bundle struct {
	Major, Minor uint32
	ID           string // "" means "F1xture_id-0"
	Flags        uint64
	Align        int64 // of assemblies, in bytes; 0 means 16
	Files        []File
}

// Marker gives the 40 bytes that a host contains before it gets a bundle.
func Marker() []byte {
	sum := sha256.Sum256([]byte(".net core bundle\n"))
	return append(make([]byte, 8), sum[:]...)
}

// Append appends the bundle to a host that contains Marker.
func (b Bundle) Append(host []byte) []byte {
	out := bytes.Clone(host)
	marker := bytes.Index(out, Marker())
	if marker < 0 {
		panic("the host has no marker")
	}
	le := binary.LittleEndian
	var entries []byte
	var places [5][2]uint64 // by type
	for _, f := range b.Files {
		stored, compressed := f.Content, uint64(0)
		if f.Compress {
			stored = deflate(f.Content)
			compressed = uint64(len(stored))
		} else if f.Type == netbundle.Assembly {
			for int64(len(out))%max(b.Align, 16) != 0 {
				out = append(out, 0)
			}
		}
		offset := uint64(len(out))
		out = append(out, stored...)
		if int(f.Type) < len(places) {
			places[f.Type] = [2]uint64{offset, uint64(len(f.Content))}
		}
		entries = le.AppendUint64(entries, offset)
		entries = le.AppendUint64(entries, uint64(len(f.Content)))
		if b.Major >= 6 {
			entries = le.AppendUint64(entries, compressed)
		}
		entries = text(append(entries, byte(f.Type)), f.Path)
	}
	le.PutUint64(out[marker:], uint64(len(out)))
	out = le.AppendUint32(out, b.Major)
	out = le.AppendUint32(out, b.Minor)
	out = le.AppendUint32(out, uint32(len(b.Files)))
	id := b.ID
	if id == "" {
		id = "F1xture_id-0"
	}
	out = text(out, id)
	if b.Major >= 2 {
		for _, kind := range []netbundle.Type{netbundle.DepsJSON, netbundle.RuntimeConfigJSON} {
			out = le.AppendUint64(out, places[kind][0])
			out = le.AppendUint64(out, places[kind][1])
		}
		out = le.AppendUint64(out, b.Flags)
	}
	return append(out, entries...)
}

// text appends a length in seven bits a byte and the text.
func text(b []byte, s string) []byte { return append(binary.AppendUvarint(b, uint64(len(s))), s...) }

func deflate(content []byte) []byte {
	var b bytes.Buffer
	w, err := flate.NewWriter(&b, flate.BestCompression)
	if err == nil {
		_, err = w.Write(content)
	}
	if err == nil {
		err = w.Close()
	}
	if err != nil {
		panic(err)
	}
	return b.Bytes()
}

// Files gives files of every type as a small program has them: stored and, from version 6 on, compressed ones, an empty
// one, and a path with folders that is longer than 127 bytes.
func Files(major uint32) []File {
	random := rand.New(rand.NewPCG(6, uint64(major)))
	noise := make([]byte, 5000)
	for i := range noise {
		noise[i] = byte(random.Uint32())
	}
	files := []File{
		{Path: "game.dll", Type: netbundle.Assembly, Content: noise[:3000]},
		{Path: "System.Runtime.dll", Type: netbundle.Assembly, Content: bytes.Repeat([]byte("managed code "), 900), Compress: true},
		{Path: "engine.dll", Type: netbundle.NativeBinary, Content: noise[3000:]},
		{Path: "game.deps.json", Type: netbundle.DepsJSON, Content: []byte(`{"runtimeTarget":{"name":".NETCoreApp,Version=v10.0/win-x64"}}`)},
		{Path: "game.runtimeconfig.json", Type: netbundle.RuntimeConfigJSON, Content: []byte(`{"runtimeOptions":{}}`)},
		{Path: "empty.txt", Type: netbundle.Unknown},
		{Path: "game.pdb", Type: netbundle.Symbols, Content: bytes.Repeat([]byte("symbols "), 400), Compress: true},
		{Path: fmt.Sprintf("data/%0130d/note.txt", 7), Type: netbundle.Unknown, Content: []byte("in folders")},
	}
	for i := range files {
		files[i].Compress = files[i].Compress && major >= 6
		if major == 1 {
			files[i].Type = netbundle.Unknown
		}
	}
	return files
}
