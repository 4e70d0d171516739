package overrides

import (
	"talebinder/formats/jsondoc"
	"talebinder/project/scene"
)

// unreadable says why the engine could not read a value as the component's, or gives "".
func unreadable(component, path string, value jsondoc.Value) string {
	if !value.Exists() {
		return ""
	}
	if err := scene.FieldOf(component, path).Check(value); err != nil {
		return "the engine cannot read the value, and takes its default: " + err.Error()
	}
	return ""
}
