"""What a question ends with, and how programs read it."""

from typing import Any, Literal

from pydantic import BaseModel

from rag.models.usage import Usage
from rag.state import AnswerWithSources, Followed, Question

Mode = Literal["model", "quotes"]


class Reply(BaseModel):
    """What `ask` ends with: the answer and how it was found.

    `forgotten` tells that an earlier conversation of the thread was evicted from memory.
    """

    question: str
    standalone_question: str
    answer: AnswerWithSources
    questions: list[Question]
    strategy: str
    hops: int
    followed: list[Followed]
    usage: Usage
    mode: Mode
    seconds: float
    locale: str
    forgotten: bool = False

    def to_json(self) -> dict[str, Any]:
        """The reply as the contract prints it, with further fields."""
        answer = self.answer.model_dump(mode="json", exclude={"sources"})
        used = self.usage
        tokens = {"input": used.input_tokens, "output": used.output_tokens, "estimated": used.estimated}
        return {
            "question": self.question,
            "standalone_question": self.standalone_question,
            **answer,
            "sources": [source.model_dump(mode="json") for source in self.answer.sources],
            "questions": [_listed(question) for question in self.questions],
            "strategy": str(self.strategy),
            "hops": self.hops,
            "followed": [followed.model_dump(by_alias=True) for followed in self.followed],
            "model_calls": used.calls,
            "tokens": tokens,
            **({} if used.money is None else {"money": float(used.money)}),
            "mode": self.mode,
            "seconds": self.seconds,
            "forgotten": self.forgotten,
        }


def _listed(question: Question) -> dict[str, Any]:
    """A searched question with its pages by place alone."""
    keys = ("book", "file", "page", "pdf_page")
    pages = [{key: page.metadata.get(key) for key in keys} for page in question.context]
    return {"question": question.question, "context": pages}
