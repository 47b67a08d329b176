"""`vaultmem chat`: a complete agent that talks, remembers, uses tools and survives being killed.

`loop` takes a turn, `prompt` and `messages` say what a model is shown, `providers` ask it, `tools`
do what it wants done, `terminal` is what a person sees. The transcript is the only state.
"""

from __future__ import annotations

from vaultmem.integrations.chat.loop import Chat as Chat
from vaultmem.integrations.chat.types import Answered as Answered
from vaultmem.integrations.chat.types import Face as Face
from vaultmem.integrations.chat.types import Talker as Talker
