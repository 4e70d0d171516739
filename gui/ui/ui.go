// Package ui is what the window and its screens agree on: a screen, its commands, and what the window offers a screen.
// Screens import this package and never each other, so each of them can be built, tested and replaced alone.
package ui

import (
	"context"
	"time"

	"fyne.io/fyne/v2"

	"talebinder/gui/settings"
)

// Ids of the screens that others lead to.
const (
	ScreenBuild     = "build"
	ScreenContent   = "content"
	ScreenExports   = "exports"
	ScreenProblems  = "problems"
	ScreenReadiness = "readiness"
	ScreenPlayers   = "players"
	ScreenHistory   = "history"
	ScreenPacks     = "packs"
	ScreenScenes    = "scenes"
	ScreenFonts     = "fonts"
	ScreenPalette   = "palette"
	ScreenDiscs     = "discs"
)

// FocusPublish before a target and profile, as in "publish:win-x64/release", asks the players screen to publish their player.
const FocusPublish = "publish:"

// Names of what is remembered of a project for more than one screen.
const (
	RememberContentOnly = "contentOnly" // ids of the targets that only the game folder is exported for, separated by spaces
)

// The menus, in the order they stand in the bar.
const (
	MenuFile    = "File"
	MenuEdit    = "Edit"
	MenuProject = "Project"
	MenuExport  = "Export"
	MenuView    = "View"
	MenuHelp    = "Help"
)

// Menus lists the menus from left to right.
func Menus() []string {
	return []string{MenuFile, MenuEdit, MenuProject, MenuExport, MenuView, MenuHelp}
}

// A Command is something a person can do, in one place for menu, shortcut, palette and shortcut sheet.
type Command struct {
	ID       string          // unique, such as "build.save"
	Title    string          // a verb with its object; dots at the end when a question follows
	Menu     string          // one of the menus; empty: only in the palette
	Group    int             // commands of one number stand together, between lines
	Shortcut fyne.Shortcut   // shown in the menu; nil: none. It works while a field has focus when it has Ctrl or Alt
	Also     []fyne.Shortcut // further keys; those without Ctrl or Alt work while nothing has focus
	Icon     fyne.Resource
	Enabled  func() bool // nil: always
	Run      func()
}

// CanRun tells whether the command makes sense now.
func (c Command) CanRun() bool { return c.Run != nil && (c.Enabled == nil || c.Enabled()) }

// A Screen is one page of the workspace. It is made once and kept while its project is open; all of its methods are
// called on the interface's goroutine.
type Screen interface {
	ID() string
	Title() string
	Icon() fyne.Resource
	Content() fyne.CanvasObject // always the same object
	Commands() []Command        // asked for once, when the project has been opened
	Badge() string              // a short text beside the title, often a number; empty: none
	Shown()                     // it has come to the front
	Hidden()                    // it has gone to the back
	Close()                     // the project is being closed: stop tickers, forget subscriptions
}

// A Focuser is a screen that can bring one of its things into view: a field, an asset path, the id of a row.
type Focuser interface {
	Focus(what string)
}

// A Dropper is a screen that takes files dropped on the window while it is in front. It reports whether it did; what it
// does not take is opened as a project.
type Dropper interface {
	Drop(paths []string) bool
}

// A Taker is a Dropper that takes files of a kind also while it is not in front, and without a project: the window brings it
// to the front and drops the file on it.
type Taker interface {
	Dropper
	Takes(path string) bool
}

// An Editor is a screen with edits of its own. While it is in front, Undo, Redo, Save and Revert of the menus are about them,
// and nothing of them is thrown away without a question. The screen calls [Host.BadgesChanged] when any of it has changed.
type Editor interface {
	UndoTitle() string // of what Undo takes back; empty: nothing
	RedoTitle() string
	Undo()
	Redo()
	Dirty() bool
	DirtyFiles() []string // names for people of the files that Save would write
	Save(done func(error))
	Revert()
}

// Host is what the window offers a screen. Every method is called on the interface's goroutine, except Do.
type Host interface {
	// Do runs f on the interface's goroutine, soon. It is the one method that any goroutine may call.
	Do(f func())
	// Every calls f on the interface's goroutine about every d, at the shortest ten times a second, until stop is called.
	Every(d time.Duration, f func()) (stop func())
	Window() fyne.Window
	App() fyne.App
	// Workspace is the open project; never nil inside a screen of the workspace. Its Project is nil for the tools without one.
	Workspace() *Workspace
	// Go runs work in the background and shows a line for it in the status bar, with Cancel. done may be nil; it is called on the
	// interface's goroutine, unless the window is closing.
	Go(what string, work func(ctx context.Context) error, done func(error))
	// Show brings a screen to the front; focus is what the screen understands, or empty.
	Show(screen string, focus string)
	// OpenPlace leads to where a problem is: a field of build.json, an asset, else the file in its folder.
	// file is relative to the project folder, with forward slashes.
	OpenPlace(file string, line int)
	// OpenFolder shows a folder, or the folder of a file, in the system's file manager.
	OpenFolder(path string)
	Copy(text string)
	// Notify shows a line in the status bar, and a desktop notification while the window is not in front.
	Notify(text string)
	// Error shows what failed. A nil error shows nothing.
	Error(err error)
	// Confirm asks before something that cannot be taken back; verb is the button that does it.
	Confirm(title, body, verb string, ok func())
	// Ask asks for a line of text.
	Ask(q Question)
	Chooser() Chooser
	Settings() *settings.Settings
	// BadgesChanged asks the window to look at titles, badges and enabled commands again.
	BadgesChanged()
}

// A Question asks for a line of text, such as a name.
type Question struct {
	Title, Body string
	Label       string // of the field
	Text        string // to begin with
	Verb        string // the button that takes the text
	// Check says what is wrong with a text; nil means nothing ever is. The button is off while something is.
	Check func(text string) error
	// OK is given the text, without space around it. It is not called when the person cancels.
	OK func(text string)
}

// A Chooser asks for a place in the file system. done is called on the interface's goroutine, and not at all when the
// person cancels. start is a folder or file to begin with, or empty.
type Chooser interface {
	Folder(title, start string, done func(path string))
	File(title, start string, extensions []string, done func(path string))
	Save(title, start, name string, done func(path string))
}
