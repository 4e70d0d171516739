package csharp

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// directives is the state of conditional compilation.
type directives struct {
	defined []string  // symbols of #define
	open    []section // #if without its #endif, the outermost first
}

// section is an #if with its #elif and #else.
type section struct {
	active bool // the code of the current branch counts
	taken  bool // a branch has counted already, or the #if itself stands in code that does not
}

// active says whether code counts.
func (d *directives) active() bool { return len(d.open) == 0 || d.open[len(d.open)-1].active }

// directive reads the directive at the position and passes the code that it disables.
func (l *lexer) directive() {
	l.at++
	l.apply(l.restOfLine())
	for !l.active() && l.at < len(l.text) {
		l.at += l.newline()
		if line := strings.TrimLeftFunc(l.restOfLine(), unicode.IsSpace); strings.HasPrefix(line, "#") {
			l.apply(line[1:])
		}
	}
}

// apply carries out a directive, given without its #.
func (d *directives) apply(line string) {
	line, _, _ = strings.Cut(line, "//")
	line = strings.TrimSpace(line)
	word := identifier(line)
	rest := strings.TrimSpace(line[len(word):])
	top := len(d.open) - 1
	switch {
	case word == "if":
		on := d.active() && d.condition(rest)
		d.open = append(d.open, section{active: on, taken: on || !d.active()})
	case word == "elif" && top >= 0:
		on := !d.open[top].taken && d.condition(rest)
		d.open[top] = section{active: on, taken: on || d.open[top].taken}
	case word == "else" && top >= 0:
		d.open[top] = section{active: !d.open[top].taken, taken: true}
	case word == "endif" && top >= 0:
		d.open = d.open[:top]
	case word == "define" && d.active():
		d.defined = append(d.defined, identifier(rest))
	case word == "undef" && d.active():
		d.defined = slices.DeleteFunc(d.defined, func(s string) bool { return s == identifier(rest) })
	}
}

// identifier gives the identifier at the start of s, or "".
func identifier(s string) string {
	for i, r := range s {
		if r != '_' && !unicode.IsLetter(r) && !unicode.IsDigit(r) {
			return s[:i]
		}
	}
	return s
}

// condition evaluates the expression of #if or #elif.
func (d *directives) condition(s string) bool {
	e := expression{text: s, defined: d.defined}
	return e.or()
}

// expression evaluates left to right with the precedence of the language; what it cannot read is false.
type expression struct {
	text    string
	defined []string
	depth   int
}

// take passes a token, if it comes next.
func (e *expression) take(token string) bool {
	e.text = strings.TrimLeftFunc(e.text, unicode.IsSpace)
	rest, ok := strings.CutPrefix(e.text, token)
	if ok {
		e.text = rest
	}
	return ok
}

func (e *expression) or() bool {
	v := e.and()
	for e.take("||") {
		v = e.and() || v
	}
	return v
}

func (e *expression) and() bool {
	v := e.equal()
	for e.take("&&") {
		v = e.equal() && v
	}
	return v
}

func (e *expression) equal() bool {
	v := e.unary()
	for {
		switch {
		case e.take("=="):
			v = v == e.unary()
		case e.take("!="):
			v = v != e.unary()
		default:
			return v
		}
	}
}

func (e *expression) unary() bool {
	negate := false
	for e.take("!") {
		negate = !negate
	}
	return e.primary() != negate
}

func (e *expression) primary() bool {
	if e.depth < maxNesting && e.take("(") {
		e.depth++
		v := e.or()
		e.depth--
		e.take(")")
		return v
	}
	word := identifier(strings.TrimLeftFunc(e.text, unicode.IsSpace))
	if word == "" {
		// Something that is no expression: it is passed, so that the evaluation ends.
		_, n := utf8.DecodeRuneInString(e.text)
		e.text = e.text[n:]
		return false
	}
	e.take(word)
	return word == "true" || word != "false" && slices.Contains(e.defined, word)
}
