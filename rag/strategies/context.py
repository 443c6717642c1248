"""What goes into a prompt, and how much of it: pages of several searches, as numbered lines. Pure.

Judge and generator are shown the same pages in the same order: what a later round adds is appended, so that
the id of a line stays and a provider reads the common beginning once.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import chain, zip_longest

from rag.library.books.found_page import FoundPage
from rag.library.language.likeness import shared_words
from rag.library.search.fusion import fused
from rag.prompts import Delimited, delimited, joined
from rag.rules import rule
from rag.state import Authority, Origin, Question, Span
from rag.strategies.lines import Line, lines_of

PAGES_KEPT_A_QUERY = 2
CHARACTERS_A_TOKEN = 4
"""About what a token of English holds (OpenAI, "What are tokens?")."""
FIRST_PAGES = 3
"""So many of the question's own best pages keep their places, whatever later queries bring."""
MOST_PAGES = 18
"""So many pages of the best are shown at most in a round: all of a search, and what they lead to."""
SHARES = (0.88, 0.95)
"""Shares of the room that the first round, and the second, may fill: what comes later is appended."""
WORTH_OF_FIRST = 3
"""How much of the room each of the first pages may claim before others, beside one of those others."""
LEAST_SHARE = 1 / 64
"""Of the room, what a page that is new may have before others get more."""

PageKey = tuple[str, str]
"""What makes two documents the same page: book and content."""


def page_key(page: FoundPage) -> PageKey:
    """What makes a page the same as another's finding of it."""
    return page.book, page.text


def pages_of(question: Question) -> dict[PageKey, FoundPage]:
    """The pages that a question's own search found, each once, best first."""
    pages: dict[PageKey, FoundPage] = {}
    for page in map(FoundPage.of, question.context):
        pages.setdefault(page_key(page), page)
    return pages


