"""The grammar of printed cross-references: every shape is read, no lookalike is."""

from itertools import pairwise

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from rag.library.books.titles import names_of, sensible_title
from rag.library.language.numerals import number_of, to_roman
from rag.library.references import Reference, find_references

TITLES = ["GURPS Powers", "GURPS Magic", "Core Rules", "Martial Arts", "Machines of War"]
CODES = ["B", "BE", "MA", "MB", "P"]

Pages = tuple[str | None, str | None, str | None]


def find(text: str) -> list[Reference]:
    return find_references(text, TITLES, CODES)


def ask(question: str) -> list[Reference]:
    return find_references(question, TITLES, CODES, is_question=True)


def pages(found: list[Reference]) -> list[Pages]:
    return [(one.book, one.first, one.last) for one in found]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("lásd a 12. oldalon", [(None, "12", "12")]),
        ("12-14. oldal", [(None, "12", "14")]),
        ("katso sivu 7", [(None, "7", "7")]),
        ("sayfa 30", [(None, "30", "30")]),
        ("30. sayfada", [(None, "30", "30")]),
        ("第12页", [(None, "12", "12")]),
        ("詳しくは 12ページ", [(None, "12", "12")]),
        ("2.12 oldal", []),
        ("12 oldalas könyv, 30 oldal", []),
    ],
)
def test_a_page_word_of_its_language_may_stand_behind_the_number(text: str, expected: list[Pages]) -> None:
    assert pages(find(text)) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("p. 33", [(None, "33", "33")]),
        ("pg. 33", [(None, "33", "33")]),
        ("pp. 85-94", [(None, "85", "94")]),
        ("pp. 112–15", [(None, "112", "115")]),
        ("pages 85 to 94", [(None, "85", "94")]),
        ("on page 54", [(None, "54", "54")]),
        ("(see page 54)", [(None, "54", "54")]),
        ("Page 54", [(None, "54", "54")]),
        ("p. iv", [(None, "iv", "iv")]),
        ("pp. iv-vii", [(None, "iv", "vii")]),
        ("p. B102", [("B", "102", "102")]),
        ("pp. MA45-47", [("MA", "45", "47")]),
        ("p. BE5", [("BE", "5", "5")]),
        ("p. ZZ9", [("ZZ", "9", "9")]),
        ("pp. 7, 40, and 52", [(None, "7", "7"), (None, "40", "40"), (None, "52", "52")]),
        ("pp. B102, 110-112 and MA45", [("B", "102", "102"), ("B", "110", "112"), ("MA", "45", "45")]),
        ("p. 33 and p. 40", [(None, "33", "33"), (None, "40", "40")]),
        ("see Martial Arts, p. 20 and p. 25", [("Martial Arts", "20", "20"), ("Martial Arts", "25", "25")]),
        ("see B102, BE5", [("B", "102", "102"), ("BE", "5", "5")]),
        ("(B102)", [("B", "102", "102")]),
        ("see Powers, p. 100", [("Powers", "100", "100")]),
        ("GURPS Powers, pp. 8–9", [("GURPS Powers", "8", "9")]),
        ("(Core Rules, page 22)", [("Core Rules", "22", "22")]),
        ("Powers (p. 100)", [("Powers", "100", "100")]),
        ("as Machines of War p. 4 says", [("Machines of War", "4", "4")]),
        ("page 33 of Magic", [("Magic", "33", "33")]),
        ("on p. 52 in the Powers book", [("Powers", "52", "52")]),
        ("page 76 of the Iron Harbour worldbook", [("Iron Harbour", "76", "76")]),
        ("page 142 of the genre rulebooks", [("genre rulebooks", "142", "142")]),
        ("page 12 of this book", [(None, "12", "12")]),
        ("pág. 33", [(None, "33", "33")]),
        ("págs. 85–94", [(None, "85", "94")]),
        ("veja Magic, pág. 30", [("Magic", "30", "30")]),
        ("na página 33 de Powers", [("Powers", "33", "33")]),
        ("(ver p. MB102)", [("MB", "102", "102")]),
        ("páginas 12 e 15", [(None, "12", "12"), (None, "15", "15")]),
        ("see page\n54", [(None, "54", "54")]),
        ("see Martial\nArts, p.\n20", [("Martial\nArts", "20", "20")]),
        ("see p. MA-\n45", [("MA", "45", "45")]),
        ("pp. 33ff.", [(None, "33", "33")]),
        ("p. 33ff", [(None, "33", "33")]),
        ("pages 33/35", [(None, "33", "33"), (None, "35", "35")]),
        ("pgs 33", [(None, "33", "33")]),
        ("see p33", [(None, "33", "33")]),
        ("“Powers,” p. 100", [("Powers", "100", "100")]),
        ("described under Riposte in Martial Arts, p. 12", [("Martial Arts", "12", "12")]),
        ("pages 33 and 40 of Magic", [("Magic", "33", "33"), ("Magic", "40", "40")]),
    ],
)
def test_page_references_of_every_shape_are_read(text: str, expected: list[Pages]) -> None:
    assert pages(find(text)) == expected


