"""The readable sources of the sample game: one Markdown-like file a book.

A file opens with TOML between two `+++` lines (see `FrontMatter`); the body is blocks between blank lines:

    # Chapter {#anchor}             a new page; add `front` or `unnumbered` after the anchor
    ## Section {#anchor}            also `###`; a heading with an anchor is entered in the index
    {index:Term} A paragraph …      entered in the index under Term
    - item                          a list
    > **Title**                     a boxed sidebar; `>` alone separates its paragraphs
    Table: Caption {#anchor}        a table of `|` rows; `wide` after the anchor spans both columns

Inline: `*italic*`, `**bold**`, and references by anchor, which print what is true after layout:
`{page:anchor}` 31 · `{code:anchor}` W31 · `{chapter:anchor}` Chapter 4 · `{heading:anchor}` Riposte.
"""

import re
import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

SOURCES = Path(__file__).parent / "sources"

ANCHOR = re.compile(r"\s*\{#(?P<name>[a-z0-9-]+)(?P<flags>(?: [a-z]+)*)\}")
INDEX_MARK = re.compile(r"\{index:([^}]+)\}\s*")
REFERENCE = re.compile(r"\{(page|code|chapter|heading):([a-z0-9-]+)\}")


@dataclass(frozen=True, slots=True)
class FrontMatter:
    """What a source declares about its book; every key is required unless it has a default.

    `file` lies under `books/`. `folio` says where the printed number stands: "foot", "dashes" (in the
    foot, between dashes) or "head" (beside a running head). `page_labels` is what the PDF claims:
    "right", "none", or "wrong" (1…n from the first page, as careless tools do). `secrets` are the
    facts that stand in this book alone.
    """

    title: str
    subtitle: str
    file: str
    code: str
    metadata_title: str
    colour: str
    emblem: Literal["lighthouse", "knot", "crab", "eye"]
    columns: Literal[1, 2]
    folio: Literal["foot", "dashes", "head"]
    page_labels: Literal["right", "none", "wrong"]
    outline: bool
    index: bool
    secrets: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class SourceHeading:
    """A chapter (level 1), section or sub-section."""

    level: int
    text: str
    anchor: str | None
    flags: frozenset[str]


@dataclass(frozen=True, slots=True)
class Text:
    """A paragraph, with the index terms that are discussed from its first line on."""

    text: str
    terms: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Bullets:
    """A list."""

    items: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Sidebar:
    """A boxed aside; its first paragraph is its title."""

    paragraphs: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class SourceTable:
    """A table; the first row holds the column headings."""

    caption: str
    anchor: str | None
    wide: bool
    rows: tuple[tuple[str, ...], ...]


Block = SourceHeading | Text | Bullets | Sidebar | SourceTable


@dataclass(frozen=True, slots=True)
class Chapter:
    """A chapter heading and what stands under it."""

    heading: SourceHeading
    blocks: tuple[Block, ...]


@dataclass(frozen=True, slots=True)
class BookSource:
    """A parsed source: `imprint` stands behind the title page, before the first chapter."""

    front: FrontMatter
    imprint: tuple[Block, ...]
    chapters: tuple[Chapter, ...]


def read_sources(directory: Path = SOURCES) -> list[BookSource]:
    """Every book of the game, in the order of the file names."""
    return [parse(path.read_text(encoding="utf-8")) for path in sorted(directory.glob("*.md"))]


def read_hyphenation(path: Path = SOURCES / "hyphenation.txt") -> dict[str, str]:
    """Words that may break at a line's end, each with soft hyphens where it may."""
    words = path.read_text(encoding="utf-8").split()
    return {word.replace("-", ""): word.replace("-", "\N{SOFT HYPHEN}") for word in words}


def parse(source: str) -> BookSource:
    """Read one source file.

    Raises `TypeError` or `ValueError` where the front matter or a block is not as described above.
    """
    _, front, body = source.split("+++\n", 2)
    declared = tomllib.loads(front)
    declared["secrets"] = tuple(declared.get("secrets", ()))
    chunks = [chunk.strip() for chunk in re.split(r"\n\s*\n", body) if chunk.strip()]
    imprint, chapters = _by_chapter([_block(chunk) for chunk in chunks])
    return BookSource(FrontMatter(**declared), imprint, chapters)


def _by_chapter(blocks: list[Block]) -> tuple[tuple[Block, ...], tuple[Chapter, ...]]:
    starts = [i for i, block in enumerate(blocks) if isinstance(block, SourceHeading) and block.level == 1]
    chapters: list[Chapter] = []
    for start, end in zip(starts, [*starts[1:], len(blocks)], strict=True):
        heading = blocks[start]
        assert isinstance(heading, SourceHeading)
        chapters.append(Chapter(heading, tuple(blocks[start + 1 : end])))
    return tuple(blocks[: starts[0]]), tuple(chapters)


def _block(chunk: str) -> Block:
    if chunk.startswith("#"):
        return _heading(chunk)
    if chunk.startswith("Table:"):
        return _grid(chunk)
    if chunk.startswith(">"):
        inner = "\n".join(line[1:].strip() for line in chunk.splitlines())
        return Sidebar(tuple(_joined(part) for part in inner.split("\n\n")))
    if chunk.startswith("- "):
        return Bullets(tuple(_joined(item) for item in re.split(r"(?:^|\n)- ", chunk) if item))
    terms = tuple(INDEX_MARK.findall(chunk))
    return Text(_joined(INDEX_MARK.sub("", chunk)), terms)


def _joined(lines: str) -> str:
    return " ".join(lines.split())


def _anchored(text: str) -> tuple[str, str | None, frozenset[str]]:
    """A heading or caption without its anchor, the anchor, and the flags behind it."""
    match = ANCHOR.search(text)
    if match is None:
        return text.strip(), None, frozenset()
    return ANCHOR.sub("", text).strip(), match["name"], frozenset(match["flags"].split())


def _heading(chunk: str) -> SourceHeading:
    marks, _, rest = chunk.partition(" ")
    text, anchor, flags = _anchored(rest)
    return SourceHeading(len(marks), text, anchor, flags)


def _grid(chunk: str) -> SourceTable:
    first, *lines = chunk.splitlines()
    caption, anchor, flags = _anchored(first.removeprefix("Table:"))
    rows = [tuple(cell.strip() for cell in line.strip()[1:-1].split("|")) for line in lines]
    if {len(row) for row in rows} != {len(rows[0])}:
        raise ValueError(f"the rows of the table {caption!r} differ in length")
    return SourceTable(caption, anchor, "wide" in flags, tuple(rows))
