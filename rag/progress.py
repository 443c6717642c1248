"""What the graph reports while it works; cogs and terminal draw it."""

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum

from rag.state import Source


class Stage(StrEnum):
    """The steps a reader is told of; the values are keys of `rag/texts`."""

    REWRITING = "progress-rewriting"
    SEARCHING = "progress-searching"
    JUDGING = "progress-judging"
    FOLLOWING = "progress-following"
    WRITING = "progress-writing"


@dataclass(frozen=True)
class Progress:
    """A step that begins: which, in which hop, and towards what ("Powers p. 100")."""

    stage: Stage
    hop: int = 1
    target: str = ""


@dataclass(frozen=True)
class Stated:
    """A statement that is proven, while the next is still being written; the answer will begin with it.

    It has no source numbers yet: they are given when all sources are known.
    """

    text: str
    sources: tuple[Source, ...] = ()


Report = Callable[[Progress], None]


def unreported(event: Progress | Stated) -> None:
    """For callers that draw no progress."""