@pytest.mark.parametrize(
    "text",
    [
        "a B2 bomber",
        "vitamin B12",
        "room B7",
        "1D6",
        "roll 2d6+1",
        "page 3 of 5",
        "página 3 de 5",
        "costs 5 pp 20 gp",
        "at 6 p.m. 12 guards",
        "B",
        "web page 3",
        "version p. 3.5",
        "see 102",
        "the B102X drone",
        "sub-B12 level",
        "the pages turn",
        "you’ll see the Sorting House",
        "p. Mix",
        "(P90)",
        "see B16 rifle",
        "(B12 vitamin)",
        "level 3 (B2)",
        "ver B2 bombardeiro",
        "yellow pages 5",
        "J. P. 33",
    ],
)
def test_lookalikes_are_refused(text: str) -> None:
    assert pages(find(text)) == []


def test_a_number_after_a_single_page_belongs_to_the_sentence() -> None:
    assert pages(find("on page 54 and 3 others")) == [(None, "54", "54")]
    assert pages(find("Push  Page 109, 1")) == [(None, "109", "109")]
    assert pages(find("pages 33 and 40 soldiers")) == [(None, "33", "33")]


def test_a_linking_word_is_no_end_of_a_name() -> None:
    assert [one.heading for one in find("Captain p. 33, Demon p. 34")] == ["Captain", "Demon"]


def test_a_name_beside_a_page_is_kept_as_heading_until_somebody_knows_better() -> None:
    jelly, attack, damage = find(
        "See Jelly, Glass on page 130; see How to Attack on page 67 and Damage on page 70"
    )

    assert (jelly.heading, jelly.first, jelly.book) == ("Jelly, Glass", "130", None)
    assert (attack.heading, attack.first) == ("How to Attack", "67")
    assert (damage.heading, damage.first) == ("Damage", "70")


@pytest.mark.parametrize(
    ("text", "heading"),
    [
        ("ESCAPE (page 110)", "ESCAPE"),
        ("See STAMINA (PHYSIQUE) (page 130)", "STAMINA (PHYSIQUE)"),
        ("the Encounter section on page 65", "Encounter"),
        ("Hollow Fantasy, p. 99", "Hollow Fantasy"),
        ("Machines p. 4", "Machines"),
    ],
)
def test_the_name_is_read_as_it_stands(text: str, heading: str) -> None:
    [found] = find(text)

    assert (found.book, found.heading) == (None, heading)


@pytest.mark.parametrize(
    ("text", "chapter", "heading"),
    [
        ("See Chapter 11: Magic Items", "11", "Magic Items"),
        ("veja o Capítulo 11", "11", None),
        ("in the “Game Basics” chapter", "Game Basics", None),
        ("as described under Riposte", None, "Riposte"),
        ("(see Riposte)", None, "Riposte"),
        ("conforme descrito em Aparar", None, "Aparar"),
        ("as described under 'Riposte'", None, "Riposte"),
        ("explained under the heading Riposte", None, "Riposte"),
        ("as described under falling damage.", None, "falling damage"),
        ("as per Riposte", None, "Riposte"),
        ("Capítulo Onze", "Onze", None),
        ("see Chapter Twenty-One", "Twenty-One", None),
        ('see "Called Shots" below', None, "Called Shots"),
        ("in the Combat section", None, "Combat"),
    ],
)
def test_chapters_and_headings_are_called_by_name(
    text: str, chapter: str | None, heading: str | None
) -> None:
    [found] = find(text)

    assert (found.chapter, found.heading, found.first) == (chapter, heading, None)


