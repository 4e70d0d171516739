package overrides

import "talebinder/formats/jsondoc"

func unreadable(component, path string, value jsondoc.Value) string { return "" }
