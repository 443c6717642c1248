"""Which of two rules counts: a source is preceded by what corrects it; pure."""

from collections.abc import Iterator, Mapping, Sequence

from rag.library.books.found_page import Correction, FoundPage
from rag.nodes.citations import find_quote, printed, shortened, source_of
from rag.state import PageId, Source, Span


def with_amendments(sources: Sequence[Source], pages: Sequence[FoundPage]) -> list[Source]:
    """The sources, before each the correction of the very text it quotes, however many they are.

    A correction on one of `pages` that no source quotes yet is quoted here.
    """
    context = {page.id: page for page in pages}
    ordered: list[Source] = []
    for source in sources:
        amending = [
            found
            for correction in _corrections(source, context)
            for found in _sources_of(correction, sources, context[correction.other.id])
        ]
        ordered += [one for one in (*amending, source) if one not in ordered]
    return ordered


def _corrections(source: Source, context: Mapping[PageId, FoundPage]) -> Iterator[Correction]:
    """The corrections, on pages of the context, of what a source quotes."""
    page = context.get(source.page_id)
    if page is None or not page.amended_by:
        return
    span = find_quote(source.quote, page.text) or Span(0, len(page.text))
    for correction in page.amended_by:
        if span.overlaps(correction.corrected) and correction.other.id in context:
            yield correction


def _sources_of(correction: Correction, sources: Sequence[Source], page: FoundPage) -> list[Source]:
    """The sources that quote a correction; else one that does."""
    quoted = [
        source
        for source in sources
        if source.page_id == page.id
        and (span := find_quote(source.quote, page.text))
        and span.overlaps(correction.correcting)
    ]
    at = correction.correcting
    return quoted or [source_of(page, shortened(printed(page.text[at.start : at.end]), set()), at.start)]
