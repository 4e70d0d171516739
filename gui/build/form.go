package build

import (
	"image"
	"image/png"
	"io"
	"os"
	"strconv"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/widget"

	"talebinder/gui/theme"
	"talebinder/gui/ui"
	"talebinder/gui/widgets"
	"talebinder/platforms"
	"talebinder/project/problem"
)

// form is the left side: targets, profile, and the fields of build.json that are no lists.
type form struct {
	screen *screen
	model  *model

	cards    map[string]*widgets.ChoiceCard
	targets  *widgets.Field
	profile  *widgets.Segmented
	also     map[platforms.Profile]*widgets.Switch
	alsoRow  *fyne.Container
	profiles *widgets.Field
	output   *widgets.PathField
	outputs  *widgets.Field
	version  *widgets.Entry
	versions *widgets.Field
	name     *widgets.Entry
	names    *widgets.Field
	bundle   *widgets.Entry
	bundles  *widgets.Field
	icon     *widgets.Entry
	icons    *widgets.Field
	choose   *widget.Button
	picture  *widgets.PixelImage
	compress *widgets.Switch
	packs    *widgets.Field
	entry    *widgets.Switch
	entries  *widgets.Field

	content   fyne.CanvasObject
	shownIcon string // file that the picture belongs to
}

const (
	sectionGap = 18
	fieldGap   = 12
	pictureBox = 64
)

func newForm(s *screen) *form {
	f := &form{screen: s, model: s.model, cards: map[string]*widgets.ChoiceCard{}}

	var cards []fyne.CanvasObject
	for _, t := range platforms.Targets() {
		c := widgets.NewChoiceCard(platformIcon(t), t.Platform, t.Arch, func(on bool) { s.do(f.model.choose(t.ID, on)); s.sync() })
		c.OnFocus = func() { s.reveal(c) }
		f.cards[t.ID] = c
		cards = append(cards, c)
	}
	f.targets = widgets.NewField("", container.New(&gridLayout{max: 2, min: 150, gap: 8, even: true}, cards...))

	var names []string
	for _, p := range platforms.Profiles() {
		names = append(names, p.Name)
	}
	f.profile = widgets.NewSegmented(names, func(i int) { s.do(f.model.setProfile(platforms.Profiles()[i].Profile)); s.look() })
	f.also = map[platforms.Profile]*widgets.Switch{}
	f.alsoRow = container.New(&widgets.FlowLayout{Gap: 20, Line: 24})
	for _, p := range platforms.Profiles() {
		w := widgets.NewSwitch("Also "+p.Name, func(on bool) { s.do(f.model.alsoExport(p.Profile, on)); s.sync(); s.look() })
		w.OnFocus = func() { s.reveal(w) }
		f.also[p.Profile] = w
		f.alsoRow.Add(w)
	}
	f.profiles = widgets.NewField("", f.profile)

	f.output = widgets.NewPathField()
	f.output.OnChanged = func(text string) { s.do(f.model.setOutput(text)) }
	f.output.Recents = f.model.recentOutputs
	f.output.OnBrowse = func() {
		s.host.Chooser().Folder("Choose the output folder", f.model.outputRoot(), func(path string) {
			f.model.left()
			f.output.Type(f.model.outputFor(path))
			f.model.left()
		})
	}
	f.outputs = widgets.NewField("Output folder", f.output)

	entry := func(set func(string) error) *widgets.Entry {
		e := widgets.NewEntry()
		e.OnChanged = func(text string) { s.do(set(text)) }
		return e
	}
	f.version = entry(f.model.setVersion)
	f.version.SetPlaceHolder("1.0.0")
	f.versions = widgets.NewField("Version", f.version)
	f.name = entry(f.model.setName)
	f.names = widgets.NewField("Executable name", f.name)
	f.bundle = entry(f.model.setBundle)
	f.bundles = widgets.NewField("macOS bundle identifier", f.bundle)

	f.icon = widgets.NewMonoEntry()
	f.icon.OnChanged = func(text string) { s.do(f.model.setIcon(text)) }
	f.icon.SetPlaceHolder("No icon")
	f.choose = widget.NewButton("Choose…", f.chooseIcon)
	f.icons = widgets.NewField("Icon", container.NewBorder(nil, nil, nil, f.choose, f.icon))
	f.picture = widgets.NewPixelImage(nil, fyne.NewSquareSize(pictureBox))

	f.compress = widgets.NewSwitch("Compress assets", func(on bool) { s.do(f.model.setCompress(on)) })
	f.packs = widgets.NewField("", f.compress)
	f.packs.SetHelp("Brotli, except for formats that are compressed already.")

	f.entry = widgets.NewSwitch("Desktop entry for Linux", func(on bool) { s.do(f.model.setDesktopEntry(on)); s.sync() })
	f.entry.OnFocus = func() { s.reveal(f.entry) }
	f.entries = widgets.NewField("", f.entry)
	f.entries.SetHelp("A .desktop file beside the executable, with the game's title and icon.")

	for field, e := range map[*widgets.Field]*widgets.Entry{f.outputs: f.output.Entry, f.versions: f.version, f.names: f.name, f.bundles: f.bundle, f.icons: f.icon} {
		e.OnFocus = func() { s.reveal(field) }
		e.OnLeave = f.model.left
		e.Outer = s
	}
	f.profile.OnFocus = func() { s.reveal(f.profiles) }
	f.compress.OnFocus = func() { s.reveal(f.packs) }

	f.content = widgets.NewStack(sectionGap,
		section("Targets", f.targets),
		section("Profile", f.profiles, f.alsoRow),
		section("Output",
			f.outputs,
			container.New(&gridLayout{max: 2, min: 170, gap: fieldGap}, f.versions, f.packs)),
		section("Application",
			container.New(&besideLayout{width: pictureBox, gap: fieldGap}, f.picture, f.icons),
			container.New(&gridLayout{max: 2, min: 170, gap: fieldGap}, f.names, f.bundles, f.entries)),
	)
	return f
}

