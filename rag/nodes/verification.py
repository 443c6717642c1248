"""From a drafted statement to what is proven of it by the lines it names, also while it is being written.

A draft names numbered lines; code prints the book's own words (as Anthropic's Citations and LongCite do).
That a line exists proves nothing about the sentence above it. So code checks each number of a statement
against its lines, and suspects words that they do not say. The model looks again at what code suspects; what
stays suspected is shown as its lines.
"""

import logging
import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import cached_property
from itertools import takewhile
from operator import attrgetter
from typing import Annotated, Any

from pydantic import BaseModel, BeforeValidator, Field, ValidationError, model_validator

from rag.library.language.grammar_words import one_of
from rag.library.language.language import AMOUNTS, UNKNOWN
from rag.library.language.likeness import shared_words
from rag.library.language.words import words
from rag.models.structured_output import whole_items, without_thoughts
from rag.nodes.citations import CitedLine, canonical
from rag.nodes.numbers.proven_numbers import PAGE_REFERENCE, NumberProof, prove_numbers
from rag.nodes.rows import Telling, is_named, telling
from rag.nodes.support import Reason, is_disproof, speak_of_what_is_asked, suspicions
from rag.strategies.lines import HEADING_NUMBER, lines_of

log = logging.getLogger(__name__)

MAX_STATEMENTS = 8
MAX_EVIDENCE = 8
LONGEST_STATEMENT = 1_000
"""Characters; what is longer says more than one thing. So is a remark on what is missing."""
SURELY = 0.5
"""Share of a statement's words, rare ones more, that a line must hold to be taken for the one it means."""
NEARLY_SURELY = 0.8
"""The same share, where a line that was not named is believed without another look."""
FEWEST_REPEATED, LONGEST_REPEATED = 6, 12
"""Words of a text that repeats itself, and of what it repeats."""
ADDRESS = re.compile(
    r"(?:https?://|www\.)[^\s)\]]+|\b[\w-]+(?:\.[\w-]+)*\.(?:com|org|net|io)\b(?:/[^\s)\]]*)?", re.IGNORECASE
)
"""A place in the internet."""
LINES_TRIED = 5
MOST_PARTS, MOST_TRIED = 8, 20
"""Parts of a statement that may mean lines of their own, and lines tried for each."""
NO_LINES: dict[str, Any] = {"evidence": []}
"""What a statement names that names nothing."""
_BETWEEN_PARTS = re.compile(rf"[.;:](?=\s|$)|,(?!\d)|[()]|\b{one_of(AMOUNTS.joints)}\b", re.IGNORECASE)
_NUMBER = re.compile(r"\d+")
_DIE = re.compile(r"1?d\d+")
"""A die says how to roll: "19 or more on 1d20"."""
_WORD_OF_PART = re.compile(r"[^\W\d_]{3,}")
NOTHING = ("", "null", "none", "n/a", "-")
"""What models write as a text in place of null."""
STATEMENTS_BEGIN = re.compile(r'"statements"\s*:\s*\[')
LINE_ID = re.compile(r"(?P<page>\d+)\.(?P<first>\d+)(?:\s*[-–]\s*(?:(?P=page)\.)?(?P<last>\d+))?")
MARKED_ID = re.compile(r"\s*\[(?P<id>\d+\.\d+)\]")
MOST_OF_A_RANGE = 12
MOST_LINES = 3 * MAX_EVIDENCE
"""Lines that a statement may rest on: of a reply that names all that were shown, the first are enough."""

LinesById = Mapping[str, CitedLine]
"""The lines of a prompt by the ids they were shown under."""


def _ids(evidence: Any) -> Any:
    """The ids as texts, however a model wrote them: "3.2", 3.2, {"id": "3.2"}, one of these alone."""
    written = evidence if isinstance(evidence, list) else [evidence]
    return [str(one.get("id", "") if isinstance(one, dict) else one) for one in written]


def _one_text(text: Any) -> Any:
    return " ".join(text) if isinstance(text, list) and all(isinstance(one, str) for one in text) else text


