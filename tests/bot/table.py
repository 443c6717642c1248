"""A game table for tests of the bot: its books, and a graph that answers from a script."""

import asyncio
import time
from collections.abc import AsyncIterator, Callable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, cast

from bot.client import RulesBot, Services
from bot.operations.ingestion import Ingestion
from rag.config import Audience, Settings, StrategyName
from rag.errors import EmptyLibrary, ModelError, RulesError, UnknownBook, UnknownPage
from rag.graph import RulesGraph
from rag.library.books.book import BookSummary, FileStamp, IsSeen
from rag.library.books.catalog import Catalog
from rag.library.books.found_page import FoundPage, LinkedPage
from rag.library.books.page import Page
from rag.library.books.ruling import Ruling
from rag.library.library import Library
from rag.library.page_pictures.locate import TextSpan
from rag.library.page_pictures.pages import PageToDraw, PictureFile, Quoted
from rag.library.page_pictures.process import DrawingProcess
from rag.library.search.retriever import ParentDocumentRetriever
from rag.models.provider import ProviderChatModel
from rag.state import (
    AbsentPage,
    AnswerWithSources,
    Exchange,
    Followed,
    Outcome,
    PageId,
    Progress,
    Question,
    Reply,
    Source,
    Stage,
    Stated,
    Statement,
    StatementRole,
    Usage,
)


def book(title: str, game: str = "Tides", audience: str = "player", **facts: Any) -> BookSummary:
    """A book of 40 pages, printed 1 to 40."""
    defaults: dict[str, Any] = {
        "file": f"{game.lower()}/{title.lower().replace(' ', '-')}.pdf",
        "language": "en",
        "codes": (),
        "pages": 40,
        "first_label": "1",
        "last_label": "40",
        "references": 0,
        "resolved": 0,
    }
    return BookSummary(title=title, game=game, audience=audience, **(defaults | facts))


HEADINGS = ("Bleeding", "Falling › Soft ground")
"""Of every book of sections."""

HOUSE_RULES = book(
    "House Rules",
    kind="markdown",
    file="house-rules.md",
    pages=1,
    sections=2,
    first_label=None,
    last_label=None,
)
WADING = book("Wading Orders", codes=("W",))
KNOTS = book("The Book of Knots", codes=("K",))
SECRETS = book("What the Water Knows", audience="gm")

PAGE_TEXT = (
    "Lamps are for the Post.\n\n"
    "A storm lamp lights six paces. It costs two stamps.\n\n"
    "Nobody lights a lamp at low water."
)
QUOTE = "A storm lamp lights six paces."
QUESTION = "How far does a storm lamp light?"


@dataclass
class DeclaredLibrary(Library):
    """A library of declared books, each page of which reads the same."""

    all_books: list[BookSummary] = field(default_factory=lambda: [WADING, KNOTS, SECRETS])
    text: str = PAGE_TEXT
    entries: dict[str, tuple[str, ...]] = field(default_factory=dict)
    editions: dict[str, str] = field(default_factory=dict)

    def servers(self) -> dict[str, tuple[str, ...]]:
        return self.entries

    def limited_to(self, is_seen: IsSeen | None) -> "DeclaredLibrary":
        books = [one for one in self.all_books if is_seen is None or is_seen(one)]
        return replace(self, all_books=books)

    def books(self, reader: Audience) -> list[BookSummary]:
        return [one for one in self.all_books if reader == "gm" or one.audience == "player"]

    def edition(self, file: str) -> str | None:
        return self.editions.get(file)

    async def search(
        self, query: str, reader: Audience, book: str | None = None, k: int = 10
    ) -> list[FoundPage]:
        meant = [self._found(book, reader)] if book else self.books(reader)
        pages = [_page(one, number, self.text) for one in meant for number in range(1, one.pages + 1)]
        return pages[:k]

    def retriever(self, *_: object, **__: object) -> ParentDocumentRetriever:
        raise EmptyLibrary

    def absent_pages(self, text: str, reader: Audience) -> tuple[AbsentPage, ...]:
        return ()

    def page(self, book: str, label: str, reader: Audience) -> FoundPage:
        found = self._found(book, reader)
        if found.kind != "pdf":
            starts = ((0, f"{found.title} › {label}"),)
            return FoundPage(
                text=self.text, book=found.title, file=found.file, pdf_page=1, section_starts=starts
            )
        if not label.isdecimal() or int(label) > found.pages:
            raise UnknownPage(book=found.title, page=label)
        return _page(found, int(label), self.text)

    def queries(self, reader: Audience, book: str | None = None) -> Any:
        return self

    def explains(self, name: str) -> bool:
        return name == "storm lamp"

    def sections(self, book: str, reader: Audience) -> list[str]:
        found = self._found(book, reader)
        return [] if found.kind == "pdf" else [f"{found.title} › {heading}" for heading in HEADINGS]

    def page_at(
        self,
        file: str,
        pdf_page: int,
        reader: Audience,
        label: str | None = None,
        section: str | None = None,
        half: int = 0,
    ) -> FoundPage:
        return self.page(file, section.split(" › ", 1)[1] if section else str(pdf_page), reader)

    def page_to_draw(
        self, page: PageId, reader: Audience, quote: str = "", offset: int | None = None
    ) -> PageToDraw:
        stamp = FileStamp(0, 0, 0, "")
        text = Page(page.pdf_page, None, self.text, (), "text", False, half=page.half)
        quoted = Quoted(TextSpan(0, len(quote))) if quote else None
        book = PictureFile(page.file, Path(page.file), stamp, Path("ocr"))
        return PageToDraw(book, text, quoted)

    def _found(self, name: str, reader: Audience) -> BookSummary:
        found = Catalog(self.books(reader)).find(name)
        if not found:
            raise UnknownBook(book=name)
        return found[0]


