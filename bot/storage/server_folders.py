"""Folders of DATA_DIR that hold one folder a server, called by its id."""

import shutil
import threading
from pathlib import Path


class ServerFolders:
    """What is kept of servers in files; every method is safe to call from any thread."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._lock = threading.Lock()

    @property
    def servers(self) -> set[int]:
        """The servers of which anything is kept."""
        return {int(path.name) for path in self._folder.glob("*") if path.name.isdecimal()}

    def drop_server(self, server: int) -> None:
        """Delete what is kept of a server that the bot has left."""
        with self._lock:
            shutil.rmtree(self._of(server), ignore_errors=True)

    def _of(self, server: int) -> Path:
        return self._folder / str(server)