func section(title string, objects ...fyne.CanvasObject) fyne.CanvasObject {
	return widgets.NewStack(8, append([]fyne.CanvasObject{theme.Overline(title)}, widgets.NewStack(fieldGap, objects...))...)
}

func platformIcon(t platforms.Target) fyne.Resource {
	switch t.Platform {
	case platforms.Windows:
		return theme.Icon(theme.IconWindows)
	case platforms.MacOS:
		return theme.Icon(theme.IconApple)
	}
	return theme.Icon(theme.IconLinux)
}

// load shows the settings. What is shown already is left alone.
func (f *form) load() {
	s := f.model.current()
	for _, c := range f.model.cards() {
		f.loadCard(c)
	}
	f.status(f.targets, fieldTarget, f.targetHelp())
	if missing := f.model.missingPlayer(); missing != "" && f.model.problems(fieldTarget) == nil {
		f.targets.SetStatus(upperFirst(missing), widgets.Warning)
	}

	f.profile.Load(int(s.Profile))
	f.status(f.profiles, fieldProfile, f.profileHelp())
	for p, w := range f.also {
		w.Load(f.model.alsoIn[p])
		w.Hidden = p == s.Profile
	}

	f.output.Load(s.OutputFolder)
	f.output.SetResolved(f.model.resolved())
	f.status(f.outputs, fieldOutput, "")

	f.version.Load(s.Version)
	f.status(f.versions, fieldVersion, f.versionHelp())

	f.name.Load(text(s.ExecutableName))
	placeholder(f.name, platforms.SanitizeName(f.model.project().Title()))
	f.status(f.names, fieldName, f.nameHelp())
	f.names.SetFix("", nil)
	if s.ExecutableName != nil && *s.ExecutableName == "" {
		f.names.SetFix("Use the game's title", func() { f.screen.do(f.model.setName("")) })
	}

	f.bundle.Load(text(s.BundleIdentifier))
	placeholder(f.bundle, f.model.bundle())
	f.status(f.bundles, fieldBundle, "")

	f.icon.Load(text(s.Icon))
	f.loadIcon()
	f.status(f.icons, fieldIcon, "A PNG of the project, best square and 256 pixels or more.")
	f.icons.SetFix("", nil)
	if better := f.model.nearMiss(text(s.Icon)); better != "" && f.model.problems(fieldIcon) != nil {
		f.icons.SetFix("Use "+better, func() { f.icon.SetText(better) })
	}

	f.entry.Load(f.model.desktopEntry)
	f.entries.Hidden = !f.model.linux()

	f.compress.Load(s.Compress)
	f.status(f.packs, fieldPack, "")
}

func placeholder(e *widgets.Entry, text string) {
	if e.PlaceHolder != text {
		e.SetPlaceHolder(text)
	}
}

// status shows the worst finding about a field below it, or help.
func (f *form) status(field *widgets.Field, name, help string) {
	if help != "" {
		field.SetHelp(help)
	} else if field != f.packs {
		field.SetHelp("")
	}
	p, found := f.model.worst(name)
	if !found {
		field.SetStatus("", widgets.Neutral)
		return
	}
	field.SetStatus(sentence(p), tone(p.Level))
}

// sentence puts a finding and what can be done about it into one line.
func sentence(p problem.Problem) string {
	message := upperFirst(p.Message)
	if p.Hint != "" {
		message = strings.TrimSuffix(message, ".") + ". " + p.Hint
	}
	return message
}

func tone(l problem.Level) widgets.Tone {
	switch l {
	case problem.Error:
		return widgets.Danger
	case problem.Warning:
		return widgets.Warning
	}
	return widgets.Notice
}

