# `make` lists the targets. Recipes have a line or two; anything longer is a program in Checks/ or scripts/.

SWIFT ?= swift
PYTHON := /usr/bin/python3

# A target can import only the dependencies that it declares: the compiler enforces the layers.
FLAGS := --explicit-target-dependency-import-check error
# BUILT=1 builds nothing: scripts/run-parts has built once for all parts that run beside each other.
BUILD := $(if $(BUILT),@:,$(SWIFT) build $(FLAGS))
LIST := $(SWIFT) test list --disable-xctest $(FLAGS)
# Limits parallelism. Without a limit all tests start at once, and blocking tests hold the threads
# that other tasks need, so that tests ran into their own timeouts.
TEST := scripts/run-tests $(SWIFT) test --disable-xctest $(FLAGS) \
	--experimental-maximum-parallelization-width 6 $(if $(BUILT),--skip-build --ignore-lock)
PROCESSES := Martlet(Server|Cluster)Tests
# The toolchain's own linker. The system linker warns about an unused function in Foundation.
LLD := -Xswiftc -use-ld=lld
# All debug builds need the same flags: with others everything is compiled again.
STRICT := -Xswiftc -warnings-as-errors
FORMATTED := find Sources Tests Examples Benchmarks Fuzz Package.swift -name '*.swift' \
	-not -path '*/Golden/*' -not -path '*/Cases/*' -print0 | xargs -0 -r $(SWIFT) format

ARGS ?=
F ?=
TARGET ?=
SECONDS ?= 60

.DEFAULT_GOAL := help
.PHONY: help run test ci check check-sources build-tests test-modules test-processes test-all test-packages test-mutants test-dependency test-schema test-browser test-faults test-crash test-cost test-release test-tsan test-asan soak soak-load soak-repeat soak-repeat-debug soak-week image test-image bench bench-quick bench-compare test-benchmarks bench-scale bench-live bench-attacks bench-alarms bench-cluster bench-app bench-queries fuzz slow-expressions compile-times format golden assets docs site setup-run setup-test setup-browser setup-faults setup-bench setup-cost setup-image clean test-proxies setup-proxies test-caldav setup-caldav bench-caldav test-slips test-recurrence test-cluster test-cluster-http test-operator test-upgrade setup-cluster test-stunnel setup-stunnel test-client setup-client test-app setup-app setup-assets deb tarball test-deb test-reproducible test-source test-api setup-package test-monitoring setup-monitoring test-push test-mail test-rings setup-push bench-push

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-12s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

run: setup-run ## build the release binary and serve http://127.0.0.1:8080 (ARGS="--port 9000")
	$(BUILD) -c release --static-swift-stdlib $(LLD) --product martlet
	@exec .build/release/martlet serve $(ARGS)

test: $(if $(F),check) ## check the sources, build without warnings, and run all tests (F=HTTP1: only tests whose name matches)
	@$(if $(F),$(LIST) --skip-build $(STRICT) | grep -qE '$(F)' \
		|| { echo "no test matches '$(F)'"; exit 1; })
	$(if $(F),$(TEST) --skip-build $(STRICT) --filter '$(F)',@MAKE="$(MAKE)" scripts/run-parts test)

ci: ## run what CI runs: make test, and each check from outside in its small form, two parts at a time
	@MAKE="$(MAKE)" scripts/run-parts ci $(ARGS)

test-modules: build-tests ## run the tests of all other modules (F=HTTP1: only tests whose name matches)
	$(TEST) --skip-build $(STRICT) --skip '$(PROCESSES)' $(if $(F),--filter '$(F)')

# In a process of their own: they block threads that asynchronous tests need, or wait for elections.
test-processes: build-tests ## run the tests of the program and of clusters, most of them with server processes (F=Kill)
	$(TEST) --skip-build $(STRICT) --filter '$(PROCESSES)$(if $(F),.*($(F)))'

check: check-sources build-tests ## check the sources, and build without warnings

build-tests: setup-test ## build the program and all tests without warnings
	$(BUILD) --build-tests $(STRICT)

