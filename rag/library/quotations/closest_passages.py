"""Answers by quotation: the passages that come closest to a question, verbatim; nothing is claimed."""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import chain, groupby, product, takewhile, zip_longest

from rag.library.books.found_page import FoundPage
from rag.library.language.follow_ups import thing_defined
from rag.library.language.language import LANGUAGES
from rag.library.language.likeness import asked_share, asking_language, shared_words
from rag.library.language.words import content_words, without_number
from rag.library.questions.parts import own_words
from rag.library.quotations.asked_rows import asked_rows
from rag.library.search.fusion import fused
from rag.library.search.known_words import put_right
from rag.nodes.amendments import changed_among, overruled, with_amendments
from rag.nodes.citations import passage_source
from rag.nodes.generate import nothing_found
from rag.rules import rule
from rag.state import (
    EXCERPT_LINES,
    MOST_LINES,
    AnswerWithSources,
    Authority,
    Origin,
    Outcome,
    Question,
    Source,
)
from rag.strategies.context import pages_of
from rag.strategies.lines import CitedLine, Line, cells, label_of, lines_of
from rag.texts import Texts
from rag.texts.passages import excerpt

PAGES_READ, FIRST_READ, FIRST_OF_OTHERS = 5, 3, 2
"""Pages that are read; the first of the question, and of each other search, are among them."""
CHUNKS_READ = 6
"""Matching chunks of a page that may become passages."""
MOST_PASSAGES = 3
MOST_NEAR = 2
"""Sentences that are shown beside the closest one, where none surely answers."""
PARTS = 2
"""Things that a question compares or joins, each searched by itself."""
MOST_COMPARED, ALIKE = 8, 0.5
"""Passages of each side that are compared, and what it is worth that both sides have rows of one kind, and
that one stands under the name of its thing."""
PASSAGE_CHARACTERS, LONGEST_PASSAGE = 600, 900
"""Characters up to which a passage takes more of its section, and that it holds at most."""
PAGE_WORTH = 0.2
"""What being on the best page is worth; later pages get a share."""
CHUNK_WORTH = 0.15
"""What being the best chunk of its page is worth; later chunks get a share."""
ROW_WORTH, HEADING_WORTH = 1.0, 0.25
"""How often the words of a row or section that is asked for by its name, or of a row by a number, count once
more, and how often yet where all words of the heading over it are asked, or the label of a value."""
IN_DOUBT = 0.2
"""How much lower the second passage scores at most where it is shown, too.

Of 33 players' questions whose first two passages lie so near each other the first one answers 15, of the 41
others 35.
"""
SPOKEN_WORTH = -0.5
"""What it costs that somebody speaks in a line: stories, examples and forewords have the words of rules."""
SENTENCE_LINES = 2
"""Lines of a phone for a second passage that may answer as well: its nearest sentence."""
SURE = 0.8
"""The share of a question's words that a line holds which surely answers."""

_NUMBER = re.compile(r"\w*\d\w*")
_SPEECH = re.compile(r"[\"“«][^\"”»]*[,.!?…][\"”»]")
_DIGIT_OF_A_NUMBER = re.compile(r"(?<![^\W_])\d")

Similarity = Callable[[str, Sequence[str]], Iterable[float]]
"""How close each of several texts comes to a question, at most 1."""


