# Talebinder. `make run` opens the window on the sample game, `make test` checks everything; both do all the set-up.

GO      ?= go
TAGS    := migrated_fynedo
# The stamp of the version control system would need its program on the machine and says nothing that is used.
GOFLAGS := -buildvcs=false
export GOFLAGS
export LANG := en_US.UTF-8

.PHONY: run build headless test bench fuzz shots window setup clean

run: build
	@.ci/run-sample ./talebinder

build: setup
	$(GO) build -trimpath -tags $(TAGS) -o talebinder .

# The commands alone: no window, no C.
headless:
	CGO_ENABLED=0 $(GO) build -trimpath -tags headless -o talebinder-headless .

setup:
	@.ci/setup build

test: setup
	@.ci/setup window discs
	@unformatted=$$(gofmt -l .); [ -z "$$unformatted" ] || { echo "gofmt would change: $$unformatted"; exit 1; }
	$(GO) vet -tags $(TAGS) ./...
	CGO_ENABLED=0 $(GO) vet -tags headless . ./cli/... ./export/... ./project/... ./platforms/... ./formats/...
	CGO_ENABLED=0 GOOS=windows $(GO) vet -tags headless . ./cli/... ./export/... ./project/...
	CGO_ENABLED=0 GOOS=darwin $(GO) vet -tags headless . ./cli/... ./export/... ./project/...
	$(GO) test -tags $(TAGS) ./...
	$(MAKE) --no-print-directory headless window

# Starts the real window on a virtual display, walks every screen with the keyboard and ends it.
window: setup
	@.ci/setup window
	.ci/window

bench:
	$(GO) test -tags $(TAGS) -run '^$$' -bench . -benchmem ./formats/... ./project/... ./export/...

# Every fuzz target for FUZZTIME each.
FUZZTIME ?= 30s
fuzz:
	@$(GO) list -f '{{.ImportPath}}' ./formats/... ./project/... ./export/... | while read -r package; do \
	  for target in $$($(GO) test -list '^Fuzz' $$package | grep '^Fuzz'); do \
	    echo "== $$package $$target"; $(GO) test -run '^$$' -fuzz "^$$target\$$" -fuzztime $(FUZZTIME) -fuzzminimizetime 10x $$package || exit 1; \
	  done; \
	done

# A picture of every screen in light and dark, at two sizes.
shots:
	CGO_ENABLED=0 $(GO) run -tags $(TAGS) ./gui/shots shots

clean:
	rm -rf talebinder talebinder-headless builds shots
