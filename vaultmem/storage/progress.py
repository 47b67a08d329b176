"""How far work is: the one way in which what takes long tells it.

Who does the work calls a `Progress` between its steps, where nothing is half done: who hears of it
may raise there to have it stopped, as Ctrl-C does, and finds all that was written whole.
"""

from __future__ import annotations

from collections.abc import Callable

Progress = Callable[[int, int], None]
"""Takes how many steps are done, and of how many; those may become more as work goes on."""

Phase = Callable[[str], None]
"""Takes what is done from now on, in a word or two: steps are told anew, from none."""

_MANY = 500


def untold(_done: int, _total: int) -> None:
    """Tell nobody."""


def unnamed(_what: str) -> None:
    """Name it to nobody."""


def of_many(progress: Progress) -> Progress:
    """Tell *progress* only of work that has many steps: the rest is done before anybody looks."""

    def tell(done: int, total: int) -> None:
        if total >= _MANY:
            progress(done, total)

    return tell
