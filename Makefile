# The tasks of kibitz by name. On a bare machine two commands are enough: `make serve` and `make test`.
#
# PYTHON chooses the interpreter of a new environment (make PYTHON=python3.12 setup). The environment is .venv;
# its stamp files let a second `make serve` start at once. `make serve` installs what runs and builds the service;
# the targets for tests and linters install their tools when they are first called.

PYTHON ?= python3
BIN := .venv/bin
SYNCED := .venv/.synced
READY := .venv/.ready
TOOLS := .venv/.tools
LEXICON ?= scowl80
# The Makefile builds the kernels in place, so uv does not build them again.
SYNC := KIBITZ_IN_PLACE=1 $(BIN)/uv sync -q --frozen --compile-bytecode --no-build-isolation-package kibitz
# --inexact leaves the tools of the tests where they are.
INSTALL := $(SYNC) --no-dev --group build --inexact
KERNELS := setup.py $(shell find engine -name '*.pyx' -o -name '*.pxd' -o -name '*.pxi' -o -name '*.h')

# cython-lint starts pycodestyle by its name; debug_build.sh and the tests start python.
export PATH := $(CURDIR)/$(BIN):$(PATH)
EXTRACT := $(BIN)/pybabel -q extract -F pyproject.toml --no-location --sort-output
UPDATE := $(BIN)/pybabel -q update -w 110 --no-fuzzy-matching --ignore-obsolete --ignore-pot-creation-date
TESTS := $(BIN)/python -m pytest -n auto --maxprocesses 4

.DEFAULT_GOAL := help
.PHONY: help setup tools serve test test-all docs screenshots lint unit-test debug-test debug-test-all kernels messages lock release clean .same-python

help: ## list the targets
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/^([a-z-]+):.*## /\1\t/' | expand -t 14

setup: $(READY) ## create the environment, build the kernels and the bundled lexicon's tables
	@$(BIN)/kibitz lexicon build $(LEXICON) --if-missing

tools: $(TOOLS) ## install what the tests and linters need (make test and make lint do it themselves)
	@:

serve: $(READY) ## serve on 127.0.0.1:8080, after setting up what is missing
	@exec $(BIN)/kibitz serve

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

lint: $(TOOLS) ## ruff, mypy --strict, cython-lint, hadolint
	$(BIN)/ruff check .
	$(BIN)/ruff format --check --quiet .
	$(BIN)/mypy
	$(BIN)/cython-lint engine
	$(BIN)/hadolint Dockerfile

# From Python 3.12 on sys.monitoring counts lines at almost no cost; with 3.11 the tests would take twice as long.
unit-test: $(TOOLS) ## the tests without the slow ones, on up to four cores; coverage with Python 3.12 or later
	@if $(BIN)/python -c 'import sys; sys.exit(sys.version_info < (3, 12))'; then \
	    COVERAGE_CORE=sysmon $(TESTS) --cov --cov-report=html:build/coverage && \
	    echo "Coverage: $$($(BIN)/coverage report --format=total) % of the lines, listed in build/coverage/index.html"; \
	else \
	    $(TESTS) && \
	    echo "Coverage: measured with Python 3.12 or later; with 3.11 run .venv/bin/pytest --cov (twice the time)"; \
	fi

debug-test: $(TOOLS) ## the kernels' tests on a build with bounds checks and sanitizers
	PYTHON=$(BIN)/python sh tests/debug_build.sh

debug-test-all: $(TOOLS) ## debug-test with the other generators too, which takes twice as long
	KIBITZ_DEBUG=all PYTHON=$(BIN)/python sh tests/debug_build.sh

kernels: $(READY) ## compile the kernels whose sources have changed
	@:

messages: $(TOOLS) ## bring the catalogues of messages up to date with the texts in the code
	@mkdir -p build
	$(EXTRACT) -k message -k plural:1,2 -k Text -k said -k said_of:2,3 -o build/kibitz.pot --ignore-dirs="static templates" engine service service/templates/report
	$(UPDATE) -D kibitz -i build/kibitz.pot -d engine/messages/locales
	$(EXTRACT) -k t -k tn:1,2 -o build/page.pot --ignore-dirs=report service/static service/templates
	$(UPDATE) -D page -i build/page.pot -d service/locales

lock: $(READY) ## bring uv.lock up to date with pyproject.toml
	$(BIN)/uv lock --default-index https://pypi.org/simple

release: $(TOOLS) ## check version, changelog and tag; build wheel and sdist; install and try each in an empty environment
	@$(BIN)/python .ci/release.py

clean: ## remove the environment and everything that was built, except the tables of lexicons
	rm -rf .venv build dist *.egg-info .pytest_cache .mypy_cache .ruff_cache .hypothesis .benchmarks
	rm -rf tests/service/clients/node_modules tests/page/scripts/node_modules
	find kibitz engine service benchmarks lexicons docs tests -name __pycache__ -type d -prune -exec rm -rf {} +
	find engine -name '*.so' -delete -o -name '*_narrow.pyi' -delete -o -name '*_wide.pyi' -delete

# Stop if PYTHON names another Python than that of an existing environment, which would otherwise be used unchanged.
.same-python:
ifneq ($(origin PYTHON),file)
	@.ci/check-machine environment $(PYTHON)
endif

# The kernels are built before the project is installed, because uv would hide the progress of the compiler.
# If only kernel sources have changed, nothing else is done.
$(READY): pyproject.toml uv.lock $(KERNELS) | .same-python
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
	@$(BIN)/python -m compileall -q kibitz engine service benchmarks
	@touch $@

$(TOOLS): pyproject.toml uv.lock | .same-python $(READY)
	@echo "Installing what tests and linters need"
	@$(SYNC)
	@touch $@