def _page(found: BookSummary, number: int, text: str) -> FoundPage:
    before, after = (
        LinkedPage(id=PageId(found.file, near), book=found.title, label=str(near))
        if near <= found.pages
        else None
        for near in (number - 1, number + 1)
    )
    return FoundPage(
        text=text,
        book=found.title,
        file=found.file,
        game=found.game,
        label=str(number),
        pdf_page=number,
        previous=before if number > 1 else None,
        next=after,
    )


@dataclass(frozen=True)
class Asked:
    """What the graph was asked."""

    question: str
    thread: str
    reader: Audience
    is_seen: IsSeen | None
    book: str | None
    locale: str | None
    history: tuple[str, ...]
    with_model: bool
    book_only: bool = False
    rulings: tuple[Ruling, ...] = ()


def source(from_book: BookSummary = WADING, page: int = 13, quote: str = QUOTE) -> Source:
    """A quotation from a page."""
    return Source(
        book=from_book.title,
        file=from_book.file,
        game=from_book.game,
        page=str(page),
        pdf_page=page,
        quote=quote,
        verified=True,
    )


def answer(text: str = "A storm lamp lights six paces.", **facts: Any) -> AnswerWithSources:
    """An answer of one statement with one source."""
    defaults: dict[str, Any] = {
        "sources": [source()],
        "found": True,
        "outcome": Outcome.ANSWERED,
        "statements": [Statement(text=text, sources=[0], role=StatementRole.VERDICT, lines=[QUOTE])],
    }
    return AnswerWithSources(answer=text, **(defaults | facts))


