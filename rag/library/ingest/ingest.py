"""Ingestion: reading and embedding what is new or changed, publishing a snapshot.

What is costly about a book is kept in one file named by its hash, so a kill loses at most the books in
work; the snapshot is built from those files and published by one rename, so a reader never sees half.
An unchanged library is known without opening anything: heavy modules are imported where work begins.
"""

import logging
import os
import shutil
import uuid
from collections.abc import Callable, Mapping, Sequence, Set
from contextlib import closing
from dataclasses import dataclass, replace
from functools import cached_property, partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

from rag.config import Settings
from rag.errors import IndexDamaged, IndexOutdated, IndexUnwritable
from rag.library.books.book import BookSummary, Problem
from rag.library.books.files import LibraryFile
from rag.library.books.library_toml import pages_beyond
from rag.library.index.atomic_files import OcrPages, make_folder, only_writer, writing
from rag.library.index.local import Index
from rag.library.index.manifest import INDEX_VERSION, Manifest, digests, is_whole_book
from rag.library.index.open import index_of
from rag.library.ingest.plan import Plan, plan
from rag.library.readers.formats import format_of

if TYPE_CHECKING:
    from rag.config import Audience
    from rag.library.books.reader_catalogs import NamedBook
    from rag.library.index.book_cache import KeptBook
    from rag.models.embeddings import EmbeddingModel

log = logging.getLogger(__name__)

_DAY_SECONDS = 24 * 60 * 60
MOST_SEGMENTS = 4
"""Of so many segments only half are kept, the largest, and the books of the others are put into a new one."""

