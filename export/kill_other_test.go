//go:build !unix

package export

const exportInstead = "TALEBINDER_TEST_EXPORT"

func exportForever(string) int { return 1 }
