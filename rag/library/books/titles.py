"""What a book is called: its title, and the shorter names that other books use for it. Pure."""

import re
from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from functools import partial
from pathlib import PurePosixPath

from rag.library.books.library_toml import GM_FOLDER, readable
from rag.library.language.grammar_words import one_of
from rag.library.language.language import TITLES

_FILE_NAME = re.compile(r"\.(?:docx?|indd|pdf|odt|qxd|qxp|pub|rtf|tex|txt|pages|afpub|sla)\b", re.IGNORECASE)
_PROGRAM = re.compile(rf"^(?:microsoft\s+\w+|layout|{one_of(TITLES.untitled)})\b", re.IGNORECASE)
_EDITION = re.compile(
    rf"[\s,(–-]+(?:\d+(?:st|nd|rd|th|ª|a)?|{one_of(TITLES.ordinals)})"
    rf"\s+{one_of([*TITLES.editions, *TITLES.shortened_editions])}\)?$"
    rf"|[\s,(–-]+{one_of(TITLES.editions)}\)?$",
    re.IGNORECASE,
)
_SUBTITLE = re.compile(r"(?:\s*(?::|\s[–—-])\s+|\s*\((?=[^)]*\)$)).*")
_KIND = re.compile(rf"\s+{one_of(TITLES.kinds)}$", re.IGNORECASE)
_ARTICLE = re.compile(rf"^{one_of(TITLES.articles)}\s+", re.IGNORECASE)
_ACRONYM = re.compile(r"[A-Z0-9]*[A-Z][A-Z0-9]+|[A-Z][0-9]+")
_SHORTEST = 4  # letters of a name
_WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)*")
_SMALL = frozenset([*TITLES.small, *TITLES.articles])
_FEWEST_INITIALS = 3
_JOINED = re.compile(r"([^\W_])[^\s&]* (?:&|and|e|y) ([^\W_])[^\s&]*", re.IGNORECASE)
"""A name of two words that are joined: "Dungeons & Dragons"."""


def sensible_title(title: str) -> str | None:
    """A metadata title, None where a program or a file name stands in its place."""
    title = " ".join(title.split())
    letters = sum(letter.isalpha() for letter in title)
    is_short = letters < max(_SHORTEST - 1, len(title) / 2)
    is_file = _FILE_NAME.search(title) or re.fullmatch(r"[^ ]*[_\d][^ ]*", title)
    return None if is_short or is_file or _PROGRAM.match(title) else title


_GENERIC = frozenset(TITLES.generic)
_COUNT = re.compile(r"v?\d+(?:\.\d+)*[a-z]?")


def title_of_file(file: PurePosixPath) -> str:
    """What a book's file is called; where that says "rules" and no more, what its folder is called.

    A folder that tells who may read ("gm") says nothing of the book.
    """
    folder = next((name for name in reversed(file.parts[:-1]) if name.casefold() != GM_FOLDER), None)
    return readable(folder if folder and _is_generic(file.stem) else file.stem)


def _is_generic(stem: str) -> bool:
    words = re.findall(r"[^\W_]+", _COUNT.sub(" ", stem.casefold()))
    return bool(words) and all(word in _GENERIC for word in words)


def names_of(titles: Collection[str]) -> dict[str, str]:
    """Every name that means one of `titles`, with that title: the title itself and what is left of it
    without article, edition, subtitle, kind of book and series. A name that could mean several means the one
    with which all of them begin; without such a title it is none.
    """
    series = _series(titles)
    owners: dict[str, dict[str, str]] = {}
    for title in titles:
        for name in _shortened(title, series):
            owners.setdefault(name.casefold(), {})[title] = name
    shortest = [(meant, min(meant, key=len)) for meant in owners.values()]
    clear = {
        meant[first]: first for meant, first in shortest if all(title.startswith(first) for title in meant)
    }
    return clear | {title: title for title in titles}


def initials_of(names: Mapping[str, str]) -> dict[str, str]:
    """The initials by which players call what has each of the `names`: "BFRPG", "VtM", "D&D"; three and more.

    With and without those of its small words. Initials that two have are no name.
    """
    owners: dict[str, set[str]] = {}
    for name, meant in names.items():
        words = _WORD.findall(name)
        for called in (words, [word for word in words if word.lower() not in _SMALL]):
            initials = "".join(word if word.isdecimal() else word[0] for word in called)
            if len(called) > 1 and len(initials) >= _FEWEST_INITIALS:
                owners.setdefault(initials.lower(), set()).add(meant)
        if joined := _JOINED.fullmatch(name):
            owners.setdefault("&".join(joined.groups()).lower(), set()).add(meant)
    return {initials: next(iter(meant)) for initials, meant in owners.items() if len(meant) == 1}


def _series(titles: Collection[str]) -> frozenset[str]:
    """First words that say which game a book belongs to: shared by several titles, or an acronym."""
    firsts = Counter(title.split()[0] for title in titles if title.split())
    return frozenset(word for word, count in firsts.items() if count > 1 or _ACRONYM.fullmatch(word))


def _shortened(title: str, series: frozenset[str]) -> set[str]:
    names = {title}
    for shorten in _SHORTENED_BY:
        names |= {shorten(name) for name in names}
    names |= {rest for name in names for first, _, rest in [name.partition(" ")] if first in series}
    return {name for name in names if name == title or len(name) >= _SHORTEST}


def _without_kind(title: str) -> str:
    """Without "Rulebook" and the like, unless only one word would be left."""
    short = _KIND.sub("", title)
    return short if " " in short else title


_SHORTENED_BY: Sequence[Callable[[str], str]] = (
    *(partial(one.sub, "") for one in (_ARTICLE, _EDITION, _SUBTITLE)),
    _without_kind,
)
