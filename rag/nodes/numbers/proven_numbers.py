"""Numbers of a statement, proven by the book lines it cites; pure text.

`prove_numbers` reads the amounts of a statement and of its evidence in one spelling ("an hour", "1 hora",
"60 minutes") and names those that nothing proves: no line, no written calculation that holds, and not the
case of whoever asks.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from rag.library.language.grammar_words import one_of
from rag.library.language.language import AMOUNTS, PAGES
from rag.nodes.numbers.amounts import Amount, PrintedAmounts, amounts_in, is_equal, singular
from rag.nodes.numbers.calculations import PASSES, Calculated
from rag.nodes.numbers.hyphened import CountedWords, hyphened_in_question
from rag.nodes.numbers.inferences import Inferences
from rag.nodes.numbers.rates import Given, Rates
from rag.nodes.numbers.spelling import WEAK, normalized, plain_text

_PAGE_WORD = one_of([*PAGES.plural, *PAGES.singular, "pp?"])
PAGE_REFERENCE = re.compile(
    rf"\b{_PAGE_WORD}(?:\.?\s*(?-i:[A-Z]{{1,3}}\s?)?\d+|(?:\.\s*|\s+)[ivxlc]+\b)", re.IGNORECASE
)
"""A page as only code may name it."""

LONGEST_STATEMENT = 2_000
"""Characters of a statement or a question; a longer one is not read, and unproven."""
MOST_AMOUNTS = 100
"""A statement that names more amounts is unproven."""
UNREAD = "…"
"""Stands for the numbers of a statement that is not read."""


@dataclass(frozen=True, slots=True)
class NumberProof:
    """The numbers of a statement that nothing proves, and whether one was calculated instead of printed."""

    unproven: frozenset[str]
    is_calculated: bool
    is_inferred: bool = False
    """Whether one of them only follows from others: no calculation of it is written."""
    is_disputed: bool = False
    """Whether the lines count otherwise what a hyphened word of the asker's, or one with digits, counts."""


def prove_numbers(statement: str, evidence: Iterable[str], case: Sequence[str] = ()) -> NumberProof:
    """Prove the numbers of a statement by its evidence, by its own calculations, or by the asker's case.

    What neither proves may follow from what is proven.

    Evidence are the cited lines with what the caller lets speak for them (headings, lines beside them);
    `case` are the questions.
    """
    return _proof(statement, tuple(evidence), tuple(case))


# A statement is held against the same lines more than once, before it is first shown.
@lru_cache(maxsize=100)
def _proof(statement: str, lines: tuple[str, ...], case: tuple[str, ...]) -> NumberProof:
    text = normalized(plain_text(statement[: LONGEST_STATEMENT + 1]), WEAK)
    claims = amounts_in(text)
    if len(statement) > LONGEST_STATEMENT or len(claims) > MOST_AMOUNTS:
        return NumberProof(frozenset({UNREAD}), is_calculated=False)
    counted = CountedWords(lines)
    contradicted = counted.contradicted(statement) if "-" in text else []
    in_question = frozenset().union(*map(hyphened_in_question, case)) if contradicted else frozenset()
    disputed = {one.spelled for one in contradicted if one.has_digits or one.spelled in in_question}
    of_model = {one.spelled for one in contradicted} - disputed
    if not claims:
        return NumberProof(frozenset(of_model), is_calculated=False, is_disputed=bool(disputed))
    printed = PrintedAmounts(lines)
    given = [fact for question in case for fact in _case_facts(question[:LONGEST_STATEMENT])]
    calculated = Calculated(text, printed, [fact.amount for fact in given])
    rates = Rates(lines, [fact.given for fact in given])
    is_calculated = False
    proven: list[Amount] = []
    open_claims: list[Amount] = []
    for claim in _with_ends(claims, given):
        if not calculated.refutes(claim) and (printed.prove(claim, claims) or counted.prove(claim)):
            proven.append(claim)
        elif calculated.proves(claim) or (not calculated.refutes(claim) and rates.give(claim, printed)):
            proven.append(claim)
            is_calculated = True
        else:
            open_claims.append(claim)
    refuted = [claim for claim in open_claims if calculated.refutes(claim)]
    wanting = [
        claim
        for claim in open_claims
        if claim not in refuted and not _repeats_case(claim, text, given, bool(proven))
    ]
    left = _not_inferred(wanting, text, lines, proven, given) if wanting else []
    is_inferred = len(left) < len(wanting)
    unproven = of_model.union(claim.spelled for claim in (*refuted, *left))
    return NumberProof(frozenset(unproven), is_calculated or is_inferred, is_inferred, bool(disputed))


def _with_ends(claims: Sequence[Amount], given: Sequence["_CaseFact"]) -> Iterator[Amount]:
    """The amounts; what seems a range and begins with the asker's number is two: "it rises from 15 to 17"."""
    for claim in claims:
        begin = replace(claim, spelled=f"{claim.value}", last=None)
        if claim.last is not None and any(is_equal(begin, fact.amount) for fact in given):
            yield begin
            yield replace(claim, spelled=f"{claim.last}", value=claim.last, last=None)
        else:
            yield claim


