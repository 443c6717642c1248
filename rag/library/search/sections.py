"""A book without pages is looked up by its sections: which one a name means, and its words alone."""

from collections.abc import Iterator, Sequence
from itertools import dropwhile, groupby, takewhile

from rag.config import Audience
from rag.library.books.book import BookSummary
from rag.library.books.catalog import plain
from rag.library.books.found_page import FoundPage, section_in
from rag.library.books.page import SECTION_JOINT
from rag.library.index.segment import SectionPart
from rag.library.index.store import Store
from rag.library.search.found_pages import Hit, found_pages


def section_parts(store: Store, books: Sequence[BookSummary], name: str) -> list[SectionPart]:
    """The section that a name means, and what stands below it, in order; the closest reading wins.

    Of several sections of that name the first of each book is meant.
    """
    titles = {book.file: book.title for book in books}
    parts = store.sections(list(titles))
    sections = [(part.file, section) for part in parts for section in sections_above(part.name)]
    closeness = [_closeness(name, titles[file], section) for file, section in sections]
    best = max(closeness, default=0)
    meant: dict[str, str] = {}
    for (file, section), own in zip(sections, closeness, strict=True):
        if own == best > 0:
            meant.setdefault(file, section)
    return [part for file, section in meant.items() for part in _within(section, file, parts)]


def _closeness(name: str, title: str, section: str) -> int:
    """How closely a name means a section of a book, 0 where it does not.

    Closest where it is the whole name, with or without the book's title, then where it is the last heading,
    then where it is a part; at last what stands behind its first heading: a title may be shortened.
    """
    path = [plain(heading) for heading in section.split(SECTION_JOINT)]
    whole = " ".join(path)
    readings = [
        is_meant
        for wanted in filter(None, (plain(name), plain(name.partition(SECTION_JOINT)[2])))
        for is_meant in (
            wanted in (whole, f"{plain(title)} {whole}".strip()),
            wanted == path[-1],
            f" {wanted} " in f" {whole} ",
        )
    ]
    return len(readings) - readings.index(True) if any(readings) else 0


def sections_above(name: str) -> list[str]:
    """A section and those above it, the outermost first."""
    headings = name.split(SECTION_JOINT)
    return [SECTION_JOINT.join(headings[:depth]) for depth in range(1, len(headings) + 1)]


def _within(section: str, file: str, parts: Sequence[SectionPart]) -> Iterator[SectionPart]:
    """The parts of a section of a file, from its first one to where another begins."""
    of_file = dropwhile(lambda part: part.file != file or section not in sections_above(part.name), parts)
    return takewhile(lambda part: part.file == file and section in sections_above(part.name), of_file)


def sections_around(page: int, section: str, title: str, parts: Sequence[SectionPart]) -> list[SectionPart]:
    """The parts of a section that stand on a page and those beside it; `section` names the book's `title`."""
    runs = (
        list(run)
        for name, run in groupby(parts, key=lambda part: part.name)
        if section_in(title, name) == section
    )
    return next((run for run in runs if any(part.page == page for part in run)), [])


def pages_of_sections(parts: Sequence[SectionPart], store: Store, reader: Audience) -> list[FoundPage]:
    """The pages on which parts of sections stand, in order, each with their words alone."""
    of_page = {page: list(run) for page, run in groupby(parts, key=lambda part: part.page)}
    found = found_pages([Hit(page) for page in of_page], store, reader)
    return [
        _excerpt(page, run[0].start, run[-1].end) for page, run in zip(found, of_page.values(), strict=True)
    ]


def _excerpt(page: FoundPage, start: int, end: int | None) -> FoundPage:
    """A page with its text from `start` to `end` alone, and what it tells of that."""
    text = page.text[start:end].rstrip()
    stop = start + len(text)
    starts = [(max(0, at - start), name) for at, name in page.section_starts if at < stop]
    begun = sum(at == 0 for at, _ in starts)
    return page.model_copy(
        update={
            "text": text,
            "section_starts": tuple(starts[max(0, begun - 1) :]),
            "sections": tuple((at - start, name) for at, name in page.sections if start <= at < stop),
            "rows": tuple((at - start, to - start, row) for at, to, row in page.rows if start <= at < stop),
            "references": tuple(
                one.model_copy(update={"start": one.start - start})
                for one in page.references
                if start <= one.start < stop
            ),
            "amended_by": (),
            "amends": (),
        }
    )
