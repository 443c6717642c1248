"""What is remembered in a JSON file of DATA_DIR."""

import logging
from contextlib import suppress
from pathlib import Path
from typing import Any, Generic, TypeVar

from pydantic import TypeAdapter
from pydantic_core import from_json, to_json

from bot.storage.files import set_aside
from rag.errors import ConfigurationError
from rag.library.index.atomic_files import write_bytes

log = logging.getLogger(__name__)

Kept = TypeVar("Kept")


class JsonFile(Generic[Kept]):
    """A value in a file that is read once, and written whole with each change.

    Entries that its kind omits where they cannot be read, as those of a later release, are told, and stay
    in the file as they are.
    """

    def __init__(self, path: Path, kind: TypeAdapter[Kept], default: Kept) -> None:
        """Read the file, if there is one; what is not of its kind is set aside.

        Raises `ConfigurationError` where it cannot be opened.
        """
        self._path = path
        self._kind = kind
        self.kept = default
        self._unread: Any = ()
        try:
            with suppress(FileNotFoundError):
                content = path.read_bytes()
                self.kept = kind.validate_json(content)
                self._unread = _without(from_json(content), kind.dump_python(self.kept, mode="json"))
                if self._unread:
                    log.warning("entries of %s cannot be read: %s", path.name, len(self._unread))
        except ValueError as error:
            set_aside(path, type(error).__name__)
        except OSError as error:
            raise ConfigurationError(variable="DATA_DIR", reason=f"{path}: {error}") from error

    def keep(self, new: Kept) -> None:
        """Keep another value in place of the one before."""
        if new != self.kept:
            self.kept = new
            known = self._kind.dump_python(new, mode="json")
            if unread := _without(self._unread, known):
                known = known | unread if isinstance(known, dict) else [*(known or ()), *unread]
            write_bytes(self._path, to_json(known, indent=1))


def _without(content: Any, known: Any) -> Any:
    """The entries of a JSON object or array without those that are known."""
    if isinstance(content, dict):
        return {name: entry for name, entry in content.items() if name not in known}
    return [entry for entry in content or () if entry not in (known or ())]
