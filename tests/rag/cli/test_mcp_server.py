"""The books in an assistant: the SDK's own client, against the real process over its standard streams too."""

import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from tests.conftest import SAMPLE_BOOKS, Run, clean_environment

if TYPE_CHECKING:
    # It takes more than half a second to import: only what needs it does.
    from mcp import Client

PLACE = {"book": "Wading Orders", "page": "9"}
PRINTED = "So Tidesense 3 costs 21 stamps"
GM_BOOK = "What the Water Knows"


async def test_an_assistant_has_search_pages_quotations_and_pictures_of_the_players_books(
    sample_index: Path, checkout: Path
) -> None:
    from mcp import Client, StdioServerParameters

    settings = clean_environment(INDEX_DIR=str(sample_index), LIBRARY_DIR=str(SAMPLE_BOOKS))
    process = StdioServerParameters(
        command=sys.executable, args=["-m", "rag", "mcp"], env=settings, cwd=checkout
    )
    async with Client(process) as client:
        called: Callable[..., Any] = client.call_tool
        tools = (await client.list_tools()).tools
        assert all(tool.annotations and tool.annotations.read_only_hint for tool in tools)
        found = (await called("search", {"query": "How much does Tidesense 3 cost?"})).structured_content
        assert found["result"][0].items() >= {"book": "Wading Orders", "page": "9", "pdf_page": 14}.items()
        assert "21 stamps" in (await called("page", PLACE)).content[0].text
        for words, stands_there in {PRINTED: True, PRINTED.replace("21", "99"): False}.items():
            checked = (await called("check_quotation", {**PLACE, "quotation": words})).structured_content
            assert checked == {"stands_there": stands_there, "cite_as": "Wading Orders, p. 9"}
        picture = await called("page_picture", {**PLACE, "quotation": PRINTED})
        assert picture.content[0].mime_type == "image/png"
        assert await has_the_gms_book(client) == (False, False)
        absent = await called("page", {**PLACE, "page": "999"})
        assert "search finds pages" in absent.content[0].text, "and no command of a terminal"


def test_a_gms_assistant_has_the_gms_book(rag: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    from mcp import Client
    from mcp.server import MCPServer

    seen = []

    async def ask(server: MCPServer) -> None:
        async with Client(server) as client:
            seen.append(await has_the_gms_book(client))

    monkeypatch.setattr(MCPServer, "run_stdio_async", ask)
    rag("mcp", "--reader", "gm")
    assert seen == [(True, True)]


async def has_the_gms_book(client: "Client") -> tuple[bool, bool]:
    """Whether the book's page is given, and whether the book is listed."""
    page = await client.call_tool("page", {"book": GM_BOOK, "page": "1"})
    return not page.is_error, GM_BOOK in {book.name for book in (await client.list_resources()).resources}
