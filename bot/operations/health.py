"""`/gm check`: what is misconfigured, and what to click."""

import asyncio
from collections.abc import Awaitable, Callable, Collection, Sequence
from dataclasses import dataclass, field
from difflib import get_close_matches
from functools import partial
from typing import TYPE_CHECKING, Any

import discord

from bot.access import Access
from bot.books.readers import Reader
from bot.budgets import Account, AccountKind
from bot.errors import GmBooksClosed, NotGm
from bot.messages.places import PlaceKind, where
from bot.render.markdown import escaped
from bot.storage.files import files_set_aside
from bot.texts import discord_key
from rag.errors import ModelError
from rag.library.books.book import Problem
from rag.library.books.library_toml import LIBRARY_TOML, game_of, server_of
from rag.library.books.servers import ServerGames
from rag.library.index.manifest import Manifest, published
from rag.texts import Texts

if TYPE_CHECKING:
    from bot.client import Embed, RulesBot
    from rag.models.provider import ProviderChatModel


NEEDED_PERMISSIONS = {
    "view_channel": "permission-view-channel",
    "send_messages": "permission-send-messages",
    "embed_links": "permission-embed-links",
    "attach_files": "permission-attach-files",
    "read_message_history": "permission-read-history",
}
NEEDED_FOR_THREADS = {
    "create_public_threads": "permission-create-threads",
    "send_messages_in_threads": "permission-send-in-threads",
}


@dataclass(frozen=True, slots=True)
class Finding:
    """Something looked at: whether it is well, and the sentence that says so or what to do."""

    is_well: bool
    key: str
    values: dict[str, Any] = field(default_factory=dict)

    def line(self, texts: Texts) -> str:
        """The finding as a line of a list."""
        shown = {name: escaped(one) if isinstance(one, str) else one for name, one in self.values.items()}
        return f"{'✅' if self.is_well else '⚠️'} {texts(self.key, **shown)}"


async def run_checks(bot: "RulesBot", interaction: discord.Interaction) -> list[Finding]:
    """Everything that `/gm check` looks at, in the place where it was asked for."""
    manifest = await asyncio.to_thread(published, bot.settings.index_dir, bot.settings.chroma_url)
    models = await probe_models(bot.chat_model, bot.provider_embed)
    server = interaction.guild_id
    set_aside = await asyncio.to_thread(files_set_aside, bot.settings.data_dir, server)
    reader = await _gm_reader(bot, interaction)
    return [
        *check_permissions(interaction.app_permissions, where(interaction.channel).kind),
        _intent(wanted=bot.settings.message_content, granted=bot.intents.message_content),
        *models,
        *check_index(manifest, reader, server),
        *check_server(bot.book_list.servers(), bot.readers.served, server),
        *check_public(bot),
        *check_gm_role(bot.access, interaction.guild),
        *check_rulings(bot, server, {book.game for book in bot.book_list.books(reader)}),
        *_budget(bot, server),
        *(Finding(False, "data-set-aside", {**file}) for file in set_aside),
    ]


async def _gm_reader(bot: "RulesBot", interaction: discord.Interaction) -> Reader:
    """Whose books `/gm check` speaks of: a GM's, where a GM asks and there is one, else the players'."""
    try:
        return await bot.asking.reader(interaction, "gm")
    except (GmBooksClosed, NotGm):
        return await bot.readers.player(interaction.user, interaction.guild_id)


def check_server(entries: ServerGames | None, served: Sequence[int], server: int | None) -> list[Finding]:
    """Which games a server sees, and why it has no GM; nothing where it is alone and has no entry."""
    if entries:
        games = ", ".join(filter(None, entries.get(str(server), ())))
        is_listed = str(server) in entries
        key = "check-server-games" if is_listed else "check-server-unlisted"
        return [Finding(is_listed, key, {"server": str(server), "games": games or "–"})]
    if entries is not None and len(served) > 1:
        return [Finding(False, "check-gm-closed", {"server": str(server)})]
    return []


def check_gm_role(access: Access, guild: discord.Guild | None) -> list[Finding]:
    """That a server has no role that the settings name for GMs; nothing where it has."""
    if guild is None or not (role := access.missing_gm_role(guild)):
        return []
    names = {one.name.casefold(): one.name for one in guild.roles if not one.is_default()}
    nearest = get_close_matches(role.strip().casefold(), names, 1)
    meant = names[nearest[0]] if nearest else "none"
    return [Finding(False, "check-gm-role", {"role": role, "nearest": meant})]


def check_rulings(bot: "RulesBot", server: int | None, games: Collection[str]) -> list[Finding]:
    """Rulings on games that the library no longer has under that name."""
    ruled = bot.rulings.games(server) if server else []
    return [Finding(False, "check-rulings-of-no-game", {"game": one}) for one in ruled if one not in games]


