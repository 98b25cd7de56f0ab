# `make demo` and `make test` set up everything they need in .venv; the demo keeps its data in .answerdesk.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready

.PHONY: demo test check style bench clean

demo: $(READY)
	ANSWERDESK_HOME=$(CURDIR)/.answerdesk $(BIN)/python -m examples.demo

# Much of the tests' time is waiting: four processes share it, a file to each at a time. In their own order, for the files
# that take long have few tests, and would come last. Types are checked meanwhile, and told of when they are wrong.
test: style
	@$(BIN)/mypy > $(VENV)/mypy.txt 2>&1 & types=$$!; \
	$(BIN)/python -m pytest -n 4 --dist loadfile --no-loadscope-reorder; tests=$$?; \
	wait $$types || { cat $(VENV)/mypy.txt; exit 1; }; \
	exit $$tests

check: style
	$(BIN)/mypy

style: $(READY)
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/lint-imports

bench: $(READY)
	$(BIN)/python -m bench.embedding
	$(BIN)/python -m bench.search
	$(BIN)/python -m bench.permitted 5000
	$(BIN)/python -m bench.sync
	$(BIN)/python -m bench.wiki
	$(BIN)/python -m bench.answer
	$(BIN)/python -m bench.slack
	$(BIN)/python -m bench.telegram
	$(BIN)/python -m bench.startup

$(READY): pyproject.toml
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --upgrade "pip>=25.1"
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable ".[all]" --group dev
	touch $@

clean:
	rm -rf $(VENV) .answerdesk build dist
