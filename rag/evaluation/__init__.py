"""`python -m rag evaluate`: how well retrieval and answers do on questions whose pages are known."""

from rag.evaluation.questions import GoldQuestion, QuestionLanguage, read_questions
from rag.evaluation.run import LANGUAGES, Evaluation, evaluate

__all__ = ["LANGUAGES", "Evaluation", "GoldQuestion", "QuestionLanguage", "evaluate", "read_questions"]
