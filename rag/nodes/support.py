"""Whether lines of a book say what is stated over them, as far as words can tell.

That a line exists proves nothing about the sentence above it. `suspicions` names what code does not
believe of a statement; a small request to the chat model, which sees only statements and their lines, may
clear it. Pure.
"""

import re
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Annotated, Any, Literal

from pydantic import BaseModel, BeforeValidator, Field

from rag.library.language.likeness import shared_words
from rag.library.language.words import fold, words
from rag.nodes.citations import shortened
from rag.nodes.clauses import (
    PASSIVE,
    Clause,
    ClauseKind,
    Pole,
    Term,
    clause_words,
    clauses,
    keys_of,
    language_of,
)
from rag.nodes.repeated_lines import (
    PAUSE,
    changed_numbers,
    changes,
    left_out,
    loses_a_number,
    misplaces_a_number,
)
from rag.prompts import Delimited, delimited

LEAST_SHARED = 0.5
"""The share of a statement's content words that must have a counterpart in lines that speak of the same."""
LEAST_ASKED = 0.3
"""The share of the question's content words that the lines, or the headings over them, must hold: four of
five lines that answer do, one of forty others (the development books, both languages)."""
FEWEST_TERMS = 2
"""Content words of a clause from which on it is surely told which clause of the lines is meant."""
FEWEST_FOREIGN = 3
"""Content words of a statement from which on lines without any of them surely say something else: of 750 true
statements written by hand none is so, of 420 invented ones 254 are."""
RETOLD = 0.9
"""The share of the lines' words from which on a statement retells them and refuses as often as they do."""
MOST_CHARACTERS = 1_340
"""What the request shows in all: with its prompt it stays under 600 tokens."""
LONGEST_QUESTION = 300
"""Characters of a question that the request shows."""
LEAST_EVIDENCE = 120
"""Characters of lines without which a statement is not asked about."""
MOST_SUPPORTS = 8
"""Statements in one request."""

_LIMITS = (ClauseKind.ONLY, ClauseKind.EXCEPT, ClauseKind.AT_MOST, ClauseKind.AT_LEAST)
_KEPT_IN_A_CLAUSE = (ClauseKind.ONLY, ClauseKind.AT_LEAST)
_OPPOSITE_KINDS = (
    (ClauseKind.AT_LEAST, ClauseKind.AT_MOST),
    (ClauseKind.AT_MOST, ClauseKind.AT_LEAST),
    (ClauseKind.IF, ClauseKind.EXCEPT),
    (ClauseKind.EXCEPT, ClauseKind.IF),
)
_SENTENCES_OF_A_LINE = 1_000
_ANSWER = re.compile(r"\s*([^\W\d_]+)\s*(?:[,.:;!—–-]|$)")
_ID = re.compile(r"\b[sS]?(\d{1,3})\b")
_VERDICT = re.compile(r"\s*(yes|partly|no)\b", re.IGNORECASE)


class Reason(StrEnum):
    """Why a statement is not believed over its lines."""

    UNRELATED = "unrelated"
    """The lines speak of something else."""
    FOREIGN = "foreign"
    """None of its several words, and no number, stands in the lines or in the headings over them."""
    WORD = "word"
    """It has a word of its own, which neither the lines nor the headings over them have."""
    ROLE = "role"
    """It has a small word that the lines lack, or more of them: "must", "or", "from", "you", "was"."""
    ORDER = "order"
    """It puts the words of the lines together in another way."""
    JOINED = "joined"
    """It begins as one part of a line and ends as another, which is of something else."""
    REFUSAL = "refusal"
    """One side refuses what the other does not."""
    REFUSED_ELSEWHERE = "refused elsewhere"
    """Both sides refuse as often, but not in the clauses that speak of the same."""
    ANSWER = "answer"
    """Its yes or no goes against the rest of it, or against the lines."""
    LIMIT = "limit"
    """A limit, an exception, a condition or a number stands on one side alone."""
    TURNED = "turned"
    """It says the opposite of what the clause says that speaks of the same: "minimum" for "maximum"."""
    CHANGED = "changed"
    """It repeats a line and puts another word in the place of one."""
    NUMBER = "number"
    """It repeats a line and puts another number in the place of one."""
    ROW = "row"
    """It names another row of the table than its own, or has the value of another column."""
    OPPOSITE = "opposite"
    """It says "more" or "before" where the lines do not."""
    EVERY = "every"
    """It says of all what the lines do not say of all."""
    LANGUAGE = "language"
    """Code has no list of refusals for the language of either side."""


