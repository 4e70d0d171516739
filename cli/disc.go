package cli

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"talebinder/export/discs"
	"talebinder/export/words"
)

func discCommand(s Streams) *cobra.Command {
	c := &cobra.Command{
		Use:   "disc",
		Short: "Look into disc and cartridge images (.iso, .cdi, .z64)",
		Args:  cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			return usagef("which one: info, list, extract, compare or convert?")
		},
	}
	c.AddCommand(discInfoCommand(s), discListCommand(s), discExtractCommand(s), discCompareCommand(s), discConvertCommand(s))
	return c
}

type discTrack struct {
	Session    int    `json:"session"`
	Number     int    `json:"number"`
	Mode       string `json:"mode"`
	SectorSize int    `json:"sectorSize"`
	Pregap     uint32 `json:"pregap"`
	Length     uint32 `json:"length"`
	LBA        uint32 `json:"lba"`
}

type discVolume struct {
	ID          string `json:"id"`
	System      string `json:"system"`
	Publisher   string `json:"publisher"`
	Preparer    string `json:"preparer"`
	Application string `json:"application"`
	Created     string `json:"created,omitempty"`
	Sectors     uint32 `json:"sectors"`
	Joliet      bool   `json:"joliet"`
	RockRidge   bool   `json:"rockRidge"`
	ElTorito    bool   `json:"elTorito"`
}

type discBootstrap struct {
	Title     string `json:"title"`
	Maker     string `json:"maker"`
	Product   string `json:"product"`
	Version   string `json:"version"`
	Date      string `json:"date"`
	Areas     string `json:"areas"`
	BootFile  string `json:"bootFile"`
	Publisher string `json:"publisher"`
}

type discSystem struct {
	Executable string `json:"executable"`
	Version    string `json:"version"`
	VideoMode  string `json:"videoMode"`
}

type discROMPart struct {
	Name   string `json:"name"`
	Offset int64  `json:"offset"`
	Size   int64  `json:"size"`
}

type discROM struct {
	Order    string        `json:"order"`
	Region   string        `json:"region"`
	SaveType string        `json:"saveType"`
	CRC1     string        `json:"crc1"`
	CRC2     string        `json:"crc2"`
	Cookie   string        `json:"cookie"`
	Parts    []discROMPart `json:"parts"`
	Files    int           `json:"files"`
	Bytes    int64         `json:"bytes"`
}

type discCard struct {
	Path       string         `json:"path"`
	Size       int64          `json:"size"`
	Container  string         `json:"container"`
	Kind       string         `json:"kind"`
	Console    string         `json:"console"`
	Title      string         `json:"title"`
	Product    string         `json:"product"`
	SectorSize int            `json:"sectorSize,omitempty"`
	Tracks     []discTrack    `json:"tracks"`
	Bootstrap  *discBootstrap `json:"bootstrap,omitempty"`
	System     *discSystem    `json:"system,omitempty"`
	Volume     *discVolume    `json:"volume,omitempty"`
	ROM        *discROM       `json:"rom,omitempty"`
	Swappable  bool           `json:"swappable"`
	Refusal    string         `json:"refusal,omitempty"`
	Warnings   []string       `json:"warnings"`
}

func cardOf(id *discs.Identity) discCard {
	card := discCard{
		Path: id.Path, Size: id.Size, Container: id.Container.String(), Kind: id.Kind, Console: id.Console, Title: id.Title, Product: id.Product,
		SectorSize: id.SectorSize, Tracks: []discTrack{}, Swappable: id.Refusal == nil, Warnings: append([]string{}, id.Warnings...),
	}
	if id.Refusal != nil {
		card.Refusal = id.Refusal.Error()
	}
	for _, t := range id.Tracks {
		card.Tracks = append(card.Tracks, discTrack(t))
	}
	if b := id.Bootstrap; b != nil {
		card.Bootstrap = &discBootstrap{b.Title, b.Maker, b.Product, b.Version, b.Date, b.Areas, b.BootFile, b.Publisher}
	}
	if f := id.System; f != nil {
		card.System = &discSystem{f.Executable, f.Version, f.VideoMode}
	}
	if v := id.Volume; v != nil {
		card.Volume = &discVolume{v.ID, v.System, v.Publisher, v.Preparer, v.Application, "", v.Sectors, v.Joliet, v.RockRidge, v.ElTorito}
		if !v.Created.IsZero() {
			card.Volume.Created = v.Created.Format(time.RFC3339)
		}
	}
	if r := id.ROM; r != nil {
		card.ROM = &discROM{
			r.Order, r.Region, r.SaveType, fmt.Sprintf("%08x", r.CRC1), fmt.Sprintf("%08x", r.CRC2), fmt.Sprintf("%08x", r.Cookie), []discROMPart{}, r.Files, r.FileBytes,
		}
		for _, p := range r.Parts {
			card.ROM.Parts = append(card.ROM.Parts, discROMPart(p))
		}
	}
	return card
}

