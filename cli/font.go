package cli

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"talebinder/export"
	"talebinder/export/fonts"
	"talebinder/export/fonts/coverage"
	"talebinder/formats/jazz2/charlist"
	"talebinder/project/atomicfile"
)

func fontCommand(s Streams) *cobra.Command {
	c := &cobra.Command{
		Use:   "font",
		Short: "See which characters a font lacks, and make room for them",
		Args:  cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			return usagef("which one: coverage or add-cells?")
		},
	}
	c.AddCommand(fontCoverageCommand(s), fontAddCellsCommand(s))
	return c
}

// readCoverageFont reads what a font draws: a packed font, or a grid image, which is packed in memory.
func readCoverageFont(ctx context.Context, path string) (coverage.Font, error) {
	if strings.EqualFold(filepath.Ext(path), ".png") {
		sheet, err := export.ReadPicture(path)
		if err != nil {
			return nil, err
		}
		list, _, _, err := export.ReadFontList(path)
		if err != nil {
			return nil, err
		}
		packed, err := fonts.Pack(ctx, sheet, list)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", path, err)
		}
		return coverage.Of(packed.Font), nil
	}
	f, err := export.ReadFont(path)
	if err != nil {
		return nil, err
	}
	return coverage.Of(f), nil
}

func readTexts(ctx context.Context, paths []string) ([]coverage.String, error) {
	var texts []coverage.String
	for _, path := range paths {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		more, err := coverage.Read(path)
		if err != nil {
			return nil, err
		}
		texts = append(texts, more...)
	}
	return texts, nil
}

type coverageString struct {
	File string `json:"file"`
	Line int    `json:"line"`
	Key  string `json:"key"`
	Text string `json:"text"`
}

type coverageMissing struct {
	Character string           `json:"character"`
	Codepoint string           `json:"codepoint"`
	Name      string           `json:"name"`
	State     string           `json:"state"`
	Count     int              `json:"count"`
	Strings   []coverageString `json:"strings"`
}

type coverageDocument struct {
	Font       string            `json:"font"`
	Strings    int               `json:"strings"`
	Affected   int               `json:"affected"`
	Characters int               `json:"characters"`
	Missing    []coverageMissing `json:"missing"`
}

func fontCoverageCommand(s Streams) *cobra.Command {
	var asJSON, all bool
	c := &cobra.Command{
		Use:   "coverage FONT TEXT...",
		Short: "List the characters of texts that a font cannot draw; exit code 1 when there are any",
		Long: "Lists the characters of texts that a font cannot draw, with the strings that need them. FONT is a packed font or a grid image. " +
			"A TEXT is a translation (.po, .pot), a localization table (.tloc), a .json, .csv or .tsv file, or a plain text.",
		Args: atLeast("FONT", "TEXT"),
		RunE: func(cmd *cobra.Command, args []string) error {
			ctx := cmd.Context()
			font, err := readCoverageFont(ctx, args[0])
			if err != nil {
				return err
			}
			texts, err := readTexts(ctx, args[1:])
			if err != nil {
				return err
			}
			report, err := coverage.Check(ctx, font, texts)
			if err != nil {
				return err
			}
			if asJSON {
				err = printJSON(s.Out, coverageJSON(args[0], report))
			} else {
				err = printCoverage(s, report, all)
			}
			if err == nil && len(report.Missing) > 0 {
				err = errReported
			}
			return err
		},
	}
	c.Flags().BoolVar(&asJSON, "json", false, "print one JSON document")
	c.Flags().BoolVar(&all, "all", false, "list every string, not only the first three of each character")
	return c
}

func coverageJSON(font string, r *coverage.Report) coverageDocument {
	d := coverageDocument{font, len(r.Strings), r.Affected, r.Distinct, []coverageMissing{}}
	for _, m := range r.Missing {
		entry := coverageMissing{string(m.Code), charlist.CodeName(uint32(m.Code)), m.Name(), m.State.String(), m.Count, nil}
		for _, i := range m.Strings {
			entry.Strings = append(entry.Strings, coverageString(r.Strings[i]))
		}
		d.Missing = append(d.Missing, entry)
	}
	return d
}

// shownStrings is how many strings of a character are listed.
const shownStrings = 3

func printCoverage(s Streams, r *coverage.Report, all bool) error {
	var b strings.Builder
	for _, m := range r.Missing {
		state := ""
		if m.State == coverage.Blank {
			state = ", has a cell that draws nothing"
		}
		fmt.Fprintf(&b, "%c  %s  %s: %s in %s%s\n", m.Code, charlist.CodeName(uint32(m.Code)), m.Name(), times(m.Count), count(len(m.Strings), "string"), state)
		for n, i := range m.Strings {
			if n == shownStrings && !all {
				fmt.Fprintf(&b, "    and %s more\n", count(len(m.Strings)-n, "string"))
				break
			}
			t := r.Strings[i]
			key := t.Key
			if key != "" {
				key += ": "
			}
			fmt.Fprintf(&b, "    %s:%d: %s%s\n", t.File, t.Line, oneLine(key), oneLine(t.Text))
		}
	}
	if len(r.Missing) == 0 {
		fmt.Fprintf(&b, "The font draws all %s of %s.\n", count(r.Distinct, "character"), count(len(r.Strings), "string"))
	} else {
		fmt.Fprintf(&b, "%s missing or blank of %d, in %d of %s\n", count(len(r.Missing), "character"), r.Distinct, r.Affected, count(len(r.Strings), "string"))
	}
	_, err := fmt.Fprint(s.Out, b.String())
	return err
}

