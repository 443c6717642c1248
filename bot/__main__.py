"""`python -m bot`: the whole configuration comes from the environment, and nothing is asked.

Exit status: 0 ended by SIGTERM or SIGINT, 1 where it cannot run, with one line that says what to do.
"""

import asyncio
import logging
import os
import signal
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import TYPE_CHECKING

from bot.operations.interpreter import pass_over_what_is_loaded, prepare_to_load, take_short_turns
from bot.texts import host_texts
from rag import __version__
from rag.config import EMBEDDED, Settings, load_settings
from rag.errors import ConfigurationError, LibraryAbsent, RulesError
from rag.models.tracing import tracing
from rag.texts import Texts

if TYPE_CHECKING:
    from bot.client import RulesBot, Services
    from rag.prompts import Prompts

log = logging.getLogger("bot")

HARD_STOP_SECONDS = 7.5
"""Whatever still hangs then is left behind: hosts kill after ten seconds."""

AUTHENTICATION_FAILED = 4004
"""With this code Discord's gateway refuses a token that was reset while the bot was running."""

CHATTY = ("httpx", "httpx2", "httpcore", "openai", "chromadb", "discord.gateway")
VOICE = "discord.client"
"""Warns of missing voice libraries, which a bot that only writes does not need."""
SIGNALS = (signal.SIGTERM, signal.SIGINT)
_READING = threading.Lock()
"""What one thread begins to read, another waits for and reads no second time."""


def main() -> int:
    """Run the bot until it is told to end; returns the exit status."""
    for number in SIGNALS:
        # Until the loop has its own handlers there is nothing to put in order.
        signal.signal(number, lambda *_: sys.exit(0))
    prepare_to_load()
    texts = host_texts()
    try:
        settings = load_settings()
        set_up_logging(settings.log_level)
        if settings.discord_token is None:
            raise ConfigurationError(variable="DISCORD_TOKEN", reason=texts("token-missing"))
        log.info("version %s", __version__)
        with tracing(settings):
            return asyncio.run(run(settings, texts))
    except RulesError as error:
        print(texts(error.key, **error.values), file=sys.stderr)
        return 1


def set_up_logging(level: str) -> None:
    """One line an event on standard error; the libraries say only what is wrong."""
    logging.basicConfig(
        level=level, format="%(asctime)s %(levelname)s %(name)s: %(message)s", stream=sys.stderr
    )
    chosen = logging.getLogger().level
    logging.getLogger(VOICE).setLevel(max(chosen, logging.ERROR))
    if chosen > logging.DEBUG:
        for name in CHATTY:
            logging.getLogger(name).setLevel(max(chosen, logging.WARNING))


async def run(settings: Settings, texts: Texts) -> int:
    """Connect, answer, and end in good order when a signal comes."""
    from rag.prompts.hub import chosen_prompts

    take_short_turns()
    stop = asyncio.Event()
    stop_on_signals(stop)
    # Beside the loop, which hears the signals: a server of the index may keep this waiting.
    services = await asyncio.to_thread(make_services, settings, texts, await chosen_prompts(settings))
    if stop.is_set():
        return 0
    stopped = asyncio.create_task(stop.wait())
    # Ingestion ends beside the questions, not after them: the host's ten seconds are for both.
    beside = (services.ingestion.keep_up(), warm_up(services, texts), end_ingestion(services, stop))
    tasks = [stopped, *map(asyncio.create_task, beside)]
    try:
        return await connected(services, stopped, settings, texts)
    finally:
        for task in tasks:
            task.cancel()
        await services.ingestion.stop()
        services.close()


async def end_ingestion(services: "Services", stop: asyncio.Event) -> None:
    """End ingestion as soon as the bot is told to stop."""
    await stop.wait()
    await services.ingestion.stop()


async def warm_up(services: "Services", texts: Texts) -> None:
    """Make ready what the first question needs, and say what of it fails."""
    reading = asyncio.create_task(asyncio.to_thread(read_languages))
    try:
        await try_models(services, texts)
    except RulesError as error:
        log.warning(texts(error.key, **error.values))
    except Exception:
        log.exception("the models could not be made ready")
    finally:
        await reading
        pass_over_what_is_loaded()


def read_languages() -> None:
    """Read dictionaries and glossaries, for which questions would otherwise wait."""
    from rag.library.language.glossary import read_glossaries
    from rag.library.language.language import OUR_LANGUAGES
    from rag.library.language.spelling import read_dictionaries

    with _READING:
        read_dictionaries(OUR_LANGUAGES)
        read_glossaries(OUR_LANGUAGES)


