"""A power cut at any moment: what was not synced is lost, and what is published is whole all the same."""

import os
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from rag.library.index.local import Index
from rag.library.ingest import ingest as ingestion
from rag.library.library import Library
from tests.rag.library.small_library import SmallLibrary

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="reads the path of a descriptor in /proc")


class UnreliableDisk:
    """Notes what is synced in a folder, so that the folder after a power cut can be made.

    A name is kept once its folder was synced; the content of a file is what it was when that was synced.
    """

    def __init__(self, folder: Path, pins: Path) -> None:
        self._folder = folder
        self._pins = pins
        self._contents: dict[int, bytes] = {}
        self._names: dict[Path, dict[str, int | None]] = {}
        self.cuts: list[dict[str, bytes]] = []
        self._sync = os.fsync
        for path in [folder, *folder.rglob("*")]:
            self._note(path)

    def fsync(self, descriptor: int) -> None:
        self._sync(descriptor)
        path = Path(f"/proc/self/fd/{descriptor}").readlink()
        self.cuts.append(self.left())
        if path.is_relative_to(self._folder):
            self._note(path)
            self.cuts.append(self.left())

    def left(self) -> dict[str, bytes]:
        """The files after a power cut at this moment."""
        return {
            path.relative_to(self._folder).as_posix(): content for path, content in self._left(self._folder)
        }

    def _left(self, folder: Path) -> Iterator[tuple[Path, bytes]]:
        for name, number in self._names.get(folder, {}).items():
            if number is None:
                yield from self._left(folder / name)
            else:
                yield folder / name, self._contents.get(number, b"")

    def _note(self, path: Path) -> None:
        if path.is_dir():
            self._names[path] = {
                each.name: None if each.is_dir() else each.stat().st_ino for each in path.iterdir()
            }
        else:
            number = path.stat().st_ino
            self._contents[number] = path.read_bytes()
            pin = self._pins / str(number)
            if not pin.exists():
                # While it has a name the system gives its number to no other file.
                os.link(path, pin)


@pytest.mark.parametrize("most_changed", [ingestion.MOST_CHANGED, 100.0], ids=["anew", "on a base"])
def test_after_a_power_cut_at_any_moment_what_is_published_is_whole(
    small: SmallLibrary, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, most_changed: float
) -> None:
    monkeypatch.setattr(ingestion, "MOST_CHANGED", most_changed)
    small.put("light.pdf", ["A torch burns for six turns.", "A lantern burns for twenty-four turns."])
    small.ingest()
    small.put("falls.pdf", ["A fall costs one die a yard."])
    (tmp_path / "pins").mkdir()
    disk = UnreliableDisk(small.settings.index_dir, tmp_path / "pins")
    with monkeypatch.context() as patched:
        patched.setattr(os, "fsync", disk.fsync)
        small.ingest()
    seen = []
    for cut in [*disk.cuts, disk.left()]:
        after = tmp_path / "after"
        shutil.rmtree(after, ignore_errors=True)
        for name, content in cut.items():
            (after / name).parent.mkdir(parents=True, exist_ok=True)
            (after / name).write_bytes(content)
        manifest = Index(after).published()
        assert manifest
        assert Index(after).damaged_files(manifest) == []
        seen.append(len(manifest.stamps))
    assert sorted(set(seen)) == [1, 2]
    assert seen == sorted(seen)
    small.settings = small.settings.model_copy(update={"index_dir": after})
    library = Library.open(small.settings, small.model)
    assert library.retriever("player").invoke("What does a fall cost?")[0].id == "falls.pdf#1"
    small.ingest()
    assert [book.file for book in small.open().books("gm")] == ["falls.pdf", "light.pdf"]
