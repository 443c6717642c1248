"""What tests of the models share."""

from collections.abc import AsyncIterator

import pytest_asyncio

from tests.model_server import ModelServer
from tests.rag.models.one_rule import SCRIPT


@pytest_asyncio.fixture
async def server() -> AsyncIterator[ModelServer]:
    async with ModelServer(SCRIPT) as server:
        yield server
