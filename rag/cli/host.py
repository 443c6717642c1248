"""What whoever hosts the program needs: `run` it, `check` it, choose its chat `model`, serve `mcp`."""

import argparse
import os
import signal
import subprocess
import sys
import tomllib
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from decimal import Decimal
from functools import partial
from getpass import getpass
from importlib.resources import files
from importlib.util import find_spec
from pathlib import Path
from typing import NoReturn

from dotenv import set_key

from rag import __version__
from rag.cli.console import out, say, typed
from rag.cli.library import ingest_and_tell, print_books, print_problems
from rag.cli.services import open_library
from rag.config import EMBEDDED, Settings, load_settings
from rag.errors import ConfigurationError, ModelError, RulesError
from rag.library.index.open import index_of, latest
from rag.models.chat import chat_model
from rag.models.embeddings import embedding_model
from rag.texts import Texts

EVENING = 30
"""Questions of an evening."""
TOKENS_READ, TOKENS_WRITTEN = 9_000, 300
"""Of a question; docs/measurements.md: 9,000 over all calls, and 240 written by a small model."""
CHOSEN_ANEW = (
    *("OPENAI_API_KEY", "OPENAI_BASE_URL", "CHAT_MODEL", "SUPPORT_MODEL", "EMBEDDING_MODEL"),
    *("PRICE_INPUT", "PRICE_OUTPUT", "MODEL_CALL_SECONDS", "MODEL_QUESTION_SECONDS"),
)
"""The settings that belong to a provider: those that it does not name are unset.

That passages are embedded on this machine stays: it keeps the books from whoever provides the model.
"""


@dataclass(frozen=True, slots=True)
class Provider:
    """An entry of `providers.toml`; `keys` is the page where a key is made, `prices` that of the prices."""

    name: str
    keys: str
    prices: str
    priced: str
    settings: dict[str, str]

    @property
    def evening(self) -> Decimal:
        """What an evening's questions cost in USD; 0 where nobody is paid."""
        read, written = (Decimal(self.settings.get(f"PRICE_{way}", 0)) for way in ("INPUT", "OUTPUT"))
        return EVENING * (TOKENS_READ * read + TOKENS_WRITTEN * written) / 1_000_000


def providers() -> list[Provider]:
    """The providers that are offered."""
    text = files("rag.models").joinpath("providers.toml").read_text(encoding="utf-8")
    return [Provider(**entry) for entry in tomllib.loads(text)["provider"]]


async def run(options: argparse.Namespace, settings: Settings, texts: Texts) -> int:
    """Index the books, then go on as the bot, or as a conversation where there is no token."""
    say(texts("run-reading"))
    try:
        ingest_and_tell(settings, embedding_model(settings), texts)
    except ConfigurationError:
        raise
    except RulesError as error:
        say(texts(error.key, **error.values))
    return go_on_as("bot") if settings.discord_token else go_on_as("rag", "chat")


def go_on_as(*module: str) -> NoReturn:
    """Become another program of Python, which has the signals; on Windows, start it and wait."""
    command = [sys.executable, "-m", *module]
    sys.stdout.flush()
    if sys.platform != "win32":
        os.execv(command[0], command)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    sys.exit(subprocess.call(command))


async def check(options: argparse.Namespace, settings: Settings, texts: Texts) -> int:
    """Tell the version, the books and whether the models answer; returns 1 where something is wrong."""
    out.print(texts("check-version", version=__version__))
    manifest, model = latest(index_of(settings)), chat_model(settings)
    if manifest:
        print_books(manifest.books["gm"], texts)
        print_problems(manifest.books["gm"], manifest.problems, texts)
    out.print(texts("check-books", count=len(manifest.books["gm"]) if manifest else 0))
    is_well = bool(manifest and not manifest.problems)
    if model:
        is_well &= await _works(model.trial, "check-model-works", texts)
    else:
        out.print(texts("check-model-none"))
    if settings.embedding_name != EMBEDDED:
        embed = partial(embedding_model(settings).for_questions.aembed_query, "ready")
        is_well &= await _works(embed, "check-embedding-works", texts)
    return 0 if is_well else 1


async def _works(trial: Callable[[], Awaitable[object]], key: str, texts: Texts) -> bool:
    """Whether a model answers a short request; its sentence, or what is wrong, is told."""
    try:
        await trial()
    except ModelError as error:
        say(texts(error.key, **error.values))
        return False
    out.print(texts(key))
    return True


async def model(options: argparse.Namespace, settings: Settings, texts: Texts) -> int:
    """Ask for a provider and its key, try them, and write them into `.env` if they work."""
    offered = providers()
    for number, one in enumerate(offered, start=1):
        facts = {"name": one.name, "model": one.settings["CHAT_MODEL"], "cost": float(one.evening)}
        out.print(number, texts("model-offered", **facts, questions=EVENING, priced=one.priced or "none"))
    answer = next(typed(texts("model-which", last=len(offered))), "")
    if not answer.isdecimal() or not 1 <= int(answer) <= len(offered):
        say(texts("model-none-chosen"))
        return 1
    chosen = offered[int(answer) - 1]
    key = getpass(texts("model-key", page=chosen.keys)).strip() if chosen.keys else ""
    if chosen.keys and not key:
        say(texts("model-no-key"))
        return 1
    kept = {"EMBEDDING_MODEL": EMBEDDED} if settings.embedding_model == EMBEDDED else {}
    written = {**dict.fromkeys(CHOSEN_ANEW, ""), **chosen.settings, **kept, "OPENAI_API_KEY": key}
    tried = chat_model(load_settings(**{name.lower(): value for name, value in written.items()}))
    if not tried or not await _works(tried.trial, "check-model-works", texts):
        facts = {"name": chosen.name, "model": chosen.settings["CHAT_MODEL"], "page": chosen.keys}
        say(texts("model-of-a-provider" if chosen.keys else "model-of-your-own", **facts))
        return 1
    file = Path(str(Settings.model_config["env_file"]))
    try:
        file.touch()
        file.chmod(0o600)
        for name, value in written.items():
            set_key(file, name, value, quote_mode="never")
    except OSError as error:
        raise ConfigurationError("error-file-unwritable", path=str(file)) from error
    out.print(texts("model-written", file=str(file), prices=chosen.prices or "none"))
    return 0


async def mcp(options: argparse.Namespace, settings: Settings, texts: Texts) -> None:
    """Serve the books to an assistant over standard input and output, until it closes them."""
    if find_spec("mcp") is None:
        raise ConfigurationError("error-mcp-absent")
    from rag.cli.mcp_server import BookServer

    await BookServer(open_library(settings), options.reader, texts).server().run_stdio_async()
