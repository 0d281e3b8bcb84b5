# kibitz: every task by name. Two commands are all it takes on a bare machine: `make serve` and `make test`.
#
# PYTHON chooses the interpreter of the environment (make PYTHON=python3.12 setup). The environment is .venv;
# its stamp files let a second `make serve` start at once. Serving installs what runs and builds the service,
# the tests and linters install theirs when they are first asked for.

PYTHON ?= python3
BIN := .venv/bin
SYNCED := .venv/.synced
READY := .venv/.ready
TOOLS := .venv/.tools
LEXICON ?= scowl80
# Kernels are built by setup.py, in place; uv need not do it again.
SYNC := KIBITZ_IN_PLACE=1 $(BIN)/uv sync -q --frozen --compile-bytecode --no-build-isolation-package kibitz
# --inexact: the tools of the tests stay, if they are there.
INSTALL := $(SYNC) --no-dev --group build --inexact
KERNELS := setup.py $(shell find engine -name '*.pyx' -o -name '*.pxd' -o -name '*.pxi' -o -name '*.h')

# cython-lint calls pycodestyle by name, debug_build.sh and the tests call python.
export PATH := $(CURDIR)/$(BIN):$(PATH)

.DEFAULT_GOAL := help
.PHONY: help setup tools serve test test-all docs lint unit-test debug-test debug-test-all kernels lock clean

help: ## list the targets
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/^([a-z-]+):.*## /\1\t/' | expand -t 14

setup: $(READY) ## create the environment, build the kernels and the bundled lexicon's tables
	@$(BIN)/kibitz lexicon build $(LEXICON) --if-missing

tools: $(TOOLS) ## install what tests and linters need besides; they do it themselves
	@:

serve: $(READY) ## serve on 127.0.0.1:8080, after setting up what is missing
	@exec $(BIN)/kibitz serve

test: setup $(TOOLS) ## install what the tests need and run everything: linters, tests, the debug build's tests
	@.ci/check-machine programs
	@$(MAKE) --no-print-directory lint
	@$(MAKE) --no-print-directory unit-test
	@$(MAKE) --no-print-directory debug-test

test-all: setup $(TOOLS) ## the same with the tests that take long; ends with a table of the faults and what they did
	@.ci/check-machine programs
	@$(MAKE) --no-print-directory lint
	$(BIN)/python -m pytest -n auto --maxprocesses 4 -m "slow or not slow" --ignore tests/faults
	@$(MAKE) --no-print-directory debug-test
	$(BIN)/python -m pytest -m "slow or not slow" tests/faults

docs: setup $(TOOLS) ## build the documentation site into build/site; a warning is an error
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --strict

lint: $(TOOLS) ## ruff, mypy --strict, cython-lint, hadolint
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/cython-lint engine
	$(BIN)/hadolint Dockerfile

unit-test: $(TOOLS) ## the tests alone, without the slow ones, on up to four cores
	$(BIN)/python -m pytest -n auto --maxprocesses 4

debug-test: $(TOOLS) ## the kernels' tests on a build with bounds checks and sanitizers
	PYTHON=$(BIN)/python sh tests/debug_build.sh

debug-test-all: $(TOOLS) ## the same with the rival generators, which takes twice as long
	KIBITZ_DEBUG=all PYTHON=$(BIN)/python sh tests/debug_build.sh

kernels: $(READY) ## build the kernels that changed
	@:

lock: $(READY) ## bring uv.lock up to date with pyproject.toml
	$(BIN)/uv lock --default-index https://pypi.org/simple

clean: ## remove the environment and everything that was built, but no tables
	rm -rf .venv build dist *.egg-info .pytest_cache .mypy_cache .ruff_cache .hypothesis .benchmarks
	rm -rf tests/service/clients/node_modules
	find kibitz engine service benchmarks lexicons docs tests -name __pycache__ -type d -prune -exec rm -rf {} +
	find engine -name '*.so' -delete

# The kernels are built in place, where their progress is seen, before the project is installed, which then finds
# them built. While only kernel sources have changed, building is all there is to do.
$(READY): pyproject.toml uv.lock $(KERNELS)
	@if [ -n "$$(find pyproject.toml uv.lock -newer $(SYNCED) 2>&1)" ]; then \
	    .ci/check-machine build $(PYTHON) && \
	    echo "Setting up kibitz in .venv: a few minutes the first time, most of them for compiling the kernels" && \
	    echo "1. packages (kibitz needs about thirty)" && \
	    { test -x $(BIN)/uv || { $(PYTHON) -m venv .venv && $(BIN)/pip install -q uv; }; } && \
	    $(INSTALL) --no-install-project && \
	    echo "2. kernels (Cython to C, then C to machine code, on all processors)"; \
	fi
	@$(BIN)/python setup.py -q build_ext --inplace
	@if [ -n "$$(find pyproject.toml uv.lock -newer $(SYNCED) 2>&1)" ]; then \
	    echo "3. the command kibitz" && $(INSTALL) && touch $(SYNCED); \
	fi
	@$(BIN)/python -m compileall -q kibitz engine service benchmarks # a start that compiles takes longer, and 20 MB more memory
	@touch $@

$(TOOLS): pyproject.toml uv.lock | $(READY)
	@echo "Installing what tests and linters need"
	@$(SYNC)
	@touch $@
