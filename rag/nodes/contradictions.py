"""How a statement may contradict its lines, as far as code can tell. Pure.

It repeats a line and changes it; it is of another row or column of a table; it counts in a unit that no line
prints; it turns a bound round.
"""

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

from rag.library.language.grammar_words import one_of
from rag.library.language.identify import likeliest_language, told_language
from rag.library.language.language import AMOUNTS, LANGUAGES, QUESTIONS
from rag.library.language.likeness import shared_words
from rag.library.language.words import words
from rag.nodes.numbers import Number, Numbers, in_digits, numbers_in, plain_text, refuses
from rag.strategies.lines import cells, sentences

FEWEST_REPEATED = 4
"""Words of a line that a statement repeats at the least."""
_WORD = re.compile(r"[^\W_](?:[\w.,/]*[^\W_])?")


ALL_WORDS = 0.99
"""From this share on a text holds all words of a name."""
_LEADING_ANSWER = re.compile(r"\A\W*[^\W\d_]+\s*[,.;:!—-]\s")
"""The word before a statement's first mark: "No, …" answers the question and refuses nothing of the line."""
_NEGATIONS = one_of(word for language in LANGUAGES.values() for word in language.negations)
_PART_END = re.compile(rf"(?<=[,;:.!?])\s+|\s(?={one_of(QUESTIONS.going_on)}\s{_NEGATIONS}\b)", re.IGNORECASE)
_REASON = re.compile(rf"\b{one_of(AMOUNTS.reasons)}\b(.*\w.*)", re.IGNORECASE)
HARDLY_ANY = 0.3
"""Up to this share of its words, weighed, a reason is not told."""
_COUNTED = rf"(?:\d\S*|\b{one_of(AMOUNTS.per)})[\s-]"
MOST_WORDS = 0.5
"""Above this share of its words, weighed, a sentence speaks of what another does."""
_ORDER = ("before", "after")
_OPPOSITES = (("at_least", "at_most"), _ORDER)


def _by_name(tables: Iterable[Mapping[str, str]]) -> dict[str, re.Pattern[str]]:
    """The patterns of all languages under their common names."""
    named: dict[str, list[str]] = {}
    for table in tables:
        for name, pattern in table.items():
            named.setdefault(name, []).append(pattern)
    return {name: re.compile(rf"\b(?:{'|'.join(those)})\b", re.IGNORECASE) for name, those in named.items()}


_UNITS = _by_name(language.units for language in LANGUAGES.values())
_BOUNDS = _by_name(language.bounds for language in LANGUAGES.values())
_AT_ORDER = re.compile("|".join(_BOUNDS[name].pattern for name in _ORDER), re.IGNORECASE)


def changes_a_line(statement: str, lines: Sequence[tuple[str, str]]) -> bool:
    """Whether a statement has the words of a line, or of a part of it, but other numbers or refusals.

    Each line comes with its language. A statement that repeats another of them as it is changes none.
    """
    repeated = [is_same for line, language in lines for is_same in _repeated(statement, line, language)]
    return bool(repeated) and not any(repeated)


def _repeated(statement: str, line: str, language: str) -> Iterator[bool]:
    """Find each place where a line has the words of a statement: whether numbers and refusals agree there."""
    stated, printed = _LEADING_ANSWER.sub("", in_digits(statement, language)), in_digits(line, language)
    (own, own_ends), (theirs, ends) = _words_of(stated, language), _words_of(printed, language)
    if len(own) >= FEWEST_REPEATED:
        for at in range(len(theirs) - len(own) + 1):
            if theirs[at : at + len(own)] == own:
                part = printed[ends[at] : ends[at + len(own)]]
                yield _is_same(stated[: own_ends[-1]], part, language)


def _words_of(text: str, language: str) -> tuple[list[str], list[int]]:
    """The words of a text, numbers as "#", without its refusals; 0, and where each word ends."""
    kept = [one for one in _WORD.finditer(text.lower()) if not refuses(one[0], language)]
    said = ["#" if any(map(str.isdigit, one[0])) else one[0] for one in kept]
    return said, [0, *(one.end() for one in kept)]


def _is_same(stated: str, printed: str, language: str) -> bool:
    """Whether two texts of the same words have the same numbers and refusals."""
    ours, others = numbers_in(stated, language), numbers_in(printed, language)
    refused, refuses_there = (
        sum(refuses(word, language) for word in words(text)) for text in (stated, printed)
    )
    return len(ours) == len(others) and refused == refuses_there and all(map(Number.is_equal, ours, others))


def loses_a_refusal(statement: str, language: str, lines: Sequence[tuple[str, str]]) -> bool:
    """Whether a statement refuses nothing, and of each line the part that it comes closest to does.

    Each line comes with its language. A model may answer in another language than it was asked in.
    """
    own = told_language(statement) or language
    spoken = {language, own, *(printed for _, printed in lines)}
    return not any(refuses(statement, one) for one in spoken) and all(
        refuses(_closest_part(statement, line, printed), printed) for line, printed in lines
    )


