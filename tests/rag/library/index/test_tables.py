"""The printed labels of a snapshot, a page of the file each."""

import os
from dataclasses import replace

import pytest

from rag.errors import IndexDamaged
from rag.library.index.local import Index
from rag.library.index.tables import sheet_labels
from tests.rag.library.small_library import SmallLibrary, parsed_book


def labels_of(small: SmallLibrary) -> dict[str, object]:
    index = Index(small.settings.index_dir)
    manifest = index.published()
    assert manifest is not None
    return dict(sheet_labels(index.segments(manifest)))


def test_every_page_of_a_file_has_its_label_or_none(small: SmallLibrary) -> None:
    book = parsed_book("A lantern burns six hours.", "A torch burns one hour.")
    cover = replace(book.pages[0], label=None)
    small.put_parsed("light.pdf", replace(book, pages=(cover, book.pages[1])))
    small.ingest()
    assert labels_of(small) == {"light.pdf": [None, "2"]}


def test_labels_of_a_damaged_snapshot_are_refused_in_our_words(small: SmallLibrary) -> None:
    small.put_parsed("light.pdf", parsed_book("A lantern burns six hours."))
    small.ingest()
    (database,) = small.settings.index_dir.glob("generations/*/library.sqlite")
    os.truncate(database, database.stat().st_size // 2)
    with pytest.raises(IndexDamaged):
        labels_of(small)