@dataclass(frozen=True, slots=True)
class Passage:
    """Lines of a page that follow one another; `closest` is the one that answers best, where it is told.

    `asked` are the rows that a question asks for by number or name, `numbers` those of the question where it
    is by number, `marked` the lines that surely answer, `near` the sentences that come next to the closest,
    `room` the lines of a phone that it may take.
    """

    page: FoundPage
    page_rank: int
    chunk_rank: int
    lines: tuple[Line, ...]
    asked: tuple[Line, ...] = ()
    numbers: str = ""
    closest: Line | None = None
    marked: tuple[Line, ...] = ()
    near: tuple[Line, ...] = ()
    score: float = 0.0
    room: int = EXCERPT_LINES

    @property
    def source(self) -> Source:
        """The quotation of this passage, with the line that comes nearest."""
        nearest = self.asked or ((self.closest,) if self.closest else ())
        source = passage_source(self.page, self.lines, nearest, self.marked, self.near)
        return source.model_copy(update={"room": self.room})


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
    parts = [one for one in questions if one.origin is Origin.SUB_QUESTION and one.hop == 1]
    if named and not any(page.hits for page in named):
        chosen = _in_turn(read)
    else:
        asked = [one.question for one in questions if one.origin is Origin.ASKED]
        before = own_words(asked[-1], asked[0]) if asked else ""
        chosen = _apart(_closest(read, similarity, question, is_whole=bool(named), own=before))
    # The first of each game that may be meant.
    best = [
        one for at, one in enumerate(chosen) if one.page.game not in {had.page.game for had in chosen[:at]}
    ]
    chosen = list(dict.fromkeys([*best, *chosen]))[:MOST_PASSAGES]
    most = max(1, len(named))
    of_sides = [_pages_of_side(one, read) for one in parts if len(parts) == PARTS]
    sides = [
        _closest(own, similarity, one.question, tables_of=other, own=own_words(one.question, two.question))
        for one, two, own, other in zip(parts, parts[::-1], of_sides, of_sides[::-1], strict=False)
    ]
    if beside := _side_by_side(sides):
        chosen = _apart([*beside, *chain(*zip_longest(*sides))])[:MOST_PASSAGES]
        most = len(beside)
    if not chosen:
        return nothing_found(texts)
    if not named and not beside and (led := _led_to(chosen[0], pages, similarity, question)):
        chosen, most = _apart([chosen[0], led, *chosen[1:]])[:MOST_PASSAGES], 2
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
    if not line.is_row and _named_headings(line, question, first.page.language):
        second = [one for one in second if _section_of(one) == _section_of(first)]
        if not second:
            return [replace(first, room=MOST_LINES), *others], 1
    if len(first.asked) > 1 or not second or len(with_amendments([shown_part(first.source)], pages)) > 1:
        return [*chosen], 1
    return [first, replace(second[0], near=(), room=SENTENCE_LINES), *others[1:]], 2


def _with_room(passage: Passage, questions: Sequence[str]) -> Passage:
    """The passage, with room for more where its section is all that is asked: the rule is its next line."""
    titles = [
        _titles_over(passage.closest, passage.page, one) if passage.closest else [] for one in questions
    ]
    language = passage.page.language
    is_whole = any(_say_all(*asked, language) for asked in zip(titles, questions, strict=True))
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
) -> list[Passage]:
    """The passages of some pages that answer a question best; of others in their books the tables asked for.

    A section is meant that is called by its `own` words, which the other one of two things has not.
    """
    candidates = [
        passage
        for rank, page in enumerate(pages)
        for passage in (
            *_passages(page, rank, is_whole=is_whole),
            *_tables(page, rank, question),
            *_named_sections(page, rank, question),
        )
    ]
    files, own_pages = {one.file for one in pages}, {one.id for one in pages}
    others = {one.id: one for one in tables_of if one.file in files and one.id not in own_pages}
    candidates += [one for page in others.values() for one in _tables(page, len(pages), question)]
    return [of_one_section(one) for one in _scored(question, candidates, similarity, own)[:MOST_COMPARED]]


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
    begun = [next(_passages(page, rank, is_whole=True), None) for rank, page in enumerate(pages)]
    first = [(one, next(filter(_says_something, one.lines))) for one in begun if one]
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


def _passages(page: FoundPage, rank: int, *, is_whole: bool) -> Iterator[Passage]:
    """The chunks of a page that matched, as whole lines; then the rest of a page that is asked for itself.

    Of a page without such chunks all.
    """
    lines = lines_of(page)
    chunks = [[one for one in lines if one.span.overlaps(hit)] for hit in page.hits[:CHUNKS_READ]]
    if is_whole or not chunks:
        chunks += [list(section) for _, section in groupby(lines, key=lambda line: line.heading)]
    for chunk_rank, chunk in enumerate(chunks):
        if any(_says_something(line) for line in chunk):
            yield Passage(page, rank, chunk_rank, tuple(chunk))


def _tables(page: FoundPage, rank: int, question: str) -> Iterator[Passage]:
    """The tables of a page of which rows are asked for by number or name."""
    for _, group in groupby(lines_of(page), key=lambda line: line.is_row and (line.heading, _columns(line))):
        rows = list(group)
        if not rows[0].is_row:
            continue
        told, by_number = asked_rows(question, rows, page.language)
        if told or by_number:
            numbers = " ".join(_NUMBER.findall(question)) if by_number else ""
            yield Passage(page, rank, CHUNKS_READ, tuple(rows), tuple(told), numbers)


def _named_sections(page: FoundPage, rank: int, question: str) -> Iterator[Passage]:
    """The sections of a page that are asked for by their headings, each with the line that answers.

    That is its first sentence where nothing is asked that titles do not say, else one whose label is asked:
    "Range: 30 feet".
    """
    for headings, group in groupby(lines_of(page), key=lambda line: line.headings):
        lines = [line for line in group if not line.is_heading]
        if not headings or not lines or not _named_headings(lines[0], question, page.language):
            continue
        said = [line for line in lines if _says_something(line)]
        is_all = _say_all(_titles_over(lines[0], page, question), question, page.language)
        told = said[:1] if is_all else [one for one in said if _is_labelled(one, question, page.language)]
        yield from (Passage(page, rank, CHUNKS_READ, tuple(lines), (one,)) for one in told if not one.is_row)


