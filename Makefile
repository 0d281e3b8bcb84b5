# The tasks of kibitz by name. On a bare machine two commands are enough: `make serve` and `make test`.
#
# PYTHON chooses the interpreter of a new environment (make PYTHON=python3.12 setup). The environment is .venv;
# its stamp files let a second `make serve` start at once. `make serve` installs what runs and builds the service;
# the targets for tests and linters install their tools when they are first called.

PYTHON ?= python3
BIN := .venv/bin
SYNCED := .venv/.synced
READY := .venv/.ready
LAB := .venv/.lab
TOOLS := .venv/.tools
LEXICON ?= club
# The Makefile builds the kernels in place, so uv does not build them again.
SYNC := KIBITZ_IN_PLACE=1 $(BIN)/uv sync -q --frozen --extra service --compile-bytecode --no-build-isolation-package kibitz
# --inexact leaves the tools of the tests where they are.
INSTALL := $(SYNC) --no-dev --group build --inexact
KERNEL_SOURCES = setup.py $(shell find $(1) -name '*.pyx' -o -name '*.pxd' -o -name '*.pxi' -o -name '*.h')

# cython-lint starts pycodestyle by its name; debug_build.sh and the tests start python.
export PATH := $(CURDIR)/$(BIN):$(PATH)
EXTRACT := $(BIN)/pybabel -q extract -F pyproject.toml --no-location --sort-output
UPDATE := $(BIN)/pybabel -q update -w 110 --no-fuzzy-matching --ignore-obsolete --ignore-pot-creation-date
# Those who are done take tests from the others, so that no processor waits for a long file.
TESTS := $(BIN)/python -m pytest -n auto --maxprocesses 4 --dist worksteal
FAST := not slow and not long and not process and not browser and not client and not docs
NODE := tests/node
PAGE_TESTS := node --test $(NODE)/*.test.js > build/page-tests.log || { cat build/page-tests.log; exit 1; }
NODE_TOOLS := $(NODE)/node_modules/.package-lock.json

.DEFAULT_GOAL := help
.PHONY: help setup tools serve check test test-all docs screenshots client lint unit-test debug-test debug-test-all kernels messages lock release clean .same-python

help: ## list the targets
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/^([a-z-]+):.*## /\1\t/' | expand -t 14

setup: $(READY) ## create the environment, build the kernels and the bundled lexicon's tables
	@$(BIN)/kibitz lexicon build $(LEXICON) --if-missing

tools: $(TOOLS) ## install what the tests and linters need (make test and make lint do it themselves)
	@:

serve: $(READY) ## serve on 127.0.0.1:8080, after setting up what is missing
	@exec $(BIN)/kibitz serve

check: setup $(TOOLS) ## what to run after every change: linters, and the tests that start no process, browser or compiler
	@$(MAKE) --no-print-directory lint
	$(PAGE_TESTS)
	$(TESTS) --hypothesis-profile check -m "$(FAST)"

test: setup $(TOOLS) ## what CI runs on every change: linters, tests without the slow ones, debug build's tests
	@.ci/check-machine programs
	@$(MAKE) --no-print-directory lint
	@$(MAKE) --no-print-directory unit-test
	@$(MAKE) --no-print-directory debug-test

test-all: setup $(TOOLS) ## make test with the slow tests; prints a table of injected faults and their effects
	@.ci/check-machine programs
	@$(MAKE) --no-print-directory lint
	$(TESTS) -m "slow or not slow" --ignore tests/faults
	@$(MAKE) --no-print-directory debug-test
	$(BIN)/python -m pytest -m "slow or not slow" tests/faults

docs: setup $(TOOLS) ## build the documentation site into build/site; a warning is an error
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --strict

screenshots: setup $(TOOLS) ## take pictures of the page, the report and an embedded board into docs/screenshots
	$(BIN)/python -m docs.generate.screenshots

client: build/api.d.ts ## build the TypeScript client in clients/typescript
	@ln -sfn ../../$(NODE)/node_modules clients/typescript/node_modules
	@cp build/api.d.ts clients/typescript/src/api.ts
	@$(NODE)/node_modules/.bin/tsc --project clients/typescript

lint: $(TOOLS) build/api.d.ts ## ruff, mypy --strict, import-linter, cython-lint, hadolint; tsc and biome for the scripts of the page
	$(BIN)/ruff check .
	$(BIN)/ruff format --check --quiet .
	$(BIN)/mypy
	$(BIN)/lint-imports > build/imports.log || { cat build/imports.log; exit 1; }
	$(BIN)/cython-lint engine lab
	$(BIN)/hadolint Dockerfile
	$(NODE)/node_modules/.bin/tsc --project $(NODE)
	$(NODE)/node_modules/@biomejs/cli-*/biome lint --config-path $(NODE) --error-on-warnings service/static/*.js service/static/page service/static/judge service/static/topping service/static/quiz service/static/join service/static/puzzles service/static/editor

# From Python 3.12 on sys.monitoring counts lines at almost no cost; with 3.11 the tests would take twice as long.
unit-test: $(TOOLS) ## the tests without the slow ones, on up to four cores; coverage with Python 3.12 or later
	$(PAGE_TESTS)
	@if $(BIN)/python -c 'import sys; sys.exit(sys.version_info < (3, 12))'; then \
	    COVERAGE_CORE=sysmon $(TESTS) --cov --cov-report=html:build/coverage && \
	    echo "Coverage: $$($(BIN)/coverage report --format=total) % of the lines, listed in build/coverage/index.html"; \
	else \
	    $(TESTS) && \
	    echo "Coverage: measured with Python 3.12 or later; with 3.11 run .venv/bin/pytest --cov (twice the time)"; \
	fi

debug-test: $(TOOLS) ## the kernels' tests on a build with bounds checks and sanitizers
	PYTHON=$(BIN)/python sh tests/debug_build.sh

debug-test-all: $(TOOLS) ## debug-test with the kernels of the laboratory too, which takes twice as long
	KIBITZ_LAB=1 PYTHON=$(BIN)/python sh tests/debug_build.sh

kernels: $(LAB) ## compile the kernels whose sources have changed, those of the laboratory too
	@:

messages: $(TOOLS) ## bring the catalogues up to date with the texts in the code; list what has no translation
	@mkdir -p build
	$(EXTRACT) -k message -k plural:1,2 -k Text -k said -k said_of:2,3 -o build/kibitz.pot --ignore-dirs="static templates" engine lexicons kibitz service service/templates/report
	$(UPDATE) -D kibitz -i build/kibitz.pot -d engine/messages/locales
	$(EXTRACT) -k t -k tn:1,2 -o build/page.pot --ignore-dirs=report service/static service/templates
	$(UPDATE) -D page -i build/page.pot -d service/locales
	@$(BIN)/python .ci/release.py messages

lock: $(READY) ## bring uv.lock up to date with pyproject.toml
	$(BIN)/uv lock --default-index https://pypi.org/simple

release: $(TOOLS) messages ## check version, changelog, tag and translations; build wheel and sdist; install and try each in an empty environment
	@$(BIN)/python .ci/release.py

clean: ## remove the environment and everything that was built, except the tables of lexicons
	rm -rf .venv build dist *.egg-info .pytest_cache .mypy_cache .ruff_cache .hypothesis .benchmarks
	rm -rf $(NODE)/node_modules clients/typescript/node_modules clients/typescript/dist clients/typescript/src/api.ts
	find kibitz engine service lab benchmarks lexicons docs tests -name __pycache__ -type d -prune -exec rm -rf {} +
	find engine lab -name '*.so' -delete -o -name '*_narrow.pyi' -delete -o -name '*_wide.pyi' -delete

# Stop if PYTHON names another Python than that of an existing environment, which would otherwise be used unchanged.
.same-python:
ifneq ($(origin PYTHON),file)
	@.ci/check-machine environment $(PYTHON)
endif

# The kernels are built before the project is installed, because uv would hide the progress of the compiler.
# If only kernel sources have changed, nothing else is done.
$(READY): pyproject.toml uv.lock $(call KERNEL_SOURCES,engine) | .same-python
	@if [ -n "$$(find pyproject.toml uv.lock -newer $(SYNCED) 2>&1)" ]; then \
	    .ci/check-machine build $(PYTHON) && \
	    echo "Setting up kibitz in .venv: a few minutes the first time, most of them for compiling the kernels" && \
	    echo "1. packages (kibitz needs about thirty)" && \
	    { test -x $(BIN)/uv || { $(PYTHON) -m venv .venv && $(BIN)/pip install -q uv; }; } && \
	    $(INSTALL) --no-install-project && \
	    echo "2. kernels (Cython to C, then C to machine code, on all processors)"; \
	fi
	@.ci/build-kernels $(BIN)/python
	@if [ -n "$$(find pyproject.toml uv.lock -newer $(SYNCED) 2>&1)" ]; then \
	    echo "3. the command kibitz" && $(INSTALL) && touch $(SYNCED); \
	fi
	@# A start that compiles modules takes longer and 20 MB more memory.
	@$(BIN)/python -m compileall -q kibitz engine lexicons service
	@touch $@

# A service needs no kernel of the laboratory, so `make serve` leaves them out.
$(LAB): $(call KERNEL_SOURCES,engine lab) | $(READY)
	@echo "Compiling the kernels of the laboratory that have changed"
	@KIBITZ_LAB=1 .ci/build-kernels $(BIN)/python
	@touch $@

$(NODE_TOOLS): $(NODE)/package-lock.json
	@.ci/check-machine npm
	@npm ci --silent --prefix $(NODE) --no-audit --no-fund --ignore-scripts
	@touch $@

# What the server answers, as types for the scripts of the page; names of the engine are part of it.
build/api.d.ts: $(shell find service engine -name '*.py') $(NODE_TOOLS) | $(TOOLS)
	@mkdir -p build
	@$(BIN)/python -m docs.generate.openapi > build/openapi.json
	@$(NODE)/node_modules/.bin/openapi-typescript build/openapi.json --output $@ > build/api.log 2>&1 || { cat build/api.log; exit 1; }

$(TOOLS): pyproject.toml uv.lock | .same-python $(LAB)
	@echo "Installing what tests and linters need"
	@$(SYNC)
	@touch $@
