"""Commands are sent to Discord where they changed, by a hash of them in DATA_DIR, or where it lacks them."""

import hashlib
import json
import logging
from pathlib import Path
from typing import Any

import discord
from discord import app_commands
from pydantic import OnErrorOmit, TypeAdapter

from bot.messages.calls import FAILURES, persist, refusal, silently
from bot.storage.json_file import JsonFile
from bot.texts import host_texts

log = logging.getLogger(__name__)

COMMANDS = "commands.json"
GLOBAL = "global"
_SYNCED = TypeAdapter(dict[str, OnErrorOmit[str]])


async def sync_or_explain(
    tree: app_commands.CommandTree[Any], application: int, guild: discord.Object | None, data_dir: Path
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
    except FAILURES as error:
        log.error(texts("sync-failed", refusal=refusal(error)))


async def sync_commands(
    tree: app_commands.CommandTree[Any], application: int, guild: discord.Object | None, data_dir: Path
) -> None:
    """Register the commands, for one server at once or globally.

    Where they were registered elsewhere before, they are taken away there, lest they stand twice. A server
    that removes the bot loses its commands, also while the bot is off.
    """
    synced = JsonFile(data_dir / COMMANDS, _SYNCED, {})
    scope = f"{application}:{guild.id if guild else GLOBAL}"
    digest = await _digest(tree)
    for other in set(synced.kept) - {scope}:
        await _clear(tree, application, other)
    if synced.kept.get(scope) != digest or not await _are_registered(tree, guild):
        if guild:
            tree.copy_global_to(guild=guild)
        await persist(lambda: tree.sync(guild=guild))
        log.info("commands synced: %s", scope.partition(":")[2])
    synced.keep({scope: digest})


async def _are_registered(tree: app_commands.CommandTree[Any], guild: discord.Object | None) -> bool:
    """Whether Discord has our commands, by their names."""
    registered = await persist(lambda: tree.fetch_commands(guild=guild))
    return {command.name for command in registered} == {command.name for command in tree.get_commands()}


async def _digest(tree: app_commands.CommandTree[Any]) -> str:
    translator = tree.translator
    payload: list[Any] = [
        await command.get_translated_payload(tree, translator) if translator else command.to_dict(tree)
        for command in tree.get_commands()
    ]
    text = json.dumps(payload, sort_keys=True, ensure_ascii=False)
    return hashlib.sha256(text.encode()).hexdigest()


async def _clear(tree: app_commands.CommandTree[Any], application: int, scope: str) -> None:
    """Take the commands away from a scope of the same application."""
    owner, _, place = scope.partition(":")
    if owner != str(application):
        return
    http, what = tree.client.http, f"take the commands away from {place}"
    if place == GLOBAL:
        await silently(lambda: http.bulk_upsert_global_commands(application, payload=[]), what)
    else:
        await silently(lambda: http.bulk_upsert_guild_commands(application, int(place), payload=[]), what)
