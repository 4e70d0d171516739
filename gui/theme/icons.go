package theme

import (
	"embed"
	"io/fs"

	"fyne.io/fyne/v2"
	fynetheme "fyne.io/fyne/v2/theme"
)

// The icons are outlines on a grid of 24 with lines of 2, made of filled shapes only: the toolkit colours fills, not
// strokes.
//
//go:embed icons/*.svg
var iconFiles embed.FS

// An IconName is one of the icons of the window.
type IconName string

// The icons.
const (
	IconAdd          IconName = "add"
	IconApple        IconName = "apple"
	IconArrowRight   IconName = "arrow-right"
	IconBuild        IconName = "build"
	IconCancelled    IconName = "cancelled"
	IconCheck        IconName = "check"
	IconChevronDown  IconName = "chevron-down"
	IconChevronRight IconName = "chevron-right"
	IconChevronUp    IconName = "chevron-up"
	IconClose        IconName = "close"
	IconCompare      IconName = "compare"
	IconConsole      IconName = "console"
	IconContent      IconName = "content"
	IconCopy         IconName = "copy"
	IconData         IconName = "data"
	IconDesktop      IconName = "desktop"
	IconDisc         IconName = "disc"
	IconDrop         IconName = "drop"
	IconEntity       IconName = "entity"
	IconError        IconName = "error"
	IconExports      IconName = "exports"
	IconExternal     IconName = "external"
	IconFailed       IconName = "failed"
	IconFile         IconName = "file"
	IconFolder       IconName = "folder"
	IconFolderOpen   IconName = "folder-open"
	IconFont         IconName = "font"
	IconGrip         IconName = "grip"
	IconHealthy      IconName = "healthy"
	IconHistory      IconName = "history"
	IconHome         IconName = "home"
	IconImage        IconName = "image"
	IconInfo         IconName = "info"
	IconKeyboard     IconName = "keyboard"
	IconLabel        IconName = "label"
	IconLink         IconName = "link"
	IconLinux        IconName = "linux"
	IconLock         IconName = "lock"
	IconMap          IconName = "map"
	IconMoon         IconName = "moon"
	IconMore         IconName = "more"
	IconPackage      IconName = "package"
	IconPalette      IconName = "palette"
	IconParticles    IconName = "particles"
	IconPin          IconName = "pin"
	IconPlay         IconName = "play"
	IconPlugin       IconName = "plugin"
	IconPrefab       IconName = "prefab"
	IconProblems     IconName = "problems"
	IconRedo         IconName = "redo"
	IconReload       IconName = "reload"
	IconRemove       IconName = "remove"
	IconSample       IconName = "sample"
	IconSave         IconName = "save"
	IconScene        IconName = "scene"
	IconScenes       IconName = "scenes"
	IconScript       IconName = "script"
	IconSearch       IconName = "search"
	IconSettings     IconName = "settings"
	IconShader       IconName = "shader"
	IconSound        IconName = "sound"
	IconStop         IconName = "stop"
	IconSuccess      IconName = "success"
	IconSun          IconName = "sun"
	IconTrash        IconName = "trash"
	IconUndo         IconName = "undo"
	IconWaiting      IconName = "waiting"
	IconWindows      IconName = "windows"
	IconWrench       IconName = "wrench"
)

// IconFiles are the pictures themselves, as icons/NAME.svg.
func IconFiles() fs.FS { return iconFiles }

// Icon gives an icon in the colour of the text.
func Icon(name IconName) fyne.Resource { return IconIn(name, fynetheme.ColorNameForeground) }

// IconIn gives an icon in a colour of the theme; it follows the theme.
func IconIn(name IconName, color fyne.ThemeColorName) fyne.Resource {
	file := string(name) + ".svg"
	data, err := iconFiles.ReadFile("icons/" + file)
	if err != nil {
		return fynetheme.NewColoredResource(fynetheme.BrokenImageIcon(), color)
	}
	return fynetheme.NewColoredResource(fyne.NewStaticResource("talebinder-"+file, data), color)
}
