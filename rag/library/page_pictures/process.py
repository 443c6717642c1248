"""Pages drawn in a process of their own: PDFium is not thread-safe, and a bad file can take it down.

`python -m rag.library.page_pictures.process` reads what to draw on its standard input, as a pickle, and
writes the pictures on its standard output.
"""

import asyncio
import pickle
import signal
import sys
from asyncio.subprocess import PIPE
from collections.abc import Mapping

from rag.errors import PageNotDrawn, PictureError
from rag.library.page_pictures.pages import PageToDraw

LONGEST_SECONDS = 30.0
"""How long one page may take: a damaged one can keep PDFium for ever."""


class DrawingProcess:
    """Draws one page after the other beside the event loop, each in a process that ends with it.

    It gets the given variables, else those of this process.
    """

    def __init__(self, variables: Mapping[str, str] | None = None) -> None:
        self._variables = variables
        self._one_at_a_time = asyncio.Lock()

    async def draw(self, page: PageToDraw) -> list[bytes]:
        """The PNG files of a page. Raises as `pictures.draw`; `PageNotDrawn` also for one too slow."""
        async with self._one_at_a_time:
            process = await asyncio.create_subprocess_exec(
                sys.executable, "-m", __name__, stdin=PIPE, stdout=PIPE, env=self._variables
            )
            try:
                answer, _ = await asyncio.wait_for(process.communicate(pickle.dumps(page)), LONGEST_SECONDS)
                pictures: list[bytes]
                fault, values, pictures = pickle.loads(answer)
            except (TimeoutError, EOFError, pickle.UnpicklingError) as error:
                raise PageNotDrawn(file=page.book.file) from error
            finally:
                if process.returncode is None:
                    process.kill()
        if fault:
            raise fault(**values)
        return pictures


def main() -> None:
    """In the process: draw the page that is asked for."""
    from rag.library.page_pictures.pictures import draw

    # A terminal sends Ctrl-C to all processes: whoever asks ends this one.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    answered, sys.stdout = sys.stdout.buffer, sys.stderr
    try:
        pickle.dump((None, {}, draw(pickle.load(sys.stdin.buffer))), answered)
    except PictureError as error:
        # Errors themselves cannot be pickled.
        pickle.dump((type(error), error.values, []), answered)


if __name__ == "__main__":
    main()
