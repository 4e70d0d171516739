package cli

import (
	"fmt"
	"io"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"talebinder/export"
	"talebinder/export/words"
)

func contentCommand(s Streams) *cobra.Command {
	var asJSON bool
	c := &cobra.Command{
		Use:   "content PROJECT",
		Short: "List every file that ships with the reason, and every file that does not",
		Args:  exactly("PROJECT"),
		RunE: func(c *cobra.Command, args []string) error {
			p, err := openProject(c.Context(), args[0])
			if err != nil {
				return err
			}
			content, err := export.CollectContent(c.Context(), p, p.Build.Settings().Profile)
			if err != nil {
				return err
			}
			if asJSON {
				err = printJSON(s.Out, contentDocument(content))
			} else {
				err = printContent(s.Out, content)
			}
			if err != nil {
				return err
			}
			for _, p := range content.Problems {
				fmt.Fprintf(s.Err, "%s: %s\n", p.Level, p)
			}
			return errorIfAny(content.Problems)
		},
	}
	c.Flags().BoolVar(&asJSON, "json", false, "print one JSON document")
	return c
}

type contentItem struct {
	Path   string        `json:"path"`
	Kind   string        `json:"kind"`
	Reason export.Reason `json:"reason"`
	Via    string        `json:"via"`
	Size   int64         `json:"size"`
}

type contentLeft struct {
	Path string `json:"path"`
	Why  string `json:"why"`
}

type contentJSON struct {
	Items []contentItem `json:"items"`
	Left  []contentLeft `json:"left"`
	Loose []string      `json:"loose"`
}

func contentDocument(content *export.Content) contentJSON {
	document := contentJSON{
		Items: make([]contentItem, 0, len(content.Items)),
		Left:  make([]contentLeft, 0, len(content.Left)),
		Loose: make([]string, 0, len(content.Loose)),
	}
	for _, item := range content.Items {
		document.Items = append(document.Items, contentItem{item.Path, item.Kind, item.Reason, item.Via, item.Size})
	}
	for _, left := range content.Left {
		document.Left = append(document.Left, contentLeft{left.Path, left.Why})
	}
	for _, loose := range content.Loose {
		document.Loose = append(document.Loose, loose.Path)
	}
	return document
}

func printContent(w io.Writer, content *export.Content) error {
	t := tabwriter.NewWriter(w, 0, 8, 2, ' ', 0)
	total := int64(0)
	fmt.Fprintln(t, "SHIPS\tKIND\tSIZE\tREASON\tVIA")
	for _, item := range content.Items {
		fmt.Fprintf(t, "%s\t%s\t%s\t%s\t%s\n", item.Path, item.Kind, words.Size(item.Size), item.Reason, item.Via)
		total += item.Size
	}
	for _, loose := range content.Loose {
		fmt.Fprintf(t, "%s\t%s\t%s\tbeside the pack\t\n", loose.Path, loose.Category, words.Size(loose.Size))
	}
	if len(content.Left) > 0 {
		fmt.Fprintln(t, "\t\t\t\t\nLEFT OUT\t\tSIZE\tWHY\t")
	}
	for _, left := range content.Left {
		fmt.Fprintf(t, "%s\t\t%s\t%s\t\n", left.Path, words.Size(left.Size), left.Why)
	}
	if err := t.Flush(); err != nil {
		return err
	}
	_, err := fmt.Fprintf(w, "\n%s in the pack (%s before compression), %d beside it, %d left out\n",
		count(len(content.Items), "file"), words.Size(total), len(content.Loose), len(content.Left))
	return err
}
