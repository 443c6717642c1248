"""Retrieval strategies: how the pages for an answer are gathered.

The strategies are imported at first use: what is pure in this package loads no LangChain.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rag.strategies.base import RetrievalStrategy
    from rag.strategies.multi_hop import MultiHopStrategy
    from rag.strategies.multi_question import MultiQuestionStrategy

__all__ = ["MultiHopStrategy", "MultiQuestionStrategy", "RetrievalStrategy"]

_MODULES = {
    "RetrievalStrategy": "base",
    "MultiHopStrategy": "multi_hop",
    "MultiQuestionStrategy": "multi_question",
}


def __getattr__(name: str) -> Any:
    """A strategy by its name (PEP 562)."""
    if name not in _MODULES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_MODULES[name]}"), name)
