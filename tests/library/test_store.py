"""A generation as stored: in a directory, or on a real Chroma server."""

import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import httpx
import numpy as np
import pytest

from rag.config import Settings
from rag.errors import IndexUnreachable
from rag.library.chroma import ChildVectors, is_on_server
from rag.library.generation import directory_of, vectors_of
from rag.library.manifest import Manifest, published
from rag.library.store import Store
from tests.library.small_library import SmallLibrary, parsed_book

STARTS_WITHIN_SECONDS = 30


@pytest.fixture
def store(sample: Settings) -> Store:
    """The sample game's generation."""
    manifest = manifest_of(sample)
    vectors = vectors_of(sample.index_dir, manifest.generation, None)
    return Store(directory_of(sample.index_dir, manifest.generation), manifest, vectors)


def manifest_of(settings: Settings) -> Manifest:
    manifest = published(settings.index_dir)
    assert manifest is not None
    return manifest


# Pages


def test_a_label_is_found_in_either_case(store: Store) -> None:
    books = [
        book for book in store.manifest.books["gm"] if book.first_label and not book.first_label.isdecimal()
    ]
    for book in books:
        assert book.first_label
        found = store.labelled([book.file], book.first_label.upper())
        assert found == store.labelled([book.file], book.first_label) != []


def test_every_child_lies_on_its_page(store: Store) -> None:
    children = range(len(store.page_of_child))
    spans = store.spans(children)
    pages = store.pages(store.page_of_child.tolist())
    for child in children:
        start, end = spans[child]
        assert 0 <= start < end <= len(pages[int(store.page_of_child[child])].text)


def test_pages_are_numbered_by_file_and_position(store: Store) -> None:
    pages = [store.pages([number])[number] for number in range(len(store.citable))]
    places = [(page.file, page.pdf_page) for page in pages]
    assert places == sorted(places)


# What a reader may see


def test_a_scope_hides_the_gm_books_from_players(store: Store) -> None:
    hidden = {book.file for book in store.manifest.books["gm"]} - {
        book.file for book in store.manifest.books["player"]
    }
    assert hidden
    scope = store.scope("player")
    seen = {store.pages([int(page)])[int(page)].file for page in np.flatnonzero(scope.pages)}
    assert not seen & hidden
    vector = np.ones(256).tolist()
    [children] = store.nearest_children([vector], scope, 1000)
    assert children
    assert scope.children[children].all()


def test_a_scope_may_be_one_book(store: Store) -> None:
    book = store.manifest.books["player"][0]
    scope = store.scope("player", [book])
    [children] = store.nearest_children([np.ones(256).tolist()], scope, 1000)
    assert {store.pages([int(store.page_of_child[child])]).popitem()[1].file for child in children} == {
        book.file
    }


# A Chroma server


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a real Chroma server."""
    with started_server(tmp_path_factory.mktemp("chroma")) as (process, url):
        yield url
        process.terminate()


class started_server:  # noqa: N801 - a context manager reads as a function
    """Runs `chroma run` on a free port of the loopback until it is left."""

    def __init__(self, directory: Path, port: int | None = None) -> None:
        self._directory = directory
        self._port = port or free_port()

    def __enter__(self) -> tuple[subprocess.Popen[bytes], str]:
        command = [Path(sys.executable).with_name("chroma"), "run", "--path", self._directory]
        self._process = subprocess.Popen(
            [*map(str, command), "--port", str(self._port), "--host", "127.0.0.1"],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        url = f"http://127.0.0.1:{self._port}"
        deadline = time.monotonic() + STARTS_WITHIN_SECONDS
        while not answers(url):
            assert time.monotonic() < deadline
            time.sleep(0.1)
        return self._process, url

    def __exit__(self, *_: object) -> None:
        self._process.kill()
        self._process.wait()


def free_port() -> int:
    with socket.socket() as bound:
        bound.bind(("127.0.0.1", 0))
        return int(bound.getsockname()[1])


def answers(url: str) -> bool:
    try:
        return httpx.get(f"{url}/api/v2/heartbeat").is_success
    except httpx.HTTPError:
        return False


@pytest.fixture
def remote(small: SmallLibrary, server: str) -> SmallLibrary:
    """A small library whose vectors are on the server."""
    small.settings = small.settings.model_copy(update={"chroma_url": server})
    small.put_parsed("light.pdf", parsed_book("A torch burns.", "A lantern burns longer."))
    small.ingest()
    return small


def test_a_library_on_a_server_is_searched_like_a_local_one(remote: SmallLibrary) -> None:
    assert remote.open().retriever("player").invoke("lantern")[0].id == "light.pdf#2"
    assert not remote.ingest().changed


def test_a_generation_on_a_server_is_a_collection_and_old_ones_are_dropped(
    remote: SmallLibrary, server: str
) -> None:
    first = manifest_of(remote.settings).generation
    remote.put_parsed("falls.pdf", parsed_book("A fall costs one die."))
    remote.ingest()
    second = manifest_of(remote.settings).generation
    assert is_on_server(server, first)
    remote.ingest()
    assert not is_on_server(server, first)
    assert is_on_server(server, second)


def test_a_collection_the_server_lost_is_built_again(remote: SmallLibrary, server: str) -> None:
    generation = manifest_of(remote.settings).generation
    ChildVectors(generation, Path(), server).delete_collection()
    with pytest.raises(IndexUnreachable):
        remote.open().retriever("player").invoke("lantern")
    assert remote.ingest().changed
    assert remote.open().retriever("player").invoke("lantern")[0].id == "light.pdf#2"


def test_a_server_that_is_away_is_said_and_one_that_is_back_is_used(
    small: SmallLibrary, tmp_path: Path
) -> None:
    port = free_port()
    small.settings = small.settings.model_copy(update={"chroma_url": f"http://127.0.0.1:{port}"})
    small.put_parsed("light.pdf", parsed_book("A torch burns.", "A lantern burns longer."))
    with pytest.raises(IndexUnreachable):
        small.ingest()
    with started_server(tmp_path / "chroma", port):
        small.ingest()
        library = small.open()
        assert library.retriever("player").invoke("lantern")[0].id == "light.pdf#2"
    with pytest.raises(IndexUnreachable):
        library.retriever("player").invoke("lantern")
    with started_server(tmp_path / "chroma", port):
        assert library.retriever("player").invoke("lantern")[0].id == "light.pdf#2"
