"""What a draft says is held against the lines it names: they are found, and it is refused or asked about."""

import re
from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rag.library.books.found_page import Correction, FoundPage
from rag.nodes.citations import sources_of
from rag.nodes.draft import MAX_EVIDENCE, Draft, DraftStatement
from rag.nodes.verification import (
    MOST_LINES,
    PAGE_REFERENCE,
    Fault,
    Proof,
    Verification,
    Verifier,
    names_a_thing,
)
from rag.state import Authority, Span
from tests.scripted import correction, found_page, linked, prompt_of

BURN = "Normal torches burn for 1d4+4 turns."
THIEVES = "Thieves may use any weapon, but may not wear armor."
TORCHES = found_page(
    f"{BURN} Oil flasks burn for 24 hours.\nA first level character cannot hire retainers. {THIEVES}", 5
)
SPELLS = found_page("Darkness lasts 6 turns. The caster loses 2 hit points unless he sleeps.", 9, "Spells")
PAGES = (TORCHES, SPELLS)


def verifier(question: str = "?", pages: Sequence[FoundPage] = PAGES, language: str = "en") -> Verifier:
    return Verifier(prompt_of(*pages).lines(), question, [question], language)


def proven(
    text: str,
    *evidence: str,
    pages: FoundPage | str | Sequence[FoundPage] = PAGES,
    question: str = "What do the rules say?",
    calculation: str | None = None,
    language: str = "en",
    is_verdict: bool = True,
) -> Proof:
    """The proof of a statement over lines of pages, by default the first."""
    if isinstance(pages, FoundPage | str):
        pages = [pages if isinstance(pages, FoundPage) else found_page(pages, 3, language=language)]
    said = DraftStatement(evidence=list(evidence or ["1.1"]), calculation=calculation, text=text)
    return verifier(question, pages, language).prove(said, is_verdict=is_verdict)


def cited(proof: Proof) -> list[str]:
    return [one.line.printed for one in proof.cited]


def titled(heading: str, text: str) -> FoundPage:
    """A page under a heading, which is its first line."""
    return found_page(f"{heading}\n{text}", 3, headings=[heading], sections=[(0, heading)])


def listed(title: str, *rows: tuple[str, str]) -> FoundPage:
    """A table, each row as it is printed and as it reads, under a title where there is one."""
    text = "\n".join([*([title] if title else []), *(printed for printed, _ in rows)])
    places = [(text.index(printed), text.index(printed) + len(printed), reading) for printed, reading in rows]
    headings = [title] if title else []
    return found_page(text, 3, rows=places, headings=headings, sections=[(0, title)] if title else [])


# Who decides


@pytest.mark.parametrize(
    ("text", "is_verdict", "is_own_words"),
    [
        (BURN, False, True),
        ("normal torches burn, for 1d4+4 turns", False, True),
        (BURN, True, False),
        ("Torches burn for 1d4+4 turns.", False, False),
    ],
)
def test_only_a_note_in_its_lines_own_words_is_claimed_without_a_second_look(
    text: str, is_verdict: bool, is_own_words: bool
) -> None:
    proof = proven(text, "1.1", is_verdict=is_verdict)
    assert (proof.is_claim, proof.is_open) == (is_own_words, not is_own_words)


@pytest.mark.parametrize(
    ("line", "note"),
    [
        ("The roll must be ≥ 5.", "The roll must be ≤ 5."),
        ("Damage rises by 50.", "Damage rises by 50%."),
        ("Roll ST+DX for it.", "Roll ST-DX for it."),
        ("It is now here.", "It is nowhere."),
    ],
)
def test_a_note_with_another_sign_than_its_line_is_not_in_its_own_words(line: str, note: str) -> None:
    proof = proven(note, "1.1", pages=line, is_verdict=False)
    assert not proof.is_claim


def test_a_note_over_a_corrected_line_is_asked_about_though_it_cites_the_correction() -> None:
    pages = corrected(Authority.BOOK)
    assert not proven("Riposte: the bonus is one.", "2.1", "1.1", pages=pages, is_verdict=False).is_own_words


def test_a_verbatim_line_that_answers_another_question_is_asked_about_as_a_verdict() -> None:
    assert proven(BURN, "1.1", question="May elves wear plate armor?").is_open


def test_what_is_refused_is_open_to_no_second_look() -> None:
    proof = proven("Normal torches burn for 999 turns.", "1.1")
    assert (proof.is_claim, proof.is_open) == (False, False)


