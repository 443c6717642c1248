"""Answers by quotation: the sentences that answer first, verbatim, and no claim."""

from collections.abc import Collection, Sequence

import pytest

from rag.library.books.found_page import FoundPage, FoundReference
from rag.library.language.likeness import shared_words
from rag.library.quotations.closest_passages import closest_passages
from rag.library.quotations.passages import LONGEST_PASSAGE
from rag.library.quotations.scoring import Similarity
from rag.state import AnswerWithSources, Origin, Outcome, Question, Span
from rag.texts import texts_for
from rag.texts.passages import excerpt
from tests.scripted import correction, found_page, torn_pages

TEXTS = texts_for("en")


def indifferent(question: str, texts: Sequence[str]) -> list[float]:
    return [0.0] * len(texts)


def quoted(
    question: str,
    pages: Sequence[FoundPage],
    similarity: Similarity = indifferent,
    *,
    named: Collection[FoundPage] = (),
    holding_most: Collection[FoundPage] | None = None,
) -> AnswerWithSources:
    """The closest passages of pages that one search found, and what it told of them."""
    search = Question(
        question=question,
        context=[page.document() for page in pages],
        named=frozenset(page.id for page in named),
        holding_most=None if holding_most is None else frozenset(page.id for page in holding_most),
    )
    return closest_passages(question, pages, [search], similarity, TEXTS)


def compared(pages: Sequence[FoundPage], *sides: str, both: Sequence[FoundPage] = ()) -> AnswerWithSources:
    """The closest passages for two sides, of which each is searched by itself and finds all pages.

    `both` are the pages found for the whole question, all where none is told.
    """
    context = [page.document() for page in pages]
    searches = [Question(question=one, context=context, origin=Origin.SUB_QUESTION) for one in sides]
    return closest_passages(" or ".join(sides), both or pages, searches, indifferent, TEXTS)


def nearest(answer: AnswerWithSources) -> list[str]:
    """The lines of the passages that come nearest."""
    return [line.text for source in answer.sources for line in source.passage if line.is_nearest]


def marked(answer: AnswerWithSources) -> list[str]:
    """The lines that surely answer."""
    return [line.text for source in answer.sources for line in source.passage if line.is_closest]


def test_the_passage_that_answers_best_comes_first() -> None:
    pages = [found_page("Horses cost a lot of money.", 1), found_page("Magery costs five points a level.", 2)]
    answer = quoted("What does Magery cost?", pages, lambda _, texts: [0.5 * ("Mag" in t) for t in texts])
    assert (answer.sources[0].page, answer.sources[0].quote) == ("2", "Magery costs five points a level.")
    assert (answer.outcome, answer.statements) == (Outcome.PASSAGES, [])


def test_the_first_three_pages_of_the_question_are_read_though_an_earlier_one_found_others() -> None:
    pages = [found_page(f"Horses cost {number} coins.", number) for number in range(9)]
    asked = [*pages[7:], found_page("Magery costs five points.", 9), *pages[:7]]
    searches = [
        Question(question=text, context=[page.document() for page in found], origin=origin)
        for text, found, origin in (("Magery", asked, Origin.ASKED), ("Horses", pages, Origin.SUB_QUESTION))
    ]
    answer = closest_passages("Magery", asked, searches, indifferent, TEXTS)
    assert nearest(answer)[0] == "Magery costs five points."


def test_a_passage_is_verbatim_and_a_rather_short_part_of_a_long_page() -> None:
    text = " ".join(f"Rule number {number} says so and so." for number in range(60))
    sources = quoted("Rule number 30", [found_page(text)]).sources
    assert all(len(source.quote) <= LONGEST_PASSAGE and source.quote in text for source in sources)
    assert "Rule number 30 says so and so." in sources[0].quote


def test_headings_and_scraps_are_no_answer() -> None:
    text = "Magery and Its Many Costs\n\nat that\n\nIt is five points a level."
    answer = quoted("Magery costs", [found_page(text)])
    assert nearest(answer) == ["It is five points a level."]
    assert not quoted("Magery", [found_page("Magery and Its Many Costs")]).sources


