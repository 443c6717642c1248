"""Killed or without power at any file operation: what is published is whole, and the next ingest goes on."""

import os
import shutil
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from rag.library.index.atomic_files import write_bytes
from rag.library.index.local import Index
from tests.rag.library.small_library import SmallLibrary

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="reads the path of a descriptor in /proc")

OPERATIONS = ("open", "os.mkdir", "os.remove", "os.rename", "os.rmdir", "sqlite3.connect")
"""What Python tells of before it does so (PEP 578)."""

FEWEST_STATES = 30
"""What one ingest leaves at its moments; fewer would mean that nothing is heard of them."""
Files = dict[str, bytes]


class WatchedFolder:
    """Notes, before each file operation, what would be left of a folder were it the last moment.

    A killed process leaves what it has written. After a power cut the content of a file is what was synced;
    a name is there once its folder was synced, or before: the system may write names before contents.
    """

    _watched: "WatchedFolder | None" = None

    def __init__(self, folder: Path, pins: Path) -> None:
        self._folder = folder
        self._pins = pins
        self._contents: dict[int, bytes] = {}
        self._names: dict[Path, dict[str, int | None]] = {}
        self._sync = os.fsync
        self._noting = threading.RLock()
        self._is_noting = False
        self.left: list[Files] = []
        for path in [folder, *folder.rglob("*")]:
            self._note_synced(path)

    def during(self, work: Callable[[], object], monkeypatch: pytest.MonkeyPatch) -> list[Files]:
        """What would be left at each moment of some work, every state once."""
        self.left = []
        WatchedFolder._watched = self
        try:
            with monkeypatch.context() as patched:
                patched.setattr(os, "fsync", self._fsync)
                work()
        finally:
            WatchedFolder._watched = None
        self._note_moment()
        return self.left

    def synced(self) -> dict[Path, bytes]:
        """What a power cut would leave now, at the least."""
        return dict(self._synced(self._folder))

    @classmethod
    def hear(cls, event: str, arguments: tuple[object, ...]) -> None:
        """An audit hook, which stays for as long as the process."""
        if cls._watched and event in OPERATIONS:
            cls._watched._note_moment()

    def _fsync(self, descriptor: int) -> None:
        self._sync(descriptor)
        path = Path(f"/proc/self/fd/{descriptor}").readlink()
        if path.is_relative_to(self._folder):
            self._note_synced(path)
        self._note_moment()

    def _note_moment(self) -> None:
        # Another thread waits before its next operation; what is read here is no operation.
        with self._noting:
            if self._is_noting:
                return
            self._is_noting = True
            written = dict(self._written())
            killed = {path: content for path, (_, content) in written.items()}
            names_first = {path: self._contents.get(number, b"") for path, (number, _) in written.items()}
            for files in (killed, names_first, self.synced()):
                state = {path.relative_to(self._folder).as_posix(): files[path] for path in sorted(files)}
                if state not in self.left:
                    self.left.append(state)
            self._is_noting = False

    def _written(self) -> Iterator[tuple[Path, tuple[int, bytes]]]:
        """The number and content of each file; Chroma may remove one meanwhile."""
        for path in self._folder.rglob("*"):
            with suppress(FileNotFoundError):
                if path.is_file():
                    yield path, (path.stat().st_ino, path.read_bytes())

    def _synced(self, folder: Path) -> Iterator[tuple[Path, bytes]]:
        for name, number in self._names.get(folder, {}).items():
            if number is None:
                yield from self._synced(folder / name)
            else:
                yield folder / name, self._contents.get(number, b"")

    def _note_synced(self, path: Path) -> None:
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


sys.addaudithook(WatchedFolder.hear)


def test_the_name_of_a_file_that_was_written_outlives_a_power_cut(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    index, pins = tmp_path / "index", tmp_path / "pins"
    index.mkdir()
    pins.mkdir()
    folder = WatchedFolder(index, pins)
    folder.during(lambda: write_bytes(index / "pointer", b"new"), monkeypatch)
    assert folder.synced() == {index / "pointer": b"new"}


@pytest.mark.parametrize("further", [[], ["oil.pdf"]], ids=["a segment anew", "a segment more"])
def test_interrupted_anywhere_what_is_published_is_whole_and_the_next_ingest_ends_the_work(
    small: SmallLibrary, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, further: list[str]
) -> None:
    for file in further:
        small.put(file, ["Oil burns."])
    small.put("light.pdf", ["A torch burns for six turns.", "A lantern burns for twenty-four turns."])
    small.put("traps.pdf", ["A pit is ten yards deep."])
    small.ingest()
    (tmp_path / "pins").mkdir()
    folder = WatchedFolder(small.settings.index_dir, tmp_path / "pins")
    small.put("falls.pdf", ["A fall costs one die a yard."])
    (small.directory / "traps.pdf").unlink()
    states = folder.during(lambda: small.ingest(prune=True), monkeypatch)
    assert len(states) > FEWEST_STATES
    before, now = ["light.pdf", *further, "traps.pdf"], ["falls.pdf", "light.pdf", *further]
    served = []
    for number, state in enumerate(states):
        small.settings = small.settings.model_copy(update={"index_dir": tmp_path / str(number)})
        for name, content in state.items():
            (small.settings.index_dir / name).parent.mkdir(parents=True, exist_ok=True)
            (small.settings.index_dir / name).write_bytes(content)
        manifest = Index(small.settings.index_dir).published()
        assert manifest
        assert Index(small.settings.index_dir).damaged_files(manifest) == []
        served.append(sorted(manifest.stamps))
        small.ingest()
        library = small.open()
        assert [book.file for book in library.books("gm")] == now
        assert library.retriever("player").invoke("What does a fall cost?")[0].id == "falls.pdf#1"
        shutil.rmtree(small.settings.index_dir)
    assert served[0] == before
    assert served[-1] == now
