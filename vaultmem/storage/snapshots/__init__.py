"""The past: a vault as it was committed at a date, to be asked like the present.

A commit is found by its date, its tree becomes an index of its own in a bounded cache, and recall
and context read that index. Nothing can be written there.
"""

from vaultmem.storage.snapshots.snapshot import Then as Then
from vaultmem.storage.snapshots.snapshot import at as at
