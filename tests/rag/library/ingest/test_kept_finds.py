"""What was found on the pages of books outlives an ingestion; a damaged file costs time alone."""

from collections.abc import Callable
from pathlib import Path

import pytest

from rag.library.ingest import kept_finds
from rag.library.ingest.kept_finds import load_finds, save_finds
from rag.library.references import find_references
from rag.library.references.code_evidence import IN_GAME
from rag.library.references.code_uses import code_uses, lettered_numbers, letters_alone
from rag.library.references.page_finds import PageFinds

CONTENTS = {"a.pdf": "123 abc", "b.pdf": "456 def"}
TEXTS = ["Nothing.", "See Magic, p. 3, and Kicks (p. B12). B for Basic, M for Magic.", "See B4."]


@pytest.fixture
def finds() -> PageFinds:
    """What is found in two books."""
    found = PageFinds()
    for file in CONTENTS:
        found.find(
            file, "references", TEXTS, lambda text: find_references(text, ["Magic"], ["B"]), ["Magic"], ["B"]
        )
        found.find(file, IN_GAME, TEXTS, lambda text: code_uses(text, ["B"], ["Magic"]), ["Magic"], ["B"])
        found.find(file, "letters", TEXTS, lettered_numbers)
        found.find(file, "letters alone", TEXTS, letters_alone)
    found.weight("a.pdf", "9 kick", lambda: 1 / 3)
    return found


def kept(finds: PageFinds, path: Path, contents: dict[str, str]) -> PageFinds:
    """What is loaded where these finds were saved: looked for in vain, but for what is kept."""
    save_finds(path, CONTENTS, finds)
    return load_finds(path, contents)


@pytest.mark.parametrize("what", ["references", IN_GAME, "letters", "letters alone"])
def test_what_was_found_is_kept(finds: PageFinds, tmp_path: Path, what: str) -> None:
    before = finds.found["a.pdf", what]
    loaded = kept(finds, tmp_path / "finds", CONTENTS)
    assert loaded.find("a.pdf", what, TEXTS, lambda _: (), before.names, before.codes) == before.pages


def test_a_file_of_another_content_has_nothing_kept(finds: PageFinds, tmp_path: Path) -> None:
    loaded = kept(finds, tmp_path / "finds", {**CONTENTS, "a.pdf": "789 abc"})
    assert not any(loaded.find("a.pdf", "letters", TEXTS, lambda _: ()))


DAMAGES: dict[str, Callable[[bytes], bytes]] = {
    "cut off": lambda content: content[: len(content) // 2],
    "other bytes": lambda content: content[:40] + b"1234" + content[44:],
    "empty": lambda _: b"",
    "something else": lambda _: b"{}",
}


@pytest.mark.parametrize("damage", DAMAGES.values(), ids=DAMAGES.keys())
def test_a_damaged_file_keeps_nothing(
    finds: PageFinds, tmp_path: Path, damage: Callable[[bytes], bytes]
) -> None:
    path = tmp_path / "finds"
    save_finds(path, CONTENTS, finds)
    path.write_bytes(damage(path.read_bytes()))
    assert not any(load_finds(path, CONTENTS).find("a.pdf", "letters", TEXTS, lambda _: ()))


def test_what_another_release_found_is_looked_for_anew(
    finds: PageFinds, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    save_finds(tmp_path / "finds", CONTENTS, finds)
    monkeypatch.setattr(kept_finds, "INDEX_VERSION", -1)
    assert not any(load_finds(tmp_path / "finds", CONTENTS).find("a.pdf", "letters", TEXTS, lambda _: ()))
