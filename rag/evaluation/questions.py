"""The question file: one question a line as JSON, with the pages that answer it."""

from pathlib import Path
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field, PositiveInt

from rag.evaluation.json_lines import read_json_lines
from rag.state import Exchange

Language = Literal["en", "pt"]
"""Which wording of a question is asked: `question` or `question_pt`."""

TYPES = ("single", "table", "xref", "multi", "followup", "unanswerable")
"""The kinds of questions, by which scores are told apart."""

PageId = tuple[str, int]
"""A page by its file under `LIBRARY_DIR` and its 1-based position there."""


class GoldPage(BaseModel):
    """A page that answers a question: where it is, what is printed on it as its number, the proof."""

    model_config = ConfigDict(frozen=True, coerce_numbers_to_str=True)

    file: str
    page: str | None
    pdf_page: PositiveInt
    quote: str = ""

    @property
    def id(self) -> PageId:
        """The page without regard to its printed number."""
        return self.file, self.pdf_page


class GoldQuestion(BaseModel):
    """A question with every page its answer needs; none where the books do not answer it.

    `also_ok` are further pages that answer it as well, `history` what was said before it.
    """

    model_config = ConfigDict(frozen=True, coerce_numbers_to_str=True)

    id: str
    type: str
    question: str = Field(min_length=1)
    question_pt: str | None = None
    history: list[Exchange] = Field(default_factory=list)
    gold: list[GoldPage]
    also_ok: list[GoldPage] = Field(default_factory=list)
    answer: str = ""

    @property
    def needed(self) -> set[PageId]:
        """The pages that must all be found."""
        return {page.id for page in self.gold}

    @property
    def accepted(self) -> set[PageId]:
        """The pages of which each is a hit."""
        return self.needed | {page.id for page in self.also_ok}

    def wording(self, language: Language) -> str | None:
        """The question in a language, None where the file does not have it."""
        return self.question if language == "en" else self.question_pt


def read_questions(path: Path) -> list[GoldQuestion]:
    """The questions of a file, in order. Raises `QuestionFileError` with the line and what is wrong there."""
    return read_json_lines(path, GoldQuestion)
