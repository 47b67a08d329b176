"""Ask the daemon that watches a vault: what it has loaded answers at once.

values:   questions and answers as plain data, and back
lines:    what goes over the wire, one line each way
address:  the socket inside the vault, and who may speak there
asking:   the client

Nobody is there, or another version, or it is slow: then whoever asks does it himself.
"""

from vaultmem.retrieval.daemon_client.client import ask as ask
from vaultmem.retrieval.daemon_client.client import recall as recall
