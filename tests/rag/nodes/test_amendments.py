"""A rule is never cited without what corrects it, where the correction is at hand."""

from rag.library.books.found_page import FoundPage
from rag.nodes.amendments import with_amendments
from rag.nodes.citations import source_of
from rag.state import Source
from tests.scripted import correction, found_page

RIPOSTE = "Riposte. The bonus is two."
RULES = f"{RIPOSTE}\n\nParry. Give ground or hold."
CORRECTED = "Riposte: the bonus is one."
ERRATA = found_page(f"Lamps: four hours.\n\n{CORRECTED}", 2, "Errata")
CORE = found_page(RULES, 3, amended_by=[correction(ERRATA, CORRECTED, (0, len(RIPOSTE)))])


def quotes(*sources: Source, pages: tuple[FoundPage, ...] = (CORE, ERRATA)) -> list[str]:
    return [source.quote for source in with_amendments(sources, pages)]


def test_a_correction_is_quoted_before_the_rule_it_changes() -> None:
    assert quotes(source_of(CORE, RIPOSTE)) == [CORRECTED, RIPOSTE]


def test_a_correction_that_is_quoted_already_comes_first_once() -> None:
    assert quotes(source_of(CORE, RIPOSTE), source_of(ERRATA, "the bonus is one")) == [
        "the bonus is one",
        RIPOSTE,
    ]


def test_a_correction_of_another_rule_on_the_page_is_not_quoted() -> None:
    assert quotes(source_of(CORE, "Give ground or hold.")) == ["Give ground or hold."]


def test_a_correction_that_was_not_fetched_is_not_quoted() -> None:
    assert quotes(source_of(CORE, RIPOSTE), pages=(CORE,)) == [RIPOSTE]


def test_a_correction_keeps_its_place_however_many_sources_there_are() -> None:
    others = [source_of(ERRATA, f"Lamps number {number}") for number in range(20)]
    assert quotes(source_of(CORE, RIPOSTE), *others)[:2] == [CORRECTED, RIPOSTE]
    assert CORRECTED in quotes(*others, source_of(CORE, RIPOSTE))
