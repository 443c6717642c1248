"""Cases of tests as tables in text files: a row a line, its cells between bars."""

from pathlib import Path

TESTS = Path(__file__).parent
BAR = " | "


def rows(file: str) -> list[tuple[str, ...]]:
    """The rows of a file below this folder; lines that begin with "#" say what they are about."""
    lines = (TESTS / file).read_text(encoding="utf-8").splitlines()
    return [tuple(line.split(BAR)) for line in lines if line and not line.startswith("#")]
