"""Which further pages belong to the found ones: what they refer to, run on to, or are amended by; pure."""

import re
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass

from rag.library.books.found_page import Correction, FoundPage
from rag.library.language.likeness import shared_words
from rag.rules import rule
from rag.state import Authority, ChangedEnd, Followed, PageId, Span

PAGES_LOOKED_AT = 5
"""References are followed from the best pages only: further down they lead astray."""
FOLLOWED_AT_ONCE = 2
"""More would push found pages out of the context."""
LONGEST_CHAIN = 3
"""A refers to B, B to C."""
MENTIONED_AT_ONCE = 2
"""Pages that passages lead on to by the headings that they mention, where no reference does."""
CORRECTIONS_AT_ONCE = 4
PAGES_OF_A_RANGE = 2
"""Of a reference to pp. 5–10 the first pages come along; the rest would fill the context alone."""
PASSAGES_OF_FETCHED = 3
"""Paragraphs of a fetched page that are told as wanted."""
PARAGRAPH = re.compile(r"\S.*?(?=\n\n|\Z)", re.DOTALL)
SENTENCE_REACH = 160
"""Characters before and after a reference that say what it is about."""


@dataclass(frozen=True)
class Link:
    """A way from a found page to others: both as a person would look them up, and the pages themselves.

    There are no `pages` where a reference is unresolved. What is wanted there: the `passages` of the
    first page, or else what speaks of the words `about`. `changed` is the end whose rule the other changes,
    `text` how a printed reference reads, `language` that of its page.
    """

    origin: str
    target: str
    pages: tuple[PageId, ...]
    passages: tuple[Span, ...] = ()
    about: str = ""
    changed: ChangedEnd | None = None
    text: str = ""
    language: str = "en"

    def is_new(self, known: Collection[PageId]) -> bool:
        """Whether it leads to a page that is not among the known ones, or to none that is here."""
        return not self.pages or any(page not in known for page in self.pages)

    def followed(self, hop: int) -> Followed:
        """What is told of it where it is followed in a hop."""
        return Followed(origin=self.origin, target=self.target, hop=hop, changed=self.changed)


def open_references(
    pages: Sequence[FoundPage], known: Collection[PageId], fetched: Sequence[FoundPage] = ()
) -> list[Link]:
    """The references of ranked `pages`, and of pages `fetched`, that lead to pages not `known` yet.

    They come in the order of their pages; of a page those of its best passage first.
    What is surely not in the library leads nowhere.
    """
    found: dict[tuple[PageId, ...] | str, Link] = {}
    for page in [*pages, *fetched]:
        for one in sorted(page.references, key=lambda one: not _is_within(one.start, page)):
            link = Link(
                page.place,
                one.place,
                one.pages[:PAGES_OF_A_RANGE],
                about=page.text[max(0, one.start - SENTENCE_REACH) : one.start + SENTENCE_REACH],
                text=one.text,
                language=page.language,
            )
            if one.pages != (page.id,) and not one.is_absent and link.is_new(known):
                found.setdefault(link.pages or link.target, link)
    return list(found.values())


@rule(without=lambda references: [])
def references_followed(references: Iterable[Link]) -> list[Link]:
    """The references to fetch at once: the first that lead to a page of the library.

    A threshold would shut out questions in another language than the book's, which share no words with it.
    """
    return [reference for reference in references if reference.pages][:FOLLOWED_AT_ONCE]


