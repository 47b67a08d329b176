"""Bring in what other programs keep: conversations as memories or turns, notes as knowledge.

The readers of the formats are `importers`; here what they read is cleaned, named and written.
"""

from vaultmem.importers import Message as Message
from vaultmem.importing.choosing import FORMS as FORMS
from vaultmem.importing.choosing import How as How
from vaultmem.importing.choosing import manner as manner
from vaultmem.importing.choosing import take as take
from vaultmem.importing.messages import run as run
from vaultmem.importing.messages import run_turns as run_turns
from vaultmem.importing.model import Imported as Imported
from vaultmem.importing.model import Reason as Reason
from vaultmem.importing.model import Settings as Settings
from vaultmem.importing.reading import Line as Line
from vaultmem.importing.reading import lines as lines
from vaultmem.importing.reading import refuse_bad as refuse_bad
