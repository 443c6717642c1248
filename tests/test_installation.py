"""What is installed: what the packages in use declare and never load is left out."""

import re
import subprocess
import sys
import tomllib
from collections.abc import Iterator, Sequence
from importlib.metadata import PackageNotFoundError, PackagePath, distribution
from pathlib import Path

import pytest

from tests.conftest import clean_environment

ROOT = Path(__file__).parent.parent
LISTS = ("requirements.txt", "requirements-ocr.txt", "requirements-dev.txt")
MOST_BYTES = 450_000_000
PROGRAM = """
import bot.client
import chromadb.api.fastapi
from rag.__main__ import main
raise SystemExit(main(["ingest"]) or main(["search", "torch"]))
"""


def left_out() -> list[str]:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    return [override.partition(";")[0].strip() for override in project["tool"]["uv"]["override-dependencies"]]


def pinned(requirements: str) -> Iterator[str]:
    for line in (ROOT / requirements).read_text(encoding="utf-8").splitlines():
        if name := re.match(r"([\w.-]+)==", line):
            yield name[1]


@pytest.mark.parametrize("requirements", LISTS)
def test_no_list_asks_for_what_is_left_out(requirements: str) -> None:
    assert not {*left_out()} & {*pinned(requirements)}


def test_what_is_installed_to_run_is_small() -> None:
    installed = [file for name in pinned("requirements.txt") for file in installed_files(name)]
    assert installed
    assert sum(file.size or 0 for file in installed) < MOST_BYTES


def installed_files(name: str) -> Sequence[PackagePath]:
    """The files of a package as its installer wrote them down; none of one that this machine needs not."""
    try:
        return distribution(name).files or ()
    except PackageNotFoundError:
        return ()


@pytest.mark.slow
def test_books_are_read_embedded_and_searched_without_what_is_left_out(tmp_path: Path) -> None:
    books, refused = tmp_path / "books", tmp_path / "refused"
    books.mkdir()
    (books / "caves.txt").write_text("A torch burns for an hour.")
    refused.mkdir()
    for name in left_out():
        (refused / f"{name}.py").write_text(f"raise ImportError('{name} is left out')")
    environment = clean_environment() | {
        "LIBRARY_DIR": str(books),
        "INDEX_DIR": str(tmp_path / "index"),
        "DATA_DIR": str(tmp_path / "data"),
        "PYTHONPATH": str(refused),
    }
    command = [sys.executable, "-c", PROGRAM]
    run = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True)
    assert run.returncode == 0, run.stderr
    assert "A torch burns for an hour." in run.stdout
