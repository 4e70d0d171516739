// Package scene reads scenes and prefabs, writes them as the engine does, and puts prefabs in the place of their instances.
//
// # Documents
//
// A scene (.tscene) and a prefab (.tprefab) are JSON documents of the same entities. Parse gives a Document: typed values beside
// the JSON they were read from. Every part of it has its place there, so that an edit can replace the bytes of one value and a
// window can show the line; unknown fields stay in the JSON. Canonical gives the text that the engine would write.
//
//	document      version (1), id, environment (scenes only), entities
//	environment   clearColor (null), ambientLight (#FFFFFF), ambientIntensity (1), gravity ([0, 980]), renderLayers
//	render layer  name, layer (0), lit (true)
//	entity        id, name, parent (null), active (true), editor, prefab (null), components
//	editor        hidden (false), locked (false)
//	component     type, data
//	prefab link   asset, overrides, removedComponents
//	override      entity, component, path, value
//	removed       entity, component
//
// Properties are written in this order, all of them; what else an object has follows, except in overrides and removed
// components, where it is dropped. Guids are 32 digits, colors capitals. A list of one to four numbers is on one line inside data
// and value, and nowhere else; numbers there keep the text they were read with.
//
// # Expansion
//
// An Expander turns a document into plain nodes. An instance of a prefab is replaced by the prefab's entities: its first entity without
// a parent takes the instance's id, name, active state and parent, every other one an id derived from both (Derive). First the components
// in removedComponents go, then the overrides are set in order, then the instance's own components replace those of their type on
// the root. Prefabs may hold instances of others at any depth; a prefab inside of itself, a missing one, an override without target
// are warnings. A prefab is expanded once, and its instances share its data until they change it.
//
// # Values
//
// What a component's data means is up to the engine, its plugins and the game's scripts. The functions Read... read a value as each of the
// types that data is made of; Fields lists what is known of the engine's components.
package scene

import "strings"

// KindOf gives the kind of the document in a file of this name, by its extension.
func KindOf(path string) (Kind, bool) {
	dot := strings.LastIndexByte(path, '.')
	if dot < 0 {
		return Scene, false
	}
	switch strings.ToLower(path[dot:]) {
	case ".tscene":
		return Scene, true
	case ".tprefab":
		return Prefab, true
	}
	return Scene, false
}
