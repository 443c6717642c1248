"""Retrieval strategies: how the pages for an answer are gathered."""

from rag.strategies.base import RetrievalStrategy
from rag.strategies.multi_hop import MultiHopStrategy
from rag.strategies.multi_question import MultiQuestionStrategy

__all__ = ["MultiHopStrategy", "MultiQuestionStrategy", "RetrievalStrategy"]