check-sources: setup-test ## check formatting, structure, openapi.yaml, its types, CHANGELOG.md and patches
	@$(FORMATTED) lint --strict --parallel
	@$(PYTHON) scripts/structure
	@$(PYTHON) scripts/prose
	@$(PYTHON) scripts/bundle --check
	@$(PYTHON) scripts/assets --check
	@$(PYTHON) Checks/check-openapi
	@$(PYTHON) Checks/check-api --changelog
	@$(PYTHON) Checks/javascript/schemas.py --check
	@$(PYTHON) scripts/mutate --check
	@$(PYTHON) Checks/check-harness
	@$(PYTHON) Benchmarks/tables --self-test
	@$(PYTHON) Benchmarks/tables --allow-stale > /dev/null || $(PYTHON) Benchmarks/tables --allow-stale

test-all: ## run everything that takes too long for CI, in hours, without the parts that have passed with these files (SECONDS of fuzzing; ARGS="tsan fuzz": only these; ARGS=--list)
	@MAKE="$(MAKE)" scripts/run-parts all --fuzz-seconds $(SECONDS) $(ARGS)

test-schema: setup-test ## test a generated client, then valid and invalid requests generated from openapi.yaml (tools from PyPI)
	$(BUILD) --product martlet $(STRICT)
	@Checks/check-client .build/debug/martlet
	@Checks/check-schema .build/debug/martlet $(ARGS)

test-browser: setup-browser ## test the page /try in a headless Chromium (installs it)
	$(BUILD) --product martlet $(STRICT)
	@Checks/check-page .build/debug/martlet

test-client: setup-client ## test the JavaScript client in node, deno and Chromium (installs them; ARGS="node --commits 1000": only that)
	$(BUILD) --product martlet $(STRICT)
	@Checks/check-javascript .build/debug/martlet $(ARGS)

