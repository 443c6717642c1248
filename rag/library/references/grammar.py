"""The whole grammar: every kind of reference in a text, none overlapping another. Pure."""

import functools
from collections.abc import Collection, Iterator
from itertools import chain

from rag.library.references.chapters import find_chapters
from rag.library.references.codes import find_codes
from rag.library.references.names import Names
from rag.library.references.neighbours import find_neighbours
from rag.library.references.page_numbers import PageList, PageNumbers
from rag.library.references.reference import Reference


def names_page(question: str) -> bool:
    """Whether a question names a page: "p 45"."""
    return any(one.first for one in find_references(question, (), (), is_question=True))


def find_references(
    text: str,
    titles: Collection[str],
    codes: Collection[str],
    *,
    is_question: bool = False,
    in_notes: bool = False,
) -> list[Reference]:
    """The references in `text`, in order, none overlapping another.

    `titles` are the books of the library, also called by their short names (`titles.names_of`); `codes`
    prefix page numbers ("B102"), the longest wins. In a question titles and codes may be written in any
    case, numbers in words, and a code needs nothing before it. In a group's notes a code may stand
    behind the name of its rule and a dash ("Bleeding – B420").
    """
    numbers, names = _of_library(frozenset(titles), frozenset(codes), is_question)
    codes_alone = find_codes(text, numbers, is_question=is_question, in_notes=in_notes)
    pages = chain(
        numbers.lists(text),
        numbers.before_words(text),
        (PageList(one.start, (one,), False) for one in codes_alone),
    )
    # Where two overlap, the one of the earlier kind is right.
    neighbours = find_neighbours(text) if not is_question else ()
    kinds = (*(_named(text, one, names) for one in pages), find_chapters(text), neighbours)
    found: list[Reference] = []
    for new in chain.from_iterable(kinds):
        if all(new.end <= old.start or old.end <= new.start for old in found):
            found.append(new)
    return sorted(found, key=lambda reference: reference.start)


@functools.lru_cache(maxsize=64)
def _of_library(
    titles: frozenset[str], codes: frozenset[str], is_question: bool
) -> tuple[PageNumbers, Names]:
    """What depends on the library: its codes and titles."""
    return PageNumbers(codes, is_question), Names(titles, is_question)


def _named(text: str, pages: PageList, names: Names) -> Iterator[Reference]:
    """One reference for each number of a list, all of them to the book or heading named beside it."""
    numbers, first_code = pages.numbers, pages.numbers[0].code
    mention = None if first_code else names.beside(text, pages.start, numbers[-1].end)
    is_book = mention is not None and mention.is_book
    name = mention.name if mention else None
    for one in numbers:
        start, end = pages.start if one is numbers[0] else one.start, one.end
        if mention and one is numbers[0]:
            start = min(start, mention.start)
        if mention and mention.start >= pages.start and one is numbers[-1]:
            end = mention.end
        # A parenthesis that was opened there is closed.
        end += text[end : end + 1] == ")" and text.count("(", start, end) > text.count(")", start, end)
        yield Reference(
            text[start:end], start, end,
            book=one.code or (name if is_book else None),
            first=one.first, last=one.last,
            heading=None if is_book or one.code else name,
            is_part=mention is not None and mention.is_part,
            is_topic=mention is not None and mention.is_topic,
            is_pdf_page=pages.is_pdf,
            whole=one.whole_label,
        )  # fmt: skip
