"""What a draft says is held against the lines it names: which they are, and what they prove."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rag.library.books.found_page import FoundPage
from rag.nodes.citations import CitedLine, sources_of
from rag.nodes.verification import (
    MAX_EVIDENCE,
    MOST_LINES,
    Draft,
    DraftStatement,
    Fault,
    Proof,
    Verification,
    Verifier,
)
from tests.scripted import found_page, prompt_of

TORCHES = found_page(
    "Normal torches burn for 1d4+4 turns. Oil flasks burn for 24 hours.\n"
    "A first level character cannot hire retainers. Thieves may use any weapon, but may not wear armor.",
    5,
)
SPELLS = found_page("Darkness lasts 6 turns. The caster loses 2 hit points unless he sleeps.", 9, "Spells")
PAGES = (TORCHES, SPELLS)
BURN = "Normal torches burn for 1d4+4 turns."


def verifier(question: str = "How long do torches burn?", pages: tuple[FoundPage, ...] = PAGES) -> Verifier:
    shown = prompt_of(*pages).lines().items()
    return Verifier({name: CitedLine(page, line) for name, (page, line) in shown}, question, [question])


def proven(text: str, *evidence: str) -> Proof:
    return verifier().prove(DraftStatement(evidence=list(evidence), text=text))


def over(page: FoundPage | str, text: str, *evidence: str, question: str = "What do the rules say?") -> Proof:
    """The proof of a statement over the lines of a page, by default the first."""
    pages = (page if isinstance(page, FoundPage) else found_page(page, 3),)
    return verifier(question, pages).prove(DraftStatement(evidence=list(evidence or ["1.1"]), text=text))


def cited(proof: Proof) -> list[str]:
    return [one.line.printed for one in proof.cited]


# Which lines are meant


@pytest.mark.parametrize(
    ("evidence", "numbers"),
    [
        (["1.1"], [1]),
        (["[1.1]"], [1]),
        (["line 1.1", "1.1"], [1]),
        (["1.1, 1.3"], [1, 3]),
        (["1.1-1.3"], [1, 2, 3]),
        (["1.1–3"], [1, 2, 3]),
        (["[1.2]-[1.3]"], [2, 3]),
        (["1.3-1.1"], [3]),
        (["1.2-1.999999999"], [2, 3, 4]),
        (["1.2", "7.7", "x"], [2]),
    ],
)
def test_ids_are_read_as_models_write_them(evidence: list[str], numbers: list[int]) -> None:
    found = verifier().named(evidence)
    assert [one.line.number for one in found] == numbers


@pytest.mark.parametrize(
    "evidence", [["1.1-1.90"] * 32, [" ".join(f"1.{line}" for line in range(1, 91))] * 32]
)
def test_a_statement_that_names_every_line_rests_on_the_first(evidence: list[str]) -> None:
    many = found_page("\n".join(f"The {number}th torch burns." for number in range(1, 91)), 5)
    found = verifier(pages=(many,)).named(evidence)
    assert len(found) <= MOST_LINES
    assert found[0].line.number == 1


@pytest.mark.parametrize("evidence", [[], ["99.1"], ["1.999"], ["all of them"], ["²·³"]])
def test_a_line_that_is_surely_meant_is_found_by_its_words_and_numbers(evidence: list[str]) -> None:
    proof = proven("Normal torches burn for 1d4+4 turns.", *evidence)
    assert (cited(proof), proof.is_claim) == ([BURN], True)


def test_a_line_that_lacks_the_number_is_joined_by_the_one_that_is_meant() -> None:
    proof = proven("A normal torch burns for 1d4+4 turns.", "2.1")
    assert proof.fault is None
    assert cited(proof) == ["Darkness lasts 6 turns.", BURN]


@pytest.mark.parametrize("text", [BURN, "Thieves may use any weapon, but may not wear armor."])
def test_the_words_of_another_line_are_cited_to_that_line(text: str) -> None:
    proof = proven(text, "1.3")
    assert (cited(proof), proof.is_claim) == ([text], True)


def test_ids_that_a_model_writes_into_a_statement_are_not_told() -> None:
    assert proven(f"{BURN[:-1]} [1.1].", "1.1").text == BURN
    assert proven("Move on [4.0] at dawn.", "1.1").text == "Move on [4.0] at dawn."


@pytest.mark.parametrize("text", ["Elves brew beer in spring.", "Something burns.", "It costs 77 gold."])
def test_where_no_line_is_surely_meant_the_statement_is_unproven(text: str) -> None:
    assert proven(text, "99.1").fault is Fault.NO_LINE


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("Oil flasks burn for 24 hours, see www.oil.example.", Fault.UNSHOWABLE),
        ("Oil flasks burn for 24 hours (oil-wiki.com/flasks).", Fault.UNSHOWABLE),
        ("Oil flasks burn for 24 hours, e.g. in caves.", None),
        ("Oil flasks burn, flasks burn, flasks burn for 24 hours.", Fault.UNSHOWABLE),
        ("Oil flasks burn, and flasks burn for 24 hours.", None),
    ],
)
def test_what_names_an_address_or_repeats_itself_is_not_shown(text: str, fault: Fault | None) -> None:
    assert proven(text, "1.2").fault is fault


# Numbers and pages


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("Normal torches burn for 1d4 + 4 turns.", None),
        ("Normal torches burn for 1d6+4 turns.", Fault.NUMBERS),
        ("Normal torches burn for 999 turns.", Fault.NUMBERS),
        ("Oil flasks burn for one day.", None),
        ("Torches burn, see p. 12.", Fault.PAGE_NUMBER),
        ("As page iv says, torches burn.", Fault.PAGE_NUMBER),
        ("Veja a pág. 33.", Fault.PAGE_NUMBER),
    ],
)
def test_numbers_stand_in_the_lines_or_beside_them_and_pages_are_never_named(
    text: str, fault: Fault | None
) -> None:
    assert proven(text, "1.1").fault is fault


def test_what_names_far_more_lines_than_a_statement_may_is_not_shown() -> None:
    assert proven(BURN, *["1.1"] * 4 * MAX_EVIDENCE).fault is None
    assert proven(BURN, *["1.1"] * 4 * MAX_EVIDENCE, "1.1").fault is Fault.UNSHOWABLE


def test_a_ruling_alone_must_speak_of_what_is_asked() -> None:
    said = DraftStatement(evidence=["1.1"], text=BURN)
    asked = verifier("May elves wear plate armor?")
    assert [asked.prove(said, is_verdict=is_verdict).is_open for is_verdict in (True, False)] == [True, False]


def titled(heading: str, text: str) -> FoundPage:
    """A page under a heading, which is its first line."""
    return found_page(f"{heading}\n{text}", 3, headings=[heading], sections=[(0, heading)])


def listed(title: str, *rows: tuple[str, str]) -> FoundPage:
    """A table, each row as it is printed and as it reads, under a title where there is one."""
    text = "\n".join([*([title] if title else []), *(printed for printed, _ in rows)])
    places = [(text.index(printed), text.index(printed) + len(printed), reading) for printed, reading in rows]
    headings = [title] if title else []
    return found_page(text, 3, rows=places, headings=headings, sections=[(0, title)] if title else [])


DWARVES = titled("Dwarves", "They may not use longbows.")
PILLS = "You pay 30 points for a pill. You play it."


@pytest.mark.parametrize(
    ("page", "text", "evidence", "fault"),
    [
        ("The rules stand at www.oil.example for all.", "The rules stand at www.oil.example.", "1.1", None),
        (PILLS, "You pay 30 points.", "1.1", None),
        (PILLS, "A pill costs 30 points.", "1.1", None),
        (PILLS, "You play 30 points.", "1.1", None),
        ("See Page 12 for fog.", "Fog: see page 12.", "1.1", None),
        (DWARVES, "Yes, your dwarf can use a longbow.", "1.1", Fault.NO_LINE),
        (DWARVES, "Dwarves", "1.1", Fault.NO_LINE),
        (DWARVES, "They may not use longbows.", "1.1", None),
        (titled("Rank 4 Knots", "A knot holds a mule."), "A rank 4 knot holds a mule.", "1.2", None),
        (titled("4.2 Knots", "A knot holds a mule."), "A rank 4 knot holds a mule.", "1.2", Fault.NUMBERS),
        (titled("Chapter 4: Knots", "A knot holds a mule."), "A rank 4 knot holds a mule.", "1.2",
         Fault.NUMBERS),
        (titled("Chapter 4", "A knot holds a mule."), "A rank 4 knot holds a mule.", "1.2", Fault.NUMBERS),
        ("It is so for 6 turns. Wind blows. Fog hides all.", "Fog hides all for 6 turns.", "1.3", None),
        ("It is so for 6 turns. Wind blows. Fog hides all.", "Dragons sleep 6 turns.", "1.3", Fault.NUMBERS),
        ("The sea is cold in winter. Gulls nest here. A wight is turned on 19. Owls hunt. Roll 1d20 for all.",
         "A wight is turned on 19 or more on 1d20.", "1.1", Fault.NUMBERS),
    ],
)  # fmt: skip
def test_addresses_pages_headings_and_numbers_around_a_line_prove_what_they_print(
    page: FoundPage | str, text: str, evidence: str, fault: Fault | None
) -> None:
    assert over(page, text, evidence, question="May my dwarf, who hides in fog, turn a wight?").fault is fault


FOG = "The fog hides all. It hides all for 6 turns."
SHIPS = listed(
    "", ("Skiff | 2", "Ship: Skiff; Crew: 2"), ("Lugger | 6", "Ship: Lugger; Crew: 6"),
    ("Barque | 20", "Ship: Barque; Crew: 20"),
)  # fmt: skip
ARMS = listed("", ("Sling | 2", "Weapon: Sling; Damage: 2"), ("Gaff | 77", "Weapon: Gaff; Damage: 77"))
LANTERNS = "Lanterns burn in rain. Owls hunt. Gulls nest. Storm lanterns burn for 12 turns."


@pytest.mark.parametrize(
    ("page", "text", "evidence", "lines", "is_proven"),
    [
        (f"It is grey. {FOG}", "The fog hides all for 6 turns.", ["1.2"], [2, 3], True),
        (f"It stays 6 turns. {FOG}", "The fog hides all for 6 turns.", ["1.2"], [2, 1], True),
        ("It is grey for 6 turns. The fog hides all. Wind blows. A gale lasts 9 turns.",
         "The fog hides all for 6 turns and wind blows for 9 turns.", ["1.2", "1.3"], [2, 1, 3, 4], True),
        (LANTERNS, "Lanterns burn for 12 turns.", ["1.1"], [1, 4], True),
        (ARMS, "A sling does 77 damage.", ["1.1"], [1], False),
        (SHIPS, "A barque has a crew of 20, and a lugger of 6.", ["1.3"], [3, 2], True),
        (SHIPS, "A barque has a crew of 20, 14 more than a lugger.", ["1.3"], [3, 2], True),
        (SHIPS, "A barque has a crew of 20, and of 6 at times.", ["1.3"], [3], False),
        ("The fog hides all. 6 turns of it.", "The fog hides all: 6 turns.", ["1.1"], [1, 2], True),
        ("The barque costs 10 gp and the lugger 5 gp.",
         "The barque costs 10 gp and the lugger 5 gp; 15 gp.", ["1.1"], [1], True),
        (titled("Fog of War (2)", "It is grey."), "The fog of war: 2", ["1.1"], [1], True),
    ],
)  # fmt: skip
def test_the_line_beside_that_prints_the_number_is_cited_too_and_the_statement_doubted(
    page: FoundPage | str, text: str, evidence: list[str], lines: list[int], is_proven: bool
) -> None:
    proof = over(page, text, *evidence, question="What of the fog, the lanterns, the sling and the barque?")
    assert sorted(one.line.number for one in proof.cited) == sorted(lines)
    assert (proof.fault, proof.is_claim) == (None if is_proven else Fault.NUMBERS, False)


def test_the_askers_hyphened_word_is_doubted_over_a_line_that_counts_otherwise() -> None:
    line, said = "A halberd is a two-handed weapon that gives reach.", "A halberd is a one-handed weapon."
    proofs = [over(line, said, question=question) for question in ("One-handed halberd?", "A halberd?")]
    assert [(one.fault, one.is_suspected) for one in proofs] == [(None, True), (Fault.NUMBERS, False)]


@pytest.mark.parametrize("number", ["-2", "two"])
def test_who_repeats_a_line_with_another_number_contradicts_it(number: str) -> None:
    line = "The blinded one takes a four point penalty to all rolls."
    assert over(f"{line} The deaf one has -2.", line.replace("four", number)).is_disproven


@pytest.mark.parametrize(
    "price", ["10 marks each day.", "5 × 2 = 10 marks each day.", "2 × 5 = 10 marks each day."]
)
def test_a_result_in_the_place_of_a_lines_number_is_doubted_and_may_be_cleared(price: str) -> None:
    line, question = "A porter asks for 2 marks each day.", "What does a porter ask for 5 days?"
    proof = over(line, f"A porter asks for {price}", question=question)
    assert (proof.fault, proof.is_calculated) == (None, True)
    assert (proof.is_suspected, proof.is_disproven) == (True, False)


ITEMS = (
    ("Torch 1 sp 3", "Item: Torch; Price: 1 sp; Weight: 3"),
    ("Lantern 9 gp 5", "Item: Lantern; Price: 9 gp; Weight: 5"),
)
PRICES = listed("Prices (2)", *ITEMS)
MAY_USE = titled("Dwarves", "They may use any weapon.")
REFUSED, UNSURE = "Crabs do not hide in sand.", "Crabs hide in sand unless it rains."


@pytest.mark.parametrize(
    ("page", "text", "evidence", "lines", "is_claim", "is_disproven"),
    [
        (listed("", *ITEMS), "The price of a lantern is 9 gp.", ["1.2"], [2], True, False),
        (listed("", *ITEMS), "The price of a lantern is 5 gp.", ["1.2"], [2], False, True),
        (listed("", *ITEMS), "The price of a torch is 9 gp.", ["1.2"], [2], False, True),
        (listed("", *ITEMS), "A lantern is cheap.", ["1.2"], [2], False, False),
        (listed("", *ITEMS), "Lantern 9 gp 5", ["1.1"], [2], True, False),
        (PRICES, "The price of a lantern is 9 gp.", ["1.1", "1.3"], None, True, False),
        (PRICES, "The price of a lantern is 5 gp.", ["1.1", "1.3"], None, False, True),
        (MAY_USE, "Dwarves may use any weapon.", ["1.2"], None, True, False),
        (MAY_USE, "Dwarves may use any weapon.", ["1.1", "1.2"], None, True, False),
        (f"{UNSURE} Crabs hide in sand at night.", "Crabs hide in sand.", ["?"], [2], True, False),
        (f"{REFUSED} {UNSURE}", "Crabs hide in sand.", ["?"], [2], False, False),
        (f"{REFUSED} Owls hunt.", "Crabs hide in sand.", ["?"], [1], False, True),
    ],
)
def test_a_row_is_believed_under_its_column_and_of_lines_that_may_be_meant_the_one_that_says_it(
    page: FoundPage | str,
    text: str,
    evidence: list[str],
    lines: list[int] | None,
    is_claim: bool,
    is_disproven: bool,
) -> None:
    proof = over(page, text, *evidence, question="What of a lantern, any weapon, or where crabs hide?")
    assert lines in (None, [one.line.number for one in proof.cited])
    assert (proof.is_claim, proof.is_disproven) == (is_claim, is_disproven)


@pytest.mark.parametrize(("die", "is_proven"), [("1d20", True), ("1d12", False)])
def test_a_die_is_proven_by_the_book_that_tells_how_to_roll(die: str, is_proven: bool) -> None:
    pages = (found_page("A wight is turned on 19.", 3), found_page("Roll 1d20 for all.", 8))
    said = DraftStatement(evidence=["1.1"], text=f"A wight is turned on 19 or more on {die}.")
    proof = verifier("How is a wight turned?", pages).prove(said)
    assert (proof.fault is None, proof.is_claim) == (is_proven, False)


@pytest.mark.parametrize(
    ("text", "is_claim"), [(BURN, True), ("Normal torches burn in caves and hold no oil.", False)]
)
def test_a_line_that_was_not_named_is_believed_only_where_it_is_surely_meant(
    text: str, is_claim: bool
) -> None:
    assert proven(text, "99.1").is_claim is is_claim


def test_the_lines_of_a_book_whose_few_words_tell_no_language_are_read_in_its_own() -> None:
    line = "Apenas elfos veem no escuro."
    page = found_page(line, 3, language="pt")
    shown = prompt_of(page).lines().items()
    lines = {name: CitedLine(one, of) for name, (one, of) in shown}
    checked = Verifier(lines, "Elfos veem no escuro?", (), ("pt", "en", "pt", "en"))
    assert checked.prove(DraftStatement(evidence=["1.1"], text="Apenas os elfos veem no escuro.")).is_claim


# Whatever is drafted

SAID = [line.printed for _, line in prompt_of(*PAGES).lines().values()]
WORDS = [
    *{word for line in SAID for word in line.split()},
    "never",
    "dragons",
    "77",
    "p. 12",
    "3d6",
    "</page>",
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
)
def test_whatever_is_drafted_what_is_shown_stands_in_the_books_and_its_numbers_too(
    text: str, evidence: list[str]
) -> None:
    proof = verifier().prove(DraftStatement(evidence=evidence, text=text))
    books = {page.id: " ".join(page.text.split()) for page in PAGES}
    assert all(source.quote in books[source.page_id] for source in sources_of(proof.cited))
    assert proof.cited or not proof.is_claim
    if proof.is_claim and not proof.is_calculated:
        near = " ".join(books[one.page.id] for one in proof.cited)
        assert set(re.findall("[0-9]+", proof.text)) <= set(re.findall("[0-9]+", near))


def test_what_is_said_twice_counts_once() -> None:
    verification = Verification(verifier())
    said = DraftStatement(evidence=["1.1"], text=BURN)
    assert verification.take_rest(Draft(statements=[said] * 8))
    assert [proof.text for proof in verification.proofs] == [BURN]


# Lines that were named wrongly, or not at all
