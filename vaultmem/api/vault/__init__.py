"""`Vault`, the public API and the one place where everything is wired.

`runtime` is what all parts share; each part is loaded when it is first used: `status` must not pay
for the summarizer.
"""

from vaultmem.api.vault.types import Compacted as Compacted
from vaultmem.api.vault.types import Details as Details
from vaultmem.api.vault.types import Intake as Intake
from vaultmem.api.vault.types import RecentContext as RecentContext
from vaultmem.api.vault.types import Remembered as Remembered
from vaultmem.api.vault.vault import Vault as Vault