class DraftStatement(BaseModel):
    """One sentence of a draft with the ids of the lines it rests on; the lines come first."""

    evidence: Annotated[list[str], BeforeValidator(_ids)] = Field(
        json_schema_extra={"maxItems": MAX_EVIDENCE}
    )
    text: Annotated[str, BeforeValidator(_one_text)]


def _legible(statements: Any) -> Any:
    """The statements that can be read, if any; a bad one among them costs itself alone."""
    written = statements
    if isinstance(written, dict):
        written = [written] if "text" in written else list(written.values())
    if not isinstance(written, list):
        return written
    return [one for one in map(statement_of, written) if one] or written


def statement_of(written: Any) -> DraftStatement | None:
    """A drafted statement as a model wrote it, also without lines; None where it cannot be read.

    It may stand alone in a list or an object of its own: {"statement": {"text": …}}.
    """
    match written:
        case [one]:
            return statement_of(one)
        case dict() if len(written) == 1 and "text" not in written:
            return statement_of(next(iter(written.values())))
        case dict():
            written = NO_LINES | written
    try:
        return DraftStatement.model_validate(written)
    except ValidationError:
        return None


def _text_or_none(missing: Any) -> str | None:
    is_text = isinstance(missing, str) and missing.strip(" .").lower() not in NOTHING
    return missing if is_text else None


class Draft(BaseModel):
    """The model's reply, nothing of it proven yet."""

    statements: Annotated[list[DraftStatement], BeforeValidator(_legible)] = Field(
        json_schema_extra={"maxItems": MAX_STATEMENTS}
    )
    missing: Annotated[str | None, BeforeValidator(_text_or_none)] = None

    @model_validator(mode="before")
    @classmethod
    def _of_statements_alone(cls, written: Any) -> Any:
        """A list of statements without an object around it; brackets in a text before a draft are none."""
        is_list = isinstance(written, list) and written and all(isinstance(one, dict) for one in written)
        return {"statements": written} if is_list else written


class Fault(StrEnum):
    """Why a statement is not shown as a claim; the values are told to programs."""

    NO_LINE = "no-line"
    NUMBERS = "numbers"
    PAGE_NUMBER = "page-number"
    UNSUPPORTED = "unsupported"
    UNSHOWABLE = "unshowable"
    """Empty, too long, one too many, the same again and again, or with an address of its own."""


@dataclass(frozen=True, slots=True)
class Proof:
    """What became of a drafted statement: the lines it rests on, and why it may not be claimed.

    `is_suspected`: code doubts that the lines say it; another look may clear it.
    `is_disproven`: the lines contradict it or speak of something else; no look clears it. `is_verbatim`: its
    words are a line's own. Then it needs no other look if `is_asked`: its lines speak of the question.
    """

    text: str
    cited: tuple[CitedLine, ...] = ()
    fault: Fault | None = None
    is_suspected: bool = False
    is_disproven: bool = False
    is_calculated: bool = False
    is_verbatim: bool = False
    is_asked: bool = True

    @property
    def is_claim(self) -> bool:
        """Whether it may be shown as a claim."""
        return self.fault is None and not self.is_suspected

    @property
    def is_open(self) -> bool:
        """Whether another look at the statement beside its lines would tell something."""
        return self.fault is None and not (self.is_verbatim and self.is_asked)


