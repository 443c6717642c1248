"""Make the PDFs of the sample game from its sources: `python -m sample_game.build`.

The gold questions follow the books: their pages are looked up anew.
"""

from pathlib import Path

from sample_game.questions import fill_pages, read_questions, write_questions
from sample_game.source import BookSource, read_hyphenation, read_sources
from sample_game.typeset import Layout, Target, Typesetter

BOOKS = Path(__file__).parent / "books"
MOST_PASSES = 6


def lay_out(sources: list[BookSource]) -> list[Layout]:
    """Set all books until every printed number is true.

    The first pass finds where the anchors stand, the next prints them. Numbers may move a line, so
    passes repeat until nothing changes.

    Raises `ValueError` for a reference to an anchor that no book has.
    """
    hyphenation = read_hyphenation()
    layouts = [Layout() for _ in sources]
    for _ in range(MOST_PASSES):
        known = _all_targets(layouts)
        fresh = [
            Typesetter(source, known, before, hyphenation).set()
            for source, before in zip(sources, layouts, strict=True)
        ]
        settled = [layout.pdf for layout in fresh] == [layout.pdf for layout in layouts]
        layouts = fresh
        if settled:
            _check_references(layouts)
            return layouts
    raise ValueError(f"the printed numbers do not settle in {MOST_PASSES} passes")


def build(directory: Path = BOOKS) -> dict[str, Layout]:
    """Write the books under `directory`, the same bytes on every run; their layouts by file."""
    sources = read_sources()
    files = [source.front.file for source in sources]
    layouts = dict(zip(files, lay_out(sources), strict=True))
    for file, layout in layouts.items():
        path = directory / file
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(layout.pdf)
    return layouts


def _all_targets(layouts: list[Layout]) -> dict[str, Target]:
    known: dict[str, Target] = {}
    for layout in layouts:
        twice = known.keys() & layout.targets.keys()
        if twice:
            raise ValueError(f"two books have the anchors {sorted(twice)}")
        known |= layout.targets
    return known


def _check_references(layouts: list[Layout]) -> None:
    known = _all_targets(layouts)
    for reference in (reference for layout in layouts for reference in layout.references):
        if reference.anchor not in known:
            raise ValueError(f"{reference.file} refers to {reference.anchor}, which is nowhere")


def main() -> None:
    """Build the books, set the pages of the questions, and say what was written."""
    layouts = build()
    pdfs = {file: layout.pdf for file, layout in layouts.items()}
    labels = {file: layout.labels for file, layout in layouts.items()}
    write_questions(fill_pages(read_questions(), pdfs, labels))
    for file, layout in layouts.items():
        print(f"{BOOKS / file}: {len(layout.labels)} pages")


if __name__ == "__main__":
    main()
