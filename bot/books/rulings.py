"""The rulings of each server and game, as Markdown in DATA_DIR: read anew for each question."""

from collections.abc import Callable, Collection, Sequence
from datetime import UTC, datetime
from pathlib import Path

from bot.storage.files import set_aside
from bot.storage.server_folders import ServerFolders
from rag.library.books.ruling import Ruling, as_markdown, game_of, parsed, title_of, with_ended, with_ruling
from rag.library.index.atomic_files import write_bytes

RULINGS = "rulings"
Clock = Callable[[], datetime]


class TableRulings(ServerFolders):
    """The files `rulings/<server>/<game>.md`; every method is safe to call from any thread."""

    def __init__(self, data_dir: Path, now: Clock = lambda: datetime.now(UTC)) -> None:
        super().__init__(data_dir / RULINGS)
        self.now = now

    def holding(self, server: int | None, games: Collection[str] | None = None) -> list[Ruling]:
        """What holds now in a server, of these games or of all; nothing where no server is told."""
        if server is None:
            return []
        found = [ruling for path in sorted(self._of(server).glob("*.md")) for ruling in self._rulings(path)]
        now = self.now()
        return [one for one in found if (games is None or one.game in games) and one.holds(now)]

    def all(self, server: int, game: str) -> list[Ruling]:
        """All that was ever ruled on a game in a server, in order."""
        return self._rulings(self._path(server, game))

    def text(self, server: int, game: str) -> str:
        """The file of a game, as it is kept; empty where nothing was ruled."""
        rulings = self.all(server, game)
        return as_markdown(title_of(game), rulings) if rulings else ""

    def add(self, server: int, ruling: Ruling) -> bool:
        """Keep a ruling; whether it supersedes another."""
        with self._lock:
            before = self.all(server, ruling.game)
            now = self.now()
            after = with_ruling(before, ruling, now)
            self._write(self._path(server, ruling.game), ruling.game, after)
        return after[:-1] != before

    def end(self, server: int, game: str, heading: str) -> bool:
        """End what holds under a heading; whether anything did."""
        with self._lock:
            before = self.all(server, game)
            after = with_ended(before, heading, self.now())
            if after != before:
                self._write(self._path(server, game), game, after)
        return after != before

    def games(self, server: int) -> list[str]:
        """The games on which anything was ruled in a server."""
        return [game_of(path.stem) for path in sorted(self._of(server).glob("*.md"))]

    def _path(self, server: int, game: str) -> Path:
        return self._of(server) / f"{title_of(game)}.md"

    def _rulings(self, path: Path) -> list[Ruling]:
        """The rulings of a file, which may have been changed by hand."""
        try:
            return parsed(path.read_text(encoding="utf-8-sig"), game_of(path.stem))
        except FileNotFoundError:
            return []
        except UnicodeDecodeError as error:
            set_aside(path, str(error))
            return []

    def _write(self, path: Path, game: str, rulings: Sequence[Ruling]) -> None:
        write_bytes(path, as_markdown(title_of(game), rulings).encode())
