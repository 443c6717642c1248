"""A library on a real Chroma server: every machine sees it, and what is local is a copy."""

import json
import shutil
import socket
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import httpx
import pytest

from rag.config import SAMPLE_LIBRARY
from rag.errors import IndexLost, IndexUnreachable
from rag.library.index import chroma
from rag.library.index import shared as server_index
from rag.library.index.chroma import CHUNKS, connect
from rag.library.index.open import index_of, library_settings
from rag.library.index.shared import ServerIndex
from rag.library.library import Library
from rag.library.readers.pdf.reader import read_book
from tests.conftest import Run
from tests.rag.library.chroma_server import free_port, running_server
from tests.rag.library.small_library import HashedWords, SmallLibrary, pdf_bytes

TORCH = "A torch burns for six turns."
LANTERN = "A lantern burns for twenty-four turns."
FALL = "A fall costs one die a yard."
WITHIN_SECONDS = 60

Machines = Callable[[str], SmallLibrary]


@pytest.fixture
def machine(small: SmallLibrary, database: str, tmp_path: Path) -> Machines:
    """Makes machines that share a database, each with empty directories of its own."""
    return lambda name: machine_at(tmp_path / name, database)


@pytest.fixture
def laptop(machine: Machines) -> SmallLibrary:
    """A machine that has published a library of one book."""
    laptop = machine("laptop")
    laptop.put("light.pdf", [TORCH, LANTERN])
    laptop.ingest()
    return laptop


@pytest.fixture
def host(laptop: SmallLibrary, machine: Machines) -> SmallLibrary:
    """Another machine, which has no books and no index yet."""
    return machine("host")


def machine_at(directory: Path, url: str) -> SmallLibrary:
    library = SmallLibrary(directory)
    library.settings = library.settings.model_copy(update={"chroma_url": url})
    return library


def first_page(library: Library, query: str) -> str | None:
    return library.retriever("player").invoke(query)[0].id


def embedded(machine: SmallLibrary) -> str:
    """All that this machine had embedded."""
    assert isinstance(machine.model.embeddings, HashedWords)
    return " ".join(text for request in machine.model.embeddings.requests for text in request)


def snapshot(machine: SmallLibrary) -> str:
    manifest = index_of(machine.settings).published()
    assert manifest
    return manifest.snapshot


def collections(machine: SmallLibrary) -> set[str]:
    assert machine.settings.chroma_url
    return {collection.name for collection in connect(machine.settings.chroma_url).list_collections()}


def eventually(is_so: Callable[[], bool]) -> None:
    deadline = time.monotonic() + WITHIN_SECONDS
    while not is_so():
        assert time.monotonic() < deadline
        time.sleep(0.02)


# What another machine sees


def test_a_machine_with_empty_directories_sees_the_library(laptop: SmallLibrary, host: SmallLibrary) -> None:
    library = host.open()
    assert library.books("gm") == laptop.open().books("gm")
    assert library.page_at("light.pdf", 1, "player").text == TORCH
    assert first_page(library, "lantern") == "light.pdf#2"