func (f *form) loadCard(c card) {
	w := f.cards[c.target.ID]
	w.Load(c.chosen)
	subtitle := c.target.Arch
	if c.host {
		w.SetBadge("This PC", widgets.Accent)
	}
	id := c.target.ID
	only := func(on bool) func() {
		return func() {
			f.screen.do(f.model.setContentOnly(id, on))
			f.screen.sync()
		}
	}
	switch {
	case c.contentOnly && c.noPlayer:
		// The link that goes back stands where the one that led here stood: it has the focus now.
		w.SetNote("Game folder only, without a player.", widgets.Notice, widgets.CardLink{Text: "Whole build", Tapped: only(false)},
			f.playerLink(c))
	case c.contentOnly:
		w.SetNote("Game folder only, without the player.", widgets.Notice, widgets.CardLink{Text: "Whole build", Tapped: only(false)})
	case c.noPlayer:
		w.SetNote("No player found.", widgets.Warning, widgets.CardLink{Text: "Export game folder only", Tapped: only(true)},
			f.playerLink(c))
	default:
		w.SetNote("", widgets.Neutral)
	}
	w.SetSubtitle(subtitle)
}

// playerLink leads to where a player is found, published, or looked for elsewhere.
func (f *form) playerLink(c card) widgets.CardLink {
	return widgets.CardLink{Text: "Find the player…", Tapped: func() {
		f.screen.host.Show(ui.ScreenPlayers, c.target.ID+"/"+f.model.current().Profile.String())
	}}
}

func (f *form) targetHelp() string {
	switch chosen := f.model.chosen(); {
	case len(chosen) > 1:
		return "build.json names " + f.model.main().Name + "; the other targets are remembered on this computer."
	case f.model.current().Target == nil:
		return "build.json names no target, which means the computer that exports. Choose one or more."
	}
	return "Choose one or more. build.json names one of them, for the editor and the command line."
}

// profileHelp explains the profile of build.json, and what becomes of several.
func (f *form) profileHelp() string {
	help := f.model.current().Profile.Info().Sentence
	if n := len(f.model.profiles()); n > 1 {
		help += " Each of the " + strconv.Itoa(n) + " profiles gets a folder of its own below the output folder."
	}
	return help
}

func (f *form) versionHelp() string {
	if f.model.archives() {
		main := f.model.chosen()[0].target
		return "Archive: " + main.ArchiveName(f.model.name(), f.model.current().Version)
	}
	return "For the executable's details and archive names."
}

func (f *form) nameHelp() string {
	if f.model.current().ExecutableName == nil {
		return "The game's title, unless you type another name."
	}
	return "The executable is " + f.model.chosen()[0].target.Layout(f.model.name()).Executable + "."
}

// maxPreview is the most pixels of an icon that is drawn as a preview.
const maxPreview = 2048 * 2048

// loadIcon shows the icon's pixels. The file is read in the background.
func (f *form) loadIcon() {
	file := f.model.iconFile()
	if file == f.shownIcon {
		return
	}
	f.shownIcon = file
	f.picture.SetImage(nil)
	if file == "" {
		return
	}
	f.screen.background("Reading the icon", func() func() {
		picture := readIcon(file)
		return func() {
			if f.shownIcon == file {
				f.picture.SetImage(picture)
			}
		}
	})
}

// readIcon gives the pixels of a PNG file, or nil when it is not one or has too many.
func readIcon(file string) image.Image {
	in, err := os.Open(file)
	if err != nil {
		return nil
	}
	defer in.Close()
	config, err := png.DecodeConfig(in)
	if err != nil || config.Width*config.Height > maxPreview {
		return nil
	}
	if _, err := in.Seek(0, io.SeekStart); err != nil {
		return nil
	}
	picture, err := png.Decode(in)
	if err != nil {
		return nil
	}
	return picture
}

func (f *form) chooseIcon() {
	var items []widgets.PickItem
	for _, a := range f.model.pngs() {
		items = append(items, widgets.PickItem{Key: a.Path, Title: sceneName(a.Path), Detail: a.Path, Icon: theme.Icon(theme.IconImage)})
	}
	o := widgets.PickerOptions{
		Placeholder: "Search the project's PNG files", Items: items, Width: 420,
		Empty:  "The project has no PNG file.",
		OnPick: func(keys []string) { f.setIcon(keys[0]) },
	}
	if f.icon.Text != "" {
		o.ExtraLabel, o.OnExtra = "No icon", func() { f.setIcon("") }
	}
	widgets.ShowPicker(f.screen.host.Window().Canvas(), f.choose, o)
}

func (f *form) setIcon(path string) {
	f.model.left()
	f.icon.SetText(path)
	f.model.left()
}

// focus brings a field into sight and gives it the keyboard; false when the form has no such field.
func (f *form) focus(name string) bool {
	var o fyne.Focusable
	switch {
	case strings.HasPrefix(name, "target/"):
		c, ok := f.cards[strings.TrimPrefix(name, "target/")]
		if !ok {
			return false
		}
		o = c
	case name == fieldTarget:
		o = f.cards[f.model.main().ID]
	case name == fieldProfile:
		o = f.profile
	case name == fieldOutput:
		o = f.output.Entry
	case name == fieldVersion:
		o = f.version
	case name == fieldName:
		o = f.name
	case name == fieldBundle:
		o = f.bundle
	case name == fieldIcon:
		o = f.icon
	case name == fieldPack:
		o = f.compress
	default:
		return false
	}
	f.screen.host.Window().Canvas().Focus(o)
	return true
}
