"""Books and games that a question names: where it wants to be answered from."""

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import product

from rag.library.books.book import BookSummary
from rag.library.books.titles import initials_of, names_of
from rag.library.language.grammar_words import one_of
from rag.library.language.language import GRAMMAR_FUNCTION_WORDS, NAMES, QUESTIONS, TITLES
from rag.library.language.spelling import SHORTEST_MISSPELT, one_slip_away
from rag.library.language.words import fold
from rag.library.search.known_words import is_ordinary_word
from rag.rules import rule

_WORD = re.compile(r"\w+(?:['’&]\w+)*")
_PARTS = re.compile(r"(?<=[a-z])(?=[A-Z])")
_TO_TITLE = rf"\s+(?:{one_of(QUESTIONS.the)}\s+)?(?:{one_of(QUESTIONS.book)}\s+)?[\"“«*_]*$"
_PLACED = re.compile(rf"\b{one_of(QUESTIONS.before_book)}{_TO_TITLE}", re.IGNORECASE)
_WITHIN = re.compile(rf"\b{one_of(NAMES.within)}{_TO_TITLE}", re.IGNORECASE)
_IS_BOOK = re.compile(one_of(NAMES.book), re.IGNORECASE)
_KINDS = frozenset(TITLES.generic) - GRAMMAR_FUNCTION_WORDS
_LEFT_OVER = re.compile(r"^[\s,:;–—-]+|\s+(?=[,.;:?!])")
_DIE = re.compile(r"\d*d\d+", re.IGNORECASE)
_ENDS = re.compile(r"[\"”»*_]*\s*(?:[,.;:?!)]|$)")


@dataclass(frozen=True, slots=True)
class NamedBooks:
    """The files of each work or game that a question names, and the question without their names.

    `names` are what is named in few words: the games of which all books are meant, else files. `likely` are
    the files of what may be a name or a word of the rules. `is_all`: the question says nothing else.
    """

    works: tuple[frozenset[str], ...]
    rest: str
    names: tuple[str, ...] = ()
    is_all: bool = False
    likely: frozenset[str] = frozenset()

    @property
    def files(self) -> frozenset[str]:
        """The files of all that is named."""
        return frozenset().union(*self.works)


@dataclass(frozen=True, slots=True)
class _Names:
    """The names of books, as folded words, with the files that each means.

    `games` are the names of games among them, `words` those of all; `of_one` the words that one title alone
    has, with its files.
    """

    files: Mapping[tuple[str, ...], frozenset[str]]
    of_one: Mapping[str, frozenset[str]]
    games: frozenset[tuple[str, ...]]
    words: frozenset[str]


@lru_cache(maxsize=256)
def _spellings(asked: str) -> frozenset[str]:
    """A folded word, and what it may be misspelt for."""
    if len(asked) < SHORTEST_MISSPELT or not asked.isalpha():
        return frozenset([asked])
    return frozenset([asked, *(word for word in one_slip_away(asked) if len(word) >= SHORTEST_MISSPELT)])


@rule(without=lambda question, books: NamedBooks((), question))
def named_books(question: str, books: Sequence[BookSummary]) -> NamedBooks:
    """Which of `books` a question names by title, short title or game; the longest name wins.

    A name is sure where it stands as a title: of several words, behind a preposition or capitalised; of one
    word, capitalised between a preposition and the end of a clause ("in Magic, …"). So is a word of one title
    alone that is called a book ("in the fantasy book"), a name with a word that nobody uses otherwise
    ("gurps", "3p"), and the name of a game in several words. Any other may be a word of the rules ("magic"):
    its books are but `likely`.
    Words of five letters and more may be misspelt a little, by question or file.
    """
    words = list(_WORD.finditer(question))
    taken: list[tuple[int, int]] = []
    works: list[frozenset[str]] = []
    likely: set[str] = set()
    names = _names(tuple((book.file, book.title, book.game, book.game_aliases) for book in books))
    for said, name in _said(words, names):
        start, end = said[0].start(), said[-1].end()
        if any(start < other and one < end for one, other in taken):
            continue
        if _is_title(question, start, end) or _is_only_a_name(said, is_game=name in names.games):
            works.append(names.files[name])
            placed = _PLACED.search(question[:start])
            taken.append((placed.start() if placed else start, end))
        else:
            likely |= names.files[name]
    for start, end, meant in _called_books(question, words, names, is_compared=bool(works)):
        if not any(start < other and one < end for one, other in taken):
            works.append(meant)
            taken.append((start, end))
    files = frozenset().union(*works)
    others = [word for word in words if not any(start <= word.start() < end for start, end in taken)]
    return NamedBooks(
        works=tuple(dict.fromkeys(works)),
        rest=_without(question, taken) if works else question,
        names=tuple(_in_short(files, books)),
        is_all=bool(works) and all(fold(word[0]) in GRAMMAR_FUNCTION_WORDS for word in others),
        likely=frozenset(likely),
    )


def name_of_no_book(rest: str, is_known: Callable[[str], bool], *, names_page: bool) -> str | None:
    """What can only name a game that is not here, in a question without the names of those that are.

    That is a word with "&" in it ("D&D"), or one that is not known and stands as a title: "in gurps", and
    where it `names_page`, "page 40 of gurps".
    """
    placed = _PLACED if names_page else _WITHIN
    for word in _WORD.finditer(rest):
        is_put_before = not rest[: word.start()].strip() and rest.startswith(":", word.end())
        is_placed = bool(placed.search(rest[: word.start()]) and _ENDS.match(rest, word.end()))
        if "&" in word[0] or ((is_put_before or is_placed) and not is_known(word[0].lower())):
            return word[0]
    return None


