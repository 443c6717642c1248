"""Which corrections change which rules: errata, and books declared to amend another. Pure."""

import re
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise

from rag.library.books.catalog import plain
from rag.library.books.page import HeadingPath, Page, path_at, paths_at_top
from rag.library.language.grammar_words import one_of
from rag.library.language.language import CORRECTIONS, GRAMMAR_FUNCTION_WORDS
from rag.library.language.likeness import shared_words

_ERRATA = re.compile(
    rf"\b{one_of(CORRECTIONS.errata)}\b|(?:^|\b{one_of(CORRECTIONS.before)}\s+|[:&–—-]\s*)"
    rf"{one_of(CORRECTIONS.corrections)}\b",
    re.IGNORECASE,
)
ITEM = re.compile(r"[^\S\n]*(?:[•*–-]|\d{1,2}[.)])\s|[^\n]*\S[^\S\n]{2,}\S")
"""How a line of a list begins, or a row of a table."""
_PIECE = re.compile(rf"(?:{ITEM.pattern})[^\n]*|[^\n]+(?:\n(?!\n|{ITEM.pattern})[^\n]+)*")
_PAGE_WORDS = one_of([r"pp?\.", *CORRECTIONS.pages])
_PLACED = rf"(?:(?:{one_of(CORRECTIONS.on)}\s+)?\(?{_PAGE_WORDS}\s*[\w–-]+\)?[\s,.:;–—-]*)?"
_ONLY_PLACED = re.compile(_PLACED, re.IGNORECASE)
_OPENING = re.compile(
    rf"^[\W_]*(?:\d+\s{{2,}}|{_PLACED})"
    r"(?P<name>[^\n:.()]{3,60}?)\s*(?:\([^)\n]*\)\s*)?(?:[:.]|\s[–—-]\s|[^\S\n]{2,})",
    re.IGNORECASE,
)
"""What a correction begins with: "Page 3, Riposte. …", "Boarding axe: …", "Aiming (p. 12): …", a cell."""
_QUOTED = re.compile(r"[“\"«](?P<words>[^“”\"«»\n]{3,})[”\"»]")


_PLAIN_PAGE_WORDS = one_of(["pp?", *(word.removesuffix(r"\.") for word in CORRECTIONS.pages)])
_PAGE_FIRST = re.compile(rf"(?:\w+ ){{0,3}}{_PLAIN_PAGE_WORDS} ")
_TERM_ENDS = re.compile(r"\s{2,}|[:.(]|\s[–—-]\s")
_plain_heading = lru_cache(maxsize=4_096)(plain)
"""Each correction looks at the headings of all books of its game."""
_FEWEST_SHARED = 2
_ALL_WORDS = 0.99
"""From this share on a heading has all words of a name."""


@dataclass(frozen=True, slots=True)
class PageSpan:
    """Characters `start` to `end` of the page at `position`."""

    position: tuple[int, int]
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class PrintedCorrection:
    """One correction: where it stands, the name of what it corrects as far as it begins with one, and its
    words, both in plain letters.
    """

    place: PageSpan
    name: str
    said: str


def corrections(pages: Sequence[Page], *, is_amendment: bool) -> list[PrintedCorrection]:
    """The corrections of a book: its errata; all its text where it is declared to amend another book and
    has no errata.
    """
    # Most books have no such heading, which is told far sooner than what each page stands under.
    if not (is_amendment or _has_errata(pages)):
        return []
    texts = [(page, top) for page, top in zip(pages, paths_at_top(pages), strict=True) if page.kind == "text"]
    errata = [one for page, top in texts for one in _corrections(page, top, under_errata=True)]
    if errata or not is_amendment:
        return errata
    return [one for page, top in texts for one in _corrections(page, top, under_errata=False)]


def opening_name(text: str) -> str:
    """The name, in plain letters, with which a correction begins; "" if none."""
    opening = _OPENING.match(text)
    return plain(opening["name"]) if opening else ""


def is_all_errata(pages: Sequence[Page]) -> bool:
    """Whether a book holds nothing but corrections."""
    return _has_errata(pages) and all(
        any(_ERRATA.search(heading) for heading in path_at(top, page.headings, len(page.text)))
        for page, top in zip(pages, paths_at_top(pages), strict=True)
        if page.kind == "text" and page.text.strip()
    )


def _has_errata(pages: Sequence[Page]) -> bool:
    return any(_ERRATA.search(heading.text) for page in pages for heading in page.headings)


def corrected_places(correction: PrintedCorrection, pages: Sequence[Page], title: str) -> list[PageSpan]:
    """What a correction changes by name among the pages of the book `title`, which itself names no rule."""
    rules = [page for page in pages if page.kind == "text"]
    return _named(correction.name, correction.said, rules, besides=plain(title))


