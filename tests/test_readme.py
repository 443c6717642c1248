"""The README leads to every page; in Portuguese it and the page of Discord say to type and press the same."""

import re

from tests.conftest import ROOT
from tests.test_docs import LINK

PAIRS = (("README.md", "docs/discord.md"), ("LEIAME.md", "docs/discord.pt-BR.md"))
README, LEIAME = ("\n".join((ROOT / name).read_text(encoding="utf-8") for name in pages) for pages in PAIRS)
TYPED = re.compile(r"```.*?```|`[^`\n]+`", re.DOTALL)
COMMAND = re.compile(r"```|`(/|make|python)")
LABEL = re.compile(r"^((?:button|menu)-[\w-]+) = ([^{\n]+)$", re.MULTILINE)


def labels(locale: str) -> dict[str, str]:
    """By key the words on the bot's buttons and menus, but for those that name a game."""
    return dict(LABEL.findall((ROOT / "bot" / "texts" / f"{locale}.ftl").read_text(encoding="utf-8")))


def test_every_page_is_linked_from_a_front_door_of_120_lines() -> None:
    assert all(len((ROOT / front).read_text(encoding="utf-8").splitlines()) <= 120 for front, _ in PAIRS)
    pages = {f"docs/{path.name}" for path in (ROOT / "docs").glob("*.md")}
    assert pages - {link.partition("#")[0] for link in LINK.findall(README)} == set()


def test_the_translation_has_every_command_and_invents_nothing_to_type() -> None:
    told, translated = set(TYPED.findall(README)), set(TYPED.findall(LEIAME))
    assert translated - told == set()
    assert {command for command in told - translated if COMMAND.match(command)} == set()


def test_the_links_of_the_translation_are_those_of_the_original() -> None:
    original, translation = (
        {link for link in LINK.findall(text) if not link.startswith("#")} for text in (README, LEIAME)
    )
    assert translation - {"README.md"} == original - {"LEIAME.md"}


def test_the_translation_names_each_button_as_discord_shows_it_in_portuguese() -> None:
    english, portuguese = labels("en"), labels("pt-BR")
    named = {key for key, words in english.items() if f"**{words}**" in README}
    assert {portuguese[key] for key in named if f"**{portuguese[key]}**" not in LEIAME} == set()
