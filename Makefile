# `make demo` and `make test` need only Python 3.11+, a C++ compiler and make: each sets up what it needs.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
CORE := CMakeLists.txt pyproject.toml $(wildcard core/include/dagwright/*.hpp core/src/*.cpp bindings/*.cpp bindings/*.hpp)

.PHONY: help build test clean

help: ## list the targets
	@grep -E '^[a-z-]+:.*##' Makefile | sed -E 's/:.*## /\t/'

$(VENV)/bin/python:
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --upgrade pip

$(VENV)/.installed: $(VENV)/bin/python $(CORE)
	$(BIN)/python -m pip install --quiet --editable '.[dev]'
	@touch $@

build: $(VENV)/.installed ## set up the virtual environment and compile the core

test: build ## run every test
	$(BIN)/python -m pytest -n auto

clean: ## remove everything that was built
	rm -rf $(VENV) build dist
