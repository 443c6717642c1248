"""Ingestion: reading and embedding what is new or changed, publishing a snapshot.

What is costly about a book is kept in one file named by its hash, so a kill loses at most the book in
work; the snapshot is built from those files and published by one rename, so a reader never sees half.
An unchanged library is known without opening anything: heavy modules are imported where work begins.
"""

import logging
import os
import shutil
import uuid
from collections.abc import Callable, Collection, Mapping, Sequence, Set
from concurrent.futures import Future
from contextlib import closing
from dataclasses import dataclass, replace
from functools import cached_property, partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, TypeAlias, TypeVar

from rag.config import Settings
from rag.errors import IndexDamaged, IndexOutdated, IndexUnwritable
from rag.library.books.book import BookSummary, Problem
from rag.library.books.files import LibraryFile
from rag.library.books.library_toml import pages_beyond
from rag.library.index.atomic_files import KeptPages, make_folder, only_writer, writing
from rag.library.index.local import Index
from rag.library.index.manifest import INDEX_VERSION, Manifest, digests, is_whole_book
from rag.library.index.open import index_of
from rag.library.ingest.plan import Plan, plan
from rag.library.readers.formats import format_of

if TYPE_CHECKING:
    from rag.config import Audience
    from rag.library.books.reader_catalogs import NamedBook
    from rag.library.index.book_cache import BookFile, BookText, ReadBook
    from rag.library.index.chroma import ChunkVectors
    from rag.library.ingest.embed import BookEmbedder
    from rag.models.embeddings import EmbeddingModel

log = logging.getLogger(__name__)

_DAY_SECONDS = 24 * 60 * 60
LARGE = 3_000
"""Pages from which on to link them all takes a second or more: there new books are published before that."""
MOST_CHANGED = 0.1
"""The share of its pages by which a base may have changed; beyond, a snapshot holds all books itself."""
MOST_CHANGED_OF_LARGE = 0.5
"""The same in a large library, where that takes minutes: before, it is done when nobody waits."""

Built = TypeVar("Built")
ReaderBooks: TypeAlias = "Mapping[Audience, tuple[BookSummary, ...]]"
"""The books of a snapshot, as each reader may know them."""

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
    changing: Collection[str] = (),
) -> IngestReport:
    """Index what is new or changed under `LIBRARY_DIR`, and drop what is gone.

    With `only`, files and folders in the library, the rest stays as it was indexed before, as do files still
    `changing`. What was costly about a book that is gone is kept for `BOOKS_KEPT_DAYS`, unless told to
    `prune`. Where the whole library is gone, what was indexed is left as it is. Books that cannot be read are
    reported, the others indexed all the same. Raises `LibraryTomlError` for a wrong
    `library.toml`, `NotInLibrary` or `NoSuchPath` for a path, `IndexUnwritable`, `IndexUnreachable`
    and `ModelError`; what was published before then stays.
    """
    index = index_of(settings)

    def run() -> IngestReport:
        index.refresh()
        before = index.published()
        planned = plan(settings, before, only, changing)
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


def merge(
    settings: Settings, model: "EmbeddingModel", on_progress: OnProgress = lambda progress: None
) -> None:
    """Have the published snapshot hold all books itself, where much has changed since its base was made.

    Nothing new is indexed: it is done where nobody waits. What `on_progress` raises ends it, with the index
    as it was. Raises what `ingest` does.
    """
    index = index_of(settings)
    with writing(settings.index_dir), only_writer(index.lock, lambda: None):
        index.refresh()
        before = index.published()
        if before is None or not before.base:
            return
        pages = {book.file: book.pages for book in before.books["gm"]}
        planned = plan(settings, before, ())
        is_due = _share_changed(index.base_of(before), before.contents, pages) > MOST_CHANGED
        if is_due and before.sources == planned.sources(model.name):
            _Ingestion(settings, model, on_progress, planned, index, before, merges=True).run()


