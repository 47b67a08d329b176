"""`vaultmem chat`: a complete agent that talks, remembers, uses tools and survives being killed.

`loop` takes a turn, `prompt` and `history` say what a model is shown, `speaking` asks it, `tools`
do what it wants done, `terminal` is what a person sees. The transcript is the only state.
"""

from __future__ import annotations

from vaultmem.agent.loop import Chat as Chat
from vaultmem.agent.model import Answered as Answered
from vaultmem.agent.model import Face as Face
from vaultmem.agent.model import Talker as Talker
from vaultmem.agent.speaking import speaker as speaker