# Which lines are meant


def test_ids_of_lines_that_were_not_shown_are_passed_over() -> None:
    assert cited(proven(BURN, "7.7", "1.1", "x")) == [BURN]


@pytest.mark.parametrize(
    "evidence", [["1.1-1.90"] * 32, [" ".join(f"1.{line}" for line in range(1, 91))] * 32]
)
def test_a_statement_that_names_every_line_rests_on_the_first(evidence: list[str]) -> None:
    many = found_page("\n".join(f"The {number}th torch burns." for number in range(1, 91)), 5)
    found = verifier(pages=(many,)).named(DraftStatement(evidence=evidence, text="All burn."))
    assert len(found) <= MOST_LINES
    assert found[0].line.number == 1


@pytest.mark.parametrize(
    ("text", "evidence", "lines"),
    [
        (BURN, "99.1", [BURN]),
        (BURN, "²·³", [BURN]),
        (THIEVES, "99.1", [THIEVES]),
        (BURN, "1.4", [BURN]),
        ("A normal torch burns for 1d4+4 turns.", "99.1", [BURN]),
        ("A torch burns for 1d4+4 turns.", "1.3", ["A first level character cannot hire retainers.", BURN]),
    ],
)
def test_a_wrong_id_is_mended_by_the_statements_own_words_and_asked_about(
    text: str, evidence: str, lines: list[str]
) -> None:
    proof = proven(text, evidence, is_verdict=False)
    assert (cited(proof), proof.is_open) == (lines, True)


@pytest.mark.parametrize("text", ["Elves brew beer in spring.", "Something burns.", "It costs 77 gold."])
def test_where_the_words_tell_no_line_none_is_taken(text: str) -> None:
    assert proven(text, "99.1", question="How long do normal torches burn?").fault is Fault.NO_LINE


def test_the_words_of_the_question_mend_no_id() -> None:
    asked = "Can a first level character hire retainers?"
    assert proven("Yes.", "99.1", question=asked).fault is Fault.NO_LINE


SLOW = "Slow drug\nThe user moves half as fast.\nIts effect ends after 12 turns.\n"
COMBAT = "Combat drug\nThe user hits harder.\nThe combat drug lasts for 30 turns."
SECTIONS = found_page(SLOW + COMBAT, 3, sections=[(0, "Slow drug"), (len(SLOW), "Combat drug")])
ROWS = listed("Drugs", ("Slow drug 12 50", "Drug: Slow drug; Turns: 12; Price: 50"),
              ("Combat drug 30 90", "Drug: Combat drug; Turns: 30; Price: 90"))  # fmt: skip


@pytest.mark.parametrize(
    ("page", "text", "evidence"),
    [
        (SECTIONS, "The slow drug lasts for 30 turns.", "1.3"),
        (ROWS, "The slow drug lasts 30 turns.", "1.2"),
        (ROWS, "The slow drug lasts 12 turns.", "1.3"),
    ],
)
def test_a_line_is_not_mended_across_a_heading_or_a_row(page: FoundPage, text: str, evidence: str) -> None:
    proof = proven(text, evidence, pages=page)
    assert (proof.fault, len(proof.cited)) == (Fault.NUMBERS, 1)


def test_ids_that_a_model_writes_into_a_statement_are_not_told() -> None:
    assert proven(f"{BURN[:-1]} [1.1].", "1.1").text == BURN
    assert proven("Move on [4.0] at dawn.", "1.1").text == "Move on [4.0] at dawn."


# What is refused

FALL = "Falling deals 1d6 damage for every 10 feet."
METERS = "A fall deals 1D6 per two meters."
METROS = "Uma queda causa 1D6 a cada dois metros."
SHIELDS = "A shield gives +3. The dark gives -4."
HALVED = "You have 25 points. Divide them by 2"
I_FALL = "I fall 40 feet. Damage?"


