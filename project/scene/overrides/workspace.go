// Package overrides says where the instances of prefabs differ from their prefabs, over a whole project, and edits them:
// sets, reverts, applies, removes, restores and clears. Every edit is worked out as a Change first, which lists the files,
// instances and values that it touches, and is then made as one step that can be undone.
//
// Edits are lossless: of a file only the bytes of the changed values change. What is new is laid out as its surroundings are,
// so that a file that was in the engine's own layout stays in it.
package overrides
