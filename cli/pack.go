package cli

import (
	"errors"
	"fmt"
	"io"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"talebinder/export"
	"talebinder/export/words"
	"talebinder/formats/tspack"
)

func packCommand(s Streams) *cobra.Command {
	c := &cobra.Command{
		Use:   "pack",
		Short: "List, extract, verify, create and compare content packs (.tspack)",
		Args:  cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			return usagef("which one: list, extract, verify, create or compare?")
		},
	}
	c.AddCommand(packListCommand(s), packExtractCommand(s), packVerifyCommand(s), packCreateCommand(s), packCompareCommand(s))
	return c
}

type packEntry struct {
	Path         string `json:"path"`
	Offset       int64  `json:"offset"`
	StoredLength int64  `json:"storedLength"`
	Length       int64  `json:"length"`
	Compression  uint8  `json:"compression"`
}

func packEntries(pack *export.PackFile) []packEntry {
	entries := make([]packEntry, 0, len(pack.Entries()))
	for _, e := range pack.Entries() {
		entries = append(entries, packEntry{e.Path, e.Offset, e.StoredLength, e.Length, uint8(e.Compression)})
	}
	return entries
}

func packListCommand(s Streams) *cobra.Command {
	var asJSON bool
	c := &cobra.Command{
		Use:   "list PACK",
		Short: "List what a pack holds, in the order of its table",
		Args:  exactly("PACK"),
		RunE: func(c *cobra.Command, args []string) error {
			pack, err := export.OpenPack(args[0])
			if err != nil {
				return err
			}
			defer pack.Close()
			if asJSON {
				return printJSON(s.Out, struct {
					Entries []packEntry `json:"entries"`
				}{packEntries(pack)})
			}
			return printPack(s.Out, pack)
		},
	}
	c.Flags().BoolVar(&asJSON, "json", false, "print one JSON document")
	return c
}

