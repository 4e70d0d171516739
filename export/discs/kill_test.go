package discs

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"talebinder/export"
)

// swapInstead names the environment variable that makes the test program swap the content of an image over and over, for
// tests that kill it.
const swapInstead = "TALEBINDER_TEST_SWAP"

// swapForever swaps the content of IMAGE for CONTENT until it is killed.
func swapForever(arguments string) int {
	image, content, _ := strings.Cut(arguments, "\n")
	s, err := NewSwap(SwapOptions{Image: image, Content: content, Location: time.UTC})
	for err == nil {
		_, err = s.Run(context.Background(), export.Discard())
		fmt.Println("swapped")
	}
	fmt.Println(err)
	return 1
}

// A killed swap in place leaves the old image or the new one, complete, each time.
func TestKilledSwapsLeaveACompleteImage(t *testing.T) {
	const kills = 20
	folder, image, _ := smallSwap(t)
	var contents, want [2]string
	for i := range contents {
		files := map[string]string{}
		for n := range 30 {
			files[fmt.Sprintf("sub%d/%d.bin", n%3, n)] = strings.Repeat(fmt.Sprintf("version %d of %d ", i, n), 30_000)
		}
		contents[i] = write(t, filepath.Join(folder, fmt.Sprint("content", i)), files)
		target := filepath.Join(folder, fmt.Sprint("want", i))
		if _, out, err := swap(t, image, target, contents[i]); err != nil {
			t.Fatal(out.messages(export.Error))
		}
		want[i] = string(read(t, target))
	}
	if err := os.WriteFile(image, []byte(want[1]), 0o666); err != nil {
		t.Fatal(err)
	}
	whole := 10 * time.Millisecond // how long a swap takes, found out below
	found := map[string]int{}
	for n := range kills + 1 {
		cmd := exec.Command(os.Args[0])
		cmd.Env = append(os.Environ(), swapInstead+"="+image+"\n"+contents[n%2])
		stdout, err := cmd.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		started := time.Now()
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		if n == 0 { // the first one is let through, to see how long it takes
			line := make([]byte, 100)
			if length, err := stdout.Read(line); err != nil || !strings.HasPrefix(string(line), "swapped\n") {
				t.Fatalf("the first swap: %q, %v", line[:length], err)
			}
			whole = time.Since(started)
		}
		time.Sleep(time.Duration(rand.Float64() * 1.2 * float64(whole)))
		if err := cmd.Process.Kill(); err != nil {
			t.Fatal(err)
		}
		_ = cmd.Wait()
		switch string(read(t, image)) {
		case want[n%2]:
			found["the new image"]++
		case want[(n+1)%2]:
			found["the old image"]++
		default:
			t.Fatalf("kill %d left neither image complete", n)
		}
	}
	t.Logf("%d kills left %v", kills, found)

	// What the killed swaps left behind goes with the next one.
	if _, out, err := swap(t, image, "", contents[0]); err != nil {
		t.Fatal(out.messages(export.Error))
	}
	for _, name := range names(t, folder) {
		if strings.HasPrefix(name, ".") || strings.HasSuffix(name, ".tmp") {
			t.Errorf("%s is left", name)
		}
	}
}
