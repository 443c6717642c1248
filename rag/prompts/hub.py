"""Prompts of LangSmith's hub in the places of prompt files, pulled once at start."""

import asyncio
import logging
from dataclasses import replace
from typing import TYPE_CHECKING

from langchain_core.prompts import ChatPromptTemplate, PromptTemplate
from langchain_core.prompts.chat import (
    AIMessagePromptTemplate,
    HumanMessagePromptTemplate,
    SystemMessagePromptTemplate,
)

from rag.config import Settings
from rag.errors import PromptRefused
from rag.prompts import PROMPT_FILES, Prompt, Prompts
from rag.texts import logged

if TYPE_CHECKING:
    from langsmith import AsyncClient

log = logging.getLogger(__name__)

PULL_SECONDS = 3.0
"""All prompts are pulled at once, so that this is the longest they hold up the start."""
HASH_CHARACTERS = 8
UNFIT = "error-prompt-form-unfit"
TEXTS = (SystemMessagePromptTemplate, HumanMessagePromptTemplate, AIMessagePromptTemplate)


async def chosen_prompts(settings: Settings) -> Prompts:
    """The prompt files, or what `PROMPT_OVERRIDES` puts in their places.

    Where the hub does not answer in time, or its prompt does not fit, the file is used; its `refusal`
    says why, and so does the log.
    """
    if not settings.prompt_overrides:
        return PROMPT_FILES
    from langsmith import AsyncClient

    client = AsyncClient(
        api_url=settings.langsmith_endpoint,
        api_key=settings.langsmith_secret,
        # One attempt: the file is at hand, and the start should not wait.
        retry_config={"max_retries": 1},
        disable_prompt_cache=True,
    )
    async with client:
        pulls = [_pulled(client, PROMPT_FILES[name], at) for name, at in settings.prompt_overrides.items()]
        pulled = await asyncio.gather(*pulls)
    return {**PROMPT_FILES, **{prompt.name: prompt for prompt in pulled}}


async def _pulled(client: "AsyncClient", file: Prompt, at: str) -> Prompt:
    """The hub's prompt at an address, or the file with the reason why it is not used."""
    from langsmith.utils import (
        LangSmithAPIError,
        LangSmithConnectionError,
        LangSmithError,
        LangSmithRateLimitError,
    )

    try:
        async with asyncio.timeout(PULL_SECONDS):
            # The host named this prompt, which is the consent that a public one needs. No model, no secret
            # and nothing but texts are taken from it.
            pulled = await client.pull_prompt(at, dangerously_pull_public_prompt=True)
        return in_place_of(file, pulled, at)
    except PromptRefused as error:
        refusal = error
    except (TimeoutError, LangSmithConnectionError, LangSmithAPIError, LangSmithRateLimitError):
        refusal = PromptRefused("error-hub-silent")
    except LangSmithError:
        refusal = PromptRefused("error-hub-prompt-unknown", override=at)
    except Exception:
        # Whatever a manifest holds that cannot be read as a prompt, the start goes on.
        refusal = PromptRefused(UNFIT, override=at)
    log.warning("using the prompt file of %s: %s", file.name, logged(refusal))
    return replace(file, refusal=refusal)


def in_place_of(file: Prompt, pulled: object, at: str) -> Prompt:
    """A pulled template as the prompt in a file's place; pure.

    Raises `PromptRefused` unless it consists of texts with places in braces, those of the file.
    """
    if not isinstance(pulled, ChatPromptTemplate) or not all(map(_is_plain, pulled.messages)):
        raise PromptRefused(UNFIT, override=at)
    commit = str((pulled.metadata or {}).get("lc_hub_commit_hash", ""))[:HASH_CHARACTERS]
    template = ChatPromptTemplate(messages=pulled.messages)
    prompt = replace(file, version=commit, template=template, hub=f"{at}@{commit}")
    if prompt.places != file.places:
        places = " ".join(f"{{{name}}}" for name in sorted(file.places))
        raise PromptRefused("error-prompt-places-differ", override=at, places=places)
    return prompt


def _is_plain(message: object) -> bool:
    """Whether a message is one text whose places Python's own formatting fills."""
    if not isinstance(message, TEXTS):
        return False
    return isinstance(message.prompt, PromptTemplate) and message.prompt.template_format == "f-string"
