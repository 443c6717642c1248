"""The values that travel through the graph; the types of the contract."""

from enum import StrEnum
from typing import Annotated, Literal

from langchain_core.documents import Document
from langgraph.channels import UntrackedValue
from pydantic import BaseModel, BeforeValidator, ConfigDict, Field
from typing_extensions import TypedDict

Audience = Literal["player", "gm"]
"""Who reads. A player's library has no book for the GM."""


class Question(BaseModel):
    """A question that was searched, and the pages its own search found, best first.

    `hop` is the round it was searched in; `fetched` tells a page that was looked up by its number.
    """

    question: str
    context: list[Document] = Field(default_factory=list)
    hop: int = 1
    fetched: bool = False


class Source(BaseModel):
    """A quotation and the place where it stands.

    `page` is the printed label (None where unknown), `pdf_page` the 1-based position in the file.
    `verified` is true when code found the quote, letter for letter, on that page.
    """

    model_config = ConfigDict(frozen=True)

    book: str
    file: str
    game: str
    page: str | None
    pdf_page: int
    quote: str
    verified: bool


class Statement(BaseModel):
    """One sentence of an answer, with the positions of its sources in the answer's list."""

    model_config = ConfigDict(frozen=True)

    text: str
    sources: list[int]


class AbsentPage(BaseModel):
    """A page that was asked for and that the book does not have.

    `printed` are those it has ("1–230"), empty where there is no such book at all.
    """

    model_config = ConfigDict(frozen=True)

    book: str
    page: str
    printed: str


class Followed(BaseModel):
    """A printed reference that was followed: from which page, to which page."""

    model_config = ConfigDict(frozen=True, populate_by_name=True)

    origin: str = Field(serialization_alias="from")
    target: str = Field(serialization_alias="to")


class Outcome(StrEnum):
    """How a question ended; it decides wording and colour."""

    ANSWERED = "answered"
    PARTLY = "partly"
    PASSAGES = "passages"
    NOT_FOUND = "not_found"


class AnswerWithSources(BaseModel):
    """A verified answer.

    `statements` are what may be claimed, the verdict first; empty in quotations and refusals.
    `missing` says in the asker's language what the books left open. `headings` are the nearest
    headings where the books do not say. `elsewhere` are pages of books that are not in the library, to
    which the quoted rules refer, `absent` pages asked for that their book does not have. `notice` is the
    key of a sentence about a fault on the way.
    """

    answer: str
    sources: list[Source] = Field(default_factory=list)
    found: bool
    outcome: Outcome
    statements: list[Statement] = Field(default_factory=list)
    missing: str | None = None
    headings: list[str] = Field(default_factory=list)
    elsewhere: list[str] = Field(default_factory=list)
    absent: list[AbsentPage] = Field(default_factory=list)
    notice: str | None = None


class Sufficiency(BaseModel):
    """Whether the pages gathered so far answer the question; if not, what to search next."""

    sufficient: bool
    new_queries: Annotated[list[str], BeforeValidator(lambda queries: queries or [])] = Field(
        default_factory=list
    )
    """None is read as no queries: what small models write instead of an empty list."""


class Exchange(TypedDict):
    """A question as it was asked, and what was answered: one pair of the history."""

    question: str
    answer: str


class State(TypedDict, total=False):
    """What the nodes hand on. Only `history` outlives a question: documents are never checkpointed."""

    question: str
    history: list[Exchange]
    standalone_question: Annotated[str, UntrackedValue]
    questions: Annotated[list[Question], UntrackedValue]
    followed: Annotated[list[Followed], UntrackedValue]
    hops: Annotated[int, UntrackedValue]
    answer: Annotated[AnswerWithSources, UntrackedValue]
