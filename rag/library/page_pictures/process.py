"""Pages drawn in a process of their own: PDFium is not thread-safe, and a bad file can take it down.

`DrawingProcess` starts it (`python -m rag.library.page_pictures.process`) and talks to it by pickles on its
standard input and output.
"""

import asyncio
import os
import pickle
import signal
import subprocess
import sys
import threading
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from rag.errors import PageNotDrawn, PictureError
from rag.library.page_pictures.pages import PageToDraw, Picture

LONGEST_SECONDS = 30.0
"""How long one page may take: a damaged one can keep PDFium for ever."""
IDLE_SECONDS = 300.0
"""After so long without a page the process ends: its memory and open files are free again."""

Outcome = list[Picture] | PictureError


class DrawingProcess:
    """Draws one page after the other beside the event loop; the process is started with the first page.

    It gets the given variables, else those of this process.
    """

    def __init__(self, variables: Mapping[str, str] | None = None) -> None:
        self._variables = variables
        self._thread = ThreadPoolExecutor(max_workers=1, thread_name_prefix="page-pictures")
        self._process: subprocess.Popen[bytes] | None = None

    async def draw(self, page: PageToDraw) -> list[Picture]:
        """The pictures of a page. Raises as `pictures.draw`; `PageNotDrawn` also for one too slow."""
        outcome = await asyncio.get_running_loop().run_in_executor(self._thread, self._outcome, page)
        if isinstance(outcome, PictureError):
            raise outcome
        return outcome

    def close(self) -> None:
        """End the process; no page can be drawn any more."""
        self._thread.shutdown(wait=False, cancel_futures=True)
        if self._process:
            self._process.kill()

    def _outcome(self, page: PageToDraw) -> Outcome:
        if self._process is None or self._process.poll() is not None:
            self._process = subprocess.Popen(
                [sys.executable, "-m", __name__],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                env=self._variables,
            )
        process = self._process
        assert process.stdin
        assert process.stdout
        too_slow = threading.Timer(LONGEST_SECONDS, process.kill)
        too_slow.start()
        try:
            pickle.dump(page, process.stdin)
            process.stdin.flush()
            fault, held = pickle.load(process.stdout)
            outcome: Outcome = fault(**held) if fault else held
            return outcome
        except (OSError, EOFError, pickle.UnpicklingError):
            process.kill()
            return PageNotDrawn(file=page.book.file)
        finally:
            too_slow.cancel()


def main() -> None:
    """In the process: draw each page that is asked for, until nobody asks any more."""
    # A terminal sends Ctrl-C to all processes: whoever asks ends this one.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    asked, answered = sys.stdin.buffer, sys.stdout.buffer
    sys.stdout = sys.stderr
    while True:
        idle = threading.Timer(IDLE_SECONDS, os._exit, [0])
        idle.daemon = True
        idle.start()
        try:
            page: PageToDraw = pickle.load(asked)
        except EOFError:
            return
        finally:
            idle.cancel()
        pickle.dump(_answer(page), answered)
        answered.flush()


def _answer(page: PageToDraw) -> tuple[type[PictureError] | None, Any]:
    """The pictures, or which fault it was with its values; errors themselves cannot be pickled."""
    from rag.library.page_pictures.pictures import draw

    try:
        return None, draw(page)
    except PictureError as error:
        return type(error), error.values


if __name__ == "__main__":
    main()
