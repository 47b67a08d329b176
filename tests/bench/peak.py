"""One piece of work in a process of its own: say on stdout, as JSON, its seconds and peak memory.

`peak.py alone VAULT FILE` imports and leaves compactions and commit aside, `peak.py whole VAULT
FILE` does all; `peak.py compact VAULT` summarizes what is there.
"""

from __future__ import annotations

import json
import resource
import sys
import time
from pathlib import Path

from vaultmem import Vault
from vaultmem.exchange.importing import memories
from vaultmem.exchange.importing.types import Settings

_AGENT = "ada"
_UNIT = 1 if sys.platform == "darwin" else 1024


def _run(how: str, vault: Vault, file: Path) -> None:
    if how == "compact":
        vault.compact(_AGENT)
    elif how == "whole":
        vault.import_files("jsonl", [file], agent=_AGENT)
    else:
        settings = Settings(_AGENT, vault.store.clock())
        memories.run(vault.store, [file], settings, lambda _: None)


def main(how: str, folder: str, file: str = "") -> None:
    """Do *how* with the vault at *folder* and print what it took."""
    with Vault.open(folder) as vault:
        vault.store.sync()
        started = time.perf_counter()
        _run(how, vault, Path(file))
        seconds = time.perf_counter() - started
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * _UNIT
    sys.stdout.write(json.dumps({"seconds": seconds, "peak": peak}) + "\n")


if __name__ == "__main__":
    main(*sys.argv[1:])
