package export

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"talebinder/export/players"
	"talebinder/export/words"
	"talebinder/formats"
	"talebinder/formats/ico"
	"talebinder/formats/icon"
	"talebinder/formats/pe"
	"talebinder/platforms"
)

// playerRemedy says what helps against a player that cannot be used.
const playerRemedy = "Publish the player again, or use another one"

// playerExecutable is the file of the player that becomes the game's executable.
func (r *run) playerExecutable() players.File {
	for _, file := range r.files {
		if file.Path == r.target.PlayerFile {
			return file
		}
	}
	return players.File{Path: r.target.PlayerFile, Source: r.player.File(r.target), Mode: 0o666}
}

// brandOf names the title, version and icon that the engine would publish a Windows player with; "" for other targets.
func (b *Build) brandOf() string {
	if b.target.Platform != platforms.Windows {
		return ""
	}
	settings := b.project.Build.Settings()
	var data []byte
	if file := iconFile(b.project); file != "" {
		data, _, _ = readLimited(file, maxIconFile)
	}
	return players.Brand(b.project.Title(), settings.Version, data)
}

// checkWindowsPlayer finds out, before anything is built, whether the player can be branded at all.
func (r *run) checkWindowsPlayer() error {
	source := r.playerExecutable().Source
	in, size, err := openFile(source)
	if err != nil {
		return err
	}
	defer in.Close()
	f, err := pe.NewFile(in, size)
	if err != nil {
		return brandError(source, err)
	}
	if f.Machine() != pe.X64 {
		return &placedError{file: source, message: fmt.Sprintf("the player is made for %s, not for %s. %s", f.Machine(), r.target.Arch, playerRemedy)}
	}
	return nil
}

func openFile(path string) (*os.File, int64, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, 0, err
	}
	info, err := f.Stat()
	if err != nil {
		return nil, 0, errors.Join(err, f.Close())
	}
	return f, info.Size(), nil
}

// brandError tells the errors of a player from those of what is written.
func brandError(source string, err error) error {
	var fault *formats.Fault
	if errors.As(err, &fault) {
		return &placedError{file: source, message: fmt.Sprintf("the player cannot be given the game's icon and version: %v. %s", err, playerRemedy)}
	}
	return explain(err)
}

// brandExecutable writes the executable of a Windows build: the player with the game's icon, version and subsystem. The player
// goes into the build in this one pass, and is read back before it counts as done.
func (r *run) brandExecutable(ctx context.Context) error {
	player := r.playerExecutable()
	in, size, err := openFile(player.Source)
	if err != nil {
		return err
	}
	defer in.Close()
	f, err := pe.NewFile(in, size)
	if err != nil {
		return brandError(player.Source, err)
	}
	branding, err := r.branding(ctx, f)
	if err != nil {
		return brandError(player.Source, err)
	}
	sources := append(r.settingsFiles(), player.Source)
	if len(branding.Icon) > 0 {
		sources = append(sources, r.appIcon.file)
	}

	name := r.places.layout.Executable
	out, err := createFile(r.staged(name), player.Mode|0o644)
	if err != nil {
		return explain(err)
	}
	var done int64
	meter := &meteredFile{file: out.File, wrote: func(n int) {
		done += int64(n)
		r.progress(0.9*float64(done)/float64(max(size, done)), name)
	}}
	result, err := f.Brand(ctx, meter, branding)
	if err == nil {
		flushed := make(chan error, 1) // to the disk, while the file is read back
		go func() { flushed <- out.Sync() }()
		err = pe.Verify(ctx, out.File, result.Size, branding, result)
		if flushErr := <-flushed; err == nil {
			err = flushErr
		}
	}
	if err := out.finish(newest(sources...), err); err != nil {
		return brandError(player.Source, err)
	}
	player.Size = result.Size
	r.copied = append(r.copied, player)
	r.sayBranding(name, branding, result)
	return nil
}

// branding is what the executable is to get and does not have yet.
func (r *run) branding(ctx context.Context, f *pe.File) (pe.Branding, error) {
	b := pe.Branding{Subsystem: pe.Windowed}
	if r.profile == platforms.Development {
		b.Subsystem = pe.Console
	}
	if f.Subsystem() == b.Subsystem {
		b.Subsystem = 0
	}
	current, err := f.VersionInfo()
	if err != nil {
		return b, err
	}
	icons, err := f.Icons()
	if err != nil {
		return b, err
	}
	images, err := r.iconImages(ctx, ico.Sizes())
	if err != nil {
		return b, err
	}
	engines := r.brandedByEngine()
	if !(engines && len(icons) > 0 || sameIcon(icons, images)) {
		b.Icon = images
	}
	wanted := r.versionInfo(current)
	if !(engines && current != nil || current != nil && *current == *wanted) {
		b.Version = wanted
	}
	return b, nil
}