@pytest.mark.parametrize(
    ("line", "text", "question", "calculation", "is_calculated"),
    [
        (FALL, "A fall of 40 feet deals 4d6.", I_FALL, "40 / 10 * 1d6", True),
        (FALL, "40 feet: 4d6 (40 / 10 × 1d6 = 4d6).", I_FALL, None, True),
        (FALL, "40 feet: 4d6 (4 × 1d6 = 4d6).", I_FALL, "40 / 10 * 1d6", True),
        (FALL, "40 feet: 4d6 (4 × 1d6 = 4d6).", I_FALL, None, None),
        (FALL, "40 feet: 4d6", I_FALL, None, None),
        (FALL, "40 feet: 5d6", I_FALL, "40 / 10 * 1d6", None),
        (FALL, "40 feet: 4d6", "Damage?", "40 / 10 * 1d6", None),
        (METERS, "10 meters: 5D6", "I fall 10 meters", "10 / 2 * 1D6", True),
        (METERS, "10 meters: 10D6", "I fall 10 meters", "10 / 2 * 1D6", None),
        (SHIELDS, "It is -1 in all.", "Both?", "3 - 4", True),
        (SHIELDS, "It is +1 in all.", "Both?", "3 - 4", None),
        (SHIELDS, "It is -1 in all.", "Both?", None, None),
        ("Defence 7", "Its defence is +7.", "Defence?", None, False),
        ("Defence +7", "Its defence is -7.", "Defence?", None, None),
        (f"{HALVED}, rounded down.", "You get 12 (25 / 2 = 12.5, rounded down).", "?", None, True),
        (f"{HALVED}, rounded down.", "You get 12.", "?", "25 / 2", True),
        (f"{HALVED}, rounded down.", "You get 13.", "?", "25 / 2", None),
        (f"{HALVED}.", "You get 12.", "?", "25 / 2", None),
        (f"{HALVED}.", "You get 12, rounded down.", "?", "floor(25 / 2)", True),
        ("It hurts 1d4 at the start of each of its turns.", "It hurts 1d4 per turn.", "?", None, False),
        ("Charm: 3/Day", "Charm works 3 times a day.", "?", None, False),
        ("It deals 2d6+3.", "It deals at most 15.", "?", "2 * 6 + 3", True),
        ("It deals 3d6+3.", "It deals at most 15.", "?", "2 * 6 + 3", None),
        ("A discount of 10%. It costs 50.", "It costs 45.", "?", "50 * (100% - 10%)", True),
        ("Hits 0/14", "It has 14 hits.", "?", None, False),
        ("Hits 0/14", "It has 7 hits.", "?", None, None),
        ("Magery costs 30.", "With 99 coins you pay 30.", "I have 99 coins.", None, False),
        ("Magery costs 30.", "With 99 coins you pay 30.", "How much?", None, None),
    ],
)
def test_a_number_is_printed_the_askers_or_calculated_from_such(
    line: str, text: str, question: str, calculation: str | None, is_calculated: bool | None
) -> None:
    proof = proven(text, "1.1", "1.2", pages=line, question=question, calculation=calculation)
    expected = (Fault.NUMBERS, False) if is_calculated is None else (None, is_calculated)
    assert (proof.fault, proof.is_calculated) == expected


@pytest.mark.parametrize(
    ("line", "text", "question", "calculation", "fault"),
    [
        (METROS, "Em 10 metros são 5D6.", "Caio 10 metros", "10 / 2 * 1D6", None),
        (METROS, "Em 10 metros são 10D6.", "Caio 10 metros", "10 / 2 * 1D6", Fault.NUMBERS),
        ("A tocha queima por seis turnos.", "A tocha queima por 6 horas.", "?", None, Fault.CHANGED),
        ("Quem bebe não pode rolar o dado.", "Quem bebe pode rolar o dado.", "?", None, Fault.CHANGED),
        ("São 25 pontos divididos por 2.", "São 12, arredondado para baixo.", "?", "25 / 2", None),
    ],
)
def test_so_it_is_in_portuguese(
    line: str, text: str, question: str, calculation: str | None, fault: Fault | None
) -> None:
    proof = proven(text, pages=line, question=question, calculation=calculation, language="pt")
    assert proof.fault is fault


