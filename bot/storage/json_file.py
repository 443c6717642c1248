"""What is remembered in a JSON file of DATA_DIR."""

import logging
from contextlib import suppress
from pathlib import Path
from typing import Generic, TypeVar

from pydantic import TypeAdapter
from pydantic_core import from_json

from bot.storage.files import set_aside
from rag.errors import ConfigurationError
from rag.library.index.atomic_files import write_bytes

log = logging.getLogger(__name__)

Kept = TypeVar("Kept")


class JsonFile(Generic[Kept]):
    """A value in a file that is read once, and written whole with each change.

    Of entries that its kind omits where they cannot be read, as those of a later release, it is told.
    """

    def __init__(self, path: Path, kind: TypeAdapter[Kept], default: Kept) -> None:
        """Read the file, if there is one; what is not of its kind is set aside.

        Raises `ConfigurationError` where it cannot be opened.
        """
        self._path = path
        self._kind = kind
        self.kept = default
        try:
            with suppress(FileNotFoundError):
                content = path.read_bytes()
                self.kept = kind.validate_json(content)
                if unreadable := len(from_json(content) or ()) - len(kind.dump_python(self.kept) or ()):
                    log.warning("entries of %s cannot be read: %s", path.name, unreadable)
        except ValueError as error:
            set_aside(path, type(error).__name__)
        except OSError as error:
            raise ConfigurationError(variable="DATA_DIR", reason=f"{path}: {error}") from error

    def keep(self, new: Kept) -> None:
        """Keep another value in place of the one before."""
        if new != self.kept:
            self.kept = new
            write_bytes(self._path, self._kind.dump_json(new, indent=1))
