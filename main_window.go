//go:build !headless

package main

import "talebinder/gui/start"

func openWindow(path string) int { return start.Run(path) }
