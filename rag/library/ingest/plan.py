"""What there is to index: which books are new, changed or gone, told by digests; nothing is written."""

import hashlib
import json
from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from functools import cached_property
from pathlib import Path

from rag.config import Settings
from rag.errors import NoSuchPath, NotInLibrary
from rag.library.books import library_toml
from rag.library.books.book import Problem
from rag.library.books.files import LibraryFile, library_files
from rag.library.books.library_toml import DeclaredBook, DeclaredGame, audience_of, game_of
from rag.library.books.servers import games_of_servers, server_problems
from rag.library.index.local import Index
from rag.library.index.manifest import INDEX_VERSION, Manifest
from rag.library.index.open import path_of
from rag.library.ingest.chunks import SPLITTER_VERSION
from rag.library.readers.formats import FORMATS, format_of


@dataclass(frozen=True)
class Plan:
    """What there is to index: the files, what is declared about them, who sees them, what is wrong.

    `copies` are the files that repeat another one of the same game for the same readers: it counts alone.
    """

    files: tuple[LibraryFile, ...]
    declared: Mapping[str, DeclaredBook]
    problems: tuple[Problem, ...]
    servers: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    games: Mapping[str, DeclaredGame] = field(default_factory=dict)

    @cached_property
    def copies(self) -> dict[str, tuple[str, ...]]:
        """The copies of each file that has some."""
        alike: defaultdict[tuple[str, ...], list[str]] = defaultdict(list)
        for file in sorted(self.files, key=lambda file: (file.file not in self.declared, file.file)):
            audience = audience_of(file.file, self.declared.get(file.file))
            alike[file.stamp.content, game_of(file.file), audience].append(file.file)
        return {
            first: copies
            for first, *others in alike.values()
            # What is said of a copy may tell it apart.
            if (copies := tuple(file for file in others if file not in self.declared))
        }

    @cached_property
    def books(self) -> tuple[LibraryFile, ...]:
        """The files that count: all but copies."""
        copies = {file for files in self.copies.values() for file in files}
        return tuple(file for file in self.files if file.file not in copies)

    def kept(self, index: Index) -> dict[str, Path]:
        """Where what is costly about each book is kept: named by everything that its reading depends on."""
        return {file.file: index.book_path(digest(self._read_from(file))) for file in self.books}

    def sources(self, model_name: str) -> str:
        """A digest of everything that a snapshot is made from."""
        books = [(file.file, file.stamp.content, self._declared(file)) for file in self.files]
        problems = [asdict(problem) for problem in self.problems]
        readers = [(one.version, one.tool()) for one in FORMATS.values()]
        versions = [INDEX_VERSION, *readers, SPLITTER_VERSION]
        games = [asdict(game) for game in self.games.values()]
        return digest([versions, model_name, books, problems, self.servers, games])

    def _read_from(self, file: LibraryFile) -> list[object]:
        return [file.stamp.content, format_of(file.file).version, SPLITTER_VERSION, self._declared(file)]

    def _declared(self, file: LibraryFile) -> dict[str, object] | None:
        declared = self.declared.get(file.file)
        return {**asdict(declared), "file": None} if declared else None


def plan(settings: Settings, before: Manifest | None, only: Sequence[Path] = ()) -> Plan:
    """What is under `LIBRARY_DIR`; with `only`, the files outside of it as they were `before`.

    Raises `LibraryTomlError` for a wrong `library.toml`, `NotInLibrary` or `NoSuchPath` for a path.
    """
    stamps = before.stamps if before else {}
    chosen = [_inside(path, settings.library_dir, stamps) for path in only]
    declared = library_toml.read_library_toml(settings.library_dir)
    servers = library_toml.read_servers(settings.library_dir)
    games = library_toml.read_games(settings.library_dir)
    named = {game_of(f"{folder}/…"): game.name or game_of(f"{folder}/…") for folder, game in games.items()}
    looked_at = [library_files(folder, stamps, FORMATS) for folder in settings.book_folders]
    files = [file for found, _ in looked_at for file in found]
    problems = [problem for _, told in looked_at for problem in told]
    present = {file.file for file in files} | {problem.file for problem in problems}
    if chosen:
        files = [file for file in files if _is_chosen(file.file, chosen)]
        files += [
            LibraryFile(name, path_of(name, settings), stamp)
            for name, stamp in stamps.items()
            if not _is_chosen(name, chosen)
        ]
    known = present | {file.file for file in files}
    problems += library_toml.library_toml_problems(declared, known)
    problems += library_toml.folder_problems(declared, known)
    problems += server_problems(servers, known)
    return Plan(
        tuple(sorted(files, key=lambda file: file.file)),
        declared,
        tuple(problems),
        {
            server: tuple(named.get(game, game) for game in seen)
            for server, seen in games_of_servers(servers, known).items()
        },
        games,
    )


def _inside(path: Path, library_dir: Path, known: Collection[str]) -> str:
    """The posix path under the library of a file or folder that is there, or was.

    Raises `NotInLibrary` or `NoSuchPath` where it never was.
    """
    library = library_dir.resolve()
    candidates = path.resolve(), (library_dir / path).resolve()
    for candidate in candidates:
        if candidate.is_relative_to(library):
            name = candidate.relative_to(library).as_posix()
            if _is_there(candidate) or name in known:
                return name
    is_there = any(map(_is_there, candidates))
    raise (NotInLibrary if is_there else NoSuchPath)(path=str(path), folder=str(library_dir))


def _is_there(path: Path) -> bool:
    """Whether a path leads anywhere; one that the file system cannot even name does not."""
    try:
        return path.exists()
    except OSError:
        return False


def _is_chosen(file: str, chosen: Sequence[str]) -> bool:
    return any(name in (".", file) or file.startswith(f"{name}/") for name in chosen)


def digest(value: object) -> str:
    """A digest of a value that JSON can hold."""
    text = json.dumps(value, sort_keys=True, ensure_ascii=False)
    return hashlib.sha256(text.encode("utf-8", "surrogateescape")).hexdigest()[:32]
