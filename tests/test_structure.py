"""Rules of the house that no single unit can hold."""

import ast
import re
from pathlib import Path

import pytest

from rag.config import Settings

ROOT = Path(__file__).parents[1]
SOURCES = sorted((ROOT / "rag").rglob("*.py"))
BELOW_THE_GRAPH = ("state", "config", "errors", "texts", "prompts")


def imported(path: Path) -> set[str]:
    """The modules a file imports, anywhere in it."""
    names: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            names.add(node.module)
    return names


def test_rag_never_imports_discord_or_the_bot() -> None:
    for path in SOURCES:
        assert not {name for name in imported(path) if re.match(r"(discord|bot)\b", name)}, path


@pytest.mark.parametrize("room", BELOW_THE_GRAPH)
def test_the_lowest_rooms_import_nothing_from_above(room: str) -> None:
    files = [ROOT / "rag" / f"{room}.py", *(ROOT / "rag" / room).glob("*.py")]
    allowed = {f"rag.{name}" for name in BELOW_THE_GRAPH}
    for path in filter(Path.exists, files):
        assert {name for name in imported(path) if name.startswith("rag")} <= allowed, path


def test_the_library_knows_nothing_of_graph_and_strategies() -> None:
    above = re.compile(r"rag\.(graph|nodes|strategies|present|cli)\b")
    for path in (ROOT / "rag" / "library").rglob("*.py"):
        assert not list(filter(above.match, imported(path))), path


def test_nothing_but_the_configuration_reads_the_environment() -> None:
    for path in SOURCES:
        if path.name not in ("config.py", "__main__.py"):
            assert "environ" not in path.read_text(encoding="utf-8"), path


def test_env_example_lists_every_variable_with_its_default() -> None:
    listed = dict(re.findall(r"^([A-Z_]+)=(.*)$", (ROOT / ".env.example").read_text(), re.MULTILINE))
    for name, field in Settings.model_fields.items():
        default = field.default if field.default not in (None, frozenset(), {}) else ""
        shown = str(default).lower() if isinstance(default, bool) else str(default)
        assert listed[name.upper()] == shown, name


@pytest.mark.parametrize(
    "name", ["requirements.txt", "requirements-dev.txt", "requirements-uv.txt", "pyproject.toml"]
)
def test_dependencies_are_pinned_without_an_address(name: str) -> None:
    assert "://" not in (ROOT / name).read_text(encoding="utf-8")
