//go:build !windows

package start

import _ "talebinder/gui/start/locale" // before the toolkit looks at the locale
