"""What code refuses of a drafted statement, and what the model's second look must read. Pure.

A draft names numbered lines; code prints the book's own words (as Anthropic's Citations and LongCite do).
Likeness of words proves nothing, so code believes nothing by it. It refuses what it can compute to be wrong:
a number that is printed nowhere, another row's or column's value, a line repeated with a change, a line that
is overruled. Of the rest a note that is its line's own words is claimed; everything else is asked about.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from fractions import Fraction
from itertools import takewhile
from operator import attrgetter

from rag.library.language.grammar_words import one_of
from rag.library.language.language import AMOUNTS, LANGUAGES, PAGES
from rag.library.language.likeness import asking_language, shared_words
from rag.library.language.words import words
from rag.nodes.amendments import changed_among, cites_corrections, corrections_over
from rag.nodes.citations import canonical
from rag.nodes.contradictions import (
    changes_a_line,
    counts_otherwise,
    gives_a_reason,
    is_of_another_column,
    is_of_another_row,
    loses_a_refusal,
    names_row,
    turns_a_bound,
)
from rag.nodes.draft import MAX_EVIDENCE, MAX_STATEMENTS, Draft, DraftStatement, whole_statements
from rag.nodes.numbers import (
    Calculation,
    Number,
    Numbers,
    bracketed_in,
    calculated,
    equations_in,
    in_digits,
    numbers_in,
    plain_text,
    rounded,
)
from rag.state import PageId
from rag.strategies.lines import HEADING_NUMBER, CitedLine, lines_of

LONGEST_STATEMENT = 1_000
"""Characters; what is longer says more than one thing."""
MOST_LINES = 3 * MAX_EVIDENCE
"""Lines that a statement may rest on: of a reply that names all that were shown, the first are enough."""
LIKELY_SHARE = 0.5
"""Share of a statement's words, rare ones more, that a line must hold to be tried in place of a wrong id."""
LONGEST_MISSING = 8
"""Words of what a model may say is missing."""
FEWEST_REPEATED, LONGEST_REPEATED = 6, 12
"""Words of a text that repeats itself, and of what it repeats."""
ADDRESS = re.compile(
    r"(?:https?://|www\.)[^\s)\]]+|\b[\w-]+(?:\.[\w-]+)*\.(?:com|org|net|io)\b(?:/[^\s)\]]*)?", re.IGNORECASE
)
"""A place in the internet."""
PAGE_REFERENCE = re.compile(
    rf"\b{one_of([*PAGES.plural, *PAGES.singular, 'pp?'])}"
    r"(?:\.?\s*(?-i:[A-Z]{1,3}\s?)?\d+|(?:\.\s*|\s+)[ivxlc]+\b)",
    re.IGNORECASE,
)
"""A page as only code may name it."""
_MARKS = ".,;:!?\"'“”‘’«»()[]•"
MARKED_ID = re.compile(r"\s*\[(?P<id>\d+\.\d+)\]")
_ROUNDS = re.compile("floor|ceil|round")
_ROUNDED = re.compile(rf"\b{one_of(AMOUNTS.rounded)}\b", re.IGNORECASE)
_DOWN, _UP = (
    re.compile(rf"\b{one_of(ways)}\b", re.IGNORECASE) for ways in (AMOUNTS.rounded_down, AMOUNTS.rounded_up)
)
_SENTENCE_WORDS = {
    code: frozenset((*one.negations, *one.tables["amounts"].asks_whether)) for code, one in LANGUAGES.items()
}
"""By language words that no name of a thing has: they make a sentence of it."""

LinesById = Mapping[str, CitedLine]
"""The lines of a prompt by the ids they were shown under."""


class Fault(StrEnum):
    """Why a statement is not shown as a claim; the values are told to programs."""

    NO_LINE = "no-line"
    NUMBERS = "numbers"
    """A number that no line prints, nobody asked with, and no calculation gives."""
    ROW = "row"
    """A value of another row or column."""
    CHANGED = "changed"
    """A line's words with another number, a "not" lost or added; another unit; "at most" for "at least"."""
    OVERRULED = "overruled"
    """A line that a correction, a house rule or a ruling changes."""
    REASON = "reason"
    """A reason that no line gives."""
    PAGE_NUMBER = "page-number"
    UNSUPPORTED = "unsupported"
    """The model's second look did not clear it."""
    UNSHOWABLE = "unshowable"
    """Empty, too long, one too many, the same again and again, or with an address of its own."""


