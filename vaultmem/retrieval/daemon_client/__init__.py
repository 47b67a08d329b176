"""Ask the daemon that watches a vault: what it has loaded answers at once.

codec:        questions and answers as plain data, and back
protocol:     what goes over the wire, one line each way
socket_path:  the socket inside the vault, and who may speak there
client:       who asks

Where nobody is there, or another version, or it is slow, the caller does the work itself.
"""

from vaultmem.retrieval.daemon_client.client import ask as ask
from vaultmem.retrieval.daemon_client.client import recall as recall
