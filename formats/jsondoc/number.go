package jsondoc

import (
	"bytes"
	"math"
	"strconv"
)

// AppendFloat32 appends the shortest decimal that reads back as f in single precision, in the layout of the engine. With
// d the digits without trailing zeros and f = 0.d x 10^s, it is plain when -3 <= s <= 9 ("0.0001", "100000000") and
// otherwise has an exponent of at least two digits ("1E-05", "1.5E+15"). Negative zero is "-0". JSON has no numbers for
// what is not finite; it is appended as the engine writes it: "NaN", "Infinity" or "-Infinity", in quotes.
func AppendFloat32(dst []byte, f float32) []byte { return appendFloat(dst, float64(f), 32, 9) }

// AppendFloat64 is AppendFloat32 for double precision, where numbers are plain when -3 <= s <= 17.
func AppendFloat64(dst []byte, f float64) []byte { return appendFloat(dst, f, 64, 17) }

func appendFloat(dst []byte, f float64, bits, plain int) []byte {
	switch {
	case math.IsNaN(f):
		return append(dst, `"NaN"`...)
	case math.IsInf(f, 1):
		return append(dst, `"Infinity"`...)
	case math.IsInf(f, -1):
		return append(dst, `"-Infinity"`...)
	}
	if math.Signbit(f) {
		dst = append(dst, '-')
		f = -f
	}
	if f == 0 {
		return append(dst, '0')
	}
	var buffer [32]byte
	shortest := strconv.AppendFloat(buffer[:0], f, 'e', -1, bits) // d.ddde±dd
	mantissa, exponent, _ := bytes.Cut(shortest, []byte{'e'})
	power, _ := strconv.Atoi(string(exponent))
	scale := power + 1
	digits := append(mantissa[:1:1], mantissa[min(2, len(mantissa)):]...)
	switch {
	case scale < -3 || scale > plain:
		dst = append(dst, digits[0])
		if len(digits) > 1 {
			dst = append(dst, '.')
			dst = append(dst, digits[1:]...)
		}
		sign := byte('+')
		if power < 0 {
			sign, power = '-', -power
		}
		dst = append(dst, 'E', sign)
		if power < 10 {
			dst = append(dst, '0')
		}
		return strconv.AppendInt(dst, int64(power), 10)
	case scale <= 0:
		dst = append(dst, '0', '.')
		dst = append(dst, bytes.Repeat([]byte{'0'}, -scale)...)
		return append(dst, digits...)
	case scale >= len(digits):
		dst = append(dst, digits...)
		return append(dst, bytes.Repeat([]byte{'0'}, scale-len(digits))...)
	}
	dst = append(dst, digits[:scale]...)
	dst = append(dst, '.')
	return append(dst, digits[scale:]...)
}
