"""Ingestion: reading and embedding what is new or changed, publishing a snapshot.

What is costly about a book is kept in one file named by its hash, so a kill loses at most the books in
work; a snapshot is built from those files and published by one rename, so a reader never sees half. The books
are published first, and once more when the references among all of them are found.
An unchanged library is known without opening anything: heavy modules are imported where work begins.
"""

import logging
import shutil
import uuid
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager
from dataclasses import dataclass, replace
from functools import partial
from importlib import import_module
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from rag.config import Audience, Settings
from rag.errors import IndexDamaged, IndexOutdated
from rag.library.books.book import BookSummary, Problem
from rag.library.books.files import LibraryFile
from rag.library.books.library_toml import pages_beyond
from rag.library.books.reader_catalogs import READERS, NamedBook, codes_shared, with_new_books
from rag.library.index.atomic_files import OcrPages, only_writer
from rag.library.index.book_cache import KeptBook
from rag.library.index.local import LOCK, Index, is_whole
from rag.library.index.manifest import Manifest
from rag.library.index.open import index_of
from rag.library.ingest.plan import Plan, plan
from rag.library.ingest.printed import Printed
from rag.library.ingest.read_books import CHANGING, Assignment, Failure, read_books
from rag.library.readers.formats import format_of

if TYPE_CHECKING:
    from rag.models.embeddings import EmbeddingModel

log = logging.getLogger(__name__)

_DAY_SECONDS = 24 * 60 * 60
MOST_SEGMENTS = 4
"""Of so many segments only half are kept, the largest, and the books of the others are put into a new one."""

IngestStage = Literal["wait", "read", "embed", "build"]


