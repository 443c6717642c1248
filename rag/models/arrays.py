"""Large arrays of numbers: left on the disk until they are looked at, multiplied in one thread."""

from functools import cache
from tempfile import TemporaryFile
from typing import Any, TypeVar

import numpy as np
from threadpoolctl import ThreadpoolController

Array = TypeVar("Array", bound=np.ndarray[Any, Any])


def left_on_disk(array: Array) -> "Array | np.memmap[Any, Any]":
    """An array as a file on the disk that nobody else sees; as it is where that cannot be.

    A file that others may cut short, as by copying a backup over it, would take the process down with it.
    """
    try:
        # The mapping holds the file.
        with TemporaryFile() as file:
            array.tofile(file)
            file.flush()
            return np.memmap(file, array.dtype, "r", shape=array.shape)
    except (OSError, ValueError):
        # Without room on the disk, or without an element.
        return array


@cache
def multiply_in_one_thread() -> None:
    """Have this process multiply matrices in one thread from now on.

    Ours are small: two threads wait for one another at full speed where other work keeps the cores, several
    times as long. To limit them for a single product takes longer than the product.
    """
    ThreadpoolController().limit(limits=1, user_api="blas")
