package cli

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"talebinder/export"
	"talebinder/export/history"
	"talebinder/export/words"
	"talebinder/platforms"
	"talebinder/project"
)

func historyCommand(s Streams) *cobra.Command {
	var target string
	var asJSON bool
	c := &cobra.Command{
		Use:   "history PROJECT",
		Short: "List the exports of a project that were made on this computer, the newest first",
		Args:  exactly("PROJECT"),
		RunE: func(_ *cobra.Command, args []string) error {
			dir, id, err := historyOf(args[0], target)
			if err != nil {
				return err
			}
			list, damaged, err := history.Default().List(dir, id)
			if err != nil {
				return err
			}
			for _, problem := range damaged {
				fmt.Fprintf(s.Err, "warning: %v\n", problem)
			}
			budgets, err := history.DefaultBudgets().Get(dir)
			if err != nil {
				fmt.Fprintf(s.Err, "warning: %v\n", err)
			}
			if asJSON {
				return printJSON(s.Out, historyDocument(list, budgets))
			}
			return printHistory(s.Out, list, budgets)
		},
	}
	c.Flags().StringVar(&target, "target", "", "only the exports for a target: "+targetIDs())
	c.Flags().BoolVar(&asJSON, "json", false, "print one JSON document")
	c.AddCommand(compareCommand(s))
	return c
}

// historyOf finds the project folder and the target's id.
func historyOf(path, target string) (dir, id string, err error) {
	if target != "" {
		t, ok := platforms.TargetByID(target)
		if !ok {
			return "", "", usagef("unknown target %q, expected %s", target, targetIDs())
		}
		id = t.ID
	}
	dir, err = project.Find(path)
	return dir, id, err
}

type exportJSON struct {
	ID          string             `json:"id"`
	Target      string             `json:"target"`
	Profile     string             `json:"profile"`
	ContentOnly bool               `json:"contentOnly"`
	Success     bool               `json:"success"`
	Cancelled   bool               `json:"cancelled"`
	Failure     string             `json:"failure,omitempty"`
	StartedAt   time.Time          `json:"startedAt"`
	Duration    string             `json:"duration"`
	Output      string             `json:"output,omitempty"`
	TotalSize   int64              `json:"totalSize"`
	AssetCount  int                `json:"assetCount"`
	Warnings    int                `json:"warnings"`
	Errors      int                `json:"errors"`
	Categories  []history.Category `json:"categories"`
	Budget      int64              `json:"budget,omitempty"`
	OverBudget  bool               `json:"overBudget,omitempty"`
}

func exportOf(e history.Summary, budget int64) exportJSON {
	j := exportJSON{
		ID: e.ID, Target: e.Target, Profile: e.Profile, ContentOnly: e.ContentOnly, Success: e.Success, Cancelled: e.Cancelled, Failure: e.Failure,
		StartedAt: e.StartedAt, Duration: export.FormatDuration(e.Duration), Output: e.Output, TotalSize: e.TotalSize, AssetCount: e.AssetCount,
		Warnings: e.Warnings, Errors: e.Errors, Categories: e.Categories, Budget: budget,
		OverBudget: e.Success && history.EvaluateBudget(e.TotalSize, budget).Level == history.Over,
	}
	if j.Categories == nil {
		j.Categories = []history.Category{}
	}
	return j
}

type historyJSON struct {
	Exports []exportJSON `json:"exports"`
}

func historyDocument(list []history.Summary, budgets map[string]int64) historyJSON {
	document := historyJSON{Exports: []exportJSON{}}
	for _, e := range list {
		document.Exports = append(document.Exports, exportOf(e, budgets[e.Target]))
	}
	return document
}

func printHistory(w io.Writer, list []history.Summary, budgets map[string]int64) error {
	t := tabwriter.NewWriter(w, 0, 8, 2, ' ', 0)
	fmt.Fprintln(t, "ID\tSTARTED\tTARGET\tPROFILE\tRESULT\tSIZE\tTIME")
	for _, e := range list {
		bytes := "-"
		if e.Success {
			bytes = words.Size(e.TotalSize)
			if history.EvaluateBudget(e.TotalSize, budgets[e.Target]).Level == history.Over {
				bytes += " (over the budget of " + words.Size(budgets[e.Target]) + ")"
			}
		}
		profile := e.Profile
		if e.ContentOnly {
			profile += ", game folder only"
		}
		fmt.Fprintf(t, "%s\t%s\t%s\t%s\t%s\t%s\t%s\n", e.ID, e.StartedAt.Local().Format(time.DateTime), e.Target, profile, resultOf(e), bytes, e.Duration.Round(10*time.Millisecond))
	}
	if err := t.Flush(); err != nil {
		return err
	}
	_, err := fmt.Fprintf(w, "%s\n", count(len(list), "export"))
	return err
}

