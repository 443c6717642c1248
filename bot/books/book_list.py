"""The list of books in memory, for completion and scope; renewed when ingestion publishes."""

from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from bot.books.readers import Reader
from rag.config import Audience
from rag.errors import RulesError
from rag.evaluation.questions_to_try import questions_to_try
from rag.library.books.book import BookSummary
from rag.library.books.library_toml import server_of
from rag.library.books.servers import ServerGames
from rag.library.index.local import Index
from rag.texts import locale_for, texts_for

if TYPE_CHECKING:
    from rag.graph import RulesGraph
    from rag.library.library import Library


@dataclass(eq=False)
class BookList:
    """The books each reader may know."""

    library: "Library"
    rules_graph: "RulesGraph"
    index_dir: Path
    _stamp: tuple[int, int] | None = None
    _books: dict[Audience, list[BookSummary]] = field(default_factory=dict)
    _servers: ServerGames | None = None
    _to_try: dict[tuple[Reader, str], list[str]] = field(default_factory=dict)

    def books(self, reader: Reader) -> list[BookSummary]:
        """The reader's books, in order of file."""
        self._renew()
        if reader.audience not in self._books:
            self._books[reader.audience] = self.library.books(reader.audience)
        return [book for book in self._books[reader.audience] if reader.sees(book)]

    def servers(self) -> ServerGames | None:
        """The games of each server; None where nothing is indexed yet."""
        self._renew()
        if self._servers is None:
            self._servers = self.library.servers()
        return self._servers

    async def to_try(self, player: Reader, locale: str | None) -> list[str]:
        """A few questions that a player's books surely answer, in the language of a locale."""
        self._renew()
        made = self._to_try
        if (key := (player, locale_for(locale))) not in made:
            try:
                made[key] = await questions_to_try(
                    self.library, self.rules_graph, texts_for(locale), is_seen=player.sees
                )
            except RulesError:
                return []
        return made[key]

    def uploaders(self) -> frozenset[int]:
        """The servers in which books were uploaded."""
        return frozenset(filter(None, (server_of(book.file) for book in self.library.books("gm"))))

    @property
    def gm_games(self) -> set[str]:
        """The games with a book that no player may see; what was uploaded is its server's alone."""
        gms = [book for book in self.library.books("gm") if book.audience == "gm"]
        return {book.game for book in gms if not server_of(book.file)}

    def _renew(self) -> None:
        """Forget everything where ingestion has published since."""
        stamp = Index(self.index_dir).stamp()
        if stamp != self._stamp:
            self._books, self._servers, self._to_try, self._stamp = {}, None, {}, stamp

    def indexed_at(self) -> float | None:
        """When the index was published, in seconds since the epoch; None where there is none."""
        stamp = Index(self.index_dir).stamp()
        return stamp[0] / 1e9 if stamp else None
