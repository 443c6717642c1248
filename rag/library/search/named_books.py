"""Books and games that a question names: where it wants to be answered from. Pure."""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from functools import lru_cache, partial
from itertools import accumulate, chain, pairwise, takewhile
from operator import ne
from typing import Protocol

import numpy as np

from rag.library.books.book import BookSummary
from rag.library.books.titles import initials_of, names_of
from rag.library.index.recent import Recent
from rag.library.language.grammar_words import one_of
from rag.library.language.language import GRAMMAR_FUNCTION_WORDS, QUESTIONS
from rag.library.language.words import fold
from rag.rules import rule

_WORD = re.compile(r"\w+(?:['’]\w+)*")
_PARTS = re.compile(r"(?<=[a-z])(?=[A-Z])")
_PLACED = re.compile(
    rf"\b{one_of(QUESTIONS.before_book)}\s+(?:{one_of(QUESTIONS.the)}\s+)?(?:{one_of(QUESTIONS.book)}\s+)?[\"“«*_]*$",
    re.IGNORECASE,
)
_LEFT_OVER = re.compile(r"^[\s,:;–—-]+|\s+(?=[,.;:?!])")
_ENDS = re.compile(r"[\"”»*_]*\s*(?:[,.;:?!)]|$)")
_ALIKE = 0.85
"""How alike two words must be, by `difflib`, to be one word spelt in two ways."""
_SHORTEST_MISSPELT = 5  # letters
_SHARED_PAIRS = 0.38
"""The share of a word's pairs of letters that are in every misspelling of it.

Where m letters are left, 5 or more, at most 0.35 m are not, and 0.65 m - 1 pairs of 1.35 m - 1 are left.
"""
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
class _Name:
    words: tuple[str, ...]
    files: frozenset[str]


class WordsOfRules(Protocol):
    """What the books tell of words."""

    def is_ordinary_word(self, name: Sequence[str]) -> bool:
        """Whether a name, in folded words, says something else as well."""

    def has(self, word: str) -> bool:
        """Whether a word is one of the books', or one that people ask with."""


class _KnownNames:
    """The names of books, the longest first, and what tells that a question has nothing in common with one.

    In a library of five hundred books it has nothing with most.
    """

    def __init__(self, names: Iterable[_Name]) -> None:
        self._names = sorted(names, key=lambda name: (-len(name.words), name.words))
        words = sorted({word for name in self._names for word in name.words})
        pairs = [list(_pairs(word)) for word in words]
        self._vocabulary = words
        self._pair_numbers = {pair: number for number, pair in enumerate(sorted({*chain(*pairs)}))}
        self._pairs = np.array([self._pair_numbers[pair] for pair in chain(*pairs)], np.int32)
        self._word_of_pair = np.repeat(np.arange(len(words)), [len(own) for own in pairs])
        self._least = np.array([_SHARED_PAIRS * len(own) for own in pairs])
        self._number = {word: place for place, word in enumerate(words)}
        self._words = [[self._number[word] for word in name.words] for name in self._names]
        self._names_of_word: list[list[int]] = [[] for _ in words]
        for place, own in enumerate(self._words):
            self._names_of_word[own[0]].append(place)
        self._written_as_one: defaultdict[str, list[int]] = defaultdict(list)
        for place, name in enumerate(self._names):
            self._written_as_one["".join(name.words)].append(place)
        self._longest = max(map(len, self._written_as_one), default=0)
        self._same: Recent[str, frozenset[int]] = Recent(_WORDS_KEPT)

    def worth_looking_for(self, asked: Sequence[str]) -> Iterator[_Name]:
        """The names every word of which is asked for, or that stand there in other words."""
        same = frozenset().union(*(self._same.get(word, partial(self._same_as, word)) for word in {*asked}))
        begun = (place for word in same for place in self._names_of_word[word])
        found = {place for place in begun if same.issuperset(self._words[place])}
        for joined in _joined(asked, self._longest):
            found.update(self._written_as_one.get(joined, ()))
        return (self._names[place] for place in sorted(found))

    def _same_as(self, asked: str) -> frozenset[int]:
        """The words that are the same as one that is asked, misspelt ones too."""
        if len(asked) < _SHORTEST_MISSPELT:
            return frozenset([self._number[asked]] if asked in self._number else ())
        held = np.zeros(len(self._pair_numbers), bool)
        held[[self._pair_numbers[pair] for pair in _pairs(asked) if pair in self._pair_numbers]] = True
        shared = np.bincount(self._word_of_pair, held[self._pairs], minlength=len(self._least))
        likely = {int(word) for word in np.flatnonzero(shared >= self._least)}
        if asked in self._number:
            likely.add(self._number[asked])
        return frozenset(word for word in likely if _is_same(asked, self._vocabulary[word]))


