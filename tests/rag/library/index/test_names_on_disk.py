"""What lies on disk keeps its names, so that an index of an older version still loads."""

import json

import numpy as np

from rag.library.books.book import FileStamp
from rag.library.index.book_cache import KeptBook
from rag.library.index.chroma import CHUNKS
from rag.library.index.local import Index
from rag.library.index.manifest import INDEX_VERSION
from tests.rag.library.small_library import SmallLibrary

OLD_POINTER = {
    "version": INDEX_VERSION,
    "generation": "20250101",
    "model": "embedded",
    "sources": "digest",
    "stamps": {"a.pdf": {"size": 1, "modified_ns": 2, "changed_ns": 3, "content": "hash"}},
    "books": {"player": [], "gm": []},
    "problems": [],
}


def test_a_pointer_of_before_names_its_snapshot(small: SmallLibrary) -> None:
    directory = small.settings.index_dir
    directory.mkdir(parents=True)
    (directory / "current.json").write_text(json.dumps(OLD_POINTER))
    manifest = Index(directory).published()
    assert manifest is not None
    assert manifest.snapshot == "20250101"
    assert manifest.stamps == {"a.pdf": FileStamp(size=1, modified_ns=2, changed_ns=3, content="hash")}
    assert Index(directory).directory_of(manifest.snapshot) == directory / "generations" / "20250101"


def test_a_book_file_names_its_chunks_as_before(small: SmallLibrary) -> None:
    small.put("light.pdf", "A torch burns for six turns.")
    small.ingest()
    (path,) = (small.settings.index_dir / "books").glob("*.npz")
    with np.load(path) as arrays:
        header = json.loads(arrays["header"].tobytes())
        model = str(arrays["model"])
    assert (header.keys(), model) == ({"children", "parsed", "vocabulary"}, small.model.name)
    assert KeptBook.load(path)


def test_a_book_file_of_another_form_is_made_anew(small: SmallLibrary) -> None:
    small.put("light.pdf", "A torch burns for six turns.")
    small.ingest()
    (path,) = (small.settings.index_dir / "books").glob("*.npz")
    with np.load(path) as held:
        np.savez(path, **{name: held[name] for name in held if name != "model"})
    assert KeptBook.load(path) is None
    small.ingest()
    assert KeptBook.load(path)


def test_a_collection_on_a_server_keeps_its_name() -> None:
    assert CHUNKS.format(snapshot="20250101") == "rules-20250101"
