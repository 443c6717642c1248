"""A book without pages is looked up by its sections: which one a name means, and its words alone."""

from collections.abc import Callable, Iterator, Sequence
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
    """The section that a name means, and what stands below it, in order; the best reading of the name wins.

    That is its whole name, with or without the book's title, else its last heading, else a part of it. Of
    several sections of that name the first of each book is meant.
    """
    if SECTION_JOINT in name and not _sections_of(store, books, name):
        # Whoever cites "House Rules › Bleeding" may have shortened the title.
        name = name.partition(SECTION_JOINT)[2]
    return _sections_of(store, books, name)


def _sections_of(store: Store, books: Sequence[BookSummary], name: str) -> list[SectionPart]:
    wanted = plain(name)
    titles = {book.file: plain(book.title) for book in books}
    parts = store.sections(list(titles))
    for is_meant in _SECTION_READINGS if wanted else ():
        meant: dict[str, str] = {}
        for part in parts:
            for section in sections_above(part.name):
                headings = [plain(heading) for heading in section.split(SECTION_JOINT)]
                if part.file not in meant and is_meant(wanted, titles[part.file], headings):
                    meant[part.file] = section
        if meant:
            return [part for file, section in meant.items() for part in _within(section, file, parts)]
    return []


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


_SECTION_READINGS: tuple[Callable[[str, str, list[str]], bool], ...] = (
    lambda wanted, title, path: wanted in (" ".join(path), f"{title} {' '.join(path)}".strip()),
    lambda wanted, title, path: wanted == path[-1],
    lambda wanted, title, path: f" {wanted} " in f" {' '.join(path)} ",
)
"""Whether a name means a section: the name, the book's title and the headings, all in plain letters."""
