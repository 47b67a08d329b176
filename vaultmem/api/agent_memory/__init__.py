"""The memory of an agent's loop: told what happens, asked what the next prompt should hold.

`runner` is `Memory`, thin, over a `Vault`; `stepping` decides what happens to a plan, `telling`
what came of it; `talk` prints the turns of the session. Between calls it knows nothing by itself.
"""

from __future__ import annotations

from vaultmem.api.agent_memory.service import Maintained as Maintained
from vaultmem.api.agent_memory.service import Memory as Memory
from vaultmem.api.agent_memory.service import Opening as Opening
