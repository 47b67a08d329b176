"""Ask a model word by word: the one that the profile chooses, with patience, within the budget."""

from vaultmem.integrations.chat.providers.speaker import TALKERS as TALKERS
from vaultmem.integrations.chat.providers.speaker import Speaker as Speaker
from vaultmem.integrations.chat.providers.speaker import chosen as chosen
from vaultmem.integrations.chat.providers.speaker import price as price
from vaultmem.integrations.chat.providers.speaker import talker as talker