def test_a_page_that_amends_another_is_quoted_before_it_and_no_line_that_it_changes_is_marked() -> None:
    text = "Swimming has a Difficulty of 6."
    printed = found_page(text, 20)
    errata = found_page("On page 20 read 8, not 6.", 2, "Errata", amends=[correction(printed)])
    amended = found_page(text, 20, amended_by=[correction(errata)])
    assert marked(quoted("What Difficulty has swimming?", [printed])) == [text]
    unsure = [amended, errata, found_page("Swimming upstream has none.", 30)]
    answer = quoted("Difficulty of swimming upstream fast?", unsure)
    assert [source.book for source in answer.sources[: answer.shown]] == ["Errata", "Core"]
    assert text not in marked(answer)


def test_a_page_asked_for_by_number_is_quoted_with_what_corrects_it() -> None:
    errata = found_page("On page 20 read 8, not 6.", 2, "Errata")
    asked = found_page("Swimming has a Difficulty of 6.", 20, amended_by=[correction(errata)])
    answer = quoted("What does p. 20 say of swimming?", [asked, errata], named=[asked])
    assert [source.book for source in answer.sources] == ["Errata", "Core"]


def test_the_sentence_under_the_heading_asked_for_is_the_closest() -> None:
    text = "Slinging\n\nWhirl it once before you let go.\n\nAiming\n\nGive up a whole turn to gain three."
    sections = [(text.index(name), name) for name in ("Slinging", "Aiming")]
    assert nearest(quoted("aiming", [found_page(text, sections=sections)]))[0] == (
        "Give up a whole turn to gain three."
    )


def test_a_part_of_a_section_counts_as_asked_for_by_the_name_of_that() -> None:
    def creature(name: str, number: int) -> FoundPage:
        sections = [(0, (name,)), (len(name) + 2, (name, "Actions"))]
        return found_page(f"{name}\n\nActions\n\nThe bite does {number} points.", number, sections=sections)

    answer = quoted("bite of a troll", [creature("Goblin", 2), creature("Troll", 9)])
    assert nearest(answer)[0] == "The bite does 9 points."


def test_a_section_whose_name_is_all_that_is_asked_is_shown_unmarked_from_its_first_sentence() -> None:
    text = "1.2 Aiming\n\nTake your time. Aiming gains three. On a 1 aiming fails."
    page = found_page(text, book="Rules", sections=[(0, ("Basic Moves", "1.2 Aiming"))])
    for question, line in (
        ("aiming", "Take your time."),
        ("what does the aiming move do in the rules", "Take your time."),
        ("aiming on a 1", "On a 1 aiming fails."),
        ("aiming cost", "Aiming gains three."),
    ):
        likely = quoted(question, [page], lambda _, texts: [0.5 * ("gains" in one) for one in texts])
        assert nearest(likely)[0] == line
    assert marked(quoted("aiming", [page])) == []


def test_beside_a_section_asked_for_by_name_nothing_of_another_is_shown() -> None:
    filler = "Nothing of this is told here. " * 30
    text = f"Vampire\n\nIt walks as a bat. {filler}It burns in the sun.\n\nShade\n\nIt walks in the sun."
    page = found_page(text, sections=[(0, "Vampire"), (text.index("Shade"), "Shade")])
    ends = [text.index(one) for one in ("It walks", "It burns", "Shade", "It walks in")]
    hits = [Span(ends[0], ends[0] + 9), Span(ends[1], ends[1] + 9), Span(ends[3], len(text))]
    answer = quoted("a vampire walks in the sun?", [page.model_copy(update={"hits": tuple(hits)})])
    assert nearest(answer)[: answer.shown] == ["It walks as a bat.", "It burns in the sun."]


def test_of_a_section_whose_name_is_all_that_is_asked_more_is_shown_beside_that_of_another_game() -> None:
    told = "Range: 50 feet\n" + "It helps whoever stands beside the caster against all that is to come. " * 3
    pages = [
        found_page(f"Bless\n{told}", book=game, game=game, sections=[(0, "Bless")]) for game in ("Old", "New")
    ]
    shown = [len(excerpt(source)) for source in quoted("bless", pages).sources]
    assert shown == [4, 4]


