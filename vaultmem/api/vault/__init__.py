"""The public API and the one place where everything is wired: `from vaultmem import Vault`.

`opened` is what all stands on; each further module is a group of doors. Each part behind them is
loaded when it is first used: `status` must not pay for the summarizer.
"""

from vaultmem.api.vault.exchange import Exchanging
from vaultmem.api.vault.queries import Asking
from vaultmem.api.vault.remembering import Remembering
from vaultmem.api.vault.types import Compacted as Compacted
from vaultmem.api.vault.types import Details as Details
from vaultmem.api.vault.types import Intake as Intake
from vaultmem.api.vault.types import RecentContext as RecentContext
from vaultmem.api.vault.types import Remembered as Remembered


class Vault(Remembering, Exchanging, Asking):
    """A folder of memories, opened: remember, recall, compact, and see how it is."""
