"""Books and games that a question names: where it wants to be answered from."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import product

from rag.library.books.book import BookSummary
from rag.library.books.titles import initials_of, names_of
from rag.library.language.grammar_words import one_of
from rag.library.language.language import GRAMMAR_FUNCTION_WORDS, QUESTIONS
from rag.library.language.spelling import SHORTEST_MISSPELT, one_slip_away
from rag.library.language.words import fold
from rag.library.search.ordinary_words import OrdinaryWords
from rag.rules import rule

_WORD = re.compile(r"\w+(?:['’]\w+)*")
_PARTS = re.compile(r"(?<=[a-z])(?=[A-Z])")
_PLACED = re.compile(
    rf"\b{one_of(QUESTIONS.before_book)}\s+(?:{one_of(QUESTIONS.the)}\s+)?(?:{one_of(QUESTIONS.book)}\s+)?[\"“«*_]*$",
    re.IGNORECASE,
)
_LEFT_OVER = re.compile(r"^[\s,:;–—-]+|\s+(?=[,.;:?!])")
_ENDS = re.compile(r"[\"”»*_]*\s*(?:[,.;:?!)]|$)")
_MIXED = re.compile(r"(?=\w*\d)(?=\w*[^\W\d_])\w+")
_DIE = re.compile(r"\d*d\d+", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class NamedBooks:
    """The files of each work or game that a question names, and the question without their names.

    `names` are what is named in few words: the games of which all books are meant, else files.
    """

    works: tuple[frozenset[str], ...]
    rest: str
    names: tuple[str, ...] = ()
    is_all: bool = False
    """Whether the question says nothing else."""

    @property
    def files(self) -> frozenset[str]:
        """The files of all that is named."""
        return frozenset().union(*self.works)


@dataclass(frozen=True, slots=True)
class _Names:
    """The names of books, as folded words, with the files that each means.

    `joined` tells them by their letters alone, `words` are those of all, `longest` counts those of one.
    """

    files: Mapping[tuple[str, ...], frozenset[str]]
    joined: Mapping[str, tuple[str, ...]]
    words: frozenset[str]
    longest: int


@lru_cache(maxsize=256)
def _spellings(asked: str) -> frozenset[str]:
    """A folded word, and what it may be misspelt for."""
    if len(asked) < SHORTEST_MISSPELT or not asked.isalpha():
        return frozenset([asked])
    return frozenset([asked, *(word for word in one_slip_away(asked) if len(word) >= SHORTEST_MISSPELT)])


@rule(without=lambda question, books, of_rules=None: NamedBooks((), question))
def named_books(
    question: str, books: Sequence[BookSummary], of_rules: OrdinaryWords | None = None
) -> NamedBooks:
    """Which of `books` a question names by title, short title or game; the longest name wins.

    A name that the books use as nothing else, as far as `of_rules` tells, is one wherever it stands. One that
    may also be a word of the rules ("Magic") counts as a title where it is capitalised, follows a preposition
    and ends a clause ("in Magic, …") or begins the question before a colon ("Magic: …"); of several words,
    where they follow a preposition or are capitalised.
    What has letters mixed with digits ("3p", "d6 magic") is no word of the rules, unless it is a die. Words
    of five letters and more may be misspelt a little, by question or file.
    """
    words = list(_WORD.finditer(question))
    taken: list[tuple[int, int]] = []
    works: list[frozenset[str]] = []
    names = _names(tuple((book.file, book.title, book.game) for book in books))
    for said, name in _said(words, names):
        start, end = said[0].start(), said[-1].end()
        is_free = all(end <= one or other <= start for one, other in taken)
        if is_free and (
            _is_title(question, start, end) or (of_rules and named_anywhere(name, said, of_rules))
        ):
            works.append(names.files[name])
            placed = _PLACED.search(question[:start])
            taken.append((placed.start() if placed else start, end))
    if not works:
        return NamedBooks((), question)
    files = frozenset().union(*works)
    others = [word for word in words if not any(start <= word.start() < end for start, end in taken)]
    return NamedBooks(
        works=tuple(dict.fromkeys(works)),
        rest=_without(question, taken),
        names=tuple(_in_short(files, books)),
        is_all=all(fold(word[0]) in GRAMMAR_FUNCTION_WORDS for word in others),
    )


def _in_short(files: frozenset[str], books: Sequence[BookSummary]) -> Iterator[str]:
    """The games of which all books are among `files`, and the files of the others."""
    for game in sorted({book.own_game for book in books if book.file in files}):
        own = {book.file for book in books if book.own_game == game}
        yield from [game] if own <= files else sorted(own & files)


@lru_cache(maxsize=8)
def _names(books: tuple[tuple[str, str, str], ...]) -> _Names:
    """Every name of books, of each file, title and game; the initials too.

    A game's are those of its book of that name as well.
    """
    titles = names_of({title for _, title, _ in books})
    beginnings = {
        name: next(iter(meant))
        for name, meant in _beginnings(titles).items()
        if len(meant) == 1 and name not in titles
    }
    games = {game: game for _, _, game in books if game}
    of_title = {meant: [file for file, title, _ in books if title == meant] for meant in titles.values()}
    of_game = {meant: [file for file, _, game in books if game == meant] for meant in games}
    files: dict[tuple[str, ...], frozenset[str]] = {}
    for name, title in (titles | beginnings).items():
        _add(files, name, of_title[title])
    for game in games:
        _add(files, game, of_game[game])
    # What is a name by itself means nobody else by their initials.
    initials: dict[tuple[str, ...], frozenset[str]] = {}
    for name, title in initials_of(titles).items():
        _add(initials, name, of_title[title])
    for name, game in initials_of(games).items():
        _add(initials, name, of_game[game])
    found = {words: meant for words, meant in (initials | files).items() if words}
    joined = {"".join(name): name for name in found if len("".join(name)) >= SHORTEST_MISSPELT}
    words = frozenset(word for name in found for word in name)
    return _Names(found, joined, words, max(map(len, found), default=0))


def _beginnings(titles: Mapping[str, str]) -> dict[str, set[str]]:
    """What names begin with, two words or more, with the titles meant: people say no more of a long one.

    The first word may lose a part: "OpenD6 Fantasy Rulebook" is also "D6 Fantasy".
    """
    found: dict[str, set[str]] = {}
    for name, title in titles.items():
        first, *others = name.split()
        parts = _PARTS.sub(" ", first).split()
        for start in range(len(parts)):
            for end in range(len(others) + 1):
                words = ["".join(parts[start:]), *others[:end]]
                if len(words) > 1 and words[-1][0].isupper():
                    found.setdefault(" ".join(words), set()).add(title)
    return found


def _add(files: dict[tuple[str, ...], frozenset[str]], name: str, meant: Sequence[str]) -> None:
    words = tuple(_WORD.findall(fold(name)))
    files[words] = files.get(words, frozenset()) | frozenset(meant)


def _said(
    words: Sequence[re.Match[str]], names: _Names
) -> Iterator[tuple[Sequence[re.Match[str]], tuple[str, ...]]]:
    """The words of a question that may be a name, with that name; the longest first.

    Its words may be written as one there ("minisix"), or one word as two.
    """
    asked = [fold(word[0]) for word in words]
    meant = [names.words & _spellings(word) for word in asked]
    for count in range(names.longest + 1, 0, -1):
        for first in range(len(words) - count + 1):
            end = first + count
            whole = [name for name in product(*meant[first:end]) if name in names.files]
            joined = names.joined.get("".join(asked[first:end]))
            for name in dict.fromkeys([*whole, joined] if joined else whole):
                yield words[first:end], name


@rule(without=lambda name, asked, of_rules: False)
def named_anywhere(name: tuple[str, ...], asked: Sequence[re.Match[str]], of_rules: OrdinaryWords) -> bool:
    """Whether the books use a name as nothing else, and no word of theirs is taken for a misspelt one."""
    said = [fold(word[0]) for word in asked]
    is_die = len(said) == 1 and _DIE.fullmatch(said[0])
    other = {*said} - {*name, "".join(name)}
    misspelt = other if len(said) == len(name) else set()
    return not is_die and not of_rules.is_ordinary_word(name) and not any(map(of_rules.has, misspelt))


def _is_title(question: str, start: int, end: int) -> bool:
    """Whether a name stands there as a title, not as a word of the rules."""
    is_put_before = not question[:start].strip() and question.startswith(":", end)
    is_placed = is_put_before or bool(_PLACED.search(question[:start]))
    words = _WORD.findall(question[start:end])
    is_die = len(words) == 1 and _DIE.fullmatch(words[0])
    if not is_die and any(map(_MIXED.fullmatch, words)):
        return True
    if len(words) == 1:
        return is_placed and question[start].isupper() and bool(_ENDS.match(question, end))
    return is_placed or sum(word[0].isupper() for word in words) > 1


def _without(question: str, taken: Sequence[tuple[int, int]]) -> str:
    """A question without the given places; as it is where no words would be left."""
    rest = question
    for start, end in sorted(taken, reverse=True):
        rest = f"{rest[:start]} {rest[end:]}"
    rest = _LEFT_OVER.sub("", " ".join(rest.split()))
    return rest if len(_WORD.findall(rest)) > 1 else question