_BESIDE_A_REFUSAL = {Reason.REFUSAL, Reason.ANSWER, Reason.ROLE, Reason.JOINED, Reason.CHANGED}
"""What a statement may be doubted for that refuses, in the words of its lines, what they say, or says what
they refuse."""

_BESIDE_AN_ANSWER = {Reason.EVERY, Reason.LIMIT}
"""What it may be doubted for as well where its yes or no goes against the lines."""


def suspicions(
    statement: str,
    lines: Sequence[str],
    question: str,
    languages: Sequence[str],
    context: Sequence[str] = (),
) -> list[Reason]:
    """What makes it doubtful that `lines` say what a statement says; nothing where code believes it.

    `languages` are the asker's first, then those of the books. `context` are the headings over the lines:
    what they name need not be named in a line.
    """
    claim = _read_claim(statement, lines, question, languages, context)
    if claim is None:
        return [Reason.LANGUAGE]
    changed = _changed(statement, lines, claim)
    is_refusing = _refuses_otherwise(claim)
    is_moved = 0 < _negations(claim.stated) == _negations(claim.printed)
    checks = {
        Reason.UNRELATED: _shared(claim) < LEAST_SHARED,
        Reason.FOREIGN: _is_foreign(claim),
        Reason.WORD: _has_another_word(claim),
        Reason.ROLE: _has_another_role(claim),
        Reason.ORDER: (
            _is_put_otherwise(claim) or _is_done_by_another(claim) or misplaces_a_number(statement, lines)
        ),
        Reason.JOINED: _joins_parts(statement, lines, claim),
        Reason.REFUSAL: is_refusing and not is_moved,
        Reason.REFUSED_ELSEWHERE: is_refusing and is_moved,
        Reason.ANSWER: _answers_otherwise(claim),
        Reason.LIMIT: (
            _limits_otherwise(claim) or _leaves_out_numbers(claim) or loses_a_number(statement, lines)
        ),
        Reason.TURNED: any(_is_opposite(*pair) for pair in changed) or _is_turned_round(claim),
        Reason.CHANGED: any(_is_another(*pair) for pair in changed),
        Reason.NUMBER: bool(changed_numbers(statement, lines)),
        Reason.OPPOSITE: _says_the_opposite(claim),
        Reason.EVERY: _says_of_all(claim),
    }
    return [reason for reason, is_so in checks.items() if is_so]


def is_disproof(doubts: Collection[Reason]) -> bool:
    """Whether lines surely do not say a statement: they refuse it in its words, or have none of its words.

    Who wrote such a statement believes it as well: a model's second look clears none.
    """
    beside = _BESIDE_A_REFUSAL | (_BESIDE_AN_ANSWER if Reason.ANSWER in doubts else set())
    is_turned = Reason.REFUSAL in doubts and beside.issuperset(doubts)
    return is_turned or not {Reason.FOREIGN, Reason.TURNED, Reason.NUMBER, Reason.ROW}.isdisjoint(doubts)


def speak_of_what_is_asked(
    lines: Sequence[str], question: str, languages: Sequence[str], context: Sequence[str] = ()
) -> bool:
    """Whether lines, or the headings over them, hold enough of the words of a question to answer it."""
    book = " ".join([*lines, *context])
    claim = _read_claim("", [book], question, languages, ())
    if claim is None:
        return shared_words(question, [book], [languages[-1]])[0] > 0
    asked = {term.word: term for clause in claim.asked for term in clause.terms}.values()
    found = sum(not term.keys.isdisjoint(claim.in_the_book) for term in asked)
    return found >= LEAST_ASKED * len(asked)


@dataclass(frozen=True, slots=True)
class Claim:
    """A statement beside its lines, both as clauses; `answer` is the "yes" or "no" it begins with."""

    answer: Literal["yes", "no", ""]
    stated: Sequence[Clause]
    printed: Sequence[Clause]
    counterparts: Sequence[Clause | None]
    """For each clause of the statement the printed one that speaks of the same."""
    asked: Sequence[Clause]
    around: Sequence[Term]
    roles: Collection[str]
    """The roles of small words that are told apart in the languages of both sides."""
    language: str
    """That of both sides; "" where they differ."""

    @property
    def in_the_book(self) -> frozenset[str]:
        """The keys of all words of the lines and of the headings over them."""
        return frozenset().union(*(clause.keys for clause in self.printed), keys_of(self.around))


