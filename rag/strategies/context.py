"""What goes into a prompt, and how much of it: pages of several searches, as numbered lines. Pure.

Judge and generator are shown the same pages in the same order: what a later round adds is appended, so that
the id of a line stays and a provider reads the common beginning once.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import zip_longest

from rag.library.books.found_page import FoundPage
from rag.library.language.likeness import shared_words
from rag.library.search.fusion import fused
from rag.prompts import Delimited, delimited, joined
from rag.rules import rule
from rag.state import Authority, Origin, Question, Span
from rag.strategies.lines import CitedLine, Line, lines_of

PAGES_KEPT_A_QUERY = 2
CHARACTERS_A_TOKEN = 4
"""About what a token of English holds (OpenAI, "What are tokens?")."""
FIRST_PAGES = 3
"""So many of the question's own best pages come before what was fetched, or found by a part of it."""
PLACES = {Origin.ASKED: FIRST_PAGES, Origin.JUDGE: 1, Origin.FOLLOWED: 1, Origin.SUB_QUESTION: 1}
"""So many first pages of a query have a place whatever else is found."""
MOST_PAGES = 18
"""So many pages of the best are shown at most in a round: all of a search, and what they lead to."""
TOKENS_AT_FIRST, TOKENS_OF_ONE_HOP = 1_600, 4_300
"""What the first judge is shown, and what an answer is written from where no further hop was asked for."""
OWN_SHARE, SHARE_BEFORE_LAST = 0.85, 0.95
"""Of the room, what the first round's pages may fill before later ones, and all rounds before the last."""
RANK_WORTH, RANK_LOSS = 0.8, 0.3
"""What being found first is worth beside holding most words of the question, and how fast that falls."""

PageKey = tuple[str, str]
"""What makes two documents the same page: book and content."""
Finding = tuple[Question, dict[PageKey, FoundPage]]
"""A query, and the pages that its own search found, best first."""


def page_key(page: FoundPage) -> PageKey:
    """What makes a page the same as another's finding of it."""
    return page.book, page.text


def pages_of(question: Question) -> dict[PageKey, FoundPage]:
    """The pages that a question's own search found, each once, best first."""
    pages: dict[PageKey, FoundPage] = {}
    for page in map(FoundPage.of, question.context):
        pages.setdefault(page_key(page), page)
    return pages


PART_WORTH = 0.3
"""What it is worth that a part of the question finds a page, beside the whole question."""