func times(n int) string {
	if n == 1 {
		return "once"
	}
	return fmt.Sprintf("%d times", n)
}

// oneLine shows a text in a line of the terminal.
func oneLine(text string) string {
	const most = 100
	text = strings.Map(func(r rune) rune {
		if r < ' ' || r == 0x7f {
			return ' '
		}
		return r
	}, text)
	if runes := []rune(text); len(runes) > most {
		return string(runes[:most]) + "…"
	}
	return text
}

type cellEntry struct {
	Character string `json:"character"`
	Codepoint string `json:"codepoint"`
	Cell      int    `json:"cell"`
	X         int    `json:"x"`
	Y         int    `json:"y"`
	Advance   int    `json:"advance"`
}

type skippedEntry struct {
	Character string `json:"character"`
	Codepoint string `json:"codepoint"`
	Reason    string `json:"reason"`
}

type cellsDocument struct {
	Image   string         `json:"image"`
	List    string         `json:"list"`
	Width   int            `json:"width"`
	Height  int            `json:"height"`
	Added   []cellEntry    `json:"added"`
	Skipped []skippedEntry `json:"skipped"`
}

func fontAddCellsCommand(s Streams) *cobra.Command {
	var characters string
	var texts []string
	var dryRun, asJSON bool
	c := &cobra.Command{
		Use:   "add-cells IMAGE (--characters TEXT | --missing FILE...)",
		Short: "Add empty cells for characters to a grid image and its list",
		Args:  exactly("IMAGE"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if characters == "" && len(texts) == 0 {
				return usagef("which characters: --characters or --missing is needed")
			}
			return addCells(cmd.Context(), s, args[0], characters, texts, dryRun, asJSON)
		},
	}
	c.Flags().StringVar(&characters, "characters", "", "the characters to add, such as ąćę")
	c.Flags().StringArrayVar(&texts, "missing", nil, "add what the font lacks for the texts of a file; may be given more than once")
	c.Flags().BoolVar(&dryRun, "dry-run", false, "print what would be added, and write nothing")
	c.Flags().BoolVar(&asJSON, "json", false, "print one JSON document")
	return c
}

func addCells(ctx context.Context, s Streams, path, characters string, files []string, dryRun, asJSON bool) error {
	sheet, err := export.ReadPicture(path)
	if err != nil {
		return err
	}
	list, listPath, isJSON, err := export.ReadFontList(path)
	if err != nil {
		return err
	}
	wanted := []rune(characters)
	if len(files) > 0 {
		texts, err := readTexts(ctx, files)
		if err != nil {
			return err
		}
		report, err := coverage.Check(ctx, coverage.OfList(list), texts)
		if err != nil {
			return err
		}
		wanted = append(wanted, report.Absent()...)
	}
	cells := coverage.AddCells(list, slices.DeleteFunc(wanted, func(r rune) bool { return r == '\n' || r == '\r' }))
	grown, err := coverage.Grow(sheet, cells.List)
	if err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	text := cells.List.Binary()
	lossless := true
	if isJSON {
		old, err := os.ReadFile(listPath)
		if err != nil {
			return err
		}
		if text, lossless, err = cells.JSON(old); err != nil {
			return fmt.Errorf("%s: %w", listPath, err)
		}
	}
	// The image goes first: one that is larger than its list does no harm.
	var changes []atomicfile.Change
	if grown != sheet {
		data, err := coverage.PNG(grown)
		if err != nil {
			return err
		}
		changes = append(changes, atomicfile.Change{Path: path, Data: data})
	}
	if len(cells.Added) > 0 {
		changes = append(changes, atomicfile.Change{Path: listPath, Data: text})
		if !dryRun {
			if err := atomicfile.WriteAll(changes); err != nil {
				return err
			}
		}
	}
	if asJSON {
		d := cellsDocument{path, listPath, grown.Rect.Dx(), grown.Rect.Dy(), []cellEntry{}, []skippedEntry{}}
		for _, c := range cells.Added {
			d.Added = append(d.Added, cellEntry{string(c.Code), charlist.CodeName(uint32(c.Code)), c.Index, c.Rect.Min.X, c.Rect.Min.Y, int(c.Advance)})
		}
		for _, c := range cells.Skipped {
			d.Skipped = append(d.Skipped, skippedEntry{string(c.Code), charlist.CodeName(uint32(c.Code)), c.Reason})
		}
		return printJSON(s.Out, d)
	}
	var b strings.Builder
	for _, c := range cells.Added {
		fmt.Fprintf(&b, "%c  %s  cell %d at %d,%d, advance %d\n", c.Code, charlist.CodeName(uint32(c.Code)), c.Index, c.Rect.Min.X, c.Rect.Min.Y, c.Advance)
	}
	for _, c := range cells.Skipped {
		fmt.Fprintf(&b, "%s  not added: %s\n", charlist.CodeName(uint32(c.Code)), c.Reason)
	}
	verb := "added"
	if dryRun {
		verb = "would be added"
	}
	fmt.Fprintf(&b, "%s %s", count(len(cells.Added), "cell"), verb)
	if grown != sheet && len(cells.Added) > 0 {
		fmt.Fprintf(&b, ", the image is %dx%d pixels in place of %dx%d", grown.Rect.Dx(), grown.Rect.Dy(), sheet.Rect.Dx(), sheet.Rect.Dy())
	}
	if !lossless {
		fmt.Fprintf(&b, "; %s is laid out anew, since it is written in a way that can only be read", listPath)
	}
	b.WriteByte('\n')
	_, err = fmt.Fprint(s.Out, b.String())
	return err
}
