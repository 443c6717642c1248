"""The README leads to every page; a page in Portuguese says to type and press the same."""

import re
from pathlib import Path

import pytest

from tests.conftest import ROOT
from tests.test_docs import destinations, without_code

DOORS = (ROOT / "README.md", ROOT / "LEIAME.md")
PORTUGUESE = sorted(ROOT.glob("docs/*.pt-BR.md"))
PAIRS = [DOORS, *((path.with_name(path.name.replace(".pt-BR", "")), path) for path in PORTUGUESE)]
TRANSLATED = pytest.mark.parametrize("pair", PAIRS, ids=lambda pair: pair[1].name)
CODE = re.compile(r"^```(\w*)\n(.*?)^```|`([^`\n]+)`", re.DOTALL | re.MULTILINE)
LABEL = re.compile(r"^((?:button|menu)-[\w-]+) = ([^{\n]+)$", re.MULTILINE)


def typed(page: Path) -> set[str]:
    """Each line that the page says to type, without comments; what a group writes in Markdown is its own."""
    code = CODE.findall(page.read_text(encoding="utf-8"))
    lines = "\n".join(block + inline for language, block, inline in code if language != "markdown")
    return {line.partition(" #")[0].rstrip() for line in lines.splitlines()}


def originals(page: Path) -> set[tuple[str, int | None]]:
    """Where the page leads to, a translation by its original's name."""
    named = [(str(path.relative_to(ROOT)), heading) for path, heading in destinations(page)]
    return {(name.replace(".pt-BR", "").replace("LEIAME", "README"), heading) for name, heading in named}


def labels(locale: str) -> dict[str, str]:
    """By key the words on the bot's buttons and menus, but for those that name a game."""
    return dict(LABEL.findall((ROOT / "bot" / "texts" / f"{locale}.ftl").read_text(encoding="utf-8")))


def test_every_page_is_linked_from_a_front_door_of_120_lines() -> None:
    assert all(len(door.read_text(encoding="utf-8").splitlines()) <= 120 for door in DOORS)
    assert {*ROOT.glob("docs/*.md")} - {path for door in DOORS for path, _ in destinations(door)} == set()


@TRANSLATED
def test_a_translation_says_to_type_the_same(pair: tuple[Path, Path]) -> None:
    page, translation = map(typed, pair)
    assert page ^ translation == set()


@TRANSLATED
def test_a_translation_has_the_same_sections_and_leads_to_the_same_places(pair: tuple[Path, Path]) -> None:
    page, translation = (re.findall("^#+ ", without_code(one), re.MULTILINE) for one in pair)
    assert page == translation
    assert originals(pair[0]) ^ originals(pair[1]) == set()


@TRANSLATED
def test_a_translation_names_each_button_as_discord_shows_it(pair: tuple[Path, Path]) -> None:
    english, portuguese = labels("en"), labels("pt-BR")
    page, translation = (one.read_text(encoding="utf-8") for one in pair)
    named = {key for key, words in english.items() if f"**{words}**" in page}
    assert {portuguese[key] for key in named if f"**{portuguese[key]}**" not in translation} == set()
