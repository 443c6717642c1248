"""Whether a prompt shows the lines that hold a question's gold quotations."""

from rag.evaluation.gold_lines import in_prompt, quoted_lines, shown_of
from rag.evaluation.questions import GoldPage, GoldQuestion
from rag.state import Question
from rag.strategies.context import prompt_pages
from tests.scripted import page, page_id


def test_a_quotation_is_in_the_prompt_where_all_its_lines_are_shown() -> None:
    found = page("Torches burn. They light 30 feet. Oil is sold in flasks.", 12)
    lines = shown_of(prompt_pages([Question(question="?", context=[found])], 1_000))
    place = page_id(12)
    gold = GoldPage(file=place.file, page="12", pdf_page=place.pdf_page, quote="They light 30 feet")
    assert quoted_lines(lines, gold) == ("1.2",)
    del lines["1.2"]
    asked = GoldQuestion(id="q", type="single", question="How far?", gold=[gold])
    assert in_prompt(lines, asked) is None
