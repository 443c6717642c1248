"""What the `book` option offers while somebody types."""

from hypothesis import given
from hypothesis import strategies as st

from bot.cogs.completion import LONGEST_CHOICE, MOST_CHOICES, book_choices, section_choices
from bot.render.markdown import length
from rag.library.books.book import BookSummary
from rag.library.books.catalog import Catalog
from tests.bot.table import book

POWERS = book("GURPS Powers", game="GURPS", codes=("P",))
MAGIC = book("Livro de Magía", game="GURPS")
EMBERS = book("Core Rules", game="Embers")


def names(books: list[BookSummary], typed: str) -> list[str]:
    return [choice.name for choice in book_choices(books, typed)]


def test_accents_and_case_do_not_count() -> None:
    assert names([POWERS, MAGIC], "MAGIA") == names([POWERS, MAGIC], "magía") == ["Livro de Magía"]


def test_games_are_offered_where_there_are_several() -> None:
    assert names([POWERS, EMBERS], "") == [
        "GURPS Powers (P) · GURPS",
        "Core Rules · Embers",
        "GURPS",
        "Embers",
    ]
    assert names([POWERS, MAGIC], "") == ["GURPS Powers (P)", "Livro de Magía"]


@given(
    titles=st.lists(st.text(min_size=1, max_size=200).filter(str.strip), max_size=60),
    typed=st.text(max_size=20),
)
def test_there_are_at_most_25_choices_of_at_most_100_characters(titles: list[str], typed: str) -> None:
    choices = book_choices([book(title) for title in titles], typed)
    assert len(choices) <= MOST_CHOICES
    assert all(
        length(choice.name) <= LONGEST_CHOICE and length(choice.value) <= LONGEST_CHOICE for choice in choices
    )


def test_a_title_of_letters_that_count_twice_is_offered_within_discords_limit() -> None:
    [choice] = book_choices([book("𝔊" * 100)], "")
    assert 0 < length(choice.value) <= LONGEST_CHOICE


def test_sections_complete_without_the_title_of_their_book() -> None:
    sections = ["House Rules", "House Rules › Bleeding", "House Rules › Falling › Soft ground"]
    assert [choice.value for choice in section_choices(sections, "")] == ["Bleeding", "Falling › Soft ground"]
    assert [choice.value for choice in section_choices(sections, "soft")] == ["Falling › Soft ground"]


def test_a_section_too_long_for_a_choice_is_not_offered() -> None:
    assert section_choices([f"House Rules › {'long ' * 30}"], "") == []


def test_each_of_two_books_of_one_title_can_be_chosen() -> None:
    catalog = [book("Core Rules", game="Tides"), EMBERS]
    choices = book_choices(catalog, "core")
    assert [Catalog(catalog).find(choice.value) for choice in choices] == [[one] for one in catalog]


def test_a_book_with_the_name_of_its_game_can_be_chosen_alone() -> None:
    embers = book("Embers", game="Embers")
    (choice,) = [one for one in book_choices([embers, EMBERS, POWERS], "embers") if one.name != "Embers"][:1]
    assert Catalog([embers, EMBERS, POWERS]).find(choice.value) == [embers]


def test_a_title_too_long_for_a_choice_still_finds_its_book() -> None:
    long = book("The Complete and Unabridged " * 5 + "Rules")
    (choice,) = book_choices([long], "unabridged")
    assert Catalog([long, POWERS]).find(choice.value) == [long]
