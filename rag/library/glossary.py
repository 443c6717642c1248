"""What players call a thing in one language, and what rulebooks call it in another.

An embedding of few words hardly knows the words of the trade: a *tocha* lies nowhere near a torch.
"""

import functools
from collections.abc import Mapping
from importlib.resources import files

from rag.library.language import stem, words

WRITTEN = {("pt", "en"): "pt-en.txt"}
"""The glossaries there are, by the languages of asker and book; each is read in both directions."""


@functools.cache
def glossary(asked: str, printed: str) -> Mapping[str, frozenset[str]]:
    """For stems of the language `asked`, the stems that may stand for them in books printed in another.

    Empty where there is no glossary of the two.
    """
    entries: dict[str, set[str]] = {}
    for name, theirs in _entries(asked, printed):
        entries.setdefault(stem(name, asked), set()).update(stem(word, printed) for word in theirs)
    return {name: frozenset(found) for name, found in entries.items()}


def _entries(asked: str, printed: str) -> list[tuple[str, list[str]]]:
    if name := WRITTEN.get((asked, printed)):
        return _read(name)
    if name := WRITTEN.get((printed, asked)):
        return [(word, [entry]) for entry, meanings in _read(name) for word in meanings]
    return []


def _read(name: str) -> list[tuple[str, list[str]]]:
    lines = files("rag.library").joinpath("glossaries", name).read_text(encoding="utf-8").splitlines()
    parts = [line.partition(":") for line in lines if line.strip() and not line.startswith("#")]
    return [(entry.strip(), words(meanings)) for entry, _, meanings in parts]