@pytest.mark.parametrize(
    ("question", "likeness", "shown"),
    [("aiming", 0.1, 1), ("aim at a foe", 0.1, 2), ("aim at a foe", 0.5, 1)],
)
def test_one_passage_is_shown_or_two_where_neither_surely_answers_and_they_come_as_near(
    question: str, likeness: float, shown: int
) -> None:
    pages = [found_page(f"Aiming takes {number} turns.", number) for number in (1, 2)]
    answer = quoted(question, pages, lambda _, texts: [likeness * ("1" in one) for one in texts])
    assert (answer.shown, [source.page for source in answer.sources]) == (shown, ["1", "2"])


def test_behind_a_passage_that_does_not_surely_answer_one_that_does_is_shown() -> None:
    pages = [found_page("A foe may be aimed at.", 1), found_page("Aiming high takes turns.", 2)]
    answer = quoted("aiming high", pages, lambda _, texts: [1.5 * ("foe" in one) for one in texts])
    assert [source.page for source in answer.sources[: answer.shown]] == ["1", "2"]


def test_of_a_section_that_is_asked_for_by_its_name_more_is_shown_and_of_a_second_passage_a_sentence() -> (
    None
):
    told = "\n".join(
        f"Whoever takes {number} turns to look hits a foe {number} times." for number in range(9)
    )
    name = "3.2 Aiming (Sight)"
    pages = [found_page(f"{name}\n{told}", book=book, sections=[(0, name)]) for book in ("Core", "Arms")]
    for question, lines in (("why is aiming slow?", [6]), ("who hits so well?", [3, 1])):
        answer = quoted(question, pages)
        assert [len(excerpt(source)) for source in answer.sources[: answer.shown]] == lines


def test_of_a_passage_the_sentences_that_come_next_to_the_closest_are_shown() -> None:
    page = found_page(" ".join(f"Rule {number} is of the {'long ' * 9}kind." for number in range(6)))
    worth = {"Rule 0": 0.3, "Rule 5": 0.2}
    answer = quoted(
        "why?", [page], lambda _, texts: [sum(worth[one] for one in worth if one in text) for text in texts]
    )
    assert {"0", "5"} < {line.text[5] for line in excerpt(answer.sources[0])}


@pytest.mark.parametrize("speech", ["“Aiming takes turns,” he said.", "Aiming takes us turns."])
def test_where_somebody_speaks_no_rule_is_told(speech: str) -> None:
    answer = quoted("aiming", [found_page(speech, 1), found_page("Aiming is slow.", 2)])
    assert nearest(answer)[0] == "Aiming is slow."


def test_behind_a_section_that_only_refers_elsewhere_what_it_refers_to_is_shown() -> None:
    herd = found_page("Herd Beasts\nArmor Class: 13\nMorale: 5", 2, sections=[(0, "Herd Beasts")])
    text = "Moose\nSee Herd Beasts on page 2."
    to = FoundReference(text="page 2", start=text.index("page"), book="Core", label="2", pages=(herd.id,))
    moose = found_page(text, 1, sections=[(0, "Moose")]).model_copy(update={"references": (to,)})
    answer = quoted("moose morale", [moose, found_page("Fog is thick.", 3), herd])
    assert (answer.shown, nearest(answer)[:2]) == (2, ["See Herd Beasts on page 2.", "Morale: 5"])
    bear = found_page("Bear\nMorale: 7", 3, sections=[(0, "Bear")])
    both = compared([moose, bear, herd], "moose morale", "bear morale")
    assert "Morale: 7" in nearest(both)[: both.shown]
    assert quoted("p. 1: moose", [moose, herd], named=[moose]).shown == 1