@pytest.mark.parametrize(
    ("page", "text", "evidence", "fault"),
    [
        (titled("Rank 4 Knots", "A knot holds a mule."), "A rank 4 knot holds a mule.", "1.2", None),
        (titled("Chapter 4: Knots", "Knots hold."), "A rank 4 knot holds.", "1.2", Fault.NUMBERS),
        (titled("4 Knots", "Knots hold."), "A rank 4 knot holds.", "1.2", Fault.NUMBERS),
        (titled("Dwarves", "They may not use longbows."), "Dwarves", "1.1", Fault.NO_LINE),
        ("The fog hides all. The fog stays for 6 turns.", "The fog stays all 6 turns.", "1.1", None),
        ("Torches burn for 6 turns.", "Torches burn for 6 hours.", "1.1", Fault.CHANGED),
        ("It needs at least 6 rowers.", "At most 6 rowers are needed.", "1.1", Fault.CHANGED),
        ("The rules stand at www.oil.example.", "See www.oil.example.", "1.1", None),
        ("The rules stand here.", "See oil-wiki.com/flasks.", "1.1", Fault.UNSHOWABLE),
        ("The rules stand here.", "The rules, the rules, the rules stand here.", "1.1", Fault.UNSHOWABLE),
        ("The rules stand here.", " ", "1.1", Fault.UNSHOWABLE),
        ("See Page 12 for fog.", "Fog: see page 12.", "1.1", None),
        ("Fog hides all.", "As page iv says, fog hides all.", "1.1", Fault.PAGE_NUMBER),
        ("Fog hides all.", "Veja a pág. 33.", "1.1", Fault.PAGE_NUMBER),
    ],
)
def test_code_refuses_what_it_can_tell_to_be_wrong(
    page: FoundPage | str, text: str, evidence: str, fault: Fault | None
) -> None:
    assert proven(text, evidence, pages=page).fault is fault


ITEMS = listed("", ("Torch 1 sp 3", "Item: Torch; Price: 1 sp; Weight: 3"),
               ("Lantern 9 gp 5", "Item: Lantern; Price: 9 gp; Weight: 5"))  # fmt: skip
LEVELS = listed("", ("6 9 14", "Level: 6; Poison: 9; Spells: 14"),
                ("7-8 7 12", "Level: 7-8; Poison: 7; Spells: 12"))  # fmt: skip


@pytest.mark.parametrize(
    ("page", "text", "question", "row", "fault"),
    [
        (ITEMS, "The price of a lantern is 9 gp.", "Price?", "1.2", None),
        (ITEMS, "The price of a lantern is 5 gp.", "Price?", "1.2", Fault.ROW),
        (ITEMS, "It costs 9 gp.", "What does a torch cost?", "1.2", Fault.ROW),
        (ITEMS, "It costs 9 gp.", "What does a lantern cost?", "1.2", None),
        (ITEMS, "A lantern costs more than a torch.", "Which?", "1.2", None),
        (LEVELS, "You save with 9.", "Poison at level 8?", "1.1", Fault.ROW),
        (LEVELS, "The save falls from 9 to 7.", "Poison?", "1.1 1.2", None),
        (ITEMS, "A torch costs 9 gp.", "Price?", "1.1 1.2", Fault.NUMBERS),
        (ITEMS, "A torch costs 1 sp, a lantern 9 gp.", "Price?", "1.1 1.2", None),
    ],
)
def test_a_value_of_another_row_or_column_is_refused(
    page: FoundPage, text: str, question: str, row: str, fault: Fault | None
) -> None:
    assert proven(text, *row.split(), pages=page, question=question).fault is fault


def test_in_another_language_a_row_may_be_named_by_another_word() -> None:
    said = "Uma torch custa 1 sp e o farolete 9 gp."
    assert proven(said, "1.1", "1.2", pages=ITEMS, language="pt").fault is None


def test_a_row_that_is_quoted_is_cited_though_another_was_named() -> None:
    assert cited(proven("Lantern 9 gp 5", "1.1", pages=ITEMS)) == ["Lantern 9 gp 5"]


def corrected(authority: Authority) -> tuple[FoundPage, FoundPage]:
    """A rule, and what corrects it."""
    own = found_page("Riposte: the bonus is one.", 2, "Own", authority=authority)
    change = Correction(other=linked(3), corrected=Span(0, 1000), correcting=Span(0, len(own.text)))
    rule = found_page("The bonus is two.", 3, amended_by=[correction(own)])
    return rule, own.model_copy(update={"amends": (change,)})


@pytest.mark.parametrize("authority", Authority)
@pytest.mark.parametrize(
    ("text", "evidence", "fault"),
    [
        ("The bonus is two.", ["1.1"], Fault.OVERRULED),
        ("The bonus is one.", ["2.1"], None),
        ("The bonus is one, no longer two.", ["1.1", "2.1"], None),
        ("The bonus is two.", ["1.1", "2.1"], Fault.OVERRULED),
    ],
)
def test_errata_house_rules_and_rulings_overrule_a_line(
    authority: Authority, text: str, evidence: list[str], fault: Fault | None
) -> None:
    assert proven(text, *evidence, pages=corrected(authority), is_verdict=False).fault is fault


