"""Blocks of a document → a book: its sections stand where a PDF has pages. Pure.

A section is a heading with its text up to the next heading; a long one is several positions of one name.
Where printed page numbers are known, the printed pages are the positions instead.
"""

import textwrap
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import count, takewhile

from rag.errors import BookWithoutWords
from rag.library.books.book import ParsedBook
from rag.library.books.catalog import plain
from rag.library.books.library_toml import DeclaredBook
from rag.library.books.page import SECTION_JOINT, Heading, HeadingPath, Page, after
from rag.library.books.titles import sensible_title
from rag.library.language.identify import language_of
from rag.library.readers.blocks import BOLD_LINE, Block
from rag.library.references.codes import THIS_BOOK, declared_codes

PAGE_WORDS = 450
"""A section of more is several positions, cut between paragraphs: about a printed page."""
_LONGEST_WORDS = 900
"""Where no paragraph ends for so long, a section is cut between lines."""
_LONGEST_HEADING = 80  # characters of it in the name of a section
_SAMPLED = 20_000  # characters, for the language


def book_of(
    blocks: Iterable[Block], file: str, name: str, told_title: str = "", declared: DeclaredBook | None = None
) -> ParsedBook:
    """A book of blocks. `told_title` is the title that the file gives itself, `name` its readable file name.

    Raises `BookWithoutWords`.
    """
    whole = [block for block in blocks if block.text or block.page is not None]
    if not any(any(map(str.isalpha, block.text)) for block in whole):
        raise BookWithoutWords(file=file)
    title = sensible_title(told_title) or top_heading(whole)
    pages = tuple(_pages(whole, title or name))
    text = "\n\n".join(page.text for page in pages)
    own = (declared.title if declared else None) or title or name
    codes = {code: own if said == THIS_BOOK else said for code, said in declared_codes(text).items()}
    return ParsedBook(title, language_of(text[:_SAMPLED]), codes, pages)


def top_heading(blocks: Sequence[Block]) -> str | None:
    """The heading that stands above all others: the first one, and the only one of its level."""
    headings = [block for block in blocks if 0 < block.level < BOLD_LINE]
    if not headings or headings[0].level > min(block.level for block in headings):
        return None
    is_alone = sum(block.level == headings[0].level for block in headings) == 1
    is_top = headings[0].level == 1 or len(headings) > 1
    return headings[0].text if is_alone and is_top else None


def _pages(blocks: Sequence[Block], title: str) -> Iterator[Page]:
    """The positions of a book with their place: a printed number, else a section alone."""
    path: HeadingPath = ()
    used: set[str] = set()
    for number, (label, run) in zip(count(1), _runs(blocks), strict=False):
        page = _page(number, run)
        leading = len(list(takewhile(lambda block: block.level, run)))
        section = section_of(after(path, page.headings[:leading]), title)
        is_new = label is not None and label.casefold() not in used
        used.update([label.casefold()] if label else [])
        yield replace(page, label=label if is_new else None, section=section)
        path = after(path, page.headings)


def section_of(path: HeadingPath, title: str) -> str:
    """The section that `path` leads to, without the book's title on top."""
    names = [text for _, text in path]
    if names and plain(names[0]) == plain(title):
        names = names[1:]
    return SECTION_JOINT.join(textwrap.shorten(name, _LONGEST_HEADING, placeholder="…") for name in names)


def _runs(blocks: Sequence[Block]) -> Iterator[tuple[str | None, list[Block]]]:
    """The blocks of each position, with the printed number that is known of it."""
    label: str | None = None
    run: list[Block] = []
    words = 0
    for block in blocks:
        if run and (block.page is not None or (label is None and _begins_anew(block, run[-1], words))):
            yield label, run
            run, words = [], 0
        if block.page is not None:
            label = block.page.strip() or None
        if block.text:
            run.append(block)
            words = words + len(block.text.split()) if not block.level else words
    if run:
        yield label, run


def _begins_anew(block: Block, before: Block, words: int) -> bool:
    """Whether a block begins the next position, behind one of so many words."""
    if block.level:
        return not before.level
    further = words + len(block.text.split())
    return words > 0 and further > (_LONGEST_WORDS if block.is_line else PAGE_WORDS)


def _page(number: int, run: Sequence[Block]) -> Page:
    text, headings, rows, terms = "", [], [], []
    for block in run:
        if text:
            text += "\n" if block.is_line else "\n\n"
        if block.level:
            headings.append(Heading(block.level, block.text, len(text)))
        if block.reading:
            rows.append((len(text), len(text) + len(block.text), block.reading))
        if block.term:
            terms.append((len(text) + block.text.index(block.term), block.term))
        text += block.text
    return Page(
        number, None, text, tuple(headings), "text", _continues(run[-1]), tuple(rows), terms=tuple(terms)
    )


def _continues(last: Block) -> bool:
    """Whether a position ends in mid-sentence."""
    is_prose = not (last.level or last.is_line or last.reading)
    return is_prose and not last.text.endswith(tuple(".!?:…\"”’')]*"))
