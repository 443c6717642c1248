"""What a model drafts: statements, each with the ids of its lines; read however a model wrote them. Pure."""

import re
from collections.abc import Iterator
from typing import Annotated, Any

from pydantic import BaseModel, BeforeValidator, Field, ValidationError, model_validator

from rag.models.structured_output import whole_items, without_thoughts

MAX_STATEMENTS = 8
MAX_EVIDENCE = 8
NO_LINES: dict[str, Any] = {"evidence": []}
"""The evidence of a statement that has none."""
NOTHING = ("", "null", "none", "n/a", "-")
"""What models write as a text in place of null."""
STATEMENTS_BEGIN = re.compile(r'"statements"\s*:\s*\[')
LINE_ID = re.compile(r"(?P<page>\d+)\.(?P<first>\d+)(?:\s*[-–]\s*(?:(?P=page)\.)?(?P<last>\d+))?")
MOST_OF_A_RANGE = 12


def _ids(evidence: Any) -> Any:
    """The ids as texts, however a model wrote them: "3.2", 3.2, {"id": "3.2"}, one of these alone."""
    written = evidence if isinstance(evidence, list) else [evidence]
    return [str(one.get("id", "") if isinstance(one, dict) else one) for one in written]


def _one_text(text: Any) -> Any:
    return " ".join(text) if isinstance(text, list) and all(isinstance(one, str) for one in text) else text


def _text_or_none(written: Any) -> str | None:
    is_text = isinstance(written, str) and written.strip(" .").lower() not in NOTHING
    return written if is_text else None


class DraftStatement(BaseModel):
    """One sentence of a draft: the ids of the lines it rests on, its calculation, then its text."""

    evidence: Annotated[list[str], BeforeValidator(_ids)] = Field(
        json_schema_extra={"maxItems": MAX_EVIDENCE}
    )
    calculation: Annotated[str | None, BeforeValidator(_text_or_none)] = None
    text: Annotated[str, BeforeValidator(_one_text)]

    @property
    def line_ids(self) -> Iterator[str]:
        """The ids of single lines, of "3.2", "[3.2]", "3.2-3.4"."""
        for written in self.evidence:
            for match in LINE_ID.finditer(written):
                first = int(match["first"])
                last = min(int(match["last"] or first), first + MOST_OF_A_RANGE)
                yield from (f"{match['page']}.{number}" for number in range(first, max(first, last) + 1))


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


class Draft(BaseModel):
    """The model's reply, nothing of it proven yet; `missing` names what no line tells."""

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


def whole_statements(text: str) -> list[DraftStatement]:
    """The statements of a draft that is being written, up to the last whole one that counts."""
    text = without_thoughts(text)
    begin = STATEMENTS_BEGIN.search(text)
    items = whole_items(text, begin.end(), MAX_STATEMENTS) if begin else []
    return [one for one in map(statement_of, items) if one]
