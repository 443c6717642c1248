"""A question that names a book or a game is answered from there."""

from collections.abc import Sequence

import pytest

from rag.library.books.book import BookSummary
from rag.library.search.named_books import named_books


def book(title: str, file: str, game: str) -> BookSummary:
    return BookSummary(title, file, game, "en", "player", (), 1, None, None, 0, 0)


BOOKS = [
    book("Tide Lore", "tide/lore.pdf", "Tide"),
    book("OpenTide Deep Rivers Rulebook", "tide/rivers.pdf", "Tide"),
    book("Mimimal Sailing Reference Document", "tide/sailing.pdf", "Tide"),
    book("Iron Crowns 2nd Edition", "iron-crowns/core.pdf", "Iron Crowns"),
    book("Magic", "iron-crowns/magic.pdf", "Iron Crowns"),
    book("D8 Sorcery", "odd8/sorcery.pdf", "Odd8"),
    book("Livro", "3p/livro.pdf", "3p"),
    book("Dice", "d20/dice.pdf", "d20"),
]


def files(question: str) -> list[str]:
    return sorted(file.rpartition("/")[2] for file in named_books(question, BOOKS).files)


@pytest.mark.parametrize(
    ("question", "named"),
    [
        ("How far can I jump in Tide Lore?", ["lore.pdf"]),
        ("No Tide Lore, quão longe posso pular?", ["lore.pdf"]),
        ("Tide Lore speaks of nets. Which?", ["lore.pdf"]),
        ("how far can I jump in the tide lore book?", ["lore.pdf"]),
        ("What is a ford in Tide Deep Rivers?", ["rivers.pdf"]),
        ("What is a ford in OpenTide Deep Rivers Rulebook?", ["rivers.pdf"]),
        ("What does it cost in Magic?", ["magic.pdf"]),
        ("Magic: what does it cost?", ["magic.pdf"]),
    ],
)
def test_a_title_or_its_beginning_names_a_book(question: str, named: list[str]) -> None:
    assert files(question) == named


def test_several_books_may_be_named() -> None:
    assert files("Compare nets in Tide Lore and in Minimal Sailing.") == ["lore.pdf", "sailing.pdf"]


def test_a_game_names_all_its_books() -> None:
    assert files("How is a crown won in Iron Crowns?") == ["core.pdf", "magic.pdf"]


@pytest.mark.parametrize(
    ("question", "named"),
    [
        ("custo da espada curta no 3p", ["livro.pdf"]),
        ("3p: quanto custa a tocha", ["livro.pdf"]),
        ("how do wounds work odd8", ["sorcery.pdf"]),
        ("como invocar familiar d8 sorcery", ["sorcery.pdf"]),
        ("quanto custa a tocha no sistema 3p", ["livro.pdf"]),
    ],
)
def test_a_name_of_letters_and_digits_is_a_name_however_it_is_written(
    question: str, named: list[str]
) -> None:
    assert files(question) == named


def test_a_die_names_no_game() -> None:
    assert not files("what do i roll in d20")


def test_a_misspelling_in_the_files_own_title_does_not_matter() -> None:
    assert files("How do I tack in Minimal Sailing?") == ["sailing.pdf"]


@pytest.mark.parametrize(
    "question",
    [
        "How does magic work?",
        "Magic",
        "What is the first die in Magic after play has begun?",
        "What does lore say of the tide?",
        "magic: what does it cost?",
        "Do I need a minimal crew?",
    ],
)
def test_a_word_of_the_rules_names_no_book(question: str) -> None:
    assert not files(question)


class RulesOfTide:
    """The words of these books: of their titles they print "magic", "dice" and "lore" in small letters."""

    def is_ordinary_word(self, name: Sequence[str]) -> bool:
        return " ".join(name) in ("magic", "dice", "lore")

    def has(self, word: str) -> bool:
        return word in ("tidy", "crown", "magic")


@pytest.mark.parametrize(
    ("question", "named"),
    [
        ("how does iron crowns handle falling", ["core.pdf", "magic.pdf"]),
        ("iron crowns falling", ["core.pdf", "magic.pdf"]),
        ("quanto dano de queda no ironcrowns", ["core.pdf", "magic.pdf"]),
        ("iron crowms: can i jump?", ["core.pdf", "magic.pdf"]),
        ("tide fishing rules", ["lore.pdf", "rivers.pdf", "sailing.pdf"]),
        ("how does magic work", []),
        ("magic in tide", ["lore.pdf", "rivers.pdf", "sailing.pdf"]),
        ("what does the lore say", []),
        ("a tidy net", []),
    ],
)
def test_a_name_that_the_books_use_as_nothing_else_names_wherever_it_stands(
    question: str, named: list[str]
) -> None:
    found = named_books(question, BOOKS, RulesOfTide()).files
    assert sorted(file.rpartition("/")[2] for file in found) == named


@pytest.mark.parametrize(
    ("question", "named"),
    [
        ("how far can i jump in gfrpg", ["gates.pdf"]),
        ("GFRPG p. 12", ["gates.pdf"]),
        ("o que o GFRPG diz de pulos?", ["gates.pdf"]),
        ("What does a trap do in the DMG?", ["guide.pdf"]),
        ("what dmg does a trap do", []),
        ("Compare LLW and LaLW", ["low.pdf"]),
    ],
)
def test_initials_name_a_book_where_they_are_not_a_short_form_of_the_rules(
    question: str, named: list[str]
) -> None:
    books = [
        book("Gated Fields Role-Playing Game 4th Edition", "gates.pdf", "Gated Fields"),
        book("Dune Master's Guide", "guide.pdf", "Dunes"),
        book("Low", "low.pdf", "Lights at Low Water"),
    ]

    class Rules(RulesOfTide):
        def is_ordinary_word(self, name: Sequence[str]) -> bool:
            return name == ("dmg",)

    found = named_books(question, books, Rules()).files
    assert sorted(found) == named


def test_initials_that_two_books_have_name_none() -> None:
    books = [book("Iron Gate Guide", "gate.pdf", ""), book("Inner Grove Guide", "grove.pdf", "")]
    assert not named_books("What does the IGG say of nets?", books).files


def test_initials_that_are_the_name_of_another_book_are_not_those_of_this_one() -> None:
    books = [book("Core", "core.pdf", ""), book("Crown of Rusted Eels", "crown.pdf", "")]
    assert named_books("In Core, what is a feat?", books).files == {"core.pdf"}


def test_what_is_named_is_told_in_few_words() -> None:
    named = named_books("Compare Iron Crowns and Tide Lore.", BOOKS)
    assert named.names == ("Iron Crowns", "tide/lore.pdf")


@pytest.mark.parametrize(
    ("question", "rest"),
    [
        ("In Tide Lore, how far can I jump?", "how far can I jump?"),
        ("How far can I jump in Tide Lore: a foot?", "How far can I jump: a foot?"),
        ("Tide Lore", "Tide Lore"),
        ("How far can I jump?", "How far can I jump?"),
    ],
)
def test_the_name_is_not_searched_for_unless_it_is_all(question: str, rest: str) -> None:
    assert named_books(question, BOOKS).rest == rest


@pytest.mark.parametrize(
    ("question", "is_all"),
    [("Tide Lore", True), ("in Tide Lore?", True), ("Jumps in Tide Lore", False), ("Tide Lore, p. 3", False)],
)
def test_a_question_of_names_alone_is_told(question: str, is_all: bool) -> None:
    assert named_books(question, BOOKS).is_all is is_all
