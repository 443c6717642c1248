# `make run` answers questions, `make test` runs every check, `make check` the fast ones for people at work.
PYTHON ?= python3
BIN := $(if $(filter Windows_NT,$(OS)),.venv/Scripts,.venv/bin)
TEST_WORKERS ?= 4
# The tests of a file run in one process, which makes once what they share; the next one free takes the next file.
PYTEST := $(BIN)/python -m pytest -n $(TEST_WORKERS) --dist loadfile --no-loadscope-reorder
# What a process compiled the next one reads, whatever the machine is set to: the tests start hundreds.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: run ask books model test check size ocr mcp static pin release sbom

# An interrupt is a way to end, and no error: the shell waits for what the program still does.
ENDED = || [ $$? -eq 130 ]

run: .venv/installed
	@trap : INT; $(BIN)/python -m rag run $(ENDED)

# make ask Q="How much does Tidesense 3 cost?"
export Q
ask: .venv/installed
	@$(BIN)/python -m rag ingest --told; $(BIN)/python -m rag ask "$$Q"

books: .venv/installed
	@$(BIN)/python -m rag ingest --told; $(BIN)/python -m rag books

model: .venv/installed
	@trap : INT; $(BIN)/python -m rag model $(ENDED)

test: static
	$(PYTEST)

check: static
	$(PYTEST) -m "not slow and not corpus"

size: .venv/installed
	$(BIN)/python -m benchmarks.size

static: .venv/installed-dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/lint-imports --no-logo --no-cache
	$(BIN)/mypy --strict rag bot sample_game benchmarks docs tests

# Reads books that are scans from now on: see docs/books.md.
ocr: .venv/installed
	$(BIN)/uv pip install --quiet --python $(BIN)/python --no-deps --require-hashes -r requirements-ocr.txt

# Serves the books to an assistant from now on: see docs/terminal.md.
mcp: .venv/installed
	$(BIN)/uv pip install --quiet --python $(BIN)/python --no-deps --require-hashes -r requirements-mcp.txt

# Writes the pinned requirements anew, with hashes and without addresses. requirements.txt is for any installer:
# it has also what Chroma declares and nothing loads, which pyproject.toml leaves out of the other lists.
COMPILE := $(BIN)/uv pip compile pyproject.toml --universal --python-version 3.11 --generate-hashes --no-header --no-annotate
pin: .venv/installed
	$(COMPILE) --upgrade -o requirements-light.txt
	$(COMPILE) --upgrade -c requirements-light.txt --extra ocr -o requirements-ocr.txt
	$(COMPILE) --upgrade -c requirements-light.txt --extra mcp -o requirements-mcp.txt
	$(COMPILE) --upgrade -c requirements-light.txt --group dev -o requirements-dev.txt
	$(COMPILE) --upgrade -c requirements-light.txt --no-config -o requirements.txt

# Checks the tree, the change log and the tests, then tags the version of rag/__init__.py.
release:
	.ci/release

# What is in the program, with versions and hashes, for whoever looks for known faults (CycloneDX).
sbom: $(BIN)/uv
	$(BIN)/uv tool run --from cyclonedx-bom==7.5.0 cyclonedx-py requirements requirements.txt --output-reproducible -o sbom.json

.venv/installed: requirements-light.txt | $(BIN)/uv
	@echo "Installing what is needed into .venv: a few minutes at most, once…"
	@$(BIN)/uv pip install --quiet --python $(BIN)/python --no-deps --require-hashes -r requirements-light.txt
	touch $@

.venv/installed-dev: requirements-dev.txt | $(BIN)/uv
	$(BIN)/uv pip install --quiet --python $(BIN)/python --no-deps --require-hashes -r requirements-dev.txt
	touch $@

$(BIN)/uv:
	@$(PYTHON) -c 'import sys; sys.exit(not (3, 11) <= sys.version_info < (3, 15) and "Python 3.11 to 3.14 is needed; name it with: make PYTHON=python3.12 …")'
	@echo "Making .venv: half a minute…"
	@$(PYTHON) -m venv .venv
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements-uv.txt
