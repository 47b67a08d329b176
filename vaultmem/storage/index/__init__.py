"""The mirror of the files: a catalog and a full-text index that `sync` keeps equal to them.

Nothing is true because the index says so; delete it and it comes back. Several processes may use it
at once.
"""

from vaultmem.storage.index.catalog import Index as Index
from vaultmem.storage.index.catalog import Sync as Sync
from vaultmem.storage.index.filters import Filter as Filter
from vaultmem.storage.index.source import Source as Source
