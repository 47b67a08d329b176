"""Take what is forgotten out of the history and every cache, and prove that it is gone.

evidence:      what was said, what gives it away, and what is to be otherwise, all from git
               (git_history, target, silenced_turns, made_files, staying_texts, wanted_rewrite,
               repeated_sentences)
refusals:      why it is not done
verification:  the proof
"""

from vaultmem.maintenance.forgetting.purge.types import Permit as Permit
from vaultmem.maintenance.forgetting.purge.types import Proof as Proof
from vaultmem.maintenance.forgetting.purge.types import Purged as Purged
from vaultmem.maintenance.forgetting.purge.types import Receipt as Receipt
