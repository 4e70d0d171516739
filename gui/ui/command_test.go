package ui

import "testing"

func TestCommandLinesAreTakenApartAgain(t *testing.T) {
	for _, test := range []struct {
		words   []string
		windows bool
		want    string
	}{
		{[]string{"talebinder", "export", "/home/a b/it's", "--target", "linux-x64", ""}, false,
			`talebinder export '/home/a b/it'\''s' --target linux-x64 ''`},
		{[]string{"talebinder", "export", `C:\My Games\grove`, "--output", `C:\out`, "50%"}, true,
			`talebinder export "C:\My Games\grove" --output C:\out "50%"`},
		{[]string{"a;b", "$HOME", "größe", "a&b"}, false, `'a;b' '$HOME' größe 'a&b'`},
	} {
		if got := commandLine(test.words, test.windows); got != test.want {
			t.Errorf("%q becomes %s, want %s", test.words, got, test.want)
		}
	}
}