def _is_labelled(line: Line, question: str, language: str) -> bool:
    """Whether a line is a value under a label that a question asks for."""
    label = [] if line.is_row else _names_beside(line)
    return any(shared_words(question, label, [language] * len(label)))


def _columns(row: Line) -> str:
    """The name of a row's first column: rows of one table share it."""
    return cells(row.text)[0].column


def _says_something(line: Line) -> bool:
    """Whether a line is a sentence, a table row or tells a number: headings and scraps are no answer.

    In a heading ("7.1.1 OpenD6 Combat") a digit behind a letter is part of a name, the number of a chapter no
    answer.
    """
    if line.is_heading:
        return _is_sentence(line) or bool(_DIGIT_OF_A_NUMBER.search(without_number(line.printed)))
    return line.is_row or _is_sentence(line) or bool(_NUMBER.search(line.printed))


def _is_spoken(line: Line, language: str) -> bool:
    """Whether somebody speaks in a line, of himself or in quotation marks; rules do not."""
    speaker = LANGUAGES[language].speaker if language in LANGUAGES else ""
    is_told = bool(speaker) and re.search(rf"\b(?:{speaker})\b", line.text) is not None
    return is_told or _SPEECH.match(line.text) is not None


def _is_sentence(line: Line) -> bool:
    return line.printed.rstrip('"”’)* ')[-1:] in (".", "!", "?", ":", ";")


def _scored(
    question: str, passages: Sequence[Passage], similarity: Similarity, own: str = ""
) -> list[Passage]:
    """The passages with their closest lines and scores, the best first."""
    # Likeness chooses no row of a table where a number under one of its columns is asked for.
    numbered = {(one.page.id, line) for one in passages if one.numbers for line in one.lines}
    said = [
        (number, line, f"{without_number(line.heading)}: {line.text}" if line.heading else line.text)
        for number, passage in enumerate(passages)
        for line in passage.asked or passage.lines
        if _says_something(line) and (line in passage.asked or (passage.page.id, line) not in numbered)
    ]
    languages = [passages[number].page.language for number, *_ in said]
    plain = [
        _worded(passages[number], line, _titles_over(line, passages[number].page, question))
        for number, line, _ in said
    ]
    held = shared_words(question, plain, languages)
    # What stands under a heading that names something else is not surely said.
    sure = [
        text if line.is_row else _worded(passages[number], line, _named_headings(line, question, language))
        for text, (number, line, _), language in zip(plain, said, languages, strict=True)
    ]
    of_all = shared_words(question, sure, languages)
    named = shared_words(without_asking(question, languages), sure, languages)
    best: dict[int, list[tuple[float, int]]] = {}
    for at, like in enumerate(similarity(question, [text for *_, text in said])):
        worth = like + held[at] + SPOKEN_WORTH * _is_spoken(said[at][1], languages[at])
        best.setdefault(said[at][0], []).append((worth, -at))
    scored = [
        replace(
            passages[number],
            closest=said[-at][1],
            near=tuple(said[-other][1] for _, other in near[:MOST_NEAR] if not said[-other][1].is_row),
            marked=_surely(question, passages[number], said[-at][1], of_all[-at], named[-at]),
            score=worth
            + rank_worth(passages[number])
            + held[-at] * _name_worth(passages[number], question, said[-at][1])
            + ALIKE * bool(asked_share(own, said[-at][1].heading, languages[-at])),
        )
        for number, ((worth, at), *near) in (
            (number, sorted(each, reverse=True)) for number, each in best.items()
        )
    ]
    return sorted(scored, key=lambda passage: -passage.score)


def _name_worth(passage: Passage, question: str, closest: Line) -> float:
    """How much more the words of a passage count for the names by which it is asked for.

    A value whose whole label is asked for, with its numbers, in a section that is, counts as a row does.
    """
    language = passage.page.language
    names = HEADING_WORTH * bool(_named_headings(closest, question, language))
    if not _is_labelled(closest, question, language):
        return names + ROW_WORTH * bool(passage.asked)
    is_all = {*_NUMBER.findall(question)} <= {*_NUMBER.findall(closest.printed)}
    is_all = is_all and bool(asked_share(question, label_of(closest.text), language))
    return (names + (ROW_WORTH if is_all else HEADING_WORTH)) * bool(names)


def _named_headings(line: Line, question: str, language: str) -> list[str]:
    """Those of the headings over a line that a question names: a part of a section is of what that names."""
    return [heading for heading in line.headings if asked_share(question, heading, language)]


