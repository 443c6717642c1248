"""In how many threads a process multiplies matrices."""

from functools import cache

from threadpoolctl import ThreadpoolController


@cache
def multiply_in_one_thread() -> None:
    """Have this process multiply matrices in one thread from now on.

    Ours are small: two threads wait for one another at full speed where other work keeps the cores, several
    times as long. To limit them for a single product takes longer than the product.
    """
    ThreadpoolController().limit(limits=1, user_api="blas")
