"""Cards, run on a vault: patched, listed, exported; claims that disagree wait for a person.

`asking` says what a patch or a claim asks of a card, `drafting` what that does to its file and to
its note, `carrying` writes it, all in one commit; `shelf` is what the vault has, `loading` imports.
"""

from vaultmem.carding.model import Listed as Listed
from vaultmem.carding.model import Loaded as Loaded
from vaultmem.carding.model import Taken as Taken
from vaultmem.carding.model import Written as Written
from vaultmem.carding.runner import Cards as Cards
