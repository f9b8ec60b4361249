# `make` lists what there is. Every recipe is a line or two; what is longer lives in scripts/.

SWIFT ?= swift
PYTHON := /usr/bin/python3

# The floors of the house are enforced by the compiler too: a module sees what it declares, no more.
BUILD := $(SWIFT) build --explicit-target-dependency-import-check error
LIST := $(SWIFT) test list --disable-xctest --explicit-target-dependency-import-check error
# Without a bound all tests begin at once, and those that block hold the threads that the others' tasks need: tests
# waited for a minute for what takes a millisecond, and met their own deadlines.
TEST := scripts/run-tests $(SWIFT) test --disable-xctest --explicit-target-dependency-import-check error \
	--experimental-maximum-parallelization-width 6
# The toolchain's own linker: the system's warns of a function in Foundation that nobody calls.
LLD := -Xswiftc -use-ld=lld
# `check` and `test` share one build, so both pass the same flags.
STRICT := -Xswiftc -warnings-as-errors
FORMATTED := find Sources Tests Examples Benchmarks Fuzz Package.swift -name '*.swift' \
	-not -path '*/Golden/*' -not -path '*/Cases/*' -print0 | xargs -0 -r $(SWIFT) format

ARGS ?=
F ?=
TARGET ?=
SECONDS ?= 60

.DEFAULT_GOAL := help
.PHONY: help run test check test-all test-packages test-mutants test-dependency test-schema test-browser test-faults test-crash test-cost test-release test-tsan test-asan soak image test-image bench bench-quick bench-scale bench-live bench-attacks bench-queries fuzz slow-expressions format golden assets docs setup-run setup-test setup-browser setup-faults setup-bench setup-cost setup-image clean test-proxies setup-proxies test-slips

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-12s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

run: setup-run ## build the release binary and serve http://127.0.0.1:8080 (ARGS="--port 9000")
	$(BUILD) -c release --static-swift-stdlib $(LLD) --product martlet
	@exec .build/release/martlet serve $(ARGS)

test: check ## check, then every test (F=HTTP1 runs those whose name matches)
	@$(if $(F),$(LIST) --skip-build $(STRICT) | grep -qE '$(F)' \
		|| { echo "no test matches '$(F)'"; exit 1; })
	@# The process tests wait for other processes on the threads that asynchronous tests need.
	$(if $(F),$(TEST) --skip-build $(STRICT) --filter '$(F)',\
		$(TEST) --skip-build $(STRICT) --skip MartletServerTests && \
		$(TEST) --skip-build $(STRICT) --filter MartletServerTests)

check: setup-test ## formatting, structure, openapi.yaml, warnings
	@$(FORMATTED) lint --strict --parallel
	@$(PYTHON) scripts/structure
	@$(PYTHON) scripts/assets --check
	@$(PYTHON) scripts/check-openapi
	$(BUILD) --build-tests $(STRICT)

test-all: ## everything that takes longer than CI has: a line for each part, its log in .build/test-all (SECONDS of fuzzing; ARGS="tsan fuzz": these)
	@MAKE=$(MAKE) scripts/test-all --fuzz-seconds $(SECONDS) $(ARGS)

test-schema: setup-test ## a generated client, then everything that openapi.yaml allows, and what it does not (tools from PyPI)
	$(BUILD) --product martlet
	@scripts/check-client .build/debug/martlet
	@scripts/check-schema .build/debug/martlet $(ARGS)

test-browser: setup-browser ## try the page /try in a headless Chromium, which is installed for it
	$(BUILD) --product martlet
	@scripts/check-page .build/debug/martlet

test-proxies: setup-proxies ## the recipes of docs/proxies.md in Debian's nginx and Caddy, which are installed for it
	$(BUILD) --product martlet
	@scripts/check-proxies .build/debug/martlet

test-release: setup-test ## the tests of the libraries in a release build (seven minutes; F="Select|Store")
	$(TEST) -c release -Xswiftc -enable-testing --scratch-path .build/release-tests \
		--filter '$(or $(F),MartletQueryBuilderTests|MartletQueryMacrosTests|MartletSQLiteTests|MartletStoreTests|MartletLiveQueriesTests)'

test-packages: setup-test ## build and run a package that depends on this one by its path, a first service in it
	@SWIFT=$(SWIFT) scripts/check-packages

test-dependency: setup-test ## build a package that depends on this one by a branch, without network (what is committed)
	@SWIFT=$(SWIFT) scripts/check-dependency

test-mutants: setup-test ## break the code on purpose, once for each patch of Tests/Mutants: do the tests notice (an hour; ARGS="audience")
	@SWIFT=$(SWIFT) scripts/mutate $(ARGS)

test-tsan: setup-test ## the tests of server, store and live queries under ThreadSanitizer (builds everything anew)
	@scripts/sanitize thread '$(F)'

test-asan: setup-test ## the same under AddressSanitizer
	@scripts/sanitize address '$(F)'