def _joined(words: Sequence[str], longest: int) -> Iterator[str]:
    """Every row of words as one word, up to so many letters."""
    for first in range(len(words)):
        yield from takewhile(lambda joined: len(joined) <= longest, accumulate(words[first:]))


def _pairs(word: str) -> Iterator[str]:
    return map("".join, pairwise(word))


_KNOWN_NAMES: Recent[tuple[int, ...], tuple[Sequence[BookSummary], _KnownNames]] = Recent(8)
"""Those of the choices of books that questions were asked of last, by the identity of the books.

The books are kept with them, so that no other ones can have their identity.
"""
_WORDS_KEPT = 5_000


def _known_names(books: Sequence[BookSummary]) -> _KnownNames:
    key = tuple(map(id, books))
    _, known = _KNOWN_NAMES.get(key, lambda: (tuple(books), _KnownNames(_names(books))))
    return known


@rule(without=lambda question, books, of_rules=None: NamedBooks((), question))
def named_books(
    question: str, books: Sequence[BookSummary], of_rules: WordsOfRules | None = None
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
    asked = [fold(word[0]) for word in words]
    for name in _known_names(books).worth_looking_for(asked):
        for first, last in _places(name, asked):
            start, end = words[first].start(), words[last].end()
            is_free = all(end <= one or other <= start for one, other in taken)
            said = words[first : last + 1]
            if is_free and (
                _is_title(question, start, end) or (of_rules and named_anywhere(name, said, of_rules))
            ):
                works.append(name.files)
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


def _names(books: Sequence[BookSummary]) -> list[_Name]:
    """Every name of a book or game, its initials too, with the files it means.

    A game's are those of its book of that name as well.
    """
    titles = names_of({book.title for book in books})
    beginnings = {
        name: next(iter(meant))
        for name, meant in _beginnings(titles).items()
        if len(meant) == 1 and name not in titles
    }
    games = {book.game: book.game for book in books if book.game}
    of_title = {title: [book.file for book in books if book.title == title] for title in titles.values()}
    of_game = {game: [book.file for book in books if book.game == game] for game in games}
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
    return [_Name(words, meant) for words, meant in (initials | files).items() if words]


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


def _places(name: _Name, asked: Sequence[str]) -> Iterator[tuple[int, int]]:
    """First and last word of each place where a name stands among the folded words of a question.

    Its words may be written as one there ("minisix"), or one word as two.
    """
    joined = "".join(name.words)
    for count in {len(name.words), 1, len(name.words) + 1}:
        for first in range(len(asked) - count + 1):
            if count == len(name.words):
                is_name = all(map(_is_same, asked[first : first + count], name.words))
            else:
                is_name = joined.startswith(asked[first]) and _is_written(
                    asked[first : first + count], joined
                )
            if is_name:
                yield first, first + count - 1


def _is_written(asked: Sequence[str], joined: str) -> bool:
    return len(joined) >= _SHORTEST_MISSPELT and "".join(asked) == joined


@lru_cache(maxsize=10_000)
def _is_same(asked: str, word: str) -> bool:
    if asked == word:
        return True
    if min(len(asked), len(word)) < _SHORTEST_MISSPELT or not (asked.isalpha() and word.isalpha()):
        return False
    if len(asked) == len(word) and sum(map(ne, asked, word)) == 1:
        return True
    if 2 * min(len(asked), len(word)) < _ALIKE * (len(asked) + len(word)):
        return False
    alike = SequenceMatcher(None, asked, word, autojunk=False)
    # The ratio itself takes far longer than what it is at most.
    return alike.quick_ratio() >= _ALIKE and alike.ratio() >= _ALIKE


@rule(without=lambda name, asked, of_rules: False)
def named_anywhere(name: _Name, asked: Sequence[re.Match[str]], of_rules: WordsOfRules) -> bool:
    """Whether the books use a name as nothing else, and no word of theirs is taken for a misspelt one."""
    said = [fold(word[0]) for word in asked]
    is_die = len(said) == 1 and _DIE.fullmatch(said[0])
    other = {*said} - {*name.words, "".join(name.words)}
    misspelt = other if len(said) == len(name.words) else set()
    return not is_die and not of_rules.is_ordinary_word(name.words) and not any(map(of_rules.has, misspelt))


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
