//go:build !headless

// Package start opens the window. It is the only package that creates the real application, and so the only one that
// needs a C compiler; builds with the tag headless leave it out.
package start

import (
	"os"
	"runtime/debug"
	"strconv"

	"fyne.io/fyne/v2/app"

	"talebinder/examples"
	"talebinder/gui"
	"talebinder/gui/settings"
	"talebinder/gui/theme"
)

// AppID names the program to the desktop.
const AppID = "io.github.talebinder.Talebinder"

// Run opens the window, on the project that path lies in or on the recent projects when path is empty, and returns the
// exit code of the program when the window is closed.
func Run(path string) int {
	set, failed := settings.Open(settings.ConfigFolder())
	setScale(set.Scale())
	a := app.NewWithID(AppID)
	a.SetIcon(theme.AppIcon())
	shell := gui.New(a, gui.Options{
		Settings: set, Sample: examples.Extract, DataFolder: settings.DataFolder(), Version: version(),
	})
	a.Lifecycle().SetOnStarted(func() {
		shell.Error(failed)
		if path != "" {
			shell.Open(path)
		}
	})
	shell.Run()
	return 0
}

// setScale tells the toolkit how large to draw. It listens to the environment alone, and only before it starts; what the
// person has set there already counts more.
func setScale(scale float32) {
	if scale == 0 || os.Getenv("FYNE_SCALE") != "" {
		return
	}
	for name, value := range map[string]string{
		"FYNE_SCALE": strconv.FormatFloat(float64(scale), 'g', -1, 32), "FYNE_DISABLE_DPI_DETECTION": "true",
	} {
		// A name and a value without a zero byte cannot be refused.
		_ = os.Setenv(name, value)
	}
}

// version is what the build says about itself; empty for one from a working copy.
func version() string {
	info, ok := debug.ReadBuildInfo()
	if !ok || info.Main.Version == "(devel)" {
		return ""
	}
	return info.Main.Version
}
