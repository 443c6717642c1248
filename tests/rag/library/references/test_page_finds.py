"""What was found on a page is found again: it is looked for where something else may stand."""

import random
from collections.abc import Collection, Iterable
from functools import partial
from typing import Protocol

import pytest

from rag.library.books.titles import names_of
from rag.library.references import find_references
from rag.library.references.code_uses import code_uses
from rag.library.references.page_finds import PageFinds

TITLES = [
    "Magic",
    "GURPS Powers",
    "GURPS Magic: The Art",
    "Sea Rulebook",
    "The Deep",
    "Powers of the Sea",
    "Livro do Mar",
]
CODES = ["B", "MA", "P", "M", "DF", "MA2"]
SAID = [
    "See {title}, p. 12.",
    "A fall costs a die (p. {code}9).",
    "Ripostes are told of on pp. {code} 12-14, {code}20.",
    "It burns (see {code}102, {other}3).",
    "Kicks, {code}-2, are described under Riposte in {title}.",
    "Nadar está em {title}, página 7, e o mergulho na p. {other}:30.",
    "{title}\n\nSee the {title}, page 33 of {second}.",
    "Whoever lifts {title} needs p. 5 of\n{second}.",
    "Nothing of any book stands here; level {code}2 neither.",
]


class Look(Protocol):
    """Finds something in a text, for a library of these titles and codes."""

    def __call__(self, text: str, titles: Collection[str], codes: Collection[str]) -> Iterable[object]: ...


def references(text: str, titles: Collection[str], codes: Collection[str]) -> Iterable[object]:
    return find_references(text, titles, codes)


def uses(text: str, titles: Collection[str], codes: Collection[str]) -> Iterable[object]:
    return set(code_uses(text, codes, titles))


def page(chosen: random.Random) -> str:
    return " ".join(
        sentence.format(
            title=chosen.choice(TITLES),
            second=chosen.choice(TITLES),
            code=chosen.choice(CODES),
            other=chosen.choice(CODES),
        )
        for sentence in chosen.sample(SAID, 3)
    )


def some(chosen: random.Random, words: Collection[str]) -> list[str]:
    return [word for word in words if chosen.random() < 0.5]


@pytest.mark.parametrize("find", [references, uses])
def test_what_is_found_does_not_depend_on_what_was_found_before(find: Look) -> None:
    chosen = random.Random(4)
    texts = [page(chosen) for _ in range(20)]
    finds = PageFinds()
    for _ in range(20):
        titles, codes = some(chosen, TITLES), some(chosen, CODES)
        look = partial(find, titles=titles, codes=codes)
        grown = finds.find("a.pdf", "all", texts, look, names_of(titles), codes)
        anew = PageFinds().find("a.pdf", "all", texts, look)
        assert [set(one) for one in grown] == [set(one) for one in anew]
        finds = PageFinds(finds.found)


@pytest.fixture
def looked() -> list[str]:
    """The texts that were looked at."""
    return []


@pytest.mark.parametrize(
    ("names", "codes", "expected"),
    [
        (["Magic"], ["B"], []),
        (["Magic", "Powers"], ["B"], ["See Powers, p. 3."]),
        ([], ["B"], ["See Magic, p. 3."]),
        (["Magic"], ["B", "K"], ["See p. K 4."]),
        (["Magic"], [], ["See B4."]),
    ],
)
def test_only_where_a_name_or_code_that_came_or_went_stands_a_page_is_looked_at(
    looked: list[str], names: list[str], codes: list[str], expected: list[str]
) -> None:
    texts = ["See Magic, p. 3.", "See Powers, p. 3.", "See p. K 4.", "See B4.", "The Big Kraken, p. 9"]
    before = PageFinds()
    before.find("a.pdf", "all", texts, lambda _: (), ["Magic"], ["B"])

    def look(text: str) -> tuple[()]:
        looked.append(text)
        return ()

    PageFinds(before.found).find("a.pdf", "all", texts, look, names, codes)
    assert looked == expected


def test_a_book_of_other_pages_is_looked_at_anew(looked: list[str]) -> None:
    before = PageFinds()
    before.find("a.pdf", "all", ["one"], lambda _: ("found",))
    found = PageFinds(before.found).find("a.pdf", "all", ["one", "two"], lambda text: (text,))
    assert found == (("one",), ("two",))


def test_what_words_weigh_is_found_out_once() -> None:
    before = PageFinds()
    before.weight("a.pdf", "9 kick", lambda: 0.0)
    weights = iter([1.0])
    again = PageFinds({}, before.weights)
    assert [again.weight("a.pdf", words, lambda: next(weights)) for words in ("9 kick", "3 kick")] == [
        0.0,
        1.0,
    ]
