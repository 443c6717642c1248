"""Ingestion: reading and embedding what is new or changed, publishing a snapshot.

What is costly about a book is kept in one file named by its hash, so a kill loses at most the book in
work; the snapshot is built from those files and published by one rename, so a reader never sees half.
An unchanged library is known without opening anything: heavy modules are imported where work begins.
"""

import logging
import shutil
import uuid
from collections.abc import Callable, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from rag.config import Settings
from rag.errors import IndexDamaged, IndexOutdated
from rag.library.books.book import BookSummary, Problem
from rag.library.books.files import LibraryFile
from rag.library.books.library_toml import pages_beyond
from rag.library.index.atomic_files import make_folder, only_writer, writing
from rag.library.index.integrity import digests
from rag.library.index.kept_pages import KeptPages
from rag.library.index.local import Index
from rag.library.index.manifest import Manifest
from rag.library.index.open import index_of
from rag.library.ingest.plan import Plan, plan
from rag.library.readers.formats import format_of

if TYPE_CHECKING:
    from rag.library.books.reader_catalogs import NamedBook
    from rag.models.embeddings import EmbeddingModel

log = logging.getLogger(__name__)

_DAY_SECONDS = 24 * 60 * 60

IngestStage = Literal["wait", "read", "embed", "build"]


@dataclass(frozen=True, slots=True)
class IngestProgress:
    """What ingestion is at: `done` of `total` pages read, passages embedded, or books built in.

    `file` is the book in work; none while another ingest is waited for, and while building.
    `seconds_left` is an estimate of the time all books still need; none where nothing is measured yet.
    """

    stage: IngestStage
    file: str | None = None
    done: int = 0
    total: int = 0
    seconds_left: float | None = None


OnProgress = Callable[[IngestProgress], None]


@dataclass(frozen=True, slots=True)
class IngestReport:
    """The library as it is now, what could not be indexed, and whether anything had changed.

    `replaced_model` is the embedding model of the index before, where that was another one; `damaged` names
    what was damaged or missing, and was made anew.
    """

    books: tuple[BookSummary, ...]
    problems: tuple[Problem, ...]
    changed: bool
    replaced_model: str | None = None
    damaged: tuple[str, ...] = ()


def ingest(
    settings: Settings,
    model: "EmbeddingModel",
    on_progress: OnProgress = lambda progress: None,
    only: Sequence[Path] = (),
    *,
    prune: bool = False,
) -> IngestReport:
    """Index what is new or changed under `LIBRARY_DIR`, and drop what is gone.

    With `only`, files and folders in the library, the rest stays as it was indexed before. What was costly
    about a book that is gone is kept for `BOOKS_KEPT_DAYS`, unless told to `prune`. Where the whole library
    is gone, what was indexed is left as it is. Books that cannot be read are reported, the others indexed
    all the same. Raises `LibraryTomlError` for a wrong
    `library.toml`, `NotInLibrary` or `NoSuchPath` for a path, `IndexUnwritable`, `IndexUnreachable`
    and `ModelError`; what was published before then stays.
    """
    index = index_of(settings)
    with writing(settings.index_dir):
        make_folder(settings.index_dir)
        with only_writer(index.lock, lambda: on_progress(IngestProgress("wait"))):
            index.refresh()
            before = index.published()
            planned = plan(settings, before, only)
            if before and _is_gone(before, planned, index, only):
                return IngestReport(before.books["gm"], planned.problems, changed=False)
            running = _Ingestion(settings, model, on_progress, planned, index, before, prune=prune)
            return running.unchanged() or running.run()


def _is_gone(before: Manifest, planned: Plan, index: Index, only: Sequence[Path]) -> bool:
    """Whether the library was here, or on another machine that publishes, and no book of it is here now."""
    return not planned.files and not only and (index.is_shared or bool(before.stamps))


