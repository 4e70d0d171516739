package assets

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"regexp"
	"strings"

	"talebinder/formats"
	"talebinder/formats/assetpath"
	"talebinder/formats/guid"
	"talebinder/project/problem"
)

// assetFolder is what the places of problems begin with: they are relative to the project folder.
const assetFolder = "assets/"

// Bounds of the list of problems, for projects in which nearly everything is wrong.
const (
	maxMissing = 50  // references of one document that are listed one by one
	maxSpelled = 200 // missing references for which other spellings are looked for
)

// Problems gives what the scan found, in path order: what the engine would write (each with its repair), references
// that lead nowhere, metas without an asset, assets whose paths differ only by case, and what cannot be read. The list
// is not to be changed.
//
// The codes are:
//
//	meta-missing        info     there is no .meta; the guid is derived from the path
//	meta-restored       warning  the .meta is only there as the backup of an interrupted write
//	meta-invalid        warning  the .meta is damaged or of a newer version; the guid is derived from the path
//	meta-folder         info     the .meta says folder of a file, or the other way round
//	guid-duplicate      warning  an asset earlier in path order has the same guid
//	importer-missing    info     the .meta names no importer
//	importer-old        info     the .meta names an older version of the importer
//	reference-missing   warning  a reference leads to no asset
//	document-damaged    warning  a document is broken, so its references are not all known
//	document-too-large  warning  a document is too large to be searched for references
//	document-unreadable warning  a document cannot be read
//	case-twins          warning  two paths differ only by case
//	meta-stray          warning  a .meta without its asset
//	meta-name           warning  a .meta that is not read since its name does not end in .meta in small letters
//	meta-unreadable     warning  a .meta cannot be read; the asset is left out
//	file-unreadable     warning  a file cannot be read; it is left out
//	folder-unreadable   warning  a folder cannot be read; what is in it is left out
//	folder-link         info     a folder that is a symbolic link; it is not entered
//	link-broken         warning  a symbolic link that leads nowhere; it is left out
//	not-a-file          warning  a device, pipe or socket; it is left out
//	name-not-utf8       warning  a name that is no UTF-8; it is left out
//	name-backslash      warning  a name with a backslash, which no path can name; it is left out
func (d *Database) Problems() []problem.Problem { return d.problems() }

// listProblems makes the list for Problems.
func (d *Database) listProblems() []problem.Problem {
	var all []problem.Problem
	notes := d.notes
	lost := d.lostGuids()
	spelled := 0
	for i := range d.assets {
		a := &d.assets[i]
		for len(notes) > 0 && assetpath.Compare(notes[0].path, a.Path) < 0 {
			all = append(all, notes[0].problem())
			notes = notes[1:]
		}
		if a.changes != 0 {
			all = append(all, d.metaProblems(a)...)
		}
		if twin := d.names().byPath[assetpath.Fold(a.Path)]; twin != int32(i) {
			all = append(all, problem.Problem{
				Level:   problem.Warning,
				Code:    "case-twins",
				Message: fmt.Sprintf("%s and %s differ only by case", a.Path, d.assets[twin].Path),
				File:    assetFolder + a.Path,
				Hint:    "A content pack does not tell them apart, so only one of them can ship, and on Windows and macOS only one can exist. Rename one in the editor, which updates the references.",
			})
		}
		if detail := d.details[a.index]; detail != nil {
			if detail.fileErr != nil {
				all = append(all, documentProblem(a, detail))
			}
			for _, m := range detail.missing[:min(len(detail.missing), maxMissing)] {
				all = append(all, d.missingProblem(a, m, lost, spelled < maxSpelled))
				spelled++
			}
			if n := len(detail.missing) - maxMissing; n > 0 {
				all = append(all, problem.Problem{
					Level:   problem.Warning,
					Code:    "reference-missing",
					Message: fmt.Sprintf("%s has %d more references that lead nowhere", a.Path, n),
					File:    assetFolder + a.Path,
					Hint:    "Perhaps the .meta files of the project are missing: check that they are under version control.",
				})
			}
		}
	}
	for _, n := range notes {
		all = append(all, n.problem())
	}
	return all
}

