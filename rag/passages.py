"""Answers by quotation: the passages that come closest to a question, verbatim; nothing is claimed."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from langchain_core.documents import Document

from rag.citations import MAX_QUOTE_CHARACTERS, Span, printed, shortened
from rag.context import is_citable
from rag.generate import MAX_SOURCES, nothing_found
from rag.state import AnswerWithSources, Outcome, Source
from rag.texts import Texts

PAGES_QUOTED = MAX_SOURCES
CHILDREN_READ = 3
"""Matching children of a page whose sentences are compared with the question."""
SENTENCE = re.compile(r"[^\n]+?(?:[.!?]+[\"”’)]*(?=\s)|(?=\n)|\Z)", re.DOTALL)
SHORTEST_SENTENCE = 20
RANK_BONUS = 0.15
"""What being the best page is worth beside a similarity of at most 1; the next pages get a share."""

Similarity = Callable[[str, Sequence[str]], Sequence[float]]
"""How close each of several texts comes to a question, at most 1."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """A sentence of a found page."""

    page: Document
    rank: int
    span: Span

    @property
    def text(self) -> str:
        """The sentence as one line."""
        return printed(self.page.page_content[self.span.start : self.span.end])


def closest_passages(
    question: str, pages: Sequence[Document], similarity: Similarity, texts: Texts, notice: str | None = None
) -> AnswerWithSources:
    """One quotation from each of the best pages, the one that answers best first."""
    candidates = [
        candidate
        for rank, page in enumerate([page for page in pages if is_citable(page)][:PAGES_QUOTED])
        for candidate in _candidates(page, rank)
    ]
    if not candidates:
        return nothing_found(pages, texts)
    scores = similarity(question, [candidate.text for candidate in candidates])
    ranked = sorted(
        zip(scores, candidates, strict=True),
        key=lambda scored: -(scored[0] + RANK_BONUS / (1 + scored[1].rank)),
    )
    best_of_page = {candidate.rank: candidate for _, candidate in reversed(ranked)}
    order = dict.fromkeys(candidate.rank for _, candidate in ranked)
    sources = [_source(best_of_page[rank]) for rank in order]
    return AnswerWithSources(
        answer="\n\n".join(f"“{source.quote}”" for source in sources),
        sources=sources,
        found=True,
        outcome=Outcome.PASSAGES,
        notice=notice,
    )


def sentences(text: str) -> list[Span]:
    """The sentences and table rows of a page."""
    return [Span(*match.span()) for match in SENTENCE.finditer(text) if match[0].strip()]


def _candidates(page: Document, rank: int) -> list[Candidate]:
    spans = [Span(*hit) for hit in page.metadata.get("hits", [])[:CHILDREN_READ]]
    spans = spans or [Span(0, len(page.page_content))]
    return [
        Candidate(page, rank, sentence)
        for sentence in sentences(page.page_content)
        if sentence.end - sentence.start >= SHORTEST_SENTENCE
        and any(span.start <= sentence.start < span.end for span in spans)
    ]


def _source(candidate: Candidate) -> Source:
    facts = candidate.page.metadata
    return Source(
        book=facts["book"],
        file=facts["file"],
        game=facts["game"],
        page=facts["page"],
        pdf_page=facts["pdf_page"],
        quote=_quotation(candidate),
        verified=True,
    )


def _quotation(candidate: Candidate) -> str:
    """The sentence with as many of the following ones of its paragraph as a quotation holds."""
    text, start = candidate.page.page_content, candidate.span.start
    paragraph_end = text.find("\n\n", start)
    ends = [span.end for span in sentences(text) if span.start >= start]
    within = [end for end in ends if end <= paragraph_end] if paragraph_end >= 0 else ends
    quotes = [printed(text[start:end]) for end in within or ends[:1]]
    fitting = [quote for quote in quotes if len(quote) <= MAX_QUOTE_CHARACTERS]
    return fitting[-1] if fitting else shortened(quotes[0], set())
