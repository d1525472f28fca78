# Everything runs in $(VENV), made from $(PYTHON) and thrown away when a dependency changes.
PYTHON ?= python3
VENV ?= .venv
ifneq ($(words $(VENV)),1)
$(error VENV is "$(VENV)": name one folder, without a space)
endif
BIN := $(VENV)/bin
export PIP_DISABLE_PIP_VERSION_CHECK = 1
export PIP_NO_INPUT = 1
# Compiled modules are kept even where that is switched off, as in many containers. Without them each
# process of the tests compiles all that it imports, and rewrites every assertion: 30 s in a run.
export PYTHONDONTWRITEBYTECODE =

.DELETE_ON_ERROR:
.PHONY: help play test lint coverage measure soak release pyz words art constraints clean

help:
	@echo 'make play         install and start the game'
	@echo 'make test         run the tests, and name what is skipped for lack of a tool'
	@echo 'make lint         check style (ruff), imports between packages (import-linter), and types (mypy)'
	@echo 'make coverage     check that the tests cover every branch of the code that does no I/O'
	@echo 'make measure      print figures about the source: sizes, names, docstrings, imports'
	@echo 'make soak         run the long tests and simulations that make test leaves out'
	@echo 'make release      build sdist and wheel into dist, and try them on each Python; ROOTS=stable in Debian, too'
	@echo 'make pyz          make one file for each platform, dist/stick for laptops without internet, Debian packages'
	@echo 'make words        bring the catalogues of all languages up to date; LANGUAGE=de adds one'
	@echo 'make art          draw and bake the cards, and redraw the pictures and the film of README and docs'
	@echo 'make constraints  pin the newest release of every dependency'
	@echo 'make clean        remove everything that these commands made'
	@echo 'Add PYTHON=python3.12 to pick the Python; run make clean first to change it.'

play: $(VENV)/play $(VENV)/words
	@$(BIN)/sabtui
	@echo 'To play again, type $(BIN)/sabtui in this folder.'

# One process more than two cores, as tests wait now and then; each test runs in whichever is free.
# LAN tests are timed: nothing else runs beside them. They mostly wait, so more of them run at once.
JOBS ?= 3
LAN_JOBS ?= 6
PYTEST := $(BIN)/python -m pytest
ABREAST := -n $(JOBS) --dist worksteal

test: $(VENV)/dev $(VENV)/words
	$(PYTEST) $(ABREAST) $(TEST_OPTIONS)
	$(PYTEST) tests/lan -n $(LAN_JOBS) --maxschedchunk 1 $(LAN_OPTIONS)

# What has no socket, clock or file of its own is covered to the last branch, and without what is
# broad: to measure whole games and floods would double their time, and they cover it by chance.
comma := ,
PURE := $(subst $() $(),$(comma),$(addprefix net/, \
  client/audit.py client/draws.py client/state.py client/trail.py \
  discovery/advert.py discovery/games.py protocol/* room/* \
  secure/address.py secure/code.py secure/handshake.py secure/keys.py \
  secure/limits.py server/journal_format.py) sabtui/club/hall.py sabtui/club/night.py)
covered = COVERAGE_FILE=.coverage.$(1) $(BIN)/coverage run --source=$(1) -m pytest \
  --level=plain $(2) && \
  COVERAGE_FILE=.coverage.$(1) $(BIN)/coverage report --fail-under=100

coverage: $(VENV)/dev $(VENV)/words
	@.ci/abreast '$(call covered,engine,tests/engine)' \
	  '$(call covered,net$(comma)sabtui.club,tests/net tests/sabtui/club/server) --include="$(PURE)"'

lint: $(VENV)/dev
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/lint-imports
	$(BIN)/mypy
	$(BIN)/mypy --platform win32 --cache-dir .mypy_cache/win32
	$(BIN)/mypy --platform darwin --cache-dir .mypy_cache/darwin

measure: $(VENV)/dev
	@$(BIN)/python -m tools.measure

soak: $(VENV)/dev $(VENV)/words
	$(PYTEST) tests/lan --level=soak -o faulthandler_timeout=0
	$(PYTEST) $(ABREAST) --level=soak -o faulthandler_timeout=0

# With ROOTS='stable unstable', and as root, in throw-away roots of Debian, too.
release: $(VENV)/dev $(VENV)/words
	$(BIN)/python -m tools.release dist
	@for suite in $(ROOTS); do .ci/root $$suite python3 .ci/try-dist || exit 1; done

# For all platforms that we know, or PLATFORMS='linux-x86_64 windows-amd64'; PLATFORMS=here is quick.
# To install the Debian package into a new root of Debian, use it, and remove it, as root:
# INSTALL=dist/sabtui_*_amd64.deb .ci/root stable python3 'python3 tools/release/tryout.py sabtui'
pyz: $(VENV)/dev $(VENV)/words
	@$(BIN)/python -m tools.stick dist/stick $(PLATFORMS)
	@$(BIN)/python -m tools.stick.zipped dist
	@$(BIN)/python -m tools.manual dist/share
	@! command -v dpkg-deb >/dev/null || $(BIN)/python -m tools.stick.debian dist

words: $(VENV)/dev
	@$(BIN)/python -m tools.words $(LANGUAGE)

art: $(VENV)/art
	$(BIN)/python -m tools.art
	$(BIN)/python -m tests.sabtui.tui.docs_pictures
	$(BIN)/python -m tests.sabtui.tui.readme_film

install = @.ci/install '$(PYTHON)' '$(VENV)'

$(VENV)/play: pyproject.toml constraints.txt
	$(install) '.[ssh,web]'
	@touch $(VENV)/words $@

$(VENV)/dev: pyproject.toml constraints.txt
	$(install) '.[bench,dev]'
	@touch $(VENV)/words $(VENV)/play $@

$(VENV)/art: pyproject.toml constraints.txt
	$(install) '.[art,bench,dev]'
	@touch $(VENV)/words $(VENV)/play $(VENV)/dev $@

# The build compiles the catalogues, so that players need no tool for it.
$(VENV)/words: $(wildcard sabtui/text/catalogues/*.po)
	@echo 'Compiling the languages...'
	@$(BIN)/python -m pip install --quiet --no-deps --editable .
	@touch $@

constraints:
	$(PYTHON) -m venv --clear .venv-constraints
	.venv-constraints/bin/python -m pip install --quiet uv
	{ sed '/^[^#]/,$$d' constraints.txt; \
	  .venv-constraints/bin/uv pip compile --quiet --upgrade --universal --python-version 3.11 \
	    --all-extras --no-header --no-annotate pyproject.toml; } > constraints.new
	mv constraints.new constraints.txt

clean:
	rm -rf .venv .venv-* .coverage .coverage.* .hypothesis .import_linter_cache .mypy_cache .pytest_cache \
	  .ruff_cache dist
	find benchmarks engine net sabtui tests tools -name __pycache__ -prune -exec rm -rf {} +