def _not_inferred(
    claims: Sequence[Amount],
    text: str,
    lines: Sequence[str],
    proven: Sequence[Amount],
    given: Sequence["_CaseFact"],
) -> Sequence[Amount]:
    """Those amounts that do not even follow from what is proven, nor from what follows from it.

    Beside what follows, the asker's own may be repeated anywhere.
    """
    inferences = Inferences(text, lines, [fact.given for fact in given])
    facts = [fact.amount for fact in given]
    calculated = Calculated(text, PrintedAmounts(lines), facts, inferences.is_term)
    said = list(proven)
    for _ in range(PASSES):
        inferred = [
            claim
            for claim in claims
            if calculated.proves(claim)
            or inferences.give(claim, said)
            or (len(said) > len(proven) and any(is_equal(claim, fact) for fact in facts))
        ]
        said += inferred
        claims = [claim for claim in claims if claim not in inferred]
    return claims


# The asker's case


@dataclass(frozen=True, slots=True)
class _CaseFact:
    """An amount that a question gives, with the name before it and the word behind it.

    `is_own`: of the asker's own ("my 5th level thief").
    """

    amount: Amount
    name: str
    following: str
    is_own: bool

    @property
    def given(self) -> Given:
        """What rates and calculations take of it."""
        return Given(self.amount, self.name, self.following)


_ASKS_WHAT = re.compile(
    rf"(?:^|[,;:]\s|\b{one_of(AMOUNTS.before_what)}\s){one_of(AMOUNTS.asks_what)}\b"
    rf"|\b{one_of(AMOUNTS.asks_what_within)}\b",
    re.IGNORECASE,
)
_ASKS_WHETHER = re.compile(
    rf"(?:^|\b{one_of(AMOUNTS.before_whether)}\s|[,;:]\s){one_of(AMOUNTS.asks_whether)}\b", re.IGNORECASE
)
_ASKS_WHY = re.compile(rf"\b{one_of(AMOUNTS.asks_why)}\b", re.IGNORECASE)
_OWN = re.compile(rf"\b{one_of(AMOUNTS.own)}(?:\s[^\W\d_]+){{0,3}}\s?$", re.IGNORECASE)
_CLAUSE = r"(?:^|[.;:(,]\s?)"
_CONDITION = re.compile(
    rf"(?:{_CLAUSE}|\b{one_of(AMOUNTS.before_condition)}\s|{_CLAUSE}{one_of(AMOUNTS.opens_condition)}\s)$",
    re.IGNORECASE,
)
"""What stands before a number that is a condition: "with", "your", the begin of a clause."""
_NAME = re.compile(
    rf"\b((?-i:[A-Z])[^\W\d_]+|{one_of(AMOUNTS.attributes)})(?:\s{one_of(AMOUNTS.after_attribute)})?\s$",
    re.IGNORECASE,
)
_FOLLOWING = re.compile(r"[\s-]([^\W\d_]+)")
_SENTENCE = re.compile(r"[^.?!\n]+(?:[.,]\d+[^.?!\n]*)*[.?!]*")


@lru_cache(maxsize=64)
def _case_facts(question: str) -> tuple[_CaseFact, ...]:
    """The amounts that a question gives, not those that it asks about.

    What is asked with "how much" takes its numbers for granted; so does what is told before it. Who asks yes
    or no, or why, gives only what is the asker's own: of "does a torch burn for 999 turns?" nothing.
    """
    text = normalized(plain_text(question))
    sentences = [found[0].strip() for found in _SENTENCE.finditer(text)]
    asks_what = any(map(_ASKS_WHAT.search, sentences))
    facts: list[_CaseFact] = []
    for sentence in sentences:
        whether = _ASKS_WHETHER.search(sentence)
        is_told = asks_what and not _ASKS_WHY.search(sentence)
        is_asked = sentence.endswith("?") and not _ASKS_WHAT.search(sentence)
        for amount in amounts_in(sentence):
            is_own = bool(_OWN.search(sentence, max(0, amount.start - 60), amount.start))
            if is_own or (is_told and not is_asked and not (whether and whether.start() < amount.start)):
                following = _FOLLOWING.match(sentence, amount.end)
                behind = singular(following[1]) if following else ""
                facts.append(_CaseFact(amount, _name_of(amount, sentence), behind, is_own))
    return tuple(facts)


def _name_of(amount: Amount, text: str) -> str:
    """The name before a number; not the first word of a sentence, which is capitalized anyway."""
    name = _NAME.search(text, max(0, amount.start - 60), amount.start)
    return singular(name[1]) if name and name.start() else ""


def _repeats_case(claim: Amount, text: str, facts: Sequence[_CaseFact], has_proof: bool) -> bool:
    """Whether a statement repeats an amount of the question as a condition: "with ST 12 you lift 29 lb".

    It must stand as one, with the same neighbour, in a statement that proves another number; one of the
    asker's own may open a statement without ("your 5th level thief may not").
    """
    opens = len(text[: claim.start].split()) <= 4
    return any(
        _is_told(claim, fact.amount)
        and _is_condition(claim, text, fact.name)
        and (has_proof or (fact.is_own and opens))
        for fact in facts
    )


def _is_condition(claim: Amount, text: str, name: str) -> bool:
    """Whether a number stands as a condition, directly or behind the name that the question gives it."""
    if _CONDITION.search(text, max(0, claim.start - 60), claim.start):
        return True
    named = _NAME.search(text, max(0, claim.start - 60), claim.start)
    if not named or singular(named[1]) != name:
        return False
    return bool(_CONDITION.search(text, max(0, named.start() - 60), named.start()))


def _is_told(claim: Amount, fact: Amount) -> bool:
    """Whether an amount is the one of a fact, with the same unit, letters or neighbouring word."""
    pairs = (
        (claim.unit, fact.unit),
        (claim.label or claim.before, fact.label or fact.before),
        (claim.after, fact.after),
    )
    return is_equal(claim, fact) and any(one and one == other for one, other in pairs)
