"""What is remembered in a JSON file of DATA_DIR."""

from pathlib import Path
from typing import Generic, TypeVar

from pydantic import TypeAdapter

from bot.storage.files import set_aside
from rag.errors import ConfigurationError
from rag.library.index.atomic_files import write_bytes

Kept = TypeVar("Kept")


class JsonFile(Generic[Kept]):
    """A value in a file that is read once, and written whole with each change."""

    def __init__(self, path: Path, kind: TypeAdapter[Kept], default: Kept) -> None:
        """Read the file, if there is one; what is not of its kind is set aside.

        Raises `ConfigurationError` where it cannot be opened.
        """
        self._path = path
        self._kind = kind
        self.kept = default
        try:
            self.kept = kind.validate_json(path.read_bytes())
        except FileNotFoundError:
            pass
        except ValueError as error:
            set_aside(path, type(error).__name__)
        except OSError as error:
            raise ConfigurationError(variable="DATA_DIR", reason=f"{path}: {error}") from error

    def keep(self, new: Kept) -> None:
        """Keep another value in place of the one before."""
        if new != self.kept:
            self.kept = new
            write_bytes(self._path, self._kind.dump_json(new, indent=1))
