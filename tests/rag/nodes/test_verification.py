"""What a draft says is held against the lines it names: which they are, and what they prove."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rag.library.books.found_page import FoundPage
from rag.models.structured_output import response_format
from rag.nodes.citations import CitedLine, sources_of
from rag.nodes.verification import (
    LONGEST_STATEMENT,
    MAX_EVIDENCE,
    MAX_STATEMENTS,
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


def test_an_address_that_a_line_prints_may_be_named() -> None:
    page = found_page("The rules stand at www.oil.example for all.", 3)
    said = DraftStatement(evidence=["1.1"], text="The rules stand at www.oil.example.")
    assert verifier("Where do the rules stand?", (page,)).prove(said).fault is None


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


@pytest.mark.parametrize("text", ["You pay 30 points.", "A pill costs 30 points.", "You play 30 points."])
def test_a_word_that_begins_with_p_is_no_page(text: str) -> None:
    priced = found_page("You pay 30 points for a pill. You play it.", 1)
    proof = verifier("What do I pay?", (priced,)).prove(DraftStatement(evidence=["1.1"], text=text))
    assert proof.fault is None


@pytest.mark.parametrize(
    ("text", "fault", "lines"),
    [
        ("Yes, your dwarf can use a longbow.", Fault.NO_LINE, []),
        ("Dwarves", Fault.NO_LINE, []),
        ("They may not use longbows.", None, ["They may not use longbows."]),
    ],
)
def test_a_heading_that_only_names_what_follows_proves_no_statement(
    text: str, fault: Fault | None, lines: list[str]
) -> None:
    page = found_page(
        "Dwarves\nThey may not use longbows.", 3, headings=["Dwarves"], sections=[(0, "Dwarves")]
    )
    proof = verifier("Can my dwarf use a longbow?", (page,)).prove(
        DraftStatement(evidence=["1.1"], text=text)
    )
    assert (proof.is_claim, proof.fault, cited(proof)) == (fault is None, fault, lines)


@pytest.mark.parametrize(
    ("heading", "text", "fault"),
    [
        ("Rank 4 Knots", "A rank 4 knot holds a mule.", None),
        ("4.2 Knots", "A rank 4 knot holds a mule.", Fault.NUMBERS),
        ("Chapter 4: Knots", "A rank 4 knot holds a mule.", Fault.NUMBERS),
        ("Chapter 4", "A rank 4 knot holds a mule.", Fault.NUMBERS),
    ],
)
def test_a_number_in_the_heading_above_proves_and_the_number_of_the_heading_does_not(
    heading: str, text: str, fault: Fault | None
) -> None:
    page = found_page(f"{heading}\nA knot holds a mule.", 3, headings=[heading], sections=[(0, heading)])
    proof = verifier("What holds a mule?", (page,)).prove(DraftStatement(evidence=["1.2"], text=text))
    assert proof.fault is fault


def test_the_sentence_beside_whose_number_is_needed_is_cited_too_and_the_statement_doubted() -> None:
    page = found_page("It is grey. The fog hides all. It hides all for 6 turns.", 3)
    said = DraftStatement(evidence=["1.2"], text="The fog hides all for 6 turns.")
    proof = verifier("What hides?", (page,)).prove(said)
    assert (cited(proof), proof.is_suspected) == (["The fog hides all.", "It hides all for 6 turns."], True)


def test_of_several_lines_beside_that_print_a_number_one_is_enough() -> None:
    page = found_page("It stays 6 turns. The fog hides all. It hides all for 6 turns.", 3)
    said = DraftStatement(evidence=["1.2"], text="The fog hides all for 6 turns.")
    proof = verifier("What hides?", (page,)).prove(said)
    assert [one.line.number for one in proof.cited] == [2, 1]


def test_what_names_far_more_lines_than_a_statement_may_is_not_shown() -> None:
    assert proven(BURN, *["1.1"] * 4 * MAX_EVIDENCE).fault is None
    assert proven(BURN, *["1.1"] * 4 * MAX_EVIDENCE, "1.1").fault is Fault.UNSHOWABLE


def test_a_ruling_alone_must_speak_of_what_is_asked() -> None:
    said = DraftStatement(evidence=["1.1"], text=BURN)
    asked = verifier("May elves wear plate armor?")
    assert [asked.prove(said, is_verdict=is_verdict).is_open for is_verdict in (True, False)] == [True, False]


def test_lines_beside_several_that_are_needed_together_are_cited_once() -> None:
    text = "It is grey for 6 turns. The fog hides all. Wind blows. A gale lasts 9 turns."
    said = DraftStatement(
        evidence=["1.2", "1.3"], text="The fog hides all for 6 turns and wind blows for 9 turns."
    )
    proof = verifier("What hides?", (found_page(text, 3),)).prove(said)
    assert (proof.fault, sorted(one.line.number for one in proof.cited)) == (None, [1, 2, 3, 4])


def test_the_number_of_another_row_is_no_proof_where_that_row_is_not_named() -> None:
    text = "Sling | 2\nGaff | 77"
    rows = [(0, 9, "Weapon: Sling; Damage: 2"), (10, len(text), "Weapon: Gaff; Damage: 77")]
    said = DraftStatement(evidence=["1.1"], text="A sling does 77 damage.")
    proof = verifier("What does a sling do?", (found_page(text, 3, rows=rows),)).prove(said)
    assert (cited(proof), proof.fault) == (["Sling | 2"], Fault.NUMBERS)


SHIPS = "Skiff | 2\nLugger | 6\nBarque | 20"
SHIP_ROWS = [
    (0, 9, "Ship: Skiff; Crew: 2"),
    (10, 20, "Ship: Lugger; Crew: 6"),
    (21, len(SHIPS), "Ship: Barque; Crew: 20"),
]


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ("A barque has a crew of 20, and a lugger of 6.", ["Barque | 20", "Lugger | 6"]),
        ("A barque has a crew of 20, 14 more than a lugger.", ["Barque | 20", "Lugger | 6"]),
        ("A barque has a crew of 20, and of 6 at times.", ["Barque | 20"]),
    ],
)
def test_a_row_that_a_part_of_a_statement_names_is_told_too_and_the_statement_doubted(
    text: str, lines: list[str]
) -> None:
    page = found_page(SHIPS, 3, rows=SHIP_ROWS)
    proof = verifier("What crew has a barque?", (page,)).prove(DraftStatement(evidence=["1.3"], text=text))
    assert (cited(proof), proof.is_claim) == (lines, False)
    assert proof.fault is (None if len(lines) > 1 else Fault.NUMBERS)


VENOM = "Grey venom is rolled against 13. It turns the lips blue. Kelp tea adds 3 to the roll."
OTHER_TEA = "Fen tea adds 5 to the roll."


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("Grey venom is rolled against 13; kelp tea adds 3.", None),
        ("Grey venom is rolled against 13; it adds 5.", Fault.NUMBERS),
    ],
)
def test_a_line_of_another_page_is_meant_only_under_a_heading_that_is_named(
    text: str, fault: Fault | None
) -> None:
    pages = (found_page(VENOM, 3), found_page(OTHER_TEA, 4, headings=["Fens"], sections=[(0, "Fens")]))
    proof = verifier("How is grey venom rolled?", pages).prove(DraftStatement(evidence=["1.1"], text=text))
    assert proof.fault is fault


@pytest.mark.parametrize(("die", "is_proven"), [("1d20", True), ("1d12", False)])
def test_a_die_is_proven_by_the_book_that_tells_how_to_roll(die: str, is_proven: bool) -> None:
    pages = (found_page("A wight is turned on 19.", 3), found_page("Roll 1d20 for all.", 8))
    said = DraftStatement(evidence=["1.1"], text=f"A wight is turned on 19 or more on {die}.")
    proof = verifier("How is a wight turned?", pages).prove(said)
    assert (proof.fault is None, proof.is_claim) == (is_proven, False)


@pytest.mark.parametrize(
    ("printed", "text"),
    [
        ("The fog hides all. 6 turns of it.", "The fog hides all: 6 turns."),
        ("The barque costs 10 gp and the lugger 5 gp.", "The barque costs 10 gp and the lugger 5 gp; 15 gp."),
        ("Fog of War (2)", "The fog of war: 2"),
    ],
    ids=["number beside", "inferred number", "heading"],
)
def test_what_rests_on_little_is_doubted_though_its_words_are_the_lines(printed: str, text: str) -> None:
    heading = printed if printed.startswith("Fog of War") else "Fog of War"
    page = found_page(printed, 3, headings=[heading], sections=[(0, heading)])
    proof = verifier("What of the fog, the barque and the lugger?", (page,)).prove(
        DraftStatement(evidence=["1.1"], text=text)
    )
    assert (proof.fault, proof.is_suspected) == (None, True)


def test_the_askers_hyphened_word_is_doubted_over_a_line_that_counts_otherwise() -> None:
    page = found_page("A halberd is a two-handed weapon that gives reach.", 3)
    said = DraftStatement(evidence=["1.1"], text="A halberd is a one-handed weapon.")
    proofs = [verifier(question, (page,)).prove(said) for question in ("One-handed halberd?", "A halberd?")]
    assert [(one.fault, one.is_suspected) for one in proofs] == [(None, True), (Fault.NUMBERS, False)]


@pytest.mark.parametrize(
    ("text", "is_proven"), [("Fog hides all for 6 turns.", True), ("Dragons sleep 6 turns.", False)]
)
def test_what_stands_around_a_line_counts_only_where_the_line_speaks_of_it(
    text: str, is_proven: bool
) -> None:
    page = found_page("It is so for 6 turns. Wind blows. Fog hides all.", 3)
    proof = verifier("What hides?", (page,)).prove(DraftStatement(evidence=["1.3"], text=text))
    assert (proof.fault is None) is is_proven


def test_a_calculation_may_put_another_number_into_a_line() -> None:
    page = found_page("The guard of the tower takes 2 shells each day.", 3)
    text = "The guard of the tower takes 6 shells each day (3 × 2 = 6)."
    proof = verifier("What do my 3 guards take?", (page,)).prove(DraftStatement(evidence=["1.1"], text=text))
    assert (proof.is_calculated, proof.is_disproven) == (True, False)


@pytest.mark.parametrize(("price", "is_claim"), [("5", True), ("8", False)])
def test_a_number_told_of_what_another_one_is_printed_for_is_doubted(price: str, is_claim: bool) -> None:
    page = found_page("It costs 8 marks in town or 5 marks in the harbour.", 3)
    said = DraftStatement(evidence=["1.1"], text=f"It costs {price} marks in the harbour.")
    assert verifier("What does it cost in the harbour?", (page,)).prove(said).is_claim is is_claim


def test_what_stands_around_lines_about_something_else_proves_no_die() -> None:
    text = (
        "The sea is cold in winter. Gulls nest here. A wight is turned on 19. Owls hunt. Roll 1d20 for all."
    )
    said = DraftStatement(evidence=["1.1"], text="A wight is turned on 19 or more on 1d20.")
    proof = verifier("How is a wight turned?", (found_page(text, 3),)).prove(said)
    assert proof.fault is Fault.NUMBERS


def test_a_line_that_brings_the_number_to_others_about_the_same_needs_another_look() -> None:
    page = found_page("Lanterns burn in rain. Owls hunt. Gulls nest. Storm lanterns burn for 12 turns.", 3)
    said = DraftStatement(evidence=["1.1"], text="Lanterns burn for 12 turns.")
    proof = verifier("How long do lanterns burn?", (page,)).prove(said)
    assert (cited(proof)[-1], proof.is_suspected) == ("Storm lanterns burn for 12 turns.", True)


def test_a_number_that_follows_cites_no_line_beside_that_does_not_print_it() -> None:
    page = found_page("Kelp is rare. A brew takes 25 gp of herbs. Tea is not brewed.", 3)
    said = DraftStatement(evidence=["1.2"], text="2 brews take 50 gp of herbs.")
    proof = verifier("What do 2 brews take?", (page,)).prove(said)
    assert (cited(proof), proof.fault) == (["A brew takes 25 gp of herbs."], None)


@pytest.mark.parametrize("number", ["-2", "two"])
def test_who_repeats_a_line_with_another_number_contradicts_it(number: str) -> None:
    page = found_page("The blinded one takes a four point penalty to all rolls. The deaf one has -2.", 3)
    said = DraftStatement(
        evidence=["1.1"], text=f"The blinded one takes a {number} point penalty to all rolls."
    )
    assert verifier("What about blinded ones?", (page,)).prove(said).is_disproven


@pytest.mark.parametrize(
    "text",
    [
        "A porter asks for 10 marks each day.",
        "A porter asks for 5 × 2 = 10 marks each day.",
        "A porter asks for 2 × 5 = 10 marks each day.",
    ],
)
def test_a_result_in_the_place_of_a_lines_number_is_doubted_and_may_be_cleared(text: str) -> None:
    page = found_page("A porter asks for 2 marks each day.", 3)
    proof = verifier("What does a porter ask for 5 days?", (page,)).prove(
        DraftStatement(evidence=["1.1"], text=text)
    )
    assert (proof.fault, proof.is_calculated) == (None, True)
    assert (proof.is_suspected, proof.is_disproven) == (True, False)


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


def test_a_reply_names_the_lines_before_it_says_what_they_say() -> None:
    statement = response_format(Draft)["json_schema"]["schema"]["properties"]["statements"]["items"]
    assert list(statement["properties"]) == ["evidence", "text"]


def test_the_schema_bounds_a_draft_in_all_its_parts() -> None:
    parts = response_format(Draft)["json_schema"]["schema"]["properties"]
    statement = parts["statements"]["items"]["properties"]
    assert (parts["statements"]["maxItems"], statement["evidence"]["maxItems"]) == (
        MAX_STATEMENTS,
        MAX_EVIDENCE,
    )
    assert [one["maxLength"] for one in (statement["text"], parts["missing"])] == [LONGEST_STATEMENT] * 2


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


@pytest.mark.parametrize("written", ["null", "None", " n/a", "-", ""])
def test_a_word_for_nothing_tells_of_no_gap(written: str) -> None:
    assert Draft.model_validate({"statements": [], "missing": written}).missing is None


def test_what_is_said_twice_counts_once() -> None:
    verification = Verification(verifier())
    said = DraftStatement(evidence=["1.1"], text=BURN)
    assert verification.take_rest(Draft(statements=[said] * 8))
    assert [proof.text for proof in verification.proofs] == [BURN]


TORCHES = found_page(
    "Torch 1 sp 3\nLantern 9 gp 5",
    14,
    rows=[(0, 12, "Item: Torch; Price: 1 sp; Weight: 3"), (13, 27, "Item: Lantern; Price: 9 gp; Weight: 5")],
)


@pytest.mark.parametrize(
    ("text", "is_claim", "is_disproven"),
    [
        ("The price of a lantern is 9 gp.", True, False),
        ("The price of a lantern is 5 gp.", False, True),
        ("The price of a torch is 9 gp.", False, True),
        ("A lantern is cheap.", False, False),
    ],
)
def test_a_rows_value_is_believed_under_its_column_alone(
    text: str, is_claim: bool, is_disproven: bool
) -> None:
    proof = verifier("What does a lantern cost?", (TORCHES,)).prove(
        DraftStatement(evidence=["1.2"], text=text)
    )
    assert (proof.is_claim, proof.is_disproven) == (is_claim, is_disproven)


# Lines that were named wrongly, or not at all


@pytest.mark.parametrize(
    ("text", "line", "is_claim"),
    [
        ("Thieves may use any weapon.", "1.4", True),
        ("A first level character cannot employ retainers.", "1.3", False),
    ],
)
def test_what_is_believed_over_its_line_needs_nearly_all_its_words_where_the_line_was_not_named(
    text: str, line: str, is_claim: bool
) -> None:
    assert proven(text, line).is_claim
    unnamed = proven(text, "99.1")
    assert (unnamed.cited, unnamed.is_claim) == (proven(text, line).cited, is_claim)


def over(text: str, said: str, *evidence: str) -> Proof:
    page = found_page(text, 3)
    return verifier("Where do crabs hide?", (page,)).prove(DraftStatement(evidence=list(evidence), text=said))


def test_of_lines_that_may_be_meant_one_that_says_it_goes_before_one_that_leaves_doubt() -> None:
    proof = over("Crabs hide in sand unless it rains. Crabs hide in sand at night.", "Crabs hide in sand.")
    assert (cited(proof), proof.is_claim) == (["Crabs hide in sand at night."], True)


def test_of_lines_that_may_be_meant_one_that_leaves_doubt_goes_before_one_that_refuses() -> None:
    refusing, doubtful = "Crabs do not hide in sand.", "Crabs hide in sand unless it rains."
    proof = over(f"{refusing} {doubtful}", "Crabs hide in sand.")
    assert (cited(proof), proof.is_suspected, proof.is_disproven) == ([doubtful], True, False)


def test_the_one_line_that_may_be_meant_is_told_although_it_refuses() -> None:
    proof = over("Crabs do not hide in sand. Owls hunt.", "Crabs hide in sand.")
    assert (cited(proof), proof.is_disproven) == (["Crabs do not hide in sand."], True)


def test_a_line_about_something_else_is_not_cited_beside_the_one_that_is_meant() -> None:
    proof = proven("Thieves may use any weapon.", "2.1")
    assert cited(proof) == ["Thieves may use any weapon, but may not wear armor."]
    assert proof.is_claim


def test_of_two_pages_that_print_the_same_words_the_first_is_cited() -> None:
    pages = (found_page("Owls hunt.", 3), found_page(BURN, 4), found_page(BURN.upper(), 5))
    proof = verifier(pages=pages).prove(DraftStatement(evidence=["1.1"], text=BURN))
    assert [one.page.label for one in proof.cited] == ["4"]


# Headings


DWARVES = found_page("Dwarves\nThey may use any weapon.", 3, headings=["Dwarves"], sections=[(0, "Dwarves")])


@pytest.mark.parametrize("evidence", [["1.2"], ["1.1", "1.2"]], ids=["rule", "heading and rule"])
def test_headings_over_a_rule_name_what_it_is_of_and_cast_no_doubt_on_it(evidence: list[str]) -> None:
    said = DraftStatement(evidence=evidence, text="Dwarves may use any weapon.")
    assert verifier("May dwarves use any weapon?", (DWARVES,)).prove(said).is_claim


def test_a_row_named_with_the_heading_over_its_table_is_still_held_column_by_column() -> None:
    text = "Prices (2)\nTorch 1 sp 3\nLantern 9 gp 5"
    rows = [
        (11, 23, "Item: Torch; Price: 1 sp; Weight: 3"),
        (24, 38, "Item: Lantern; Price: 9 gp; Weight: 5"),
    ]
    page = found_page(text, 14, rows=rows, headings=["Prices (2)"], sections=[(0, "Prices (2)")])
    checked = verifier("What does a lantern cost?", (page,))
    said = ["The price of a lantern is 9 gp.", "The price of a lantern is 5 gp."]
    proofs = [checked.prove(DraftStatement(evidence=["1.1", "1.3"], text=one)) for one in said]
    assert [(one.is_claim, one.is_disproven) for one in proofs] == [(True, False), (False, True)]


def test_a_row_as_it_is_printed_is_cited_to_itself_whatever_was_named() -> None:
    said = DraftStatement(evidence=["1.1"], text="Lantern 9 gp 5")
    proof = verifier("What does a lantern cost?", (TORCHES,)).prove(said)
    assert (cited(proof), proof.is_verbatim) == (["Lantern 9 gp 5"], True)


def test_a_page_that_its_line_names_may_be_told_in_other_letters() -> None:
    page = found_page("See Page 12 for fog.", 3)
    proof = verifier("Where is fog?", (page,)).prove(
        DraftStatement(evidence=["1.1"], text="Fog: see page 12.")
    )
    assert proof.fault is not Fault.PAGE_NUMBER
