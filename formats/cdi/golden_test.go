package cdi_test

import (
	"bytes"
	"errors"
	"io"
	"testing"

	"talebinder/formats"
	"talebinder/formats/cdi"
	"talebinder/formats/disctest"
	"talebinder/formats/iso9660"
)

const root = "../.."

// swap reads an image and gives the new one, in the way of a program.
func swap(t testing.TB, image []byte, r iso9660.Replacement) ([]byte, *iso9660.Plan, error) {
	t.Helper()
	im, err := cdi.NewImage(bytes.NewReader(image), int64(len(image)))
	if err != nil {
		return nil, nil, err
	}
	if err := im.Writable(); err != nil {
		return nil, nil, err
	}
	data, err := im.Data()
	if err != nil {
		return nil, nil, err
	}
	v, err := iso9660.NewVolume(data, data.Size(), data.Base())
	if err != nil {
		return nil, nil, err
	}
	tree, err := v.ReadTree(t.Context())
	if err != nil {
		return nil, nil, err
	}
	plan, err := iso9660.NewPlan(t.Context(), v, tree, r)
	if err != nil {
		return nil, nil, err
	}
	var out bytes.Buffer
	if err := im.Rewrite(t.Context(), &out, cdi.Replacement{Sectors: plan.TrackSectors, RunOut: plan.RunOut, Write: plan.WriteVolume}); err != nil {
		t.Fatal(err)
	}
	return out.Bytes(), plan, nil
}

func checkRefusal(t testing.TB, err error) {
	t.Helper()
	var limit *formats.LimitError
	if !errors.Is(err, formats.ErrDamaged) && !errors.Is(err, formats.ErrUnsupported) && !errors.As(err, &limit) {
		t.Errorf("an error of another kind: %v", err)
	}
}

func TestGolden(t *testing.T) {
	exact, refused := 0, 0
	for _, c := range disctest.Cases(t, root, "cdi") {
		t.Run(c.ID, func(t *testing.T) {
			image := c.Image(t)
			if is, err := cdi.Detect(bytes.NewReader(image), int64(len(image))); !is || err != nil {
				t.Error("not recognised", err)
			}
			got, plan, err := swap(t, image, c.Replacement(t))
			if c.Refused() {
				refused++
				if err == nil {
					t.Fatal("not refused: ", c.What)
				}
				checkRefusal(t, err)
				t.Log(err)
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			exact++
			if sum := disctest.SHA256(got); sum != c.ExactSHA256 || int64(len(got)) != c.ResultSize {
				t.Errorf("%d bytes with the SHA-256 %s, want %d with %s", len(got), sum, c.ResultSize, c.ExactSHA256)
			}
			if plan.RunOut != c.Container.RunOut || plan.TrackSectors != c.Container.TrackLength || plan.SourceSectors != c.Container.SourceLength {
				t.Errorf("%d sectors, %d of them run-out, instead of %d; want %+v", plan.TrackSectors, plan.RunOut, plan.SourceSectors, c.Container)
			}
			checkKept(t, c, got)

			again, _, err := swap(t, got, c.Replacement(t))
			if err != nil || !bytes.Equal(again, got) {
				t.Errorf("the same once more gives %d other bytes, %v", len(again), err)
			}
		})
	}
	t.Logf("%d exact results, %d refusals", exact, refused)
}

// checkKept compares the files outside Content with the golden listing, and checks all codes.
func checkKept(t *testing.T, c *disctest.Case, image []byte) {
	t.Helper()
	im, err := cdi.NewImage(bytes.NewReader(image), int64(len(image)))
	if err != nil {
		t.Fatal(err)
	}
	if err := im.VerifyData(t.Context(), nil); err != nil {
		t.Error(err)
	}
	data, err := im.Data()
	if err != nil {
		t.Fatal(err)
	}
	v, err := iso9660.NewVolume(data, data.Size(), data.Base())
	if err != nil {
		t.Fatal(err)
	}
	if err := v.Verify(t.Context()); err != nil {
		t.Error(err)
	}
	tree, err := v.ReadTree(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for _, k := range c.Keep {
		n := tree.Find(k.Path)
		if n == nil || n.Dir != k.Dir || n.Path() != k.Path {
			t.Errorf("%s: %+v", k.Path, n)
			continue
		}
		if k.Dir {
			continue
		}
		r, err := v.Open(n)
		if err != nil {
			t.Error(err)
			continue
		}
		content, err := io.ReadAll(r)
		if err != nil || int64(len(content)) != k.Size || disctest.SHA256(content) != k.SHA256 {
			t.Errorf("%s: %d bytes, %v, want %d", k.Path, len(content), err, k.Size)
		}
	}
}