class Verifier:
    """Proves statements by the lines that were shown. Pure."""

    def __init__(
        self,
        lines: LinesById,
        question: str,
        case: Sequence[str],
        languages: Sequence[str] = ("en",),
    ) -> None:
        """`question` is the standalone one; `case` are the asker's own words, now and earlier.

        `languages` are the asker's first, then the books'.
        """
        self._lines = lines
        self._question = question
        self._case = case
        self._languages = languages

    def prove(self, drafted: DraftStatement, *, is_verdict: bool = True) -> Proof:
        """Hold a statement against its lines; those of a verdict must speak of what is asked."""
        text = self._without_ids(without_controls(drafted.text)).strip()
        is_long = len(text) > LONGEST_STATEMENT or len(drafted.evidence) > 4 * MAX_EVIDENCE
        if is_long or not text or repeats_itself(text) or self._has_other_address(text):
            return Proof(text[:LONGEST_STATEMENT], fault=Fault.UNSHOWABLE)
        proof = self._proof(text, self.named(drafted.evidence))
        return (
            replace(proof, is_asked=self._is_asked(proof.cited)) if is_verdict and proof.is_claim else proof
        )

    def named(self, evidence: Sequence[str]) -> tuple[CitedLine, ...]:
        """The lines that ids name, in order, the first `MOST_LINES` of them; unknown ones are passed over."""
        named: dict[CitedLine, None] = {}
        for one in (one for written in evidence for one in _line_ids(written)):
            if len(named) == MOST_LINES:
                break
            if one in self._lines:
                named[self._lines[one]] = None
        return tuple(named)

    def _has_other_address(self, text: str) -> bool:
        """Whether a statement names an address that no line prints: models invent them."""
        addresses = [match[0].rstrip(".") for match in ADDRESS.finditer(text)]
        return bool(addresses) and any(
            not any(address in one.line.text for one in self._lines.values()) for address in addresses
        )

    def _without_ids(self, text: str) -> str:
        """A statement without the ids of lines that a model wrote into it in brackets."""
        return MARKED_ID.sub(lambda mark: "" if mark["id"] in self._lines else mark[0], text)

    def _proof(self, text: str, cited: tuple[CitedLine, ...]) -> Proof:
        """The proof of a statement by the lines it names, else by the line that holds most of its words."""
        proof = self._held_against(text, cited)
        if proof.is_claim:
            return proof
        if own := self._by_letters.get(_letters(text)):
            again = self._held_against(text, (own,))
            if again.is_verbatim:
                return again
        is_elsewhere = not cited or Reason.UNRELATED in self._suspicions(text, cited)
        if not (proof.fault or is_elsewhere):
            return proof
        # Where the lines named are about something else, they are no proof beside the line that is meant.
        beside = cited if proof.fault else ()
        meant = self._lines_meant(text, must_be_named=bool(cited))
        tried = [(share, self._held_against(text, (*beside, one))) for share, one in meant]
        if proof.fault is Fault.NUMBERS and all(again.fault for _, again in tried):
            tried.append(
                (SURELY, self._held_against(text, (*cited, *self._joined(text, cited, is_elsewhere))))
            )
        for is_good in (attrgetter("is_claim"), self._is_to_be_asked):
            for share, again in filter(lambda one: is_good(one[1]), tried):
                is_sure = again.is_verbatim or (share >= NEARLY_SURELY and is_elsewhere)
                return again if is_sure else replace(again, is_suspected=True)
        return tried[0][1] if proof.fault and tried else proof

    @cached_property
    def _by_letters(self) -> dict[str, CitedLine]:
        """The lines by their letters and digits alone."""
        return {
            _letters(words): one
            for one in reversed(list(self._lines.values()))
            for words in (one.line.text, one.line.printed)
        }

    def _is_to_be_asked(self, proof: Proof) -> bool:
        """Whether its lines speak of the same, and do not refuse it."""
        if proof.fault or proof.is_disproven:
            return False
        return Reason.UNRELATED not in self._suspicions(proof.text, proof.cited)

    def _held_against(self, text: str, cited: tuple[CitedLine, ...]) -> Proof:
        """The proof of a statement by exactly these lines."""
        if not cited:
            return Proof(text, fault=Fault.NO_LINE)
        if fault := self._number_fault(text, cited, with_beside=True)[0]:
            return Proof(text, cited, fault)
        beside = self._needed_beside(text, cited)
        cited = (*cited, *beside)
        numbers = self._number_fault(text, cited)[1]
        proof = Proof(text, cited, is_calculated=numbers.is_calculated)
        if _is_verbatim(text, cited):
            return replace(proof, is_verbatim=True)
        reasons = self._suspicions(text, cited)
        # Who writes a calculation may well put its result in the place of a line's number.
        is_explained = numbers.is_calculated and not numbers.is_inferred
        against = [one for one in reasons if not (is_explained and one is Reason.NUMBER)]
        further = {
            "number in a line beside": bool(beside),
            "inferred number": numbers.is_inferred,
            "counted otherwise": numbers.is_disputed,
            "heading": all(one.is_heading for one in cited),
        }
        doubts = [*reasons, *(doubt for doubt, is_so in further.items() if is_so)]
        if doubts:
            log.info("a statement is suspected: %s", ", ".join(doubts))
        return replace(proof, is_suspected=bool(doubts), is_disproven=is_disproof(against))

    def _suspicions(self, text: str, cited: Sequence[CitedLine]) -> list[Reason]:
        lines, languages = [one.line.text for one in cited], self._languages_over(cited)
        reasons = suspicions(text, lines, self._question, languages, _headings_over(cited))
        rows = [one for one in cited if not one.is_heading]
        if not (len(rows) == 1 and rows[0].line.is_row):
            return reasons
        match telling(text, rows[0].line.text, _rows_around(rows[0]), languages):
            case Telling.SAYS:
                return [reason for reason in reasons if reason not in (Reason.ORDER, Reason.JOINED)]
            case Telling.DENIES:
                return [*reasons, Reason.ROW]
        return reasons

    def _is_asked(self, cited: Sequence[CitedLine]) -> bool:
        lines = [one.line.text for one in cited]
        languages = self._languages_over(cited)
        return speak_of_what_is_asked(lines, self._question, languages, _headings_over(cited))

    def _languages_over(self, cited: Sequence[CitedLine]) -> Sequence[str]:
        """The asker's and the books' languages, last that of the lines' own book: few words tell none."""
        own = {one.page.language for one in cited} - {UNKNOWN}
        return (*self._languages, *sorted(own))

    def _needed_beside(self, text: str, cited: Sequence[CitedLine]) -> Sequence[CitedLine]:
        """The lines beside that hold the numbers which a statement's own lack: they are cited as well."""
        fault, numbers = self._number_fault(text, cited)
        if not (fault or numbers.is_inferred):
            return ()
        beside = list(dict.fromkeys(near for one in cited for near in _beside(one) if near not in cited))
        printing = [one for one in beside if self._is_printed(text, (*cited, one))]
        return printing[:1] or (beside if fault else ())

    def _number_fault(
        self, text: str, cited: Sequence[CitedLine], *, with_beside: bool = False
    ) -> tuple[Fault | None, NumberProof]:
        """What is wrong with the numbers of a statement, if anything, and how they are proven."""
        evidence = [piece for one in cited for piece in _speaking(one)]
        if with_beside:
            evidence += [near.line.text for one in cited for near in _beside(one)]
        proof = prove_numbers(text, evidence, self._case)
        known = " ".join(evidence).casefold()
        if any(match[0].casefold() not in known for match in PAGE_REFERENCE.finditer(text)):
            return Fault.PAGE_NUMBER, proof
        return (Fault.NUMBERS if proof.unproven else None), proof

    def _lines_meant(self, text: str, *, must_be_named: bool) -> list[tuple[float, CitedLine]]:
        """The lines among all shown that a statement may mean, by its rare words and numbers, best first.

        Rows count where they are named, if they `must_be_named`.
        """
        texts = [one.line.text for one in self._lines.values()]
        return [
            (share, one)
            for share, one in self._likest(text, texts)[:LINES_TRIED]
            if not (must_be_named and self._is_unnamed(text, one)) and not self._number_fault(text, [one])[0]
        ]

    def _likest(self, text: str, texts: Sequence[str]) -> list[tuple[float, CitedLine]]:
        """The lines among all shown, by what they read, that surely speak of what a text does, best first."""
        shown = list(self._lines.values())
        shares = shared_words(text, texts, [one.page.language for one in shown])
        ranked = sorted(zip(shares, shown, strict=True), key=lambda pair: -pair[0])
        return [(share, one) for share, one in ranked if share >= SURELY]

    def _joined(self, text: str, cited: Sequence[CitedLine], is_elsewhere: bool) -> list[CitedLine]:
        """The lines that parts of a statement mean and that its own lack, none where numbers stay unproven.

        "A crew of 20, and of 6 in a lugger" rests on two rows, "19 or more on 1d20" on a row and a sentence
        beside its table. Where they speak of something else (`is_elsewhere`), what stands around them says
        nothing.
        """
        joined: list[CitedLine] = []
        unproven = self._unproven(text, cited)
        around = [] if is_elsewhere else [self._around(cited, unproven)]
        for candidates in (*self._meant_by_parts(text, cited), *around):
            for one in candidates:
                if not unproven or one.is_heading or self._is_unnamed(text, one):
                    continue
                left = self._unproven(text, (*cited, *joined, one))
                if left < unproven:
                    joined.append(one)
                    unproven = left
                    break
        return [] if unproven else joined

    def _meant_by_parts(self, text: str, cited: Sequence[CitedLine]) -> Iterator[list[CitedLine]]:
        """For each part of a statement the lines that it may mean, best first."""
        texts = [f"{one.line.heading}\n{one.line.text}" for one in self._lines.values()]
        for part in _parts(text)[:MOST_PARTS]:
            likest = self._likest(_NUMBER.sub(" ", part), texts)[:MOST_TRIED]
            yield [one for _, one in likest if self._is_near(one, cited, text)]

    def _around(self, cited: Sequence[CitedLine], unproven: Collection[str]) -> list[CitedLine]:
        """The lines under the headings of those cited; for dice all of their books."""
        files = {one.page.id.file for one in cited}
        sections = {(one.page.id, one.line.heading) for one in cited}
        is_die = all(map(_DIE.fullmatch, unproven))
        return [
            one
            for one in self._lines.values()
            if (one.page.id, one.line.heading) in sections or (is_die and one.page.id.file in files)
        ]

    def _is_near(self, one: CitedLine, cited: Sequence[CitedLine], text: str) -> bool:
        """Whether a line stands on a page that is cited, or under a heading that is named."""
        if one.page.id in {other.page.id for other in cited}:
            return True
        return shared_words(one.line.heading, [text], [self._languages[0]])[0] == 1

    def _is_unnamed(self, text: str, one: CitedLine) -> bool:
        """Whether a line is a row that is not named: its number is no proof of another one's."""
        if not one.line.is_row:
            return False
        return not is_named(text, one.line.text, _rows_around(one), self._languages_over([one]))

    def _is_printed(self, text: str, cited: Sequence[CitedLine]) -> bool:
        """Whether lines prove the numbers of a statement as they stand."""
        fault, numbers = self._number_fault(text, cited)
        return not (fault or numbers.is_inferred)

    def _unproven(self, text: str, cited: Sequence[CitedLine]) -> frozenset[str]:
        return self._number_fault(text, cited, with_beside=True)[1].unproven