def _read_claim(
    statement: str, lines: Sequence[str], question: str, languages: Sequence[str], context: Sequence[str]
) -> Claim | None:
    """Both sides as clauses; None where there is no list for the language of one."""
    language = language_of(statement, languages[0], languages)
    printed_in = [language_of(line, languages[-1], languages) for line in lines]
    asked_in = language_of(question, languages[0], languages)
    among = tuple(dict.fromkeys([language, *printed_in, asked_in]))
    if not clause_words().keys() >= set(among):
        return None
    answer, text = _answer_and_rest(statement, language)
    asked = clauses(question, asked_in, among)
    stated = clauses(text, language, among)
    if answer and not any(clause.terms for clause in stated):
        stated = tuple(replace(clause, negations=clause.negations + (answer == "no")) for clause in asked)
    printed = _clauses_of_lines(lines, printed_in, among)
    return Claim(
        answer=answer,
        stated=stated,
        printed=printed,
        counterparts=_counterparts(stated, printed),
        asked=asked,
        around=[
            term
            for heading in context
            for clause in clauses(heading, among[-1], among)
            for term in clause.terms
        ],
        roles=set.intersection(
            *({PASSIVE, *clause_words()[one].roles.values()} for one in {language, *printed_in})
        ),
        language=language if {language} == {*printed_in} else "",
    )


def _answer_and_rest(statement: str, language: str) -> tuple[Literal["yes", "no", ""], str]:
    first = _ANSWER.match(statement)
    if first and fold(first[1]) in clause_words()[language].yes:
        return "yes", statement[first.end() :]
    if first and fold(first[1]) in clause_words()[language].no:
        return "no", statement[first.end() :]
    return "", statement


def _clauses_of_lines(
    lines: Sequence[str], printed_in: Sequence[str], among: tuple[str, ...]
) -> list[Clause]:
    return [
        replace(clause, sentence=clause.sentence + number * _SENTENCES_OF_A_LINE)
        for number, (line, language) in enumerate(zip(lines, printed_in, strict=True))
        for clause in clauses(line, language, among)
    ]


def _counterparts(stated: Sequence[Clause], printed: Sequence[Clause]) -> list[Clause | None]:
    """For each clause of a statement the printed one that speaks of the same."""
    found = {terms: _counterpart(terms, printed) for terms in {clause.terms for clause in stated}}
    return [found[clause.terms] for clause in stated]


def _counterpart(terms: Sequence[Term], printed: Sequence[Clause]) -> Clause | None:
    """The clause that shares most terms, of two the one that says least besides."""
    shared = [sum(not term.keys.isdisjoint(other.keys) for term in terms) for other in printed]
    scored = [
        (count, count / len(other.terms), -place)
        for place, (count, other) in enumerate(zip(shared, printed, strict=True))
        if count
    ]
    return printed[-max(scored)[2]] if scored else None


def _shared(claim: Claim) -> float:
    """The share of a statement's content words that the lines, or the headings over them, have too."""
    terms = {term.word: term for clause in claim.stated for term in clause.terms}.values()
    found = sum(not term.keys.isdisjoint(claim.in_the_book) for term in terms)
    return found / len(terms) if terms else 1.0


def _is_foreign(claim: Claim) -> bool:
    """Whether the lines have none of several words; of another language some must be known in theirs."""
    terms = {term.word: term for clause in claim.stated for term in clause.terms}
    is_known = bool(claim.language) or sum(term.is_known for term in terms.values()) >= FEWEST_TERMS
    return len(terms) >= FEWEST_FOREIGN and is_known and not _shared(claim) and not _has_number(claim.stated)


def _has_another_word(claim: Claim) -> bool:
    theirs = claim.in_the_book
    return any(term.keys.isdisjoint(theirs) for clause in claim.stated for term in clause.terms)


def _has_another_role(claim: Claim) -> bool:
    stated = Counter(role for clause in claim.stated for role in clause.roles)
    printed = Counter(role for clause in claim.printed for role in clause.roles)
    return any(count > printed[role] for role, count in stated.items() if role in claim.roles)


