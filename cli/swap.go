package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"talebinder/cli/internal/packer"
	"talebinder/export/discs"
	"talebinder/export/words"
)

const swapUsage = `Usage: talebinder swap-content IMAGE [TARGET] --content=DIR

Replaces the directory Content of a finished image, a Dreamcast .cdi, a PlayStation 2 .iso or a Nintendo 64
.z64, by the folder DIR, and keeps everything else as it is. The image is rewritten in place when no TARGET is
named; it is replaced only when the new one is complete and verified.

  --content=DIR  the folder that becomes Content, whatever it is called
  --backup       in place: keep the old image beside the new one, with .bak behind its name
  --dry-run      print what would be kept, added, removed and moved, and write nothing
  --json         print JSON lines, with --dry-run one JSON document`

func swapCommand(s Streams) *cobra.Command {
	return &cobra.Command{
		Use:                "swap-content IMAGE [TARGET] --content=DIR",
		Short:              "Replace the content of a finished disc or cartridge image",
		Long:               swapUsage,
		DisableFlagParsing: true,
		RunE: func(c *cobra.Command, words []string) error {
			err := runSwap(c.Context(), s, words)
			var argument *packer.ArgumentError
			switch {
			case errors.As(err, &argument):
				fmt.Fprintf(s.Err, "Error: %v\n", err)
				fmt.Fprintln(s.Out, swapUsage)
				return errReported
			case errors.Is(err, errUsage):
				fmt.Fprintln(s.Out, swapUsage)
				return errReported
			}
			return err
		},
	}
}

func runSwap(ctx context.Context, s Streams, arguments []string) error {
	args, err := packer.Read(arguments, packer.Option{Name: "--dry-run"}, packer.Option{Name: "--json"}, packer.Option{Name: "--backup"})
	switch {
	case err != nil:
		return err
	case args.Help:
		return errUsage
	case args.Source() == "":
		return &packer.ArgumentError{Argument: "IMAGE", Reason: "it is missing, name the image"}
	case args.Options.Content == "":
		return &packer.ArgumentError{Argument: "--content=", Reason: "it is missing, name the folder that becomes Content"}
	}
	job, err := discs.NewSwap(discs.SwapOptions{Image: args.Source(), Target: args.Target(), Content: args.Options.Content, Backup: args.Has("--backup")})
	if err != nil {
		return err
	}
	switch {
	case args.Has("--dry-run"):
		plan, err := job.Plan(ctx, drawProgress(s, "Planning"))
		if err != nil {
			if ctx.Err() == nil {
				fmt.Fprintf(s.Err, "Error: %v\n", err)
				return errReported
			}
			return err
		}
		if args.Has("--json") {
			return printJSON(s.Out, planDocument(plan))
		}
		return printPlan(s.Out, plan)
	case args.Has("--json"):
		return runJob(ctx, s, job, true)
	}
	return runPacker(ctx, s, job)
}

type discPart struct {
	Path   string `json:"path"`
	Size   int64  `json:"size"`
	SHA256 string `json:"sha256"`
}

type discChange struct {
	Path   string `json:"path"`
	Before *int64 `json:"before,omitempty"`
	After  *int64 `json:"after,omitempty"`
}

type discMove struct {
	Path string `json:"path"`
	From int64  `json:"from"`
	To   int64  `json:"to"`
}

type discPlan struct {
	Image         string       `json:"image"`
	Target        string       `json:"target"`
	InPlace       bool         `json:"inPlace"`
	Kept          []discPart   `json:"kept"`
	Added         []discChange `json:"added"`
	Removed       []discChange `json:"removed"`
	Changed       []discChange `json:"changed"`
	Unchanged     []discChange `json:"unchanged"`
	LeftOut       []string     `json:"leftOut"`
	Moved         []discMove   `json:"moved"`
	SizeBefore    int64        `json:"sizeBefore"`
	Size          int64        `json:"size"`
	ContentBefore int64        `json:"contentBefore"`
	ContentSize   int64        `json:"contentSize"`
	Medium        string       `json:"medium"`
	Free          int64        `json:"free"`
	Warnings      []string     `json:"warnings"`
}

