"""Answers by quotation: the passages that come closest to a question, verbatim; nothing is claimed."""

from collections.abc import Sequence
from dataclasses import replace
from itertools import chain, product, zip_longest

from rag.library.books.found_page import FoundPage
from rag.library.language.follow_ups import thing_defined
from rag.library.questions.parts import own_words
from rag.library.quotations.asked_titles import named_headings, names_beside, say_all, titles_over
from rag.library.quotations.passages import (
    Passage,
    apart,
    asked_tables,
    matching_passages,
    named_sections,
    of_one_section,
    says_something,
)
from rag.library.quotations.scoring import ALIKE, Similarity, scored
from rag.library.search.fusion import fused
from rag.library.search.known_words import put_right
from rag.nodes.amendments import changed_among, overruled, with_amendments
from rag.nodes.generate import nothing_found
from rag.state import MOST_LINES, AnswerWithSources, Authority, Origin, Outcome, Question, Source
from rag.strategies.context import pages_of
from rag.strategies.lines import CitedLine, lines_of
from rag.texts import Texts
from rag.texts.passages import excerpt

PAGES_READ, FIRST_READ, FIRST_OF_OTHERS = 5, 3, 2
"""Pages that are read; the first of the question, and of each other search, are among them."""
MOST_PASSAGES = 3
PARTS = 2
"""Things that a question compares or joins, each searched by itself."""
MOST_COMPARED = 8
"""Passages of each side that are compared."""
IN_DOUBT = 0.2
"""How much lower the second passage scores at most where it is shown, too.

Of 33 players' questions whose first two passages lie so near each other the first one answers 15, of the 41
others 35.
"""
SENTENCE_LINES = 2
"""Lines of a phone for a second passage that may answer as well: its nearest sentence."""


def closest_passages(
    question: str,
    pages: Sequence[FoundPage],
    questions: Sequence[Question],
    similarity: Similarity,
    texts: Texts,
    notice: str | None = None,
) -> AnswerWithSources:
    """The passages that answer best, at most three.

    The first is shown, one for each of two things, the first of each of two games that may be meant, or the
    first two where it is not sure which answers: more of the first where that is asked for by its heading. A
    section that only refers elsewhere is shown with what it refers to.
    A question that names a page is answered from that page. `found` is false where none of the pages read
    holds most of what is asked: the books then hardly speak of it. `questions` are
    the searches that found the pages. Words that were misspelt are compared as they were searched.
    """
    question = thing_defined(question)
    question = put_right(question, {word: meant for one in questions for word, meant in one.misspelt.items()})
    citable = _as_searched([page for page in pages if page.is_citable], questions)
    named = [page for page in citable if any(page.id in one.named for one in questions)]
    read = (named or citable)[:PAGES_READ]
    chosen = _of_question(question, read, questions, similarity, is_named=bool(named))
    best = _first_of_each_game(chosen)
    chosen = list(dict.fromkeys([*best, *chosen]))[:MOST_PASSAGES]
    most = max(1, len(named))
    parts = [
        one.model_copy(update={"question": thing_defined(one.question)})
        for one in questions
        if one.origin is Origin.SUB_QUESTION and one.hop == 1
    ]
    sides = _sides(parts, read, similarity)
    if beside := _side_by_side(sides):
        chosen = apart([*beside, *chain(*zip_longest(*sides))])[:MOST_PASSAGES]
        most = len(beside)
    if not chosen:
        return nothing_found(texts)
    if not named and not beside and (led := _led_to(chosen[0], pages, similarity, question)):
        chosen, most = apart([chosen[0], led, *chosen[1:]])[:MOST_PASSAGES], 2
    is_found = any(_holds_most(page, questions) for page in read)
    if not is_found:
        chosen = [replace(one, marked=()) for one in chosen]
    elif most == 1 and len(best) == 1:
        chosen, most = _with_more(chosen, pages, question)
    else:
        sought = [question, *(part.question for part in parts)]
        chosen = [_with_room(one, sought) for one in chosen]
        most = most if beside else max(most, len(best))
    return _answer(chosen, most, pages, is_found=is_found).model_copy(update={"notice": notice})


def _of_question(
    question: str,
    read: Sequence[FoundPage],
    questions: Sequence[Question],
    similarity: Similarity,
    *,
    is_named: bool,
) -> list[Passage]:
    """The passages of the pages read that answer best, or the beginnings of pages named and nothing else."""
    if is_named and not any(page.hits for page in read):
        return _in_turn(read)
    asked = [one.question for one in questions if one.origin is Origin.ASKED]
    before = own_words(asked[-1], asked[0]) if asked else ""
    beside = (one for one in questions if one.origin is Origin.SUB_QUESTION)
    parts = [put_right(one.question, one.misspelt) for one in beside]
    doer = parts[0] if len(parts) == 1 and parts[0] in question else ""
    return apart(_closest(read, similarity, question, is_whole=is_named, own=before, doer=doer))