@dataclass
class ScriptedRulesGraph(RulesGraph):
    """Answers every question alike, remembers conversations, and waits at `gate` where one is set."""

    said: AnswerWithSources = field(default_factory=answer)
    steps: list[Progress | Stated] = field(
        default_factory=lambda: [Progress(Stage.SEARCHING), Progress(Stage.FOLLOWING, 2, "Powers p. 100")]
    )
    failure: BaseException | None = None
    usage: Usage = field(default_factory=lambda: Usage(calls=3, input_tokens=9000, output_tokens=300))
    language: str = "en"
    gate: asyncio.Event | None = None
    asked: list[Asked] = field(default_factory=list)
    memory: dict[str, list[str]] = field(default_factory=dict)
    forgotten: list[str] = field(default_factory=list)
    small_talk: tuple[str, ...] = ()
    game: str | None = None
    other_games: list[str] = field(default_factory=list)

    async def ask(
        self,
        question: str,
        thread: str | None = None,
        *,
        strategy: str = StrategyName.MULTI_HOP,
        reader: Audience = "player",
        is_seen: IsSeen | None = None,
        book: str | None = None,
        locale: str | None = None,
        history: Sequence[Exchange] | None = None,
        with_model: bool = True,
        book_only: bool = False,
        rulings: Sequence[Ruling] = (),
    ) -> AsyncIterator[Progress | Stated | Reply]:
        earlier = self.memory.get(thread or "", [])
        asked = Asked(question, thread or "", reader, is_seen, book, locale, tuple(earlier), with_model)
        self.asked.append(replace(asked, book_only=book_only, rulings=tuple(rulings)))
        for step in self.steps:
            yield step
        if self.gate:
            await self.gate.wait()
        if self.failure:
            raise self.failure
        self.memory[thread or ""] = [*earlier, question]
        reply = self._reply(question, strategy, locale)
        yield reply if with_model else reply.model_copy(update={"usage": Usage(), "mode": "quotes"})

    async def asks(self, said: str, thread: str) -> tuple[bool, Usage]:
        return said not in self.small_talk, Usage(calls=1, input_tokens=500)

    async def remember(self, thread: str, question: str, answer: str) -> None:
        self.memory.setdefault(thread, []).append(question)

    def withdraw(self, thread: str, question: str) -> None:
        self.memory[thread] = [one for one in self.memory.get(thread, ()) if one != question]

    def forget(self, thread: str) -> None:
        self.forgotten.append(thread)
        self.memory.pop(thread, None)

    @property
    def last(self) -> Asked:
        return self.asked[-1]

    def _reply(self, question: str, strategy: str, locale: str | None) -> Reply:
        return Reply(
            question=question,
            standalone_question=f"{question} (standalone)",
            answer=self.said,
            questions=[Question(question=question)],
            strategy=strategy,
            hops=2,
            followed=[Followed(origin="Wading Orders p. 13", target="Powers p. 100")],
            usage=self.usage,
            mode="model",
            seconds=3.4,
            locale=locale or self.language,
            game=self.game,
            other_games=self.other_games,
        )


class ScriptedChatModel:
    """A chat model that can be tried: it answers, or fails."""

    def __init__(self, failure: ModelError | None = None) -> None:
        self.failure = failure

    async def trial(self) -> None:
        if self.failure:
            raise self.failure


@dataclass
class ScriptedDrawing(DrawingProcess):
    """Draws every page alike, or fails; `drawn` are those it was asked for, `before` comes before each."""

    failure: RulesError | None = None
    drawn: list[PageToDraw] = field(default_factory=list)
    before: Callable[[], object] = lambda: None

    async def draw(self, page: PageToDraw) -> list[bytes]:
        self.before()
        self.drawn.append(page)
        if self.failure:
            raise self.failure
        return [b"a picture"]


@dataclass
class Table:
    """Everything behind a bot under test; `bot()` makes one, and another one after a "restart"."""

    folder: Path
    rules_graph: ScriptedRulesGraph = field(default_factory=ScriptedRulesGraph)
    library: DeclaredLibrary = field(default_factory=DeclaredLibrary)
    drawing: ScriptedDrawing = field(default_factory=ScriptedDrawing)
    chat_model: ScriptedChatModel | None = None
    embed: Callable[[str], object] = len
    settings: Settings = field(default_factory=Settings)
    reads_everything: bool = False
    clock: Callable[[], float] = time.time

    def configure(self, **settings: Any) -> None:
        """Change settings, before the bot is made."""
        self.settings = self.settings.model_copy(update=settings)

    def bot(self) -> RulesBot:
        """A new bot over what is kept on disk."""
        return RulesBot(self.services(), message_content=self.reads_everything)

    def services(self) -> Services:
        """What a bot is built on, over what is kept on disk."""
        here = {"data_dir": self.folder, "index_dir": self.folder / "index"}
        settings = self.settings.model_copy(update=here)
        services = Services(
            settings=settings,
            library=self.library,
            rules_graph=self.rules_graph,
            embed=self.embed,
            chat_model=cast(ProviderChatModel | None, self.chat_model),
            ingestion=Ingestion(self.folder),
            drawing=self.drawing,
            clock=self.clock,
        )
        self.answers, self.feedback, self.budgets = services.answers, services.feedback, services.budgets
        self.close = services.close
        return services

    def restarted(self) -> RulesBot:
        """The bot after a restart: what was said is forgotten, what is on disk is not."""
        self.rules_graph = replace(self.rules_graph, memory={}, asked=[])
        return self.bot()