class Verification:
    """The proofs of a draft, taken statement by statement."""

    def __init__(self, verifier: Verifier) -> None:
        self._verifier = verifier
        self.taken: list[DraftStatement] = []
        self.proofs: list[Proof] = []

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
            else self._verifier.prove(drafted, is_verdict=len(self.taken) == 1)
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


class StatementWatcher:
    """Proves the statements of a draft as they become whole, and tells each proof."""

    def __init__(
        self,
        verification: Verification,
        tell: Callable[[Proof, bool], None],
        is_told: Callable[[Proof], bool] = attrgetter("is_claim"),
    ) -> None:
        """`tell` hears each proof, and whether it is the verdict's; `is_told` where that told a claim."""
        self._verification = verification
        self._tell = tell
        self._is_told = is_told

    @property
    def has_told(self) -> bool:
        """Whether a reader knows of a claim."""
        return any(map(self._is_told, self._verification.proofs))

    def see(self, text: str) -> None:
        """Take the statements that became whole since the last time."""
        if len(self._verification.taken) >= MAX_STATEMENTS:
            return
        for drafted in whole_statements(text)[len(self._verification.taken) :]:
            is_verdict = not self._verification.taken
            if proof := self._verification.take(drafted):
                self._tell(proof, is_verdict)


def whole_statements(text: str) -> list[DraftStatement]:
    """The statements of a draft that is being written, up to the last whole one that counts; pure."""
    text = without_thoughts(text)
    begin = STATEMENTS_BEGIN.search(text)
    items = whole_items(text, begin.end(), MAX_STATEMENTS) if begin else []
    return [one for one in map(statement_of, items) if one]


