"""What the graph reports while it works; cogs and terminal draw it."""

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum


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


Report = Callable[[Progress], None]


def unreported(progress: Progress) -> None:
    """For callers that draw no progress."""
