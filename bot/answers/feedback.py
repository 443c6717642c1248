"""What people think of answers: right, wrong, or not what they asked; and the page that a GM says answers.

Kept beside `questions.jsonl`, the question file that is made of it, which is written anew with each change.
"""

import json
import time
from collections.abc import Collection, Mapping, Sequence
from dataclasses import asdict, fields
from pathlib import Path
from typing import Any

from pydantic import TypeAdapter

from bot.answers.question_file import RatedAnswer, Rating, question_file
from bot.answers.table import DAY, KeptAnswer, KeptSource
from bot.storage.data_table import PLACE, DataTable, Of, among
from rag.library.index.atomic_files import write_bytes
from rag.state import Outcome

FEEDBACK = "feedback.sqlite"
QUESTIONS = "questions.jsonl"

RATED_ANSWER = TypeAdapter(RatedAnswer)
COLUMNS = tuple(field.name for field in fields(RatedAnswer) if field.name != "ratings")
FROM_ANSWER = {"channel", "home", "guild", "asker", *COLUMNS} & set(KeptAnswer.__slots__)
"""What is kept of an answer as it is."""
RATED = "SELECT message FROM ratings"
RATING = "(message, person, rating) VALUES (?, ?, ?)"
PROVEN = (Outcome.ANSWERED, Outcome.PARTLY)
"""Outcomes of answers whose sources prove statements."""


class Feedback(DataTable):
    """The tables in `feedback.sqlite`.

    As long as answers are kept, it is known whose question and whose rating each one is, so that they can be
    forgotten; later questions, ratings and pages are left without that.
    """

    def __init__(self, data_dir: Path, kept_days: int) -> None:
        """Open the tables, and make them where there are none. Raises `ConfigurationError`."""
        self._questions = data_dir / QUESTIONS
        self._kept_seconds = kept_days * DAY
        self._lines: dict[int, str] = {}
        """The lines of the file by the message of their answer, empty where nobody knows the right page."""
        super().__init__(data_dir, FEEDBACK, self._kept_seconds)

    def _begin(self) -> None:
        """Leave old ratings without names, and write the question file."""
        self._do("PRAGMA foreign_keys = ON")
        self._drop_old_names()
        self._write_questions()

    def rate(self, answer: KeptAnswer, person: int, rating: Rating, book: str | None) -> None:
        """Keep what somebody thinks of an answer, in place of what they thought before.

        `book` is the book or game it was searched in.
        """
        row = {name: getattr(answer, name) for name in FROM_ANSWER} | {
            "book": book,
            "sources": json.dumps([asdict(source) for source in answer.sources], ensure_ascii=False),
            "has_statements": answer.outcome in PROVEN,
        }
        values = ", ".join(f":{name}" for name in row)
        with self._lock:
            self._drop_old_names()
            self._do(f"INSERT OR IGNORE INTO rated_answers ({', '.join(row)}) VALUES ({values})", row)
            self._change(f"INSERT OR REPLACE INTO ratings {RATING}", (answer.message, person, rating))

    def write_page(self, message: int, page: KeptSource) -> None:
        """Keep the page that a GM says answers a question."""
        text = json.dumps(asdict(page), ensure_ascii=False)
        self._change("UPDATE rated_answers SET page = ? WHERE message = ?", (text, message))

    def of_server(self, guild: int) -> list[RatedAnswer]:
        """The rated answers of a server, the newest first."""
        return [answer for answer, where in self._rated() if where == guild]

    def drop(self, of: Of, *ids: int) -> set[int]:
        """Drop the rated answers of messages, a place or a person; their messages."""
        return self._change(f"DELETE FROM rated_answers WHERE {of}", among(ids))

    def rated_by(self, person: int) -> int:
        """How many answers somebody rated."""
        return int(self._do("SELECT count(*) FROM ratings WHERE person = ?", (person,))[0][0])

    def forget(self, person: int) -> int:
        """Drop what somebody asked and what they rated; of how many answers that was."""
        rated = self._change("DELETE FROM ratings WHERE person = ?", (person,))
        return len(rated | self.drop(Of.ASKER, person))

    def places(self) -> list[tuple[int, int]]:
        """The servers and channels of which anything is kept."""
        rows = self._do("SELECT DISTINCT guild, home FROM rated_answers WHERE guild IS NOT NULL")
        return list(self._readable(rows, PLACE.validate_python))

    def _rated(self, which: str = "TRUE", values: Any = ()) -> list[tuple[RatedAnswer, int | None]]:
        """The rated answers that a condition on messages picks, with their servers, the newest first."""
        with self._lock:
            ratings: dict[int, dict[Rating, int]] = {}
            grouped = f"SELECT message, rating, count(*) FROM ratings WHERE {which} GROUP BY message, rating"
            counts = self._do(grouped, values)
            counted = self._readable(counts, lambda row: (row[0], Rating(row[1]), row[2]))
            for message, rating, count in counted:
                ratings.setdefault(message, {})[rating] = count
            columns = ", ".join(("guild", *COLUMNS))
            newest_first = f"SELECT {columns} FROM rated_answers WHERE {which} ORDER BY created DESC"
            rows = self._do(newest_first, values)
            return list(self._readable(rows, lambda row: (_rated_answer(row[1:], ratings), row[0])))

    def _change(self, statement: str, values: Any) -> set[int]:
        """Change rows; their messages. Where there are any, the question file is written anew.

        What then has neither rating nor page is dropped.
        """
        with self._lock:
            changed = {message for (message,) in self._do(f"{statement} RETURNING message", values)}
            if changed:
                self._do(f"DELETE FROM rated_answers WHERE page IS NULL AND message NOT IN ({RATED})")
                self._write_questions(changed)
        return changed

    def _drop_old_names(self) -> None:
        """Leave what is older than answers are kept without those who asked and rated."""
        oldest = time.time() - self._kept_seconds
        old = "SELECT message FROM rated_answers WHERE created < ?"
        self._do(f"UPDATE ratings SET person = NULL WHERE message IN ({old})", (oldest,))
        self._do("UPDATE rated_answers SET asker = NULL WHERE created < ?", (oldest,))

    def _write_questions(self, changed: Collection[int] = ()) -> None:
        """Write the question file; the lines of these answers, or at first of all, are made anew."""
        for message in changed:
            self._lines.pop(message, None)
        rated = self._rated(Of.MESSAGE, among(changed)) if changed else self._rated()
        answers = [answer for answer, _ in rated]
        self._lines |= self._readable(answers, lambda one: (one.message, question_file([one])))
        text = "".join(line for _, line in sorted(self._lines.items(), reverse=True))
        if text:
            write_bytes(self._questions, text.encode())
        else:
            self._questions.unlink(missing_ok=True)


def _rated_answer(row: Sequence[Any], ratings: Mapping[int, Mapping[Rating, int]]) -> RatedAnswer:
    facts = dict(zip(COLUMNS, row, strict=True))
    return RATED_ANSWER.validate_python(facts | {"ratings": ratings.get(facts["message"], {})})
