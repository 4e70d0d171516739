package export

import (
	"bytes"
	"context"
	"debug/macho"
	"fmt"
	"path"
	"path/filepath"
	"regexp"
	"strings"

	"talebinder/formats/icns"
	"talebinder/formats/plist"
	"talebinder/platforms"
)

// oldestMacOS is the version of macOS that a game asks for.
const oldestMacOS = "11.0"

// completeBundle makes an application bundle of a macOS build: its icon and its Info.plist.
func (r *run) completeBundle(ctx context.Context) error {
	layout := r.places.layout
	images, err := r.iconImages(ctx, icns.Sizes())
	if err != nil {
		return err
	}
	withIcon := len(images) > 0
	if withIcon {
		var b bytes.Buffer
		if err := icns.Write(&b, images); err != nil {
			return err
		}
		if err := writeFile(r.staged(layout.Icon), b.Bytes(), r.appIcon.changed); err != nil {
			return err
		}
		r.info("%s has the icon in %d sizes", layout.Icon, len(images))
	}
	var b bytes.Buffer
	if err := plist.Write(&b, r.bundleInfo(withIcon)); err != nil {
		return err
	}
	if err := writeFile(r.staged(layout.Info), b.Bytes(), newest(r.settingsFiles()...)); err != nil {
		return err
	}
	signed := r.inspectMacPlayer()
	r.notes = append(r.notes, r.signingNote(signed))
	r.info("%s is not signed for distribution. The report has the commands that sign and notarise it on a Mac", layout.Bundle)
	return nil
}

// bundleInfo is the content of Info.plist.
func (r *run) bundleInfo(withIcon bool) plist.Dict {
	version := bundleVersion(r.settings.Version)
	info := plist.Dict{
		{Key: "CFBundleDisplayName", Value: r.shownTitle()},
		{Key: "CFBundleExecutable", Value: r.places.name},
	}
	if withIcon {
		info = append(info, plist.Pair{Key: "CFBundleIconFile", Value: path.Base(r.places.layout.Icon)})
	}
	return append(info, plist.Dict{
		{Key: "CFBundleIdentifier", Value: r.bundleIdentifier()},
		{Key: "CFBundleInfoDictionaryVersion", Value: "6.0"},
		{Key: "CFBundleName", Value: r.places.name},
		{Key: "CFBundlePackageType", Value: "APPL"},
		{Key: "CFBundleShortVersionString", Value: version},
		{Key: "CFBundleVersion", Value: version},
		{Key: "LSMinimumSystemVersion", Value: oldestMacOS},
		{Key: "NSHighResolutionCapable", Value: true},
	}...)
}

// bundleIdentifier is the one of the settings, else one made of the game's name.
func (r *run) bundleIdentifier() string {
	if id := r.settings.BundleIdentifier; id != nil {
		return *id
	}
	return platforms.DeriveBundleIdentifier(r.places.name)
}

var leadingNumbers = regexp.MustCompile(`^[0-9]+(\.[0-9]+){0,2}`)

// bundleVersion gives up to three numbers that a version begins with, or 1.0.0 when it begins with none.
func bundleVersion(version string) string {
	if numbers := leadingNumbers.FindString(version); numbers != "" {
		return numbers
	}
	return "1.0.0"
}

var macProcessors = map[string]macho.Cpu{"arm64": macho.CpuArm64, "x64": macho.CpuAmd64}

// inspectMacPlayer warns of a player that macOS will not start, and says whether it has a signature.
func (r *run) inspectMacPlayer() (signed bool) {
	source := r.playerExecutable().Source
	images, err := readMachO(source)
	if err != nil {
		r.warn(source, fmt.Sprintf("the player is no program for macOS: %v. %s", err, playerRemedy))
		return false
	}
	for _, image := range images {
		if image.processor == macProcessors[r.target.Arch] {
			if r.target.Arch == "arm64" && !image.signed {
				r.warn("", fmt.Sprintf("The player is not signed, and Macs with Apple processors start no program without a signature. Sign the game on a Mac; for that Mac alone this is enough: codesign --force --deep --sign - %s", shellQuote(r.places.layout.Bundle)))
			}
			return image.signed
		}
	}
	r.warn(source, fmt.Sprintf("the player is not made for the processor of %s. %s", r.target.Name, playerRemedy))
	return false
}

// machImage is a program for one processor.
type machImage struct {
	processor macho.Cpu
	signed    bool
}

// readMachO reads the headers of a program for macOS, which may be for several processors.
func readMachO(file string) ([]machImage, error) {
	const codeSignature = 0x1d // the load command LC_CODE_SIGNATURE
	image := func(f *macho.File) machImage {
		m := machImage{processor: f.Cpu}
		for _, load := range f.Loads {
			if raw := load.Raw(); len(raw) >= 4 && f.ByteOrder.Uint32(raw) == codeSignature {
				m.signed = true
			}
		}
		return m
	}
	if fat, err := macho.OpenFat(file); err == nil {
		defer fat.Close()
		var images []machImage
		for _, arch := range fat.Arches {
			images = append(images, image(arch.File))
		}
		return images, nil
	}
	f, err := macho.Open(file)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return []machImage{image(f)}, nil
}

// signingNote gives the commands that make the bundle one that other people's Macs open without a warning. They begin in the
// output folder, so that on another computer only the first one is different.
func (r *run) signingNote(signed bool) Note {
	build := filepath.Base(r.places.build)
	bundle := build + "/" + r.places.layout.Bundle
	entitlements, zip := build+".entitlements", build+".zip"
	sign := "codesign --force --timestamp --options runtime --sign \"$IDENTITY\""
	q := shellQuote
	state := "It is not signed at all yet."
	if signed {
		state = "Its player has a signature of its own, which the Macs of other people do not accept."
	}
	return Note{
		Title: "Sign and notarise " + r.places.layout.Bundle,
		Text: state + " On a Mac with Xcode's command-line tools, run these commands with your own Developer ID. NOTARY is the name under which" +
			" `xcrun notarytool store-credentials NOTARY` keeps your Apple ID. The program needs the entitlement to make code while it runs, as all" +
			" programs of .NET do. The last command makes the archive to give to players, since an archive made before has the bundle without its signature.",
		Commands: []string{
			"cd " + q(r.places.root),
			"IDENTITY='Developer ID Application: YOUR NAME (TEAM ID)'",
			"/usr/libexec/PlistBuddy -c 'Clear dict' -c 'Add :com.apple.security.cs.allow-jit bool true' " + q(entitlements),
			"find " + q(bundle+"/Contents/MacOS") + " -type f ! -name " + q(globQuote(r.places.name)) + " -exec " + sign + " {} +",
			sign + " --entitlements " + q(entitlements) + " " + q(bundle),
			"codesign --verify --deep --strict --verbose=2 " + q(bundle),
			"ditto -c -k --keepParent " + q(bundle) + " " + q(zip),
			"xcrun notarytool submit " + q(zip) + " --keychain-profile NOTARY --wait",
			"xcrun stapler staple " + q(bundle),
			"spctl --assess --type execute --verbose " + q(bundle),
			"ditto -c -k --keepParent " + q(bundle) + " " + q(zip),
		},
	}
}

// shellQuote makes one word for a shell out of a text.
func shellQuote(s string) string { return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'" }

// globQuote makes a pattern that a text alone matches.
func globQuote(s string) string {
	return strings.NewReplacer(`\`, `\\`, "*", `\*`, "?", `\?`, "[", `\[`).Replace(s)
}
