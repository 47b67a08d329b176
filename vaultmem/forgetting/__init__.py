"""Forgetting, carried out: a tombstone and derived texts without it; purging, from history, too."""

from vaultmem.forget import Standing as Standing
from vaultmem.forgetting.finding import Found as Found
from vaultmem.forgetting.proving import Proof as Proof
from vaultmem.forgetting.purging import Permit as Permit
from vaultmem.forgetting.purging import Purged as Purged
from vaultmem.forgetting.purging import Receipt as Receipt
from vaultmem.forgetting.runner import Forgetting as Forgetting
from vaultmem.forgetting.runner import Forgotten as Forgotten
