package cli

import (
	"github.com/spf13/cobra"

	"talebinder/cli/internal/packer"
	"talebinder/export"
)

func packFontCommand(s Streams) *cobra.Command {
	const all = "--all"
	return packerCommand{
		name:  "pack-font",
		short: "Pack a grid image and its character list into a font",
		usage: `Usage: talebinder pack-font SOURCE.png TARGET.font
       talebinder pack-font --all FOLDER

Packs a grid image, one cell a character, into a font of the game. The characters are read from
SOURCE.png.json, or from the binary list SOURCE.png.font when there is no such file.

  --all FOLDER  pack every grid image in FOLDER and below into a font beside it`,
		own: []packer.Option{{Name: all}},
		job: func(args packer.Args) (export.Job, error) {
			if args.Has(all) {
				if args.Target() != "" {
					return nil, &packer.ArgumentError{Argument: args.Target(), Reason: "with --all there is one folder only"}
				}
				if args.Source() == "" {
					return nil, errUsage
				}
				return export.NewPackFonts(args.Source()), nil
			}
			return fromSourceToTarget(export.NewPackFont)(args)
		},
	}.command(s)
}

func unpackFontCommand(s Streams) *cobra.Command {
	return packerCommand{
		name:  "unpack-font",
		short: "Lay a font out as a grid image with its character list",
		usage: `Usage: talebinder unpack-font SOURCE.font TARGET.png

Lays a font of the game out as a grid image, one cell a character, to be edited and packed again. The
character list is written to TARGET.png.json, which is the one to edit, and in binary form to
TARGET.png.font.`,
		job: fromSourceToTarget(export.NewUnpackFont),
	}.command(s)
}

func applyPaletteCommand(s Streams) *cobra.Command {
	return packerCommand{
		name:  "apply-palette",
		short: "Replace the palette indices of a picture by their colours",
		usage: `Usage: talebinder apply-palette SOURCE.png TARGET.png

Replaces the palette indices of a picture, which are its red, by the colours that they stand for.`,
		job: fromSourceToTarget(export.NewApplyPalette),
	}.command(s)
}

func toIndicesCommand(s Streams) *cobra.Command {
	return packerCommand{
		name:  "to-indices",
		short: "Replace the colours of a picture by the nearest palette indices",
		usage: `Usage: talebinder to-indices SOURCE.png TARGET.png

Replaces the colours of a picture by the indices of the palette's nearest ones, and warns when some of
them are not in the palette.`,
		job: fromSourceToTarget(export.NewToIndices),
	}.command(s)
}

// fromSourceToTarget makes the job of a command with exactly two arguments.
func fromSourceToTarget(job func(source, target string) *export.FontJob) func(packer.Args) (export.Job, error) {
	return func(args packer.Args) (export.Job, error) {
		if args.Source() == "" || args.Target() == "" {
			return nil, errUsage
		}
		return job(args.Source(), args.Target()), nil
	}
}
