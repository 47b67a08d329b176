"""Readers of what other programs keep: from files to messages and notes, writing nothing."""

from vaultmem.exchange.formats.jsonl import Message as Message
from vaultmem.exchange.formats.types import ImportedMessage as ImportedMessage
from vaultmem.exchange.formats.types import Item as Item