def merged_context(questions: Sequence[Question], limit: int) -> list[FoundPage]:
    """The union of all pages found, fused by their ranks, best first, at most `limit` of them.

    A page that was fetched, or asked for by a later hop, is found by that one query alone and would
    lose to pages that every wording finds: such pages have places kept for them, up to half. So has the
    first page of each search. What else was fetched comes behind all that was searched for.
    """
    found = [(question, pages_of(question)) for question in questions]
    best = _best_first(found)
    kept = list(dict.fromkeys(places_kept(found)))[: limit // 2]
    searched = [pages for one, pages in found if one.origin is not Origin.FOLLOWED]
    first = [next(iter(pages)) for pages in searched if pages]
    rest = sorted(best, key=lambda key: not any(key in pages for pages in searched))
    chosen = list(dict.fromkeys([*first, *kept, *rest]))[:limit]
    return [page for key, page in best.items() if key in chosen]


def _best_first(found: Sequence[Finding]) -> dict[PageKey, FoundPage]:
    """All pages found, fused by their ranks, each as the first query has it."""
    scores = fused(
        (PART_WORTH if one.origin is Origin.SUB_QUESTION else 1.0, list(pages)) for one, pages in found
    )
    known = {key: page for _, pages in reversed(found) for key, page in pages.items()}
    return {key: known[key] for key in sorted(scores, key=lambda key: -scores[key])}


@rule(without=lambda found: iter(()))
def places_kept(found: Sequence[Finding]) -> Iterator[PageKey]:
    """The first pages of each query of later hops, the newest first; last those of the first hop's links."""
    for question, pages in sorted(found, key=lambda one: -one[0].hop):
        if question.hop > 1 or question.origin is Origin.FOLLOWED:
            yield from list(pages)[:PAGES_KEPT_A_QUERY]


@dataclass(frozen=True)
class PagePart:
    """Lines of a page as a prompt shows them; `number` is the page's in this prompt, from 1."""

    number: int
    page: FoundPage
    lines: tuple[Line, ...]

    @cached_property
    def rendered(self) -> Delimited:
        """The part as data: each line that may be cited begins with its id, as in `[3.2]`."""
        own = {} if self.page.authority is Authority.BOOK else {"authority": self.page.authority.value}
        heading = " › ".join(self.page.headings)
        return delimited("page", "\n".join(self._written()), book=self.page.book, heading=heading, **own)

    def _written(self) -> Iterator[str]:
        """The lines with their ids; between them where some are left out, and new headings."""
        before, heading = 0, next(iter(self.page.headings[-1:]), "")
        for line in self.lines:
            if line.number != before + 1:
                yield "…"
            if line.is_name or (line.heading != heading and not line.is_heading):
                yield f"({line.heading})"
            if not line.is_name:
                yield f"[{self.number}.{line.number}] {line.text}"
            before, heading = line.number, line.heading


@dataclass(frozen=True, slots=True)
class PromptPages:
    """The pages of a prompt, in parts; a page to which a later round added lines comes in several."""

    parts: tuple[PagePart, ...] = ()

    @property
    def pages(self) -> list[FoundPage]:
        """The pages shown, each once, in order."""
        return list({part.number: part.page for part in self.parts}.values())

    def render(self) -> Delimited:
        """The pages as data for a prompt."""
        return joined([part.rendered for part in self.parts])

    @property
    def size(self) -> int:
        """How many characters they take."""
        return sum(len(part.rendered) + 1 for part in self.parts)

    def told(self) -> dict[PageKey, set[int]]:
        """The numbers of the lines shown of each page."""
        told: dict[PageKey, set[int]] = {}
        for part in self.parts:
            told.setdefault(page_key(part.page), set()).update(line.number for line in part.lines)
        return told

    def lines(self) -> dict[str, CitedLine]:
        """Every line shown that may be cited, by its id: a heading that only names what follows may not."""
        return {
            f"{part.number}.{line.number}": CitedLine(part.page, line)
            for part in self.parts
            for line in part.lines
            if not line.is_name
        }


def prompt_pages(questions: Sequence[Question], tokens: int, *, is_last: bool = True) -> PromptPages:
    """What a prompt shows of the pages found so far, in at most about so many tokens.

    Every round of the search adds lines and removes none. The first one is small. Before a later one adds its
    own, more of the first one's pages is shown: whatever a model searches for, the question's own pages keep
    their room. At the end what is best of all that was found fills the rest.
    """
    asked = next((one.question for one in questions if one.origin is Origin.ASKED), "")
    first = [one for one in questions if one.round == 1]
    shown = added(PromptPages(), first, asked, min(TOKENS_AT_FIRST, tokens))
    if is_last and all(one.hop == 1 for one in questions):
        tokens = min(TOKENS_OF_ONE_HOP, tokens)
        return added(added(shown, first, asked, tokens * SHARE_BEFORE_LAST), questions, asked, tokens)
    for number in range(2, max((one.round for one in questions), default=0) + 1):
        further = [one for one in questions if one.round == number]
        shown = added(shown, first, asked, tokens * OWN_SHARE)
        shown = added(shown, further, asked, tokens * SHARE_BEFORE_LAST)
    return added(shown, questions, asked, tokens) if is_last else shown


def added(shown: PromptPages, questions: Sequence[Question], asked: str, tokens: float) -> PromptPages:
    """What was shown, and behind it what fits of the pages that questions found, until so many tokens."""
    new = _Addition(shown, questions, int(tokens * CHARACTERS_A_TOKEN))
    new.add_due_passages()
    new.add_passages_about(asked)
    return new.pages()


@dataclass(eq=False)
class _Candidate:
    """A page that may be shown: its lines, its passages by their lines' numbers, and what is taken of it.

    `due` are passages that get a share of the room before any other passage.
    """

    page: FoundPage
    rank: int
    passages: Sequence[Sequence[int]]
    told: Collection[int]
    due: Sequence[Sequence[int]]
    taken: list[int] = field(default_factory=list)

    @property
    def lines(self) -> tuple[Line, ...]:
        """All lines of the page."""
        return lines_of(self.page)

    def take(self, passage: Sequence[int], most: int, left: int) -> int:
        """Take the lines of a passage that fit into `most` characters, or the first one that fits at all.

        Returns how many characters they fill, with the page's tags.
        """
        size = 0 if self.taken else len(PagePart(0, self.page, ()).rendered) + 1
        fitting: list[int] = []
        for number in (one for one in passage if one not in self.told and one not in self.taken):
            follows = number - 1 in self.taken or number - 1 in fitting
            cost = _size(self.lines[number - 1], self.lines[number - 2] if follows else None)
            if size + cost <= (min(most, left) if fitting else left):
                fitting.append(number)
                size += cost
        self.taken += fitting
        return size if fitting else 0


class _Addition:
    """What is shown, and behind it what else gets a place in the room that is `left`."""

    def __init__(self, shown: PromptPages, questions: Sequence[Question], fills: int) -> None:
        """Take the pages found that may be cited as candidates, in the order in which they claim room."""
        self._shown = shown
        self.left = fills - shown.size
        told = shown.told()
        found = [
            (one, {key: page for key, page in pages_of(one).items() if page.is_citable}) for one in questions
        ]
        best = _best_first(found)
        ranks = {key: _rank(key, found) for key in best}
        self._candidates = {
            key: _Candidate(
                best[key],
                ranks[key],
                _passages(_findings(key, found)),
                told.get(key, ()),
                list(_due(key, found)),
            )
            for key in sorted(best, key=lambda key: ranks[key])[:MOST_PAGES]
        }

    def add_due_passages(self) -> None:
        """Add what has a place whatever else was found: each gets a share of the room."""
        due = [(one, passage) for one in self._candidates.values() for passage in one.due]
        share = self.left // max(1, len(due))
        for one, passage in due:
            self.left -= one.take(passage, share, self.left)

    def add_passages_about(self, asked: str) -> None:
        """Add passages as far as they fit: first those with most words of the question, found early."""
        passages = [
            (one.rank + place, one, passage)
            for one in self._candidates.values()
            for place, passage in enumerate(one.passages)
        ]
        texts = [_text_of(passage, one.lines) for _, one, passage in passages]
        shares = shared_words(asked, texts, [one.page.language for _, one, _ in passages])
        # In another language than the question's no passage holds many of its words.
        most = max(shares, default=0.0) or 1.0

        def worth(number: int) -> float:
            return shares[number] / most + RANK_WORTH / (1 + RANK_LOSS * passages[number][0])

        for number in sorted(range(len(passages)), key=worth, reverse=True):
            _, one, passage = passages[number]
            self.left -= one.take(passage, self.left, self.left)

    def pages(self) -> PromptPages:
        """All that is shown now."""
        numbers = {key: number for number, key in enumerate(self._shown.told(), start=1)}
        parts = [
            PagePart(
                numbers.setdefault(key, len(numbers) + 1),
                one.page,
                tuple(line for line in one.lines if line.number in one.taken),
            )
            for key, one in self._candidates.items()
            if one.taken
        ]
        return PromptPages((*self._shown.parts, *parts))


def _rank(key: PageKey, found: Sequence[Finding]) -> int:
    """The best rank at which a query found a page."""
    return min(
        list(pages).index(key) + (0 if one.origin in (Origin.ASKED, Origin.JUDGE) else FIRST_PAGES)
        for one, pages in found
        if key in pages
    )


def _findings(key: PageKey, found: Sequence[Finding]) -> list[FoundPage]:
    """The page as each query found it; first comes the query that ranked it highest."""
    ranked = [(list(pages).index(key), pages[key]) for _, pages in found if key in pages]
    return [page for _, page in sorted(ranked, key=lambda one: one[0])]


def _due(key: PageKey, found: Sequence[Finding]) -> Iterator[list[int]]:
    """The best passage of a page for each query that has a place for it.

    What the first hop fetches has one where it corrects what was found; a judge knows what he asks for.
    """
    for question, pages in found:
        if key in list(pages)[: PLACES[question.origin]]:
            page = pages[key]
            if question.origin is not Origin.FOLLOWED or question.hop > 1 or page.amends:
                yield _passages([page])[0]


def _text_of(numbers: Sequence[int], lines: Sequence[Line]) -> str:
    """Lines of a page under the heading of the first."""
    heading = [lines[number - 1].heading for number in numbers[:1]]
    return "\n".join(heading + [lines[number - 1].text for number in numbers])


def _size(line: Line, before: Line | None) -> int:
    """At most so many characters a line takes with its id, and what stands before it."""
    gap = 0 if before else len("…\n")
    heading = 0 if before and before.heading == line.heading else len(line.heading) + len("()\n")
    return len("[99.] \n") + len(str(line.number)) + len(line.text) + gap + heading


def _passages(findings: Sequence[FoundPage]) -> list[list[int]]:
    """The numbers of the lines of each passage that matched, best first; all lines where none is told.

    Each search that found the page has its turn.
    """
    lines = lines_of(findings[0])
    turns = zip_longest(*(page.hits for page in findings))
    spans = dict.fromkeys(span for turn in turns for span in turn if span)
    return [_touched(span, lines) for span in spans] or [[line.number for line in lines]]


def _touched(span: Span, lines: Sequence[Line]) -> list[int]:
    """The numbers of the lines that a span of the page overlaps; they follow one another in its text."""
    first = bisect_right(lines, span.start, key=lambda line: line.span.end)
    last = bisect_left(lines, span.end, key=lambda line: line.span.start)
    return [line.number for line in lines[first:last]]
