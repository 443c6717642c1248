"""Who reads: found anew for every request, from its server or from the servers of its person."""

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass

import discord

from bot.access import Access
from bot.errors import GmBooksClosed
from rag.config import Audience
from rag.library.books.book import BookSummary
from rag.library.books.library_toml import server_of
from rag.library.books.servers import ServerGames


@dataclass(frozen=True, slots=True)
class Reader:
    """A player or a GM, and the games of the host's that they may see; None: all there are.

    `server` is the one at whose table they play: in a direct message the only one they are in; None: several.
    `uploaders` are those servers of theirs in which books were uploaded.
    """

    audience: Audience
    games: frozenset[str] | None
    server: int | None = None
    uploaders: frozenset[int] = frozenset()

    def sees(self, book: BookSummary) -> bool:
        """Whether a book exists for this reader."""
        uploader = server_of(book.file)
        return uploader in self.uploaders if uploader else self.games is None or book.game in self.games


@dataclass(eq=False)
class Readers:
    """Makes the reader of each request by the entries of servers in the index.

    Without entries every served server has the players' books, and only the one that is served alone has
    a GM. With any, a server has what its entry names, and one without an entry has nothing but what was
    uploaded there. `servers` tells the entries (None: nothing is indexed yet), `uploaders` the servers with
    uploads, `guilds` those that the bot is in.
    """

    access: Access
    servers: Callable[[], ServerGames | None]
    uploaders: Callable[[], frozenset[int]]
    guilds: Callable[[], Sequence[discord.Guild]]

    @property
    def served(self) -> list[int]:
        """The servers in which the bot answers."""
        return [guild.id for guild in self.guilds() if self.access.serves(guild.id)]

    async def player(self, user: discord.abc.User, guild_id: int | None) -> Reader:
        """Somebody as a player of a server; in a direct message, of all their servers.

        Raises `NotHere`, or what kept Discord from telling who is in them.
        """
        return self.of("player", await self.access.check(user, guild_id, self.guilds()))

    def gm(self, guild_id: int | None) -> Reader:
        """A GM of a server, whoever that is. Raises `GmBooksClosed` where none can be told apart."""
        servers = [] if guild_id is None else [guild_id]
        if self.servers() or self.served == servers:
            return self.of("gm", servers)
        raise GmBooksClosed

    def of(self, audience: Audience, servers: Collection[int]) -> Reader:
        """Somebody who speaks for these servers."""
        only = next(iter(servers)) if len(servers) == 1 else None
        return Reader(audience, self._games(servers), only, self.uploaders().intersection(servers))

    def _games(self, servers: Collection[int]) -> frozenset[str] | None:
        """The games that people of these servers see; None: all there are."""
        entries = self.servers()
        if entries is None:
            return frozenset()
        if not entries:
            return None
        return frozenset(game for server in servers for game in entries.get(str(server), ()))