def _is_put_otherwise(claim: Claim) -> bool:
    """Whether a clause of a statement takes its words from several clauses, or in another order.

    So it does where who does something and to whom are changed, or where it leaps over what is said between.
    """
    theirs = keys_of([term for clause in claim.printed for term in clause.sequence])
    told = [
        tuple(term for term in clause.sequence if not term.keys.isdisjoint(theirs)) for clause in claim.stated
    ]
    printed = _with_subjects(claim.printed)
    places = {
        terms: {place for place, other in enumerate(printed) if _stand_in_order(terms, other)}
        for terms in set(told)
    }
    return not _follow_one_another([places[terms] for terms in told if terms])


def _is_done_by_another(claim: Claim) -> bool:
    """Whether something does what the lines say is done to it: "the eel may bite" of "may be bitten"."""
    stated = keys_of([term for clause in claim.stated for term in clause.undergone])
    return any(
        nearest is not None and not keys_of(nearest.undergone).isdisjoint(clause.keys - stated)
        for clause, nearest in zip(claim.stated, claim.counterparts, strict=True)
    )


def _joins_parts(statement: str, lines: Sequence[str], claim: Claim) -> bool:
    """Whether over "Eels hunt by day, and crabs hide in sand" a statement says "Eels hide in sand"."""
    if not claim.language:
        return False
    listed = clause_words()[claim.language]
    joints = {PAUSE} | listed.joins | listed.begins
    for words_between in left_out(statement, lines):
        at = [place for place, word in enumerate(words_between) if word in joints]
        sides = (words_between[: at[-1]], words_between[at[-1] + 1 :]) if at and at[0] else ()
        if sides and all(_says_something(side, claim.language) for side in sides):
            return True
    return False


def _says_something(written: Sequence[str], language: str) -> bool:
    return any(clause.sequence for clause in clauses(" ".join(written), language, (language,)))


def _with_subjects(printed: Sequence[Clause]) -> list[tuple[Term, ...]]:
    """What each clause tells, behind the word with which its sentence begins: that may be its subject too."""
    subjects = {clause.sentence: clause.sequence[:1] for clause in reversed(printed)}
    return [(*subjects[clause.sentence], *clause.sequence) for clause in printed]


def _follow_one_another(places: Sequence[set[int]]) -> bool:
    """Whether the clauses of a statement can be told from clauses that stand side by side in the lines."""
    reached = places[0] if places else {0}
    for found in places[1:]:
        reached = {place for place in found if reached & {place - 1, place, place + 1}}
    return bool(reached)


def _stand_in_order(terms: Sequence[Term], printed: Sequence[Term]) -> bool:
    rest = iter(printed)
    return all(any(not term.keys.isdisjoint(one.keys) for one in rest) for term in terms)


def _refuses_otherwise(claim: Claim) -> bool:
    stated, printed = claim.stated, claim.printed
    if any(clause.negations for clause in stated) and not any(clause.negations for clause in printed):
        return True
    if any(map(_is_turned, stated, claim.counterparts)):
        return True
    if any(_is_affirmed(term, claim) for term in {term for clause in printed for term in clause.negated}):
        return True
    return _retells(claim) and _negations(stated) != _negations(printed)


def _is_turned(clause: Clause, printed: Clause | None) -> bool:
    """Whether one of two clauses on the same refuses and the other does not, or refuses twice."""
    if printed is None or clause.negations == printed.negations:
        return False
    return not (clause.negations and printed.negations) or len(clause.terms) >= FEWEST_TERMS


def _is_affirmed(refused: Term, claim: Claim) -> bool:
    """Whether what the lines only refuse is stated without a refusal."""
    stated = {bool(one.negations) for one in claim.stated if not refused.keys.isdisjoint(one.keys)}
    if stated != {False}:
        return False
    return all(one.negations for one in claim.printed if not refused.keys.isdisjoint(one.keys))


def _retells(claim: Claim) -> bool:
    """Whether a statement holds nearly all words of its lines."""
    ours = frozenset[str]().union(*(clause.keys for clause in claim.stated))
    terms = [term for clause in claim.printed for term in clause.terms]
    return bool(terms) and sum(bool(term.keys & ours) for term in terms) >= RETOLD * len(terms)


def _negations(parts: Sequence[Clause]) -> int:
    return sum(clause.negations for clause in parts)