def test_a_chapter_of_another_book_names_it() -> None:
    [found] = find("the “Magic” chapter of the Core Rules")

    assert (found.chapter, found.book) == ("Magic", "Core Rules")


@pytest.mark.parametrize(
    ("text", "chapters"),
    [
        ("See Chapters 3 and 4", ["3", "4"]),
        ("chapters 3, 5, and XII", ["3", "5", "XII"]),
        ("os capítulos três e quatro", ["três", "quatro"]),
        ("Chapter 3 and 4 soldiers", ["3"]),
    ],
)
def test_several_chapters_are_so_many_references(text: str, chapters: list[str]) -> None:
    assert [one.chapter for one in find(text)] == chapters


@pytest.mark.parametrize("text", ["see “Rapid Strike” in Martial Arts", "see Rapid Strike in Martial Arts"])
def test_a_heading_in_another_book_names_it(text: str) -> None:
    [found] = find(text)

    assert (found.heading, found.book) == ("Rapid Strike", "Martial Arts")


def test_the_title_of_a_chapter_is_no_reference_to_it() -> None:
    assert find("Chapter 7\n\nThe sea leaves in spring.") == []


@pytest.mark.parametrize(
    ("text", "relative"),
    [
        ("the table on the facing page", "facing"),
        ("na página ao lado", "facing"),
        ("on the next page", "next"),
        ("na página seguinte", "next"),
        ("on the previous page", "previous"),
    ],
)
def test_a_page_may_be_told_by_its_place(text: str, relative: str) -> None:
    assert [one.relative for one in find(text)] == [relative]


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("what does b102 say about grappling?", [("b", "102", "102")]),
        ("What does B102 say about grappling?", [("B", "102", "102")]),
        ("what is on page 33 of magic?", [("magic", "33", "33")]),
        ("o que diz a pág. 33 de Magic?", [("Magic", "33", "33")]),
        ("GURPS Powers p. 100", [("GURPS Powers", "100", "100")]),
        ("core rules page 4", [("core rules", "4", "4")]),
        ("what is on p4 of Magic?", [("Magic", "4", "4")]),
        ("P4", [("P", "4", "4")]),
        ("pg 4", [(None, "4", "4")]),
        ("pag. 4", [(None, "4", "4")]),
        ("page four of core rules", [("core rules", "4", "4")]),
        ("o que está na página vinte e um?", [(None, "21", "21")]),
        ("O que diz a B102?", [("B", "102", "102")]),
        ("how much damage does 1d6 do?", []),
        ("does vitamin B12 help?", []),
        ("What happens if I roll b 6?", []),
    ],
)
def test_questions_name_pages_in_any_case(question: str, expected: list[Pages]) -> None:
    assert pages(ask(question)) == expected


def test_a_position_in_the_file_is_told_from_a_printed_page() -> None:
    [found] = ask("PDF p. 104 of Powers")

    assert (found.is_pdf_page, found.first, found.book) == (True, "104", "Powers")


def test_codes_in_books_are_read_as_they_are_written() -> None:
    assert find("see b102") == []


TITLE = st.sampled_from(["Powers", "GURPS Powers", "Core Rules", "Martial Arts", "Magic"])
NUMBER = st.integers(1, 999)
SEPARATOR = st.sampled_from([" ", "\n", "  "])
BEFORE = st.sampled_from(
    ["", "A long fall hurts; see ", "(", "Como diz o texto, veja ", "Roll 1D6 (2 points), "]
)
AFTER = st.sampled_from(["", ".", ")", " for details.", "; roll 1d20.", ", e role 2 dados."])
SHAPES = st.sampled_from(
    ["{title},{gap}p.{gap}{first}", "{title} (page{gap}{first})", "page{gap}{first} of{gap}{title}",
     "{title},{gap}pág.{gap}{first}", "p. {first} in {title}", "página {first} de{gap}{title}"]
)  # fmt: skip


