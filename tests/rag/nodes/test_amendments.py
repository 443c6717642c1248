"""A rule is never cited without what corrects it, where the correction is at hand."""

from rag.library.books.found_page import Correction, FoundPage
from rag.nodes.amendments import overruled, with_amendments
from rag.nodes.citations import source_of
from rag.state import Authority, Overruled, Source, Span
from tests.scripted import correction, found_page, linked

RIPOSTE = "Riposte. The bonus is two."
RULES = f"{RIPOSTE}\n\nParry. Give ground or hold."
CORRECTED = "Riposte: the bonus is one."
ERRATA = found_page(f"Lamps: four hours.\n\n{CORRECTED}", 2, "Errata")
CORE = found_page(RULES, 3, amended_by=[correction(ERRATA, CORRECTED, (0, len(RIPOSTE)))])


def quotes(*sources: Source, pages: tuple[FoundPage, ...] = (CORE, ERRATA)) -> list[str]:
    return [source.quote for source in with_amendments(sources, pages)]


def test_a_correction_is_quoted_before_the_rule_it_changes() -> None:
    assert quotes(source_of(CORE, RIPOSTE)) == [CORRECTED, RIPOSTE]


def test_a_correction_of_another_rule_on_the_page_is_not_quoted() -> None:
    assert quotes(source_of(CORE, "Give ground or hold.")) == ["Give ground or hold."]


def test_a_correction_keeps_its_place_however_many_sources_there_are() -> None:
    others = [source_of(ERRATA, f"Lamps number {number}") for number in range(20)]
    assert quotes(source_of(CORE, RIPOSTE), *others)[:2] == [CORRECTED, RIPOSTE]
    assert CORRECTED in quotes(*others, source_of(CORE, RIPOSTE))


# --- a table's own rules --------------------------------------------------------------------------

OWN_RIPOSTE = "Riposte: the bonus is four."
NEW_RULE = "Lamps never go out."
_OWN = found_page(f"{OWN_RIPOSTE}\n\n{NEW_RULE}", 2, "House Rules", authority=Authority.HOUSE_RULES)
BOOK = found_page(RULES, 3, amended_by=[correction(_OWN, OWN_RIPOSTE, (0, len(RIPOSTE)))])
_CHANGE = Correction(other=linked(3), corrected=Span(0, len(RIPOSTE)), correcting=Span(0, len(OWN_RIPOSTE)))
OWN = _OWN.model_copy(update={"amends": (_CHANGE,)})
BOTH = (BOOK, OWN)


def test_a_house_rule_comes_first_and_the_books_words_beside_it() -> None:
    parry = source_of(BOOK, "Give ground or hold.")
    assert quotes(parry, source_of(BOOK, RIPOSTE), pages=BOTH) == [
        OWN_RIPOSTE,
        RIPOSTE,
        "Give ground or hold.",
    ]


def test_a_house_rule_alone_brings_the_words_it_changes() -> None:
    assert quotes(source_of(OWN, OWN_RIPOSTE), pages=BOTH) == [OWN_RIPOSTE, RIPOSTE]


def test_a_house_rule_that_changes_nothing_comes_before_the_books() -> None:
    assert quotes(source_of(BOOK, "Give ground or hold."), source_of(OWN, NEW_RULE), pages=BOTH) == [
        NEW_RULE,
        "Give ground or hold.",
    ]


def test_what_a_house_rule_changes_is_told_by_the_places_of_both() -> None:
    sources = with_amendments([source_of(BOOK, RIPOSTE), source_of(OWN, NEW_RULE)], BOTH)
    assert overruled(sources, BOTH) == [Overruled(source=1, by=0)]


def test_what_errata_change_is_told_too() -> None:
    start = ERRATA.text.index(CORRECTED)
    change = Correction(
        other=linked(3), corrected=Span(0, len(RIPOSTE)), correcting=Span(start, len(ERRATA.text))
    )
    pages = (CORE, ERRATA.model_copy(update={"amends": (change,)}))
    assert overruled(with_amendments([source_of(CORE, RIPOSTE)], pages), pages) == [Overruled(source=1, by=0)]
