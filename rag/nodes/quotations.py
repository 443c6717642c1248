"""Answers by quotation: the passages that come closest to a question, verbatim; nothing is claimed."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from rag.library.books.found_page import FoundPage
from rag.library.language.likeness import shared_words
from rag.nodes.amendments import with_amendments
from rag.nodes.citations import MAX_QUOTE_CHARACTERS, paragraph_around, printed, shortened, source_of
from rag.nodes.generate import nothing_found
from rag.state import AnswerWithSources, Outcome, Question, Span
from rag.strategies.context import pages_of
from rag.strategies.lines import sentences
from rag.texts import Texts

PAGES_QUOTED = 5
CHUNKS_READ = 6
"""Matching chunks of a page whose sentences are compared with the question."""
SHORTEST_SENTENCE = 20
WORDS_BONUS = 0.5
"""What holding all words of the question is worth beside a similarity of at most 1, rare words more."""
PAGE_BONUS = 0.3
"""What being on the best page is worth; later pages get a share."""
CHUNK_BONUS = 0.1
"""What being in a page's best chunk is worth; later chunks get a share."""

Similarity = Callable[[str, Sequence[str]], Sequence[float]]
"""How close each of several texts comes to a question, at most 1."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """A sentence of a found page."""

    page: FoundPage
    page_rank: int
    chunk_rank: int
    span: Span

    @property
    def text(self) -> str:
        """The sentence as one line, after the heading it stands under."""
        headings = [text for offset, text in self.page.sections if offset <= self.span.start]
        sentence = printed(self.page.text[self.span.start : self.span.end])
        return f"{headings[-1]}: {sentence}" if headings else sentence


def closest_passages(
    question: str,
    pages: Sequence[FoundPage],
    questions: Sequence[Question],
    similarity: Similarity,
    texts: Texts,
    notice: str | None = None,
) -> AnswerWithSources:
    """One quotation from each of the best pages, the one that answers best first.

    A question that names a page is answered from that page. `found` is false where none of the pages
    holds the question's rarest word or a neighbour of it: the books then hardly speak of it. `questions` are
    the searches that found the pages.
    """
    citable = [page for page in pages if page.is_citable]
    named = [page for page in citable if any(page.id in one.named for one in questions)]
    candidates = [
        candidate
        for rank, page in enumerate((named or citable)[:PAGES_QUOTED])
        for candidate in _candidates(page, rank)
    ]
    if not candidates:
        return nothing_found(pages, texts)
    best_of_page: dict[int, Candidate] = {}
    for candidate in _ranked(question, candidates, similarity):
        best_of_page.setdefault(candidate.page_rank, candidate)
    quoted = [source_of(candidate.page, _quotation(candidate)) for candidate in best_of_page.values()]
    sources = with_amendments(quoted, pages)
    return AnswerWithSources(
        answer="\n\n".join(f"“{source.quote}”" for source in sources),
        sources=sources,
        found=any(_holds_rarest(candidate.page, questions) for candidate in best_of_page.values()),
        outcome=Outcome.PASSAGES,
        notice=notice,
    )


def _ranked(question: str, candidates: Sequence[Candidate], similarity: Similarity) -> list[Candidate]:
    """The sentences, the one that answers best first."""
    texts = [candidate.text for candidate in candidates]
    languages = [candidate.page.language for candidate in candidates]
    scores = [
        alike
        + WORDS_BONUS * shared
        + PAGE_BONUS / (1 + candidate.page_rank)
        + CHUNK_BONUS / (1 + candidate.chunk_rank)
        for alike, shared, candidate in zip(
            similarity(question, texts), shared_words(question, texts, languages), candidates, strict=True
        )
    ]
    order = sorted(range(len(candidates)), key=lambda number: -scores[number])
    return [candidates[number] for number in order]


def _candidates(page: FoundPage, rank: int) -> list[Candidate]:
    spans = list(page.hits[:CHUNKS_READ])
    spans = spans or [Span(0, len(page.text))]
    return [
        Candidate(page, rank, chunk, sentence)
        for sentence in sentences(page.text)
        if _says_something(page.text[sentence.start : sentence.end])
        and (chunk := _holding(sentence, spans)) is not None
    ]


def _holding(sentence: Span, chunks: Sequence[Span]) -> int | None:
    """The rank of the chunk that a sentence begins in."""
    return next(
        (rank for rank, chunk in enumerate(chunks) if chunk.start <= sentence.start < chunk.end), None
    )


def _says_something(text: str) -> bool:
    """Whether a piece is a sentence or a table row: headings and scraps are no answer."""
    is_sentence = text.rstrip('"”’)* ')[-1:] in (".", "!", "?", ":", ";")
    is_row = any(map(str.isdigit, text))
    return len(text) >= SHORTEST_SENTENCE and (is_sentence or is_row)


def _holds_rarest(page: FoundPage, questions: Sequence[Question]) -> bool:
    """Whether a page holds the rarest word of the first question that found it, as far as its search told."""
    finding = next(
        (one for one in questions if page.id in {found.id for found in pages_of(one).values()}), None
    )
    return finding is None or finding.holding_rarest is None or page.id in finding.holding_rarest


def _quotation(candidate: Candidate) -> str:
    """The sentence with as many of its paragraph's, first behind and then before it, as a quotation holds."""
    text, sentence = candidate.page.text, candidate.span
    paragraph = paragraph_around(text, sentence)
    around = [span for span in sentences(text) if paragraph.start <= span.start and span.end <= paragraph.end]
    ends = [span.end for span in around if span.end >= sentence.end]
    starts = [span.start for span in reversed(around) if span.start <= sentence.start]
    end = max((end for end in ends if end - sentence.start <= MAX_QUOTE_CHARACTERS), default=sentence.end)
    start = min((start for start in starts if end - start <= MAX_QUOTE_CHARACTERS), default=sentence.start)
    return shortened(printed(text[start:end]), set())