test-app: setup-app ## test the web app in a headless Chromium, a part of it in Firefox (installs both; ARGS="--only offline")
	$(BUILD) --product martlet $(STRICT)
	@$(if $(ARGS),,MAY_SKIP=$(MAY_SKIP) Checks/app/check-types && node --test Checks/app/*.test.mjs)
	@Checks/check-app .build/debug/martlet $(AGAIN) $(ARGS)

test-proxies: setup-proxies ## test the recipes of docs/proxies.md with Debian's nginx, Caddy and HAProxy (installs them)
	$(BUILD) --product martlet $(STRICT)
	@Checks/check-proxies .build/debug/martlet

test-caldav: setup-caldav ## test CalDAV with vdirsyncer, todoman, python-caldav and cadaver (installs them; ARGS="--only keys")
	$(BUILD) --product martlet $(STRICT)
	@Checks/check-caldav .build/debug/martlet $(ARGS)

test-release: setup-test ## run the tests of the libraries in a release build (seven minutes; F="Select|Store")
	$(TEST) -c release -Xswiftc -enable-testing --scratch-path .build/release-tests \
		--filter '$(or $(F),MartletQueryBuilderTests|MartletQueryMacrosTests|MartletSQLiteTests|MartletStoreTests|MartletLiveQueriesTests)'

test-source: setup-run ## run the commands of README.md for a start from source
	@MAKE="$(MAKE)" Checks/check-source

test-packages: setup-test ## build and run a package that depends on this one by path, with a small service
	@SWIFT=$(SWIFT) Checks/check-packages

test-dependency: setup-test ## build a package that depends on this one by branch, without network (committed changes only)
	@SWIFT=$(SWIFT) Checks/check-dependency

test-mutants: setup-test ## mutation testing: do the tests notice each patch of Tests/Mutants (an hour; ARGS="audience")
	@SWIFT=$(SWIFT) scripts/mutate $(ARGS)

test-recurrence: setup-test ## compare 100,000 random recurrence rules with python3-dateutil (minutes; ARGS=5000: so many; MARTLET_SEED=… repeats a run)
	MARTLET_RULES=$(or $(ARGS),100000) $(TEST) $(STRICT) --filter RecurrenceOracleTests

test-tsan: setup-test ## run the tests of server, store and live queries with ThreadSanitizer (separate build)
	@scripts/sanitize thread '$(F)'

test-asan: setup-test ## the same with AddressSanitizer
	@scripts/sanitize address '$(F)'

soak: soak-load soak-repeat soak-week ## does anything get slower or larger by being used: the three parts below, two hours

soak-load: setup-run ## run mixed load for half an hour; memory, descriptors and latency must stay constant (ARGS=5: five minutes)
	$(BUILD) -c release --static-swift-stdlib $(LLD) --product martlet
	@Checks/soak .build/release/martlet $(ARGS)

soak-repeat: setup-run ## run each operation 200,000 times on one process with small stacks, and compare it with a fresh one (ARGS="--count 5000 --stack 128")
	$(BUILD) -c release --static-swift-stdlib $(LLD) --product martlet
	@Checks/soak-repeat .build/release/martlet $(ARGS)

soak-repeat-debug: setup-test ## the same with a debug build, three times as long
	$(BUILD) --product martlet $(STRICT)
	@Checks/soak-repeat .build/debug/martlet $(ARGS)

soak-week: setup-test ## a household uses a server for a week with 2,000 writes a day, in minutes (ARGS=300: so many)
	MARTLET_WEEK=$(or $(ARGS),2000) $(TEST) $(STRICT) --filter WeekTests

test-faults: setup-faults ## make system calls of a server under load fail (installs strace)
	$(BUILD) --product martlet $(STRICT)
	@Checks/inject-faults .build/debug/martlet

test-crash: setup-test ## kill a server at every change of its files, and simulate power failures (ARGS="--stride 128": fewer)
	$(BUILD) --product martlet $(STRICT)
	@Checks/crash/sweep .build/debug/martlet $(ARGS)

test-cluster: setup-cluster ## faults in a cluster of three processes (ARGS="--seconds 60 kill": so long each, only these; root for some)
	$(BUILD) --product cluster-node $(STRICT)
	@Checks/check-cluster .build/debug/cluster-node $(ARGS)

test-cluster-http: setup-cluster ## a service on three nodes through HTTP, with faults (ARGS="--seconds 60 kill")
	$(BUILD) --product martlet $(STRICT)
	@Checks/check-compose .build/debug/martlet
	@Checks/check-cluster-tasks .build/debug/martlet
	@Checks/check-cluster-http .build/debug/martlet $(ARGS)

test-operator: setup-cluster ## run the commands of docs/cluster.md on three network namespaces, from one server to three and back (root)
	$(BUILD) --product martlet $(STRICT)
	@Checks/check-operator .build/debug/martlet $(ARGS)

test-upgrade: setup-cluster ## nodes of the last release, which is built first, and of this version in one cluster (ARGS="--seconds 20")
	$(BUILD) --product martlet $(STRICT)
	@SWIFT=$(SWIFT) Checks/check-upgrade .build/debug/martlet $(ARGS)

test-stunnel: setup-stunnel ## test a cluster over TLS, as in docs/cluster.md, on three network namespaces (root; installs stunnel4)
	$(BUILD) --product martlet $(STRICT)
	@Checks/check-stunnel .build/debug/martlet

test-push: setup-push ## test Web Push of the courier with http_ece and py-vapid (installs them; ARGS="--messages 50")
	$(BUILD) --product martlet $(STRICT)
	@Checks/check-push .build/debug/martlet $(ARGS)

test-mail: setup-push ## test mail of the courier with aiosmtpd (installs it)
	$(BUILD) --product martlet $(STRICT)
	@Checks/check-mail .build/debug/martlet

test-rings: setup-push ## kill the server and the courier while alarms ring and are answered (ARGS="--kills 10 --firings 150")
	$(BUILD) --product martlet $(STRICT)
	@Checks/check-rings .build/debug/martlet $(ARGS)

test-monitoring: setup-monitoring ## test the alert rules, the dashboard and the scrape example with Debian's prometheus (installs it)
	$(BUILD) --product martlet $(STRICT)
	@Checks/check-monitoring .build/debug/martlet

deb: setup-package ## make a Debian package in .build/package
	$(BUILD) -c release --static-swift-stdlib $(LLD) --product martlet
	@scripts/package deb .build/release/martlet

tarball: setup-package ## make a tarball of the program for other systems, with checksums
	$(BUILD) -c release --static-swift-stdlib $(LLD) --product martlet
	@scripts/package tarball .build/release/martlet

test-api: setup-test ## compare the Swift API of the libraries with that of the last release
	$(BUILD) --build-tests $(STRICT)
	@SWIFT=$(SWIFT) Checks/check-api

test-deb: setup-image deb tarball ## install both packages in clean Debian roots, run, upgrade and purge them (root; installs lintian)
	@Checks/check-package

test-reproducible: deb tarball ## build the packages again in another folder, and compare the bytes (committed changes only)
	@MAKE="$(MAKE)" Checks/check-reproducible

image: ## build the container image with docker, podman or buildah (TAG=martlet)
	@scripts/image

test-image: setup-image ## build the image from Debian packages only, and test it (needs root; installs buildah)
	@Checks/check-image

bench: setup-bench ## compare CPU time per request with a minimal server in C (installs wrk)
	$(BUILD) -c release --static-swift-stdlib $(LLD) --product martlet
	@Benchmarks/bench .build/release/martlet $(ARGS)

bench-quick: setup-bench ## the same in a minute
	$(BUILD) -c release --static-swift-stdlib $(LLD) --product martlet
	@Benchmarks/bench .build/release/martlet --rounds 1 --seconds 2 $(ARGS)

bench-compare: setup-run ## only compare the responses of the server in C with those of a debug build, which make bench measures
	$(BUILD) --product martlet $(STRICT)
	@Benchmarks/bench .build/debug/martlet --check

test-benchmarks: setup-bench setup-app setup-cluster setup-cost ## run each benchmark in its smallest form, and refuse tables of figures that are older than what they measure
	$(BUILD) -c release --static-swift-stdlib $(LLD) --product martlet
	$(BUILD) -c release --product live-bench --product query-bench
	@Checks/check-benchmarks .build/release/martlet

bench-scale: setup-bench ## measure how cost grows with reminders, connections, writers and live queries (ARGS="--sizes 10000,10000000"; docs/performance.md)
	$(BUILD) -c release --static-swift-stdlib $(LLD) --product martlet
	@Benchmarks/scale .build/release/martlet $(ARGS)

test-cost: setup-cost ## compare the instructions per request with Benchmarks/cost.txt (installs valgrind)
	$(BUILD) -c release --static-swift-stdlib $(LLD) --product martlet
	@Benchmarks/cost .build/release/martlet $(ARGS)

bench-attacks: setup-run ## measure what hostile clients cost: memory, and the latency of other clients
	$(BUILD) -c release --static-swift-stdlib $(LLD) --product martlet
	@for script in Benchmarks/attacks/*.py; do $(PYTHON) $$script .build/release/martlet $(ARGS) || exit 1; done

bench-alarms: setup-run ## measure how late alarms ring beside 10,000 armed ones, pushes to devices, answers, and memory
	$(BUILD) -c release --static-swift-stdlib $(LLD) --product martlet
	@$(PYTHON) Benchmarks/alarms .build/release/martlet $(ARGS)

bench-push: setup-run ## measure what encryption and signature of Web Push cost the courier: CPU time, memory
	$(BUILD) -c release --static-swift-stdlib $(LLD) --product martlet
	@$(PYTHON) Benchmarks/push .build/release/martlet $(ARGS)

bench-caldav: setup-run ## measure syncs over CalDAV among 100,000 reminders: time, memory
	$(BUILD) -c release --static-swift-stdlib $(LLD) --product martlet
	@$(PYTHON) Benchmarks/caldav .build/release/martlet $(ARGS)

bench-app: setup-app ## measure the budgets of the web app in a headless Chromium (installs it)
	$(BUILD) -c release --static-swift-stdlib $(LLD) --product martlet
	@Benchmarks/app .build/release/martlet $(ARGS)

bench-cluster: setup-bench setup-cluster ## measure three nodes next to one server: fail-over, writes, reads, streams (ARGS="--kills 100 failover"; root: a namespace each)
	$(BUILD) -c release --static-swift-stdlib $(LLD) --product martlet
	@Benchmarks/cluster .build/release/martlet $(ARGS)

bench-live: setup-run ## measure live queries: fan-out, many queries, memory, reconnects
	$(BUILD) -c release --product martlet --product live-bench
	@exec $$(command -v taskset > /dev/null && echo taskset -c 1) .build/release/live-bench $(ARGS)

bench-queries: setup-run ## compare the query builder with SQLite's C API
	$(BUILD) -c release --product query-bench
	@exec .build/release/query-bench $(ARGS)

fuzz: setup-run ## fuzz one target (TARGET=http SECONDS=60; Fuzz/README.md)
	@SWIFT=$(SWIFT) scripts/fuzz "$(TARGET)" $(SECONDS)

test-slips: setup-test ## compile typical mistakes with the query builder and check that the first error names the cause
	$(BUILD) --target MartletQueryBuilder $(STRICT)
	@Checks/check-slips $(ARGS)

slow-expressions: setup-test ## list expressions that take the type checker over 50 ms (full build)
	@rm -rf .build/slow-expressions .build/slow-expressions.log
	@$(SWIFT) build --build-tests --scratch-path .build/slow-expressions \
		-Xswiftc -Xfrontend -Xswiftc -warn-long-expression-type-checking=50 \
		> .build/slow-expressions.log || { tail .build/slow-expressions.log; exit 1; }
	@grep -E '^/.*expression took' .build/slow-expressions.log | sort -u | grep . || echo "none"

compile-times: setup-test ## list how long each module takes to compile (full build in a folder of its own)
	@SWIFT="$(SWIFT)" scripts/compile-times $(ARGS)

format: setup-run ## format the Swift files according to .swift-format
	@$(FORMATTED) --in-place --parallel

golden: setup-test ## rewrite the golden files with the current output; review the diff
	GOLDEN=rewrite $(TEST) $(STRICT) --filter 'MartletQueryMacrosTests|TriggersPageTests'

assets: setup-assets ## bundle the web app, and rewrite the list of embedded files: migrations, pages, openapi.yaml, problems
	@$(PYTHON) scripts/bundle
	@$(PYTHON) scripts/assets

site: setup-test ## build the documentation of all libraries as one site in .build/site (docc, offline)
	$(BUILD) --build-tests $(STRICT)
	@SWIFT=$(SWIFT) scripts/site

docs: ## rewrite the generated pages under docs/
	@$(PYTHON) scripts/structure --graph > docs/modules.md.new
	@mv docs/modules.md.new docs/modules.md

setup-run: ## install what is missing for a build
	@scripts/setup run

setup-test: ## install what is missing for the tests
	@scripts/setup test

setup-browser: ## install what is missing for test-browser
	@scripts/setup browser

setup-app: ## install what is missing for test-app
	@scripts/setup app

setup-assets: ## install what is missing for assets
	@scripts/setup assets

setup-client: ## install what is missing for test-client
	@scripts/setup client

setup-proxies: ## install what is missing for test-proxies
	@scripts/setup proxies

setup-caldav: ## install what is missing for test-caldav
	@scripts/setup caldav

setup-push: ## install what is missing for test-push
	@scripts/setup push

setup-monitoring: ## install what is missing for test-monitoring
	@scripts/setup monitoring

setup-stunnel: ## install what is missing for test-stunnel
	@scripts/setup stunnel

setup-faults: ## install what is missing for test-faults
	@scripts/setup faults

setup-bench: ## install what is missing for the benchmarks
	@scripts/setup bench

setup-cost: ## install what is missing for test-cost
	@scripts/setup cost

setup-package: ## install what is missing for deb and tarball
	@scripts/setup package

setup-image: ## install what is missing for test-image
	@scripts/setup image

clean: ## remove .build (never ./data)
	rm -rf .build
