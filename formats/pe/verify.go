package pe

import (
	"bytes"
	"context"
	"fmt"
	"io"

	"golang.org/x/sync/errgroup"

	"talebinder/formats"
	"talebinder/formats/netbundle"
)

// Verify reads back what Brand has written: the headers, the checksum, the subsystem, the icon, the version information
// and every byte of a bundle, which it compares with the executable that was branded. r is the copy, size bytes long; b and
// result are what Brand was given and has given. The executable that was branded still has to be open.
func Verify(ctx context.Context, r io.ReaderAt, size int64, b Branding, result *Result) error {
	differs := func(what string, found, expected any) error {
		return formats.Damaged("branded executable: "+what, -1, fmt.Sprint(found), fmt.Sprint(expected))
	}
	if size != result.Size {
		return differs("length", size, result.Size)
	}
	f, err := NewFile(r, size)
	if err != nil {
		return fmt.Errorf("branded executable: %w", err)
	}
	if f.checksum != result.Checksum {
		return differs("checksum", f.checksum, result.Checksum)
	}
	if f.Signed() && result.SignatureRemoved {
		return differs("signature", "one", "none")
	}
	if b.Subsystem != 0 && f.subsystem != b.Subsystem {
		return differs("subsystem", f.subsystem, b.Subsystem)
	}
	if b.Version != nil {
		got, err := f.VersionInfo()
		if err != nil {
			return fmt.Errorf("branded executable: %w", err)
		}
		if got == nil || *got != *b.Version {
			return differs("version information", got, b.Version)
		}
	}
	if len(b.Icon) > 0 {
		got, err := f.Icons()
		if err != nil {
			return fmt.Errorf("branded executable: %w", err)
		}
		if len(got) != len(b.Icon) {
			return differs("number of the icon's images", len(got), len(b.Icon))
		}
		for i, want := range b.Icon {
			if got[i].Width != want.Size || !bytes.Equal(got[i].Data, want.PNG) {
				return differs(fmt.Sprintf("icon of %d pixels", want.Size), fmt.Sprintf("%d pixels and %d bytes", got[i].Width, len(got[i].Data)), fmt.Sprintf("%d bytes", len(want.PNG)))
			}
		}
	}
	// The bundle and the checksum are nearly all of the work, and have nothing to do with each other.
	group, ctx := errgroup.WithContext(ctx)
	group.Go(func() error {
		if result.Bundle == nil {
			return nil
		}
		after, found, err := netbundle.FindInHost(r, size, f.overlay)
		if err != nil {
			return fmt.Errorf("branded executable: %w", err)
		}
		if !found {
			return differs("bundle", "none", "one")
		}
		return netbundle.Compare(ctx, result.Bundle, after)
	})
	group.Go(func() error {
		// An executable that is copied as it is keeps the checksum that it has, right or not.
		if right, err := f.VerifyChecksum(ctx); err != nil {
			return err
		} else if !right && b.changes() {
			return differs("checksum", fmt.Sprintf("0x%08X", f.checksum), "the sum of the file")
		}
		return nil
	})
	return group.Wait()
}

// changes says whether a branding asks for anything.
func (b Branding) changes() bool { return len(b.Icon) > 0 || b.Version != nil || b.Subsystem != 0 }
