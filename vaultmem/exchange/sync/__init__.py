"""Several machines, one vault: each has a clone, and `sync` brings them in step.

`turns`, `keys` and `pages` bring two versions of one file together, `deciding` two trees;
`settling` tells again what both sides told; `runner` commits, fetches, merges and pushes.
"""

from vaultmem.exchange.sync.service import Sync as Sync
from vaultmem.exchange.sync.service import Synced as Synced
