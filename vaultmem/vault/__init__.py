"""The public API and the one place where everything is wired: `from vaultmem import Vault`.

`opened` is what all stands on; each further module is a group of doors. Each part behind them is
loaded when it is first used: `status` must not pay for the summarizer.
"""

from vaultmem.vault.asking import Asking
from vaultmem.vault.exchanging import Exchanging
from vaultmem.vault.model import Compacted as Compacted
from vaultmem.vault.model import Details as Details
from vaultmem.vault.model import Intake as Intake
from vaultmem.vault.model import RecentContext as RecentContext
from vaultmem.vault.model import Remembered as Remembered
from vaultmem.vault.remembering import Remembering


class Vault(Remembering, Exchanging, Asking):
    """A folder of memories, opened: remember, recall, compact, and see how it is."""