soak: setup-run ## mixed load for half an hour: memory, descriptors and latency have to stay flat (ARGS=5: five minutes)
	$(BUILD) -c release --product martlet
	@scripts/soak .build/release/martlet $(ARGS)

test-faults: setup-faults ## let system calls of a server fail, under load (strace, which is installed for it)
	$(BUILD) --product martlet
	@scripts/inject-faults .build/debug/martlet

test-crash: setup-test ## kill a server at every change of its files, and take the power away (ARGS="--stride 128": fewer)
	$(BUILD) --product martlet
	@scripts/crash/sweep .build/debug/martlet $(ARGS)

image: ## build the container's image with docker, podman or buildah (TAG=martlet)
	@scripts/image

test-image: setup-image ## build it from Debian's packages alone, and run it as it would be run (root, buildah)
	@scripts/check-image

bench: setup-bench ## beside what the machine allows, a server in C: the server's time for each request (wrk, which is installed for it)
	$(BUILD) -c release --static-swift-stdlib $(LLD) --product martlet
	@Benchmarks/bench .build/release/martlet $(ARGS)

bench-quick: setup-bench ## the same in a minute
	$(BUILD) -c release --static-swift-stdlib $(LLD) --product martlet
	@Benchmarks/bench .build/release/martlet --rounds 1 --seconds 2 $(ARGS)

bench-scale: setup-bench ## how cost grows: with reminders, connections, writers, live queries (ARGS="--sizes 10000,10000000"; docs/performance.md)
	$(BUILD) -c release --static-swift-stdlib $(LLD) --product martlet
	@Benchmarks/scale .build/release/martlet $(ARGS)

test-cost: setup-cost ## count the instructions of each kind of request, and compare with what they were (valgrind, which is installed for it)
	$(BUILD) -c release --static-swift-stdlib $(LLD) --product martlet
	@Benchmarks/cost .build/release/martlet $(ARGS)

bench-attacks: setup-run ## what clients that mean harm cost: memory, and the time of others (each script of Benchmarks/attacks)
	$(BUILD) -c release --static-swift-stdlib $(LLD) --product martlet
	@for script in Benchmarks/attacks/*.py; do $(PYTHON) $$script .build/release/martlet $(ARGS) || exit 1; done

bench-live: setup-run ## live queries: fan-out, many queries, memory, reconnects
	$(BUILD) -c release --product martlet --product live-bench
	@exec $$(command -v taskset > /dev/null && echo taskset -c 1) .build/release/live-bench $(ARGS)

bench-queries: setup-run ## the query builder beside the plain C API
	$(BUILD) -c release --product query-bench
	@exec .build/release/query-bench $(ARGS)

fuzz: setup-run ## feed a target with made-up bytes (TARGET=http SECONDS=60; Fuzz/README.md)
	@SWIFT=$(SWIFT) scripts/fuzz "$(TARGET)" $(SECONDS)

test-slips: setup-test ## compile typical slips against the query builder: is the first error on its line, and does it name the cause
	$(BUILD) --target MartletQueryBuilder
	@scripts/check-slips $(ARGS)

slow-expressions: setup-test ## list what takes the type checker more than 50 ms (builds everything anew)
	@rm -rf .build/slow-expressions .build/slow-expressions.log
	@$(SWIFT) build --build-tests --scratch-path .build/slow-expressions \
		-Xswiftc -Xfrontend -Xswiftc -warn-long-expression-type-checking=50 \
		> .build/slow-expressions.log || { tail .build/slow-expressions.log; exit 1; }
	@grep -E '^/.*expression took' .build/slow-expressions.log | sort -u | grep . || echo "none"

format: setup-run ## rewrite the Swift files as .swift-format says
	@$(FORMATTED) --in-place --parallel

golden: setup-test ## rewrite the golden files from what the code gives now; read the diff
	GOLDEN=rewrite $(TEST) $(STRICT) --filter MartletQueryMacrosTests

assets: ## rewrite the list of the files that the program carries with it: migrations, pages, openapi.yaml, problems
	@$(PYTHON) scripts/assets

docs: ## rewrite what is generated under docs/
	@$(PYTHON) scripts/structure --graph > docs/modules.md.new
	@mv docs/modules.md.new docs/modules.md

setup-run: ## install what a build needs and this machine lacks
	@scripts/setup run

setup-test: ## the same for the tests
	@scripts/setup test

setup-browser: ## the same for the test of the page in a browser
	@scripts/setup browser

setup-proxies: ## the same for the test of the proxies' recipes
	@scripts/setup proxies

setup-faults: ## the same for the injection of faults
	@scripts/setup faults

setup-bench: ## the same for the benchmark
	@scripts/setup bench

setup-cost: ## the same for the counting of instructions
	@scripts/setup cost

setup-image: ## the same for the test of the image
	@scripts/setup image

clean: ## remove what was built (never ./data)
	rm -rf .build
