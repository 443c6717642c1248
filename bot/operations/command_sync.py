"""Commands are sent to Discord only when they changed: a hash of them is kept in DATA_DIR."""

import hashlib
import json
import logging
from pathlib import Path
from typing import Any, TypeVar

import aiohttp
import discord
from discord import app_commands

from bot.data_files import Unusable, strings_by_name
from bot.messages.calls import persist, refusal
from bot.texts import host_texts
from rag.library.index.atomic_files import write_whole

log = logging.getLogger(__name__)

COMMANDS = "commands.json"
GLOBAL = "global"

Client = TypeVar("Client", bound=discord.Client)


async def sync_or_explain(
    tree: app_commands.CommandTree[Client], application: int, guild: discord.Object | None, data_dir: Path
) -> None:
    """Register the commands; where Discord refuses, one line says what to do and the bot goes on.

    Nothing is noted then, so the next start tries again.
    """
    texts = host_texts()
    try:
        await sync_commands(tree, application, guild, data_dir)
    except discord.Forbidden as error:
        key = "sync-forbidden-guild" if guild else "sync-forbidden"
        log.error(texts(key, guild=str(guild.id) if guild else "", refusal=refusal(error)))
    except (discord.HTTPException, aiohttp.ClientError, TimeoutError) as error:
        log.error(texts("sync-failed", refusal=refusal(error)))


def forget_synced(data_dir: Path) -> None:
    """Forget what was registered where: of a server that the bot has left its commands are gone."""
    (data_dir / COMMANDS).unlink(missing_ok=True)


async def sync_commands(
    tree: app_commands.CommandTree[Client], application: int, guild: discord.Object | None, data_dir: Path
) -> bool:
    """Register the commands, for one server at once or globally; whether anything was sent.

    Where they were registered elsewhere before, they are taken away there, lest they stand twice.
    """
    path = data_dir / COMMANDS
    synced = _read(path)
    scope = f"{application}:{guild.id if guild else GLOBAL}"
    digest = await _digest(tree)
    if synced == {scope: digest}:
        return False
    for other in set(synced) - {scope}:
        await _clear(tree, application, other)
    if guild:
        tree.copy_global_to(guild=guild)
    if synced.get(scope) != digest:
        await persist(lambda: tree.sync(guild=guild))
        log.info("commands synced: %s", scope.partition(":")[2])
    _write(path, {scope: digest})
    return True


async def _digest(tree: app_commands.CommandTree[Client]) -> str:
    commands = tree.get_commands()
    translator = tree.translator
    payload: list[Any] = [
        await command.get_translated_payload(tree, translator) if translator else command.to_dict(tree)
        for command in commands
    ]
    text = json.dumps(payload, sort_keys=True, ensure_ascii=False)
    return hashlib.sha256(text.encode()).hexdigest()


async def _clear(tree: app_commands.CommandTree[Client], application: int, scope: str) -> None:
    """Take the commands away from a scope of the same application."""
    owner, _, place = scope.partition(":")
    if owner != str(application):
        return
    http = tree.client.http
    try:
        if place == GLOBAL:
            await persist(lambda: http.bulk_upsert_global_commands(application, payload=[]))
        else:
            await persist(lambda: http.bulk_upsert_guild_commands(application, int(place), payload=[]))
    except discord.HTTPException as error:
        log.info("the commands of %s could not be taken away: status %s", place, error.status)


def _read(path: Path) -> dict[str, str]:
    """What was registered where; nothing where the file cannot be read, so that all is registered anew."""
    try:
        return strings_by_name(json.loads(path.read_text(encoding="utf-8")))
    except (OSError, ValueError, Unusable):
        return {}


def _write(path: Path, synced: dict[str, str]) -> None:
    text = json.dumps(synced).encode()
    write_whole(path, lambda file: _put(file, text))


def _put(file: Any, text: bytes) -> None:
    file.write(text)