@rule(without=lambda pages, shown, known, named=(): [])
def corrections(
    pages: Sequence[FoundPage],
    shown: Sequence[FoundPage],
    known: Collection[PageId],
    named: Collection[PageId] = (),
) -> list[Link]:
    """The pages that correct what matched on one of the best `pages`, or that it corrects there.

    First a table's own rules: all that change a page that is `shown`, lest a rule be told as it is printed.
    Of a page that the question names, every passage counts.
    """
    found: list[tuple[bool, bool, Link]] = []
    for page in [*pages, *shown]:
        changes: list[tuple[Correction, Span, Span, ChangedEnd]]
        changes = [(one, one.corrected, one.correcting, "origin") for one in page.amended_by]
        changes += [(one, one.correcting, one.corrected, "target") for one in page.amends]
        for one, here, there, changed in changes:
            of = one.other if changed == "origin" else page
            is_own = of.authority is not Authority.BOOK
            is_meant = page.id in named or _has_matched(page, here)
            if (is_meant and page in pages) or (is_own and (is_meant or of is not page)):
                origin = page.place_at(here.start)
                link = Link(origin, one.other.place, (one.other.id,), (there,), changed=changed)
                found.append((is_own, is_meant, link))
    ranked = sorted(found, key=lambda one: one[:2], reverse=True)
    return _fresh((link for _, _, link in ranked), known)[:CORRECTIONS_AT_ONCE]


def _has_matched(page: FoundPage, span: Span) -> bool:
    """Whether a passage that matched shares text with a place on a page; all do where none matched.

    A table's own rules are so few that any of them may match somehow: of those the best passage alone counts.
    """
    hits = page.hits if page.authority is Authority.BOOK else page.hits[:1]
    return not hits or any(hit.overlaps(span) for hit in hits)


@rule(without=lambda pages, known: [])
def referring_page(pages: Sequence[FoundPage], known: Collection[PageId]) -> list[Link]:
    """The page that points at the best page, for a rule is often an exception to the one it names."""
    links = [
        Link(page.place, other.place, (other.id,), about=" ".join([page.book, *page.headings]))
        for page in pages[:1]
        for other in page.referred_by
    ]
    return _fresh(links, known)[:1]


@rule(without=lambda pages, fetched: [])
def headings_mentioned(
    pages: Sequence[FoundPage], fetched: Sequence[FoundPage]
) -> list[tuple[FoundPage, str]]:
    """The best page and those it leads to, the last of a chain first, each with text that may name a heading.

    The text is what matched best on the page, without the paragraphs that hold references.
    """
    by_id = {page.id: page for page in [*fetched, *pages]}
    chain = list(pages[:1])
    for page in chain:
        led_to = (end for one in page.references if _is_within(one.start, page) for end in one.pages[:1])
        chain += [by_id[end] for end in led_to if end in by_id and by_id[end] not in chain]
    return [(page, text) for page in reversed(chain) if (text := _without_references(page))]


def _without_references(page: FoundPage) -> str:
    """The paragraphs of what matched best on a page that hold no reference to a page that is there."""
    span = _best_span(page)
    paragraphs = (Span(*one.span()) for one in PARAGRAPH.finditer(page.text, span.start, span.end))
    starts = [one.start for one in page.references if one.pages]
    return "\n\n".join(
        page.text[one.start : one.end]
        for one in paragraphs
        if not any(one.start <= start < one.end for start in starts)
    )


def _is_within(offset: int, page: FoundPage) -> bool:
    span = _best_span(page)
    return span.start <= offset < span.end


def _best_span(page: FoundPage) -> Span:
    return page.hits[0] if page.hits else Span(0, len(page.text))


def unique(links: Iterable[Link]) -> list[Link]:
    """The links, each that leads to the same pages once."""
    return list({link.pages: link for link in links}.values())


def _fresh(links: Iterable[Link], known: Collection[PageId]) -> list[Link]:
    return unique(link for link in links if link.is_new(known))


def with_passages(page: FoundPage, link: Link, question: str) -> FoundPage:
    """A fetched page, told which of its passages are wanted: those a link names, else what speaks of it.

    These are the paragraphs that share most with question and link, the first where none does.
    """
    if page.hits:
        return page
    if link.passages and link.pages[0] == page.id:
        return page.model_copy(update={"hits": link.passages})
    paragraphs = [Span(*match.span()) for match in PARAGRAPH.finditer(page.text)]
    texts = [page.text[span.start : span.end] for span in paragraphs]
    shares = shared_words(f"{question} {link.about}", texts, [page.language] * len(texts))
    ranked = sorted(zip(shares, paragraphs, strict=True), key=lambda one: -one[0])
    return page.model_copy(update={"hits": tuple(span for _, span in ranked[:PASSAGES_OF_FETCHED])})