def _share_changed(base: Manifest | None, contents: Mapping[str, str], pages: Mapping[str, int]) -> float:
    """How much has changed since a base was made, as a share of its pages; 0 where there is no base."""
    if base is None:
        return 0.0
    of_base = {book.file: book.pages for book in base.books["gm"]}
    changed = {file for file, _ in contents.items() ^ base.contents.items()}
    turned = sum(pages.get(file, 0) + of_base.get(file, 0) for file in changed)
    return turned / max(sum(of_base.values()), 1)


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
        merges: bool = False,
    ) -> None:
        self._merges = merges
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
        self._texts: dict[Path, BookText] = {}
        self._embedding: dict[Path, Future[None]] = {}
        self._is_final = True
        self._early = ""

    def unchanged(self) -> IngestReport | None:
        """The report where the published snapshot is what a run would build; what is gone is dropped then."""
        before = self._before
        is_current = before and before.sources == self._plan.sources(self._model.name)
        if before is None or not is_current:
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
        from rag.models.encoder_processes import end_prepared_encoders

        try:
            return self._run()
        finally:
            end_prepared_encoders()

    def _run(self) -> IngestReport:
        self._publish_early()
        self._read(self._plan.books)
        self._drop_what_is_gone()
        manifest = self._embed_while(self._plan.books, self._build)
        self._publish(manifest)
        self._drop_what_is_gone(manifest.snapshot)
        replaced = self._before.model if self._before and self._before.model != manifest.model else None
        return IngestReport(manifest.books["gm"], manifest.problems, True, replaced, self._damaged)

    def _publish_early(self) -> None:
        """Publish what is new beside what was there, where to find all references takes long.

        Its own references are found afterwards.
        """
        before, same = self._before, self._as_before()
        if before is None or sum(book.pages for book in before.books["gm"]) < LARGE or not same:
            return
        new = [file for file in self._plan.books if file.file not in same]
        self._read(new)
        if manifest := self._embed_while(new, partial(self._build_early, before, same)):
            self._publish(manifest)
            self._early = manifest.snapshot

    def _as_before(self) -> dict[str, str]:
        """What the snapshot before has of the files of which nothing has changed since, nor is to be read."""
        before = self._before
        if before is None:
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
        from rag.library.index.book_cache import BookFile
        from rag.library.ingest.embed import prepare_to_embed, work
        from rag.library.ingest.read_books import CHANGING, Assignment, Failure, read_books

        stamped = {file.file: file for file in files}
        new = {}
        for file in reversed(files):
            path, tool = self._kept[file.file], format_of(file.file).tool()
            if path not in self._failed and not self._is_kept(path, tool):
                pages = KeptPages.of(self._settings.index_dir, file.stamp.content, tool)
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
                BookFile.unembedded(outcome).save(path)
                to_embed += work([outcome])
            still_read = len(new) - count
            prepare_to_embed(self._model, to_embed, cores=(os.cpu_count() or 1) - still_read)

    def _is_kept(self, path: Path, tool: str) -> bool:
        """Whether a book was read as whole as `tool` can, here or on another machine."""
        is_whole = path in self._whole_books or is_whole_book(path)
        held = self._text(path) if is_whole else None
        if held is None:
            self._index.fetch_book(path, self._model.name)
            held = self._text(path) if is_whole_book(path) else None
        if held is None or held.parsed.awaits(tool):
            self._texts.pop(path, None)
            return False
        return True

    def _text(self, path: Path) -> "BookText | None":
        """The text of the book kept at `path`; none where there is none.

        Terms that another release did not keep with it are made once.
        """
        from rag.library.index.book_cache import BookFile, BookText

        if path not in self._texts and (held := BookText.load(path)):
            self._texts[path] = held
            if not held.has_terms and (whole := BookFile.load(path, with_vectors=False)):
                whole.add_terms(path)
        return self._texts.get(path)

    def _embed_while(self, files: Sequence[LibraryFile], build: Callable[[str], Built]) -> Built:
        """What is built of these files, while those are embedded that are not, or by another model.

        `build` takes the name of the model that all have then. Where the packaged model cannot be imported
        the library is searched by words alone: no name.
        """
        from rag.library.ingest.embed import BookEmbedder, embedding_beside, work

        books = self._to_embed(files)
        try:
            with (
                closing(BookEmbedder(self._model, work(held.book for _, held in books.values()))) as embedder,
                embedding_beside(embedder) as beside,
            ):
                self._embedding = {
                    path: beside.submit(self._embed, embedder, path, file, held.book)
                    for path, (file, held) in books.items()
                }
                built = build(self._model.name)
                for path in books:
                    self._await_embedded(path)
                return built
        except ImportError:
            log.warning("the embedding model %s is not installed: only words are searched", self._model.name)
            self._embedding = {}
            return build("")

    def _to_embed(self, files: Sequence[LibraryFile]) -> "dict[Path, tuple[str, BookFile]]":
        """Those books of the files that are not embedded, or by another model, with their names."""
        from rag.library.index.book_cache import BookFile

        paths = {self._kept[file.file]: file.file for file in files}
        names = {path: file for path, file in paths.items() if path not in self._failed}
        texts = {path: text for path in names if (text := self._text(path))}
        books = {
            path: (names[path], held)
            for path, text in texts.items()
            if text.model != self._model.name and (held := BookFile.load(path, with_vectors=False))
        }
        for path in names.keys() - books.keys():
            self._index.keep_book(path, self._model.name, is_new=False)
        return books

    def _embed(self, embedder: "BookEmbedder", path: Path, file: str, book: "ReadBook") -> None:
        """Embed a book and keep it."""
        embedder.embed(book, partial(self._tell("embed"), file)).save(path)
        self._texts[path] = replace(self._texts[path], model=self._model.name)
        self._index.keep_book(path, self._model.name, is_new=True)

    def _await_embedded(self, path: Path) -> None:
        """Wait until the book kept at `path` is embedded, where that is being done. Raises what that does."""
        if embedded := self._embedding.get(path):
            embedded.result()

    def _book(self, file: str) -> "BookFile":
        """The book of a file, as soon as it is embedded."""
        from rag.library.index.book_cache import BookFile

        path = self._kept[file]
        self._await_embedded(path)
        held = BookFile.load(path)
        if held is None:
            raise IndexUnwritable(folder=str(path.parent), reason="a book file cannot be read back")
        return held

    def _build(self, model_name: str) -> Manifest:
        """A new snapshot from the kept books, complete but not published."""
        from rag.library.ingest.build import build

        named = self._named(self._plan.books)
        contents = self._contents(named)
        base = self._base(model_name, contents, {book.file: len(book.parsed.pages) for book in named})
        own = _beyond(contents, base)
        self._check_before()
        sources = self._plan.sources(model_name) if self._is_final else ""

        def fill(directory: Path, vectors: "ChunkVectors") -> "ReaderBooks":
            return build(directory, vectors, named, self._book, own, self._tell_built)

        return self._new_snapshot(model_name, sources, contents, base, fill)

    def _check_before(self) -> None:
        """Refuse a snapshot before with other tables than were written, whatever the file system says.

        Raises `IndexDamaged`.
        """
        if self._before and self._is_before_whole and not self._index.has_true_tables(self._before):
            raise IndexDamaged(parts=self._before.snapshot)

    def _build_early(self, before: Manifest, same: Mapping[str, str], model_name: str) -> Manifest | None:
        """A new snapshot in which what is new has no references yet.

        None where there is no base to take over, or nothing is new.
        """
        from rag.library.books.reader_catalogs import with_new_books
        from rag.library.ingest.build import build_unlinked
        from rag.library.ingest.carried_links import carry_links, page_counts

        named = self._named([file for file in self._plan.books if file.file not in same])
        contents = dict(sorted({**same, **self._contents(named)}.items()))
        pages = {book.file: book.pages for book in before.books["gm"] if book.file in same}
        pages |= {book.file: len(book.parsed.pages) for book in named}
        base = self._base(model_name, contents, pages)
        if base is None or contents == before.contents:
            return None
        kept = {
            reader: [book for book in listed if book.file in same] for reader, listed in before.books.items()
        }
        books = with_new_books(kept, named)
        own = _beyond(contents, base)
        counts_before = page_counts(self._index.directories(before))
        counts = {file: counts_before.get(file, 0) for file in contents} | {
            book.file: len(book.parsed.pages) for book in named
        }
        directory_before = self._index.directory_of(before.snapshot)

        def fill(directory: Path, vectors: "ChunkVectors") -> "ReaderBooks":
            build_unlinked(
                directory,
                vectors,
                [book for book in books["gm"] if book.file in own],
                self._book,
                lambda database: carry_links(database, directory_before, counts_before, counts, same),
                self._tell_built,
            )
            return books

        return self._new_snapshot(model_name, "", contents, base, fill)

    def _named(self, files: Sequence[LibraryFile]) -> "list[NamedBook]":
        """Those books of the files that could be read."""
        from rag.library.books.reader_catalogs import NamedBook

        declared, copies = self._plan.declared, self._plan.copies
        return [
            NamedBook(file.file, held.parsed, declared.get(file.file), copies.get(file.file, ()))
            for file in files
            if (path := self._kept[file.file]) not in self._failed and (held := self._text(path))
        ]

    def _contents(self, books: "Sequence[NamedBook]") -> dict[str, str]:
        """What is indexed of each book: what its reading depends on, and what came of it."""
        paths = {book.file: self._kept[book.file] for book in books}
        return {file: f"{path.stem} {self._texts[path].content}" for file, path in paths.items()}

    def _new_snapshot(
        self,
        model_name: str,
        sources: str,
        contents: Mapping[str, str],
        base: Manifest | None,
        fill: "Callable[[Path, ChunkVectors], ReaderBooks]",
    ) -> Manifest:
        """A new snapshot, whose directory and collection `fill` fills; nothing stays of one not finished."""
        snapshot = uuid.uuid4().hex
        directory = self._index.directory_of(snapshot)
        directory.mkdir(parents=True)
        try:
            with closing(self._index.vectors_of(snapshot, is_new=True)) as vectors:
                books = fill(directory, vectors)
        except BaseException:
            shutil.rmtree(directory, ignore_errors=True)
            raise
        return Manifest(
            snapshot=snapshot,
            model=model_name,
            sources=sources,
            stamps={file.file: file.stamp for file in self._plan.files},
            books=books,
            problems=(
                *self._plan.problems,
                *self._problems(),
                *pages_beyond(self._plan.declared, books["gm"]),
            ),
            files=digests(directory),
            servers=self._plan.servers,
            contents=contents,
            base=base.snapshot if base else "",
        )

    def _base(
        self, model_name: str, contents: Mapping[str, str], pages: Mapping[str, int]
    ) -> Manifest | None:
        """The snapshot to take unchanged books over from; none where too little of one is left as it was."""
        before = self._before
        is_usable = before and before.version == INDEX_VERSION and before.model == model_name
        if before is None or not is_usable or self._merges or not self._is_before_whole:
            return None
        base = self._index.base_of(before) or before
        is_large = sum(book.pages for book in base.books["gm"]) >= LARGE
        most = MOST_CHANGED_OF_LARGE if is_large else MOST_CHANGED
        return base if _share_changed(base, contents, pages) <= most else None

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
        before = [self._early, *([self._before.snapshot] if self._before else [])]
        pages = {self._index.ocr_folder(file.stamp.content) for file in self._plan.files}
        costly = {*self._kept.values(), *pages}
        self._index.drop_all_but([*snapshots, *before], costly, self._model.name, self._kept_seconds)

    def _tell(self, stage: IngestStage) -> Callable[..., None]:
        def tell(file: str, done: int, total: int, seconds_left: float | None = None) -> None:
            self._on_progress(IngestProgress(stage, file, done, total, seconds_left))

        return tell

    def _tell_built(self, done: int, total: int) -> None:
        """Tell how many books are built in, once that is all that is waited for."""
        if not all(embedded.done() for embedded in self._embedding.values()):
            return
        self._on_progress(IngestProgress("build", None, done, total))


def _beyond(contents: Mapping[str, str], base: Manifest | None) -> set[str]:
    """The files that a base does not hold as they are."""
    held = base.contents if base else {}
    return {file for file, content in contents.items() if held.get(file) != content}
