"""The question file: one question a line as JSON, with the pages that answer it."""

from pathlib import Path
from typing import Literal, TypeVar

from pydantic import BaseModel, ConfigDict, Field, PositiveInt, ValidationError, model_validator

from rag.errors import QuestionFileError
from rag.state import Exchange, PageId

QuestionLanguage = Literal["en", "pt"]
"""Which wording of a question is asked: `question` or `question_pt`."""


class LineRecord(BaseModel):
    """What a line of a file holds, or a part of it; numbers may stand for texts."""

    model_config = ConfigDict(frozen=True, coerce_numbers_to_str=True)


class GoldPage(LineRecord):
    """A page that answers a question: where it is, what is printed on it as its number, the proof.

    In a format without pages `section` tells where it is; its position is found by the books themselves.
    """

    file: str
    page: str | None = None
    pdf_page: PositiveInt | None = None
    section: str | None = Field(default=None, min_length=1)
    quote: str = ""

    @model_validator(mode="after")
    def _is_somewhere(self) -> "GoldPage":
        if self.pdf_page is None and self.section is None:
            raise ValueError("pdf_page is missing; where a book has no pages, section")
        return self

    @property
    def id(self) -> PageId:
        """The page without regard to its printed number."""
        return PageId(self.file, self.pdf_page or 0)

    @property
    def place(self) -> str:
        """Where it is, as people would look it up."""
        return self.section or (f"p. {self.page}" if self.page else f"PDF p. {self.pdf_page}")


class GoldQuestion(LineRecord):
    """A question with every page its answer needs; none where the books do not answer it.

    `also_ok` are further pages that answer it as well, `history` what was said before it, `book` the book or
    game that it is asked in, where that is not the whole library.
    """

    id: str
    type: str
    question: str = Field(min_length=1)
    question_pt: str | None = None
    history: list[Exchange] = Field(default_factory=list)
    book: str | None = None
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

    def wording(self, language: QuestionLanguage) -> str | None:
        """The question in a language, None where the file does not have it."""
        return self.question if language == "en" else self.question_pt


def read_questions(path: Path) -> list[GoldQuestion]:
    """The questions of a file, in order. Raises `QuestionFileError` with the line and what is wrong there."""
    return read_json_lines(path, GoldQuestion)


Record = TypeVar("Record", bound=BaseModel)


def read_json_lines(path: Path, kind: type[Record]) -> list[Record]:
    """The objects of a file, in order; empty lines are skipped.

    Raises `QuestionFileError` with the line and what is wrong there, also for a file without any.
    """
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        reason = getattr(error, "strerror", None) or "not a text file in UTF-8"
        raise QuestionFileError(file=str(path), line=0, reason=reason) from error
    read = [_line(line, number, path, kind) for number, line in enumerate(lines, 1) if line.strip()]
    if not read:
        raise QuestionFileError(file=str(path), line=0, reason="no question in it")
    return read


def _line(line: str, number: int, path: Path, kind: type[Record]) -> Record:
    try:
        return kind.model_validate_json(line)
    except ValidationError as error:
        first = error.errors(include_input=False, include_url=False)[0]
        field = ".".join(str(part) for part in first["loc"])
        reason = f"{field}: {first['msg']}" if field else first["msg"]
        raise QuestionFileError(file=str(path), line=number, reason=reason) from None
