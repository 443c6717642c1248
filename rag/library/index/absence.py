"""What was costly outlives its absence from the library for a while: since when each part has been absent."""

import json
import shutil
import time
from collections.abc import Collection, Iterable
from pathlib import Path

from rag.library.index.atomic_files import write_bytes

_ABSENT = "absent.json"
"""By path in the index, since when each part has been absent, in seconds since the epoch."""


def drop_long_absent(
    index_dir: Path, folders: Iterable[str], present: Collection[Path], kept_seconds: float
) -> None:
    """Delete what is in the folders and has not been present for so long; write down what is absent."""
    paths = [path for folder in folders for path in (index_dir / folder).glob("*")]
    parts = {path.relative_to(index_dir).as_posix(): path for path in paths}
    known, now = _absent(index_dir), time.time()
    absent = {name: min(known.get(name, now), now) for name, path in parts.items() if path not in present}
    kept = {name: since for name, since in absent.items() if now - since < kept_seconds}
    if kept != known:
        write_bytes(index_dir / _ABSENT, json.dumps(kept, indent=1).encode())
    for name in absent.keys() - kept.keys():
        _delete(parts[name])


def _absent(index_dir: Path) -> dict[str, float]:
    """What was absent when last looked; without a readable file, absence begins anew."""
    try:
        held = json.loads((index_dir / _ABSENT).read_bytes())
        return {str(name): float(since) for name, since in held.items()}
    except (OSError, ValueError, AttributeError, TypeError):
        return {}


def _delete(path: Path) -> None:
    if path.is_dir():
        shutil.rmtree(path, ignore_errors=True)
    else:
        path.unlink(missing_ok=True)
