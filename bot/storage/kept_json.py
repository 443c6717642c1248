"""What is remembered in a JSON file of DATA_DIR."""

import json
from pathlib import Path
from typing import Any, Generic, TypeVar

from pydantic import TypeAdapter

from bot.storage.files import read_json
from rag.errors import ConfigurationError
from rag.library.index.atomic_files import write_bytes

Kept = TypeVar("Kept")


class JsonFile(Generic[Kept]):
    """A file that is read once, and written whole with each change."""

    def __init__(self, path: Path, kind: TypeAdapter[Kept], default: Kept) -> None:
        """Read the file, if there is one. Raises `ConfigurationError` where it cannot be opened."""
        self._path = path
        try:
            self._kept = read_json(path, kind, default)
        except OSError as error:
            raise ConfigurationError(variable="DATA_DIR", reason=f"{path}: {error}") from error

    def _write(self, content: Any) -> None:
        write_bytes(self._path, json.dumps(content, ensure_ascii=False, indent=1).encode())
