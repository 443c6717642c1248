"""`python -m rag evaluate`: how well retrieval and answers do on questions whose pages are known."""

from rag.evaluation.questions import GoldQuestion, Language, read_questions
from rag.evaluation.run import LANGUAGES, Evaluation, evaluate

__all__ = ["LANGUAGES", "Evaluation", "GoldQuestion", "Language", "evaluate", "read_questions"]