func discInfoCommand(s Streams) *cobra.Command {
	var asJSON bool
	c := &cobra.Command{
		Use:   "info IMAGE",
		Short: "Say what an image is: container, console, title, tracks, and whether its content can be swapped",
		Args:  exactly("IMAGE"),
		RunE: func(c *cobra.Command, args []string) error {
			id, err := discs.Identify(c.Context(), args[0])
			if err != nil {
				return err
			}
			if asJSON {
				return printJSON(s.Out, cardOf(id))
			}
			t := tabwriter.NewWriter(s.Out, 0, 8, 2, ' ', 0)
			for _, fact := range id.Facts() {
				fmt.Fprintf(t, "%s\t%s\n", fact.Name, fact.Value)
			}
			for _, warning := range id.Warnings {
				fmt.Fprintf(t, "Warning\t%s\n", warning)
			}
			return t.Flush()
		},
	}
	c.Flags().BoolVar(&asJSON, "json", false, "print one JSON document")
	return c
}

type discFile struct {
	Path   string `json:"path"`
	Size   int64  `json:"size"`
	Place  int64  `json:"place"`
	SHA256 string `json:"sha256,omitempty"`
}

func discListCommand(s Streams) *cobra.Command {
	var asJSON, hashes bool
	c := &cobra.Command{
		Use:   "list IMAGE",
		Short: "List the files of an image",
		Args:  exactly("IMAGE"),
		RunE: func(c *cobra.Command, args []string) error {
			im, err := discs.Open(c.Context(), args[0])
			if err != nil {
				return err
			}
			defer im.Close()
			all, err := im.Files(c.Context())
			if err != nil {
				return err
			}
			list := []discFile{}
			for _, f := range all {
				if f.Dir {
					continue
				}
				row := discFile{Path: f.Path, Size: f.Size, Place: f.Place}
				if hashes {
					if err := c.Context().Err(); err != nil {
						return err
					}
					r, err := im.Reader(f)
					if err != nil {
						return err
					}
					h := sha256.New()
					if _, err := io.Copy(h, r); err != nil {
						return fmt.Errorf("%s: %w", f.Path, err)
					}
					row.SHA256 = hex.EncodeToString(h.Sum(nil))
				}
				list = append(list, row)
			}
			if asJSON {
				return printJSON(s.Out, struct {
					Files []discFile `json:"files"`
				}{list})
			}
			return printDiscFiles(s.Out, list, hashes)
		},
	}
	c.Flags().BoolVar(&asJSON, "json", false, "print one JSON document")
	c.Flags().BoolVar(&hashes, "hash", false, "read every file and give its SHA-256")
	return c
}

func printDiscFiles(w io.Writer, list []discFile, hashes bool) error {
	t := tabwriter.NewWriter(w, 0, 8, 2, ' ', tabwriter.AlignRight)
	head := "SIZE\tPLACE\t"
	if hashes {
		head += "SHA-256\t"
	}
	fmt.Fprintln(t, head+"  PATH")
	total := int64(0)
	for _, f := range list {
		total += f.Size
		fmt.Fprintf(t, "%d\t%d\t", f.Size, f.Place)
		if hashes {
			fmt.Fprintf(t, "%s\t", f.SHA256)
		}
		fmt.Fprintf(t, "  %s\n", f.Path)
	}
	if err := t.Flush(); err != nil {
		return err
	}
	_, err := fmt.Fprintf(w, "\n%s, %s\n", files(len(list)), words.Size(total))
	return err
}