// known is a size, or nothing where a file is not there.
func known(size int64) *int64 {
	if size < 0 {
		return nil
	}
	return &size
}

func planDocument(p *discs.Plan) discPlan {
	d := discPlan{
		Image: p.Image.Path, Target: p.Target, InPlace: p.InPlace,
		Kept: []discPart{}, Added: []discChange{}, Removed: []discChange{}, Changed: []discChange{}, Unchanged: []discChange{}, Moved: []discMove{},
		LeftOut: append([]string{}, p.LeftOut...), Warnings: append([]string{}, p.Warnings...),
		SizeBefore: p.SizeBefore, Size: p.Size, ContentBefore: p.ContentBefore, ContentSize: p.ContentSize, Medium: p.Medium.Name, Free: p.Free,
	}
	for _, k := range p.Kept {
		d.Kept = append(d.Kept, discPart{k.Path, k.Size, k.SHA256})
	}
	lists := map[discs.ChangeKind]*[]discChange{discs.Added: &d.Added, discs.Removed: &d.Removed, discs.Changed: &d.Changed, discs.Unchanged: &d.Unchanged}
	for _, c := range p.Changes {
		if !c.Dir {
			*lists[c.Kind] = append(*lists[c.Kind], discChange{c.Path, known(c.Before), known(c.After)})
		}
	}
	for _, m := range p.Moved {
		d.Moved = append(d.Moved, discMove{m.Path, m.From, m.To})
	}
	return d
}

func printPlan(w io.Writer, p *discs.Plan) error {
	fmt.Fprintf(w, "%s: %s\n", p.Image.Path, p.Image.Kind)
	if p.Image.Title != "" {
		fmt.Fprintf(w, "Title: %s\n", p.Image.Title)
	}
	for _, warning := range p.Warnings {
		fmt.Fprintf(w, "Warning: %s\n", warning)
	}
	fmt.Fprintln(w, "\nKept:")
	for _, k := range p.Kept {
		fmt.Fprintf(w, "  %s  %s  %s\n", k.SHA256, k.Path, words.Size(k.Size))
	}
	fmt.Fprintf(w, "\nContent: %d added, %d removed, %d changed, %d unchanged; %s, now %s\n",
		p.Count(discs.Added), p.Count(discs.Removed), p.Count(discs.Changed), p.Count(discs.Unchanged), words.Size(p.ContentBefore), words.Size(p.ContentSize))
	for _, c := range p.Changes {
		if c.Dir || c.Kind == discs.Unchanged {
			continue
		}
		mark := map[discs.ChangeKind]string{discs.Added: "+", discs.Removed: "-", discs.Changed: "~"}[c.Kind]
		fmt.Fprintf(w, "  %s %s\n", mark, c.Path)
	}
	for _, path := range p.LeftOut {
		fmt.Fprintf(w, "  left out: %s\n", path)
	}
	if len(p.Moved) > 0 {
		fmt.Fprintln(w, "\nMoved, with the same bytes:")
		t := tabwriter.NewWriter(w, 0, 8, 2, ' ', 0)
		for _, m := range p.Moved {
			fmt.Fprintf(t, "  %s\tfrom sector %d\tto %d\n", m.Path, m.From, m.To)
		}
		if err := t.Flush(); err != nil {
			return err
		}
	}
	left := words.Size(p.Free) + " are left of"
	if p.Free < 0 {
		left = words.Size(-p.Free) + " too much for"
	}
	where := "to " + p.Target
	if p.InPlace {
		where = "in place"
	}
	_, err := fmt.Fprintf(w, "\nImage: %s, now %s; %s a %s\nWould be written %s\n", words.Size(p.SizeBefore), words.Size(p.Size), left, p.Medium.Name, where)
	return err
}

// drawProgress shows on a terminal how far a command has got.
func drawProgress(s Streams, what string) discs.Progress {
	if !s.Terminal {
		return nil
	}
	r := &textReporter{streams: s, count: 1}
	return func(done, total int64, _ string) {
		if done >= total {
			r.Step(0, 0, "")
			return
		}
		r.Progress(float64(done)/float64(total), what)
	}
}