def without_controls(text: str) -> str:
    """A text of a model without characters that steer a terminal."""
    return "".join(character for character in text if character.isprintable() or character == "\n")


def is_remark(missing: str, case: Sequence[str]) -> bool:
    """Whether what the model says of the gap may be shown: short, no number, page or address of its own."""
    if len(missing) > LONGEST_STATEMENT or repeats_itself(missing):
        return False
    if PAGE_REFERENCE.search(missing) or ADDRESS.search(missing):
        return False
    return not _numbers_beyond(missing, case)


def repeats_itself(text: str) -> bool:
    """Whether the same words follow one another again and again, as a model writes that finds no end."""
    written = words(text)
    return any(
        written[start : start + size * times] == written[start : start + size] * times
        for size in range(1, LONGEST_REPEATED + 1)
        for times in [max(3, FEWEST_REPEATED // size)]
        for start in range(len(written) - size * times + 1)
    )


def _numbers_beyond(text: str, case: Sequence[str]) -> bool:
    return bool(prove_numbers(text, case).unproven)


def _line_ids(written: str) -> Iterator[str]:
    """The ids that a model wrote: "3.2", "[3.2]", "3.2-3.4"."""
    for match in LINE_ID.finditer(written):
        first = int(match["first"])
        last = min(int(match["last"] or first), first + MOST_OF_A_RANGE)
        yield from (f"{match['page']}.{number}" for number in range(first, max(first, last) + 1))


def _is_verbatim(text: str, cited: Sequence[CitedLine]) -> bool:
    """Whether a statement has the words of a line, or of all lines, and no others; case and marks aside."""
    lines = [one.line for one in cited]
    printed = " ".join(line.printed for line in lines)
    own = canonical(text).characters
    return bool(own) and any(
        own == canonical(words).characters
        for words in (printed, *(words for line in lines for words in (line.text, line.printed)))
    )


def _parts(text: str) -> list[str]:
    """A statement in parts between its marks and joints; one without words belongs to the one before."""
    parts: list[str] = []
    for part in _BETWEEN_PARTS.split(text):
        if parts and not _WORD_OF_PART.search(part):
            parts[-1] += f" {part}"
        else:
            parts.append(part)
    return parts


def _letters(text: str) -> str:
    return "".join(filter(str.isalnum, text.casefold()))


def _headings_over(cited: Sequence[CitedLine]) -> list[str]:
    return [heading for one in cited for heading in (*one.page.headings[-2:], one.line.heading)]


def _speaking(cited: CitedLine) -> list[str]:
    """What may hold the numbers of a statement: its line, and the headings over it."""
    headings = (cited.line.heading, *cited.page.headings)
    return [cited.line.text, cited.line.printed, *(HEADING_NUMBER.sub("", heading) for heading in headings)]


def _rows_around(cited: CitedLine) -> list[str]:
    """The other rows of a row's table."""
    lines = lines_of(cited.page)
    at = cited.line.number - 1
    above = takewhile(attrgetter("is_row"), reversed(lines[:at]))
    below = takewhile(attrgetter("is_row"), lines[at + 1 :])
    return [line.text for line in (*above, *below)]


def _beside(cited: CitedLine) -> list[CitedLine]:
    """The sentences next to a line; another row of a table, or the next heading, speaks of something else."""
    lines = lines_of(cited.page)
    number = cited.line.number
    near = [lines[place - 1] for place in (number - 1, number + 1) if 1 <= place <= len(lines)]
    return [CitedLine(cited.page, line) for line in near if not (line.is_row or line.is_heading)]
