"""Bring what is written into git: operations that wait, people's edits, memories that left HEAD."""

from vaultmem.storage.commits.rested_edits import QUIET as QUIET
from vaultmem.storage.commits.service import Commits as Commits
