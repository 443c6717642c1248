"""Which of two rules counts: what corrects a source comes before it, a table's own rules first; pure."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import chain

from rag.library.books.found_page import Correction, FoundPage
from rag.library.language.likeness import shared_words
from rag.nodes.citations import find_quote, printed, shortened, source_of
from rag.state import Authority, Overruled, PageId, Source, Span
from rag.strategies.lines import CitedLine, Line, lines_of


def with_amendments(sources: Sequence[Source], pages: Sequence[FoundPage]) -> list[Source]:
    """The sources, before each the correction of the very text it quotes, however many they are.

    A table's own rules come before all books, of its rulings the newest first, each with the words of the
    book that it changes. What is on one of `pages` and no source quotes yet is quoted here.
    """
    context = {page.id: page for page in pages}
    ordered = sorted(_with_what_corrects(sources, context), key=_precedence)
    shown = ((one, *_what_it_changes(one, sources, context)) for one in ordered)
    return list(dict.fromkeys(chain.from_iterable(shown)))


def _precedence(source: Source) -> tuple[int, int]:
    """What counts first comes first: of two rulings on the same the newer one."""
    return source.authority.rank, -(source.made.toordinal() if source.made else 0)


def overruled(sources: Sequence[Source], pages: Sequence[FoundPage]) -> list[Overruled]:
    """Which of the sources quote a line that another of them changes: a correction, or a table's own rule."""
    context = {page.id: page for page in pages}
    return [
        Overruled(source=number, by=by)
        for by, own in enumerate(sources)
        for correction in _made_by(own, context)
        for number, source in enumerate(sources)
        if any(
            _quotes(source, correction.other.id, line.span, context)
            for line in _changed_lines(correction, context[correction.other.id], context[own.page_id])
        )
    ]


def _with_what_corrects(sources: Sequence[Source], context: Mapping[PageId, FoundPage]) -> Iterator[Source]:
    for source in sources:
        for correction in _corrections(source, context):
            yield from _sources_of(correction.other.id, correction.correcting, sources, context)
        yield source


def _what_it_changes(
    source: Source, sources: Sequence[Source], context: Mapping[PageId, FoundPage]
) -> Iterator[Source]:
    """What the books say in place of a table's own rule; of any other source nothing."""
    if source.authority is not Authority.BOOK:
        for correction in _made_by(source, context):
            yield from _sources_of(correction.other.id, correction.corrected, sources, context)


def _corrections(source: Source, context: Mapping[PageId, FoundPage]) -> Iterator[Correction]:
    """The corrections, on pages of the context, of what a source quotes."""
    page = context.get(source.page_id)
    if page is None or not page.amended_by:
        return
    span = find_quote(source.quote, page.text) or Span(0, len(page.text))
    for correction in page.amended_by:
        if span.overlaps(correction.corrected) and correction.other.id in context:
            yield correction


def _made_by(source: Source, context: Mapping[PageId, FoundPage]) -> Iterator[Correction]:
    """The corrections that a source quotes, of what stands on pages of the context."""
    page = context.get(source.page_id)
    for correction in page.amends if page else ():
        if correction.other.id in context and _quotes(source, source.page_id, correction.correcting, context):
            yield correction


def _sources_of(
    page_id: PageId, span: Span, sources: Sequence[Source], context: Mapping[PageId, FoundPage]
) -> list[Source]:
    """The sources that quote a part of a page; else one that does."""
    page = context[page_id]
    quoted = [source for source in sources if _quotes(source, page_id, span, context)]
    # The heading of a house rule is where it is cited, not a word of what it says.
    said = [line.span.start for line in lines_of(page) if line.span.overlaps(span) and not line.is_heading]
    words = printed(page.text[max(span.start, min(said, default=span.start)) : span.end])
    return quoted or [source_of(page, shortened(words, set()), span.start)]


def _quotes(source: Source, page_id: PageId, span: Span, context: Mapping[PageId, FoundPage]) -> bool:
    """Whether a source quotes some of a part of a page."""
    found = find_quote(source.quote, context[page_id].text) if source.page_id == page_id else None
    return found is not None and found.overlaps(span)


def corrections_over(cited: CitedLine) -> list[Correction]:
    """The corrections, of errata, house rules and rulings, that stand over a line or its section."""
    return [one for one in cited.page.amended_by if one.corrected.overlaps(cited.line.span)]


def changed_among(
    cited: Sequence[CitedLine], pages: Mapping[PageId, FoundPage]
) -> list[tuple[CitedLine, Correction]]:
    """Those of some lines that a correction changes, each with it."""
    return [
        (one, correction)
        for one in cited
        for correction in corrections_over(one)
        if one.line in _changed_lines(correction, one.page, pages.get(correction.other.id))
    ]


def cites_corrections(cited: Sequence[CitedLine], changed: Sequence[tuple[CitedLine, Correction]]) -> bool:
    """Whether for every line that a correction changes that correction is cited, too."""
    correcting = {
        (one.page.id, correction.other.id, correction.corrected)
        for one in cited
        for correction in one.page.amends
        if correction.correcting.overlaps(one.line.span)
    }
    return all(
        (correction.other.id, one.page.id, correction.corrected) in correcting for one, correction in changed
    )


def _changed_lines(correction: Correction, page: FoundPage, other: FoundPage | None) -> list[Line]:
    """The lines that a correction changes: of the part that it names those that share most words with it.

    All of that part, where the correction's page is not at hand.
    """
    here, there = correction.corrected, correction.correcting
    part = [line for line in lines_of(page) if line.span.overlaps(here) and not line.is_heading]
    if other is None or len(part) < 2:
        return part
    said = other.text[there.start : there.end]
    shares = shared_words(said, [line.text for line in part], [page.language] * len(part))
    return [line for line, share in zip(part, shares, strict=True) if share == max(shares)]