def server_warnings(bot: "RulesBot") -> list[Finding]:
    """What servers may see that the host may not have meant; nothing while nothing is indexed."""
    entries, served, gm_games = bot.book_list.servers(), bot.readers.served, bot.book_list.gm_games
    if entries is None:
        return []
    found = _listed(entries, served, gm_games) if entries else _unlisted(served, gm_games)
    strangers = [guild.id for guild in bot.all_guilds if not bot.access.serves(guild.id)]
    found += [Finding(False, "server-not-served", {"server": str(server)}) for server in strangers]
    return [*found, *check_public(bot)]


def _listed(entries: ServerGames, served: Sequence[int], gm_games: Collection[str]) -> list[Finding]:
    """Servers without an entry, and GM's books that the GMs of several servers have."""
    unlisted = [server for server in served if str(server) not in entries]
    found = [Finding(False, "server-unlisted", {"server": str(server)}) for server in unlisted]
    for game in sorted(gm_games):
        sharing = [str(server) for server in sorted(served) if game in entries.get(str(server), ())]
        if len(sharing) > 1:
            facts = {"game": game or "none", "servers": ", ".join(sharing)}
            found.append(Finding(False, "gm-books-shared", facts))
    return found


def _unlisted(served: Sequence[int], gm_games: Collection[str]) -> list[Finding]:
    """Several servers of which nothing says who sees what."""
    if len(served) < 2 or not gm_games:
        return []
    ids = ", ".join(map(str, sorted(served)))
    return [Finding(False, "servers-without-entries", {"count": len(served), "servers": ids})]


def check_public(bot: "RulesBot") -> list[Finding]:
    """What it means that anybody may invite the bot; nothing where only its owner may."""
    return [Finding(True, "application-public")] if bot.is_public else []


def _budget(bot: "RulesBot", guild: int | None) -> list[Finding]:
    """The tokens a server has spent today, of how many; nothing where no model takes any."""
    if guild is None or not bot.chat_model:
        return []
    spent = bot.budgets.spent(Account(AccountKind.SERVER, guild)).tokens
    limit = bot.budgets.limits[AccountKind.SERVER]
    if not limit:
        return [Finding(True, "check-budget-none", {"spent": spent})]
    key = "check-budget-left" if spent < limit else "check-budget-spent"
    return [Finding(spent < limit, key, {"spent": spent, "limit": limit})]


async def probe_models(model: "ProviderChatModel | None", embed: "Embed | None") -> list[Finding]:
    """What is found of the chat model, and of the embedding model where that is a provider's."""
    found = [await _probe("check-model-works", model.trial)] if model else [Finding(True, "check-model-none")]
    if embed:
        found.append(await _probe("check-embedding-works", partial(asyncio.to_thread, embed, "ready")))
    return found


async def _probe(key: str, trial: Callable[[], Awaitable[object]]) -> Finding:
    """What a model's server says to one short call; the host's sentence where it fails."""
    try:
        await trial()
    except ModelError as error:
        return Finding(False, error.key)
    return Finding(True, key)


def check_permissions(granted: discord.Permissions, place: PlaceKind) -> list[Finding]:
    """The permissions missing in a place, one finding each; one good finding where none is."""
    needed = NEEDED_PERMISSIONS | ({} if place is PlaceKind.SPOKEN else NEEDED_FOR_THREADS)
    missing = [key for name, key in needed.items() if not getattr(granted, name)]
    return [Finding(False, key) for key in missing] or [Finding(True, "check-permissions-fine")]


def _intent(*, wanted: bool, granted: bool) -> Finding:
    """Whether the bot may read plain messages, as its settings want."""
    if wanted and not granted:
        return Finding(False, "check-intent-missing")
    return Finding(True, "check-intent-on" if granted else "check-intent-off")


def check_index(manifest: Manifest | None, reader: Reader, server: int | None) -> list[Finding]:
    """The problems of the index and of the reader's books; one good finding where there are none."""
    if manifest is None:
        return [Finding(False, "check-index-missing")]
    books = [book for book in manifest.books[reader.audience] if reader.sees(book)]
    known = [(one.key, one.values) for one in manifest.problems if _may_know(one, reader, server)]
    known += [(one["key"], one["values"]) for book in books for one in book.problems]
    found = [Finding(False, key, dict(values)) for key, values in known]
    if not found and (reader.games is not None or not manifest.problems):
        found = [Finding(True, "check-index-fine")]
    low = ((book, *one) for book in books for one in book.health.low(book.pages).items())
    return found + [
        Finding(False, discord_key(key), {"title": book.title, "percent": round(100 * share)})
        for book, key, share in low
    ]


def _may_know(problem: Problem, reader: Reader, server: int | None) -> bool:
    """Whether a problem is of a reader's games; one of no readable book may be the GM's."""
    uploader = server_of(problem.file)
    if reader.audience == "player" or uploader:
        return uploader == server and reader.audience == "gm"
    if reader.games is None:
        return True
    if problem.file == LIBRARY_TOML:
        return bool(problem.values.get("server") == str(server))
    is_folder = "folder" in problem.values
    return game_of(f"{problem.file}/…" if is_folder else problem.file) in reader.games
