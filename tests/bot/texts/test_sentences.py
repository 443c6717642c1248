"""Everything a user reads, in both languages."""

import ast
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import discord
import pytest

from bot import errors
from bot.buttons.lists import language_name
from bot.texts import texts_in
from bot.texts.command_translator import CommandTranslator
from rag.texts import LOCALES, keys
from tests.bot.table import Table

Payload = dict[str, dict[str, Any]]

PROJECT = Path(__file__).parents[3]
PACKAGES = ("rag.texts", "bot.texts")


def sources(*folders: str) -> Iterator[ast.AST]:
    """Every piece of the sources."""
    for folder in folders:
        for path in (PROJECT / folder).rglob("*.py"):
            yield from ast.walk(ast.parse(path.read_text(encoding="utf-8")))


def strings(pieces: Iterable[ast.AST]) -> set[str]:
    """The strings that stand in the sources."""
    return {node.value for node in pieces if isinstance(node, ast.Constant) and isinstance(node.value, str)}


def test_both_languages_have_the_same_sentences() -> None:
    assert keys("en", "bot.texts") == keys("pt-BR", "bot.texts")


def test_no_sentence_has_two_homes() -> None:
    assert keys("en", "rag.texts") & keys("en", "bot.texts") == set()


def test_every_sentence_of_the_bot_is_used() -> None:
    wordings = {f"discord-{key}" for key in keys("en", "rag.texts")}
    told = {error.key for error in vars(errors).values() if hasattr(error, "key")}
    assert told <= keys("en", "bot.texts") | keys("en", "rag.texts")
    assert keys("en", "bot.texts") - strings(sources("bot")) - wordings - told == set()


def keys_in(pieces: Iterable[ast.AST]) -> set[str]:
    """The keys that the sources ask for: in calls, as `key = "…"`, in tables and enums of keys."""
    wanted: set[str] = set()
    for node in pieces:
        match node:
            case ast.Call(func=function, args=[*arguments]) if asks_for_a_sentence(function):
                wanted |= strings(branches(arguments))
            case ast.ClassDef(bases=[ast.Name(id="StrEnum")], body=body):
                wanted |= set(filter(is_key, strings(all_of(body))))
            case (
                ast.Assign(targets=[ast.Name(id="key")], value=value)
                | ast.AnnAssign(target=ast.Name(id="key"), value=value)
            ):
                wanted |= strings(branches([value])) if value else set()
            case ast.Dict(values=values) | ast.Tuple(elts=values) | ast.List(elts=values):
                wanted |= set(filter(is_key, strings(values)))
    return wanted


TOPICS = {key.split("-")[0] for package in PACKAGES for key in keys("en", package)}
"""The first words of keys: how a string is known for one where it stands in a table."""


def is_key(text: str) -> bool:
    """Whether a string in a table is meant as a key."""
    topic, dash, _ = text.partition("-")
    return bool(dash) and topic in TOPICS


def branches(nodes: Iterable[ast.AST]) -> Iterator[ast.AST]:
    """The nodes, and both ends of what is said conditionally."""
    for node in nodes:
        yield from branches([node.body, node.orelse]) if isinstance(node, ast.IfExp) else [node]


def all_of(nodes: Iterable[ast.AST]) -> Iterator[ast.AST]:
    """The nodes with everything inside them."""
    for node in nodes:
        yield from ast.walk(node)


def asks_for_a_sentence(function: ast.expr) -> bool:
    """Whether a call's function takes a key, by its name, or is made by `texts_in(…)` and its like."""
    match function:
        case ast.Name(id="texts" | "described" | "Finding" | "Notice"):
            return True
        case ast.Call(func=ast.Name(id="texts_in" | "texts_for" | "host_texts")):
            return True
    return False


def test_every_key_of_the_bot_has_a_sentence() -> None:
    assert keys_in(sources("bot")) - keys("en", "rag.texts") - keys("en", "bot.texts") == set()


# --- commands -------------------------------------------------------------------------------------


@pytest.fixture
async def payload(table: Table) -> Payload:
    bot = table.bot()
    await bot.tree.set_translator(CommandTranslator())
    await bot.add_commands()
    translator = bot.tree.translator
    assert translator is not None
    commands = [await one.get_translated_payload(bot.tree, translator) for one in bot.tree.get_commands()]
    await bot.close()
    return {str(command["name"]): command for command in commands}


@pytest.fixture
def table(tmp_path: Path) -> Table:
    return Table(tmp_path)


async def test_commands_are_those_of_the_contract(payload: Payload) -> None:
    menus = {"Ask the rules", "Make it a ruling"}
    assert set(payload) == {"rules", "library", "status", "help", "privacy", "gm", *menus}


async def test_descriptions_are_in_the_users_language(payload: Payload) -> None:
    descriptions = payload["rules"]["description_localizations"]
    assert descriptions == {
        "en-US": "Ask the rulebooks; the answer names book and page",
        "en-GB": "Ask the rulebooks; the answer names book and page",
        "pt-BR": "Pergunte aos livros de regras; a resposta diz o livro e a página",
    }


async def test_the_gms_commands_are_hidden_and_for_servers_only(
    payload: Payload,
) -> None:
    gm = payload["gm"]
    assert gm["contexts"] == [0]
    assert gm["default_member_permissions"] == discord.Permissions(manage_guild=True).value


@pytest.mark.parametrize("locale", LOCALES)
def test_descriptions_have_at_most_100_characters(locale: str) -> None:
    texts = texts_in(locale)
    prefixes = ("command-", "option-", "menu-")
    long = [key for key in keys(locale, "bot.texts") if key.startswith(prefixes) and len(texts(key)) > 100]
    assert long == []


def test_languages_are_named_in_the_users_own() -> None:
    assert language_name("pt", "en-US") == "Portuguese"
    assert language_name("en", "pt-BR") == "inglês"
    assert language_name("??", "en-US") == "??"


async def test_no_command_can_be_installed_to_a_user(payload: Payload) -> None:
    assert all(command["integration_types"] == [0] for command in payload.values())