def _first_of_each_game(passages: Sequence[Passage]) -> list[Passage]:
    """The first passage of each game that may be meant."""
    games = [one.page.game for one in passages]
    return [one for at, one in enumerate(passages) if one.page.game not in games[:at]]


def _sides(
    parts: Sequence[Question], read: Sequence[FoundPage], similarity: Similarity
) -> list[list[Passage]]:
    """The passages that answer best for each of two things compared; none of more things or fewer."""
    if len(parts) != PARTS:
        return []
    pages = [_pages_of_side(one, read) for one in parts]
    return [
        _closest(own, similarity, one.question, tables_of=other, own=own_words(one.question, two.question))
        for one, two, own, other in zip(parts, parts[::-1], pages, pages[::-1], strict=True)
    ]


def _led_to(
    passage: Passage, pages: Sequence[FoundPage], similarity: Similarity, question: str
) -> Passage | None:
    """What a section leads to that only refers elsewhere: "Moose: see Antelope on page 81"."""
    line = passage.closest
    section = [one for one in lines_of(passage.page) if line and one.heading == line.heading]
    if not line or [one for one in section if not one.is_heading] != [line]:
        return None
    printed = [one for one in passage.page.references if line.span.start <= one.start < line.span.end]
    ends = {end for one in printed for end in one.pages[:1]}
    meant = [page for page in pages if page.id in ends and page.is_citable]
    return next(iter(_closest(meant[:1], similarity, f"{question} {line.text}")), None)


def _with_more(
    chosen: Sequence[Passage], pages: Sequence[FoundPage], question: str
) -> tuple[list[Passage], int]:
    """The passages, and how many of them are shown: more where the first does not surely answer.

    That is a second passage that comes about as near, or surely answers where no row is asked for by number.
    Beside a section that is asked for by its name it is one of that, where there is none more of the first.
    What is corrected is shown with its correction, and by itself.
    """
    first, *others = chosen
    line = first.closest
    if first.marked or line is None:
        return [*chosen], 1
    second = [
        one for one in others[:1] if first.score - one.score < IN_DOUBT or (one.marked and not first.numbers)
    ]
    if not line.is_row and named_headings(line, question, first.page.language):
        second = [one for one in second if _section_of(one) == _section_of(first)]
        if not second:
            return [replace(first, room=MOST_LINES), *others], 1
    if len(first.asked) > 1 or not second or len(with_amendments([shown_part(first.source)], pages)) > 1:
        return [*chosen], 1
    return [first, replace(second[0], near=(), room=SENTENCE_LINES), *others[1:]], 2


def _with_room(passage: Passage, questions: Sequence[str]) -> Passage:
    """The passage, with room for more where its section is all that is asked: the rule is its next line."""
    titles = [titles_over(passage.closest, passage.page, one) if passage.closest else [] for one in questions]
    language = passage.page.language
    is_whole = any(say_all(*asked, language) for asked in zip(titles, questions, strict=True))
    return replace(passage, room=MOST_LINES) if is_whole else passage


def _section_of(passage: Passage) -> tuple[str, Sequence[str]]:
    """The section in which the closest line of a passage stands: its file and the headings over it."""
    return passage.page.file, passage.closest.headings if passage.closest else ()


def _answer(
    chosen: Sequence[Passage], most: int, pages: Sequence[FoundPage], *, is_found: bool
) -> AnswerWithSources:
    """The passages as an answer, which shows the first `most`, a table's own rules, and their corrections."""
    first = [one for at, one in enumerate(chosen) if at < most or one.page.authority is not Authority.BOOK]
    whole = {shown_part(one.source): _without_changed(one, pages).source for one in chosen}
    shown = with_amendments([shown_part(one.source) for one in first], pages)
    sources = [whole.get(one, one) for one in shown]
    sources += [
        one
        for part, one in whole.items()
        if part not in shown and not any(s.page_id == one.page_id and s.quote in one.quote for s in shown)
    ]
    return AnswerWithSources(
        answer="\n\n".join(f"“{source.whole_quote}”" for source in sources),
        sources=sources,
        shown=len(shown),
        found=is_found,
        outcome=Outcome.PASSAGES,
        overruled=overruled(shown, pages),
    )


def _without_changed(passage: Passage, pages: Sequence[FoundPage]) -> Passage:
    """The passage with no mark on a line that a correction changes."""
    cited = [CitedLine(passage.page, line) for line in passage.marked]
    changed = [one.line for one, _ in changed_among(cited, {page.id: page for page in pages})]
    return replace(passage, marked=tuple(line for line in passage.marked if line not in changed))


