"""A question that names a book or a game is answered from there."""

import pytest

from rag.library.books.book import BookSummary
from rag.library.search.named_books import name_of_no_book, named_books


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
    book("Caves", "caves-and-crowns/caves.pdf", "Caves and Crowns"),
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
        ("nets in the sailing book", ["sailing.pdf"]),
        ("alcance da rede, livro sailing", ["sailing.pdf"]),
        ("nets in the sailing srd vs the rivers one", ["rivers.pdf", "sailing.pdf"]),
        ("Compare nets in Tide Lore and in Minimal Sailing.", ["lore.pdf", "sailing.pdf"]),
        ("How is a crown won in Iron Crowns?", ["core.pdf", "magic.pdf"]),
    ],
)
def test_a_title_or_its_beginning_names_a_book_and_a_game_all_of_its_books(
    question: str, named: list[str]
) -> None:
    assert files(question) == named


@pytest.mark.parametrize(
    ("question", "named"),
    [
        ("custo da espada curta no 3p", ["livro.pdf"]),
        ("3p: quanto custa a tocha", ["livro.pdf"]),
        ("c&c fall damage", ["caves.pdf"]),
        ("how do wounds work odd8", ["sorcery.pdf"]),
        ("como invocar familiar d8 sorcery", ["sorcery.pdf"]),
        ("quanto custa a tocha no sistema 3p", ["livro.pdf"]),
        ("iron crouns how is a crown won", ["core.pdf", "magic.pdf"]),
    ],
)
def test_a_name_that_says_nothing_else_is_a_name_however_it_is_written(
    question: str, named: list[str]
) -> None:
    assert files(question) == named


@pytest.mark.parametrize(
    "question",
    [
        "How does magic work?",
        "what does a magic book cost?",
        "what does full sailing cost?",
        "in the book sailing is dear",
        "Magic",
        "What is the first die in Magic after play has begun?",
        "What does lore say of the tide?",
        "magic: what does it cost?",
        "Do I need a minimal crew?",
        "roll a d20 for it",
    ],
)
def test_a_word_of_the_rules_names_no_book(question: str) -> None:
    assert not files(question)


def test_what_is_named_is_told_in_few_words() -> None:
    named = named_books("Compare Iron Crowns and Tide Lore.", BOOKS)
    assert named.names == ("Iron Crowns", "tide/lore.pdf")


@pytest.mark.parametrize(
    ("question", "rest"),
    [
        ("In Tide Lore, how far can I jump?", "how far can I jump?"),
        ("How far can I jump in Tide Lore: a foot?", "How far can I jump: a foot?"),
        ("Tide Lore", "Tide Lore"),
        ("jumping in Tide Lore", "jumping"),
        ("How far can I jump?", "How far can I jump?"),
    ],
)
def test_the_name_is_not_searched_for_unless_it_is_all(question: str, rest: str) -> None:
    assert named_books(question, BOOKS).rest == rest


@pytest.mark.parametrize(
    ("question", "name"),
    [
        ("how much damage does a longsword do in gurps", "gurps"),
        ("dano de queda no gurps?", "gurps"),
        ("gurps: fall damage", "gurps"),
        ("d&d 5e fireball", "d&d"),
        ("page 40 of gurps", "gurps"),
        ("what happens in combat", None),
        ("the range of gurps", None),
    ],
)
def test_what_stands_as_a_title_and_is_known_to_nobody_names_a_game_that_is_not_here(
    question: str, name: str | None
) -> None:
    names_page = question.startswith("page")
    assert name_of_no_book(question, lambda word: word != "gurps", names_page=names_page) == name
