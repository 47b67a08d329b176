"""Several machines, one vault: each has a clone, and `sync` brings them in step.

`transcript_merge`, `frontmatter_merge` and `markdown_merge` bring two versions of one file
together, `merge_plan` two trees; `working_tree` brings the merge into the files, `after_merge`
writes again what both sides had summarized; `service` commits, fetches, merges and pushes.
"""

from vaultmem.exchange.sync.service import Sync as Sync
from vaultmem.exchange.sync.service import Synced as Synced
