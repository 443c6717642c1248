"""Traces in LangSmith: every run while it is on, and nothing at all while it is off."""

import logging
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache, partial

from rag.config import Settings, let_langsmith_end_with_the_process
from rag.errors import ConfigurationError

log = logging.getLogger(__name__)
_LOST = "traces do not reach LangSmith: see LANGSMITH_ENDPOINT and LANGSMITH_API_KEY"

FLUSH_SECONDS = 1.5
"""How long the end of the process waits for traces on their way."""


@contextmanager
def tracing(settings: Settings) -> Iterator[None]:
    """Within, LangChain's runs are traced if `LANGSMITH_TRACING` is on, and otherwise never.

    The settings alone decide, wherever they were read; what LangChain itself would conclude from exported
    variables, its older `LANGCHAIN_*` among them, counts for nothing. A server that is slow or gone costs
    no answer any time, and the end at most `FLUSH_SECONDS`. Raises `ConfigurationError`.
    """
    from langsmith import Client, tracing_context

    if not settings.langsmith_tracing:
        with tracing_context(enabled=False):
            yield
        return
    if not (settings.langsmith_api_key or settings.langsmith_endpoint):
        raise ConfigurationError("error-tracing-key-missing")
    let_langsmith_end_with_the_process()
    # Its own log repeats every attempt that failed; ours says it once.
    logging.getLogger("langsmith").setLevel(logging.CRITICAL)
    tell = cache(partial(log.warning, _LOST))
    client = Client(
        api_url=settings.langsmith_endpoint,
        api_key=settings.langsmith_secret,
        tracing_error_callback=lambda error: tell(),
    )
    try:
        with tracing_context(enabled=True, client=client, project_name=settings.langsmith_project):
            yield
    finally:
        client.close(timeout=FLUSH_SECONDS)
        if client.tracing_queue and client.tracing_queue.unfinished_tasks:
            tell()
