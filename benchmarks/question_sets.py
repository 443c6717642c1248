"""The sets of questions that a rule is measured by: in a book's own words, and as players write."""

import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from pydantic import BaseModel

from benchmarks.invented.library import write_library
from benchmarks.proof.library import HERE as PROOF
from benchmarks.proof.library import write_books
from rag.config import SAMPLE_LIBRARY
from rag.evaluation.questions import (
    GoldPage,
    GoldQuestion,
    QuestionLanguage,
    read_json_lines,
    read_questions,
)
from rag.state import Exchange
from sample_game.questions import QUESTIONS

PLAYERS = Path(__file__).parent / "players.jsonl"
"""Questions as players write them, made before the program was looked at."""
LATER = Path(__file__).parent / "later_players.jsonl"
"""Questions over the rulebooks by two other writers, made when the program had been mended by the first."""

Half = Literal["open", "sealed"]
"""Players' questions to work with, or kept aside until the end."""


@dataclass(frozen=True, slots=True)
class QuestionSet:
    """Questions over the books of one library, which is known by name."""

    name: str
    library: str
    books: Path
    questions: Sequence[GoldQuestion]
    languages: tuple[QuestionLanguage, ...] = ("en",)


class ProvingPages(BaseModel):
    """Pages of a file, of which each holds the words that prove an answer."""

    file: str
    pdf_pages: list[int]
    proving: list[str]

    def pages(self) -> list[GoldPage]:
        """Each page with its proof, as a question file has it."""
        quote = " … ".join(self.proving)
        return [GoldPage(file=self.file, pdf_page=page, quote=quote) for page in self.pdf_pages]


class PlayersQuestion(BaseModel):
    """A question as a player wrote it, in whichever language, perhaps after another one."""

    id: str
    kind: str
    question: str
    after_id: str | None = None
    game: str
    need: Literal["any", "all"]
    gold: list[ProvingPages]
    half: Half = "open"

    def in_conversation(self, by_id: dict[str, "PlayersQuestion"]) -> GoldQuestion:
        """The question with those before it, as a question file has it."""
        pages = [one.pages() for one in self.gold]
        first = [each[0] for each in pages]
        needed = first if self.need == "all" else first[:1]
        return GoldQuestion(
            id=self.id,
            type=self.kind,
            question=self.question,
            history=list(self._before(by_id)),
            book=self.game,
            gold=needed,
            also_ok=[page for each in pages for page in each if page not in needed],
        )

    def _before(self, by_id: dict[str, "PlayersQuestion"]) -> Iterator[Exchange]:
        if self.after_id:
            earlier = by_id[self.after_id]
            yield from earlier._before(by_id)
            yield Exchange(question=earlier.question, answer="")


def question_sets(folder: Path, half: Half = "open") -> Iterator[QuestionSet]:
    """The sets whose books are there; the invented ones are written into a folder."""
    write_library(folder / "invented")
    write_books(folder / "proof")
    invented = folder / "invented" / "books"
    sample = SAMPLE_LIBRARY
    both: tuple[QuestionLanguage, ...] = ("en", "pt")
    yield QuestionSet("sample game", "sample", sample, read_questions(QUESTIONS), both)
    yield QuestionSet(
        "invented", "invented", invented, read_questions(folder / "invented/questions.jsonl"), both
    )
    yield from _by_players("players", PLAYERS, half, {"sample": sample, "invented": invented})
    yield from _by_players("players", PROOF / "players.jsonl", half, {"proof": folder / "proof"})
    if corpus := os.environ.get("CORPUS_DIR"):
        home = Path(corpus)
        books = home / "books"
        yield QuestionSet("development", "rulebooks", books, read_questions(home / "questions.jsonl"), both)
        yield from _by_players("players", PLAYERS, half, {"rulebooks": books})
        yield from _by_players("later players", LATER, half, {"rulebooks": books})
        yield from _by_players("given players", home / "players.jsonl", "open", {"rulebooks": books})


def _by_players(name: str, path: Path, half: Half, libraries: dict[str, Path]) -> Iterator[QuestionSet]:
    """A set a library: its players' questions of one half."""
    if not path.is_file():
        return
    written = read_json_lines(path, PlayersQuestion)
    by_id = {one.id: one for one in written}
    for library, books in libraries.items():
        asked = [
            one.in_conversation(by_id) for one in written if one.half == half and (books / one.game).is_dir()
        ]
        if asked:
            yield QuestionSet(f"{name}: {library}", library, books, asked)