def test_of_two_things_that_are_searched_apart_the_passage_of_each_is_shown() -> None:
    pages = [found_page("A mace deals eight.", 1), found_page("A sword deals ten.", 2)]
    answer = compared(pages, "mace", "sword", both=pages[:1])
    assert answer.shown == 2
    assert nearest(answer) == ["A mace deals eight.", "A sword deals ten."]


def test_of_two_games_that_may_be_meant_the_first_passage_of_each_is_shown() -> None:
    pages = [
        found_page(f"A torch burns {one} hours.", one, game="West" if one == 3 else "East")
        for one in (1, 2, 3)
    ]
    answer = quoted("torch", pages, lambda _, texts: [0.1 * (10 - int(one.split()[3])) for one in texts])
    assert [source.page for source in answer.sources[: answer.shown]] == ["1", "3"]


def test_a_page_asked_for_by_its_number_alone_is_shown_from_its_first_line() -> None:
    page = found_page("First this. Then that.", 7, hits=[])
    assert nearest(quoted("page 7", [page], named=[page])) == ["First this."]


def test_of_two_pages_asked_for_by_number_both_are_shown() -> None:
    pages = [found_page(f"Page {number} says so.", number, hits=[]) for number in (7, 8)]
    assert quoted("pages 7 and 8", pages, named=pages).shown == 2


def test_a_sentence_is_marked_where_it_holds_nearly_all_that_is_asked() -> None:
    pages = [found_page("Horses cost a lot of money.", 1), found_page("Magery costs five points a level.", 2)]
    assert marked(quoted("Magery points a level", pages)) == ["Magery costs five points a level."]
    assert marked(quoted("Magery for an elven child of noble birth", pages)) == []
    ogre = found_page(
        "Armor Class: 15\nSave As: Dwarf", sections=[(0, "Ogre")], headings=["Ogre"], above=["Ogre"]
    )
    assert marked(quoted("ogre armor class", [ogre])) == ["Armor Class: 15"]
    assert marked(quoted("dwarf save", [ogre])) == []
    assert marked(quoted("ogre", [ogre])) == []
    shade = found_page(
        "The shade loses its sanity.", sections=[(0, "Shade")], headings=["Shade"], above=["Shade"]
    )
    assert marked(quoted("how does sanity work", [shade])) == []


def test_a_correction_is_shown_before_the_lines_that_it_changes_alone() -> None:
    errata = found_page("On page 20 read 8, not 6.", 2, "Errata")
    change = [correction(errata).model_copy(update={"corrected": Span(0, 10)})]
    text = f"Swimming is hard. {'A word about boats and the sea. ' * 12}Sharks bite anybody."
    assert quoted("sharks bite", [found_page(text, 20, amended_by=change), errata]).sources[0].book == "Core"


def test_a_line_that_a_correction_changes_is_marked_nowhere() -> None:
    errata = found_page("On page 20 read 8, not 6.", 2, "Errata")
    changed = found_page("Sharks swim at 6.", 20, amended_by=[correction(errata)])
    assert marked(quoted("sharks swim", [found_page("Sharks swim.", 1), changed, errata])) == ["Sharks swim."]


def test_nothing_is_found_where_no_quoted_page_holds_most_of_what_is_asked() -> None:
    engine = found_page("The engine room is dark and cold.", 1)
    drive = found_page("A hyperdrive hums in the dark.", 2)
    assert not quoted("Hyperdrive?", [engine], holding_most=[]).found
    assert quoted("Hyperdrive?", [engine, drive], holding_most=[drive]).found


def test_where_nobody_looked_for_what_is_asked_the_passages_are_found() -> None:
    assert quoted("Hyperdrive?", [found_page("The engine room is dark and cold.", 1)]).found


def test_a_question_that_names_a_page_is_answered_from_that_page() -> None:
    pages = [found_page("As page 74 says, one falls.", 26), found_page("A fall does damage to all.", 74)]
    answer = quoted("What does page 74 say of a fall?", pages, named=pages[1:])
    assert [source.page for source in answer.sources] == ["74"]


