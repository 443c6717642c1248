"""Whether a question of a conversation says what it asks, or leans on the one before."""

import pytest

from rag.library.language.follow_ups import stands_alone, thing_defined


@pytest.mark.parametrize(
    "question",
    [
        "Can thieves wear it?",
        "How many hit dice does it have?",
        "Who can cast that spell?",
        "Clérigos podem usar essa arma?",
        "Quanto dano um gigante causa com ela?",
        "from 30 feet?",
        "for a second level cleric?",
        "contra mortos-vivos?",
        "level 3?",
        "What is the range?",
        "What does it do?",
        "What is 5?",
        "Quanto tempo dura?",
        "What page is the rule on?",
        "What happens if I burn it with fire?",
    ],
)
def test_what_means_something_named_before_or_is_a_mere_phrase_leans(question: str) -> None:
    assert not stands_alone(question)


@pytest.mark.parametrize(
    "question",
    [
        "If a thief fails a climb check does he fall?",
        "Can I throw a dagger and retrieve it?",
        "Does a wizard lose his spells?",
        "What does this book say about falling damage?",
        "Without armor what is my armor class?",
        "From what level can clerics turn undead?",
        "What is on page 9?",
        "Por que magos não usam armadura?",
        "Com quantos pontos um personagem começa?",
        "Quando a tocha apaga ela pode ser acesa de novo?",
        "Como funciona o combate em água neste jogo?",
        "what does fireball do",
        "What’s AC?",
        "what is a half-orc?",
        "o que o paladino faz?",
        "Como funciona a iniciativa?",
        "how much is a torch",
        "quanto custa uma tocha?",
    ],
)
def test_what_names_its_subject_itself_stands_alone(question: str) -> None:
    assert stands_alone(question)


@pytest.mark.parametrize(
    ("question", "thing"),
    [
        ("What does the bless spell do?", "the bless spell"),
        ("how does turning undead work", "turning undead"),
        ("Como funciona a surpresa?", "surpresa"),
        ("goblin stats", "goblin"),
        ("ficha do goblin", "goblin"),
        ("how much is a torch", "how much is a torch"),
        ("does armor work in water", "does armor work in water"),
    ],
)
def test_what_is_to_be_explained_is_told_without_the_words_that_ask(question: str, thing: str) -> None:
    assert thing_defined(question) == thing
