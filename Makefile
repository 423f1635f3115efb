# Everything a newcomer needs: `make play` and `make test`. Both set up .venv by themselves.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
INSTALL := $(BIN)/python -m pip install --quiet --disable-pip-version-check --editable

.NOTPARALLEL:
.PHONY: help play test install check pictures screenshots bench clean

help: ## Say what the commands are
	@grep -hE '^[a-z]+:.*##' $(MAKEFILE_LIST) | sed -E 's/^([a-z]+):.*## (.*)/  make \1\t\2/' | expand -t 18

play: install ## Install if needed, then play in the browser (in the terminal: .venv/bin/connectoe play)
	@$(BIN)/connectoe serve --open

test: $(VENV)/.test ## Install if needed, then run ruff, mypy and all tests (with a real browser and a real PostgreSQL)
	@tests/install_programs
	@echo "== ruff: style" && $(BIN)/ruff check . && $(BIN)/ruff format --check .
	@echo "== mypy: types" && $(BIN)/mypy
	@echo "== pytest: tests" && $(BIN)/python -m pytest

install: $(VENV)/.installed ## Make .venv with the command .venv/bin/connectoe

pictures: install ## Draw the pictures of README.md and docs/ anew
	@$(BIN)/python docs/draw_pictures.py

screenshots: $(VENV)/.test ## Photograph the web page for README.md
	@tests/install_programs
	@$(BIN)/python docs/draw_screenshots.py

bench: install ## Compare speeds with other programs, installed from PyPI into bench/.venvs (some minutes)
	@echo "== comparing with open_spiel, pgx and bitbully; matches and growth of strength are apart: see bench/README.md"
	@$(BIN)/python bench/run.py speed

clean: ## Remove .venv and what tests and tools leave behind
	rm -rf $(VENV) .pytest_cache .mypy_cache .ruff_cache .hypothesis bench/.venvs

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
