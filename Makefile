# Every target makes .venv and installs what it needs; the second time that takes no time.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
INSTALLED := $(VENV)/.installed
SOURCES := pyproject.toml $(wildcard CMakeLists.txt) $(shell find native -type f 2>/dev/null)

.PHONY: help install serve test check check-native bench clean
.DEFAULT_GOAL := help

help:  ## list the targets
	@sed -n 's/^\([a-z-]*\):.*## /\1\t/p' Makefile | expand -t 16

install: $(INSTALLED)  ## make .venv with Tabuleiro and its tools in it

# An existing build folder makes rebuilding after a change of a kernel quick, hence no build isolation.
$(INSTALLED): $(SOURCES)
	@$(PYTHON) -c 'import sys; sys.exit("Tabuleiro needs Python 3.11 or newer; try: make PYTHON=python3.12 …" if sys.version_info < (3, 11) else 0)'
	test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check 'scikit-build-core>=0.11' 'nanobind>=2.4' cmake ninja
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-build-isolation --editable '.[dev]'
	@touch $@

serve: install  ## serve the rule book and its boards in the browser
	$(BIN)/tabuleiro serve

test: install  ## run all tests
	$(BIN)/python -m pytest -n 2

check: install  ## style and types
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/mypy

# Native code under the address and undefined-behaviour sanitizers, in an environment of its own.
CHECKED := build/check-venv
check-native:  ## native kernels against the Python rules, under sanitizers
	test -x $(CHECKED)/bin/python || $(PYTHON) -m venv $(CHECKED)
	$(CHECKED)/bin/python -m pip install --quiet --disable-pip-version-check '.[dev]' \
		-C cmake.define.TABULEIRO_SANITIZE=ON -C build-dir=build/check
	LD_PRELOAD="$$(g++ -print-file-name=libasan.so) $$(g++ -print-file-name=libstdc++.so)" ASAN_OPTIONS=detect_leaks=0 \
		$(CHECKED)/bin/python -m pytest tests/test_native.py tests/test_perft.py

bench: install  ## measure the speed of the rules
	$(BIN)/tabuleiro bench

clean:  ## remove everything that can be made again
	rm -rf $(VENV) build dist .mypy_cache .pytest_cache .ruff_cache .hypothesis