// metaProblems tells what the engine would write into the meta of an asset.
func (d *Database) metaProblems(a *Asset) []problem.Problem {
	var all []problem.Problem
	meta := a.Path + ".meta"
	add := func(p problem.Problem) {
		p.File = cmp.Or(p.File, assetFolder+meta)
		p.Repair = repairID(a)
		all = append(all, p)
	}
	detail := d.details[a.index]
	if a.changes&isNew != 0 {
		add(problem.Problem{
			Level:   problem.Info,
			Code:    "meta-missing",
			Message: meta + " does not exist yet",
			File:    assetFolder + a.Path,
			Hint:    fmt.Sprintf("Until it is written, the asset has the guid %s, which is derived from its path. The repair writes it.", a.Meta.Guid),
		})
	}
	if a.changes&isRestored != 0 {
		add(problem.Problem{
			Level:   problem.Warning,
			Code:    "meta-restored",
			Message: fmt.Sprintf("%s was lost when writing it was interrupted", meta),
			Hint:    fmt.Sprintf("Its backup %s is used in its place. The repair puts it back.", assetpath.Base(backupOf(meta))),
		})
	}
	if a.changes&isReplaced != 0 {
		line, column := placeOf(detail.metaErr)
		file, name := meta, assetpath.Base(meta)
		if a.changes&isRestored != 0 {
			file = backupOf(meta)
		}
		add(problem.Problem{
			Level:   problem.Warning,
			Code:    "meta-invalid",
			Message: fmt.Sprintf("%s is not valid: %v", file, withoutPlace(detail.metaErr)),
			File:    assetFolder + file,
			Line:    line, Column: column,
			Hint: fmt.Sprintf("Correct it, or take it from version control. Until then the asset has the guid %s, which is derived from its path. The repair writes a new one and keeps the old as .%s.invalid.",
				a.Meta.Guid, name),
		})
	}
	if a.changes&folderCorrected != 0 {
		is := "a file, but its .meta says that it is a folder"
		if a.Folder {
			is = "a folder, but its .meta says that it is a file"
		}
		add(problem.Problem{
			Level:   problem.Info,
			Code:    "meta-folder",
			Message: a.Path + " is " + is,
			Hint:    "What is on the disk counts. The repair corrects the .meta.",
		})
	}
	if a.changes&guidReplaced != 0 {
		keeper := d.assets[detail.duplicate].Path
		add(problem.Problem{
			Level:   problem.Warning,
			Code:    "guid-duplicate",
			Message: fmt.Sprintf("%s has the guid of %s, %s", a.Path, keeper, detail.original.Guid),
			Hint: fmt.Sprintf("%s keeps it, so references with this guid lead there; %s gets %s. The repair writes that guid. When the second file is a copy, delete its .meta or the copy.",
				keeper, a.Path, a.Meta.Guid),
		})
	}
	if a.changes&importerAdded != 0 {
		add(problem.Problem{
			Level:   problem.Info,
			Code:    "importer-missing",
			Message: fmt.Sprintf("%s names no importer", meta),
			Hint:    fmt.Sprintf("The importer %s, version %d, is taken. The repair writes it.", a.Meta.Importer, a.Meta.ImporterVersion),
		})
	}
	if a.changes&importerRaised != 0 {
		add(problem.Problem{
			Level:   problem.Info,
			Code:    "importer-old",
			Message: fmt.Sprintf("%s names version %d of the importer %s", meta, detail.original.ImporterVersion, a.Meta.Importer),
			Hint:    fmt.Sprintf("Version %d is taken. The repair writes it.", a.Meta.ImporterVersion),
		})
	}
	return all
}

// withoutPlace gives an error's text without its line and column, which a problem has of its own.
func withoutPlace(err error) string {
	text := err.Error()
	if line, column := placeOf(err); line > 0 {
		text = strings.TrimPrefix(text, fmt.Sprintf("line %d, column %d: ", line, column))
	}
	return text
}

// missingProblem tells of a reference that leads nowhere.
func (d *Database) missingProblem(a *Asset, m MissingReference, lost map[guid.Guid]string, spelling bool) problem.Problem {
	p := problem.Problem{
		Level: problem.Warning,
		Code:  "reference-missing",
		File:  assetFolder + a.Path,
		Line:  m.Line, Column: m.Column,
		Hint: "Put the asset back, or remove the reference in the editor.",
	}
	if m.Guid.IsZero() {
		p.Message = fmt.Sprintf("%s refers to %s, which does not exist", a.Path, cmp.Or(m.Path, "the asset folder itself"))
		if near := d.nearMiss(m.Path, spelling); near != "" {
			p.Hint = near + " exists: rename one or the other, or remove the reference in the editor."
			if assetpath.Fold(near) == assetpath.Fold(m.Path) {
				p.Hint = near + " exists with another case: rename it, or correct the reference in the editor."
			}
		}
		return p
	}
	p.Message = fmt.Sprintf("%s refers to the guid %s, which no asset has", a.Path, m.Guid)
	if meta := lost[m.Guid]; meta != "" {
		p.Hint = meta + " has this guid: put it in order, or remove the reference in the editor."
	} else if a.Kind.ID == Scene || a.Kind.ID == Prefab {
		p.Hint = "Put the asset and its .meta back, or remove the reference in the editor. It may also be an entity inside a prefab instance, which cannot be told from an asset."
	}
	return p
}

