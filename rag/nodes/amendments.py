"""Which of two rules counts: a source is preceded by what corrects it; pure."""

from collections.abc import Iterator, Sequence
from typing import Any

from langchain_core.documents import Document

from rag.nodes.citations import find_quote, printed, shortened
from rag.state import Source, Span

Place = tuple[str, int]
"""A page by file and 1-based position in it."""


def with_amendments(sources: Sequence[Source], pages: Sequence[Document], limit: int) -> list[Source]:
    """The sources, before each the correction of the very text it quotes; at most `limit`, the first kept.

    A correction on one of `pages` that no source quotes yet is quoted here.
    """
    context = {_place(page.metadata): page for page in pages}
    ordered: list[Source] = []
    for source in sources:
        amending = [
            found
            for amendment in _amendments(source, context)
            for found in _sources_of(amendment, sources, context[_place(amendment)])
        ]
        ordered += [one for one in (*amending, source) if one not in ordered]
    return ordered[:limit]


def _amendments(source: Source, context: dict[Place, Document]) -> Iterator[dict[str, Any]]:
    """The corrections, on pages of the context, of what a source quotes."""
    page = context.get((source.file, source.pdf_page))
    if page is None:
        return
    span = find_quote(source.quote, page.page_content) or Span(0, len(page.page_content))
    for amendment in page.metadata.get("amended_by", []):
        is_quoted = span.start < amendment["end"] and amendment["start"] < span.end
        if is_quoted and _place(amendment) in context:
            yield amendment


def _sources_of(amendment: dict[str, Any], sources: Sequence[Source], page: Document) -> list[Source]:
    """The sources that quote a correction; else one that does."""
    quoted = [
        source
        for source in sources
        if (source.file, source.pdf_page) == _place(amendment)
        and (span := find_quote(source.quote, page.page_content))
        and span.start < amendment["until"]
        and amendment["at"] < span.end
    ]
    return quoted or [_quoted(amendment, page)]


def _quoted(amendment: dict[str, Any], page: Document) -> Source:
    facts = page.metadata
    return Source(
        book=facts["book"],
        file=facts["file"],
        game=facts["game"],
        page=facts["page"],
        pdf_page=facts["pdf_page"],
        quote=shortened(printed(page.page_content[amendment["at"] : amendment["until"]]), set()),
        verified=True,
    )


def _place(facts: dict[str, Any]) -> Place:
    return facts["file"], facts["pdf_page"]