@dataclass(frozen=True, slots=True)
class Proof:
    """What became of a drafted statement: the lines it rests on, what was calculated, why it is no claim.

    `is_own_words`: it is a note in its line's own words. `is_cleared`: the model's second look let it pass.
    """

    text: str
    cited: tuple[CitedLine, ...] = ()
    fault: Fault | None = None
    calculations: tuple[Calculation, ...] = ()
    is_own_words: bool = False
    is_calculated: bool = False
    is_cleared: bool = False

    @property
    def is_claim(self) -> bool:
        """Whether it may be shown as a claim."""
        return self.fault is None and (self.is_own_words or self.is_cleared)

    @property
    def is_open(self) -> bool:
        """Whether the second look decides."""
        return self.fault is None and not self.is_own_words


class Verifier:
    """Holds statements against the lines that were shown."""

    def __init__(self, lines: LinesById, question: str, case: Sequence[str], language: str = "en") -> None:
        """`question` is the standalone one, `case` are the asker's own words, `language` is the asker's."""
        self._lines = lines
        self._pages = {one.page.id: one.page for one in lines.values()}
        self._question = question
        self._language = language
        self._askers = Numbers((said, language) for said in case)

    def prove(self, drafted: DraftStatement, *, is_verdict: bool = True) -> Proof:
        """What code makes of a statement by the lines it names, or by one that its own words tell."""
        said = without_controls(drafted.text)
        text = MARKED_ID.sub(lambda mark: "" if mark["id"] in self._lines else mark[0], said).strip()
        is_long = len(text) > LONGEST_STATEMENT or len(drafted.evidence) > 4 * MAX_EVIDENCE
        if is_long or not text or repeats_itself(text) or self._has_other_address(text):
            return Proof(text[:LONGEST_STATEMENT], fault=Fault.UNSHOWABLE)
        sums = self._calculations(drafted.calculation, text)
        proof = self._proof(text, self.named(drafted), sums)
        if proof.fault not in (None, Fault.OVERRULED):
            mended = (self._proof(text, lines, sums) for lines in self._mended(text, proof))
            return next((one for one in mended if one.fault is None), proof)
        is_free = proof.fault is None and not is_verdict and not any(map(corrections_over, proof.cited))
        return replace(proof, is_own_words=is_free and _is_verbatim(text, proof.cited))

    def named(self, drafted: DraftStatement) -> tuple[CitedLine, ...]:
        """The lines that a statement names, in order, the first `MOST_LINES`; unknown ids are passed over."""
        named = dict.fromkeys(self._lines[one] for one in drafted.line_ids if one in self._lines)
        return tuple(named)[:MOST_LINES]

    def _calculations(self, written: str | None, text: str) -> list[Calculation]:
        """What a model calculates, in its own field or in its words."""
        own = calculated(written) if written else None
        said = numbers_in(text, self._language)
        bracketed = (one for one in bracketed_in(text) if _is_told(one.result, said))
        return [*([own] if own else []), *equations_in(text), *bracketed]

    def _has_other_address(self, text: str) -> bool:
        """Whether a statement names an address that no line prints: models invent them."""
        addresses = [match[0].rstrip(".") for match in ADDRESS.finditer(text)]
        return any(not any(one in line.line.text for line in self._lines.values()) for one in addresses)

    def _proof(self, text: str, cited: tuple[CitedLine, ...], sums: Sequence[Calculation]) -> Proof:
        """The proof of a statement by exactly these lines."""
        if not cited:
            return Proof(text, fault=Fault.NO_LINE)
        meant = _without_other_rows(text, cited, self._language)
        printed = Numbers(_texts_with_numbers(meant))
        claims = [one for one in numbers_in(text, self._language) if not one.is_small_word]
        unprinted = [one for one in claims if not (printed.hold(one) or self._askers.hold(one))]
        # A calculation is no part of a statement that tells no result of it and needs none.
        sums = [one for one in sums if unprinted or _is_told(one.result, claims)]
        fault = (
            self._reference_fault(text, meant)
            or self._number_fault(text, meant, printed, unprinted, sums)
            or self._line_fault(text, meant, sums)
        )
        return Proof(text, cited, fault, tuple(sums), is_calculated=bool(unprinted) and fault is None)

    @staticmethod
    def _reference_fault(text: str, cited: Sequence[CitedLine]) -> Fault | None:
        """Whether a statement names a page that its lines do not."""
        known = " ".join(one.line.text for one in cited).casefold()
        named = (match[0].casefold() for match in PAGE_REFERENCE.finditer(text))
        return Fault.PAGE_NUMBER if any(one not in known for one in named) else None

    def _number_fault(
        self,
        text: str,
        cited: Sequence[CitedLine],
        printed: Numbers,
        unprinted: Sequence[Number],
        sums: Sequence[Calculation],
    ) -> Fault | None:
        """Whether a number is neither printed, nor the asker's, nor calculated rightly from such."""
        named = next(
            (said for said in (text, *(one.line.text for one in cited)) if _ROUNDED.search(said)), ""
        )
        # A later calculation may go on with what an earlier one gives.
        is_sound = all(one.is_right and not _rounds_otherwise(one, named) for one in sums) and all(
            printed.hold_term(term)
            or self._askers.hold_term(term)
            or any(_is_among(term, before.results) for before in sums[:at])
            for at, one in enumerate(sums)
            for term in one.terms
        )
        said = numbers_in(text, self._language)
        ends = [[*one.result, *_rounded_as(one, named)] for one in sums]
        results = [number for one, end in zip(sums, ends, strict=True) for number in (*end, *one.results)]
        is_told = all(_is_told(end, said) for end in ends)
        if (sums and not (is_sound and is_told)) or not all(_is_among(one, results) for one in unprinted):
            return Fault.NUMBERS
        return None

    def _line_fault(self, text: str, cited: Sequence[CitedLine], sums: Sequence[Calculation]) -> Fault | None:
        """Whether a statement goes against what a line is: a row, its own words, a rule that still holds."""
        changed = changed_among(cited, self._pages)
        if not cites_corrections(cited, changed) or any(_is_verbatim(text, [one]) for one, _ in changed):
            return Fault.OVERRULED
        printed = "\n".join(said for said, _ in _texts_with_numbers(cited))
        known = f"{printed}\n{self._question}"
        lines = [(one.line.text, one.page.language) for one in cited]
        rows = [one for one in cited if one.line.is_row]
        if (
            (not sums and (changes_a_line(text, lines) or counts_otherwise(text, self._language, known)))
            or (not rows and loses_a_refusal(text, self._language, lines))
            or turns_a_bound(text, self._language, printed)
        ):
            return Fault.CHANGED
        if gives_a_reason(text, known, cited[0].page.language):
            return Fault.REASON
        if not rows:
            return None
        texts = [row.line.text for row in rows]
        others = [line for row in rows for line in _rows_around(row) if line not in texts]
        if is_of_another_row(text, self._question, texts, others, self._language):
            return Fault.ROW
        is_single = len(cited) == 1
        row = rows[0]
        is_other = is_single and is_of_another_column(text, row.line.text, self._language, row.page.language)
        return Fault.ROW if is_other else None

    def _mended(self, text: str, proof: Proof) -> Iterator[tuple[CitedLine, ...]]:
        """Lines to try in place of a statement's own: one that is its words, else one more that they tell.

        That one stands under a heading of those cited, and is no row: another row's number proves nothing.
        """
        cited = proof.cited
        yield from ((one,) for one in self._lines.values() if _is_verbatim(text, [one]))
        if proof.fault not in (Fault.NO_LINE, Fault.NUMBERS):
            return
        sections = set(map(_section_of, cited))
        shown = [
            one
            for one in self._lines.values()
            if one not in cited and not (cited and (one.line.is_row or _section_of(one) not in sections))
        ]
        shares = shared_words(text, [one.line.text for one in shown], [one.page.language for one in shown])
        likely = sorted(zip(shares, shown, strict=True), key=lambda pair: -pair[0])
        yield from ((*cited, one) for share, one in likely if share >= LIKELY_SHARE)