// documentProblem tells why the references of a document are not all known.
func documentProblem(a *Asset, detail *detail) problem.Problem {
	p := problem.Problem{
		Level: problem.Warning,
		File:  assetFolder + a.Path,
		Line:  detail.filePlace.line, Column: detail.filePlace.column,
	}
	why := detail.fileErr.Error()
	var fault *formats.Fault
	if errors.As(detail.fileErr, &fault) && p.Line > 0 {
		why = "found " + fault.Found + ", expected " + fault.Expected
	}
	var limit *formats.LimitError
	var system *fs.PathError
	switch {
	case errors.As(detail.fileErr, &limit):
		p.Code = "document-too-large"
		p.Message = fmt.Sprintf("%s is too large to be searched for references: %v", a.Path, limit)
		p.Hint = "Split it. Until then what only it refers to does not ship."
	case errors.As(detail.fileErr, &system):
		p.Code = "document-unreadable"
		p.Message = fmt.Sprintf("%s cannot be read: %v", a.Path, system.Err)
		p.Hint = "Check the permissions of the file. Until then what only it refers to does not ship."
	default:
		p.Code = "document-damaged"
		p.Message = fmt.Sprintf("%s is damaged: %s", a.Path, why)
		p.Hint = "Correct it, or take it from version control. References behind this place are not known."
		if a.Kind.ID == TileMap {
			p.Hint = "Save the map again, or take it from version control. Its references are not known."
		}
	}
	return p
}

// problem tells of what is no asset.
func (n note) problem() problem.Problem {
	path := strings.ToValidUTF8(n.path, "\uFFFD")
	p := problem.Problem{Level: problem.Warning, Code: n.code, File: assetFolder + path}
	var system *fs.PathError
	why := ""
	if errors.As(n.err, &system) {
		why = system.Err.Error()
	} else if n.err != nil {
		why = n.err.Error()
	}
	switch n.code {
	case "meta-stray":
		p.Message = path + " belongs to no asset"
		p.Hint = fmt.Sprintf("Put %s back, or delete the .meta.", assetpath.Base(path[:len(path)-len(".meta")]))
	case "meta-name":
		p.Message = path + " is not read: its name does not end in .meta in small letters"
		p.Hint = "Rename it."
	case "meta-unreadable":
		p.File += ".meta"
		p.Message = fmt.Sprintf("%s.meta cannot be read: %s", path, why)
		p.Hint = "Check the permissions of the file. Until then the asset is left out."
	case "file-unreadable":
		p.Message = fmt.Sprintf("%s cannot be read: %s", path, why)
		p.Hint = "Check the permissions of the file. Until then it is left out."
	case "folder-unreadable":
		p.Message = fmt.Sprintf("the folder %s cannot be read: %s", path, why)
		p.Hint = "Check the permissions of the folder. Until then what is in it is left out."
	case "folder-link":
		p.Level = problem.Info
		p.Message = fmt.Sprintf("the folder %s is a symbolic link, which is not entered", path)
		p.Hint = "Put the files themselves into the project to ship them."
	case "link-broken":
		p.Message = fmt.Sprintf("%s is a symbolic link that leads nowhere: %s", path, why)
		p.Hint = "Delete it, or put back what it leads to. Until then it is left out."
	case "not-a-file":
		p.Message = path + " is neither a file nor a folder, but a device, pipe or socket"
		p.Hint = "Delete it. It is left out."
	case "name-not-utf8":
		p.Message = path + ": the name is not UTF-8"
		p.Hint = "Rename the file. Until then it is left out, since no text of the project can name it."
	case "name-backslash":
		p.Message = path + ": the name has a backslash"
		p.Hint = "Rename the file. Until then it is left out, since a backslash in a path stands for a slash."
	}
	return p
}

// guidText finds what looks like the guid of a meta that is no valid document.
var guidText = regexp.MustCompile(`(?i)"guid"\s*:\s*"([0-9a-f-]{32,36})"`)

// lostGuids gives the guids of metas that belong to no asset or are not valid, with the metas' paths, when there are
// references that they might explain.
func (d *Database) lostGuids() map[guid.Guid]string {
	lost := make(map[guid.Guid]string)
	take := func(meta string) {
		text, err := readMetaText(d.file(meta))
		if err != nil {
			return
		}
		for _, m := range guidText.FindAllSubmatch(text, -1) {
			if g, ok := guid.ParseReference(string(m[1])); ok && lost[g] == "" {
				lost[g] = meta
			}
		}
	}
	wanted := false
	for _, detail := range d.details {
		wanted = wanted || len(detail.missing) > 0
	}
	if !wanted {
		return lost
	}
	for i := range d.assets {
		if a := &d.assets[i]; a.changes&isReplaced != 0 && a.changes&isRestored == 0 {
			take(a.Path + ".meta")
		}
	}
	for _, n := range d.notes {
		if n.code == "meta-stray" || n.code == "meta-name" {
			take(n.path)
		}
	}
	return lost
}