def shown_part(source: Source) -> Source:
    """The quotation of a passage without what is not shown of it: a correction of that is not shown, too."""
    at = [source.passage.index(line) for line in excerpt(source)]
    told = source.passage[min(at) : max(at) + 1]
    return source.model_copy(update={"quote": " ".join(line.text for line in told), "passage": told})


def _closest(
    pages: Sequence[FoundPage],
    similarity: Similarity,
    question: str,
    is_whole: bool = False,
    tables_of: Sequence[FoundPage] = (),
    own: str = "",
    doer: str = "",
) -> list[Passage]:
    """The passages of some pages that answer a question best; of others in their books the tables asked for.

    A section is meant that is called by its `own` words, which the other one of two things has not, or of the
    `doer` where it is asked whether he may do something.
    """
    candidates = [
        passage
        for rank, page in enumerate(pages)
        for passage in (
            *matching_passages(page, rank, is_whole=is_whole),
            *asked_tables(page, rank, question),
            *named_sections(page, rank, question),
        )
    ]
    files, own_pages = {one.file for one in pages}, {one.id for one in pages}
    others = {one.id: one for one in tables_of if one.file in files and one.id not in own_pages}
    candidates += [one for page in others.values() for one in asked_tables(page, len(pages), question)]
    return [
        of_one_section(one) for one in scored(question, candidates, similarity, own, doer)[:MOST_COMPARED]
    ]


def _pages_of_side(part: Question, read: Sequence[FoundPage]) -> list[FoundPage]:
    """The first pages that the search for one of two things found in the games meant, then those of both.

    All are of the books in which it found any: one of two books may be all that is asked.
    """
    games = {page.game for page in read}
    found = [page for page in pages_of(part).values() if page.is_citable and page.game in games][:PAGES_READ]
    files = {page.file for page in pages_of(part).values()}
    return [
        *found,
        *(page for page in read if page.file in files and page.id not in {one.id for one in found}),
    ]


def _in_turn(pages: Sequence[FoundPage]) -> list[Passage]:
    """The beginnings of pages that were asked for by nothing but their numbers."""
    begun = [next(matching_passages(page, rank, is_whole=True), None) for rank, page in enumerate(pages)]
    first = [(one, next(filter(says_something, one.lines))) for one in begun if one]
    return [of_one_section(replace(one, closest=line)) for one, line in first[:MOST_PASSAGES]]


def _as_searched(pages: Sequence[FoundPage], questions: Sequence[Question]) -> list[FoundPage]:
    """The pages as the searches for the question ranked them, the first of each before the others.

    Those that others led to come last.
    """
    searched = [one for one in questions if one.origin is not Origin.FOLLOWED]
    ranked = [[page.id for page in pages_of(one).values()] for one in searched]
    scores = fused((1.0, one) for one in ranked)
    most = [FIRST_READ if one.origin is Origin.ASKED else FIRST_OF_OTHERS for one in searched]
    first = set(chain.from_iterable(one[:count] for one, count in zip(ranked, most, strict=True)))
    return sorted(pages, key=lambda page: (page.id not in first, -scores.get(page.id, 0.0)))


def _side_by_side(sides: Sequence[Sequence[Passage]]) -> list[Passage]:
    """The best passages of two things of one game, rather of one kind; as one where it has the lines of both.

    None where one line is the best for both: then the question is about that.
    """
    best = [side[0] for side in sides if side]
    if len(best) < PARTS or best[0].closest == best[1].closest:
        return []
    pairs = [pair for pair in product(*sides) if pair[0].closest != pair[1].closest]
    pairs = [pair for pair in pairs if pair[0].page.game == pair[1].page.game] or pairs
    first, second = max(pairs, key=lambda pair: sum(one.score for one in pair) + ALIKE * _are_alike(*pair))
    if first.page.id != second.page.id or second.closest not in first.lines:
        return [first, second]
    if bool(first.asked) != bool(second.asked):
        return [first if first.asked else second]
    nearest = [line for one in (first, second) for line in one.asked or [one.closest] if line]
    marked = first.marked + second.marked if first.marked and second.marked else ()
    return [replace(first, asked=tuple(nearest), marked=marked)]


def _are_alike(first: Passage, second: Passage) -> bool:
    """Whether both passages answer by a row under the same first columns, or a value under the same label."""
    names = [names_beside(one.closest) for one in (first, second) if one.closest]
    return len(names) == PARTS and bool(names[0]) and names[0] == names[1]


def _holds_most(page: FoundPage, questions: Sequence[Question]) -> bool:
    """Whether a page holds most of what the first question asks that found it, as far as its search told."""
    finding = next(
        (one for one in questions if page.id in {found.id for found in pages_of(one).values()}), None
    )
    return finding is None or finding.holding_most is None or page.id in finding.holding_most
