"""Books are read in processes of their own, one after the other in each."""

from multiprocessing.context import SpawnProcess
from pathlib import Path

import pytest

from rag.library.index.book_cache import ReadBook
from rag.library.ingest import read_books as reading
from rag.library.ingest.read_books import Assignment, Failure, read_books


@pytest.fixture
def started(monkeypatch: pytest.MonkeyPatch) -> list[SpawnProcess]:
    """The processes that were started to read books."""
    processes: list[SpawnProcess] = []
    start = SpawnProcess.start

    def counted(process: SpawnProcess) -> None:
        processes.append(process)
        start(process)

    monkeypatch.setattr(SpawnProcess, "start", counted)
    return processes


def notes(folder: Path, count: int) -> list[Assignment]:
    paths = [folder / f"note-{number:02}.md" for number in range(count)]
    for path in paths:
        path.write_text(f"# {path.stem}\n\nA lamp lights six paces.\n", encoding="utf-8")
    return [Assignment(path.name, path, None) for path in paths]


def test_a_note_that_cannot_be_read_keeps_none_from_the_others(
    tmp_path: Path, started: list[SpawnProcess]
) -> None:
    books = notes(tmp_path, 3)
    books[1].path.write_bytes(b"")
    found = dict(read_books(books, lambda *told: None, processes=1))
    assert [type(found[book.name]) for book in books] == [ReadBook, Failure, ReadBook]
    assert len(started) == 1


def test_a_note_that_breaks_its_reader_leaves_those_behind_it_to_another(
    tmp_path: Path, started: list[SpawnProcess], monkeypatch: pytest.MonkeyPatch
) -> None:
    start = reading._start

    def breaking_first(book: Assignment) -> reading._ReadingProcess:
        reader = start(book)
        if len(started) == 1:
            reader.process.kill()
        return reader

    monkeypatch.setattr(reading, "_start", breaking_first)
    found = dict(read_books(notes(tmp_path, 3), lambda *told: None, processes=1))
    assert [type(found[f"note-0{number}.md"]) for number in range(3)] == [Failure, ReadBook, ReadBook]
    assert len(started) == 2


def test_a_prepared_reader_is_given_the_next_books(tmp_path: Path, started: list[SpawnProcess]) -> None:
    reading.prepare_reader()
    reading.prepare_reader()
    found = dict(read_books(notes(tmp_path, 2), lambda *told: None, processes=1))
    assert [type(one) for one in found.values()] == [ReadBook, ReadBook]
    assert len(started) == 1


def test_a_prepared_reader_that_died_is_not_waited_for(tmp_path: Path, started: list[SpawnProcess]) -> None:
    reading.prepare_reader()
    started[0].kill()
    started[0].join()
    [(_, found)] = read_books(notes(tmp_path, 1), lambda *told: None)
    assert isinstance(found, ReadBook)
    assert len(started) == 2