func printPack(w io.Writer, pack *export.PackFile) error {
	t := tabwriter.NewWriter(w, 0, 8, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(t, "LENGTH\tSTORED\tRATIO\t  PATH")
	var length, stored int64
	for _, e := range pack.Entries() {
		whole, ratio := e.Length, "-"
		if e.Compression == tspack.Stored {
			whole = e.StoredLength
		} else if whole > 0 {
			ratio = fmt.Sprintf("%.0f %%", 100*float64(e.StoredLength)/float64(whole))
		}
		length += whole
		stored += e.StoredLength
		fmt.Fprintf(t, "%d\t%d\t%s\t  %s\n", whole, e.StoredLength, ratio, e.Path)
	}
	if err := t.Flush(); err != nil {
		return err
	}
	_, err := fmt.Fprintf(w, "\n%s, %s stored, %s once decompressed\n", files(len(pack.Entries())), words.Size(stored), words.Size(length))
	return err
}

func files(n int) string { return count(n, "file") }

func packExtractCommand(s Streams) *cobra.Command {
	var asJSON bool
	c := &cobra.Command{
		Use:   "extract PACK FOLDER [PATH...]",
		Short: "Write a pack's files below FOLDER: all of them, or the files and folders that are named",
		Args:  atLeast("PACK", "FOLDER"),
		RunE: func(c *cobra.Command, args []string) error {
			pack, err := export.OpenPack(args[0])
			if err != nil {
				return err
			}
			defer pack.Close()
			totals, err := export.ExtractPack(c.Context(), pack, args[1], args[2:], nil)
			if err != nil {
				return err
			}
			return printTotals(s.Out, totals, asJSON, "Extracted %s, %s, to %s\n", args[1])
		},
	}
	c.Flags().BoolVar(&asJSON, "json", false, "print one JSON document")
	return c
}

func printTotals(w io.Writer, totals export.PackTotals, asJSON bool, sentence, target string) error {
	if asJSON {
		return printJSON(w, struct {
			Files int   `json:"files"`
			Bytes int64 `json:"bytes"`
		}{totals.Files, totals.Bytes})
	}
	_, err := fmt.Fprintf(w, sentence, files(totals.Files), words.Size(totals.Bytes), target)
	return err
}

func packVerifyCommand(s Streams) *cobra.Command {
	var asJSON bool
	c := &cobra.Command{
		Use:   "verify PACK",
		Short: "Open and decompress every entry of a pack",
		Args:  exactly("PACK"),
		RunE: func(c *cobra.Command, args []string) error {
			document := struct {
				Entries  []packEntry `json:"entries"`
				Problems []string    `json:"problems"`
			}{[]packEntry{}, []string{}}
			pack, err := export.OpenPack(args[0])
			if err != nil {
				document.Problems = append(document.Problems, err.Error())
			} else {
				defer pack.Close()
				document.Entries = packEntries(pack)
				for _, err := range pack.Verify(c.Context(), nil) {
					document.Problems = append(document.Problems, err.Error())
				}
			}
			if err := c.Context().Err(); err != nil {
				return err
			}
			if asJSON {
				if err := printJSON(s.Out, document); err != nil {
					return err
				}
			} else {
				for _, problem := range document.Problems {
					fmt.Fprintf(s.Err, "error: %s\n", problem)
				}
				if len(document.Problems) == 0 {
					fmt.Fprintf(s.Out, "%s: %s, all well\n", args[0], files(len(document.Entries)))
				}
			}
			if len(document.Problems) > 0 {
				return errReported
			}
			return nil
		},
	}
	c.Flags().BoolVar(&asJSON, "json", false, "print one JSON document")
	return c
}

func packCreateCommand(s Streams) *cobra.Command {
	var asJSON, store bool
	c := &cobra.Command{
		Use:   "create FOLDER PACK",
		Short: "Pack every file below FOLDER",
		Args:  exactly("FOLDER", "PACK"),
		RunE: func(c *cobra.Command, args []string) error {
			totals, err := export.CreatePack(c.Context(), args[0], args[1], !store, nil)
			var duplicate *tspack.DuplicateError
			if errors.As(err, &duplicate) {
				err = fmt.Errorf("%w; packs are looked up ignoring case, so rename one of the two", err)
			}
			if err != nil {
				return err
			}
			return printTotals(s.Out, totals, asJSON, "Packed %s, %s, into %s\n", args[1])
		},
	}
	c.Flags().BoolVar(&asJSON, "json", false, "print one JSON document")
	c.Flags().BoolVar(&store, "no-compress", false, "store every file as it is")
	return c
}

type packChange struct {
	Path         string `json:"path"`
	Before       *int64 `json:"before,omitempty"`
	After        *int64 `json:"after,omitempty"`
	StoredBefore *int64 `json:"storedBefore,omitempty"`
	StoredAfter  *int64 `json:"storedAfter,omitempty"`
}

func packChanges(list []export.PackChange) []packChange {
	changes := make([]packChange, 0, len(list))
	for i := range list {
		p := &list[i]
		c := packChange{Path: p.Path}
		if p.Before >= 0 {
			c.Before, c.StoredBefore = &p.Before, &p.StoredBefore
		}
		if p.After >= 0 {
			c.After, c.StoredAfter = &p.After, &p.StoredAfter
		}
		changes = append(changes, c)
	}
	return changes
}

func packCompareCommand(s Streams) *cobra.Command {
	var asJSON bool
	c := &cobra.Command{
		Use:   "compare A B",
		Short: "Say which files of pack A are gone, new or different in pack B; builds are compared by their packs",
		Args:  exactly("A", "B"),
		RunE: func(c *cobra.Command, args []string) error {
			var packs [2]*export.PackFile
			for i, arg := range args {
				path, err := export.FindPack(arg)
				if err == nil {
					packs[i], err = export.OpenPack(path)
				}
				if err != nil {
					return err
				}
				defer packs[i].Close()
			}
			found, err := export.ComparePacks(c.Context(), packs[0], packs[1], nil)
			if err != nil {
				return err
			}
			if asJSON {
				err = printJSON(s.Out, struct {
					Added   []packChange `json:"added"`
					Removed []packChange `json:"removed"`
					Changed []packChange `json:"changed"`
					Same    int          `json:"same"`
				}{packChanges(found.Added), packChanges(found.Removed), packChanges(found.Changed), found.Same})
			} else {
				err = printPackComparison(s.Out, found)
			}
			if err == nil && !found.Equal() {
				err = errReported
			}
			return err
		},
	}
	c.Flags().BoolVar(&asJSON, "json", false, "print one JSON document")
	return c
}

func printPackComparison(w io.Writer, c *export.PackComparison) error {
	for _, p := range c.Added {
		fmt.Fprintf(w, "added    %s (%s)\n", p.Path, words.Size(p.After))
	}
	for _, p := range c.Removed {
		fmt.Fprintf(w, "removed  %s (%s)\n", p.Path, words.Size(p.Before))
	}
	for _, p := range c.Changed {
		fmt.Fprintf(w, "changed  %s (%s, was %s)\n", p.Path, words.Size(p.After), words.Size(p.Before))
	}
	_, err := fmt.Fprintf(w, "%d added, %d removed, %d changed, %d the same\n", len(c.Added), len(c.Removed), len(c.Changed), c.Same)
	return err
}