async def try_models(services: "Services", texts: Texts) -> None:
    """Read the packaged embedding's weights and try the models: no player should meet them first."""
    from bot.operations.health import probe_models

    if services.settings.embedding_name == EMBEDDED:
        await asyncio.to_thread(services.embed, "ready")
    for finding in await probe_models(services.chat_model, services.provider_embed):
        level = logging.INFO if finding.is_well else logging.WARNING
        log.log(level, texts(finding.key, **finding.values))


def stop_on_signals(stop: asyncio.Event) -> None:
    """Let SIGTERM and SIGINT set the event; a while later the process ends in any case."""
    loop = asyncio.get_running_loop()

    def begin() -> None:
        log.info("stopping")
        stop.set()
        hard_stop = threading.Timer(HARD_STOP_SECONDS, os._exit, (0,))
        hard_stop.daemon = True
        hard_stop.start()

    for number in SIGNALS:
        try:
            loop.add_signal_handler(number, begin)
        except NotImplementedError:
            # Windows' loop knows no signal handlers.
            signal.signal(number, lambda *_: loop.call_soon_threadsafe(begin))


def make_services(settings: Settings, texts: Texts, prompts: "Prompts") -> "Services":
    """Open the library and the tables. What is heavy to import is imported here."""
    read_beside_imports(with_encoder=settings.embedding_name == EMBEDDED)
    from bot.client import Services
    from bot.operations.ingestion import Ingestion, process_environment
    from rag.graph import RulesGraph
    from rag.library.index.open import lacks_library, library_notice, library_settings
    from rag.library.library import Library
    from rag.library.page_pictures.process import DrawingProcess
    from rag.models.chat import chat_model
    from rag.models.embeddings import embedding_model

    if settings.book_uploads and settings.chroma_url and settings.is_one_of_several:
        raise ConfigurationError(variable="BOOK_UPLOADS", reason=texts("uploads-shared"))
    try:
        reading, is_absent = library_settings(settings), None
    except LibraryAbsent as error:
        log.warning(texts(error.key, **error.values))
        reading, is_absent = settings, partial(lacks_library, settings)
    if notice := library_notice(settings, reading):
        log.warning(texts(notice, folder=str(settings.library_dir)))
    embedding = embedding_model(reading)
    library = Library.open(reading, embedding)
    model = chat_model(reading)
    return Services(
        settings=reading,
        library=library,
        rules_graph=RulesGraph.of(reading, library, model, embedding, prompts),
        embed=embedding.for_questions.embed_query,
        chat_model=model,
        ingestion=Ingestion(
            reading.library_dir,
            library.is_reachable,
            is_absent,
            library.awaits_ingest,
            uploads=reading.book_folders[1:],
        ),
        drawing=DrawingProcess(process_environment(os.environ)),
    )


def read_beside_imports(with_encoder: bool) -> None:
    """Begin to read the encoder's weights and the dictionaries, most of which needs no interpreter.

    What fails is told where they are needed.
    """
    from rag.models.encoder import encoded

    reading = ThreadPoolExecutor(1)
    if with_encoder:
        reading.submit(encoded, ["ready"])
    reading.submit(read_languages)
    reading.shutdown(wait=False)


async def connected(
    services: "Services", stopped: "asyncio.Task[bool]", settings: Settings, texts: Texts
) -> int:
    """Serve until stopped; without the privileged intent where the portal does not grant it.

    Raises `ConfigurationError` or `DiscordUnreachable`.
    """
    import aiohttp
    import discord

    from bot.client import RulesBot
    from bot.errors import DiscordUnreachable

    try:
        try:
            bot = RulesBot(services, message_content=settings.message_content)
            return await serve(bot, settings, stopped)
        except discord.PrivilegedIntentsRequired:
            log.warning(texts("intent-not-granted"))
        return await serve(RulesBot(services, message_content=False), settings, stopped)
    except discord.LoginFailure:
        raise ConfigurationError(variable="DISCORD_TOKEN", reason=texts("token-wrong")) from None
    except discord.ConnectionClosed as error:
        if error.code != AUTHENTICATION_FAILED:
            raise DiscordUnreachable from error
        raise ConfigurationError(variable="DISCORD_TOKEN", reason=texts("token-reset")) from None
    except (discord.HTTPException, aiohttp.ClientError, TimeoutError) as error:
        raise DiscordUnreachable from error


async def serve(bot: "RulesBot", settings: Settings, stopped: "asyncio.Task[bool]") -> int:
    """Run a client until it is stopped or fails."""
    assert settings.discord_token is not None
    token = settings.discord_token.get_secret_value()
    connection = asyncio.create_task(bot.start(token))
    try:
        await asyncio.wait({connection, stopped}, return_when=asyncio.FIRST_COMPLETED)
        if not stopped.done():
            await connection
        return 0
    finally:
        await bot.end()
        connection.cancel()


if __name__ == "__main__":
    sys.exit(main())
