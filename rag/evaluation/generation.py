"""`python -m rag prompts test generate`: that prompt alone, on cases that tell what a draft must do.

Code scores it: by the lines that the statements name, their proof, and words that they must say.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from langchain_core.language_models import BaseChatModel
from pydantic import Field

from rag.errors import ModelError
from rag.evaluation.prompt_cases import PromptCase
from rag.evaluation.questions import read_json_lines
from rag.library.language.identify import told_language
from rag.library.language.words import fold
from rag.nodes.generate import AnswerRequest, cited_lines, drafted
from rag.nodes.verification import Proof, Verifier
from rag.prompts import PROMPT_FILES, Prompts

OR = "|"
"""Between words of which a draft must say one."""


class DraftCase(PromptCase):
    """A question, the pages found for it, and what a draft over them must do.

    `verdict`: whether the lines settle the question. `cites` are words of lines that the statements must
    name, `says` what the statements must say ("no|cannot": one of them). `calculation`: a number that no line
    has must be worked out in writing. `missing`: whether the draft must tell what the pages lack; not
    compared where left out. `languages` are the asker's first, then the books'.
    """

    verdict: bool
    cites: list[str] = Field(default_factory=list)
    says: list[str] = Field(default_factory=list)
    calculation: bool = False
    missing: bool | None = None
    languages: list[str] = Field(default=["en"], min_length=1)


@dataclass(frozen=True, slots=True)
class DraftedStatement:
    """A statement as the model drafted it: the lines that it names, and what code proves of it."""

    lines: tuple[str, ...]
    proof: Proof

    @property
    def reason(self) -> str | None:
        """Why it can be no claim, whatever a second look says of it."""
        if not self.lines:
            return "no-line"
        if self.proof.fault:
            return self.proof.fault.value
        return "disproven" if self.proof.is_disproven else None


@dataclass(frozen=True, slots=True)
class DraftResult:
    """What became of a case's draft; `statements` is None where the model gave no usable reply."""

    case: DraftCase
    statements: Sequence[DraftedStatement] | None
    missing: str | None = None

    @property
    def has_verdict(self) -> bool | None:
        """Whether the draft settles the question by a statement that may be claimed."""
        if self.statements is None:
            return None
        return bool(self.statements) and self.statements[0].reason is None

    @property
    def is_as_expected(self) -> bool:
        """Whether the draft does all that the case asks for."""
        return self.has_verdict is self.case.verdict and not list(self.faults())

    def faults(self) -> Iterator[tuple[str, str]]:
        """What the draft does not do: the key of its sentence in `rag/texts`, and in which words."""
        statements = self.statements
        if statements is None:
            return
        yield from (("case-unproven", one.proof.text) for one in statements if one.reason)
        named = [line for one in statements for line in one.lines]
        yield from (
            ("case-not-cited", words) for words in self.case.cites if not any(words in line for line in named)
        )
        said = fold(" ".join(one.proof.text for one in statements))
        yield from (
            ("case-not-said", words)
            for words in self.case.says
            if not any(_stands_in(one, said) for one in words.split(OR))
        )
        if self.case.calculation and not any(one.proof.is_calculated for one in statements):
            yield "case-not-calculated", ""
        asked_in, *_ = languages = self.case.languages
        yield from (
            ("case-other-language", one.proof.text)
            for one in statements
            if told_language(one.proof.text, languages) not in (None, asked_in)
        )
        if self.case.missing is not None and bool(self.missing) != self.case.missing:
            yield ("case-missing-untold" if self.case.missing else "case-missing-told"), self.missing or ""

    def to_json(self) -> dict[str, Any]:
        """The result for programs."""
        return {
            "id": self.case.id,
            "expected": self.case.verdict,
            "verdict": self.has_verdict,
            "statements": [
                {"text": one.proof.text, "lines": list(one.lines), "reason": one.reason}
                for one in self.statements or []
            ],
            "missing": self.missing,
            "faults": [{"fault": key.removeprefix("case-"), "words": words} for key, words in self.faults()],
            "as_expected": self.is_as_expected,
        }


def _stands_in(words: str, folded: str) -> bool:
    return bool(re.search(rf"(?<!\w){re.escape(fold(words.strip()))}(?!\w)", folded))


def read_cases(path: Path) -> list[DraftCase]:
    """The cases of a file, in order. Raises `QuestionFileError` with the line and what is wrong there."""
    return read_json_lines(path, DraftCase)


async def run_cases(
    model: BaseChatModel, cases: Sequence[DraftCase], prompts: Prompts = PROMPT_FILES
) -> list[DraftResult]:
    """Each case's draft and its proof, one call of the model a case, one after the other."""
    return [await _result(model, case, prompts) for case in cases]


async def _result(model: BaseChatModel, case: DraftCase, prompts: Prompts) -> DraftResult:
    asked = AnswerRequest(question=case.question, asked=case.question, languages=case.languages)
    shown = case.shown()
    try:
        draft = await drafted(model, asked, shown, prompts)
    except ModelError:
        return DraftResult(case, None)
    verifier = Verifier(cited_lines(shown), asked.question, asked.case, asked.languages)
    statements = [
        DraftedStatement(
            tuple(one.line.text for one in verifier.named(statement.evidence)), verifier.prove(statement)
        )
        for statement in draft.statements
    ]
    return DraftResult(case, statements, draft.missing)
