"""A table's rulings, and the Markdown in which they are kept: made to be read, compared and edited. Pure."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime

from rag.library.books.catalog import plain
from rag.library.language.grammar_words import one_of
from rag.library.language.language import PAGE_WORDS, PAGES

_ENTRY = re.compile(r"^## ", re.MULTILINE)
_FACT = re.compile(r"^- (?P<name>[a-z]+): (?P<value>.+)$")
_LOOKS_LIKE_OURS = re.compile(r"^(?=\\*(?:#|- [a-z]+: ))", re.MULTILINE)
"""A line of a ruling that looks like a heading, or like a fact of it: it is written with a backslash."""
_ESCAPED = re.compile(r"^\\(?=\\*(?:#|- [a-z]+: ))", re.MULTILINE)


_BEFORE_PAGE = re.compile(
    rf"\b(?:{one_of(PAGES.singular)}|{one_of(PAGE_WORDS)}|p\.?)\s*(?=[^\W\d]*\d+\W*$)", re.IGNORECASE
)
_FILE = "rulings:"
"""What the files of rulings are called among those of books, as none of these can be."""


def ruling_file(game: str) -> str:
    """The name under which rulings on a game are cited, in place of a book's file."""
    return f"{_FILE}{game}"


def is_ruling(file: str) -> bool:
    """Whether what is cited is a ruling."""
    return file.startswith(_FILE)


_NO_GAME = "_"
"""What the file of books outside of all games is called."""


def title_of(game: str) -> str:
    """What the file of the rulings on a game is called."""
    return game or _NO_GAME


def game_of(title: str) -> str:
    """The game whose rulings a file of that name holds."""
    return "" if title == _NO_GAME else title


@dataclass(frozen=True, slots=True)
class Ruling:
    """What a GM decided on a question: `text`, for the rule and page named by `rule` ("Bleeding – B420").

    `game` is the one it belongs to. It was `made` on a day and holds until the GM has `ended` it, another
    has `superseded` it, or, where it was made for a session, the time `until` which it holds has come.
    """

    question: str
    rule: str
    text: str
    made: date | None
    until: datetime | None = None
    ended: date | None = None
    superseded: date | None = None
    game: str = ""

    @property
    def heading(self) -> str:
        """What it goes by: the rule it changes, else its question."""
        return self.rule or self.question

    @property
    def identity(self) -> str:
        """What another ruling on the same has in common with it."""
        return identity_of(self.heading)

    def holds(self, now: datetime) -> bool:
        """Whether it counts at a time."""
        return not (self.ended or self.superseded) and (self.until is None or now < self.until)


def identity_of(heading: str) -> str:
    """A heading without what is written now one way, now another: marks, and the word for a page at its end.

    One without letters or digits is told by what else it has.
    """
    return plain(_BEFORE_PAGE.sub("", heading)) or heading.strip()


def with_ruling(rulings: Sequence[Ruling], new: Ruling, now: datetime) -> list[Ruling]:
    """The rulings with a new one at their end, which supersedes what holds on the same."""
    return [
        replace(one, superseded=now.date()) if one.identity == new.identity and one.holds(now) else one
        for one in rulings
    ] + [new]


def with_ended(rulings: Sequence[Ruling], heading: str, now: datetime) -> list[Ruling]:
    """The rulings, what holds under a heading ended."""
    wanted = identity_of(heading)
    return [
        replace(one, ended=now.date()) if one.identity == wanted and one.holds(now) else one
        for one in rulings
    ]


def as_markdown(title: str, rulings: Iterable[Ruling]) -> str:
    """Rulings as a file; `parsed` reads them back."""
    return "\n\n".join([f"# {_line(title)}", *map(_written, rulings)]) + "\n"


def parsed(text: str, game: str) -> list[Ruling]:
    """The rulings of a file, in order; what somebody wrote by hand may lack any fact."""
    return [_read(entry, game) for entry in _ENTRY.split(text.replace("\r\n", "\n"))[1:]]


def _written(ruling: Ruling) -> str:
    until = ruling.until.astimezone(UTC).isoformat(timespec="minutes") if ruling.until else None
    facts = {
        "made": ruling.made,
        "until": until,
        "ended": ruling.ended,
        "superseded": ruling.superseded,
        "question": _line(ruling.question) if ruling.rule else None,
    }
    told = "\n".join(f"- {name}: {value}" for name, value in facts.items() if value)
    words = _LOOKS_LIKE_OURS.sub(r"\\", ruling.text.strip())
    return "\n\n".join(filter(None, (f"## {_line(ruling.heading)}", told, words)))


def _read(entry: str, game: str) -> Ruling:
    heading, *lines = entry.strip().split("\n")
    facts: dict[str, str] = {}
    while lines and (not lines[0].strip() or (fact := _FACT.match(lines[0]))):
        if lines.pop(0).strip() and fact:
            facts.setdefault(fact["name"], fact["value"].strip())
    question = facts.get("question", "")
    return Ruling(
        question=question or heading.strip(),
        rule=heading.strip() if question else "",
        text=_ESCAPED.sub("", "\n".join(lines)).strip(),
        made=_day(facts.get("made")),
        until=_time(facts.get("until")),
        ended=_day(facts.get("ended")),
        superseded=_day(facts.get("superseded")),
        game=game,
    )


def _line(text: str) -> str:
    return " ".join(text.split())


def _day(value: str | None) -> date | None:
    told = _time(value)
    return told.date() if told else None


def _time(value: str | None) -> datetime | None:
    """A day or time as it is written, by UTC where nothing else is said; None where it is none."""
    try:
        told = datetime.fromisoformat(value or "")
    except ValueError:
        return None
    return told if told.tzinfo else told.replace(tzinfo=UTC)
