"""Clean a vault up in dreams: what would be better is proposed, reviewed, applied, and undone.

`session` reads files as `facts`, the `detectors` find what could be better, `planner` puts that
together inside its budgets, `apply` makes bytes of what was chosen, `review_note` is the note that
a person ticks. All of it is pure; `service` runs it on a vault.
"""

from vaultmem.maintenance.dream.choices import CONTESTED as CONTESTED
from vaultmem.maintenance.dream.lock import LOCK as LOCK
from vaultmem.maintenance.dream.results import Applied as Applied
from vaultmem.maintenance.dream.results import Planned as Planned
from vaultmem.maintenance.dream.results import Skipped as Skipped
from vaultmem.maintenance.dream.results import Undone as Undone
from vaultmem.maintenance.dream.service import Dreams as Dreams