def _in_short(files: frozenset[str], books: Sequence[BookSummary]) -> Iterator[str]:
    """The games of which all books are among `files`, and the files of the others."""
    for game in sorted({book.own_game for book in books if book.file in files}):
        own = {book.file for book in books if book.own_game == game}
        yield from [game] if own <= files else sorted(own & files)


@lru_cache(maxsize=8)
def _names(books: tuple[tuple[str, str, str, tuple[str, ...]], ...]) -> _Names:
    """Every name of books, of each file, title and game; the initials too.

    A game's are those of its book of that name as well.
    """
    of_title: defaultdict[str, set[str]] = defaultdict(set)
    of_game: defaultdict[str, set[str]] = defaultdict(set)
    for file, title, game, aliases in books:
        of_title[title].add(file)
        for name in (game, *aliases):
            of_game[name].add(file)
    of_game.pop("", None)
    titles, games = names_of(of_title), {game: game for game in of_game}
    initials = [(name, of_title[title]) for name, title in initials_of(titles).items()]
    initials += [(name, of_game[game]) for name, game in initials_of(games).items()]
    called = [(name, of_title[title]) for name, title in (_beginnings(titles) | titles).items()]
    # What is a name by itself means nobody else by their initials.
    found = _by_words(initials) | _by_words([*called, *of_game.items()])
    words = frozenset(word for name in found for word in name)
    having = defaultdict(set)
    for title in of_title:
        for word in {*_WORD.findall(fold(title))} - {*TITLES.generic}:
            having[word].add(title)
    of_one = {word: frozenset(of_title[min(owners)]) for word, owners in having.items() if len(owners) == 1}
    return _Names(found, of_one, frozenset(_by_words(of_game.items())), words)


def _beginnings(titles: Mapping[str, str]) -> dict[str, str]:
    """What names begin with, two words or more, with the one title meant: people say no more of a long one.

    The first word may lose a part: "OpenD6 Fantasy Rulebook" is also "D6 Fantasy".
    """
    found: defaultdict[str, set[str]] = defaultdict(set)
    for name, title in titles.items():
        first, *others = name.split()
        parts = _PARTS.sub(" ", first).split()
        for start in range(len(parts)):
            for end in range(len(others) + 1):
                words = ["".join(parts[start:]), *others[:end]]
                if len(words) > 1 and words[-1][0].isupper():
                    found[" ".join(words)].add(title)
    return {name: meant.pop() for name, meant in found.items() if len(meant) == 1}


def _by_words(called: Iterable[tuple[str, set[str]]]) -> dict[tuple[str, ...], frozenset[str]]:
    """The files of each name, by its folded words."""
    files: dict[tuple[str, ...], frozenset[str]] = {}
    for name, meant in called:
        if words := tuple(_WORD.findall(fold(name))):
            files[words] = files.get(words, frozenset()) | meant
    return files


def _said(
    words: Sequence[re.Match[str]], names: _Names
) -> Iterator[tuple[Sequence[re.Match[str]], tuple[str, ...]]]:
    """The words of a question that may be a name, with that name; the longest first."""
    meant = [names.words & _spellings(fold(word[0])) for word in words]
    for count in range(max(map(len, names.files), default=0), 0, -1):
        for first in range(len(words) - count + 1):
            for name in filter(names.files.__contains__, product(*meant[first : first + count])):
                yield words[first : first + count], name


def _called_books(
    question: str, words: Sequence[re.Match[str]], names: _Names, *, is_compared: bool
) -> Iterator[tuple[int, int, frozenset[str]]]:
    """The places where a word of one title is called a book, with the files: "livro fantasy".

    Before "book" it stands behind a preposition, for a magic book may be a thing; in a comparison with a book
    it need not, and "one" means a book, too. Behind "book" it ends a clause, for in a book magic may be
    spoken of.
    """
    for before, word, behind in zip([None, *words], words, [*words, None][1:], strict=False):
        meant = [names.of_one[one] for one in _spellings(fold(word[0])) if one in names.of_one]
        if not meant:
            continue
        is_book = before and _IS_BOOK.fullmatch(before[0])
        first, last = (before, word) if before and is_book else (word, behind)
        placed = _PLACED.search(question[: first.start()])
        called = _KINDS.union(QUESTIONS.book_pronouns if is_compared else ())
        is_before = (placed or is_compared) and behind and fold(behind[0]) in called
        if last and (_ENDS.match(question, word.end()) if is_book else is_before):
            is_compared = True
            yield placed.start() if placed else first.start(), last.end(), meant[0]


def _is_only_a_name(said: Sequence[re.Match[str]], *, is_game: bool) -> bool:
    """Whether nobody says these words of something else."""
    if len(said) == 1 and _DIE.fullmatch(said[0][0]):
        return False
    return (is_game and len(said) > 1) or not all(is_ordinary_word(fold(word[0])) for word in said)


def _is_title(question: str, start: int, end: int) -> bool:
    """Whether a name stands there as a title, not as a word of the rules."""
    is_put_before = not question[:start].strip() and question.startswith(":", end)
    is_placed = is_put_before or bool(_PLACED.search(question[:start]))
    words = _WORD.findall(question[start:end])
    if len(words) == 1:
        return is_placed and question[start].isupper() and bool(_ENDS.match(question, end))
    return is_placed or sum(word[0].isupper() for word in words) > 1


def _without(question: str, taken: Sequence[tuple[int, int]]) -> str:
    """A question without the given places; as it is where no words of content would be left."""
    rest = question
    for start, end in sorted(taken, reverse=True):
        rest = f"{rest[:start]} {rest[end:]}"
    rest = _LEFT_OVER.sub("", " ".join(rest.split()))
    says_more = any(fold(word) not in GRAMMAR_FUNCTION_WORDS for word in _WORD.findall(rest))
    return rest if says_more else question