ReaderBooks: TypeAlias = "Mapping[Audience, tuple[BookSummary, ...]]"
"""The books of a snapshot, as each reader may know them."""

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
        if before and _is_gone(before, planned, index, only):
            return IngestReport(before.books["gm"], planned.problems, changed=False)
        running = _Ingestion(settings, model, on_progress, planned, index, before, prune=prune)
        return running.unchanged() or running.run()

    with writing(settings.index_dir):
        make_folder(settings.index_dir)
        with only_writer(index.lock, lambda: on_progress(IngestProgress("wait"))):
            try:
                return run()
            except IndexDamaged as error:
                # The file system does not tell of it: now all is looked at.
                index.doubt(error)
                return run()


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
        prune: bool = False,
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
        self._books: dict[Path, KeptBook] = {}
        self._model_name = model.name
        self._is_final = True
        self._early: Manifest | None = None

    def unchanged(self) -> IngestReport | None:
        """The report where the published snapshot is what a run would build; what is gone is dropped then."""
        before = self._before
        if before is None or before.version != INDEX_VERSION:
            return None
        if before.sources != self._plan.sources(self._model.name):
            return None
        # On a server the books' files here are copies, which are fetched again.
        failed = {problem.file for problem in before.problems}
        kept = {path for file, path in self._kept.items() if file not in failed}
        self._damaged = self._look_at(before, set() if self._index.is_shared else kept)
        if self._damaged:
            return None
        self._drop_what_is_gone()
        return IngestReport(before.books["gm"], before.problems, changed=False)

    def _look_at(self, before: Manifest, books: Set[Path]) -> tuple[str, ...]:
        """What of the published snapshot and of books' files is damaged or missing."""
        if not self._index.holds(before.snapshot):
            return (before.snapshot,)
        if self._index.is_known(before, books):
            return ()
        if damaged := self._index.damaged_files(before, books):
            return tuple(damaged)
        from rag.library.index.open import open_snapshot

        try:
            open_snapshot(self._index, before)
        except (IndexDamaged, IndexOutdated) as error:
            return (str(error.values.get("parts", before.snapshot)),)
        self._index.remember_as_whole(before, {*books, *self._whole_books})
        return ()

    def run(self) -> IngestReport:
        """Every step in turn; a kill between any two is made good by the next run."""
        from rag.models.encoder_processes import end_encoders

        try:
            return self._run()
        finally:
            end_encoders()

    def _run(self) -> IngestReport:
        self._publish_early()
        self._read(self._plan.books)
        self._drop_what_is_gone()
        self._embed(self._plan.books)
        manifest = self._build()
        self._publish(manifest)
        self._drop_what_is_gone(manifest.snapshot)
        replaced = self._before.model if self._before and self._before.model != manifest.model else None
        return IngestReport(manifest.books["gm"], manifest.problems, True, replaced, self._damaged)

    def _publish_early(self) -> None:
        """Publish what is new beside what was there, before all references are looked for.

        Its own references are found afterwards.
        """
        same = self._as_before()
        new = [file for file in self._plan.books if file.file not in same]
        if same:
            self._read(new)
            self._embed(new)
            self._early = self._build_early(same, new)
        if self._early:
            self._publish(self._early)

    def _as_before(self) -> dict[str, str]:
        """What the snapshot before has of the files of which nothing has changed since, nor is to be read."""
        before = self._before
        if before is None or not self._may_build_on(before):
            return {}
        unread = {book.file for book in before.books["gm"] if book.health.missing}
        return {
            file: content
            for file, content in before.contents.items()
            if (path := self._kept.get(file)) in self._whole_books
            and path.stem == content.split()[0]
            and file not in unread
        }

    def _publish(self, manifest: Manifest) -> None:
        self._index.publish(manifest)
        books = {path for path in self._kept.values() if path not in self._failed}
        self._index.remember_as_whole(manifest, books)

    def _read(self, files: Sequence[LibraryFile]) -> None:
        """Read those books that are not kept yet, each kept as soon as it is read."""
        from rag.library.index.book_cache import KeptBook
        from rag.library.ingest.embed import prepare_to_embed, work
        from rag.library.ingest.read_books import CHANGING, Assignment, Failure, read_books

        stamped = {file.file: file for file in files}
        new = {}
        for file in reversed(files):
            path, tool = self._kept[file.file], format_of(file.file).tool()
            if path not in self._failed and not self._is_kept(path, tool):
                pages = OcrPages.of(self._settings.index_dir, file.stamp.content, tool)
                declared = self._plan.declared.get(file.file)
                new[path] = Assignment(file.file, file.path, declared, pages)
        to_embed = 0
        for count, (name, outcome) in enumerate(read_books(reversed(new.values()), self._tell("read")), 1):
            path = self._kept[name]
            if not stamped[name].is_unchanged():
                # What was read is perhaps half of a file, and not what its hash names.
                outcome = Failure(CHANGING, {}, is_final=False)
            if isinstance(outcome, Failure):
                self._failed[path] = self._problem(name, outcome.key, outcome.values)
                self._is_final &= outcome.is_final
            else:
                KeptBook(outcome).save(path)
                to_embed += work([outcome])
            still_read = len(new) - count
            prepare_to_embed(self._model, to_embed, cores=(os.cpu_count() or 1) - still_read)

    def _is_kept(self, path: Path, tool: str) -> bool:
        """Whether a book was read as whole as `tool` can, here or on another machine."""
        is_whole = path in self._whole_books or is_whole_book(path)
        held = self._kept_book(path) if is_whole else None
        if held is None:
            self._index.fetch_book(path, self._model.name)
            held = self._kept_book(path) if is_whole_book(path) else None
        if held is None or held.book.parsed.awaits(tool):
            self._books.pop(path, None)
            return False
        return True

    def _kept_book(self, path: Path) -> "KeptBook | None":
        """The book kept at `path`, without its vectors; none where there is none."""
        from rag.library.index.book_cache import KeptBook

        if path not in self._books and (held := KeptBook.load(path, with_vectors=False)):
            self._books[path] = held
        return self._books.get(path)

    def _embed(self, files: Sequence[LibraryFile]) -> None:
        """Embed those books of the files that are not embedded, or by another model, and keep each.

        Where the packaged model cannot be imported the library is searched by words alone: no name.
        """
        from rag.library.ingest.embed import BookEmbedder, work

        books = self._to_embed(files)
        try:
            with closing(
                BookEmbedder(self._model, work(held.book for _, held in books.values()))
            ) as embedder:
                for path, (file, held) in books.items():
                    embedder.embed(held.book, partial(self._tell("embed"), file)).save(path)
                    self._books[path] = replace(held, model=self._model.name)
                    self._index.keep_book(path, self._model.name, is_new=True)
        except ImportError:
            log.warning("the embedding model %s is not installed: only words are searched", self._model.name)
            self._model_name = ""

    def _to_embed(self, files: Sequence[LibraryFile]) -> "dict[Path, tuple[str, KeptBook]]":
        """Those books of the files that are not embedded, or by another model, with their names."""
        paths = {self._kept[file.file]: file.file for file in files}
        names = {path: file for path, file in paths.items() if path not in self._failed}
        books = {
            path: (names[path], held)
            for path in names
            if (held := self._kept_book(path)) and held.model != self._model.name
        }
        for path in names.keys() - books.keys():
            self._index.keep_book(path, self._model.name, is_new=False)
        return books

    def _book(self, file: str) -> "KeptBook":
        """The book of a file with its vectors."""
        from rag.library.index.book_cache import KeptBook

        path = self._kept[file]
        held = KeptBook.load(path)
        if held is None:
            raise IndexUnwritable(folder=str(path.parent), reason="a book file cannot be read back")
        return held

    def _build_early(self, same: Mapping[str, str], new: Sequence[LibraryFile]) -> Manifest | None:
        """A new snapshot in which what is new has no references yet; none where nothing is new or gone."""
        from rag.library.books.reader_catalogs import with_new_books

        before, named = self._before, self._named(new)
        contents = {**same, **self._contents(named)}
        if before is None or contents == before.contents:
            return None
        listed = {
            reader: [book for book in books if book.file in same] for reader, books in before.books.items()
        }
        books = with_new_books(listed, named)
        return self._new_snapshot("", contents, before, lambda _: books)

    def _build(self) -> Manifest:
        """A new snapshot from the kept books, complete but not published."""
        from rag.library.ingest.build import build_links

        named = self._named(self._plan.books)
        contents = self._contents(named)
        sources = self._plan.sources(self._model_name) if self._is_final else ""
        before = self._early or self._before

        def link(directory: Path) -> "ReaderBooks":
            return build_links(directory, named, contents)

        return self._new_snapshot(sources, contents, before, link)

    def _named(self, files: Sequence[LibraryFile]) -> "list[NamedBook]":
        """Those books of the files that could be read."""
        from rag.library.books.reader_catalogs import NamedBook

        declared, copies = self._plan.declared, self._plan.copies
        return [
            NamedBook(file.file, held.book.parsed, declared.get(file.file), copies.get(file.file, ()))
            for file in files
            if (path := self._kept[file.file]) not in self._failed and (held := self._kept_book(path))
        ]

    def _contents(self, books: "Sequence[NamedBook]") -> dict[str, str]:
        """What is indexed of each book: what its reading depends on, and what came of it."""
        paths = {book.file: self._kept[book.file] for book in books}
        return {file: f"{path.stem} {self._books[path].content}" for file, path in paths.items()}

    def _new_snapshot(
        self,
        sources: str,
        contents: Mapping[str, str],
        before: Manifest | None,
        link: "Callable[[Path], ReaderBooks]",
    ) -> Manifest:
        """A new snapshot upon segments of the one before; nothing stays of a directory that is not finished.

        `link` may write references into the directory, and gives the books; else those of before are kept.
        """
        from rag.library.index.tables import LINKS
        from rag.library.ingest.build import build_segment

        snapshot = uuid.uuid4().hex
        directory = self._index.directory_of(snapshot)
        directory.mkdir(parents=True)
        try:
            books = link(directory)
            segments = self._kept_segments(before, contents, books["gm"])
            held = {item for segment in segments.values() for item in segment.items()}
            own = dict(contents.items() - held)
            if own or not segments:
                with closing(self._index.vectors_of(snapshot, is_new=True)) as vectors:
                    added = [book for book in books["gm"] if book.file in own]
                    build_segment(directory, vectors, added, self._book, partial(self._tell("build"), None))
                segments[snapshot] = own
        except BaseException:
            shutil.rmtree(directory, ignore_errors=True)
            raise
        links = snapshot if (directory / LINKS).exists() or before is None else before.links
        files = dict(before.files) if before else {}
        return Manifest(
            snapshot=snapshot,
            model=self._model_name,
            sources=sources,
            stamps={file.file: file.stamp for file in self._plan.files},
            books=books,
            problems=(
                *self._plan.problems,
                *self._problems(),
                *pages_beyond(self._plan.declared, books["gm"]),
            ),
            files={
                name: digest
                for name, digest in {**files, **digests(directory)}.items()
                if name.partition("/")[0] in {*segments, links}
            },
            servers=self._plan.servers,
            contents=contents,
            segments=segments,
            links=links,
        )

    def _kept_segments(
        self, before: Manifest | None, contents: Mapping[str, str], books: Sequence[BookSummary]
    ) -> dict[str, Mapping[str, str]]:
        """The segments to take over: of those that hold mostly what is current the largest."""
        if before is None or not self._may_build_on(before):
            return {}
        pages = {(book.file, contents[book.file]): book.pages for book in books}
        sizes = {
            name: sum(pages[item] for item in held.items() & pages.keys())
            for name, held in before.segments.items()
            if 2 * len(held.items() & pages.keys()) > len(held)
        }
        largest = sorted(sizes, key=lambda name: sizes[name], reverse=True)
        kept = largest if len(largest) < MOST_SEGMENTS else largest[: MOST_SEGMENTS // 2]
        return {name: before.segments[name] for name in before.segments if name in kept}

    def _may_build_on(self, before: Manifest) -> bool:
        """Whether a snapshot is whole, of this release and embedded by this model."""
        return before.version == INDEX_VERSION and before.model == self._model_name and self._is_before_whole

    @cached_property
    def _whole_books(self) -> set[Path]:
        """The books' files of which nothing has changed since they were found whole, when this run began."""
        return self._index.known_books(self._kept.values())

    @cached_property
    def _is_before_whole(self) -> bool:
        """Whether the snapshot before could be served when this run began."""
        return self._before is not None and not self._damaged and not self._look_at(self._before, set())

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
        before = [manifest.snapshot for manifest in (self._early, self._before) if manifest]
        pages = {self._index.ocr_folder(file.stamp.content) for file in self._plan.files}
        costly = {*self._kept.values(), *pages}
        self._index.drop_all_but([*snapshots, *before], costly, self._model.name, self._kept_seconds)

    def _tell(self, stage: IngestStage) -> Callable[..., None]:
        def tell(file: str | None, done: int, total: int) -> None:
            self._on_progress(IngestProgress(stage, file, done, total))

        return tell
