"""Rules of the house that no single unit can hold."""

import ast
import re
from collections import Counter
from pathlib import Path

import pytest

from rag import __version__
from rag.config import Settings
from rag.library.books.files import KINDS
from rag.texts import LOCALES, texts_for

ROOT = Path(__file__).parents[1]
SOURCES = sorted((ROOT / "rag").rglob("*.py"))


def test_nothing_but_the_configuration_reads_the_environment() -> None:
    for path in SOURCES:
        if path.name not in ("config.py", "__main__.py"):
            assert "environ" not in path.read_text(encoding="utf-8"), path


def test_no_two_types_have_one_name() -> None:
    folders = ("rag", "bot", "sample_game", "benchmarks", "docs")
    sources = [path for folder in folders for path in (ROOT / folder).rglob("*.py")]
    nodes = [node for path in sources for node in ast.parse(path.read_text(encoding="utf-8")).body]
    types = Counter(node.name for node in nodes if isinstance(node, ast.ClassDef))
    assert [name for name, count in types.items() if count > 1] == []


def test_env_example_lists_every_variable_with_its_default() -> None:
    listed = dict(re.findall(r"^([A-Z_]+)=(.*)$", (ROOT / ".env.example").read_text(), re.MULTILINE))
    for name, field in Settings.model_fields.items():
        default = field.default if field.default not in (None, frozenset(), {}, ()) else ""
        shown = str(default).lower() if isinstance(default, bool) else str(default)
        assert listed[name.upper()] == shown, name


@pytest.mark.parametrize("name", [*(path.name for path in ROOT.glob("requirements*.txt")), "pyproject.toml"])
def test_dependencies_are_pinned_without_an_address(name: str) -> None:
    assert "://" not in (ROOT / name).read_text(encoding="utf-8")


def test_the_change_log_tells_of_this_version() -> None:
    assert f"\n## [{__version__}] - 2" in (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("name", ["README.md", "books/README.md", "docs/books.md"])
def test_the_formats_of_books_are_told_where_books_are_added(name: str) -> None:
    told = (ROOT / name).read_text(encoding="utf-8").casefold()
    said_as = {"text": "plain text"}
    assert all(said_as.get(kind, kind) in told for kind in KINDS.values())


@pytest.mark.parametrize("locale", LOCALES)
def test_whoever_adds_another_format_is_told_which_are_read(locale: str) -> None:
    said = texts_for(locale)("book-format-unread", file="rules.doc", target="docx").casefold()
    said_as = {"text": "texto simples" if locale == "pt-BR" else "plain text"}
    assert all(said_as.get(kind, kind) in said for kind in KINDS.values())
