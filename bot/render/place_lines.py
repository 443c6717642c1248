"""The places that a search found, as lines of a list."""

from bot.render.markdown import ELLIPSIS, cut, escaped, quoted
from rag.library.books.found_page import FoundPage
from rag.library.books.page import SECTION_JOINT
from rag.library.language.likeness import shared_words
from rag.strategies.lines import lines_of
from rag.texts import Texts
from rag.texts.blocks import citation

SHOWN = 220
"""Characters of a page: enough to know the rule again."""


def place_lines(pages: list[FoundPage], query: str, texts: Texts) -> str:
    """Each place by book and printed page, under its headings, with the words that come closest."""
    return "\n".join(_place(page, query, texts) for page in pages)


def _place(page: FoundPage, query: str, texts: Texts) -> str:
    place = citation(page.book, page.label, page.pdf_page, texts, page.section)
    headings = "" if place == page.section else SECTION_JOINT.join(page.headings)
    title = f"**{escaped(place)}**" + (f" · {escaped(cut(headings, SHOWN))}" if headings else "")
    return f"{title}\n{quoted(cut(closest_words(page, query), SHOWN))}"


def closest_words(page: FoundPage, query: str) -> str:
    """The line of what matched that shares most words with a query; of several alike the first."""
    lines = lines_of(page)
    matched = [line.text for hit in page.hits for line in lines if line.span.overlaps(hit)]
    told = list(dict.fromkeys(matched)) or [line.text for line in lines] or [ELLIPSIS]
    shared = shared_words(query, told, [page.language] * len(told))
    return told[shared.index(max(shared))]