def test_what_names_far_more_lines_than_a_statement_may_is_not_shown() -> None:
    assert proven(BURN, *["1.1"] * 4 * MAX_EVIDENCE).fault is None
    assert proven(BURN, *["1.1"] * 4 * MAX_EVIDENCE, "1.1").fault is Fault.UNSHOWABLE


@pytest.mark.parametrize(
    ("text", "page"),
    [("p. 10", "p. 10"), ("(p. W17)", "p. W17"), ("pág. iv", "pág. iv"), ("p10", "p10"),
     ("1d6 por 10 pés", None), ("1 plus 1 more", None), ("pay 3 gp", None), ("por 1d4+4 turnos", None)],
)  # fmt: skip
def test_a_page_is_told_from_a_word_that_begins_alike(text: str, page: str | None) -> None:
    found = PAGE_REFERENCE.search(text)
    assert (found and found[0]) == page


@pytest.mark.parametrize(
    ("missing", "case", "language", "is_thing"),
    [
        ("the range", "Cost?", "en", True),
        ("o preço de uma mula", "Quanto?", "pt", True),
        ("o preço do cavalo no mercado", "Quanto?", "pt", True),
        ("the damage at level 5", "What at level 5?", "en", True),
        ("the damage at level 5", "What damage?", "en", False),
        ("", "Cost?", "en", False),
        ("one two three four five six seven eight nine", "Cost?", "en", False),
        ("mules are not sold", "Cost?", "en", False),
        ("mulas não existem", "Quanto?", "pt", False),
        ("mules are not sold", "Quanto?", "pt", False),
        ("preço do burro", "Cost?", "en", True),
        ("the range; ask the referee", "Cost?", "en", False),
        ("the range, see page 41", "Page 41?", "en", False),
        ("the list at mules.com", "Cost?", "en", False),
    ],
)
def test_what_is_missing_is_named_in_a_few_words(
    missing: str, case: str, language: str, is_thing: bool
) -> None:
    assert names_a_thing(missing, [case], language) is is_thing


# Whatever is drafted

SAID = [one.line.printed for one in prompt_of(*PAGES).lines().values()]
WORDS = [
    *{word for line in SAID for word in line.split()},
    *["never", "dragons", "77", "3d6", "</page>"],
    "p. 12",
]


@st.composite
def perturbed(draw: st.DrawFn) -> str:
    """A line of the books with words taken out, put in, or in place of others."""
    said = draw(st.sampled_from(SAID)).split()
    for _ in range(draw(st.integers(0, 3))):
        place = draw(st.integers(0, len(said)))
        said[place : place + draw(st.integers(0, 1))] = draw(st.lists(st.sampled_from(WORDS), max_size=1))
    return " ".join(said)


ids = st.builds("{}.{}".format, st.integers(0, 3), st.integers(0, 5)) | st.text(max_size=8)


@given(
    text=perturbed() | st.text(max_size=80),
    evidence=st.lists(ids, max_size=4),
    calculation=st.none() | st.text(st.sampled_from("0123456789d+-*/() "), max_size=20),
    is_verdict=st.booleans(),
)
def test_whatever_is_drafted_what_is_shown_stands_in_the_books_and_its_numbers_too(
    text: str, evidence: list[str], calculation: str | None, is_verdict: bool
) -> None:
    drafted = DraftStatement(evidence=evidence, calculation=calculation, text=text)
    proof = verifier().prove(drafted, is_verdict=is_verdict)
    books = {page.id: " ".join(page.text.split()) for page in PAGES}
    assert all(source.quote in books[source.page_id] for source in sources_of(proof.cited))
    assert proof.cited or proof.fault
    assert not (proof.is_claim and is_verdict)
    if proof.fault is None and not proof.is_calculated:
        near = " ".join(books[one.page.id] for one in proof.cited)
        assert set(re.findall("[2-9]", proof.text)) <= set(re.findall("[0-9]", near))


def test_what_is_said_twice_counts_once() -> None:
    verification = Verification(verifier())
    said = DraftStatement(evidence=["1.1"], text=BURN)
    assert verification.take_rest(Draft(statements=[said] * 8))
    assert [proof.text for proof in verification.proofs] == [BURN]
