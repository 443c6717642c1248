"""In which language somebody asks, told by few words among names of another language."""

import codecs

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rag.library.language.identify import language_of, language_of_question, likeliest_language, told_language
from rag.library.language.language import UNKNOWN

ENGLISH = [
    "How much does {} cost?",
    "What is {}?",
    "Can I use {} twice in a turn?",
    "p. 45 of {}",
    "show me page 15 of {}",
    "and {}, what about the damage?",
]
PORTUGUESE = [
    "Quanto custa {}?",
    "qnto custa {}?",
    "oq é {}?",
    "o que a B5 fala de {}?",
    "pág. 45 do {}",
    "vc pode usar {} duas vezes?",
    "pq nao funciona com {}?",
    "me mostra a pagina 15 do {}",
]
ENGLISH_NAMES = [
    "Magic Missile",
    "Wall of Fire",
    "wild die",
    "Basic Fantasy",
    "The Book of Knots",
    "fireball",
]
PORTUGUESE_NAMES = ["Bola de Fogo", "Maré Alta", "O Livro das Marés", "agarrar", "dado selvagem", "Tidesense"]
NAMES = st.sampled_from([*ENGLISH_NAMES, *PORTUGUESE_NAMES])


@given(st.sampled_from(ENGLISH), NAMES)
def test_an_english_question_stays_english_whatever_it_names(question: str, name: str) -> None:
    assert told_language(question.format(name), ["en", "pt"]) == "en"


@given(st.sampled_from(PORTUGUESE), NAMES)
def test_a_portuguese_question_stays_portuguese_whatever_it_names(question: str, name: str) -> None:
    assert told_language(question.format(name), ["en", "pt"]) == "pt"


@pytest.mark.parametrize(
    ("question", "language"),
    [
        ("dano de queda 10 metros", "pt"),
        ("pag 15", "pt"),
        ("ca do troll", "pt"),
        ("e o veneno?", "pt"),
        ("qual a iniciativa?", "pt"),
        ("pra que serve uma tocha", "pt"),
        ("não", "pt"),
        ("falling damage", "en"),
        ("rules for grappling", "en"),
        ("¿Cuánto daño hace una caída?", "es"),
        ("Wie weit kann ich mit einem Sprung kommen?", "de"),
    ],
)
def test_a_few_words_tell_the_language(question: str, language: str) -> None:
    assert told_language(question) == language


@pytest.mark.parametrize(
    ("word", "language"), [("esqueleto", "pt"), ("elfo", "pt"), ("elf", "en"), ("ogro", "pt")]
)
def test_a_word_alone_is_of_the_language_whose_dictionary_or_glossary_has_it(
    word: str, language: str
) -> None:
    assert likeliest_language(word) == language


@pytest.mark.parametrize("question", ["", "?", "42", "Magic Missile", "tocha", "wild die", "no", "a d6"])
def test_words_of_no_language_or_of_two_tell_nothing(question: str) -> None:
    assert told_language(question) is None


@given(st.text(max_size=40))
def test_any_text_has_a_language(text: str) -> None:
    assert language_of_question(text, ["en"], lambda word, language: False)


HUNGARIAN = (
    "Aki lezuhan, minden három méter után egy életerőpontot veszít. Sikeres ügyességpróbával a veszteség a "
    "felére csökken. Mély vízbe esve az első tíz méter nem számít."
)
ENGLISH_RULES = (
    "A character who falls suffers one die of damage for every ten feet, and a climber who holds a rope is "
    "hurt less. Nobody can take more than twenty dice from a single fall."
)


@pytest.mark.parametrize(
    ("text", "language"), [(HUNGARIAN, "hu"), (ENGLISH_RULES, "en"), ("Page one.", "en")]
)
def test_the_language_of_a_book_is_told(text: str, language: str) -> None:
    assert language_of(text) == language


@pytest.mark.parametrize(
    "text",
    [
        "",
        codecs.encode(ENGLISH_RULES, "rot13"),
        " ".join(
            f"{name} {number}" for name in ("Aldric", "Bryn", "Eira", "Fenn", "Hild") for number in range(9)
        ),
        f"{HUNGARIAN:<1000}{ENGLISH_RULES:<1000}",
        "Regra: pontos de vida, a potion, morre com natural 20, a mesa decide, spell slots.",
    ],
)
def test_a_language_that_is_not_certain_is_unknown(text: str) -> None:
    assert language_of(text) == UNKNOWN


@pytest.mark.parametrize(
    ("asked", "language"),
    [("Mennyi életerőpontot veszít?", "hu"), ("Ile kosztuje miecz i tarcza?", "pl")],
    ids=["words that tell nothing", "a word of another language"],
)
def test_a_question_is_in_the_language_whose_books_alone_hold_its_words(asked: str, language: str) -> None:
    held = {*asked.lower().rstrip("?").split()}
    known = ["en", language]
    assert (
        language_of_question(asked, known, lambda word, code: code == language and word in held) == language
    )


def test_one_long_word_that_a_book_alone_holds_tells_its_language() -> None:
    assert language_of_question("életerőpont", ["en", "hu"], lambda word, code: code == "hu") == "hu"
