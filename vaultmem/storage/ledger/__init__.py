"""The ledger of acknowledged memories, compared with what HEAD has.

Whoever was told that a memory is kept must find it in HEAD, or hear where it stands, whatever git
a person runs beside us. An entry is written once the memory is in a commit; until then its intent
is in the journal. What is no memory stands in the commit that names its operation; only where
somebody else's has it the ledger says so. It lies in `.vaultmem`, and is rebuilt from commits when
it is gone.
"""

from vaultmem.storage.ledger.entries import Growth as Growth
from vaultmem.storage.ledger.entries import count as count
from vaultmem.storage.ledger.entries import discard as discard
from vaultmem.storage.ledger.entries import fault as fault
from vaultmem.storage.ledger.entries import growth as growth
from vaultmem.storage.ledger.entries import standing as standing
from vaultmem.storage.ledger.missing_cache import ENTRIES as ENTRIES
from vaultmem.storage.ledger.missing_cache import Comparison as Comparison
from vaultmem.storage.ledger.missing_cache import LeftCommit as LeftCommit
from vaultmem.storage.ledger.missing_cache import Missing as Missing
from vaultmem.storage.ledger.missing_cache import is_current as is_current
from vaultmem.storage.ledger.missing_cache import is_due as is_due
from vaultmem.storage.ledger.missing_cache import load as load
from vaultmem.storage.ledger.missing_cache import pointer_state as pointer_state
from vaultmem.storage.ledger.missing_cache import size as size
from vaultmem.storage.ledger.missing_cache import tip as tip
from vaultmem.storage.ledger.release_notes import operation_note as operation_note
from vaultmem.storage.ledger.release_notes import release_note as release_note
from vaultmem.storage.ledger.types import LET_GO as LET_GO
from vaultmem.storage.ledger.types import RELEASE as RELEASE
from vaultmem.storage.ledger.types import Entry as Entry
from vaultmem.storage.ledger.types import Line as Line
from vaultmem.storage.ledger.types import Release as Release