SECTIONS = (
    "Swimming\n\nMake a test. It is hard.\n\nThe Cold\n\nWater takes one of these:\n\nLosses\n\n"
    "• a point of Warmth\n\n• a boot\n\nFire\n\nFire burns."
)
NAMES = ("Swimming", "The Cold", "Losses", "Fire")
OF_SECTIONS = [(SECTIONS.index(f"{name}\n"), name) for name in NAMES]


def in_sections(question: str, start: str, end: str) -> str:
    """What is quoted where the chunk from one text to another matched."""
    hit = Span(SECTIONS.index(start), SECTIONS.index(end) + len(end))
    return quoted(question, [found_page(SECTIONS, sections=OF_SECTIONS, hits=[hit])]).sources[0].quote


def test_a_passage_is_of_one_section_and_holds_the_whole_of_a_short_one() -> None:
    assert (
        in_sections("How hard is swimming?", "It is hard", "The Cold") == "Swimming Make a test. It is hard."
    )


def test_contents_and_index_pages_are_not_quoted() -> None:
    answer = quoted("Magery", [found_page("Magery, pages 30 and 40.", kind="index")])
    assert (answer.outcome, answer.sources, answer.found) == (Outcome.NOT_FOUND, [], False)


def test_a_word_is_found_as_the_glossary_has_it_in_another_language_or_in_that_of_rulebooks() -> None:
    assert shared_words("Can I backstab?", ["A sneak attack hits.", "A rope is long."], ["en"] * 2) == [1, 0]
    texts = ["A torch burns six turns.", "A rope is long."]
    torch, rope = shared_words("Quanto dura uma tocha?", texts, ["en", "en"])
    assert torch > rope == 0
    # Snowball has one stem for "mago" and "magia".
    assert shared_words("mago", ["A wizard waits.", "A spell works."], ["en"] * 2) == [1, 0]


def table(columns: str, *rows: str, heading: str = "") -> FoundPage:
    """A page with a table, perhaps below a heading."""
    text = "\n".join([heading, *rows] if heading else rows)
    names = [one.replace("_", " ") for one in columns.split()]
    cells = {row: zip(names, row.split("  "), strict="  " in row) for row in rows}
    read = [
        (start, start + len(row), "; ".join(f"{name}: {cell}" for name, cell in cells[row] if cell != "–"))
        for row in rows
        for start in [text.index(row)]
    ]
    return found_page(text, rows=read, sections=[(0, heading)] if heading else [])


WEAPONS = table("Weapon Price", "Two-Handed Sword  18 gp", "Longsword/Scimitar  10 gp", "Chain Mace, 2  6 gp")
CLASSES = table("Fighter_Level Thief_Level Attack", "NM  –  +0", "7  9-11  +5", "8-10  12-14  +6")
THIEVES = table("Level Spells", "3  4", "4  5", heading="Thief")
ARMOR = table("Armor Price", "No Armor  0 gp", "Chain Mail  60 gp")
BOWS = table("Weapon Price", "Sword, broad/long  9 gp", "Bow", "Short & arrow  1 gp", "Long & arrow  2 gp")
WEATHER = table("d100 Result", "1–40  Fair", "41–99  Foggy", heading="Weather")
LEVELS = table("Level Points", "1-3  0", "4  2,000", "5-7  4,000", "8+  9,000")


@pytest.mark.parametrize(
    ("page", "question", "rows"),
    [
        (WEAPONS, "quanto custa uma espada longa", ["Longsword/Scimitar 10 gp"]),
        (WEAPONS, "price of a chainmace", ["Chain Mace, 2 6 gp"]),
        (WEAPONS, "scimitar or two-handed sword", ["Two-Handed Sword 18 gp", "Longsword/Scimitar 10 gp"]),
        (ARMOR, "ac and price of chain mail", ["Chain Mail 60 gp"]),
        (BOWS, "price of a broad sword", ["Sword, broad/long 9 gp"]),
        (BOWS, "quanto custa um arco longo", ["Long & arrow 2 gp"]),
        (LEVELS, "points at lvl 6", ["5-7 4,000"]),
        (LEVELS, "pontos do nível 12", ["8+ 9,000"]),
        (LEVELS, "points of a 4th level thief", ["4 2,000"]),
        (LEVELS, "lvl 2 vs lvl 4 points", ["1-3 0", "4 2,000"]),
        (LEVELS, "quantos pontos um ladrão de 4 nível tem", ["4 2,000"]),
        (THIEVES, "thief 4 spells", ["4 5"]),
        (CLASSES, "thief level 10 attack", ["7 9-11 +5"]),
        (WEATHER, "rolei 57 no clima", ["41–99 Foggy"]),
        (CLASSES, "attack of a fighter lvl 9", ["8-10 12-14 +6"]),
    ],
)
def test_rows_are_asked_for_by_their_own_name_or_a_number_under_the_column_that_is_named(
    page: FoundPage, question: str, rows: list[str]
) -> None:
    assert nearest(quoted(question, [page])) == rows


