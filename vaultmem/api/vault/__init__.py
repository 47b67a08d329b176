"""`Vault`, the public API and the one place where everything is wired.

`runtime` is what all parts share; each part is loaded when it is first used: `status` must not pay
for the summarizer.
"""

from vaultmem.api.vault.vault import Vault as Vault
