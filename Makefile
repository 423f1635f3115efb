# Everything a newcomer needs: `make play` and `make test`. Both set up .venv by themselves.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
SPHINX := $(BIN)/python -m sphinx --builder html --fail-on-warning --quiet
INSTALL := $(BIN)/python -m pip install --quiet --disable-pip-version-check --no-compile --editable

# Run pytest with some arguments, and mypy meanwhile.
define tests
$(BIN)/mypy >$(VENV)/types.txt 2>&1 & types=$$!; \
	$(BIN)/python -m pytest $(1); tests=$$?; \
	wait $$types; wrong=$$?; cat $(VENV)/types.txt; [ $$tests$$wrong = 00 ]
endef

# Tests start many processes, which start sooner if Python keeps what it has compiled.
test quick: export PYTHONDONTWRITEBYTECODE :=

.NOTPARALLEL:
.PHONY: help play test quick docs install pictures screenshots bench clean

help: ## List the commands
	@grep -hE '^[a-z]+:.*##' $(MAKEFILE_LIST) | sed -E 's/^([a-z]+):.*## (.*)/  make \1\t\2/' | expand -t 18

play: install ## Install if needed, then play in the browser (in the terminal: .venv/bin/connectoe play)
	@$(BIN)/connectoe serve --open

test: ## Install if needed, then run ruff, bandit, mypy and all tests (with a real browser and a real PostgreSQL)
	@tests/install_programs & programs=$$!; $(MAKE) --no-print-directory $(VENV)/.test && wait $$programs
	@echo "== ruff: style" && $(BIN)/ruff check . && $(BIN)/ruff format --check .
	@echo "== bandit: unsafe calls" && $(BIN)/bandit --quiet --configfile pyproject.toml --recursive src
	@echo "== pytest: tests; mypy: types, meanwhile"
	@$(call tests)

quick: $(VENV)/.test ## Run ruff, mypy and the quick tests: no browser, no database, no long compilation
	@$(BIN)/ruff check --quiet . && $(BIN)/ruff format --check --quiet .
	@$(call tests,-m "not slow")

docs: $(VENV)/.test ## Build the documentation into docs/_build/index.html
	@$(SPHINX) docs docs/_build
	@echo "== open docs/_build/index.html"

install: $(VENV)/.installed ## Install into .venv; the command is .venv/bin/connectoe

pictures: install ## Redraw the pictures of README.md and docs/
	@$(BIN)/python docs/draw_pictures.py

screenshots: $(VENV)/.test ## Take the screenshots of docs/ again
	@tests/install_programs
	@$(BIN)/python docs/draw_screenshots.py

bench: install ## Compare speed with other programs, installed from PyPI into bench/.venvs (takes minutes)
	@echo "== comparing with open_spiel, pgx and bitbully; bench/README.md has further comparisons"
	@$(BIN)/python bench/run.py speed

clean: ## Remove .venv and everything that tests and tools create
	rm -rf $(VENV) .pytest_cache .mypy_cache .ruff_cache .hypothesis bench/.venvs docs/_build

$(BIN)/python:
	@echo "== making $(VENV) with $$($(PYTHON) --version)"
	@$(PYTHON) -m venv $(VENV)

$(VENV)/.installed: pyproject.toml | $(BIN)/python
	@echo "== installing connectoe into $(VENV) (numpy and numba are large: about a minute the first time)"
	@$(INSTALL) '.[png,study,web]'
	@touch $@

$(VENV)/.test: pyproject.toml | $(BIN)/python
	@echo "== installing connectoe and the test tools into $(VENV) (about a minute the first time)"
	@$(INSTALL) '.[test]'
	@touch $(VENV)/.installed $@
