package build

import (
	"bytes"
	"context"
	"errors"
	"image"
	"image/png"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"talebinder/export"
	"talebinder/gui/settings"
	"talebinder/gui/ui"
	"talebinder/platforms"
	"talebinder/project"
	"talebinder/project/document"
	"talebinder/project/problem"
)

const buildText = `{
  // Kept in order by hand.
  "target": "linux-x64",
  "profile": "release",
  "outputFolder": "builds",
  "scenes": [
    { "path": "scenes/level-1.tscene", "enabled": true }, // first
    { "path": "scenes/level-2.tscene", "enabled": false }
  ],
  "alwaysInclude": [ "ui/menu", "label:music" ],
  "version": "1.0.0",
  "compress": true,
  "ours": { "kept": [1, 2] }
}
`

// tree writes a project: a map of paths below its folder to texts.
func tree(t testing.TB, files map[string]string) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "hex-quest")
	for path, text := range files {
		file := filepath.Join(dir, filepath.FromSlash(path))
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func picture(t testing.TB, width, height int) string {
	t.Helper()
	var b bytes.Buffer
	if err := png.Encode(&b, image.NewRGBA(image.Rect(0, 0, width, height))); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// hexQuest is a project with everything that the screen shows. An empty text of build.json means that there is none.
func hexQuest(t testing.TB, build string) map[string]string {
	files := map[string]string{
		"assets/config/game.json":                          `{ "title": "Hex Quest", "startScene": "scenes/start.tscene" }`,
		"assets/scenes/start.tscene":                       `{ "entities": [] }`,
		"assets/scenes/level-1.tscene":                     `{ "entities": [] }`,
		"assets/scenes/level-2.tscene":                     `{ "entities": [] }`,
		"assets/scenes/credits.tscene":                     `{ "entities": [] }`,
		"assets/ui/menu/a.png":                             picture(t, 4, 4),
		"assets/ui/menu/b.png":                             picture(t, 4, 8),
		"assets/icon.png":                                  picture(t, 256, 256),
		"assets/music/theme.ogg":                           "not really music",
		"assets/music/theme.ogg.meta":                      `{ "version": 1, "guid": "0123456789abcdef0123456789abcdef", "labels": [ "Music" ] }`,
		"assets/texts/notes.txt":                           "some text",
		"assets/texts/notes.txt.meta":                      `{ "version": 1, "guid": "0123456789abcdef0123456789abcdee", "labels": [ "extra" ] }`,
		"players/linux-x64-r2r-nosymbols/talesmith-player": "\x7fELF",
	}
	if build != "" {
		files["build.json"] = build
	}
	return files
}

// isolate keeps caches and settings of the machine out of a test.
func isolate(t testing.TB) {
	for _, name := range []string{"TALESMITH_CACHE", "TALEBINDER_CACHE", "XDG_CONFIG_HOME", "XDG_DATA_HOME"} {
		t.Setenv(name, t.TempDir())
	}
	t.Setenv("TALESMITH_SOURCE", "")
}

func openModel(t *testing.T, build string) *model {
	t.Helper()
	isolate(t)
	p, err := project.Open(context.Background(), tree(t, hexQuest(t, build)), project.Options{})
	if err != nil {
		t.Fatal(err)
	}
	s, err := settings.Open(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	return newModel(ui.NewWorkspace(p, export.NewQueue(1), nil), s)
}

func (m *model) lookNow() {
	work, apply := m.look()
	if err := work(context.Background()); err != nil {
		panic(err)
	}
	apply()
	m.validate()
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// changedLines gives the lines of build.json that differ from the saved ones, each with its sign.
func (m *model) changedLines() string {
	var b strings.Builder
	for _, l := range m.lines() {
		switch l.mark {
		case added:
			b.WriteString("+" + l.text + "\n")
		case removed:
			b.WriteString("-" + l.text + "\n")
		}
	}
	return b.String()
}

func ids(cards []card) string {
	var list []string
	for _, c := range cards {
		list = append(list, c.target.ID)
	}
	return strings.Join(list, " ")
}

func TestOneTargetStandsInTheFileAndTheOthersBesideIt(t *testing.T) {
	m := openModel(t, buildText)
	must(t, m.choose("osx-arm64", true))
	must(t, m.choose("win-x64", true))
	if got := ids(m.chosen()); got != "win-x64 linux-x64 osx-arm64" {
		t.Errorf("chosen: %s", got)
	}
	if m.document().Dirty() {
		t.Error("choosing further targets changed build.json")
	}
	if memory := m.settings.Project(m.project().Dir); !slices.Equal(memory.Targets, []string{"win-x64", "osx-arm64"}) {
		t.Errorf("remembered: %v", memory.Targets)
	}
	again := newModel(m.work, m.settings)
	if got := ids(again.chosen()); got != "win-x64 linux-x64 osx-arm64" {
		t.Errorf("chosen after opening again: %s", got)
	}

	must(t, m.choose("linux-x64", false)) // another one takes its place in the file
	if got := m.changedLines(); got != "-  \"target\": \"linux-x64\",\n+  \"target\": \"win-x64\",\n" {
		t.Errorf("changed lines:\n%s", got)
	}
	if got := ids(m.chosen()); got != "win-x64 osx-arm64" {
		t.Errorf("chosen: %s", got)
	}
	must(t, m.choose("osx-arm64", false))
	must(t, m.choose("win-x64", false)) // the last one stays
	if got := ids(m.chosen()); got != "win-x64" {
		t.Errorf("chosen: %s", got)
	}
	m.document().Undo()
	if got := ids(m.chosen()); got != "linux-x64" {
		t.Errorf("chosen after undo: %s", got)
	}
}

func TestNoTargetOrAnUnknownOneMeansThisComputer(t *testing.T) {
	for _, target := range []string{"", `"target": "ps5",`} {
		m := openModel(t, "{ "+target+` "version": "2" }`)
		if got := ids(m.chosen()); got != platforms.Host().ID {
			t.Errorf("with %q chosen: %s", target, got)
		}
		must(t, m.choose(platforms.Host().ID, true))
		if m.document().Dirty() {
			t.Errorf("with %q, choosing what is chosen changed the file", target)
		}
	}
}

func TestCardsTellWhatAnExportWouldMake(t *testing.T) {
	m := openModel(t, buildText)
	m.lookNow()
	state := func(id string) card {
		for _, c := range m.cards() {
			if c.target.ID == id {
				return c
			}
		}
		return card{}
	}
	if c := state("linux-x64"); !c.noPlayer || c.contentOnly || !strings.Contains(c.looked, "linux-x64-r2r-nosymbols") {
		t.Errorf("without a player: %+v", c)
	}
	if r := m.reasons(); len(r) != 1 || r[0].field != "target/linux-x64" {
		t.Errorf("reasons without a player: %v", r)
	}
	must(t, m.setContentOnly("linux-x64", true))
	if r := m.reasons(); len(r) != 0 || !state("linux-x64").contentOnly {
		t.Errorf("reasons for the game folder only: %v", r)
	}
	if again := newModel(m.work, m.settings); !again.contentOnly["linux-x64"] {
		t.Error("game folder only was not remembered")
	}
	must(t, m.setContentOnly("linux-x64", false))
	must(t, m.settings.SetPlayersFolder(filepath.Join(m.project().Dir, "players")))
	m.lookNow()
	if c := state("linux-x64"); c.noPlayer {
		t.Errorf("the player is there: %s", c.looked)
	}
	must(t, m.setProfile(platforms.Development)) // another key, not looked for yet
	m.lookNow()
	if !state("linux-x64").noPlayer {
		t.Error("there is no player for development")
	}
	if m.document().UndoTitle() != "Change profile" {
		t.Errorf("undo says %q", m.document().UndoTitle())
	}
}

func TestTypingIsOneStepUntilTheFieldIsLeft(t *testing.T) {
	m := openModel(t, buildText)
	for _, text := range []string{"1.0", "1.", "1.1", "1.1.", "1.1.0"} {
		must(t, m.setVersion(text))
	}
	m.left()
	must(t, m.setVersion("1.1.0-rc"))
	must(t, m.setName("Hex"))
	for _, want := range []string{"1.1.0-rc", "1.1.0", "1.0.0"} {
		if got := m.current().Version; got != want {
			t.Errorf("version %q, want %q", got, want)
		}
		m.document().Undo()
		if want == "1.1.0-rc" { // the name came last
			m.document().Undo()
		}
	}
	if m.document().Dirty() {
		t.Error("the text is not what it was")
	}
	if string(m.document().Text()) != buildText {
		t.Errorf("text after undo:\n%s", m.document().Text())
	}
}

func TestWhatIsTypedIsKeptAndSaidToBeWrong(t *testing.T) {
	m := openModel(t, buildText)
	for _, c := range []struct {
		field, typed string
		set          func(string) error
		level        problem.Level
	}{
		{fieldVersion, "", m.setVersion, problem.Error},
		{fieldVersion, "1/2", m.setVersion, problem.Error},
		{fieldOutput, "", m.setOutput, problem.Warning},
		{fieldOutput, "assets/builds", m.setOutput, problem.Error},
		{fieldName, "a:b", m.setName, problem.Info},
		{fieldIcon, "ui/menu/b.png", m.setIcon, problem.Warning},
		{fieldIcon, "nothing.png", m.setIcon, problem.Warning},
		{fieldBundle, "hex quest", m.setBundle, problem.Warning},
	} {
		must(t, c.set(c.typed))
		m.validate()
		p, found := m.worst(c.field)
		if !found || p.Level != c.level || p.Message == "" {
			t.Errorf("%s %q: %v, found %v", c.field, c.typed, p, found)
		}
		for !bytes.Equal(m.document().Text(), []byte(buildText)) {
			m.document().Undo()
		}
	}
	must(t, m.setOutput(""))
	must(t, m.setVersion(""))
	if s := m.current(); s.OutputFolder != "" || s.Version != "" {
		t.Errorf("typed nothing, kept %q and %q", s.OutputFolder, s.Version)
	}
	must(t, m.setIcon("icon.png"))
	must(t, m.setIcon(""))
	if m.current().Icon != nil {
		t.Error("an empty icon is written")
	}
}

func TestNamesAndFolders(t *testing.T) {
	m := openModel(t, buildText)
	dir := m.project().Dir
	if got, want := m.resolved(), filepath.Join(dir, "builds", "Hex Quest-linux-x64"); got != want {
		t.Errorf("builds go to %s, want %s", got, want)
	}
	must(t, m.choose("win-x64", true))
	if got, want := m.resolved(), filepath.Join(dir, "builds", "Hex Quest-win-x64")+"  and 1 more"; got != want {
		t.Errorf("builds go to %s, want %s", got, want)
	}
	must(t, m.setName("Hex: Quest?"))
	if m.name() != "Hex Quest" || m.bundle() != "com.talesmith.hex-quest" {
		t.Errorf("name %q, identifier %q", m.name(), m.bundle())
	}
	if got := m.outputFor(filepath.Join(dir, "out", "here")); got != "out/here" {
		t.Errorf("a folder of the project is written as %q", got)
	}
	if got := m.outputFor(filepath.Dir(dir)); got != filepath.Dir(dir) {
		t.Errorf("a folder outside is written as %q", got)
	}
	if got := m.outputFor(dir); got != dir {
		t.Errorf("the project folder itself is written as %q", got)
	}
	must(t, m.setIcon("icon.png"))
	if got, want := m.iconFile(), filepath.Join(dir, "assets", "icon.png"); got != want {
		t.Errorf("icon %s, want %s", got, want)
	}
}

func paths(rows []sceneRow) string {
	var list []string
	for _, r := range rows {
		mark := ""
		if !r.enabled {
			mark = "-"
		}
		list = append(list, mark+strings.TrimSuffix(strings.TrimPrefix(r.path, "scenes/"), ".tscene"))
	}
	return strings.Join(list, " ")
}

func TestSceneList(t *testing.T) {
	m := openModel(t, buildText)
	if got := paths(m.sceneRows()); got != "start level-1 -level-2" || !m.sceneRows()[0].locked {
		t.Fatalf("rows: %s", got)
	}
	if list := m.scenesToAdd(); len(list) != 1 || list[0].Path != "scenes/credits.tscene" {
		t.Errorf("to add: %v", list)
	}
	must(t, m.addScenes([]string{"scenes/credits.tscene"}))
	if len(m.scenesToAdd()) != 0 {
		t.Error("the added scene is still offered")
	}
	must(t, m.moveScene(2, 0))
	must(t, m.toggleScene(2))
	if got := paths(m.sceneRows()); got != "start credits level-1 level-2" {
		t.Errorf("rows: %s", got)
	}
	must(t, m.removeScene(1))
	if got := paths(m.sceneRows()); got != "start credits level-2" {
		t.Errorf("rows: %s", got)
	}
	for _, outside := range []error{m.moveScene(0, 9), m.moveScene(9, 0), m.removeScene(7), m.toggleScene(-1), m.fixScene(5, "x")} {
		must(t, outside)
	}
	var titles []string
	for m.document().UndoTitle() != "" {
		titles = append(titles, m.document().UndoTitle())
		m.document().Undo()
	}
	if got := strings.Join(titles, ", "); got != "Remove scene, Ship scene, Move scene, Add scene" {
		t.Errorf("undone: %s", got)
	}
	if string(m.document().Text()) != buildText {
		t.Errorf("text after undo:\n%s", m.document().Text())
	}
}

func TestMovingAndTickingScenesKeepsCommentsAndUnknownFields(t *testing.T) {
	m := openModel(t, buildText)
	must(t, m.toggleScene(1))
	if got, want := m.changedLines(), "-    { \"path\": \"scenes/level-2.tscene\", \"enabled\": false }\n+    { \"path\": \"scenes/level-2.tscene\", \"enabled\": true }\n"; got != want {
		t.Errorf("ticking changed\n%swant\n%s", got, want)
	}
	for _, kept := range []string{"// Kept in order by hand.", "// first", `"ours": { "kept": [1, 2] }`} {
		if !strings.Contains(string(m.document().Text()), kept) {
			t.Errorf("%s is gone", kept)
		}
	}
}

func TestMissingScenesAreMarkedWithAWayToMendThem(t *testing.T) {
	m := openModel(t, `{ "scenes": [ { "path": "scenes/Level-1.tscene" }, { "path": "scenes/level-2.tscene" }, { "path": "scenes/Level-2.tscene" }, { "path": "gone.tscene" } ] }`)
	rows := m.sceneRows()
	if !rows[1].found || rows[1].problem.Level != problem.Error || rows[1].fix != "scenes/level-1.tscene" {
		t.Errorf("another case: %+v", rows[1])
	}
	if rows[2].found && rows[2].problem.Level == problem.Error {
		t.Errorf("a scene that is there: %+v", rows[2])
	}
	if rows[3].fix != "" {
		t.Errorf("mending would put %s into the list twice", rows[3].fix)
	}
	if !rows[4].found {
		t.Error("a scene that is nowhere is not marked")
	}
	if list := m.reasons(); len(list) < 2 || list[0].field != "scenes/0" {
		t.Errorf("reasons: %+v", list)
	}
	must(t, m.fixScene(0, rows[1].fix))
	m.validate()
	if r := m.sceneRows()[1]; r.found || r.path != "scenes/level-1.tscene" {
		t.Errorf("after mending: %+v", r)
	}
}

func TestStartScene(t *testing.T) {
	for _, c := range []struct {
		name, start, path string
		missing           bool
	}{
		{"start", `"scenes/start.tscene"`, "scenes/start.tscene", false},
		{"Start", `"scenes/Start.tscene"`, "scenes/Start.tscene", true},
		{"map", `"map"`, "scene of the engine", false},
		{"theme", `{ "name": "scene", "parameters": { "guid": "0123456789abcdef0123456789abcdef" } }`, "music/theme.ogg", false},
		{"No scene", `{ "name": "scene" }`, "", false},
	} {
		files := hexQuest(t, "")
		files["assets/config/game.json"] = `{ "title": "Hex Quest", "startScene": ` + c.start + ` }`
		isolate(t)
		p, err := project.Open(context.Background(), tree(t, files), project.Options{})
		must(t, err)
		s, err := settings.Open(t.TempDir())
		must(t, err)
		m := newModel(ui.NewWorkspace(p, export.NewQueue(1), nil), s)
		row := m.startScene()
		if row.name != c.name || row.path != c.path || row.found != c.missing {
			t.Errorf("%s: %+v", c.start, row)
		}
		if c.missing && row.fix != "scenes/start.tscene" {
			t.Errorf("%s: proposes %q", c.start, row.fix)
		}
	}
}

func TestAlwaysIncluded(t *testing.T) {
	m := openModel(t, `{ "alwaysInclude": [ "ui/menu", "LABEL: music ", "texts/notes.txt", "Texts/notes.txt", "label:none", "../x" ] }`)
	type want struct{ badge, text, detail, fix string }
	var got []want
	for _, r := range m.includeRows() {
		got = append(got, want{r.badge, r.text, r.detail, r.fix})
	}
	expected := []want{
		{"Folder", "ui/menu", "2 files", ""},
		{"Label", "music", "1 asset", ""},
		{"File", "texts/notes.txt", "9 B", ""},
		{"Missing", "Texts/notes.txt", "", "texts/notes.txt"},
		{"Label", "none", "0 assets", ""},
		{"Missing", "../x", "", ""},
	}
	if !slices.Equal(got, expected) {
		t.Errorf("rows\n%v\nwant\n%v", got, expected)
	}
	if r := m.includeRows()[4]; !r.found || r.problem.Level != problem.Warning {
		t.Errorf("a label that nothing has: %+v", r)
	}
	for _, f := range m.foldersToAdd() {
		if f.Path == "ui/menu" {
			t.Error("a listed folder is offered")
		}
	}
	if got := m.labelsToAdd(); !slices.Equal(got, []string{"extra"}) {
		t.Errorf("labels to add: %v", got)
	}
	for _, f := range m.filesToAdd() {
		if f.Path == "texts/notes.txt" {
			t.Error("a listed file is offered")
		}
	}
	must(t, m.addIncludes("Always include label", []string{"label:extra"}))
	must(t, m.fixInclude(3, "music/theme.ogg"))
	must(t, m.removeInclude(5))
	must(t, m.removeInclude(0))
	must(t, m.removeInclude(99))
	if got := m.current().AlwaysInclude; !slices.Equal(got, []string{"LABEL: music ", "texts/notes.txt", "music/theme.ogg", "label:none", "label:extra"}) {
		t.Errorf("entries: %q", got)
	}
}

func TestReasonsComeInTheOrderOfTheForm(t *testing.T) {
	m := openModel(t, `{ "target": "linux-x64", "outputFolder": "assets", "version": "", "scenes": [ { "path": "b.tscene" }, { "path": "a.tscene" } ] }`)
	m.lookNow()
	var got []string
	for _, r := range m.reasons() {
		got = append(got, r.field)
	}
	if want := []string{"target/linux-x64", "outputFolder", "version", "scenes/0", "scenes/1"}; !slices.Equal(got, want) {
		t.Errorf("reasons at %v, want %v", got, want)
	}
}

func TestChecksOfOtherFilesStandInTheWayToo(t *testing.T) {
	isolate(t)
	files := hexQuest(t, buildText)
	files["assets/config/game.json"] = `{ "title": "Hex Quest",` + "\n" + `"startScene": "scenes/nowhere.tscene" }`
	p, err := project.Open(context.Background(), tree(t, files), project.Options{})
	must(t, err)
	s, err := settings.Open(t.TempDir())
	must(t, err)
	m := newModel(ui.NewWorkspace(p, export.NewQueue(1), nil), s)
	must(t, m.setContentOnly("linux-x64", true))
	m.lookNow()
	list := m.reasons()
	if len(list) != 1 || list[0].file != project.GameFile || list[0].line != 2 {
		t.Errorf("reasons: %+v", list)
	}
}

func TestExportSavesFirstAndMakesAJobForEachTarget(t *testing.T) {
	m := openModel(t, buildText)
	must(t, m.choose("win-x64", true))
	must(t, m.setContentOnly("win-x64", true))
	must(t, m.setContentOnly("linux-x64", true))
	must(t, m.setOutput("out/it's here"))
	m.lookNow()
	if got := m.verb(); got != "Save and export 2 targets" {
		t.Errorf("the button says %q", got)
	}
	if got := m.summary(); got != "Release build for Windows x64 (game folder only) and Linux x64 (game folder only)." {
		t.Errorf("summary %q", got)
	}
	rows, err := m.start()
	must(t, err)
	m.work.Queue.CancelAll()
	m.work.Queue.Wait()
	if len(rows) != 2 || rows[0].Job().Target() != "win-x64" || rows[1].Job().Target() != "linux-x64" {
		t.Errorf("rows: %v", rows)
	}
	if m.document().Dirty() {
		t.Error("the settings were not saved")
	}
	text, err := os.ReadFile(filepath.Join(m.project().Dir, "build.json"))
	if err != nil || !strings.Contains(string(text), `"outputFolder": "out/it`) {
		t.Errorf("build.json after the export: %s, %v", text, err)
	}
	if got := m.verb(); got != "Export 2 targets" {
		t.Errorf("the button says %q", got)
	}
	must(t, m.setOutput("other"))
	if got := m.recentOutputs(); !slices.Equal(got, []string{"out/it's here"}) {
		t.Errorf("recent folders: %q", got)
	}
	command, err := m.command()
	must(t, err)
	if !strings.HasPrefix(command, "talebinder export ") || !strings.HasSuffix(command, "--target win-x64 --target linux-x64 --profile release --content-only") {
		t.Errorf("command:\n%s", command)
	}
	must(t, m.setContentOnly("linux-x64", false))
	command, err = m.command()
	must(t, err)
	lines := strings.Split(command, "\n")
	if len(lines) != 2 || !strings.HasSuffix(lines[0], "--target linux-x64 --profile release") || !strings.HasSuffix(lines[1], "--target win-x64 --profile release --content-only") {
		t.Errorf("commands:\n%s", command)
	}
}

func TestSeveralProfilesGetFoldersOfTheirOwn(t *testing.T) {
	m := openModel(t, buildText)
	must(t, m.choose("osx-x64", true))
	must(t, m.alsoExport(platforms.Distribution, true))
	must(t, m.alsoExport(platforms.Release, true)) // that of build.json anyway
	if m.document().Dirty() {
		t.Error("build.json was changed")
	}
	if got := m.verb(); got != "Export 4 builds" {
		t.Errorf("the button says %q", got)
	}
	if got := m.summary(); got != "Release and Distribution builds for Linux x64 and macOS x64, with an archive." {
		t.Errorf("summary %q", got)
	}
	if got := filepath.ToSlash(m.resolved()); !strings.HasSuffix(got, "/builds/release/Hex Quest-linux-x64  and 3 more") {
		t.Errorf("resolved %q", got)
	}
	again := newModel(m.work, m.settings)
	if got := again.profiles(); !slices.Equal(got, []platforms.Profile{platforms.Release, platforms.Distribution}) {
		t.Errorf("remembered %v", got)
	}
	rows, err := m.start()
	must(t, err)
	m.work.Queue.CancelAll()
	m.work.Queue.Wait()
	var outputs []string
	for _, r := range rows {
		rel, err := filepath.Rel(m.project().Dir, r.Job().Output())
		must(t, err)
		outputs = append(outputs, filepath.ToSlash(rel))
	}
	want := []string{"builds/release/Hex Quest-linux-x64", "builds/distribution/Hex Quest-linux-x64", "builds/release/Hex Quest-osx-x64", "builds/distribution/Hex Quest-osx-x64"}
	if !slices.Equal(outputs, want) {
		t.Errorf("outputs %q", outputs)
	}
	command, err := m.command()
	must(t, err)
	if !strings.HasSuffix(command, "--target linux-x64 --target osx-x64 --profile release --profile distribution") {
		t.Errorf("command %s", command)
	}
	// The profile of build.json is in any case among them: it is not counted twice when it becomes another one.
	must(t, m.setProfile(platforms.Distribution))
	if got := m.profiles(); !slices.Equal(got, []platforms.Profile{platforms.Distribution}) {
		t.Errorf("profiles %v", got)
	}
}

func TestADesktopEntryIsForLinuxAlone(t *testing.T) {
	m := openModel(t, buildText)
	must(t, m.setDesktopEntry(true))
	if command, err := m.command(); err != nil || !strings.HasSuffix(command, "--desktop-entry") {
		t.Errorf("command %s, %v", command, err)
	}
	if again := newModel(m.work, m.settings); !again.desktopEntry {
		t.Error("it is not remembered")
	}
	must(t, m.setContentOnly("linux-x64", true))
	if m.options().DesktopEntry {
		t.Error("a game folder has no entry")
	}
	must(t, m.setContentOnly("linux-x64", false))
	must(t, m.choose("win-x64", true))
	must(t, m.choose("linux-x64", false))
	if m.options().DesktopEntry || m.linux() {
		t.Error("Windows has no entry")
	}
}

func TestExportDoesNotStartOnAConflict(t *testing.T) {
	m := openModel(t, buildText)
	must(t, m.setVersion("2.0.0"))
	must(t, os.WriteFile(filepath.Join(m.project().Dir, "build.json"), []byte(`{ "version": "3.0.0" }`), 0o644))
	_, err := m.start()
	var conflict *document.ConflictError
	if !errors.As(err, &conflict) {
		t.Fatalf("error %v, want a conflict", err)
	}
	if len(m.work.Queue.Rows()) != 0 {
		t.Error("a job was started")
	}
}

func TestBrokenText(t *testing.T) {
	m := openModel(t, "{\n  \"version\": 12,\n  \"compress\": \"yes\"\n}\n")
	if m.broken() == nil || brokenLine(m.broken()) != 2 {
		t.Fatalf("broken: %v, line %d", m.broken(), brokenLine(m.broken()))
	}
	if got := brokenText(m.broken()); !strings.HasPrefix(got, "line 2, column 14: ") || !strings.HasSuffix(got, "(and 1 more)") {
		t.Errorf("said: %s", got)
	}
	if list := m.reasons(); len(list) != 1 || list[0].field != "json" {
		t.Errorf("reasons: %v", list)
	}
	if err := m.setVersion("1"); err == nil {
		t.Error("a broken text was edited")
	}
	m.replaceWithDefaults()
	m.validate()
	if m.broken() != nil || m.current().Version != "1.0.0" {
		t.Errorf("after replacing: %v", m.broken())
	}
	m.document().Undo()
	if m.broken() == nil {
		t.Error("replacing cannot be undone")
	}
	if got := brokenText(errors.New("plain")); got != "plain" || brokenLine(errors.New("plain")) != 0 {
		t.Errorf("another error: %s", got)
	}
}

func TestFieldAtALine(t *testing.T) {
	m := openModel(t, buildText)
	for n, want := range map[int]string{1: "", 2: "", 3: "target", 5: "outputFolder", 6: "scenes", 7: "scenes/0", 8: "scenes/1", 9: "scenes", 10: "alwaysInclude/0", 11: "version", 13: "ours", 99: ""} {
		if got := m.fieldAt(n); got != want {
			t.Errorf("line %d: %q, want %q", n, got, want)
		}
	}
}
