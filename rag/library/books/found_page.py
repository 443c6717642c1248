"""A page as a search or a look-up found it, with what it leads to: typed, where LangChain has a dict."""

from datetime import date

from langchain_core.documents import Document
from pydantic import AliasChoices, BaseModel, ConfigDict, Field

from rag.library.books.page import SECTION_JOINT, PageKind, SectionStart, TableRow, TextLayer, section_at
from rag.state import Authority, PageId, Span


class _PageText(BaseModel):
    """The words of a page, the book they stand in, and whose rules it holds.

    `section_starts` are the places in a format without pages, by the offset at which they begin, as
    "House Rules › Bleeding"; none in a PDF.
    """

    model_config = ConfigDict(frozen=True)

    text: str = ""
    book: str = ""
    section_starts: tuple[SectionStart, ...] = ()
    authority: Authority = Authority.BOOK

    def section_at(self, offset: int) -> str | None:
        """The section in force at an offset of its text; None where there are pages."""
        return section_at(self.section_starts, offset)


class LinkedPage(_PageText):
    """Another page, as a found page tells of it; in a format without pages the `section` meant on it.

    Only of neighbours `text` and `section_starts` are told, as in `FoundPage`, and that it `is_joined`: a
    sentence may run from one of the two to the other.
    """

    id: PageId
    label: str | None
    is_joined: bool = False
    section: str | None = None

    @property
    def place(self) -> str:
        """The page as a person would look it up: "GURPS Powers p. 100"."""
        return place_of(self.book, self.label, self.id.pdf_page, self.section)


class FoundReference(BaseModel):
    """A reference printed on a found page: its words, where they start, the book and page they name.

    `pages` are those it means. Where there are none it is unresolved, or `is_absent`: its book is surely not
    in the reader's library.
    """

    model_config = ConfigDict(frozen=True)

    text: str
    start: int
    book: str
    label: str | None
    last_label: str | None = None
    pages: tuple[PageId, ...] = ()
    section: str | None = None
    is_absent: bool = False

    @property
    def place(self) -> str:
        """What it names, as a person would look it up: "Powers p. 100", "Powers pp. 5–10"."""
        if not (self.label or self.pages):
            return self.text
        pdf_page = self.pages[0].pdf_page if self.pages else 0
        return place_of(self.book, self.label, pdf_page, self.section, self.last_label)


class Correction(BaseModel):
    """A correction between a found page and another: what is corrected, and what corrects it.

    `corrected` is a span of the corrected page, `correcting` one of the page that corrects it.
    """

    model_config = ConfigDict(frozen=True)

    other: LinkedPage
    corrected: Span
    correcting: Span


class FoundPage(_PageText):
    """A page that a search or a look-up found: its text, where it stands, what matched, what it leads to.

    `label` is the printed number, None where unknown; `pdf_page` the 1-based position in `file`, `half` that
    of `PageId`. `hits` are the spans of the chunks that matched, best first, `headings` those in force at the
    best one, outermost first, `above` those in force at the first word of the page. `sections` are all
    headings of the page, each with its offset, behind those that it stands under; `rows` are its table rows.
    `referred_by` are the pages that refer to this one. `made` is the day of a ruling.
    """

    model_config = ConfigDict(frozen=True, coerce_numbers_to_str=True)

    file: str = ""
    game: str = ""
    label: str | None = Field(
        default=None, validation_alias=AliasChoices("label", "page"), serialization_alias="page"
    )
    pdf_page: int = 0
    half: int = 0
    language: str = "en"
    kind: PageKind = "text"
    layer: TextLayer = "printed"
    score: float = 0.0
    headings: tuple[str, ...] = ()
    above: tuple[str, ...] = ()
    sections: tuple[tuple[int, tuple[str, ...]], ...] = ()
    hits: tuple[Span, ...] = ()
    rows: tuple[TableRow, ...] = ()
    references: tuple[FoundReference, ...] = ()
    referred_by: tuple[LinkedPage, ...] = ()
    amended_by: tuple[Correction, ...] = ()
    amends: tuple[Correction, ...] = ()
    previous: LinkedPage | None = None
    next: LinkedPage | None = None
    made: date | None = None

    @classmethod
    def of(cls, document: Document) -> "FoundPage":
        """The page that a document holds: all of ours, of another retriever's what it tells."""
        return cls.model_validate({**document.metadata, "text": document.page_content})

    def document(self) -> Document:
        """The page as LangChain passes it on; `of` reads it back."""
        facts = {**self.model_dump(exclude={"text"}, by_alias=True), "section": self.section}
        position = f"{self.pdf_page}.{self.half}" if self.half else str(self.pdf_page)
        return Document(id=f"{self.file}#{position}", page_content=self.text, metadata=facts)

    @property
    def id(self) -> PageId:
        """What tells it from every other page."""
        return PageId(self.file, self.pdf_page, self.half)

    @property
    def section(self) -> str | None:
        """The section of what matched best, else of its first word; None where there are pages."""
        return self.section_at(self.hits[0].start if self.hits else 0)

    @property
    def place(self) -> str:
        """The page as a person would look it up: "GURPS Powers p. 100"."""
        return place_of(self.book, self.label, self.pdf_page, self.section)

    def place_at(self, offset: int) -> str:
        """What stands at an offset of its text, as a person would look it up."""
        return place_of(self.book, self.label, self.pdf_page, self.section_at(offset))

    @property
    def is_citable(self) -> bool:
        """Whether it may be evidence: contents and index pages only help to find a rule."""
        return self.kind == "text" and bool(self.text.strip())


def section_in(book: str, section: str) -> str:
    """The name of a section with the title of its book before it."""
    return SECTION_JOINT.join(filter(None, (book, section)))


def place_of(
    book: str, label: str | None, pdf_page: int, section: str | None = None, last_label: str | None = None
) -> str:
    """A page, or pages up to another, by book and printed number, as a person would look it up.

    Where it has none, by its section, which names the book, or by its position in a PDF.
    """
    if section and not label:
        return section
    if label and last_label:
        return f"{book} pp. {label}–{last_label}".strip()
    number = f"p. {label}" if label else f"PDF p. {pdf_page or '?'}"
    return f"{book} {number}".strip()
