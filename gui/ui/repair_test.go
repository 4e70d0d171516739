package ui

import (
	"strings"
	"testing"

	"talebinder/project/assets"
)

func TestTheQuestionNamesTheFiles(t *testing.T) {
	one := repairQuestion(assets.Repair{Files: []string{"assets/a.png.meta"}})
	if !strings.Contains(one, "This file is written:\nassets/a.png.meta") {
		t.Error(one)
	}
	many := make([]string, 1000)
	for i := range many {
		many[i] = "x.meta"
	}
	if got := repairQuestion(assets.Repair{Files: many}); !strings.HasSuffix(got, "and 988 more") || strings.Count(got, "\n") != listedFiles+1 {
		t.Error(got)
	}
}