def _titles_over(line: Line, page: FoundPage, question: str) -> list[str]:
    """The headings over a line, and the title of its book where a question names that: "the bless spell"."""
    named = [page.book] * bool(asked_share(question, page.book, page.language))
    return [*named, *line.headings]


def _say_all(titles: Sequence[str], question: str, language: str) -> bool:
    """Whether titles say all that is asked: "Spells › Bless" do of "the bless spell"."""
    return 1.0 in shared_words(question, [" ".join(map(without_number, titles))], [language])


def _worded(passage: Passage, line: Line, headings: Sequence[str]) -> str:
    """The words of a line under some headings; of a row no numbers but those that are asked for."""
    said = [_NUMBER.sub("", line.text), passage.numbers] if line.is_row else [line.text]
    return " ".join([*map(without_number, headings), *said])


def without_asking(question: str, languages: Sequence[str]) -> str:
    """The words of a question that name what it is about, without those that people ask with."""
    language = asking_language(question, frozenset(languages))
    asking = LANGUAGES[language].asking_words if language in LANGUAGES else ()
    return " ".join(word for word in content_words(question, language) if word not in asking)


def _surely(question: str, passage: Passage, closest: Line, held: float, named: float) -> tuple[Line, ...]:
    """The lines of a passage that surely answer: rows asked for, or a line with most of what is asked.

    Beside a row its columns need not have the words that people ask with: "how much does it cost?". Both a
    line and the heading over it speak of what is asked: under another one it tells of something else. Where
    the heading says all that is asked no line does so more than another.
    """
    language = passage.page.language
    if closest.is_row:
        return passage.asked if named >= SURE else ()
    if _say_all(_titles_over(closest, passage.page, question), question, language):
        return ()
    told = [closest.text, closest.heading or closest.text]
    is_told = all(any(shared_words(question, [one], [language])) for one in told)
    return (closest,) if held >= SURE and is_told else ()


@rule(without=lambda passage: 0.0)
def rank_worth(passage: Passage) -> float:
    """What it is worth that search ranks the page of a passage high, and its chunk on that page."""
    return PAGE_WORTH / (1 + passage.page_rank) + CHUNK_WORTH / (1 + passage.chunk_rank)


@rule(without=lambda passage: passage)
def of_one_section(passage: Passage) -> Passage:
    """The lines under the heading of the closest one, and as many more of its section as a passage holds.

    What a heading parts from it speaks of something else.
    """
    closest = passage.closest or passage.lines[0]
    kept = [line for line in passage.lines if line.headings == closest.headings]
    if _length(kept) > LONGEST_PASSAGE:
        kept = [closest]
    of_page = lines_of(passage.page)
    behind = takewhile(lambda line: line.headings == closest.headings, of_page[kept[-1].number :])
    before = takewhile(lambda line: line.headings == closest.headings, of_page[: kept[0].number - 1][::-1])
    kept += _fitting(behind, kept, PASSAGE_CHARACTERS)
    kept = [*reversed(_fitting(before, kept, PASSAGE_CHARACTERS)), *kept]
    return replace(passage, lines=tuple(kept))


def _fitting(further: Iterable[Line], kept: Sequence[Line], most: int) -> list[Line]:
    """As many further lines as fit into a passage beside those it has."""
    taken: list[Line] = []
    for line in further:
        if _length([*kept, *taken, line]) > most:
            break
        taken.append(line)
    return taken


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
    names = [_names_beside(one.closest) for one in (first, second) if one.closest]
    return len(names) == PARTS and bool(names[0]) and names[0] == names[1]


def _names_beside(line: Line) -> list[str]:
    """The first columns of a row, or the label of a value; none of a sentence."""
    if line.is_row:
        return [cell.column for cell in cells(line.text)[:PARTS]]
    label = label_of(line.text)
    return [label] if label else []


def _apart(passages: Iterable[Passage | None]) -> list[Passage]:
    """The passages without those whose closest line another shows."""
    apart: list[Passage] = []
    for passage in filter(None, passages):
        if not any(one.page.id == passage.page.id and passage.closest in one.lines for one in apart):
            apart.append(passage)
    return apart


def _length(lines: Sequence[Line]) -> int:
    return sum(len(line.printed) + 1 for line in lines)


def _holds_most(page: FoundPage, questions: Sequence[Question]) -> bool:
    """Whether a page holds most of what the first question asks that found it, as far as its search told."""
    finding = next(
        (one for one in questions if page.id in {found.id for found in pages_of(one).values()}), None
    )
    return finding is None or finding.holding_most is None or page.id in finding.holding_most