// brandedByEngine says whether the engine has published the player for this very game, in which case its icon and version are
// right already.
func (r *run) brandedByEngine() bool {
	brand := r.brandOf()
	return brand != "" && r.player.Source == players.InCache && strings.HasPrefix(filepath.Base(r.player.Dir), r.player.Key+"-"+brand+"-")
}

func sameIcon(current []ico.Entry, wanted []icon.Image) bool {
	if len(current) != len(wanted) {
		return false
	}
	for i, image := range wanted {
		if current[i].Width != image.Size || !bytes.Equal(current[i].Data, image.PNG) {
			return false
		}
	}
	return true
}

// versionInfo is what Windows shows of the game. The company and the copyright, which a game's settings do not have, stay.
func (r *run) versionInfo(current *pe.VersionInfo) *pe.VersionInfo {
	number, _ := fileVersion(r.settings.Version)
	title := r.shownTitle()
	v := &pe.VersionInfo{
		FileNumber:       number,
		ProductNumber:    number,
		FileDescription:  title,
		FileVersion:      numberText(number),
		InternalName:     r.places.name,
		OriginalFilename: filepath.Base(filepath.FromSlash(r.places.layout.Executable)),
		ProductName:      title,
		ProductVersion:   r.settings.Version,
	}
	if current != nil {
		v.CompanyName, v.LegalCopyright = current.CompanyName, current.LegalCopyright
	}
	return v
}

// fileVersion gives the numbers that a version begins with, or 1.0.0.0 when it begins with none. It is exact when they say all
// that the version says.
func fileVersion(version string) (number [4]uint16, exact bool) {
	if version == "" || version[0] < '0' || version[0] > '9' {
		return [4]uint16{1}, false
	}
	return pe.ParseNumber(version)
}

func numberText(n [4]uint16) string { return fmt.Sprintf("%d.%d.%d.%d", n[0], n[1], n[2], n[3]) }

// sayBranding logs what has become of the player.
func (r *run) sayBranding(name string, b pe.Branding, result *pe.Result) {
	var parts []string
	if len(b.Icon) > 0 {
		parts = append(parts, fmt.Sprintf("the icon in %d sizes", len(b.Icon)))
	}
	if b.Version != nil {
		parts = append(parts, "the version "+b.Version.FileVersion)
	}
	if b.Subsystem != 0 {
		parts = append(parts, fmt.Sprintf("the %v subsystem", b.Subsystem))
	}
	if len(parts) == 0 {
		r.info("%s has the right icon, version and subsystem already", name)
		return
	}
	r.info("%s got %s", name, sentence(parts))
	if result.SignatureRemoved {
		r.warn("", fmt.Sprintf("The player was signed. Its signature does not cover the game's icon and version and was removed: %s is not signed. Sign it with signtool", name))
	}
	if result.Bundle != nil {
		r.info("The .NET bundle in it, %s, was read back and is the same", count(len(result.Bundle.Entries), "file", "files"))
	} else if result.OverlaySize > 0 && result.OverlayShift != 0 {
		r.warn("", fmt.Sprintf("The player has %s behind its program that are no .NET bundle. In %s they are %d bytes further on; if the game does not start, use a player without them", words.Size(result.OverlaySize), name, result.OverlayShift))
	}
}

// sentence joins parts of a sentence.
func sentence(parts []string) string {
	if len(parts) < 2 {
		return strings.Join(parts, "")
	}
	return strings.Join(parts[:len(parts)-1], ", ") + " and " + parts[len(parts)-1]
}

// meteredFile tells how much is written to a file.
type meteredFile struct {
	file  *os.File
	wrote func(n int)
}

func (m *meteredFile) Write(b []byte) (int, error) {
	n, err := m.file.Write(b)
	m.wrote(n)
	return n, err
}

func (m *meteredFile) Seek(offset int64, whence int) (int64, error) {
	return m.file.Seek(offset, whence)
}

var _ io.WriteSeeker = (*meteredFile)(nil)