func discExtractCommand(s Streams) *cobra.Command {
	var asJSON bool
	c := &cobra.Command{
		Use:   "extract IMAGE FOLDER [PATH...]",
		Short: "Write an image's files below FOLDER: all of them, or the files and folders that are named",
		Args:  atLeast("IMAGE", "FOLDER"),
		RunE: func(c *cobra.Command, args []string) error {
			im, err := discs.Open(c.Context(), args[0])
			if err != nil {
				return err
			}
			defer im.Close()
			totals, err := discs.Extract(c.Context(), im, args[1], args[2:], drawProgress(s, "Extracting"))
			if err != nil {
				return err
			}
			if asJSON {
				return printJSON(s.Out, struct {
					Files int   `json:"files"`
					Bytes int64 `json:"bytes"`
				}{totals.Files, totals.Bytes})
			}
			_, err = fmt.Fprintf(s.Out, "Extracted %s, %s, to %s\n", files(totals.Files), words.Size(totals.Bytes), args[1])
			return err
		},
	}
	c.Flags().BoolVar(&asJSON, "json", false, "print one JSON document")
	return c
}

func discCompareCommand(s Streams) *cobra.Command {
	var asJSON bool
	c := &cobra.Command{
		Use:   "compare IMAGE IMAGE",
		Short: "List what differs between two images, file by file and part by part",
		Args:  exactly("IMAGE", "IMAGE"),
		RunE: func(c *cobra.Command, args []string) error {
			var images [2]*discs.Image
			for i := range images {
				var err error
				if images[i], err = discs.Open(c.Context(), args[i]); err != nil {
					return err
				}
				defer images[i].Close()
			}
			comparison, err := discs.Compare(c.Context(), images[0], images[1], drawProgress(s, "Comparing"))
			if err != nil {
				return err
			}
			if asJSON {
				err = printJSON(s.Out, struct {
					Added     []discChange `json:"added"`
					Removed   []discChange `json:"removed"`
					Changed   []discChange `json:"changed"`
					Same      int          `json:"same"`
					SameBytes int64        `json:"sameBytes"`
				}{differences(comparison.Added), differences(comparison.Removed), differences(comparison.Changed), comparison.Same, comparison.SameBytes})
			} else {
				for _, list := range []struct {
					mark        string
					differences []discs.Difference
				}{{"+", comparison.Added}, {"-", comparison.Removed}, {"~", comparison.Changed}} {
					for _, d := range list.differences {
						fmt.Fprintf(s.Out, "%s %s\n", list.mark, d.Path)
					}
				}
				_, err = fmt.Fprintf(s.Out, "%d added, %d removed, %d changed, %d the same (%s)\n",
					len(comparison.Added), len(comparison.Removed), len(comparison.Changed), comparison.Same, words.Size(comparison.SameBytes))
			}
			if err == nil && !comparison.Equal() {
				err = errReported
			}
			return err
		},
	}
	c.Flags().BoolVar(&asJSON, "json", false, "print one JSON document")
	return c
}

func differences(list []discs.Difference) []discChange {
	changes := make([]discChange, 0, len(list))
	for _, d := range list {
		changes = append(changes, discChange{d.Path, known(d.Before), known(d.After)})
	}
	return changes
}

func discConvertCommand(s Streams) *cobra.Command {
	var asJSON bool
	c := &cobra.Command{
		Use:   "convert ROM [TARGET]",
		Short: "Convert a byte-swapped cartridge image (.v64, .n64) to .z64",
		Args:  atLeast("ROM"),
		RunE: func(c *cobra.Command, args []string) error {
			if len(args) > 2 {
				return usagef("%q is one argument too many", args[2])
			}
			target := ""
			if len(args) == 2 {
				target = args[1]
			}
			job, err := discs.NewConvert(args[0], target)
			if err != nil {
				return err
			}
			if asJSON {
				return runJob(c.Context(), s, job, true)
			}
			return runPacker(c.Context(), s, job)
		},
	}
	c.Flags().BoolVar(&asJSON, "json", false, "print JSON lines: step, progress, log, and the report last")
	return c
}