@dataclass(eq=False)
class Verification:
    """The proofs of a draft, taken statement by statement, also while it is being written.

    `tell` hears of each proof that is seen being written, and whether it is the verdict's.
    """

    verifier: Verifier
    tell: Callable[[Proof, bool], None] = lambda proof, is_verdict: None
    taken: list[DraftStatement] = field(default_factory=list)
    proofs: list[Proof] = field(default_factory=list)

    @property
    def has_told(self) -> bool:
        """Whether a reader knows of a claim."""
        return any(proof.is_claim for proof in self.proofs)

    def see(self, text: str) -> None:
        """Take the statements that became whole since the last time."""
        if len(self.taken) < MAX_STATEMENTS:
            for drafted in whole_statements(text)[len(self.taken) :]:
                is_verdict = not self.taken
                if proof := self.take(drafted):
                    self.tell(proof, is_verdict)

    def take(self, drafted: DraftStatement) -> Proof | None:
        """Prove the next statement; None where the same was said already."""
        self.taken.append(drafted)
        # Over other lines what failed may be proven yet.
        told = {canonical(proof.text).characters for proof in self.proofs if proof.fault is None}
        if drafted in self.taken[:-1] or canonical(drafted.text).characters in told:
            return None
        is_too_many = len(self.taken) > MAX_STATEMENTS
        proof = (
            Proof(drafted.text[:LONGEST_STATEMENT], fault=Fault.UNSHOWABLE)
            if is_too_many
            else self.verifier.prove(drafted, is_verdict=len(self.taken) == 1)
        )
        self.proofs.append(proof)
        return proof

    def take_rest(self, draft: Draft) -> bool:
        """Take what of a whole draft was not taken yet; False, and nothing, where it contradicts what was."""
        if draft.statements[: len(self.taken)] != self.taken:
            return False
        for drafted in draft.statements[len(self.taken) : MAX_STATEMENTS + 1]:
            self.take(drafted)
        return True