def test_whether_something_may_be_done_is_answered_where_it_is_told_of_the_doer() -> None:
    text = "Thief\nThieves may not wear armor of metal."
    thief = found_page(text, 2, sections=[(0, "Thief")])
    slip, found = {"theif": "thief"}, [thief.document()]
    doer = Question(question="theif", context=found, origin=Origin.SUB_QUESTION, misspelt=slip)
    for question, first in (("may a theif wear chain mail", "Thief"), ("price of chain mail", "No Armor")):
        asked = Question(question=question, context=[ARMOR.document()], misspelt=slip)
        answer = closest_passages(question, [ARMOR, thief], [asked, doer], indifferent, TEXTS)
        assert answer.sources[0].quote.startswith(first)


def test_another_tables_heading_on_the_page_is_not_over_a_row() -> None:
    text = "Orc\n\nOrcs are greedy.\n\nOstrich\n\nXP  145"
    start = text.index("XP")
    page = found_page(
        text,
        rows=[(start, len(text), "Value: XP; Ostrich: 145")],
        sections=[(0, "Orc"), (text.index("Ostrich"), "Ostrich")],
        headings=["Orc"],
    )
    assert marked(quoted("orc xp", [page])) == []


def test_a_row_is_marked_only_where_its_table_speaks_of_what_is_asked() -> None:
    thief = table("Level Points", "4  2,000", "5  4,000", heading="Thief")
    assert marked(quoted("how many points does a thief need for level 5", [thief])) == ["5 4,000"]
    assert marked(quoted("how many spells does a cleric need for level 5", [thief])) == []
    assert marked(quoted("chane maces price", [WEAPONS])) == []
    gear = table("Item Cost", "Rope  1 gp", "Whistle  1 gp", heading="Daggers")
    assert marked(quoted("quanto custa uma adaga", [gear])) == []
    spell = found_page("Detect Invisible\nMagic-User level 2.", sections=[(0, "Detect Invisible")])
    assert marked(quoted("detect magic lvl", [spell])) == []


def test_a_section_whose_whole_name_is_asked_goes_before_what_only_has_its_words() -> None:
    fall = found_page("Falling Damage\nIt is 1d6 for each 10.", 1, sections=[(0, "Falling Damage")])
    fly = found_page("Fly\nFor any such fall, see Falling Damage on page 2.", 2, sections=[(0, "Fly")])
    likely = quoted(
        "falling damage 30", [fall, fly], lambda _, texts: [0.15 * ("Fly" in one) for one in texts]
    )
    assert nearest(likely)[0] == "It is 1d6 for each 10."


@pytest.mark.parametrize("value", ["Range: 100 feet", "Range 100 feet"])
def test_a_value_under_a_label_answers_in_a_named_section_unless_a_sentence_has_more_of_what_is_asked(
    value: str,
) -> None:
    sentence = "At range 30 over water it dies."
    page = found_page(f"Fireball\n{sentence}\n{value}", sections=[(0, "Fireball")])
    assert marked(quoted("fireball range", [page])) == [value]
    assert marked(quoted("fireball range over water", [page])) == [sentence]
    elves = found_page("Elves\nAll sleep later.\nSleep: Elves rest.", sections=[(0, "Elves")])
    likely = quoted("elf sleep", [elves], lambda _, texts: [0.3 * ("later" in one) for one in texts])
    assert nearest(likely)[0] == "Sleep: Elves rest."


