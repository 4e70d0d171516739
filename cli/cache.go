package cli

import (
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"talebinder/export/cache"
	"talebinder/export/history"
	"talebinder/export/words"
)

func cacheCommand(s Streams) *cobra.Command {
	var asJSON bool
	c := &cobra.Command{
		Use:   "cache",
		Short: "Say what is kept of earlier exports, so that the next one compresses only what has changed",
		Args:  cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			kept, err := cache.Default()
			if err != nil {
				fmt.Fprintf(s.Err, "warning: %v\n", err)
			}
			usage, err := kept.Usage()
			if err != nil {
				return err
			}
			if asJSON {
				return printJSON(s.Out, usageDocument(usage))
			}
			limit := words.Size(usage.Limit)
			if usage.Limit == 0 {
				limit = "nothing, the cache is switched off"
			}
			_, err = fmt.Fprintf(s.Out, "%s\n%s, %s; at most %s\n", usage.Folder, files(usage.Entries), words.Size(usage.Bytes), limit)
			return err
		},
	}
	c.Flags().BoolVar(&asJSON, "json", false, "print one JSON document")
	c.AddCommand(cacheClearCommand(s), cacheLimitCommand())
	return c
}

type usage struct {
	Folder  string `json:"folder"`
	Entries int    `json:"entries"`
	Bytes   int64  `json:"bytes"`
	Limit   int64  `json:"limit"`
}

func usageDocument(u cache.Usage) usage { return usage{u.Folder, u.Entries, u.Bytes, u.Limit} }

func cacheClearCommand(s Streams) *cobra.Command {
	var asJSON bool
	c := &cobra.Command{
		Use:   "clear",
		Short: "Remove all that is kept; the next export compresses everything anew",
		Args:  cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			kept, _ := cache.Default() // how large it may be does not matter
			removed, err := kept.Clear()
			if err != nil {
				return err
			}
			if asJSON {
				return printJSON(s.Out, usageDocument(removed))
			}
			_, err = fmt.Fprintf(s.Out, "Removed %s, %s\n", files(removed.Entries), words.Size(removed.Bytes))
			return err
		},
	}
	c.Flags().BoolVar(&asJSON, "json", false, "print one JSON document: what was removed")
	return c
}

func cacheLimitCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "limit SIZE",
		Short: "Set how large the cache may grow, such as 4GB; 0 switches it off",
		Args:  exactly("SIZE"),
		RunE: func(_ *cobra.Command, args []string) error {
			limit, err := history.ParseSize(args[0])
			if err == nil && limit < 0 {
				err = errors.New("a size is not below 0")
			}
			if err != nil {
				return usageError{err}
			}
			return cache.SetLimit(limit)
		},
	}
}
