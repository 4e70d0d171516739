package iso9660

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
)

// blockSize is how much is read and written at a time.
const blockSize = 1 << 20

// WriteVolume writes the volume, VolumeSectors sectors of 2048 bytes. A source that has become longer or shorter since it
// was listed is an error. What was written until an error is of no use.
func (p *Plan) WriteVolume(ctx context.Context, w io.Writer) error {
	o := &output{ctx: ctx, w: w, block: make([]byte, 0, blockSize)}
	p.writeSystem(o)
	for h := range p.tables {
		p.writeTable(o, h, false)
		p.writeTable(o, h, true)
	}
	for h := range p.tables {
		for _, d := range p.dirs {
			o.directory(d, h)
		}
	}
	o.zeros(p.first*SectorSize - o.written)
	for _, f := range p.files {
		p.writeFile(o, f)
	}
	o.flush()
	if o.err == nil && o.written != int64(p.VolumeSectors)*SectorSize {
		return fmt.Errorf("the volume has %d bytes instead of the planned %d", o.written, int64(p.VolumeSectors)*SectorSize)
	}
	return o.err
}

// WriteImage writes the volume and the sectors behind it that are kept: a whole .iso.
func (p *Plan) WriteImage(ctx context.Context, w io.Writer) error {
	if err := p.WriteVolume(ctx, w); err != nil {
		return err
	}
	o := &output{ctx: ctx, w: w, block: make([]byte, 0, blockSize)}
	from := int64(p.volume.Sectors - p.RunOut)
	o.copy(io.NewSectionReader(p.volume.r, from*SectorSize, int64(p.RunOut)*SectorSize), int64(p.RunOut)*SectorSize, "run-out")
	o.flush()
	return o.err
}

// output collects what is written into large blocks. After an error it does nothing more.
type output struct {
	ctx     context.Context
	w       io.Writer
	block   []byte
	written int64 // with what is in the block
	err     error
}

func (o *output) flush() {
	if o.err == nil {
		o.err = o.ctx.Err()
	}
	if o.err == nil && len(o.block) > 0 {
		_, o.err = o.w.Write(o.block)
	}
	o.block = o.block[:0]
}

func (o *output) write(b []byte) {
	for o.err == nil && len(b) > 0 {
		n := copy(o.block[len(o.block):cap(o.block)], b)
		o.block = o.block[:len(o.block)+n]
		o.written += int64(n)
		b = b[n:]
		if len(o.block) == cap(o.block) {
			o.flush()
		}
	}
}

func (o *output) zeros(n int64) {
	for o.err == nil && n > 0 {
		start := len(o.block)
		o.block = o.block[:min(int64(start)+n, int64(cap(o.block)))]
		clear(o.block[start:])
		o.written += int64(len(o.block) - start)
		n -= int64(len(o.block) - start)
		if len(o.block) == cap(o.block) {
			o.flush()
		}
	}
}

// align fills up the sector.
func (o *output) align() { o.zeros(sectorsOf(o.written)*SectorSize - o.written) }

// copy writes n bytes from r.
func (o *output) copy(r io.Reader, n int64, what string) {
	for o.err == nil && n > 0 {
		start := len(o.block)
		end := min(int64(start)+n, int64(cap(o.block)))
		read, err := io.ReadFull(r, o.block[start:end])
		o.block = o.block[:start+read]
		o.written += int64(read)
		n -= int64(read)
		if err != nil && o.err == nil {
			if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
				err = fmt.Errorf("it has become %d bytes shorter while it was read: %w", n, io.ErrUnexpectedEOF)
			}
			o.err = fmt.Errorf("%s: %w", what, err)
		}
		if len(o.block) == cap(o.block) {
			o.flush()
		}
	}
}

// writeSystem writes the system area and the descriptors.
func (p *Plan) writeSystem(o *output) {
	o.copy(p.volume.SystemArea(), systemSectors*SectorSize, "system area")
	primary := p.volume.Primary.raw
	p.setDescriptor(&primary, 0)
	o.write(primary[:])
	supplementary := primary
	if p.volume.Joliet != nil {
		supplementary = p.volume.Joliet.raw
	} else {
		toJoliet(&supplementary)
	}
	p.setDescriptor(&supplementary, 1)
	o.write(supplementary[:])
	o.write([]byte{typeTerminator, 'C', 'D', '0', '0', '1', 1})
	o.align()
}

