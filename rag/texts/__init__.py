"""Every sentence a user reads, as Fluent files: `en.ftl`, `pt-BR.ftl`."""

import re
import sys
from collections.abc import Callable, Mapping
from functools import cache
from importlib.resources import files
from pathlib import Path
from shutil import which

from fluent.runtime import FluentBundle, FluentResource

from rag.errors import RulesError

_SUFFIX = ".ftl"
_NAMES = (file.name for file in files(__name__).iterdir())
LOCALES = tuple(sorted(name.removesuffix(_SUFFIX) for name in _NAMES if name.endswith(_SUFFIX)))
"""The locales there are sentences for: those of the files beside this one."""
LONGEST_VALUE = 1000
"""Characters that Fluent takes in a place of a sentence; what is longer is cut, lest it fail."""
_SENTENCE = re.compile(r"^(?P<key>[a-z][\w-]*) =.*(?:\n(?![a-z#]).*)*", re.MULTILINE)
COMMAND_NAME = "rules-bot"
"""The command that an installation of the package has beside its Python."""
Texts = Callable[..., str]
"""A locale's sentences: `texts("answer-not-found")`, `texts("page-printed", page="102")`."""


def locale_for(language: str | None) -> str:
    """The locale we have for a language or locale name: "pt", "pt-PT" and "pt-BR" read Portuguese."""
    asked = (language or "").lower()
    return next((locale for locale in LOCALES if asked.startswith(locale.partition("-")[0])), "en")


@cache
def program() -> str:
    """What stands before a command as it is typed here: the installed name, or the Python that runs."""
    python, here = Path(sys.executable), Path.cwd()
    if which(COMMAND_NAME, path=str(python.parent)):
        return COMMAND_NAME
    return f"{python.relative_to(here) if python.is_relative_to(here) else 'python'} -m rag"


@cache
def texts_for(language: str | None, *further: str) -> Texts:
    """The sentences for a language; English where we have no translation.

    `further` names packages with sentences of their own, in files of the same names.
    """
    locale = locale_for(language)
    # Bidirectional isolation marks would stand as boxes in terminals and embeds.
    bundle = FluentBundle([locale], use_isolating=False)
    packages = (_sentences(locale, package) for package in (*further, __name__))
    written = {key: sentence for sentences in packages for key, sentence in sentences.items()}

    def text(key: str, **values: object) -> str:
        if not bundle.has_message(key):
            bundle.add_resource(FluentResource(written[key]))
        pattern = bundle.get_message(key).value
        if pattern is None:
            raise KeyError(key)
        fitted = {name: _fitted(value) for name, value in {"program": program(), **values}.items()}
        formatted, errors = bundle.format_pattern(pattern, fitted)
        if errors:
            raise ValueError(f"{key}: {errors}")
        return str(formatted)

    return text


def _fitted(value: object) -> object:
    is_long = isinstance(value, str) and len(value) > LONGEST_VALUE
    return f"{str(value)[: LONGEST_VALUE - 1]}…" if is_long else value


def logged(error: Exception) -> str:
    """An error as the log tells it: the sentence of one of ours in English, else its own words."""
    return texts_for("en")(error.key, **error.values) if isinstance(error, RulesError) else str(error)


def worded_for(reader: str, key: str, package: str = __name__) -> str:
    """The key of a sentence as such readers read it: where `package` words it for them, theirs."""
    own = f"{reader}-{key}"
    return own if own in keys("en", package) else key


def keys(locale: str, package: str = __name__) -> set[str]:
    """The keys of a locale's sentences in a package."""
    return {*_sentences(locale, package)}


@cache
def _sentences(locale: str, package: str) -> Mapping[str, str]:
    """A package's sentences as they are written, by key: to parse all of them would take a while."""
    file = files(package).joinpath(f"{locale}.ftl").read_text(encoding="utf-8")
    return {sentence["key"]: sentence[0] for sentence in _SENTENCE.finditer(file)}