@dataclass(frozen=True, slots=True)
class IngestProgress:
    """What ingestion is at: `done` of `total` pages read, passages embedded, or books built in.

    `file` is the book in work; none while another ingest is waited for, and while building.
    """

    stage: IngestStage
    file: str | None = None
    done: int = 0
    total: int = 0


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
    is gone, what was indexed is left as it is. Books that cannot be read are reported, the others indexed all
    the same. Raises `LibraryTomlError` for a wrong `library.toml`, `NotInLibrary` or `NoSuchPath` for a path,
    `IndexUnwritable`, `IndexUnreachable` and `ModelError`; what was published before then stays.
    """
    index = index_of(settings)

    def run() -> IngestReport:
        index.refresh()
        before = index.published()
        planned = plan(settings, before, only)
        # The library was here, or on another machine that publishes, and no book of it is here now.
        if before and not planned.files and not only and (index.is_shared or before.stamps):
            return IngestReport(before.books["gm"], planned.problems, changed=False)
        return _Ingestion(settings, model, on_progress, planned, index, before, prune).run()

    with only_writer(settings.index_dir, LOCK, lambda: on_progress(IngestProgress("wait"))):
        try:
            return run()
        except IndexDamaged as error:
            # The file system does not tell of it: now all is looked at.
            index.doubt(error)
            return run()


@dataclass
class _Ingestion:
    """One run: read, embed, build and publish, where there is anything to do."""

    settings: Settings
    model: "EmbeddingModel"
    on_progress: OnProgress
    plan: Plan
    index: Index
    before: Manifest | None
    prune: bool

    def __post_init__(self) -> None:
        self._kept = self.plan.kept(self.index)
        self._damaged = self._look_at(self.before) if self.before and self.before.is_current else ()
        self._failed: dict[Path, Failure] = {}
        self._books: dict[Path, KeptBook] = {}
        self._model_name = self.model.name
        self._is_final = True

    def run(self) -> IngestReport:
        """Every step in turn, where there is anything to do; a kill is made good by the next run."""
        before, base = self.before, self._base()
        if base and base.sources == self.plan.sources(self.model.name):
            self._drop_all_but(base)
            return IngestReport(base.books["gm"], base.problems, changed=False)
        # The books first, what is new beside what was there; then the references among all of them.
        same = self._as_before()
        new = [file for file in self.plan.books if file.file not in same]
        self._read(new)
        self._embed(new)
        early = self._with_books(same, new)
        manifest = self._with_links(early)
        # Readers may still be at the snapshots before.
        self._drop_all_but(manifest, early, *filter(None, [before]))
        replaced = before.model if before and before.model != manifest.model else None
        return IngestReport(manifest.books["gm"], manifest.problems, True, replaced, self._damaged)

    def _look_at(self, before: Manifest) -> tuple[str, ...]:
        """What of the published snapshot and of its books' files is damaged or missing."""
        if not self.index.holds(before):
            return (before.snapshot,)
        books = {at for file, at in self._kept.items() if before.contents.get(file, "").startswith(at.stem)}
        if self.index.is_shared:
            # The files here are copies, which are fetched again.
            books = self.index.known(books)
        if not self.index.unknown(before, books):
            return ()
        if damaged := self.index.damaged_files(before, books):
            return tuple(damaged)
        from rag.library.index.open import open_snapshot

        try:
            open_snapshot(self.index, before)
        except (IndexDamaged, IndexOutdated) as error:
            return (str(error.values.get("parts", before.snapshot)),)
        self.index.remember_as_whole(before, books)
        return ()

    def _base(self) -> Manifest | None:
        """The snapshot before, where it is whole, of this release and embedded by this model."""
        before = self.before
        is_usable = before and before.is_current and before.model == self._model_name
        return before if is_usable and not self._damaged else None

    def _as_before(self) -> dict[str, str]:
        """What the snapshot before has of the files of which nothing has changed since, nor is to be read."""
        base = self._base()
        if base is None:
            return {}
        unread = {book.file for book in base.books["gm"] if book.health.missing}
        whole = self.index.known(self._kept.values())
        return {
            file: content
            for file, content in base.contents.items()
            if (path := self._kept.get(file)) in whole
            and path.stem == content.split()[0]
            and file not in unread
        }

    def _published(self, manifest: Manifest) -> Manifest:
        """A complete snapshot, with the digests of its own files, made the one that readers open."""
        whole = manifest.with_digests(self.index.directory_of(manifest.snapshot))
        self.index.publish(whole)
        books = {path for path in self._kept.values() if path not in self._failed}
        self.index.remember_as_whole(whole, books)
        return whole

    def _read(self, files: Sequence[LibraryFile]) -> None:
        """Read those books that are not kept yet, each kept as soon as it is read."""
        stamped = {file.file: file for file in files}
        new: dict[Path, Assignment] = {}
        for file in files:
            path, tool = self._kept[file.file], format_of(file.file).tool()
            if not self._is_kept(path, tool):
                pages = OcrPages(self.index.ocr_folder(file.stamp.content) / tool)
                declared = self.plan.declared.get(file.file)
                new.setdefault(path, Assignment(file.file, file.path, declared, pages))
        with ThreadPoolExecutor(1) as beside:
            if new:
                # Chroma takes as long to import as a book to read, which is done in another process.
                beside.submit(import_module, "rag.library.ingest.build")
            for name, outcome in read_books(new.values(), partial(self._tell, "read")):
                path = self._kept[name]
                if not stamped[name].is_unchanged():
                    # What was read is perhaps half of a file, and not what its hash names.
                    outcome = Failure(CHANGING, {}, is_final=False)
                if isinstance(outcome, Failure):
                    self._failed[path] = outcome
                    self._is_final &= outcome.is_final
                else:
                    KeptBook(outcome).save(path)

    def _is_kept(self, path: Path, tool: str) -> bool:
        """Whether a book was read as far as `tool` can, here or on another machine."""
        if not is_whole(path):
            self.index.fetch_book(path, self.model.name)
        held = KeptBook.load(path, with_vectors=False) if is_whole(path) else None
        if held is None or held.book.parsed.awaits(tool):
            return False
        self._books[path] = held
        return True

    def _kept_book(self, path: Path) -> KeptBook:
        """The book kept at `path`, without its vectors. Raises `IndexDamaged`."""
        if path not in self._books:
            self._books[path] = self._loaded(path, with_vectors=False)
        return self._books[path]

    def _loaded(self, path: Path, *, with_vectors: bool = True) -> KeptBook:
        held = KeptBook.load(path, with_vectors=with_vectors)
        if held is None:
            raise IndexDamaged(parts=path.name)
        return held

    def _embed(self, files: Sequence[LibraryFile]) -> None:
        """Embed those books of the files that are not embedded, or by another model, and keep each.

        Where the packaged model cannot be imported the library is searched by words alone: no name.
        """
        from rag.library.ingest.embed import BookEmbedder, work

        names = {self._kept[file.file]: file.file for file in files}
        books = {path: self._kept_book(path) for path in names if path not in self._failed}
        new = {path for path, held in books.items() if held.model != self.model.name}
        try:
            with closing(BookEmbedder(self.model, work(books[path].book for path in new))) as embedder:
                for path, held in books.items():
                    if path in new:
                        tell = partial(self._tell, "embed", names[path])
                        embedder.embed(held.book, tell).save(path)
                        self._books[path] = replace(held, model=self.model.name)
                    self.index.keep_book(path, self.model.name, is_new=path in new)
        except ImportError:
            log.warning("the embedding model %s is not installed: only words are searched", self.model.name)
            self._model_name = ""

    def _named(self, files: Sequence[LibraryFile]) -> list[NamedBook]:
        """Those books of the files that could be read."""
        declared, copies = self.plan.declared, self.plan.copies
        return [
            NamedBook(
                file.file,
                self._kept_book(path).book.parsed,
                declared.get(file.file),
                copies.get(file.file, ()),
                self.plan.games.get(file.file.partition("/")[0]),
            )
            for file in files
            if (path := self._kept[file.file]) not in self._failed
        ]

    def _with_books(self, same: Mapping[str, str], new: Sequence[LibraryFile]) -> Manifest:
        """Publish a snapshot of all books, in which what is new has no references yet.

        It is the one before where nothing is new or gone.
        """
        from rag.library.ingest.build import build_links, build_segment

        base, named = self._base(), self._named(new)
        paths = {book.file: self._kept[book.file] for book in named}
        # What is indexed of a book: what its reading depends on, and what came of it.
        contents = {**same, **{file: f"{at.stem} {self._books[at].content}" for file, at in paths.items()}}
        if base and contents == base.contents:
            return base
        before = base.books if base else dict.fromkeys(READERS, ())
        books = with_new_books(
            {reader: [book for book in before[reader] if book.file in same] for reader in READERS}, named
        )
        segments = _kept_segments(base, contents) if base else {}
        held = {item for segment in segments.values() for item in segment.items()}
        own = dict(contents.items() - held)
        with self._new_directory() as directory:
            if own or not segments:
                added = [book for book in books["gm"] if book.file in own]
                chunks = sum(len(self._kept_book(self._kept[file]).book.chunks) for file in own)
                with closing(self.index.vectors_of(directory.name, chunks)) as vectors:
                    tell = partial(self._tell, "build", None)
                    build_segment(directory, vectors, added, lambda one: self._loaded(self._kept[one]), tell)
                segments[directory.name] = own
            if not base:
                build_links(directory, (), {}, Printed())
        return self._published(
            Manifest(
                **self._facts(books),
                snapshot=directory.name,
                sources="",
                digests=base.digests if base else {},
                contents=contents,
                segments=segments,
                links=base.links if base else directory.name,
            )
        )

    def _with_links(self, early: Manifest) -> Manifest:
        """Publish the snapshot with the references among all books."""
        from rag.library.ingest.build import build_links

        read = Printed.load(self.index.directory_of(early.links))
        with self._new_directory() as directory:
            books = build_links(directory, self._named(self.plan.books), early.contents, read)
        sources = self.plan.sources(self._model_name) if self._is_final else ""
        name, facts = directory.name, self._facts(books)
        return self._published(replace(early, **facts, snapshot=name, sources=sources, links=name))

    @contextmanager
    def _new_directory(self) -> Iterator[Path]:
        """A directory for a new snapshot; nothing stays of it where it is not finished."""
        directory = self.index.directory_of(uuid.uuid4().hex)
        directory.mkdir(parents=True)
        try:
            yield directory
        except BaseException:
            shutil.rmtree(directory, ignore_errors=True)
            raise

    def _facts(self, books: Mapping[Audience, tuple[BookSummary, ...]]) -> dict[str, Any]:
        """What is told of the library in a manifest, as it is now, with what is wrong about it."""
        problems = [
            # With its path for commands that mend it; several files may be the same bad one.
            Problem(file.file, failure.key, {**failure.values, "file": file.file, "path": str(file.path)})
            for file in self.plan.books
            if (failure := self._failed.get(self._kept[file.file]))
        ]
        wrong = (tell(self.plan.declared, books["gm"]) for tell in (pages_beyond, codes_shared))
        return {
            "model": self._model_name,
            "stamps": {file.file: file.stamp for file in self.plan.files},
            "books": books,
            "problems": (*self.plan.problems, *problems, *chain(*wrong)),
            "servers": self.plan.servers,
        }

    def _drop_all_but(self, *manifests: Manifest) -> None:
        """Delete what neither these snapshots nor the books here need any more."""
        pages = {self.index.ocr_folder(file.stamp.content) for file in self.plan.files}
        costly = {*self._kept.values(), *pages}
        parts = set[str]().union(*(manifest.parts for manifest in manifests))
        kept_seconds = 0.0 if self.prune else self.settings.books_kept_days * _DAY_SECONDS
        self.index.drop_all_but(parts, costly, self.model.name, kept_seconds)

    def _tell(self, stage: IngestStage, file: str | None, done: int, total: int) -> None:
        self.on_progress(IngestProgress(stage, file, done, total))


def _kept_segments(before: Manifest, contents: Mapping[str, str]) -> dict[str, Mapping[str, str]]:
    """The segments to take over: of those that hold mostly what is current the largest."""
    current = {name: len(held.items() & contents.items()) for name, held in before.segments.items()}
    usable = [name for name, held in before.segments.items() if 2 * current[name] > len(held)]
    if len(usable) >= MOST_SEGMENTS:
        usable = sorted(usable, key=lambda name: -current[name])[: MOST_SEGMENTS // 2]
    return {name: before.segments[name] for name in before.segments if name in usable}