@given(TITLE, NUMBER, SEPARATOR, BEFORE, AFTER, SHAPES)
def test_a_page_of_a_book_reads_back_from_any_shape(
    title: str, number: int, gap: str, before: str, after: str, shape: str
) -> None:
    text = before + shape.format(title=title, first=number, gap=gap) + after
    [found] = [one for one in find(text) if one.first]

    assert (" ".join((found.book or "").split()), found.first, found.last) == (
        title,
        str(number),
        str(number),
    )
    assert text[found.start : found.end] == found.text


@given(st.sampled_from(CODES), NUMBER, st.integers(0, 30), st.sampled_from(["-", "–", " to ", " até "]))
def test_a_range_under_a_code_reads_back(code: str, first: int, length: int, dash: str) -> None:
    last = first + length
    printed = f"{code}{first}" + (f"{dash}{last}" if length else "")

    assert pages(find(f"(see pp. {printed})")) == [(code, str(first), str(last))]


@given(
    st.lists(NUMBER, min_size=2, max_size=6, unique=True).map(sorted),
    st.sampled_from(["and", "e", "or", "&"]),
)
def test_a_list_reads_back(numbers: list[int], word: str) -> None:
    printed = ", ".join(map(str, numbers[:-1])) + f" {word} {numbers[-1]}"

    assert [one.first for one in find(f"see pp. {printed}.")] == list(map(str, numbers))


THINGS = st.text("bcdfghjklmnprstvz", min_size=4, max_size=9).map(lambda letters: f"{letters}o")
"""Words of no language: nothing in the grammar can know them."""
LOOKALIKES = st.sampled_from(
    ["a {code}{number}", "an {code}{number} {thing}", "um {code}{number}", "vitamin {code}{number}.",
     "room {code}{number}", "{thing} {code}{number}", "the {code}{number} {thing}", "{code}{number} {thing}",
     "level 3 ({code}{number})", "({code}{number} {thing})", "{thing} {letter} {number}", "{letter} {number}",
     "{number}{code}{number}", "sub-{code}{number}", "{code}{number}{thing}", "{number} {code}"]
)  # fmt: skip


@given(LOOKALIKES, st.sampled_from(CODES), NUMBER, THINGS, st.booleans())
def test_no_lookalike_is_read(shape: str, code: str, number: int, thing: str, is_question: bool) -> None:
    printed = shape.format(code=code, letter="b", number=number, thing=thing)
    text = f"Does it fly {printed}"

    found = find_references(text, TITLES, CODES, is_question=is_question)

    assert [one.text for one in found if one.first] == []


@given(LOOKALIKES, st.sampled_from(CODES), NUMBER, THINGS)
def test_no_small_letter_before_a_number_is_a_code(shape: str, code: str, number: int, thing: str) -> None:
    printed = shape.format(code=code, letter="a", number=number, thing=thing)

    assert [one for one in find_references(printed, [], ["A"], is_question=True) if one.first] == []


@given(st.integers(1, 9), st.sampled_from([4, 6, 8, 10, 12, 20, 100]), st.sampled_from("dD"))
def test_dice_are_no_references_even_where_d_is_a_code(count: int, sides: int, letter: str) -> None:
    text = f"Roll {count}{letter}{sides}, or see D{sides}."

    assert [one for one in find_references(text, [], ["D"]) if one.first] == []


CHAPTER = st.sampled_from(
    [
        "Chapter {}",
        "see Chapter\n{}.",
        "chap. {}",
        "(Capítulo {})",
        "veja o cap. {}, depois",
        "in Chapter {}: Magic",
    ]
)
SPELLED = {
    "en": ["One", "Seven", "Twelve", "Nineteen", "Twenty", "Thirty-Four", "ninety-nine"],
    "pt": ["Um", "Sete", "Doze", "Dezenove", "Vinte", "Trinta e Quatro", "noventa e nove"],
}
VALUES = [1, 7, 12, 19, 20, 34, 99]


@given(CHAPTER, st.integers(1, 60), st.booleans())
def test_a_chapter_reads_back_from_any_shape_and_numeral(shape: str, number: int, is_roman: bool) -> None:
    numeral = to_roman(number).upper() if is_roman else str(number)
    [found] = [one for one in find("It says so: " + shape.format(numeral)) if one.chapter]

    assert number_of(found.chapter or "") == number


