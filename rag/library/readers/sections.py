"""Blocks of a document → a book, which is cited by its sections. Pure.

A section is a heading with its text up to the next heading. The positions of the book, which a search
returns, hold about as much as a printed page: several short sections, or a part of a long one. Where printed
page numbers are known, the printed pages are the positions instead.
"""

import textwrap
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import count, zip_longest

from rag.errors import BookWithoutWords
from rag.library.books.book import ParsedBook
from rag.library.books.catalog import plain
from rag.library.books.house_rules import are_house_rules
from rag.library.books.page import SECTION_JOINT, Heading, HeadingPath, Page, SectionStart, after
from rag.library.books.titles import sensible_title
from rag.library.language.identify import language_of
from rag.library.language.spelling import known_share
from rag.library.readers.blocks import BOLD_LINE, DocumentBlock
from rag.library.readers.stray_headings import with_lists_whole
from rag.library.references.codes import declared_codes

READER_VERSION = 11
"""Bumped when what is read of a document without fixed pages changes: such books are read again."""
PAGE_WORDS = 450
"""A position holds no more, where it can be cut before a heading or between paragraphs."""
_FEWEST_WORDS = 100
"""Words of a position, before which no heading begins the next."""
_LONGEST_WORDS = 900
"""Where no paragraph ends for so long, a section is cut between lines."""
_LONGEST_HEADING = 80  # characters of it in the name of a section
_SAMPLED = 20_000  # characters, for the language


def book_of(
    blocks: Iterable[DocumentBlock], file: str, name: str, told_title: str = "", told_language: str = ""
) -> ParsedBook:
    """A book of blocks. `told_title` and `told_language` are what the file says of itself, `name` is its
    readable file name.

    Raises `BookWithoutWords`.
    """
    whole = with_lists_whole([block for block in blocks if block.text or block.page is not None])
    if not any(any(map(str.isalpha, block.text)) for block in whole):
        raise BookWithoutWords(file=file)
    title = sensible_title(told_title) or top_heading(whole)
    if are_house_rules(file):
        whole = _without_title(whole, title)
    pages = tuple(_pages(whole, title or name))
    text = "\n\n".join(page.text for page in pages)
    language = language_of(text[:_SAMPLED], told_language)
    known_words = known_share((page.text for page in pages), language)
    return ParsedBook(title, language, declared_codes(text), pages, known_words=known_words)


def top_heading(blocks: Sequence[DocumentBlock]) -> str | None:
    """The heading that stands above all others: the first one, and the only one of its level."""
    headings = [block for block in blocks if 0 < block.level < BOLD_LINE]
    if not headings or headings[0].level > min(block.level for block in headings):
        return None
    is_alone = sum(block.level == headings[0].level for block in headings) == 1
    is_top = headings[0].level == 1 or len(headings) > 1
    return headings[0].text if is_alone and is_top else None


def _without_title(blocks: Sequence[DocumentBlock], title: str | None) -> list[DocumentBlock]:
    """The blocks of a table's own rules without their title, where headings of rules stand below it.

    "Our Table" is what no rule speaks of: questions with its words would find the first one.
    """
    is_titled = title is not None and sum(block.level > 0 for block in blocks) > 1
    top = top_heading(blocks) if is_titled else None
    if top is None or plain(top) != plain(title or ""):
        return list(blocks)
    first = next(number for number, block in enumerate(blocks) if block.level)
    return [*blocks[:first], *blocks[first + 1 :]]


def _pages(blocks: Sequence[DocumentBlock], title: str) -> Iterator[Page]:
    """The positions of a book with their places: a printed number, and the sections that begin there."""
    path: HeadingPath = ()
    used: set[str] = set()
    for number, (label, run) in zip(count(1), _runs(blocks), strict=False):
        page = _page(number, run)
        is_new = label is not None and label.casefold() not in used
        used.update([label.casefold()] if label else [])
        starts = tuple(_section_starts(page, path, title))
        yield replace(page, label=label if is_new else None, section_starts=starts)
        path = after(path, page.headings)


def _section_starts(page: Page, path: HeadingPath, title: str) -> Iterator[SectionStart]:
    """Where sections begin on a page with `path` in force at its top, and their names.

    Where a heading has no text of its own, only one below it, both begin one section; so does the title.
    """
    if not page.headings or page.headings[0].offset:
        yield 0, section_of(path, title)
    start = None
    for heading, following in zip_longest(page.headings, page.headings[1:]):
        path = after(path, [heading])
        start = heading.offset if start is None else start
        section = section_of(path, title)
        is_above = following is not None and (heading.level < following.level or not section)
        end = following.offset if following else None
        if not is_above or page.text[heading.offset + len(heading.text) : end].strip():
            yield start, section
            start = None


def section_of(path: HeadingPath, title: str) -> str:
    """The section that `path` leads to, without the book's title on top."""
    names = [text for _, text in path]
    if names and plain(names[0]) == plain(title):
        names = names[1:]
    return SECTION_JOINT.join(textwrap.shorten(name, _LONGEST_HEADING, placeholder="…") for name in names)


def _runs(blocks: Sequence[DocumentBlock]) -> Iterator[tuple[str | None, list[DocumentBlock]]]:
    """The blocks of each position, with the printed number that is known of it."""
    label: str | None = None
    run: list[DocumentBlock] = []
    words = 0
    for block, section_words in zip(blocks, _words_to_section_end(blocks), strict=True):
        is_full = label is None and bool(run) and _begins_anew(block, run, words, section_words)
        if run and (block.page is not None or is_full):
            yield label, run
            run, words = [], 0
        if block.page is not None:
            label = block.page.strip() or None
        if block.text:
            run.append(block)
            words += _words(block)
    if run:
        yield label, run


def _words_to_section_end(blocks: Sequence[DocumentBlock]) -> list[int]:
    """Of each block the words from there on to the next section."""
    counts: list[int] = []
    for block, following in zip(reversed(blocks), [None, *reversed(blocks)], strict=False):
        ends = following is None or (following.level > 0 and not block.level)
        counts.append(_words(block) + (0 if ends else counts[-1]))
    return counts[::-1]


def _words(block: DocumentBlock) -> int:
    """The words of a block; headings do not fill a page."""
    return 0 if block.level else len(block.text.split())


def _begins_anew(block: DocumentBlock, run: Sequence[DocumentBlock], words: int, section_words: int) -> bool:
    """Whether a block begins the next position, behind a run of blocks with so many words."""
    if run[-1].level:
        return False
    if block.level:
        return words >= _FEWEST_WORDS and words + section_words > PAGE_WORDS
    return words > 0 and words + _words(block) > (_LONGEST_WORDS if block.is_line else PAGE_WORDS)


def _page(number: int, run: Sequence[DocumentBlock]) -> Page:
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
    is_prose = not (block.level or block.is_line or block.reading)
    continues = is_prose and not text.endswith(tuple(".!?:…\"”’')]*"))
    return Page(number, None, text, tuple(headings), "text", continues, tuple(rows), terms=tuple(terms))
