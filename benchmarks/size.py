"""Counts lines of code by package, beside their budgets.

`python -m benchmarks.size` counts without blank lines, comments and docstrings. It exits with 1 where a
package is over its budget, or a folder has too many entries.
"""

import ast
import io
import sys
import tokenize
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path

from rich.console import Console
from rich.table import Table

READERS = "rag/library/readers"
INDEX = ("rag/library/index", "rag/library/ingest")
NODES = "rag/nodes"
BUDGETS: Mapping[str, tuple[tuple[str, ...], int]] = {
    "readers": ((READERS,), 3978),
    "index, ingest": (INDEX, 2660),
    "nodes": ((NODES,), 1790),
    "rest of the library": (("rag/library",), 5723),
    "rest of rag": (("rag",), 4608),
    "bot": (("bot",), 5499),
    "product": (("rag", "bot"), 24116),
    "tests": (("tests",), 23252),
}
"""Folders and the most lines of each; the rest of a folder is what no narrower row counts."""
MOST_ENTRIES = 15
"""The most modules and packages a folder may have."""
_NO_CODE = (
    tokenize.COMMENT,
    tokenize.NL,
    tokenize.NEWLINE,
    tokenize.INDENT,
    tokenize.DEDENT,
    tokenize.ENDMARKER,
)


def main() -> None:
    """Print a row a package; exit with 1 where something is over its budget."""
    lines = {path: lines_of_code(path.read_text("utf-8")) for path in _modules()}
    shown = Table("package", "lines", "at most", box=None, header_style="bold")
    is_over = False
    for name, (folders, most) in BUDGETS.items():
        count = sum(number for path, number in lines.items() if _row(path, name, folders))
        is_over |= count > most
        shown.add_row(name, f"{count:,}", f"{most:,}", style="red" if count > most else None)
    console = Console()
    console.print(shown)
    for folder, entries in _crowded(lines):
        is_over = True
        console.print(f"{folder} has {entries} entries, {MOST_ENTRIES} are the most", style="red")
    sys.exit(is_over)


def lines_of_code(source: str) -> int:
    """The lines with code on them: not blank, no comment, no docstring."""
    docstrings = {
        line
        for node in ast.walk(ast.parse(source))
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef)
        for each in node.body
        if isinstance(each, ast.Expr)
        and isinstance(each.value, ast.Constant)
        and isinstance(each.value.value, str)
        for line in range(each.lineno, (each.end_lineno or each.lineno) + 1)
    }
    code = {
        line
        for token in tokenize.generate_tokens(io.StringIO(source).readline)
        if token.type not in _NO_CODE
        for line in range(token.start[0], token.end[0] + 1)
    }
    return len(code - docstrings)


def _modules() -> Iterator[Path]:
    return (path for top in ("rag", "bot", "tests") for path in sorted(Path(top).rglob("*.py")))


def _row(path: Path, name: str, folders: tuple[str, ...]) -> bool:
    """Whether a module counts for a row; one of a narrower row does not count for the rest of its folder."""
    if not any(path.is_relative_to(folder) for folder in folders):
        return False
    narrower = {
        "rest of the library": (READERS, *INDEX),
        "rest of rag": ("rag/library", NODES),
    }
    return not any(path.is_relative_to(folder) for folder in narrower.get(name, ()))


def _crowded(lines: Mapping[Path, int]) -> Iterator[tuple[Path, int]]:
    """The folders of the product with too many entries."""
    entries = Counter(
        folder
        for folder, _ in {
            (parent, inside)
            for path in lines
            if path.parts[0] != "tests" and path.name != "__init__.py"
            for parent, inside in _inside(path)
        }
    )
    return ((folder, number) for folder, number in sorted(entries.items()) if number > MOST_ENTRIES)


def _inside(path: Path) -> Iterator[tuple[Path, str]]:
    """Each folder a module is in, with what it is in there: itself, or the folder that holds it."""
    for depth in range(1, len(path.parts)):
        yield Path(*path.parts[:depth]), path.parts[depth]


if __name__ == "__main__":
    main()