def contradict(one: str, other: str, languages: Collection[str] = ()) -> bool:
    """Whether two texts have sentences of mostly the same words, but of other numbers or refusals.

    They are in one of our languages, or of these.
    """
    language = likeliest_language(f"{one} {other}", languages)
    ours, theirs = ([text[part.start : part.end] for part in sentences(text)] for text in (one, other))
    return any(
        share > MOST_WORDS and not _is_same(sentence, there, language)
        for said, others in ((ours, theirs), (theirs, ours))
        for sentence in said
        for there, share in zip(others, shared_words(sentence, others, [language] * len(others)), strict=True)
    )


def _closest_part(statement: str, line: str, language: str) -> str:
    """The part of a line that has most words of a statement, or several; another one begins with "and no"."""
    parts = _PART_END.split(line)
    shares = shared_words(statement, parts, [language] * len(parts))
    closest = [part for part, share in zip(parts, shares, strict=True) if share == max(shares) > 0]
    return " ".join(closest) or parts[0]


def gives_a_reason(statement: str, said: str, printed: str) -> bool:
    """Whether a statement gives a reason of which hardly a word was `said`, in the language `printed`."""
    reason = _REASON.search(statement)
    return reason is not None and shared_words(reason[1], [said], [printed])[0] < HARDLY_ANY


def is_of_another_row(
    statement: str, question: str, cited: Sequence[str], others: Sequence[str], language: str
) -> bool:
    """Whether statement or question names a row that is not cited, and no row that is.

    A number of the statement that a cited row prints is a value of it, and names no other.
    """
    said = f"{statement}\n{question}"
    if any(names_row(said, row, language, numbers_in(said, language)) for row in cited):
        return False
    values = Numbers((row, language) for row in cited)
    numbers = [one for one in numbers_in(statement, language) if not values.hold(one)]
    numbers += numbers_in(question, language)
    own, theirs = ([cells(row)[0].value for row in rows] for rows in (cited, others))
    return any(
        _is_named(name, said, numbers, language)
        and not any(_is_named(name, one, numbers_in(one, language), language) for one in own)
        for name in theirs
        if any(map(str.isalpha, name)) or not any(map(str.isalpha, "".join(own)))
    )


def names_row(text: str, row: str, language: str, numbers: Sequence[Number] = ()) -> bool:
    """Whether a text names what a row is of, by all its words; one without letters by one of the numbers."""
    return _is_named(cells(row)[0].value, text, numbers, language)


def is_of_another_column(statement: str, row: str, language: str, printed: str) -> bool:
    """Whether a statement names a column of a row, and has a number of another column alone.

    `printed` is the language of the row.
    """
    own = cells(row)
    numbers = numbers_in(statement, language)
    named = [cell for cell in own[1:] if cell.column and _is_named(cell.column, statement, numbers, language)]
    if not named or not numbers:
        return False
    held = [cell for cell in own if any(map(Numbers([(cell.value, printed)]).hold, numbers))]
    return bool(held) and not any(cell in named for cell in held)


def _is_named(name: str, text: str, numbers: Sequence[Number], language: str) -> bool:
    """Whether a text has all words of a name; of one without letters whether a number is in its range."""
    if not any(map(str.isalpha, name)):
        return any(map(Numbers([(name, language)], with_ranges=True).hold, numbers))
    (share,) = shared_words(name, [in_digits(text, language)], [language])
    return share >= ALL_WORDS


def counts_otherwise(statement: str, language: str, said: str) -> bool:
    """Whether a statement counts in a unit of measure that is nowhere in what was `said`."""
    text = in_digits(statement, language)
    counted = {
        name
        for name, unit in _UNITS.items()
        if any(re.search(rf"{_COUNTED}\Z", text[: one.start()]) for one in unit.finditer(text))
    }
    return any(not _UNITS[name].search(plain_text(said)) for name in counted)


def turns_a_bound(statement: str, language: str, said: str) -> bool:
    """Whether a statement says "at least" where the lines say only "at most", or the other way round.

    So with "before" and "after", unless what stands behind the word there stands before it here.
    """
    stated, printed = (
        {name for name, bound in _BOUNDS.items() if bound.search(text)} for text in (statement, said)
    )
    turned = [
        pair
        for pair in _OPPOSITES
        if stated & {*pair} and printed & {*pair} and not stated & printed & {*pair}
    ]
    return any(pair != _ORDER or not _is_turned_round(statement, language, said) for pair in turned)


def _is_turned_round(statement: str, language: str, said: str) -> bool:
    """Whether a statement begins with what comes second there: "rest after a fight"."""
    first, _ = _AT_ORDER.split(statement, 1)
    ordered = next(line for line in said.split("\n") if _AT_ORDER.search(line))
    share, share_behind = shared_words(first, _AT_ORDER.split(ordered, 1), [language] * 2)
    return share_behind > share
