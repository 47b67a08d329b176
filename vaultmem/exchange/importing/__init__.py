"""Bring in what other programs keep: conversations as memories or turns, notes as knowledge.

The readers of the formats are `importers`; here what they read is cleaned, named and written.
"""

from vaultmem.exchange.formats import Message as Message
from vaultmem.exchange.importing.message_reader import Line as Line
from vaultmem.exchange.importing.message_reader import lines as lines
from vaultmem.exchange.importing.message_reader import refuse_bad as refuse_bad
from vaultmem.exchange.importing.messages import run as run
from vaultmem.exchange.importing.messages import run_turns as run_turns
from vaultmem.exchange.importing.registry import FORMS as FORMS
from vaultmem.exchange.importing.registry import How as How
from vaultmem.exchange.importing.registry import manner as manner
from vaultmem.exchange.importing.registry import take as take
from vaultmem.exchange.importing.types import Imported as Imported
from vaultmem.exchange.importing.types import Reason as Reason
from vaultmem.exchange.importing.types import Settings as Settings
