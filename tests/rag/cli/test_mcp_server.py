"""The books in an assistant: the SDK's own client against the real process, over its standard streams."""

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from mcp import Client, StdioServerParameters

from tests.conftest import SAMPLE_BOOKS, clean_environment

PLACE = {"book": "Wading Orders", "page": "9"}
PRINTED = "So Tidesense 3 costs 21 stamps"
GM_BOOK = "What the Water Knows"


@pytest.mark.parametrize("options", [(), ("--reader", "gm")])
async def test_an_assistant_has_search_pages_quotations_and_pictures_of_the_readers_books(
    options: tuple[str, ...], sample_index: Path, checkout: Path
) -> None:
    settings = clean_environment(INDEX_DIR=str(sample_index), LIBRARY_DIR=str(SAMPLE_BOOKS))
    arguments = ["-m", "rag", "mcp", *options]
    process = StdioServerParameters(command=sys.executable, args=arguments, env=settings, cwd=checkout)
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
        of_gm = await called("page", {"book": GM_BOOK, "page": "1"})
        titles = {book.name for book in (await client.list_resources()).resources}
    assert (of_gm.is_error, GM_BOOK in titles) == (not options, bool(options)), of_gm
