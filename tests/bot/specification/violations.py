"""What can be wrong with a request; the text of each names the rule and the place."""


class SpecificationViolation(AssertionError):
    """A request that Discord refuses, or that this bot must not send."""


class UnknownRoute(SpecificationViolation):
    """Method and path are not in Discord's specification."""


class SchemaViolation(SpecificationViolation):
    """The body does not fit the OpenAPI schema of its route."""


class LimitExceeded(SpecificationViolation):
    """A text or a list is longer than Discord takes."""


class EmptyText(SpecificationViolation):
    """A text that must not be blank is blank."""


class MentionsNotSuppressed(SpecificationViolation):
    """A text goes out that could notify people. Discord takes it; this bot promises never to."""


class ComponentViolation(SpecificationViolation):
    """Buttons or menus of a message break a rule."""


class ModalViolation(SpecificationViolation):
    """A modal breaks a rule."""


class CommandViolation(SpecificationViolation):
    """A command that Discord would refuse at the sync."""


def length(text: str) -> int:
    """Length in UTF-16 code units.

    Discord's API counts code points (staff, discord/discord-api-docs#1315), its clients UTF-16 units.
    The longer count is taken: a text within it is within both.
    """
    return len(text.encode("utf-16-le", "surrogatepass")) // 2


def check_length(text: str | None, limit: int, place: str) -> None:
    """Raise `LimitExceeded` if `text` has more than `limit` UTF-16 code units."""
    if text is not None and length(text) > limit:
        raise LimitExceeded(f"{place}: {length(text)} of at most {limit} characters")


def check_text(text: str | None, limit: int, place: str) -> None:
    """Raise `EmptyText` or `LimitExceeded` unless `text` has 1 to `limit` characters that show."""
    if text is None or not text.strip():
        raise EmptyText(f"{place}: must not be blank")
    check_length(text, limit, place)


def check_count(count: int, limit: int, place: str) -> None:
    """Raise `LimitExceeded` if there are more than `limit` things at `place`."""
    if count > limit:
        raise LimitExceeded(f"{place}: {count} of at most {limit}")
