# kibitz: every task by name. Two commands are all it takes on a bare machine: `make serve` and `make test`.
#
# PYTHON chooses the interpreter of the environment (make PYTHON=python3.12 setup). The environment is .venv;
# its stamp files let a second `make serve` start at once.

PYTHON ?= python3
BIN := .venv/bin
SYNCED := .venv/.synced
READY := .venv/.ready
LEXICON ?= scowl80
KERNELS := setup.py $(shell find engine -name '*.pyx' -o -name '*.pxd' -o -name '*.pxi' -o -name '*.h')

# cython-lint calls pycodestyle by name, debug_build.sh and the tests call python.
export PATH := $(CURDIR)/$(BIN):$(PATH)

.DEFAULT_GOAL := help
.PHONY: help setup serve test test-all lint unit-test debug-test debug-test-all kernels lock clean

help: ## list the targets
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/^([a-z-]+):.*## /\1\t/' | expand -t 14

setup: $(READY) ## create the environment, build the kernels and the bundled lexicon's tables
	@$(BIN)/kibitz lexicon build $(LEXICON) --if-missing

serve: $(READY) ## serve on 127.0.0.1:8080, after setting up what is missing
	@exec $(BIN)/kibitz serve

test: setup ## install what the tests need and run everything: linters, tests, the debug build's tests
	@.ci/check-machine programs
	@$(MAKE) --no-print-directory lint
	@$(MAKE) --no-print-directory unit-test
	@$(MAKE) --no-print-directory debug-test

test-all: setup ## the same with the tests that take long; ends with a table of the faults and what they did
	@.ci/check-machine programs
	@$(MAKE) --no-print-directory lint
	$(BIN)/python -m pytest -n auto --maxprocesses 4 -m "slow or not slow" --ignore tests/faults
	@$(MAKE) --no-print-directory debug-test
	$(BIN)/python -m pytest -m "slow or not slow" tests/faults

lint: $(READY) ## ruff, mypy --strict, cython-lint, hadolint
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/cython-lint engine
	$(BIN)/hadolint Dockerfile

unit-test: $(READY) ## the tests alone, without the slow ones, on up to four cores
	$(BIN)/python -m pytest -n auto --maxprocesses 4

debug-test: $(READY) ## the kernels' tests on a build with bounds checks and sanitizers
	PYTHON=$(BIN)/python sh tests/debug_build.sh

debug-test-all: $(READY) ## the same with the rival generators, which takes twice as long
	KIBITZ_DEBUG=all PYTHON=$(BIN)/python sh tests/debug_build.sh

kernels: $(READY) ## build the kernels that changed
	@:

lock: $(READY) ## bring uv.lock up to date with pyproject.toml
	$(BIN)/uv lock --default-index https://pypi.org/simple

clean: ## remove the environment and everything that was built, but no tables
	rm -rf .venv build dist *.egg-info .pytest_cache .mypy_cache .ruff_cache .hypothesis .benchmarks
	find engine service lexicons tests -name __pycache__ -type d -prune -exec rm -rf {} +
	find engine -name '*.so' -delete

# A full sync builds the kernels as well; while only kernel sources have changed, the quick in-place build does.
$(READY): pyproject.toml uv.lock $(KERNELS)
	@if [ -z "$$(find pyproject.toml uv.lock -newer $(SYNCED) 2>&1)" ]; then \
	    $(BIN)/python setup.py -q build_ext --inplace; \
	else \
	    .ci/check-machine build $(PYTHON) && \
	    echo "Setting up .venv (a minute or so, once)" && \
	    { test -x $(BIN)/uv || { $(PYTHON) -m venv .venv && $(BIN)/pip install -q uv; }; } && \
	    $(BIN)/uv sync --frozen --compile-bytecode && \
	    touch $(SYNCED); \
	fi
	@$(BIN)/python -m compileall -q engine service # a start that compiles takes longer, and 20 MB more memory
	@touch $@
