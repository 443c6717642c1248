"""Everything a user reads, in both languages."""

import ast
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import discord
import pytest

from bot.cogs.library import language_name
from bot.texts import texts_in
from bot.translation import CommandTranslator
from rag.texts import LOCALES, keys
from tests.bot.table import Table

Payload = dict[str, dict[str, Any]]

PROJECT = Path(__file__).parent.parent.parent
PACKAGES = ("rag.texts", "bot.texts")


def sources(*folders: str) -> Iterator[ast.AST]:
    """Every piece of the sources."""
    for folder in folders:
        for path in (PROJECT / folder).rglob("*.py"):
            yield from ast.walk(ast.parse(path.read_text(encoding="utf-8")))


def strings(pieces: Iterable[ast.AST]) -> set[str]:
    """The strings that stand in the sources."""
    return {node.value for node in pieces if isinstance(node, ast.Constant) and isinstance(node.value, str)}


@pytest.mark.parametrize("package", PACKAGES)
def test_both_languages_have_the_same_sentences(package: str) -> None:
    assert keys("en", package) == keys("pt-BR", package)


def test_no_sentence_has_two_homes() -> None:
    assert keys("en", "rag.texts") & keys("en", "bot.texts") == set()


def test_every_sentence_of_the_bot_is_used() -> None:
    assert keys("en", "bot.texts") - strings(sources("bot")) == set()


def test_every_key_of_the_bot_has_a_sentence() -> None:
    wanted = {
        node.args[0].value
        for node in sources("bot")
        if isinstance(node, ast.Call)
        and isinstance(node.func, ast.Name)
        and node.func.id in ("texts", "described")
        and node.args
        and isinstance(node.args[0], ast.Constant)
    }
    assert wanted - keys("en", "rag.texts") - keys("en", "bot.texts") == set()


# --- commands -------------------------------------------------------------------------------------


@pytest.fixture
async def payload(table: Table) -> Payload:
    bot = table.bot()
    await bot.tree.set_translator(CommandTranslator())
    for cog in ("rules", "library", "status", "privacy", "gm"):
        await bot.load_extension(f"bot.cogs.{cog}")
    translator = bot.tree.translator
    assert translator is not None
    commands = [await one.get_translated_payload(bot.tree, translator) for one in bot.tree.get_commands()]
    await bot.close()
    return {str(command["name"]): command for command in commands}


@pytest.fixture
def table(tmp_path: Path) -> Table:
    return Table(tmp_path)


async def test_commands_are_those_of_the_contract(payload: Payload) -> None:
    assert set(payload) == {"rules", "library", "status", "privacy", "gm", "Ask the rules"}


async def test_the_name_rules_is_the_same_everywhere(payload: Payload) -> None:
    assert not payload["rules"].get("name_localizations")


async def test_descriptions_are_in_the_users_language(payload: Payload) -> None:
    descriptions = payload["rules"]["description_localizations"]
    assert descriptions == {
        "en-US": "Ask the rulebooks; the answer names book and page",
        "en-GB": "Ask the rulebooks; the answer names book and page",
        "pt-BR": "Pergunte aos livros de regras; a resposta diz o livro e a página",
    }


async def test_a_question_has_at_most_1000_characters(payload: Payload) -> None:
    assert payload["rules"]["options"][0]["max_length"] == 1000


async def test_no_command_can_be_installed_to_a_user(payload: Payload) -> None:
    assert all(command["integration_types"] == [0] for command in payload.values())


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
