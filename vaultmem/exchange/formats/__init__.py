"""Formats of other programs, a module each: its `FORMAT`, and readers that write nothing."""

from vaultmem.exchange.formats.types import Format as Format
from vaultmem.exchange.formats.types import ImportedMessage as ImportedMessage
from vaultmem.exchange.formats.types import Item as Item
