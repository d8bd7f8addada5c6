# Each target is one or two plain go commands; run them by hand as well.

.PHONY: all build check lint test race fuzz bench docs clean

all: build

build:
	go build -o bin/agenvantage ./cmd/agenvantage

# What .ci/run calls.
check: lint test race

lint: bin/staticcheck
	@unformatted=$$(gofmt -l $$(git ls-files '*.go')); if [ -n "$$unformatted" ]; then echo "gofmt -w these:"; echo "$$unformatted"; exit 1; fi
	go vet ./...
	bin/staticcheck ./...

# Tools live in a module of their own, so that the product's go.sum stays small.
bin/staticcheck: tools/go.mod tools/go.sum
	go build -C tools -o ../bin/staticcheck honnef.co/go/tools/cmd/staticcheck

# The test command of the README.
test:
	go test ./...

# The packages that share state between goroutines.
race:
	go test -race ./fusion/... ./channels/... ./index/... ./pipeline/... ./internal/app/...

# One minute for each fuzz target.
fuzz:
	@set -e; for dir in analysis plan scan scan/redact extract; do \
	  for target in $$(grep -rhoE '^func Fuzz[A-Za-z0-9_]+' $$dir/*_test.go | sed 's/^func //'); do \
	    echo "== $$dir $$target"; go test ./$$dir -run '^$$' -fuzz "^$$target$$" -fuzztime 60s; \
	  done; \
	done

# Cold build, no-op update, one-file update, queries in process and as a fresh process, on modules of the module cache.
bench: build
	go run ./internal/bench

docs:
	go test ./cmd/agenvantage -run TestReference -update

clean:
	rm -rf bin
