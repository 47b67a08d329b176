"""Dreams, run on a vault: plan and ask a person, apply what was chosen, take it back.

`standing` says whether it is time; `proposing` plans and puts a review note into the inbox;
`choosing` reads what a person ticked, `applying` does it, where `judging` finds that recall stays
good. `work` is the vault as one dream sees it, `alone` keeps others away meanwhile.
"""

from vaultmem.dreaming.alone import LOCK as LOCK
from vaultmem.dreaming.choosing import CONTESTED as CONTESTED
from vaultmem.dreaming.model import Applied as Applied
from vaultmem.dreaming.model import Planned as Planned
from vaultmem.dreaming.model import Skipped as Skipped
from vaultmem.dreaming.model import Undone as Undone
from vaultmem.dreaming.runner import Dreams as Dreams
