"""Readers of what other programs keep: from files to messages and notes, writing nothing."""

from vaultmem.importers.jsonl import Message as Message
from vaultmem.importers.model import Heard as Heard
from vaultmem.importers.model import Item as Item