@given(CHAPTER, st.sampled_from(["en", "pt"]), st.integers(0, len(VALUES) - 1))
def test_a_chapter_in_words_reads_back(shape: str, language: str, place: int) -> None:
    [found] = [one for one in find("It says so: " + shape.format(SPELLED[language][place])) if one.chapter]

    assert number_of(found.chapter or "") == VALUES[place]


NAME_OF_HEADING = st.sampled_from(["Riposte", "Wild Swing", "Fall of the House", "Ímpeto"])
HEADING_SHAPE = st.sampled_from(
    ["as described under {}.", "as described under “{}”", "as described under '{}'", "(see {})", "veja “{}”",
     "conforme descrito em {}.", "explained under the heading {},"]
)  # fmt: skip


@given(NAME_OF_HEADING, HEADING_SHAPE, st.sampled_from(["", "Magic", "Core Rules"]))
def test_a_heading_reads_back_from_any_shape(name: str, shape: str, book: str) -> None:
    called = shape.format(name).rstrip(".,)") + f" in {book}" if book else shape.format(name)
    [found] = find("A blow is returned " + called)

    assert (found.heading, found.book, found.first) == (name, book or None, None)


@given(
    st.sampled_from(
        [("facing page", "facing"), ("opposite page", "facing"), ("next page", "next"),
         ("following page", "next"), ("previous page", "previous"), ("preceding page", "previous")]
    ),
    SEPARATOR,
    AFTER,
)  # fmt: skip
def test_a_page_told_by_its_place_reads_back(told: tuple[str, str], gap: str, after: str) -> None:
    place, relative = told
    [found] = find(f"The table on the{gap}{place}{after}")

    assert found.relative == relative


UNKNOWN = st.sampled_from(["Iron Harbour", "Leviathans", "Tides of Woe"])


@given(
    UNKNOWN, NUMBER, st.sampled_from(["page {1} of {0}", "página {1} de {0}", "p. {1} of the {0} worldbook"])
)
def test_a_page_of_a_book_that_is_not_here_keeps_its_name(title: str, number: int, shape: str) -> None:
    [found] = find("It goes on at " + shape.format(title, number))

    assert (found.book, found.first) == (title, str(number))


@given(UNKNOWN, NUMBER, st.sampled_from(["{0}, p. {1}", "{0} p. {1}", "{0} (p. {1})", "veja {0}, pág. {1}"]))
def test_a_name_before_a_page_that_nobody_knows_is_kept(title: str, number: int, shape: str) -> None:
    [found] = find("It goes on in " + shape.format(title, number))

    assert (found.book, found.heading, found.first) == (None, title, str(number))
    assert not found.is_topic or shape.startswith("veja")


QUESTIONS = st.sampled_from(
    ["what is on {}?", "What does {} say about falling?", "o que diz {}?", "{}", "which rules point to {}?"]
)


@given(
    QUESTIONS, st.sampled_from(CODES), NUMBER, st.booleans(), st.sampled_from(["", "p. ", "page ", "pág. "])
)
def test_a_code_in_a_question_reads_back_in_any_case(
    question: str, code: str, number: int, is_small: bool, word: str
) -> None:
    printed = f"{code.lower() if is_small else code}{number}"
    assume(word or printed.lower() != f"p{number}")
    assume(f"{code}{number}" not in ("B12", "B17", "B29", "B52", "P90"))

    assert pages(ask(question.format(word + printed))) == [(printed[: len(code)], str(number), str(number))]


@given(
    QUESTIONS,
    TITLE,
    NUMBER,
    st.sampled_from(["{0} page {1}", "page {1} of {0}", "p{1} of {0}", "pg {1} of {0}", "a pag. {1} de {0}"]),
)
def test_a_page_in_a_question_reads_back_in_any_case(
    question: str, title: str, number: int, shape: str
) -> None:
    printed = question.format(shape.format(title, number)).lower()

    assert pages(ask(printed)) == [(title.lower(), str(number), str(number))]


@given(st.text(max_size=200))
def test_any_text_can_be_searched_and_what_is_found_stands_there(text: str) -> None:
    found = find(text)

    assert all(text[one.start : one.end] == one.text for one in found)
    assert all(one.end <= other.start for one, other in pairwise(found))