// resultOf says how an export ended.
func resultOf(e history.Summary) string {
	switch {
	case e.Cancelled:
		return "Cancelled"
	case !e.Success:
		return "Failed"
	case e.Warnings > 0:
		return "Finished with " + count(e.Warnings, "warning")
	}
	return "Finished"
}

func compareCommand(s Streams) *cobra.Command {
	var target string
	var asJSON bool
	c := &cobra.Command{
		Use:   "compare PROJECT [BEFORE AFTER]",
		Short: "Say how two exports differ: what was added, removed, grew and shrank",
		Long: "Compares two exports of the history, which are named by their ids. Without ids the last one that succeeded is compared with\n" +
			"the one before it for the same target and profile.",
		Args: func(_ *cobra.Command, args []string) error {
			switch len(args) {
			case 0:
				return usagef("PROJECT is missing")
			case 1, 3:
				return nil
			case 2:
				return usagef("AFTER is missing")
			}
			return usagef("%q is one argument too many", args[3])
		},
		RunE: func(_ *cobra.Command, args []string) error {
			dir, id, err := historyOf(args[0], target)
			if err != nil {
				return err
			}
			store := history.Default()
			var ids [2]string
			if len(args) == 3 {
				copy(ids[:], args[1:])
			} else {
				list, damaged, err := store.List(dir, id)
				if err != nil {
					return err
				}
				for _, problem := range damaged {
					fmt.Fprintf(s.Err, "warning: %v\n", problem)
				}
				before, after, err := history.LastTwo(list)
				if err != nil {
					return err
				}
				ids = [2]string{before.ID, after.ID}
			}
			var records [2]*history.Record
			for i, id := range ids {
				if records[i], err = store.Load(dir, id); err != nil {
					return err
				}
			}
			comparison := history.Compare(records[0], records[1])
			if asJSON {
				return printJSON(s.Out, comparisonDocument(comparison))
			}
			return printComparison(s.Out, comparison)
		},
	}
	c.Flags().StringVar(&target, "target", "", "the last two for a target: "+targetIDs())
	c.Flags().BoolVar(&asJSON, "json", false, "print one JSON document")
	return c
}

type changeJSON struct {
	Path           string `json:"path"`
	Place          string `json:"place"`
	Kind           string `json:"kind"`
	Reason         string `json:"reason,omitempty"`
	Before         int64  `json:"before"`
	After          int64  `json:"after"`
	OriginalBefore int64  `json:"originalBefore"`
	OriginalAfter  int64  `json:"originalAfter"`
}

type categoryChangeJSON struct {
	Name        string `json:"name"`
	Before      int64  `json:"before"`
	After       int64  `json:"after"`
	FilesBefore int    `json:"filesBefore"`
	FilesAfter  int    `json:"filesAfter"`
}

type comparisonJSON struct {
	Before     exportJSON           `json:"before"`
	After      exportJSON           `json:"after"`
	Delta      int64                `json:"delta"`
	Categories []categoryChangeJSON `json:"categories"`
	Added      []changeJSON         `json:"added"`
	Removed    []changeJSON         `json:"removed"`
	Grown      []changeJSON         `json:"grown"`
	Shrunk     []changeJSON         `json:"shrunk"`
	Unchanged  int                  `json:"unchanged"`
}

// places says where a file of a build is, for programs.
var places = map[string]string{history.InPack: "pack", history.InGame: "game", history.WithPlayer: "player"}

func comparisonDocument(c *history.Comparison) comparisonJSON {
	changes := func(list []history.Change) []changeJSON {
		out := make([]changeJSON, 0, len(list))
		for _, e := range list {
			out = append(out, changeJSON{e.Path, places[e.Place], e.Kind, e.Reason, e.Before, e.After, e.BeforeSize, e.AfterSize})
		}
		return out
	}
	document := comparisonJSON{
		Before: exportOf(c.Before, 0), After: exportOf(c.After, 0), Delta: c.Delta(), Categories: []categoryChangeJSON{},
		Added: changes(c.Added), Removed: changes(c.Removed), Grown: changes(c.Grown), Shrunk: changes(c.Shrunk), Unchanged: c.Unchanged,
	}
	for _, e := range c.Categories {
		document.Categories = append(document.Categories, categoryChangeJSON{e.Name, e.Before.Size, e.After.Size, e.Before.Files, e.After.Files})
	}
	return document
}

// signed gives a difference in size with its sign.
func signed(bytes int64) string {
	switch {
	case bytes > 0:
		return "+" + words.Size(bytes)
	case bytes < 0:
		return "-" + words.Size(-bytes)
	}
	return "="
}

