"""Pages that a question asks for and that no book has; pure."""

from collections.abc import Sequence

from rag.state import AbsentPage, AnswerWithSources, Outcome, Question


def absent_pages(questions: Sequence[Question]) -> list[AbsentPage]:
    """The pages that the first question, the asker's own, names in vain, as its search found out."""
    best = [page for question in questions[:1] for page in question.context[:1]]
    return [AbsentPage.model_validate(one) for page in best for one in page.metadata.get("absent", [])]


def with_absent_pages(answer: AnswerWithSources, questions: Sequence[Question]) -> AnswerWithSources:
    """The answer, told which pages there are not; passages quoted in their place do not count as found."""
    absent = absent_pages(questions)
    has_named = any(page.metadata.get("named") for question in questions for page in question.context)
    is_in_vain = bool(absent) and not has_named and answer.outcome is Outcome.PASSAGES
    return answer.model_copy(update={"absent": absent, "found": answer.found and not is_in_vain})
