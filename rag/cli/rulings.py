"""A table's rulings in the terminal: those that the bot keeps of a server, read from its folder."""

from datetime import UTC, datetime
from pathlib import Path

from rag.errors import NoRulings
from rag.library.books.ruling import Ruling, game_of, parsed


def rulings_in(folder: Path) -> list[Ruling]:
    """What holds now of the rulings in a folder, a file a game. Raises `NoRulings`."""
    try:
        texts = {path.stem: path.read_text(encoding="utf-8-sig") for path in sorted(folder.glob("*.md"))}
    except (OSError, UnicodeDecodeError) as error:
        raise NoRulings(folder=str(folder)) from error
    if not texts:
        raise NoRulings(folder=str(folder))
    now = datetime.now(UTC)
    return [one for name, text in texts.items() for one in parsed(text, game_of(name)) if one.holds(now)]