def test_a_machine_sees_what_grew_on_a_segment_which_stays(
    laptop: SmallLibrary, host: SmallLibrary, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(server_index, "GRACE_SECONDS", 0)
    published = index_of(laptop.settings).published()
    assert published
    (first,) = published.segments
    for text in (FALL, f"{FALL} Two yards cost two."):
        laptop.put("falls.pdf", [text])
        laptop.ingest()
    library = host.open()
    assert first_page(library, "lantern") == "light.pdf#2"
    assert first_page(library, "fall") == "falls.pdf#1"
    assert CHUNKS.format(snapshot=first) in collections(laptop)
    assert not laptop.ingest().changed


def test_the_terminal_finds_what_another_machine_has_indexed(rag: Run, database: str, tmp_path: Path) -> None:
    (tmp_path / "books").mkdir()
    (tmp_path / "books" / "light.pdf").write_bytes(pdf_bytes([TORCH, LANTERN]))
    for machine, books, command in [
        ("laptop", "books", ("ingest",)),
        ("host", "none", ("search", "lantern", "--json")),
    ]:
        directories = {"INDEX_DIR": str(tmp_path / machine), "LIBRARY_DIR": str(tmp_path / books)}
        done = rag(*command, CHROMA_URL=database, **directories)
    assert json.loads(done.stdout)[0]["text"] == LANTERN


def test_a_machine_without_books_leaves_the_library_as_it_is(host: SmallLibrary) -> None:
    report = host.ingest()
    assert not report.changed
    assert [book.file for book in report.books] == ["light.pdf"]
    assert library_settings(host.settings) is host.settings


def test_without_any_book_here_or_on_the_server_the_sample_game_is_the_library(machine: Machines) -> None:
    settings = machine("host").settings
    assert library_settings(settings).library_dir == SAMPLE_LIBRARY


def test_books_that_another_machine_has_read_are_neither_read_nor_embedded_again(
    host: SmallLibrary, monkeypatch: pytest.MonkeyPatch
) -> None:
    host.put("light.pdf", [TORCH, LANTERN])
    host.put("falls.pdf", [FALL])
    read: list[str] = []

    def noted(path: Path, *arguments: Any, **options: Any) -> Any:
        read.append(path.name)
        return read_book(path, *arguments, **options)

    monkeypatch.setattr("tests.rag.library.small_library.read_book", noted)
    assert host.ingest().changed
    assert read == ["falls.pdf"]
    assert "fall" in embedded(host)
    assert "lantern" not in embedded(host)


def test_the_same_books_elsewhere_are_no_change(laptop: SmallLibrary, host: SmallLibrary) -> None:
    shutil.copytree(laptop.directory, host.directory, dirs_exist_ok=True)
    assert not host.ingest().changed
    assert snapshot(host) == snapshot(laptop)


def test_an_open_library_notices_what_another_machine_publishes(
    laptop: SmallLibrary, host: SmallLibrary, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(server_index, "CHECK_SECONDS", 0.05)
    library = host.open()
    assert first_page(library, "lantern") == "light.pdf#2"
    laptop.put("falls.pdf", [FALL])
    laptop.ingest()
    eventually(lambda: len(library.books("player")) == 2)
    assert first_page(library, "What does a fall cost?") == "falls.pdf#1"


def test_an_unchanged_library_is_checked_by_one_small_request(
    host: SmallLibrary, monkeypatch: pytest.MonkeyPatch
) -> None:
    index = index_of(host.settings)
    index.refresh()
    answered: list[int] = []
    request = httpx.Client.request

    def counted(client: httpx.Client, *arguments: Any, **options: Any) -> httpx.Response:
        answer = request(client, *arguments, **options)
        answered.append(len(answer.content))
        return answer

    monkeypatch.setattr(httpx.Client, "request", counted)
    index.refresh()
    assert len(answered) == 1
    assert answered[0] < 2000


def test_two_databases_of_one_server_are_two_libraries(
    laptop: SmallLibrary, server: str, tmp_path: Path
) -> None:
    other = machine_at(tmp_path / "other", f"{server}/{tmp_path.name}")
    other.put("falls.pdf", [FALL])
    other.ingest()
    assert [book.file for book in other.open().books("gm")] == ["falls.pdf"]
    assert [book.file for book in laptop.open().books("gm")] == ["light.pdf"]


def test_a_machine_may_go_from_its_directory_to_a_server_and_back_without_embedding_again(
    small: SmallLibrary, database: str
) -> None:
    small.put("light.pdf", [TORCH, LANTERN])
    small.ingest()
    once = embedded(small)
    local = small.settings
    for settings in (local.model_copy(update={"chroma_url": database}), local):
        small.settings = settings
        assert small.ingest().changed
        assert first_page(small.open(), "oil lantern") == "light.pdf#2"
    assert embedded(small).count("torch") == once.count("torch")


# Two that publish


def test_of_two_ingests_at_once_the_last_to_publish_wins_with_a_complete_library(
    machine: Machines, monkeypatch: pytest.MonkeyPatch
) -> None:
    two = [machine("one"), machine("two")]
    both_are_building = threading.Barrier(2, timeout=WITHIN_SECONDS)
    publish = server_index.ServerIndex.publish

    def at_once(index: server_index.ServerIndex, manifest: Any) -> None:
        both_are_building.wait()
        publish(index, manifest)

    monkeypatch.setattr(server_index.ServerIndex, "publish", at_once)
    for each, text in zip(two, (LANTERN, TORCH), strict=True):
        each.put("light.pdf", [text])
    with ThreadPoolExecutor() as threads:
        list(threads.map(SmallLibrary.ingest, two))
    seen = [first_page_text(each) for each in (*two, machine("host"))]
    assert seen in ([LANTERN] * 3, [TORCH] * 3)


def first_page_text(machine: SmallLibrary) -> str:
    return machine.open().retriever("player").invoke("turns")[0].page_content


def test_what_another_ingest_is_building_is_not_dropped(laptop: SmallLibrary, host: SmallLibrary) -> None:
    unfinished = index_of(laptop.settings).vectors_of("unfinished", 1)
    host.put("falls.pdf", [FALL])
    host.ingest()
    host.ingest()
    assert CHUNKS.format(snapshot="unfinished") in collections(host)
    unfinished.close()


def test_a_book_that_is_gone_stays_on_the_server_for_its_days(
    laptop: SmallLibrary, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(server_index, "GRACE_SECONDS", 0)
    laptop.put("light.pdf", [FALL])
    for _ in range(3):
        laptop.ingest()
    assert sum(name.startswith(server_index.BOOK) for name in collections(laptop)) == 2


def test_what_nobody_has_needed_for_a_while_is_dropped(
    laptop: SmallLibrary, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = collections(laptop)
    monkeypatch.setattr(server_index, "GRACE_SECONDS", 0)
    laptop.put("light.pdf", [FALL])
    for _ in range(3):
        laptop.ingest(prune=True)
    left = collections(laptop)
    assert left & before == {"rules-published"}
    assert len(left) == len(before)


# Killed, damaged, gone


class Killed(BaseException):
    """The process ends here."""


def test_killed_at_any_request_the_readers_still_have_a_complete_library(
    laptop: SmallLibrary, host: SmallLibrary, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    laptop.put("falls.pdf", [FALL])
    request = httpx.Client.request
    left = 0

    def dying(client: httpx.Client, *arguments: Any, **options: Any) -> httpx.Response:
        nonlocal left
        left -= 1
        if left < 0:
            raise Killed
        return request(client, *arguments, **options)

    for requests in range(3, 200, 8):
        left = requests
        with monkeypatch.context() as patched:
            patched.setattr(httpx.Client, "request", dying)
            try:
                laptop.ingest()
                break
            except Killed:
                pass
        reader = index_of(host.settings)
        reader.refresh()
        assert first_page(host.open(), "lantern") == "light.pdf#2"
    assert requests > 20
    assert first_page(host.open(), "What does a fall cost?") == "falls.pdf#1"


def test_a_damaged_file_on_the_server_is_as_none(laptop: SmallLibrary, host: SmallLibrary) -> None:
    assert laptop.settings.chroma_url
    server = index_of(laptop.settings)
    assert isinstance(server, ServerIndex)
    server.put_file("rules-book-test", b"one" * 500_000)
    assert server.file("rules-book-test") == b"one" * 500_000
    pieces = connect(laptop.settings.chroma_url).get_collection("rules-book-test", embedding_function=None)
    pieces.delete(ids=[name for name in pieces.get(include=[])["ids"] if name.endswith("-1")])
    assert server.file("rules-book-test") is None


def test_a_server_that_is_away_is_said_and_one_that_is_back_is_used(
    small: SmallLibrary, tmp_path: Path
) -> None:
    port = free_port()
    here = machine_at(tmp_path / "here", f"http://127.0.0.1:{port}")
    here.put("light.pdf", [TORCH, LANTERN])
    opened_too_early = here.open()
    with pytest.raises(IndexUnreachable):
        here.ingest()
    with running_server(tmp_path / "chroma", port):
        here.ingest()
        library = here.open()
        assert first_page(library, "lantern") == "light.pdf#2"
        assert first_page(opened_too_early, "lantern") == "light.pdf#2"
    with pytest.raises(IndexUnreachable):
        first_page(library, "lantern")
    assert [book.file for book in library.books("player")] == ["light.pdf"]
    with running_server(tmp_path / "chroma", port):
        assert first_page(library, "lantern") == "light.pdf#2"


def test_the_terminal_says_that_a_server_is_away(rag: Run, tmp_path: Path) -> None:
    url = f"http://127.0.0.1:{free_port()}"
    told = rag("search", "lantern", CHROMA_URL=url, INDEX_DIR=str(tmp_path))
    assert told.returncode == 1
    assert told.stderr == f"The Chroma server at {url} does not answer: start it, or check CHROMA_URL.\n"


def test_a_server_that_was_emptied_is_filled_again_without_embedding_again(
    laptop: SmallLibrary, host: SmallLibrary
) -> None:
    library = laptop.open()
    empty(laptop)
    with pytest.raises(IndexLost):
        first_page(library, "lantern")
    before = embedded(laptop)
    assert laptop.ingest().changed
    assert embedded(laptop) == before
    assert first_page(library, "lantern") == "light.pdf#2"
    assert first_page(host.open(), "lantern") == "light.pdf#2"


def empty(machine: SmallLibrary) -> None:
    assert machine.settings.chroma_url
    client = connect(machine.settings.chroma_url)
    for collection in client.list_collections():
        client.delete_collection(collection.name)


@pytest.fixture
def silent_server() -> Iterator[str]:
    """The address of a server that takes every connection and never says a word."""
    with socket.create_server(("127.0.0.1", 0)) as listening:
        yield f"http://127.0.0.1:{listening.getsockname()[1]}"


def test_a_server_that_is_silent_is_said_to_be_away(
    small: SmallLibrary, silent_server: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(chroma, "_CONNECT_SECONDS", 0.1)
    small.settings = small.settings.model_copy(update={"chroma_url": silent_server})
    with pytest.raises(IndexUnreachable):
        small.ingest()
