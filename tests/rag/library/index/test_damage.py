"""What is damaged or missing in an index is found when it is opened, said, and made anew from the books."""

import gc
import json
import os
import shutil
import sqlite3
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path

import pytest

from rag.errors import (
    EmptyLibrary,
    IndexDamaged,
    IndexLost,
    IndexOutdated,
    IndexUnwritable,
    SystemExhausted,
    UnknownPage,
)
from rag.library.index.chroma import ChunkVectors
from rag.library.index.local import Index
from tests.rag.library.small_library import HashedWords, SmallLibrary

TORCH = "A torch burns for six turns and lights thirty feet around its bearer."
LANTERN = "A lantern burns for twenty-four turns on one flask of oil."
FALL = "A fall costs one die a yard."

Damage = Callable[[Path], None]


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a library of one book."""
    small = SmallLibrary(tmp_path_factory.mktemp("whole"))
    small.put("light.pdf", [TORCH, LANTERN])
    small.read()
    return small.directory.parent


@pytest.fixture
def indexed(small: SmallLibrary, whole: Path) -> SmallLibrary:
    """A copy of it, to be damaged."""
    shutil.copytree(whole, small.directory.parent, dirs_exist_ok=True)
    return small


def segment(library: SmallLibrary) -> Path:
    """The directory of the only segment."""
    index = Index(library.settings.index_dir)
    manifest = index.published()
    assert manifest
    (name,) = manifest.segments
    return index.directory_of(name)


def links(library: SmallLibrary) -> Path:
    """The references among the books."""
    index = Index(library.settings.index_dir)
    manifest = index.published()
    assert manifest
    return index.directory_of(manifest.links) / "links.sqlite"


def first_page(library: SmallLibrary) -> str | None:
    return library.open().retriever("player").invoke("lantern")[0].id


def halve(path: Path) -> None:
    os.truncate(path, path.stat().st_size // 2)


def overwrite(path: Path) -> None:
    """Other bytes of the same length, in the midst of the file."""
    content = bytearray(path.read_bytes())
    middle = len(content) // 2
    content[middle - 40 : middle + 40] = bytes(255 - byte for byte in content[middle - 40 : middle + 40])
    path.write_bytes(content)


def garble(path: Path) -> None:
    """Other bytes in place of all but the first page, which a reader holds."""
    content = path.read_bytes()
    path.write_bytes(content[:4096] + b"\xee" * (len(content) - 4096))


DAMAGES: dict[str, Damage] = {
    "database halved": lambda segment: halve(segment / "library.sqlite"),
    "database emptied": lambda segment: os.truncate(segment / "library.sqlite", 0),
    "database overwritten": lambda segment: overwrite(segment / "library.sqlite"),
    "database gone": lambda segment: (segment / "library.sqlite").unlink(),
    "vectors of words gone": lambda segment: (segment / "word_vectors.npy").unlink(),
    "vectors of words halved": lambda segment: halve(segment / "word_vectors.npy"),
    "scales of words halved": lambda segment: halve(segment / "word_scales.npy"),
    "chroma gone": lambda segment: shutil.rmtree(segment / "chroma"),
    "chroma halved": lambda segment: halve(segment / "chroma" / "chroma.sqlite3"),
    "chroma emptied": lambda segment: os.truncate(segment / "chroma" / "chroma.sqlite3", 0),
    "all gone": shutil.rmtree,
}


@pytest.mark.parametrize("is_met", [True, False], ids=["met by a reader", "met by nobody"])
@pytest.mark.parametrize("damage", DAMAGES.values(), ids=DAMAGES.keys())
def test_a_damaged_snapshot_is_said_and_the_next_ingest_makes_it_whole(
    indexed: SmallLibrary, damage: Damage, is_met: bool
) -> None:
    damage(segment(indexed))
    if is_met:
        with pytest.raises(IndexDamaged):
            indexed.open().retriever("player")
    report = indexed.ingest()
    assert report.changed
    assert report.damaged
    assert first_page(indexed) == "light.pdf#2"
    assert not indexed.ingest().changed


@pytest.mark.parametrize("damage", [overwrite, Path.unlink], ids=["overwritten", "gone"])
def test_damaged_references_are_said_and_made_anew(indexed: SmallLibrary, damage: Damage) -> None:
    damage(links(indexed))
    with pytest.raises(IndexDamaged):
        indexed.open().retriever("player")
    assert indexed.ingest().damaged
    assert not indexed.ingest().changed


def test_vectors_that_are_missing_are_found(indexed: SmallLibrary) -> None:
    with closing(sqlite3.connect(segment(indexed) / "chroma" / "chroma.sqlite3")) as database:
        database.execute("DELETE FROM embeddings")
        database.execute("DELETE FROM embeddings_queue")
        database.commit()
    with pytest.raises(IndexDamaged):
        indexed.open().retriever("player")
    assert indexed.ingest().damaged
    assert first_page(indexed) == "light.pdf#2"


@pytest.mark.parametrize("damage", [halve, overwrite, Path.unlink], ids=lambda damage: damage.__name__)
def test_a_damaged_file_of_a_book_is_read_anew(indexed: SmallLibrary, damage: Damage) -> None:
    (kept,) = (indexed.settings.index_dir / "books").iterdir()
    whole = kept.read_bytes()
    damage(kept)
    report = indexed.ingest()
    assert report.damaged == (f"books/{kept.name}",)
    assert kept.read_bytes() == whole


@pytest.mark.parametrize("days_ago", [8, -8], ids=["days ago", "by a clock that was ahead"])
def test_damage_that_the_file_system_does_not_tell_of_is_found_within_days(
    indexed: SmallLibrary, days_ago: int
) -> None:
    database, checked = segment(indexed) / "library.sqlite", indexed.settings.index_dir / "checked.json"
    status = database.stat()
    overwrite(database)
    os.utime(database, ns=(status.st_atime_ns, status.st_mtime_ns))
    looked_at = time.time() - days_ago * 24 * 60 * 60
    os.utime(checked, (looked_at, looked_at))
    assert indexed.ingest().damaged


def test_what_a_killed_ingest_left_half_written_is_dropped(indexed: SmallLibrary) -> None:
    unfinished = indexed.settings.index_dir / "books" / ".light.npz.tmp"
    unfinished.write_bytes(b"half")
    indexed.ingest()
    assert not unfinished.exists()


@pytest.mark.parametrize("content", [b"", b'{"version": 6, "gener', b"[]", b'{"version": "x"}', b"\xff\x00"])
def test_half_a_pointer_is_made_good(indexed: SmallLibrary, content: bytes) -> None:
    pointer = indexed.settings.index_dir / "current.json"
    pointer.write_bytes(content)
    with pytest.raises(EmptyLibrary):
        indexed.open().retriever("player")
    indexed.ingest()
    assert first_page(indexed) == "light.pdf#2"
    assert json.loads(pointer.read_bytes())["stamps"].keys() == {"light.pdf"}


def test_damage_that_a_question_meets_is_said_and_after_an_ingest_the_next_is_answered(
    indexed: SmallLibrary, caplog: pytest.LogCaptureFixture
) -> None:
    reading = indexed.open()
    asked = reading.retriever("player")
    garble(segment(indexed) / "library.sqlite")
    for _ in range(2):
        with pytest.raises(IndexDamaged):
            asked.invoke("lantern")
    assert len(caplog.records) == 1
    assert reading.awaits_ingest()
    assert indexed.ingest().damaged
    assert not reading.awaits_ingest()
    assert reading.retriever("player").invoke("lantern")[0].id == "light.pdf#2"


@pytest.mark.parametrize("is_all", [True, False], ids=["all of it", "its pointer"])
def test_an_index_that_is_deleted_while_it_is_open_is_missed_and_made_anew(
    indexed: SmallLibrary, is_all: bool
) -> None:
    reading, pointer = indexed.open(), indexed.settings.index_dir / "current.json"
    reading.retriever("player")
    if is_all:
        shutil.rmtree(indexed.settings.index_dir)
    else:
        pointer.unlink()
    assert reading.retriever("player").invoke("lantern")[0].id == "light.pdf#2"
    assert reading.awaits_ingest()
    indexed.ingest()
    assert pointer.exists()
    assert not reading.awaits_ingest()
    assert [book.file for book in reading.books("player")] == ["light.pdf"]


@pytest.mark.parametrize(("held", "name"), [(os, "fsync"), (Index, "publish")], ids=["a file", "published"])
def test_an_index_that_is_deleted_while_it_is_written_is_said(
    indexed: SmallLibrary, monkeypatch: pytest.MonkeyPatch, held: object, name: str
) -> None:
    does = getattr(held, name)

    def delete_and_do(*arguments: object) -> None:
        shutil.rmtree(indexed.settings.index_dir, ignore_errors=True)
        does(*arguments)

    indexed.put("falls.pdf", [FALL])
    with monkeypatch.context() as patched:
        patched.setattr(held, name, delete_and_do)
        with pytest.raises(IndexUnwritable):
            indexed.ingest()
    assert [book.file for book in indexed.ingest().books] == ["falls.pdf", "light.pdf"]


@contextmanager
def no_more_files() -> Iterator[None]:
    """The system gives this process no further open file."""
    resource = pytest.importorskip("resource")
    # What nobody holds any more would give its files back meanwhile.
    gc.collect()
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (len([*Path("/dev/fd").iterdir()]) + 10, hard))
    held: list[int] = []
    try:
        with suppress(OSError):
            while True:
                held.append(os.open(os.devnull, os.O_RDONLY))
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
        for descriptor in held:
            os.close(descriptor)


@pytest.mark.parametrize("work", [first_page, SmallLibrary.ingest], ids=["answer", "ingest"])
def test_a_system_without_a_further_open_file_is_no_damage(
    indexed: SmallLibrary, work: Callable[[SmallLibrary], object]
) -> None:
    first_page(indexed)
    indexed.put("falls.pdf", [FALL])
    with no_more_files(), pytest.raises((SystemExhausted, IndexUnwritable, OSError)):
        work(indexed)
    assert not indexed.open().awaits_ingest()
    report = indexed.ingest()
    assert (report.damaged, len(report.books)) == ((), 2)


@pytest.mark.parametrize("page", ["\ud83d", "PDF p. 99999999999999999999999"])
def test_a_page_that_no_database_can_hold_is_no_damage(indexed: SmallLibrary, page: str) -> None:
    reading = indexed.open()
    with pytest.raises(UnknownPage):
        reading.page("light", page, "player")
    assert not reading.awaits_ingest()


def test_a_question_ends_in_the_snapshot_in_which_it_began(indexed: SmallLibrary) -> None:
    reading = indexed.open()
    asked = reading.retriever("player")
    for name in ("falls", "pits"):
        indexed.put(f"{name}.pdf", [FALL])
        indexed.ingest()
    assert asked.invoke("lantern")[0].id == "light.pdf#2"
    assert not reading.awaits_ingest()


@pytest.mark.parametrize("is_published", [True, False])
def test_what_a_server_has_no_more_is_missed_where_it_is_still_published(
    indexed: SmallLibrary, monkeypatch: pytest.MonkeyPatch, is_published: bool
) -> None:
    def lost(*_: object) -> None:
        raise IndexLost(url="http://localhost:8000")

    reading = indexed.open()
    asked = reading.retriever("player")
    if not is_published:
        indexed.put("light.pdf", [FALL])
        indexed.ingest()
    monkeypatch.setattr(ChunkVectors, "is_near", False)
    monkeypatch.setattr(ChunkVectors, "nearest", lost)
    with pytest.raises(IndexLost):
        asked.invoke("lantern")
    assert reading.awaits_ingest() is is_published


def test_an_index_that_was_copied_is_not_made_anew(indexed: SmallLibrary, tmp_path: Path) -> None:
    copied = tmp_path / "copied"
    shutil.copytree(indexed.settings.index_dir, copied, copy_function=shutil.copyfile)
    indexed.settings = indexed.settings.model_copy(update={"index_dir": copied})
    assert first_page(indexed) == "light.pdf#2"
    assert not indexed.ingest().changed


def test_an_index_of_an_older_release_is_made_anew_of_what_was_kept(indexed: SmallLibrary) -> None:
    pointer = indexed.settings.index_dir / "current.json"
    held = json.loads(pointer.read_bytes())
    held["version"] -= 1
    held["base"] = held.pop("links")
    del held["segments"]
    for books in held["books"].values():
        for book in books:
            del book["health"]
            book["since_then_dropped"] = 1
    pointer.write_text(json.dumps(held))
    with pytest.raises(IndexOutdated):
        first_page(indexed)
    assert isinstance(indexed.model.embeddings, HashedWords)
    indexed.model.embeddings.requests.clear()
    assert indexed.ingest().changed
    assert not indexed.model.embeddings.requests
    assert first_page(indexed) == "light.pdf#2"
