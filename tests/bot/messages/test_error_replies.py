"""What a user reads of a failure."""

import logging
from unittest.mock import AsyncMock, Mock

import aiohttp
import pytest
from discord import app_commands

from bot.client import is_in_time
from bot.messages.error_replies import explained, tell_privately
from rag import errors
from rag.errors import RulesError
from rag.texts import LOCALES
from tests.bot.refused import refused

ADDRESS = "http://chroma.internal:8000"
FOLDER = "/srv/index"
VALUES = {"url": ADDRESS, "folder": FOLDER, "reason": f"{FOLDER}: {ADDRESS}", "variable": "CHROMA_URL"}
PLAYERS_MEET = [
    errors.ConfigurationError(**VALUES),
    errors.EmptyLibrary(),
    errors.UnknownBook(book="Chess"),
    errors.UnknownPage(book="Core Rules", page="400"),
    errors.IndexUnwritable(**VALUES),
    errors.IndexUnreachable(**VALUES),
    errors.IndexLost(**VALUES),
    errors.ModelError(),
]


@pytest.mark.parametrize("locale", LOCALES)
@pytest.mark.parametrize("error", PLAYERS_MEET, ids=lambda error: type(error).__name__)
def test_players_read_no_address_no_folder_and_no_command_line(error: RulesError, locale: str) -> None:
    told = explained(error, locale).description or ""
    assert not any(internal in told for internal in (ADDRESS, FOLDER, "CHROMA", "python", "LIBRARY"))


@pytest.mark.parametrize("error", [RuntimeError(ADDRESS), RulesError(url=ADDRESS)])
def test_the_text_of_an_exception_stays_in_the_log(error: Exception) -> None:
    assert ADDRESS not in str(explained(error, "en").to_dict())


TOO_LATE = refused(404, 10062)
"""What Discord says of an interaction that was answered after three seconds."""


async def test_an_interaction_that_was_answered_too_late_is_one_line_in_the_log(
    caplog: pytest.LogCaptureFixture,
) -> None:
    interaction = Mock(followup=Mock(send=AsyncMock()))
    await tell_privately(interaction, app_commands.CommandInvokeError(Mock(), TOO_LATE))
    assert [(one.levelname, one.exc_info) for one in caplog.records] == [("WARNING", None)]
    interaction.followup.send.assert_not_awaited()


@pytest.mark.parametrize(("error", "is_told"), [(TOO_LATE, False), (RuntimeError(), True)])
def test_of_completion_only_what_truly_failed_is_logged(error: Exception, is_told: bool) -> None:
    info = (type(error), error, None)
    assert is_in_time(logging.LogRecord("", logging.ERROR, "", 0, "", None, info)) is is_told


@pytest.mark.parametrize("failure", [refused(502), refused(403, 50013), aiohttp.ServerDisconnectedError()])
def test_what_discord_does_not_take_is_told_as_discords_in_one_line_of_the_log(
    failure: Exception, caplog: pytest.LogCaptureFixture
) -> None:
    assert "Discord did not let me through" in str(explained(failure, "en").description)
    assert [(one.levelname, one.exc_info) for one in caplog.records] == [("WARNING", None)]


def test_what_was_wrong_with_a_request_stands_in_the_log(caplog: pytest.LogCaptureFixture) -> None:
    assert "on my side" in str(explained(refused(400, 50035), "en").description)
    assert caplog.records[0].exc_info