def _answers_otherwise(claim: Claim) -> bool:
    """Whether the "yes" or "no" at the head goes against the rest; a question that refuses is not judged."""
    if not claim.answer or _negations(claim.asked):
        return False
    if claim.answer == "yes":
        is_refused = _negations(claim.printed) and not _negations(claim.stated)
        return bool(is_refused or (claim.stated and claim.stated[0].negations))
    both = [*claim.stated, *claim.printed]
    return not any(clause.negations or clause.kinds & set(_LIMITS) for clause in both)


def _limits_otherwise(claim: Claim) -> bool:
    """Whether a statement adds a limit, or leaves out a clause's "only" or a sentence's condition."""
    stated, printed = _kinds(claim.stated), _kinds(claim.printed)
    nearest = [clause for clause in claim.counterparts if clause]
    sentences = {clause.sentence for clause in nearest}
    around = _kinds([clause for clause in claim.printed if clause.sentence in sentences])
    return (
        any(limit in stated and limit not in printed for limit in _LIMITS)
        or (ClauseKind.AT_MOST in around and ClauseKind.AT_MOST not in stated)
        or any(map(_loses_a_bound, claim.stated, claim.counterparts))
        or any(kind in _kinds(nearest) and kind not in stated for kind in _KEPT_IN_A_CLAUSE)
        or any(
            kind in around and kind not in stated
            for kind in (ClauseKind.EXCEPT, ClauseKind.IF, ClauseKind.QUALIFIED)
        )
    )


def _loses_a_bound(clause: Clause, printed: Clause | None) -> bool:
    """Whether a clause has a number without the bound that the one that speaks of the same sets to it."""
    bounds = {ClauseKind.AT_MOST, ClauseKind.AT_LEAST}
    return bool(printed and _has_number([clause]) and (printed.kinds & bounds) - clause.kinds)


def _kinds(parts: Collection[Clause]) -> frozenset[ClauseKind]:
    return frozenset().union(*(clause.kinds for clause in parts))


def _says_the_opposite(claim: Claim) -> bool:
    """Whether a statement has more words of one side of a pair of opposites than the lines have."""
    stated = Counter(pole for clause in claim.stated for pole in clause.poles)
    printed = Counter(pole for clause in claim.printed for pole in clause.poles)
    return any(count > printed[pole] for pole, count in stated.items())


def _changed(statement: str, lines: Sequence[str], claim: Claim) -> list[tuple[Clause, Clause]]:
    """What a statement that repeats a line has in the place of its words: of each change both sides."""
    if not claim.language:
        return []
    among = (claim.language,)
    sides = (
        (clauses(change.printed, claim.language, among), clauses(change.stated, claim.language, among))
        for change in changes(statement, lines)
    )
    return [(printed[0], stated[0]) for printed, stated in sides if printed and stated]


def _is_opposite(printed: Clause, stated: Clause) -> bool:
    """Whether words stand for their opposites."""
    return not _opposites(stated.poles).isdisjoint(printed.poles) or any(
        (one in printed.kinds and other in stated.kinds) or (one in printed.roles and other in stated.roles)
        for one, other in _OPPOSITE_KINDS
    )


def _is_another(printed: Clause, stated: Clause) -> bool:
    """Whether a word of content stands for one that has nothing in common with it."""
    return bool(printed.terms and stated.terms) and printed.keys.isdisjoint(stated.keys)


def _is_turned_round(claim: Claim) -> bool:
    """Whether a clause has a word's opposite, and neither side both: no refusal turns them round again."""
    stated = {pole for clause in claim.stated for pole in clause.poles}
    printed = {pole for clause in claim.printed for pole in clause.poles}
    only_stated, only_printed = stated - _opposites(stated) - printed, printed - _opposites(printed) - stated
    turned = only_stated & _opposites(only_printed)
    return any(
        nearest is not None
        and not (clause.negations or nearest.negations)
        and len(clause.terms) >= FEWEST_TERMS
        and _shared_terms(clause, nearest) >= LEAST_SHARED * len(clause.terms)
        and any(pole in clause.poles and (pole[0], 1 - pole[1]) in nearest.poles for pole in turned)
        for clause, nearest in zip(claim.stated, claim.counterparts, strict=True)
    )


def _opposites(poles: Collection[Pole]) -> set[Pole]:
    return {(pair, 1 - side) for pair, side in poles}


def _shared_terms(clause: Clause, other: Clause) -> int:
    return sum(not term.keys.isdisjoint(other.keys) for term in clause.terms)