// setDescriptor sets what a descriptor says of the new volume.
func (p *Plan) setDescriptor(b *[SectorSize]byte, h int) {
	t := &p.tables[h]
	put32(b[80:], p.VolumeSectors)
	put32(b[132:], uint32(t.size))
	le.PutUint32(b[140:], t.little)
	le.PutUint32(b[144:], 0)
	be.PutUint32(b[148:], t.big)
	be.PutUint32(b[152:], 0)
	copy(b[156:190], appendRecord(nil, "\x00", p.root, h))
}

// toJoliet makes the copy of a primary descriptor a Joliet one.
func toJoliet(b *[SectorSize]byte) {
	b[0] = typeSupplementary
	copy(b[88:], "%/E")
	for _, field := range [][2]int{{8, 32}, {40, 32}, {190, 128}, {318, 128}, {446, 128}, {574, 128}, {702, 37}, {739, 37}, {776, 37}} {
		f := b[field[0]:][:field[1]]
		text := bytes.TrimRight(bytes.Clone(f), " \x00")
		for i := 0; i+1 < len(f); i += 2 {
			f[i], f[i+1] = 0, ' '
			if i/2 < len(text) {
				f[i+1] = text[i/2]
			}
		}
		if len(f)%2 == 1 {
			f[len(f)-1] = ' '
		}
	}
}

// writeTable writes one of the path tables of a hierarchy.
func (p *Plan) writeTable(o *output, h int, big bool) {
	var record []byte
	for _, d := range p.dirs {
		parent := uint16(1)
		if d.parent != nil {
			parent = uint16(d.parent.number)
		}
		id := d.identifier(h)
		record = append(record[:0], byte(len(id)), 0)
		if big {
			record = be.AppendUint16(be.AppendUint32(record, d.extents[h].lba), parent)
		} else {
			record = le.AppendUint16(le.AppendUint32(record, d.extents[h].lba), parent)
		}
		record = append(record, id...)
		if len(id)%2 == 1 {
			record = append(record, 0)
		}
		o.write(record)
	}
	o.align()
}

// appendRecord appends a directory record of e under an identifier.
func appendRecord(b []byte, id string, e *entry, h int) []byte {
	start := len(b)
	b = append(b, make([]byte, recordLength(len(id)))...)
	r := b[start:]
	r[0] = byte(len(r))
	put32(r[2:], e.extents[h].lba)
	put32(r[10:], uint32(e.extents[h].size))
	copy(r[18:], e.date[:])
	if e.dir {
		r[25] = flagDirectory
	}
	put16(r[28:], 1)
	r[32] = byte(len(id))
	copy(r[recordSize:], id)
	return b
}

// directory writes the extent of a directory in a hierarchy.
func (o *output) directory(d *entry, h int) {
	parent := d.parent
	if parent == nil {
		parent = d
	}
	record := appendRecord(nil, "\x00", d, h)
	o.write(appendRecord(record, "\x01", parent, h))
	for _, c := range d.sorted(h) {
		record = appendRecord(record[:0], c.identifier(h), c, h)
		if o.written%SectorSize+int64(len(record)) > SectorSize {
			o.align()
		}
		o.write(record)
	}
	o.align()
}

// writeFile writes the sectors of a file. A kept one is copied with what stands behind its end in its last sector.
func (p *Plan) writeFile(o *output, f *entry) {
	if f.size == 0 || o.err != nil {
		return
	}
	if f.node != nil {
		n := sectorsOf(f.size) * SectorSize
		o.copy(io.NewSectionReader(p.volume.r, int64(f.node.LBA-p.volume.Base)*SectorSize, n), n, part(f.node))
		return
	}
	what := quote(f.path())
	content, err := f.source.Open()
	if err != nil {
		o.err = fmt.Errorf("%s: %w", what, err)
		return
	}
	defer content.Close()
	o.copy(content, f.size, what)
	if o.err == nil {
		var more [1]byte
		if n, _ := io.ReadFull(content, more[:]); n > 0 {
			o.err = fmt.Errorf("%s: it has become longer than its %d bytes while it was read", what, f.size)
		}
	}
	o.align()
}