def test_two_things_are_rather_compared_in_rows_under_the_same_columns() -> None:
    armor = table("Armor Price", "Plate Mail  300 gp", "Chain Mail  60 gp", heading="Armor")
    pages = [armor, found_page("The orc chain is worth it.", 2)]
    answer = compared(pages, "plate, worth it", "chain, worth it")
    assert (answer.shown, nearest(answer)[:2]) == (1, ["Plate Mail 300 gp", "Chain Mail 60 gp"])


def test_the_rows_of_a_table_that_one_side_found_alone_are_compared() -> None:
    arms = table("Weapon Price", "Mace  6 gp", "Spear  5 gp")
    others = [found_page(f"Room {number} is dark.", number) for number in range(2, 8)]
    found = {"mace or spear price": others, "mace price": [*others[:4], arms], "spear price": others}
    searches = [
        Question(
            question=one,
            context=[page.document() for page in pages],
            origin=Origin.SUB_QUESTION if " or " not in one else Origin.ASKED,
        )
        for one, pages in found.items()
    ]
    answer = closest_passages("mace or spear price", [*others, arms], searches, indifferent, TEXTS)
    assert nearest(answer)[:2] == ["Mace 6 gp", "Spear 5 gp"]


def test_a_thing_that_is_compared_is_told_under_its_name() -> None:
    ward = found_page("Ward\nIt halves the damage of a fireball spell.", 1, sections=[(0, "Ward")])
    named = [
        found_page(f"{name}\nIts damage is {number}d6.", number, sections=[(0, name)])
        for number, name in ((2, "Fireball"), (3, "Lightning"))
    ]
    answer = compared([ward, *named], "fireball spell damage", "lightning spell damage")
    assert nearest(answer)[:2] == ["Its damage is 2d6.", "Its damage is 3d6."]


def test_two_things_are_compared_in_one_game() -> None:
    home = [found_page("A mace is dear.", 1), found_page("Spears are long.", 2)]
    away = found_page("A spear price is low.", 3).model_copy(update={"game": "Away"})
    answer = compared([*home, away], "mace price", "spear price")
    assert [source.page for source in answer.sources[: answer.shown]] == ["1", "2"]


def test_two_things_are_rather_compared_by_values_under_the_same_label() -> None:
    told = {"Fireball": "Fire goes far in range.", "Lightning": "It flashes."}
    pages = [
        found_page(f"{name}\n{line}\nRange: {at}0 feet", at, sections=[(0, name)])
        for at, (name, line) in enumerate(told.items(), 1)
    ]
    answer = compared(pages, "goes far in range, fireball", "goes far in range, lightning")
    assert nearest(answer)[:2] == ["Range: 10 feet", "Range: 20 feet"]


def test_likeness_chooses_no_row_where_no_row_has_the_number_that_is_asked_for() -> None:
    page = table("Level Points", "2  0", "4  2,000", heading="Levels of thieves")
    assert nearest(quoted("points of thieves at level 3", [page])) == []
    named = table("Trap Harm", "Pit  2d6", "Dart  1d6", heading="Snares")
    assert nearest(quoted("snares 3", [named])) == ["Pit 2d6"]


def test_a_row_is_asked_for_by_a_misspelt_name_as_by_the_right_one() -> None:
    search = Question(question="chane mace?", context=[WEAPONS.document()], misspelt={"chane": "chain"})
    answer = closest_passages("chane mace?", [WEAPONS], [search], indifferent, TEXTS)
    assert marked(answer) == ["Chain Mace, 2 6 gp"]


def test_a_sentence_torn_by_a_page_break_is_quoted_whole_and_once() -> None:
    answer = quoted("What does a round under water cost?", torn_pages())
    told = " ".join(source.whole_quote for source in answer.sources[: answer.shown])
    assert told.count("Each round under water costs one point of breath.") == 1
    assert "Whoever has none drowns." in told
