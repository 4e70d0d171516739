package charlist

const (
	maxUnicode = 0x10FFFF
	notACode   = 0xFFFFFFFF // what a broken sequence gives
)

func isSurrogate(code uint32) bool { return code >= 0xD800 && code < 0xE000 }

// decodeCode reads one character the way the game's tools do: overlong forms and surrogates pass. A size of 0 says that the
// bytes begin with no complete sequence.
func decodeCode(text []byte) (code uint32, size int) {
	lead := text[0]
	switch {
	case lead < 0x80:
		return uint32(lead), 1
	case lead&0xE0 == 0xC0:
		code, size = uint32(lead&0x1F), 2
	case lead&0xF0 == 0xE0:
		code, size = uint32(lead&0x0F), 3
	case lead&0xF8 == 0xF0:
		code, size = uint32(lead&0x07), 4
	default:
		return 0, 0
	}
	if len(text) < size {
		return 0, 0
	}
	for _, c := range text[1:size] {
		if c&0xC0 != 0x80 {
			return 0, 0
		}
		code = code<<6 | uint32(c&0x3F)
	}
	return code, size
}

// appendCode writes a character as UTF-8, halves of surrogate pairs too. Code points above U+10FFFF give nothing.
func appendCode(dst []byte, code uint32) []byte {
	switch {
	case code < 0x80:
		return append(dst, byte(code))
	case code < 0x800:
		return append(dst, 0xC0|byte(code>>6), 0x80|byte(code&0x3F))
	case code < 0x10000:
		return append(dst, 0xE0|byte(code>>12), 0x80|byte(code>>6&0x3F), 0x80|byte(code&0x3F))
	case code <= maxUnicode:
		return append(dst, 0xF0|byte(code>>18), 0x80|byte(code>>12&0x3F), 0x80|byte(code>>6&0x3F), 0x80|byte(code&0x3F))
	}
	return dst
}
