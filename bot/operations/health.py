"""What is misconfigured, and what to click; pure."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import discord

from bot.messages.places import PlaceKind
from bot.render.markdown import escaped
from rag.library.books.book import Problem
from rag.texts import Texts


@dataclass(frozen=True, slots=True)
class Finding:
    """Something looked at: whether it is well, and the sentence that says so or what to do."""

    is_well: bool
    key: str
    values: dict[str, Any] = field(default_factory=dict)

    def line(self, texts: Texts) -> str:
        """The finding as a line of a list."""
        shown = {
            name: escaped(value) if isinstance(value, str) else value for name, value in self.values.items()
        }
        return f"{'✅' if self.is_well else '⚠️'} {texts(self.key, **shown)}"


NEEDED = {
    "view_channel": "permission-view-channel",
    "send_messages": "permission-send-messages",
    "embed_links": "permission-embed-links",
    "read_message_history": "permission-read-history",
}
NEEDED_FOR_THREADS = {
    "create_public_threads": "permission-create-threads",
    "send_messages_in_threads": "permission-send-in-threads",
}


def needed_permissions() -> discord.Permissions:
    """The permissions that the invite link asks for."""
    return discord.Permissions(**dict.fromkeys([*NEEDED, *NEEDED_FOR_THREADS], True))


def check_permissions(granted: discord.Permissions, place: PlaceKind) -> list[Finding]:
    """The permissions missing in a place, one finding each; one good finding where none is."""
    needed = NEEDED if place is PlaceKind.SPOKEN else NEEDED | NEEDED_FOR_THREADS
    missing = [key for name, key in needed.items() if not getattr(granted, name)]
    return [Finding(False, key) for key in missing] or [Finding(True, "check-permissions-fine")]


def check_setup(
    *, wants_content: bool, reads_content: bool, models: Sequence[Finding], problems: Sequence[Problem] | None
) -> list[Finding]:
    """Intents, models and index; `problems` are the index's, None where there is no index.

    `models` is what was found when they were tried.
    """
    return [
        _intent(wants_content, reads_content),
        *models,
        *_index(problems),
    ]


def check_budget(spent: int, limit: int) -> Finding:
    """The tokens a server has spent today, of how many; a limit of 0 is none."""
    if not limit:
        return Finding(True, "check-budget-none", {"spent": spent})
    key = "check-budget-left" if spent < limit else "check-budget-spent"
    return Finding(spent < limit, key, {"spent": spent, "limit": limit})


def _intent(wants_content: bool, reads_content: bool) -> Finding:
    if wants_content and not reads_content:
        return Finding(False, "check-intent-missing")
    return Finding(True, "check-intent-on" if reads_content else "check-intent-off")


def _index(problems: Sequence[Problem] | None) -> list[Finding]:
    if problems is None:
        return [Finding(False, "check-index-missing")]
    found = [Finding(False, problem.key, dict(problem.values)) for problem in problems]
    return found or [Finding(True, "check-index-fine")]