def without_controls(text: str) -> str:
    """A text of a model without characters that steer a terminal."""
    return "".join(character for character in text if character.isprintable() or character == "\n")


def names_a_thing(missing: str, case: Sequence[str], language: str) -> bool:
    """Whether what a model says is missing names a thing: a few words, no sentence, no number of its own.

    `language` is the asker's; a model may answer in another one.
    """
    own = asking_language(missing, frozenset(LANGUAGES))
    said = words(in_digits(missing, own))
    if not 0 < len(said) <= LONGEST_MISSING or not _SENTENCE_WORDS[own].isdisjoint(said):
        return False
    if re.search(r"[.;:!?]\s*\S", missing) or PAGE_REFERENCE.search(missing) or ADDRESS.search(missing):
        return False
    asked = Numbers((one, language) for one in case)
    return all(asked.hold(one) or one.is_small_word for one in numbers_in(missing, own))


def repeats_itself(text: str) -> bool:
    """Whether the same words follow one another again and again, as a model writes that finds no end."""
    written = words(text)
    return any(
        written[start : start + size * times] == written[start : start + size] * times
        for size in range(1, LONGEST_REPEATED + 1)
        for times in [max(3, FEWEST_REPEATED // size)]
        for start in range(len(written) - size * times + 1)
    )


def _rounded_as(one: Calculation, named: str) -> Iterator[Number]:
    """The value of a calculation rounded as a text names it; both ways where it names none of them."""
    if named and one.value.keys() <= {""}:
        down, up = rounded(one.value.get("", Fraction(0)))
        is_down, is_up = bool(_DOWN.search(named)), bool(_UP.search(named))
        yield from (
            Number("", frozenset({end})) for end, is_other in ((down, is_up), (up, is_down)) if not is_other
        )


def _rounds_otherwise(one: Calculation, named: str) -> bool:
    """Whether a calculation rounds where nobody says so, or the other way."""
    is_other = ("ceil" in one.expression and _DOWN.search(named)) or (
        "floor" in one.expression and _UP.search(named)
    )
    return bool(is_other) or (not named and _ROUNDS.search(one.expression) is not None)


def _is_told(results: Iterable[Number], said: Sequence[Number]) -> bool:
    """Whether a text says one of the numbers that a calculation gives."""
    return any(_is_among(number, said) for number in results)


def _is_among(number: Number, others: Sequence[Number]) -> bool:
    return any(number.is_equal(other) for other in others)


def _section_of(one: CitedLine) -> tuple[PageId, int]:
    """The section in which a line stands: its page and where its heading begins there."""
    starts = [start for start, _ in one.page.sections if start <= one.line.span.start]
    return one.page.id, max(starts, default=-1)


def _is_verbatim(text: str, cited: Sequence[CitedLine]) -> bool:
    """Whether a statement has the words of a line, or of all lines, and no others; case and marks aside."""
    lines = [one.line for one in cited]
    printed = " ".join(line.printed for line in lines)
    own = _bare_words(text)
    return bool(own) and any(
        own == _bare_words(said)
        for said in (printed, *(said for line in lines for said in (line.text, line.printed)))
    )


def _bare_words(text: str) -> list[str]:
    """The words of a text without case and without the marks around them; signs and symbols are kept."""
    return [bare for word in plain_text(text).casefold().split() if (bare := word.strip(_MARKS))]


def _texts_with_numbers(cited: Sequence[CitedLine]) -> list[tuple[str, str]]:
    """What may hold the numbers of a statement: its lines, their headings, the title of their book."""
    return [
        (said, one.page.language)
        for one in cited
        for said in (
            one.line.text,
            one.line.printed,
            one.page.book,
            *(HEADING_NUMBER.sub("", heading) for heading in (one.line.heading, *one.page.headings)),
        )
    ]


def _without_other_rows(text: str, cited: Sequence[CitedLine], language: str) -> list[CitedLine]:
    """The lines without the rows beside one that the statement names in words, unless it names them as well.

    In another `language` than a table's it may name them by other words.
    """
    rows = [one for one in cited if one.line.is_row and one.page.language == language]
    named = [one for one in rows if names_row(text, one.line.text, language)]
    others = {line for one in named for line in _rows_around(one)}
    return [one for one in cited if one not in rows or one in named or one.line.text not in others]


def _rows_around(cited: CitedLine) -> list[str]:
    """The other rows of a row's table."""
    lines = lines_of(cited.page)
    at = cited.line.number - 1
    above = takewhile(attrgetter("is_row"), reversed(lines[:at]))
    below = takewhile(attrgetter("is_row"), lines[at + 1 :])
    return [line.text for line in (*above, *below)]
