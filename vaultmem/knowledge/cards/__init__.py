"""Cards, run on a vault: patched, listed, exported; claims that disagree wait for a person.

`requests` says what a patch or a claim asks of a card, `drafting` what that does to its file and to
its note, and writes it, all in one commit; `listing` is what the vault has, `import_cards` brings
cards in from files.
"""

from vaultmem.knowledge.cards.requests import Listed as Listed
from vaultmem.knowledge.cards.requests import Loaded as Loaded
from vaultmem.knowledge.cards.requests import Taken as Taken
from vaultmem.knowledge.cards.requests import Written as Written
from vaultmem.knowledge.cards.service import Cards as Cards
