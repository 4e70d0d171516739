package words

import "testing"

func TestSize(t *testing.T) {
	for n, want := range map[int64]string{
		0: "0 B", 1: "1 B", 1023: "1023 B", 1024: "1.0 kB", 4096: "4.0 kB", 39951565: "38.1 MB", 1 << 30: "1.00 GB",
		5 << 40: "5.00 TB", -2048: "-2.0 kB",
	} {
		if got := Size(n); got != want {
			t.Errorf("%d bytes are written %q, expected %q", n, got, want)
		}
	}
}
