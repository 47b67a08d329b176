"""The memory of an agent's loop: told what happens, asked what the next prompt should hold.

`service` is `Memory`, thin, over a `Vault`; `session_memory` keeps what is said in its session,
`plan_steps` decides what happens to a plan, `experience` what came of it; `session_prompt` prints
the turns of the session, `tool_results` what a tool returned. Between calls it knows nothing by
itself.
"""

from __future__ import annotations

from vaultmem.api.agent_memory.service import Maintained as Maintained
from vaultmem.api.agent_memory.service import Memory as Memory
from vaultmem.api.agent_memory.session_memory import Opening as Opening
