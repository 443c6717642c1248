"""The prompts: one Markdown file each, with a version, filled by name."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from importlib.resources import files
from typing import get_args

from langchain_core.messages import BaseMessage, SystemMessage
from langchain_core.prompts import ChatPromptTemplate
from langchain_core.runnables import RunnableConfig

from rag.config import PromptName
from rag.errors import PromptRefused

FILE = re.compile(
    r"\A---\nversion: (?P<version>\S+)\n(?:system: (?P<shared>\w+)\n)?---\n"
    r"(?:# System\n(?P<system>.*?)\n)?# User\n(?P<user>.*)\Z",
    re.DOTALL,
)
"""A prompt file. `shared` names the file of its system message, where several prompts have the same one: a
provider reads a common beginning once."""


@dataclass(frozen=True)
class Prompt:
    """A prompt: its name, its version, and its template with `{places}` to fill.

    `hub` is where it was pulled from, None for a prompt file. `refusal` is why the file is used although
    a prompt of the hub was asked for.
    """

    name: str
    version: str
    template: ChatPromptTemplate
    hub: str | None = None
    refusal: PromptRefused | None = None

    @property
    def places(self) -> frozenset[str]:
        """The names of what is filled in."""
        return frozenset(self.template.input_variables)

    def messages(self, **values: str) -> list[BaseMessage]:
        """The messages for a model; every value is data, with the delimiters of the prompts escaped."""
        return self.template.format_messages(**{name: escaped(value) for name, value in values.items()})

    def run(self, hop: int | None = None) -> RunnableConfig:
        """How a call with this prompt stands in a trace: under its name, with its version and the hop."""
        metadata: dict[str, str | int] = {"prompt": self.name, "prompt_version": self.version}
        if hop is not None:
            metadata["hop"] = hop
        return {"run_name": self.name, "tags": [f"prompt:{self.name}"], "metadata": metadata}


class Delimited(str):
    """Text that already carries our delimiters around escaped content."""


def escaped(value: str) -> str:
    """Text from books and people in which nothing can open or close a delimiter of ours."""
    return value if isinstance(value, Delimited) else value.replace("<", "‹").replace(">", "›")


def delimited(tag: str, text: str, **attributes: str) -> Delimited:
    """A piece of data for a prompt: `<tag name="value">` around the escaped text."""
    inside = "".join(
        f' {name}="{escaped(value).replace(chr(34), chr(39))}"' for name, value in attributes.items()
    )
    return Delimited(f"<{tag}{inside}>\n{escaped(text)}\n</{tag}>")


def joined(pieces: list[Delimited]) -> Delimited:
    """Several delimited pieces, one below the other."""
    return Delimited("\n".join(pieces))


def load_prompt(name: str) -> Prompt:
    """Read `rag/prompts/<name>.md`."""
    match = FILE.match(_text(name))
    if match is None or not (match["shared"] or match["system"]):
        raise ValueError(f"prompt file {name}.md has no version, system or user part")
    system = SystemMessage(_text(match["shared"]).strip() if match["shared"] else match["system"].strip())
    template = ChatPromptTemplate.from_messages([system, ("user", match["user"].strip())])
    return Prompt(name, match["version"], template)


def _text(name: str) -> str:
    return files("rag.prompts").joinpath(f"{name}.md").read_text(encoding="utf-8")


Prompts = Mapping[str, Prompt]
"""The prompts in use, by name."""

PROMPT_FILES: Prompts = {name: load_prompt(name) for name in get_args(PromptName)}
"""The prompts of this package."""
