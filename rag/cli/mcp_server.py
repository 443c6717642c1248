"""The books for an assistant, by the Model Context Protocol: looked up and quoted, never changed."""

import json
from collections.abc import Awaitable, Callable
from dataclasses import asdict
from functools import partial, wraps
from typing import Any, ParamSpec, TypeVar
from urllib.parse import quote

from mcp.server import MCPServer
from mcp.server.mcpserver import Image
from mcp.server.mcpserver.exceptions import ToolError
from mcp.server.mcpserver.resources import FunctionResource
from mcp.types import ToolAnnotations

from rag import __version__
from rag.cli.library import facts_of
from rag.config import Audience
from rag.errors import NothingAsked, RulesError
from rag.library.books.book import BookSummary
from rag.library.books.found_page import FoundPage
from rag.library.language.words import words
from rag.library.library import Library
from rag.library.page_pictures.pictures import draw
from rag.nodes.citations import stands_on
from rag.texts import Texts, worded_for
from rag.texts.blocks import citation

Asked = ParamSpec("Asked")
Told = TypeVar("Told")
INSTRUCTIONS = (
    "The rulebooks of a group of players. Cite the book and the printed page as they are told here. "
    "Before you quote, have check_quotation confirm that the words stand there."
)
MOST_PAGES = 20


class BookServer:
    """The tools over the books that a reader may know; their docstrings are what an assistant reads."""

    def __init__(self, library: Library, reader: Audience, texts: Texts) -> None:
        self._library = library
        self._reader = reader
        self._texts = texts

    def server(self) -> MCPServer:
        """The server with its tools, and a resource for each book that is indexed now."""
        server = MCPServer("rules-bot", version=__version__, instructions=INSTRUCTIONS)
        for tool in (self.search, self.page, self.check_quotation, self.page_picture):
            server.add_tool(self._telling(tool), annotations=ToolAnnotations(read_only_hint=True))
        for book in self._library.books(self._reader):
            server.add_resource(
                FunctionResource(
                    uri=f"rulebook:///{quote(book.file)}",
                    name=book.title,
                    mime_type="application/json",
                    fn=partial(_told, book),
                )
            )
        return server

    def _telling(self, tool: Callable[Asked, Awaitable[Told]]) -> Callable[Asked, Awaitable[Told]]:
        """The tool, whose faults are told in sentences that say what to do next."""

        @wraps(tool)
        async def telling(*args: Asked.args, **kwargs: Asked.kwargs) -> Told:
            try:
                return await tool(*args, **kwargs)
            except RulesError as error:
                raise ToolError(self._texts(worded_for("mcp", error.key), **error.values)) from None

        return telling

    async def search(self, query: str, book: str | None = None, pages: int = 5) -> list[dict[str, Any]]:
        """The pages that fit a query best, with book, printed page and text; `book` is a title or a game."""
        if not words(query):
            raise NothingAsked
        most = min(max(pages, 1), MOST_PAGES)
        return [
            facts_of(page) for page in await self._library.retriever(self._reader, book, most).ainvoke(query)
        ]

    async def page(self, book: str, page: str) -> str:
        """The text of a page by its printed number, as it is cited ("PDF p. 2"), or of a named section."""
        found = self._library.page(book, page, self._reader)
        return f"{self._place(found)}\n\n{found.text}"

    async def check_quotation(self, quotation: str, book: str, page: str) -> dict[str, Any]:
        """Whether these words stand on that page, spaces and capitals aside; and how to cite it.

        Fewer than six letters or digits prove nothing and are never confirmed.
        """
        found = self._library.page(book, page, self._reader)
        return {"stands_there": stands_on(quotation, found), "cite_as": self._place(found)}

    async def page_picture(self, book: str, page: str, quotation: str = "") -> list[Image]:
        """A picture of a page of a PDF; with a quotation the lines around it, which is marked."""
        found = self._library.page(book, page, self._reader)
        drawn = draw(self._library.page_to_draw(found.id, self._reader, quotation))
        return [Image(data=picture, format="png") for picture in drawn]

    def _place(self, found: FoundPage) -> str:
        return citation(found.book, found.label, found.pdf_page, self._texts, found.section)


def _told(book: BookSummary) -> str:
    return json.dumps(asdict(book), ensure_ascii=False)
