# Everything here can be run on a fresh Debian 12 with Swift 6.3: missing packages are installed.

SHELL := /bin/bash
.DEFAULT_GOAL := help

# The imports of every target stay within what Package.swift grants it.
CHECKED := --explicit-target-dependency-import-check error
RELEASE := -c release --static-swift-stdlib $(CHECKED)
BINARY := .build/release/counterfoil
PREFIX ?= /usr/local
REFEREES := .build/referees

# pkg-config module or command, and the Debian package that brings it.
BUILD_NEEDS := command=pkg-config:pkg-config libcrypto:libssl-dev \
	libmicrohttpd:libmicrohttpd-dev libcurl:libcurl4-openssl-dev simdjson:libsimdjson-dev \
	sqlite3:libsqlite3-dev libzstd:libzstd-dev
TEST_NEEDS := command=openssl:openssl command=python3:python3 command=curl:curl \
	command=zsh:zsh command=fish:fish
BENCH_NEEDS := command=wrk:wrk
REFEREE_NEEDS := command=python3:python3 python=ensurepip:python3-venv

# What docs/REFEREES.md says is said of these versions.
REFEREE := apple-purchase-receipt-verifier==0.12.0
REFEREE_OF_APPLE := app-store-server-library==3.1.2
# Once it is there, both are.
REFEREES_READY := $(REFEREES)/$(REFEREE)+$(REFEREE_OF_APPLE)

# One test at a time: deadlines are not kept beside other tests on two cores.
TEST := swift test --disable-xctest --no-parallel $(CHECKED)

SWIFT_SOURCES := Package.swift Sources Tests Benchmarks Examples

# Python with the library that tests compare verdicts with, once it is installed.
export COUNTERFOIL_REFEREES = $(if $(shell ls $(REFEREES_READY) 2>/dev/null),$(abspath $(REFEREES)/bin/python))

.PHONY: help build install uninstall run test soak fuzz lint format errors bench referees docs \
	example roots clean check-swift build-packages test-packages bench-packages referee-packages \
	try-referees vectors

help: ## Say what there is.
	@awk -F ':.*## ' '/^[a-z]+:.*## / { printf "  make %-10s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

build: check-swift build-packages ## Build the release binary, with the Swift runtime linked in.
	swift build $(RELEASE) --product counterfoil
	@printf '%s: %s MB\n' $(BINARY) "$$(stat -Lc %s $(BINARY) | awk '{ printf "%.1f", $$1 / 1e6 }')"

install: $(BINARY) ## Install it below PREFIX (/usr/local), with completions.
	scripts/install.sh install '$(BINARY)' '$(PREFIX)' '$(DESTDIR)'

uninstall: ## Remove what `make install` installed there.
	scripts/install.sh uninstall '$(BINARY)' '$(PREFIX)' '$(DESTDIR)'

# Only where nothing is built yet: installing as root should not build as root.
$(BINARY):
	$(MAKE) build

run: build ## Build, then show what it does: a local App Store, a server, and their talk.
	$(BINARY) demo

test: check-swift build-packages test-packages try-referees ## Run all tests at everyday sizes.
	$(TEST) $(if $(FILTER),--filter '$(FILTER)')

soak: export COUNTERFOIL_SOAK := 1
soak: test ## Run the same tests at full size (slow).

fuzz: check-swift build-packages ## Feed the readers with made-up inputs (TARGET=… SECONDS=…).
	scripts/fuzz.sh run $(or $(SECONDS),$(if $(COUNTERFOIL_SOAK),600,10)) $(TARGET)

lint: check-swift ## Check the format of the sources, the scripts and the texts.
	swift format lint --strict --recursive $(SWIFT_SOURCES)
	scripts/lint-texts.sh

format: check-swift ## Bring the Swift sources into the one format.
	swift format --in-place --recursive $(SWIFT_SOURCES)

errors: check-swift build-packages ## Write the tables of docs/ERRORS.md from the sources.
	COUNTERFOIL_WRITE_ERRORS=1 swift test --disable-xctest $(CHECKED) --filter ErrorDocumentTests

bench: check-swift build-packages bench-packages try-referees ## Measure verification and the server under load.
	swift build $(RELEASE) --product CounterfoilBenchmarks
	swift build $(RELEASE) --product counterfoil
	.build/release/CounterfoilBenchmarks
	$(if $(COUNTERFOIL_REFEREES),.build/release/CounterfoilBenchmarks peer $(COUNTERFOIL_REFEREES))
	Benchmarks/batch.sh $(if $(COUNTERFOIL_SOAK),100000 5)
	Benchmarks/ledger.sh $(if $(COUNTERFOIL_SOAK),100000 1000 100000 3000000)
	Benchmarks/load.sh $(if $(COUNTERFOIL_SOAK),30 1000000)

referees: $(REFEREES_READY) ## Install the libraries that tests compare verdicts with (from PyPI).

$(REFEREES_READY):
	@$(MAKE) --no-print-directory referee-packages
	rm -rf $(REFEREES)
	python3 -m venv $(REFEREES)
	$(REFEREES)/bin/pip install --quiet --disable-pip-version-check --retries 1 --timeout 20 \
		$(REFEREE) $(REFEREE_OF_APPLE)
	@touch $@

# Without a network the tests go on with OpenSSL as the only referee; in CI that does not do.
try-referees:
	@$(MAKE) --no-print-directory referees || { test -z "$$CI" && \
		echo "$(REFEREE) and $(REFEREE_OF_APPLE) cannot be installed; OpenSSL is the only referee." >&2; }

vectors: check-swift build-packages test-packages ## Make the signed test vectors anew, under a new authority.
	swift build $(CHECKED) --product counterfoil
	Tests/Vectors/make/make.py .build/debug/counterfoil

docs: check-swift build-packages ## Make the documentation of the libraries, in .build/docs.
	swift build $(CHECKED) --target AppStoreVerification
	swift build $(CHECKED) --target AppStoreSimulator
	scripts/make-docs.sh .build/docs

example: check-swift build-packages ## Build the example packages, run them, and compare with their READMEs.
	swift build $(CHECKED) --product counterfoil
	scripts/check-example.sh .build/debug/counterfoil

roots: ## Cut the Apple root certificates anew and compare them with the built-in ones.
	scripts/cut-roots.py
	git diff --exit-code --stat -- Sources/AppStoreVerification/Roots

clean: ## Remove everything that was built.
	rm -rf .build

check-swift:
	@scripts/check-swift.sh

build-packages:
	@scripts/install-packages.sh $(BUILD_NEEDS)

test-packages:
	@scripts/install-packages.sh $(TEST_NEEDS)

bench-packages:
	@scripts/install-packages.sh $(BENCH_NEEDS)

referee-packages:
	@scripts/install-packages.sh $(REFEREE_NEEDS)