def _leaves_out_numbers(claim: Claim) -> bool:
    """Whether a statement says without a number what the lines say with one."""
    told = [clause for clause in claim.counterparts if clause]
    return _has_number(told) and not _has_number(claim.stated)


def _has_number(parts: Collection[Clause]) -> bool:
    return any(term.is_number for clause in parts for term in clause.sequence)


def _says_of_all(claim: Claim) -> bool:
    """Whether a clause says of all, or of each, more or less often than the one that speaks of the same."""
    return any(
        _universals(clause, printed) != (_universals(printed, clause) if printed else 0)
        for clause, printed in zip(claim.stated, claim.counterparts, strict=True)
    )


def _universals(clause: Clause, other: Clause | None) -> int:
    """How often a clause says of all; "any" only strengthens what one of the two refuses."""
    is_refused = any(one.kinds & {ClauseKind.REFUSAL, ClauseKind.WITHOUT} for one in (clause, other) if one)
    return clause.universals + (0 if is_refused else clause.anys)


def asked_in_request(question: str) -> Delimited:
    """What fills the prompt `support` with the question."""
    return delimited("question", _one_line(question)[:LONGEST_QUESTION])


def support_request(claims: Mapping[str, tuple[str, Sequence[str]]]) -> Delimited:
    """What fills the prompt `support`: by its id ("s1") each statement and the lines below it."""
    shown = ["\n".join([f"[{name}] {statement}", *lines]) for name, (statement, lines) in claims.items()]
    return delimited("statements", "\n\n".join(shown))


def shown_in_request(
    claims: Mapping[str, tuple[str, Sequence[str]]], room: int = MOST_CHARACTERS
) -> dict[str, tuple[str, list[str]]]:
    """The statements that a request has room for, the first ones first, and what it shows of their lines.

    A statement is shown whole or not at all. Of lines that are too many or too long those parts stay that
    hold most of its words.
    """
    shown: dict[str, tuple[str, list[str]]] = {}
    for place, (name, (statement, lines)) in enumerate(claims.items()):
        text = _one_line(statement)
        whole = [_one_line(line) for line in lines]
        fixed = len(f"[{name}] {text}\n\n")
        wanted = sum(len(line) + 1 for line in whole)
        share = max(room // (len(claims) - place), fixed + LEAST_EVIDENCE)
        given = min(share - fixed, wanted)
        if fixed + given > room:
            continue
        shown[name] = text, _evidence(whole, set(words(text)), given)
        room -= fixed + sum(len(line) + 1 for line in shown[name][1])
    return shown


def _evidence(lines: Sequence[str], keep: set[str], most: int) -> list[str]:
    """As much of lines as has room in so many characters, the most telling parts of those cut."""
    left = most
    shown = list[str]()
    for place, line in enumerate(lines):
        share = left // (len(lines) - place) if sum(map(len, lines[place:])) > left else left
        part = shortened(line, keep, share) if len(line) >= share else line
        shown += [part] if part else []
        left -= len(part) + 1
    return shown


def _one_line(text: str) -> str:
    return " ".join(text.split())


class Support(BaseModel):
    """What the model says of one statement."""

    id: str
    verdict: Literal["yes", "partly", "no"]


def _legible(supports: Any) -> Any:
    """The verdicts of a reply that can be read; a bad one costs itself alone."""
    if not isinstance(supports, list):
        return supports
    read = [
        {"id": f"s{number[1]}", "verdict": verdict[1].lower()}
        for one in supports
        if isinstance(one, dict)
        and (number := _ID.search(str(one.get("id"))))
        and (verdict := _VERDICT.match(str(one.get("verdict"))))
    ]
    return read[:MOST_SUPPORTS]


class SupportVerdicts(BaseModel):
    """The reply to the request."""

    supports: Annotated[list[Support], BeforeValidator(_legible), Field(max_length=MOST_SUPPORTS)]

    def cleared(self, asked: Collection[str]) -> frozenset[str]:
        """The ids among those asked for of which every verdict, and at least one, is yes."""
        return frozenset(name for name in asked if self._said(name) == {"yes"})

    def refused(self, asked: Collection[str]) -> frozenset[str]:
        """The ids among those asked for of which a verdict is not yes."""
        return frozenset(name for name in asked if self._said(name) - {"yes"})

    def _said(self, name: str) -> set[str]:
        return {one.verdict for one in self.supports if one.id == name}
