"""Rules of the repository about the bot."""

import ast
from pathlib import Path

import discord
import pytest

from bot.operations.health import NEEDED_FOR_THREADS, NEEDED_PERMISSIONS

PROJECT = Path(__file__).parent.parent.parent


@pytest.mark.parametrize("path", sorted((PROJECT / "bot" / "cogs").glob("*.py")), ids=lambda path: path.stem)
def test_cogs_are_thin(path: Path) -> None:
    long = [
        node.name
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        and (node.end_lineno or 0) - node.lineno > 30
    ]
    assert long == []


def test_the_procfile_starts_the_bot() -> None:
    assert (PROJECT / "Procfile").read_text(encoding="utf-8") == "worker: python -m bot\n"


def test_the_invite_link_asks_for_exactly_what_the_bot_needs() -> None:
    told = (PROJECT / "README.md").read_text(encoding="utf-8")
    needed = discord.Permissions(**dict.fromkeys([*NEEDED_PERMISSIONS, *NEEDED_FOR_THREADS], True))
    assert f"scope=bot%20applications.commands&permissions={needed.value}" in told
