# Each target is one or two plain go commands; run them by hand as well.

.PHONY: all build check lint test race browser clients agents oracle fuzz bench model docs clean

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
	go test -race -short ./fusion/... ./channels/... ./index/... ./pipeline/... ./internal/app/...

# The HTML report and the page of `serve --http` in a real browser: skipped where none is installed, unless AGENVANTAGE_TEST_BROWSER names one. Never from
# the test cache, since that does not see the pages, which lie outside of the module.
browser:
	go -C tools/browser vet ./...
	go -C tools/browser test -count=1 ./...

# Clients of other makers drive the servers: two generations of the TypeScript SDK, and the Inspector. Needs node 20, npm and its
# registry.
clients: build
	npm --prefix tools/clients install --no-save --no-audit --no-fund
	npm --prefix tools/clients test

# Claude Code and Codex, set up by `agenvantage setup` and driven by a stand-in for their model: no account, but 800 MB from npm.
agents: build
	npm --prefix tools/clients install --no-save --no-audit --no-fund
	npm --prefix tools/clients/agents install --no-save --no-audit --no-fund
	npm --prefix tools/clients run agents

# The code graph of TypeScript against TypeScript's own checker. Needs node, npm and its registry.
oracle:
	AGENVANTAGE_TEST_NODE=1 go test ./graph -count=1 -run TestTypeScriptOracle -v

# One minute for each fuzz target.
fuzz:
	@set -e; for dir in analysis plan scan scan/git scan/history scan/redact extract ablations tokens graph embed/static embed/static/corpus; do \
	  for target in $$(grep -rhoE '^func Fuzz[A-Za-z0-9_]+' $$dir/*_test.go | sed 's/^func //'); do \
	    echo "== $$dir $$target"; go test ./$$dir -run '^$$' -fuzz "^$$target$$" -fuzztime 60s; \
	  done; \
	done

# Cold build, no-op update, one-file update, queries in process and as a fresh process, on modules of the module cache.
bench: build
	go run ./internal/bench

# Fetch the packages of embed/static/corpus/manifest.tsv, train the built-in embedding model anew and say whether corpus and model are the
# committed ones, byte for byte. Needs npm, apt-get and dpkg-deb, the network, some 5 GB and an hour or two; building and testing never need it. A run
# that was stopped goes on. APT holds further options of apt-get: the packages are of Debian 12 "bookworm", and docs/adr/0026-builtin-model.md says
# how to keep its lists apart.
model:
	go run ./embed/static/cmd/staticmodel rebuild -work bin/model -apt "$(APT)"

docs:
	go test ./cmd/agenvantage -run TestReference -update

clean:
	rm -rf bin
