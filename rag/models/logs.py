"""What a log need not tell, because it is told where it belongs."""

import logging

from rag.errors import QuestionBudgetSpent

CALLBACKS = "langchain_core.callbacks.manager"


def leave_out_bounds() -> None:
    """Of a call that a question's bound forbids, LangChain warns in the log; here the answer says it."""
    logging.getLogger(CALLBACKS).addFilter(_is_of_no_bound)


def _is_of_no_bound(record: logging.LogRecord) -> bool:
    return QuestionBudgetSpent.__name__ not in record.getMessage()
