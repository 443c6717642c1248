"""The chat model that the settings ask for. Light: the client is loaded where a provider is configured."""

from typing import TYPE_CHECKING

from langchain_core.language_models import BaseChatModel

from rag.config import Settings
from rag.models.usage import REPLY_TOKENS

if TYPE_CHECKING:
    from rag.models.provider import ProviderChatModel


def chat_model(settings: Settings) -> "ProviderChatModel | None":
    """The chat model of the configured provider; None without one: answers are quotations then."""
    if not settings.has_chat_model:
        return None
    from rag.models.provider import ProviderChatModel

    return ProviderChatModel(
        model=settings.chat_model,
        api_key=settings.provider_key,
        base_url=settings.openai_base_url,
        # A call's time is bounded in all, not from one byte of a reply to the next.
        timeout=None,
        stream_chunk_timeout=None,
        # Its own retries would outlast our deadlines, and not tell a busy server from a silent one.
        max_retries=0,
        temperature=0,
        max_completion_tokens=REPLY_TOKENS,
        # Compatible servers offer chat completions; the newer API is OpenAI's alone.
        use_responses_api=False,
        stream_usage=True,
        call_seconds=settings.model_call_seconds,
        question_seconds=settings.model_question_seconds,
    )


def under_name(model: BaseChatModel, name: str | None) -> BaseChatModel:
    """Another model of the same server, with the same time; the model itself where none is named."""
    return model.model_copy(update={"model_name": name}) if name else model


def for_one_question(model: BaseChatModel | None) -> BaseChatModel | None:
    """The model with the time of one question running from now, where it can be bounded."""
    bounded = getattr(model, "for_one_question", None)
    return bounded() if bounded else model