func printComparison(w io.Writer, c *history.Comparison) error {
	for _, e := range []history.Summary{c.Before, c.After} {
		fmt.Fprintf(w, "%s  %s, %s, %s: %s\n", e.ID, e.StartedAt.Local().Format(time.DateTime), e.Target, e.Profile, words.Size(e.TotalSize))
	}
	fmt.Fprintf(w, "%s in all: %d added, %d removed, %d grown, %d shrunk, %d unchanged\n\n",
		signed(c.Delta()), len(c.Added), len(c.Removed), len(c.Grown), len(c.Shrunk), c.Unchanged)
	t := tabwriter.NewWriter(w, 0, 8, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(t, "BEFORE\tAFTER\tCHANGE\t  CATEGORY")
	for _, e := range c.Categories {
		fmt.Fprintf(t, "%s\t%s\t%s\t  %s\n", words.Size(e.Before.Size), words.Size(e.After.Size), signed(e.Delta()), e.Name)
	}
	for _, part := range []struct {
		title string
		list  []history.Change
	}{{"ADDED", c.Added}, {"REMOVED", c.Removed}, {"GROWN", c.Grown}, {"SHRUNK", c.Shrunk}} {
		if len(part.list) == 0 {
			continue
		}
		fmt.Fprintf(t, "\t\t\t\n\t\t\t  %s\n", part.title)
		for _, e := range part.list {
			file := e.Path
			if e.Place != history.InPack {
				file += " (" + places[e.Place] + ")"
			}
			fmt.Fprintf(t, "%s\t%s\t%s\t  %s\n", words.Size(e.Before), words.Size(e.After), signed(e.Delta()), file)
		}
	}
	return t.Flush()
}

func budgetCommand(s Streams) *cobra.Command {
	var asJSON bool
	c := &cobra.Command{
		Use:   "budget PROJECT [TARGET=SIZE...]",
		Short: "Print the sizes that builds should stay below, or set them",
		Long: "A budget is the size that the builds for a target should stay below, such as linux-x64=64MB. It belongs to you and this computer\n" +
			"and is not written into the project; TARGET= takes one away. Prints the budgets with the size of the last export of each target.\n" +
			"The exit code is 1 when one is exceeded.",
		Args: atLeast("PROJECT"),
		RunE: func(_ *cobra.Command, args []string) error {
			dir, err := project.Find(args[0])
			if err != nil {
				return err
			}
			type setting struct {
				target string
				bytes  int64
			}
			var settings []setting
			for _, arg := range args[1:] {
				name, text, ok := strings.Cut(arg, "=")
				target, known := platforms.TargetByID(name)
				if !ok || !known {
					return usagef("%q is not of the form TARGET=SIZE, where TARGET is one of %s", arg, targetIDs())
				}
				bytes := int64(0)
				if text != "" {
					if bytes, err = history.ParseSize(text); err != nil {
						return usageError{err}
					}
				}
				settings = append(settings, setting{target.ID, bytes})
			}
			budgets := history.DefaultBudgets()
			for _, e := range settings {
				if err := budgets.Set(dir, e.target, e.bytes); err != nil {
					return err
				}
			}
			set, err := budgets.Get(dir)
			if err != nil {
				return err
			}
			return printBudgets(s, dir, set, asJSON)
		},
	}
	c.Flags().BoolVar(&asJSON, "json", false, "print one JSON document")
	return c
}

type budgetJSON struct {
	Target string `json:"target"`
	Budget int64  `json:"budget"`
	Size   *int64 `json:"size,omitempty"` // of the last export that succeeded
	Over   bool   `json:"over"`
}

func printBudgets(s Streams, dir string, set map[string]int64, asJSON bool) error {
	document := struct {
		Budgets []budgetJSON `json:"budgets"`
	}{[]budgetJSON{}}
	over := false
	for _, target := range platforms.Targets() {
		budget, ok := set[target.ID]
		if !ok {
			continue
		}
		entry := budgetJSON{Target: target.ID, Budget: budget}
		list, _, err := history.Default().List(dir, target.ID)
		if err != nil {
			return err
		}
		if i := slices.IndexFunc(list, func(e history.Summary) bool { return e.Success && !e.ContentOnly }); i >= 0 {
			entry.Size = &list[i].TotalSize
			entry.Over = history.EvaluateBudget(list[i].TotalSize, budget).Level == history.Over
		}
		over = over || entry.Over
		document.Budgets = append(document.Budgets, entry)
	}
	var err error
	if asJSON {
		err = printJSON(s.Out, document)
	} else {
		for _, e := range document.Budgets {
			state := "not exported yet"
			if e.Size != nil {
				state = fmt.Sprintf("%s, %s", words.Size(*e.Size), history.EvaluateBudget(*e.Size, e.Budget).Level)
			}
			fmt.Fprintf(s.Out, "%s: %s; last export: %s\n", e.Target, words.Size(e.Budget), state)
		}
		if len(document.Budgets) == 0 {
			fmt.Fprintln(s.Out, "No budgets")
		}
	}
	if err == nil && over {
		err = errReported
	}
	return err
}
