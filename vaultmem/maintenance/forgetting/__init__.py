"""Forgetting, carried out: a tombstone and derived texts without it; purging, from history, too."""

from vaultmem.maintenance.forgetting.allowance import AllowedAgain as AllowedAgain
from vaultmem.maintenance.forgetting.purge import Permit as Permit
from vaultmem.maintenance.forgetting.purge import Proof as Proof
from vaultmem.maintenance.forgetting.purge import Purged as Purged
from vaultmem.maintenance.forgetting.purge import Receipt as Receipt
from vaultmem.maintenance.forgetting.redaction import Remainder as Remainder
from vaultmem.maintenance.forgetting.selection import ForgetTarget as ForgetTarget
from vaultmem.maintenance.forgetting.service import Forgetting as Forgetting
from vaultmem.maintenance.forgetting.service import Forgotten as Forgotten
