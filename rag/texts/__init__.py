"""Every sentence a user reads, as Fluent files: `en.ftl`, `pt-BR.ftl`."""

from collections.abc import Callable
from functools import cache
from importlib.resources import files

from fluent.runtime import FluentBundle, FluentResource
from fluent.syntax.ast import Message, Resource

_SUFFIX = ".ftl"
_NAMES = (file.name for file in files(__name__).iterdir())
LOCALES = tuple(sorted(name.removesuffix(_SUFFIX) for name in _NAMES if name.endswith(_SUFFIX)))
"""The locales there are sentences for: those of the files beside this one."""
LONGEST_VALUE = 1000
"""Characters that Fluent takes in a place of a sentence; what is longer is cut, lest it fail."""
Texts = Callable[..., str]
"""A locale's sentences: `texts("answer-not-found")`, `texts("page-printed", page="102")`."""


def locale_for(language: str | None) -> str:
    """The locale we have for a language or locale name: "pt", "pt-PT" and "pt-BR" read Portuguese."""
    asked = (language or "").lower()
    return next((locale for locale in LOCALES if asked.startswith(locale.partition("-")[0])), "en")


@cache
def texts_for(language: str | None, *further: str) -> Texts:
    """The sentences for a language; English where we have no translation.

    `further` names packages with sentences of their own, in files of the same names.
    """
    bundle = _bundle(locale_for(language), further)

    def text(key: str, **values: object) -> str:
        pattern = bundle.get_message(key).value
        if pattern is None:
            raise KeyError(key)
        fitted = {name: _fitted(value) for name, value in values.items()}
        formatted, errors = bundle.format_pattern(pattern, fitted)
        if errors:
            raise ValueError(f"{key}: {errors}")
        return str(formatted)

    return text


def _fitted(value: object) -> object:
    is_long = isinstance(value, str) and len(value) > LONGEST_VALUE
    return f"{str(value)[: LONGEST_VALUE - 1]}…" if is_long else value


def keys(locale: str, package: str = __name__) -> set[str]:
    """The keys of a locale's sentences in a package."""
    return {entry.id.name for entry in _resource(locale, package).body if isinstance(entry, Message)}


@cache
def _bundle(locale: str, further: tuple[str, ...]) -> FluentBundle:
    # Bidirectional isolation marks would stand as boxes in terminals and embeds.
    bundle = FluentBundle([locale], use_isolating=False)
    for package in (__name__, *further):
        bundle.add_resource(_resource(locale, package))
    return bundle


@cache
def _resource(locale: str, package: str) -> Resource:
    resource: Resource = FluentResource(files(package).joinpath(f"{locale}.ftl").read_text(encoding="utf-8"))
    return resource