def changed_parts(name: str, said: str, page: Page, language: str, printed: str = "") -> list[PageSpan]:
    """The parts of a page that a correction with its number changes, by its name and all that it says.

    The one line that it quotes as `printed`, or what it names, else the section or paragraph that shares most
    words with it: all of a name's, as the glossary has them in the language of the book, or several of a
    text's. Else the page, where a text begins with its number, perhaps after a title; none where it is only
    mentioned.
    """
    is_name = name == said
    for quoted in _QUOTED.finditer(printed):
        if len(lines := _saying(page, plain(quoted["words"]))) == 1:
            return lines
    if named := _named(name, said, [page], fewest_words=1 if is_name else _FEWEST_SHARED):
        # A row of that name, or a line, is not all that the page says of it.
        more = _saying(page, name) if len(name.split()) >= _FEWEST_SHARED else ()
        return named if is_name else [*named, *(one for one in more if not overlap(one, named))]
    sections = {section.start: section for _, section in _sections(page)}
    paragraphs = [PageSpan(page.position, *match.span()) for match in _PIECE.finditer(page.text)]
    texts = [page.text[one.start : one.end] for one in paragraphs]
    if is_name:
        shared = shared_words(name, texts, [language] * len(texts))
    else:
        words = {*said.split()} - GRAMMAR_FUNCTION_WORDS
        shared = [len(words.intersection(plain(text).split())) for text in texts]
    if max(shared, default=0) > (_ALL_WORDS if is_name else _FEWEST_SHARED - 1):
        alike = paragraphs[shared.index(max(shared))]
        return [sections.get(alike.start, alike)]
    return [PageSpan(page.position, 0, len(page.text))] if _PAGE_FIRST.match(said) else []


def _named(
    name: str, said: str, pages: Sequence[Page], *, besides: str = "", fewest_words: int = _FEWEST_SHARED
) -> list[PageSpan]:
    """The sections of a name, else those whose headings are said, else the lines that explain the name.

    A heading of fewer words is not said: in running text one word may mean anything.
    """
    sections = [one for page in pages for one in _sections(page) if one[0] not in ("", besides)]
    called = [section for heading, section in sections if heading == name]
    said_too = [
        section
        for heading, section in sections
        if len(heading.split()) >= fewest_words and f" {heading} " in f" {said} "
    ]
    return called or said_too or [line for page in pages if name for line in _lines_of(page, name)]


def _corrections(page: Page, top: HeadingPath, *, under_errata: bool) -> Iterator[PrintedCorrection]:
    """The paragraphs of a page that correct something; under a heading of its own, all of them are one."""
    offsets = {heading.offset: heading.text for heading in page.headings}
    ends = sorted({0, len(page.text), *offsets})
    for start, end in pairwise(ends):
        path = path_at(top, page.headings, start)
        if under_errata and not any(_ERRATA.search(heading) for heading in path):
            continue
        heading = offsets.get(start, "")
        if heading and not _ERRATA.search(heading):
            below = page.text[start + len(heading) : end]
            name = opening_name(below.strip()) if _ONLY_PLACED.fullmatch(heading) else plain(heading)
            said = plain(page.text[start:end])
            yield PrintedCorrection(PageSpan(page.position, start, end), name, said)
        else:
            for piece in _PIECE.finditer(page.text, start + len(heading), end):
                place = PageSpan(page.position, *piece.span())
                yield PrintedCorrection(place, opening_name(piece[0]), plain(piece[0]))


def _sections(page: Page) -> list[tuple[str, PageSpan]]:
    """The headings of a page in plain letters, each with the text it stands over; errata excepted."""
    ends = [*(heading.offset for heading in page.headings), len(page.text)]
    return [
        (_plain_heading(heading.text), PageSpan(page.position, heading.offset, end))
        for heading, end in zip(page.headings, ends[1:], strict=True)
        if not _ERRATA.search(heading.text)
    ]


def _saying(page: Page, name: str) -> list[PageSpan]:
    """The lines of a page that say a name."""
    return _lines(page, lambda line: f" {name} " in f" {plain(line)} ")


def _lines_of(page: Page, term: str) -> list[PageSpan]:
    """The lines and table rows of a page that explain a term: it begins the line, or is its first cell."""
    return _lines(page, lambda line: plain(_TERM_ENDS.split(line, maxsplit=1)[0]) == term)


def _lines(page: Page, is_meant: Callable[[str], bool]) -> list[PageSpan]:
    lines = re.finditer(r"[^\n]+", page.text)
    return [PageSpan(page.position, *line.span()) for line in lines if is_meant(line[0])]


def overlap(one: PageSpan, others: Collection[PageSpan]) -> bool:
    """Whether a place shares text with any of `others` on its page."""
    return any(
        one.position == other.position and one.start < other.end and other.start < one.end for other in others
    )