def test_a_book_is_known_by_its_short_names() -> None:
    names = names_of(["GURPS Powers", "The Book of Knots", "Sea Roads: A Guide", "Iron Keep RPG 3rd Edition"])

    assert names["Powers"] == "GURPS Powers"
    assert names["Book of Knots"] == "The Book of Knots"
    assert names["Sea Roads"] == "Sea Roads: A Guide"
    assert names["Iron Keep"] == "Iron Keep RPG 3rd Edition"


def test_a_short_name_that_could_mean_two_books_means_none() -> None:
    assert "Magic" not in names_of(["GURPS Magic", "GURPS Powers", "OGL Magic"])


@pytest.mark.parametrize(
    "title", ["", "Microsoft Word - x.doc", "untitled", "rules_final_2.indd", "book01", "12345", "Layout 1"]
)
def test_what_a_program_left_behind_is_no_title(title: str) -> None:
    assert sensible_title(title) is None


def test_a_title_stays_as_it_is() -> None:
    assert sensible_title("Wading  Orders") == "Wading Orders"


@pytest.mark.parametrize(
    ("text", "heading"),
    [
        ("Roll on the Clerics vs. Undead table.", "Clerics vs. Undead"),
        ("Look it up in the Attack Bonus Table.", "Attack Bonus"),
        ("Use a tabela de Armas.", "Armas"),
        ('Use a tabela "Armas de mão".', "Armas de mão"),
    ],
)
def test_a_table_is_called_by_name(text: str, heading: str) -> None:
    [found] = find_references(text, [], [])
    assert (found.heading, found.book) == (heading, None)


def test_a_page_of_a_section_is_in_the_same_book() -> None:
    [found] = find_references("See page 67 of the Encounter section.", [], [])
    assert (found.first, found.heading, found.book) == ("67", "Encounter", None)


def test_credits_of_artists_are_no_references() -> None:
    credits = (
        "Interior Illustrations Ann Bell (p. 9), Cy Dorn (pp. 48, 101), Eve Fox (p. 110), Gil Hay (p. 50)"
    )
    assert not find_references(f"{credits}\n\nOther words.", [], [])
    assert find_references("Illustrations are on p. 9.", [], [])


# More languages, parts of chapters, pages numbered by chapters


@pytest.mark.parametrize(
    "printed",
    [
        "Mehr dazu siehe S. 80.",
        "Mehr dazu auf Seite 80.",
        "voir la page 80",
        "vea la página 80",
        "véase pág. 80",
        "vedi pag. 80",
        "cfr. pag. 80",
        "см. стр. 80",
        "на странице 80",
        "zie blz. 80",
        "zob. str. 80",
        "(patrz s. 80)",
        "na stronie 80",
        "Viz str. 80.",
        "na straně 80",
        "se side 80",
        "Se s. 80.",
        "på side 80",
        "se sidan 80",
        "på sida 80",
    ],
)
def test_page_words_of_more_languages_are_read(printed: str) -> None:
    assert [(one.first, one.last, one.book) for one in find_references(printed, [], [])] == [
        ("80", "80", None)
    ]


@pytest.mark.parametrize(
    "printed", ["J. S. 33 wrote it", "Str. 15 is high", "Seite 3 von 10", "on the side 4 guards", "viz. 3"]
)
def test_letters_and_counts_are_no_pages_in_other_languages(printed: str) -> None:
    assert not find_references(printed, [], [])


@pytest.mark.parametrize(
    "printed", ["see chapter 6.5", "see section 6.5", "siehe Abschnitt 6.5", "as in § 6.5"]
)
def test_a_part_of_a_chapter_is_named_by_its_whole_number(printed: str) -> None:
    assert [one.chapter for one in find_references(f"{printed}.", [], [])] == ["6.5"]


@pytest.mark.parametrize(
    ("printed", "whole"), [("page 2-3", "2-3"), ("p. 5–2", "5-2"), ("pg. A-3", "A-3"), ("page 12", None)]
)
def test_a_page_may_be_numbered_by_its_chapter(printed: str, whole: str | None) -> None:
    (reference,) = find_references(f"It is told elsewhere ({printed}).", [], [])
    assert (reference.whole, reference.text) == (whole, printed)