class _Ingestion:
    """One run: read, embed, build and publish, where there is anything to do."""

    def __init__(
        self,
        settings: Settings,
        model: "EmbeddingModel",
        on_progress: OnProgress,
        planned: Plan,
        index: Index,
        before: Manifest | None,
        *,
        prune: bool,
    ) -> None:
        self._kept_seconds = 0.0 if prune else settings.books_kept_days * _DAY_SECONDS
        self._settings = settings
        self._model = model
        self._on_progress = on_progress
        self._plan = planned
        self._index = index
        self._before = before
        self._kept = planned.kept(index)
        self._damaged: tuple[str, ...] = ()
        self._failed: dict[Path, Problem] = {}
        self._is_final = True

    def unchanged(self) -> IngestReport | None:
        """The report where the published snapshot is what a run would build; what is gone is dropped then."""
        before = self._before
        is_current = before and before.sources == self._plan.sources(self._model.name)
        if before is None or not is_current:
            return None
        self._damaged = self._look_at(before)
        if self._damaged:
            return None
        self._drop_what_is_gone()
        return IngestReport(before.books["gm"], before.problems, changed=False)

    def _look_at(self, before: Manifest) -> tuple[str, ...]:
        """What of the published snapshot and the books' files is damaged or missing."""
        if not self._index.holds(before.snapshot):
            return (before.snapshot,)
        # On a server the books' files here are copies, which are fetched again.
        failed = {problem.file for problem in before.problems}
        kept = {path for file, path in self._kept.items() if file not in failed}
        books = set() if self._index.is_shared else kept
        if self._index.is_known(before, books):
            return ()
        if damaged := self._index.damaged_files(before, books):
            return tuple(damaged)
        from rag.library.index.opened import open_snapshot

        try:
            open_snapshot(self._index, before)
        except (IndexDamaged, IndexOutdated) as error:
            return (str(error.values.get("parts", before.snapshot)),)
        self._index.remember_as_whole(before, books)
        return ()

    def run(self) -> IngestReport:
        """Every step in turn; a kill between any two is made good by the next run."""
        self._read()
        model_name = self._embed()
        manifest = self._build(model_name)
        self._index.publish(manifest)
        self._remember(manifest)
        self._drop_what_is_gone(manifest.snapshot)
        replaced = self._before.model if self._before and self._before.model != manifest.model else None
        return IngestReport(manifest.books["gm"], manifest.problems, True, replaced, self._damaged)

    def _remember(self, manifest: Manifest) -> None:
        books = {path for path in self._kept.values() if path not in self._failed}
        self._index.remember_as_whole(manifest, set() if self._index.is_shared else books)

    def _read(self) -> None:
        """Read the books that are not kept yet, each kept as soon as it is read."""
        from rag.library.index.book_cache import BookFile
        from rag.library.ingest.read_books import Assignment, Failure, read_books

        new = {
            self._kept[file.file]: Assignment(
                file.file, file.path, self._plan.declared.get(file.file), self._kept_pages(file)
            )
            for file in reversed(self._plan.files)
            if not self._is_kept(self._kept[file.file], format_of(file.file).tool())
        }
        for file, outcome in read_books(reversed(new.values()), self._tell("read")):
            path = self._kept[file]
            if isinstance(outcome, Failure):
                self._failed[path] = self._problem(file, outcome.key, outcome.values)
                self._is_final &= outcome.is_final
            else:
                BookFile.unembedded(outcome).save(path)

    def _kept_pages(self, file: LibraryFile) -> KeptPages:
        """Where the pages of a book that OCR reads are kept."""
        return KeptPages.of(self._settings.index_dir, file.stamp.content, format_of(file.file).tool())

    def _is_kept(self, path: Path, tool: str) -> bool:
        """Whether a book was read as whole as `tool` can, here or on another machine."""
        from rag.library.index.book_cache import BookFile

        held = BookFile.load(path)
        if held is None:
            self._index.fetch_book(path, self._model.name)
            held = BookFile.load(path)
        return held is not None and not held.book.parsed.awaits(tool)

    def _embed(self) -> str:
        """Embed the kept books that are not, or by another model; the name of the model they all have then.

        Where the packaged model cannot be imported the library is searched by words alone: no name.
        """
        from rag.library.index.book_cache import BookFile
        from rag.library.ingest.embed import BookEmbedder, work

        files = {path: file for file, path in self._kept.items() if path not in self._failed}
        books = {
            path: book for path in files if (book := BookFile.load(path)) and book.model != self._model.name
        }
        for path in files.keys() - books.keys():
            self._index.keep_book(path, self._model.name, is_new=False)
        embedder = BookEmbedder(self._model, work(held.book for held in books.values()))
        try:
            for path, held in books.items():
                embedder.embed(held.book, partial(self._tell("embed"), files[path])).save(path)
                self._index.keep_book(path, self._model.name, is_new=True)
        except ImportError:
            log.warning("the embedding model %s is not installed: only words are searched", self._model.name)
            return ""
        return self._model.name

    def _build(self, model_name: str) -> Manifest:
        """A new snapshot from the kept books, complete but not published."""
        from rag.library.ingest.build import build

        self._drop_what_is_gone()
        snapshot = uuid.uuid4().hex
        directory = self._index.directory_of(snapshot)
        directory.mkdir(parents=True)
        try:
            with closing(self._index.vectors_of(snapshot, is_new=True)) as vectors:
                books = build(directory, vectors, self._named_books(), self._kept, self._tell_built)
        except BaseException:
            shutil.rmtree(directory, ignore_errors=True)
            raise
        return Manifest(
            snapshot=snapshot,
            model=model_name,
            sources=self._plan.sources(model_name) if self._is_final else "",
            stamps={file.file: file.stamp for file in self._plan.files},
            books=books,
            problems=(
                *self._plan.problems,
                *self._problems(),
                *pages_beyond(self._plan.declared, books["gm"]),
            ),
            files=digests(directory),
            servers=self._plan.servers,
        )

    def _named_books(self) -> "list[NamedBook]":
        from rag.library.books.reader_catalogs import NamedBook
        from rag.library.index.book_cache import BookFile

        return [
            NamedBook(file, held.book.parsed, self._plan.declared.get(file))
            for file, path in self._kept.items()
            if path not in self._failed and (held := BookFile.load(path))
        ]

    def _problems(self) -> list[Problem]:
        """Why books could not be read, one problem a file, also where several are the same bad file."""
        return [
            self._problem(file, self._failed[path].key, self._failed[path].values)
            for file, path in self._kept.items()
            if path in self._failed
        ]

    def _problem(self, file: str, key: str, values: Mapping[str, Any]) -> Problem:
        """A problem of a file, with its path for commands that mend it."""
        path = self._settings.library_dir / file
        return Problem(file, key, {**values, "file": file, "path": str(path)})

    def _drop_what_is_gone(self, *snapshots: str) -> None:
        """Delete what nothing needs any more; readers may still be at the snapshot before."""
        before = [self._before.snapshot] if self._before else []
        pages = {
            KeptPages.book_folder(self._settings.index_dir, file.stamp.content) for file in self._plan.files
        }
        costly = {*self._kept.values(), *pages}
        self._index.drop_all_but([*snapshots, *before], costly, self._model.name, self._kept_seconds)

    def _tell(self, stage: IngestStage) -> Callable[..., None]:
        def tell(file: str, done: int, total: int, seconds_left: float | None = None) -> None:
            self._on_progress(IngestProgress(stage, file, done, total, seconds_left))

        return tell

    def _tell_built(self, done: int, total: int) -> None:
        self._on_progress(IngestProgress("build", None, done, total))
