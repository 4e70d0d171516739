package tspack

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"

	"github.com/andybalholm/brotli"
)

// errEncoding says that what was compressed does not give the content back: a fault of the encoder, or of the
// computer's memory.
var errEncoding = errors.New("what was compressed does not give the file's content back. Pack it again; if that does not help, pack it without compression")

// checker decompresses what has just been compressed.
type checker struct {
	decoder *brotli.Reader
	buffer  []byte
}

// check decompresses a stream and compares it with the content that it was made from.
func (c *checker) check(stream, content []byte) error {
	if c.decoder == nil {
		c.decoder = brotli.NewReader(nil)
		c.buffer = make([]byte, 1<<16)
	}
	if err := c.decoder.Reset(bytes.NewReader(stream)); err != nil {
		return err
	}
	for {
		n, err := c.decoder.Read(c.buffer)
		if n > len(content) || !bytes.Equal(c.buffer[:n], content[:n]) {
			return errEncoding
		}
		content = content[n:]
		switch {
		case errors.Is(err, io.EOF) && len(content) == 0:
			return nil
		case err != nil:
			return fmt.Errorf("%w (%w)", errEncoding, err)
		}
	}
}

// streamCheck decompresses a stream while it is written, in a goroutine of its own.
type streamCheck struct {
	*io.PipeWriter
	result chan checked
}

// checked is what a stream contains.
type checked struct {
	content Sum
	length  int64
	err     error
}

func newStreamCheck() *streamCheck {
	in, out := io.Pipe()
	c := &streamCheck{out, make(chan checked, 1)}
	go func() {
		h := sha256.New()
		var found checked
		found.length, found.err = io.CopyBuffer(h, brotli.NewReader(in), make([]byte, 1<<18))
		h.Sum(found.content[:0])
		_ = in.CloseWithError(errEncoding) // for a writer whose stream goes on
		c.result <- found
	}()
	return c
}

// finish ends the stream and compares its content.
func (c *streamCheck) finish(content Sum, length int64) error {
	_ = c.Close()
	found := <-c.result
	switch {
	case found.err != nil:
		return fmt.Errorf("%w (%w)", errEncoding, found.err)
	case found.content != content || found.length != length:
		return errEncoding
	}
	return nil
}

// abandon ends the stream, which is not complete.
func (c *streamCheck) abandon() {
	_ = c.CloseWithError(errors.New("abandoned"))
	<-c.result
}
