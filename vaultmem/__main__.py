"""`python -m vaultmem`: the command line, for who has the interpreter and not the script."""

from __future__ import annotations

from vaultmem.cli import main

main()
