"""The command line's first and last moment: Ctrl-C while it loads or ends is no traceback."""

from __future__ import annotations

import os

_INTERRUPTED = 130

try:
    import signal
except KeyboardInterrupt:
    os._exit(_INTERRUPTED)


def main() -> None:
    """Run the command line; Ctrl-C before it has begun, and once it is done, ends it quietly."""
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        # An exception in the middle of an import would be shown, or lost in a callback of Python's.
        signal.signal(signal.SIGINT, _end)
    from vaultmem.cli import main as command_line  # noqa: PLC0415  # what takes long

    try:
        if signal.getsignal(signal.SIGINT) is _end:
            signal.signal(signal.SIGINT, signal.default_int_handler)
        command_line()
    except KeyboardInterrupt:
        os._exit(_INTERRUPTED)
    finally:
        if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
            signal.signal(signal.SIGINT, _end)


def _end(*_: object) -> None:
    os._exit(_INTERRUPTED)


if __name__ == "__main__":
    main()
