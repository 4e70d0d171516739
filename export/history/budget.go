package history

import (
	"fmt"
	"math"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"

	"talebinder/export/folders"
	"talebinder/export/internal/perproject"
)

// Budgets are the sizes that a person wants builds to stay below: one for each target of a project, in bytes. They are kept
// with the program's settings and not in the project.
type Budgets struct {
	file perproject.File[map[string]int64]
}

// OpenBudgets gives the budgets in a file, which need not exist yet.
func OpenBudgets(path string) Budgets { return Budgets{perproject.New[map[string]int64](path)} }

// DefaultBudgets are the budgets in the program's configuration folder.
func DefaultBudgets() Budgets { return OpenBudgets(filepath.Join(folders.Config(), "budgets.json")) }

// Get gives the budgets of a project by target id.
func (b Budgets) Get(project string) (map[string]int64, error) {
	budgets, err := b.file.Get(project)
	if budgets == nil {
		budgets = map[string]int64{}
	}
	return budgets, err
}

// Set sets the budget of a target in bytes; 0 takes it away.
func (b Budgets) Set(project, target string, bytes int64) error {
	if bytes < 0 {
		return fmt.Errorf("a budget of %d bytes is below nothing", bytes)
	}
	return b.file.Change(project, func(budgets map[string]int64) (map[string]int64, bool) {
		if budgets == nil {
			budgets = map[string]int64{}
		}
		if bytes == 0 {
			delete(budgets, target)
		} else {
			budgets[target] = bytes
		}
		return budgets, len(budgets) > 0
	})
}

// BudgetLevel says how a size stands to a budget.
type BudgetLevel uint8

// The levels, from the best to the worst.
const (
	NoBudget BudgetLevel = iota
	Within
	Near // nine tenths or more
	Over
)

// String gives the level in words.
func (l BudgetLevel) String() string {
	return [...]string{"no budget", "within the budget", "near the budget", "over the budget"}[l]
}

// BudgetState is a size beside its budget.
type BudgetState struct {
	Size, Budget int64 // bytes; a budget of 0 is none
	Level        BudgetLevel
}

// EvaluateBudget compares a size with a budget; 0 means that there is none.
func EvaluateBudget(size, budget int64) BudgetState {
	s := BudgetState{Size: size, Budget: budget}
	const near = 0.9
	switch {
	case budget <= 0:
		s.Budget = 0
	case size > budget:
		s.Level = Over
	case float64(size) >= near*float64(budget):
		s.Level = Near
	default:
		s.Level = Within
	}
	return s
}

// Left is how many bytes may still be added; negative when the budget is exceeded.
func (s BudgetState) Left() int64 { return s.Budget - s.Size }

// Share is the size as a share of the budget: 1 when it is used up, 0 without one.
func (s BudgetState) Share() float64 {
	if s.Budget == 0 {
		return 0
	}
	return float64(s.Size) / float64(s.Budget)
}

var (
	sized = regexp.MustCompile(`^(\d+(?:\.\d+)?)\s*([a-zA-Z]*)$`)
	units = map[string]float64{
		"": 1, "b": 1, "byte": 1, "bytes": 1,
		"kb": 1 << 10, "mb": 1 << 20, "gb": 1 << 30, "tb": 1 << 40,
		"kib": 1 << 10, "mib": 1 << 20, "gib": 1 << 30, "tib": 1 << 40,
	}
)

// ParseSize reads a size as a person writes it, such as "64 MB", "1.5GiB" or "700000": bytes, or units in steps of 1024,
// which is how the program writes sizes, whether they are called kB, MB, GB, TB or KiB, MiB, GiB, TiB.
func ParseSize(text string) (int64, error) {
	m := sized.FindStringSubmatch(strings.TrimSpace(text))
	if m != nil {
		number, err := strconv.ParseFloat(m[1], 64)
		unit, known := units[strings.ToLower(m[2])]
		if bytes := math.Round(number * unit); err == nil && known && bytes < 1<<62 {
			return int64(bytes), nil
		}
	}
	return 0, fmt.Errorf("%q is no size: write a number with kB, MB, GB, KiB, MiB or GiB, such as 64 MB", text)
}