def merged_context(questions: Sequence[Question], limit: int) -> list[FoundPage]:
    """The union of all pages found, fused by their ranks, best first, at most `limit` of them.

    A page that was fetched, or asked for by a later hop, is found by that one query alone and would
    lose to pages that every wording finds: such pages have places kept for them, up to half. What else was
    fetched comes behind all that was searched for.
    """
    found = [pages_of(question) for question in questions]
    scores = fused((1.0, list(pages)) for pages in found)
    best = sorted(scores, key=lambda key: scores[key], reverse=True)
    kept = list(dict.fromkeys(places_kept(questions, found)))[: limit // 2]
    searched = {
        key
        for question, pages in zip(questions, found, strict=True)
        if question.origin is not Origin.FOLLOWED
        for key in pages
    }
    rest = sorted((key for key in best if key not in kept), key=lambda key: key not in searched)
    chosen = set([*kept, *rest][:limit])
    pages = {key: page for one in reversed(found) for key, page in one.items()}
    return [pages[key] for key in best if key in chosen]


@rule(without=lambda questions, found: iter(()))
def places_kept(
    questions: Sequence[Question], found: Sequence[dict[PageKey, FoundPage]]
) -> Iterator[PageKey]:
    """The first pages of each query of later hops, the newest first; last those of the first hop's links."""
    for question, pages in sorted(zip(questions, found, strict=True), key=lambda pair: -pair[0].hop):
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
        facts = {"book": self.page.book, "heading": self._heading(), **own}
        return delimited("page", "\n".join(self._written()), **facts)

    def _heading(self) -> str:
        return " › ".join(self.page.headings)

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

    def told(self) -> dict[PageKey, set[int]]:
        """The numbers of the lines shown of each page."""
        told: dict[PageKey, set[int]] = {}
        for part in self.parts:
            told.setdefault(page_key(part.page), set()).update(line.number for line in part.lines)
        return told

    def lines(self) -> dict[str, tuple[FoundPage, Line]]:
        """Every line shown that may be cited, by its id: a heading that only names what follows may not."""
        return {
            f"{part.number}.{line.number}": (part.page, line)
            for part in self.parts
            for line in part.lines
            if not line.is_name
        }


def prompt_pages(questions: Sequence[Question], tokens: int, *, is_last: bool = True) -> PromptPages:
    """What a prompt shows of the pages found so far, in at most about so many tokens.

    Every round of the search adds lines and removes none. Each round may fill a share of the room, so that
    the next one has some. At the end the passages that hold most words of the question fill the rest.
    """
    room = tokens * CHARACTERS_A_TOKEN
    shown = _shown_after(questions, room)
    return room_left_over(shown, questions, room) if is_last else shown


@rule(without=lambda shown, questions, room: shown)
def room_left_over(shown: PromptPages, questions: Sequence[Question], room: int) -> PromptPages:
    """What was shown, and passages with most words of the question in the room that is left."""
    return _extended(shown, questions, _asked(questions), room, is_round=False)


def _shown_after(questions: Sequence[Question], room: int) -> PromptPages:
    """What the rounds of search so far have shown, in a prompt of so many characters."""
    last = max((question.round for question in questions), default=0)
    if not last:
        return PromptPages()
    before = [question for question in questions if question.round < last]
    new = [question for question in questions if question.round == last]
    share = SHARES[last - 1] if last <= len(SHARES) else 1
    return _extended(_shown_after(before, room), new, _asked(questions), int(room * share))


def _asked(questions: Sequence[Question]) -> str:
    """The question that was asked, as it is searched."""
    return next((question.question for question in questions if question.origin is Origin.ASKED), "")


def _extended(
    shown: PromptPages, questions: Sequence[Question], asked: str, room: int, *, is_round: bool = True
) -> PromptPages:
    """What was shown, and behind it what else may have a place in so many characters.

    In a round of the search pages have places by their rank first, further passages then by what they say.
    """
    offer = _offer(questions)
    told = shown.told()
    new_pages = [key for key in offer.order if key not in told]
    order = [*new_pages, *(key for key in offer.order if key in told)]
    left = room - sum(len(part.rendered) + 1 for part in shown.parts)
    claims = _further_claims(offer, order, asked, room, is_round)
    if is_round:
        claims = chain(_first_claims(offer, order, new_pages, left, room), claims)
    added: dict[PageKey, list[int]] = {}
    for claim in claims:
        page, had = offer.pages[claim.key], added.get(claim.key, [])
        new = [one for one in claim.lines if one not in told.get(claim.key, ()) and one not in had]
        tags = 0 if had else offer.tags(claim.key)
        most, free = claim.most - tags, left - tags
        fitting, size = _fitting(new, had, lines_of(page), most, free)
        if fitting and (fitting == new or not claim.is_whole):
            added[claim.key] = [*had, *fitting]
            left -= size + tags
    numbers = {key: number for number, key in enumerate(told, start=1)}
    parts = [
        PagePart(
            numbers.setdefault(key, len(numbers) + 1),
            offer.pages[key],
            tuple(line for line in lines_of(offer.pages[key]) if line.number in added[key]),
        )
        for key in order
        if key in added
    ]
    return PromptPages((*shown.parts, *parts))


@dataclass(frozen=True, slots=True)
class _Offer:
    """The pages found that may be shown, in the order in which they claim room, each with its passages.

    `first` are the question's own first ones, `judged` those that a judge asked for.
    """

    order: Sequence[PageKey]
    pages: Mapping[PageKey, FoundPage]
    passages: Mapping[PageKey, Sequence[Sequence[int]]]
    first: Collection[PageKey]
    judged: Collection[PageKey]

    def tags(self, key: PageKey) -> int:
        """How many characters the tags around a page take."""
        return len(PagePart(len(self.pages), self.pages[key], ()).rendered) + 1


def _offer(questions: Sequence[Question]) -> _Offer:
    found = [
        {key: page for key, page in pages_of(question).items() if page.is_citable} for question in questions
    ]
    own = _first_of(Origin.ASKED, questions, found, FIRST_PAGES)[:FIRST_PAGES]
    order = _wanted(questions, found)[:MOST_PAGES]
    return _Offer(
        order=order,
        pages={key: page for one in reversed(found) for key, page in one.items()},
        passages={
            key: _passages([one[key] for one in found if key in one], is_first=key in own) for key in order
        },
        first=own,
        judged=_first_of(Origin.JUDGE, questions, found),
    )


def _first_of(
    origin: Origin, questions: Sequence[Question], found: Sequence[dict[PageKey, FoundPage]], count: int = 1
) -> list[PageKey]:
    """The first pages of every question of an origin."""
    return [
        key
        for question, pages in zip(questions, found, strict=True)
        if question.origin is origin
        for key in list(pages)[:count]
    ]


def _wanted(questions: Sequence[Question], found: Sequence[dict[PageKey, FoundPage]]) -> list[PageKey]:
    """The pages in the order in which they may claim room.

    The question's own first pages; what a judge asked for, a page a query; the first page of each reference
    followed, and of each sub-question; the rest by fusion.
    """
    scores = fused((1.0, list(pages)) for pages in found)
    claims = (
        *_first_of(Origin.ASKED, questions, found, FIRST_PAGES),
        *_first_of(Origin.JUDGE, questions, found),
        *_first_of(Origin.FOLLOWED, questions, found),
        *_first_of(Origin.SUB_QUESTION, questions, found),
        *sorted(scores, key=lambda key: scores[key], reverse=True),
    )
    return list(dict.fromkeys(claims))


@dataclass(frozen=True, slots=True)
class RoomClaim:
    """Lines that a page wants shown, those it needs most first, in at most so many characters.

    `is_whole`: all of them or none.
    """

    key: PageKey
    lines: Sequence[int]
    most: int
    is_whole: bool = False


def _first_claims(
    offer: _Offer, order: Sequence[PageKey], new_pages: Sequence[PageKey], left: int, room: int
) -> Iterator[RoomClaim]:
    """What pages want before any wants more, so a page loses lines before another is dropped.

    First each page that is due gets a share of the room for its first passage. Then every page may claim the
    whole of its first passage. New pages are due; once a judge chose pages, only the first ones and his are.
    """
    best = {key: offer.passages[key][0] for key in order}
    due = [key for key in new_pages if key in offer.first or key in offer.judged]
    due = due if offer.judged else list(new_pages)
    worth = {key: WORTH_OF_FIRST if key in offer.first else 1 for key in due}
    share = max(left / max(1, sum(worth.values())), room * LEAST_SHARE)
    for key in worth:
        yield RoomClaim(key, best[key], int(share * worth[key]))
    for key in order:
        yield RoomClaim(key, best[key], room)


def _further_claims(
    offer: _Offer, order: Sequence[PageKey], asked: str, room: int, is_round: bool
) -> Iterator[RoomClaim]:
    """The passages of pages behind their first, or all: those first that hold most of the question's words.

    In a round a passage that does not fit leaves its room to others; at the end the room goes to those of its
    lines that fit.
    """
    behind = 1 if is_round else 0
    passages = [(key, lines) for key in order for lines in offer.passages[key][behind:]]
    texts = [_text_of(lines, offer.pages[key]) for key, lines in passages]
    shares = shared_words(asked, texts, [offer.pages[key].language for key, _ in passages])
    ranked = sorted(zip(shares, passages, strict=True), key=lambda pair: -pair[0])
    for _, (key, lines) in ranked:
        yield RoomClaim(key, lines, room, is_whole=is_round)


def _text_of(numbers: Sequence[int], page: FoundPage) -> str:
    """Lines of a page under the heading of the first."""
    lines = lines_of(page)
    heading = [lines[number - 1].heading for number in numbers[:1]]
    return "\n".join(heading + [lines[number - 1].text for number in numbers])


def _fitting(
    wanted: Iterable[int], had: Collection[int], lines: Sequence[Line], most: int, left: int
) -> tuple[list[int], int]:
    """The wanted lines as far as they fit, one in any case if there is room left, and their size as shown."""
    taken: list[int] = []
    size = 0
    shown = set(had)
    for number in dict.fromkeys(wanted):
        cost = _size(lines[number - 1], lines[number - 2] if number - 1 in shown else None)
        if size + cost <= (min(most, left) if taken else left):
            taken.append(number)
            shown.add(number)
            size += cost
    return taken, size


def _size(line: Line, before: Line | None) -> int:
    """At most so many characters a line takes with its id, and what stands before it."""
    gap = 0 if before else len("…\n")
    heading = 0 if before and before.heading == line.heading else len(line.heading) + len("()\n")
    return len("[99.] \n") + len(str(line.number)) + len(line.text) + gap + heading


def _passages(findings: Sequence[FoundPage], *, is_first: bool) -> list[list[int]]:
    """The numbers of the lines of each passage that matched, best first; all lines where none is told.

    Each search that found the page has its turn. Of the first pages the section around the best is next.
    """
    lines = lines_of(findings[0])
    if not any(page.hits for page in findings):
        return [[line.number for line in lines]]
    turns = zip_longest(*(page.hits for page in findings))
    spans = dict.fromkeys(span for turn in turns for span in turn if span)
    passages = [_touched(span, lines) for span in spans]
    if is_first:
        passages[1:1] = section_around(passages[0], lines)
    return passages


@rule(without=lambda numbers, lines: [])
def section_around(numbers: Sequence[int], lines: Sequence[Line]) -> list[list[int]]:
    """The section that holds a passage, as one further passage."""
    headings = {lines[number - 1].heading for number in numbers}
    return [[line.number for line in lines if line.heading in headings]]


def _touched(span: Span, lines: Sequence[Line]) -> list[int]:
    """The numbers of the lines that a span of the page overlaps; they follow one another in its text."""
    first = bisect_right(lines, span.start, key=lambda line: line.span.end)
    last = bisect_left(lines, span.end, key=lambda line: line.span.start)
    return [line.number for line in lines[first:last]]
