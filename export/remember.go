package export

import (
	"fmt"

	"talebinder/export/history"
)

// remember adds the export, however it ended, to the history. A history that cannot be written is worth a warning and changes
// nothing about the export.
func (r *run) remember(report *Report) {
	store := history.Default()
	if r.options.HistoryDir != "" {
		store = history.Open(r.options.HistoryDir)
	}
	record := &history.Record{
		Summary: history.Summary{
			Project:     r.project.Dir,
			Game:        report.Game,
			Target:      report.Target,
			Profile:     report.Profile.String(),
			ContentOnly: r.options.ContentOnly,
			Success:     report.Success,
			Cancelled:   report.Cancelled,
			StartedAt:   report.StartedAt,
			Duration:    report.Duration,
			Output:      report.OutputDirectory,
			TotalSize:   report.TotalSize,
			AssetCount:  report.AssetCount,
			Warnings:    len(report.Warnings),
			Errors:      len(report.Errors),
			Categories:  make([]history.Category, 0, len(report.Categories)),
		},
		Report: report.Text(),
		Assets: r.shipped(),
	}
	for _, c := range report.Categories {
		record.Categories = append(record.Categories, history.Category(c))
	}
	if len(report.Errors) > 0 && !report.Cancelled {
		record.Failure = report.Errors[0].String()
	}
	if _, err := store.Add(record); err != nil {
		r.warn("", fmt.Sprintf("The export could not be added to the history: %v", err))
	}
}

// shipped lists every file of the build with its size, as far as the export has got.
func (r *run) shipped() []history.Asset {
	if len(r.packed) == 0 {
		return nil
	}
	assets := make([]history.Asset, 0, len(r.packed)-1+len(r.content.Loose)+len(r.copied))
	for i, entry := range r.packed[1:] {
		item := r.content.Items[i]
		assets = append(assets, history.Asset{
			Place: history.InPack, Path: item.Path, Kind: item.Kind, Reason: item.Reason.String(), Size: entry.Length, StoredSize: entry.StoredLength,
		})
	}
	for _, file := range r.content.Loose {
		assets = append(assets, history.Asset{Place: history.InGame, Path: file.Path, Kind: file.Category, Size: file.Size, StoredSize: file.Size})
	}
	for _, file := range r.copied {
		assets = append(assets, history.Asset{Place: history.WithPlayer, Path: file.Path, Kind: CategoryPlayer, Size: file.Size, StoredSize: file.Size})
	}
	return assets
}
