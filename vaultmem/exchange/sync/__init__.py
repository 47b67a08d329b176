"""Several machines, one vault: each has a clone, and `sync` brings them in step.

`service` is asked, `sync_run` commits, fetches, merges and pushes, `backoff` says how long it waits
between two tries. `session_merge`, `frontmatter_merge` and `markdown_merge` (by `line_merge`) bring
two versions of one file together, `retold_lines` those that one side told again, `merge_plan` two
trees, and `merge_draft` says what stops that; `working_tree` brings the merge into the files,
`after_merge` writes again what both sides had summarized. `forgotten`, `losses`, `remote_checks`
say what a merge must not bring, and `obeyed_changes` what it shall not unseen.
"""

from vaultmem.exchange.sync.service import Sync as Sync
from vaultmem.exchange.sync.types import Synced as Synced
