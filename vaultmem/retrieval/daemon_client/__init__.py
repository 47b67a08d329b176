"""Ask the daemon that watches a vault: what it has loaded answers at once.

Where nobody is there, or another version, or it is slow, the caller does the work itself.
"""

from vaultmem.retrieval.daemon_client.client import ask as ask
from vaultmem.retrieval.daemon_client.client import is_current as is_current
from vaultmem.retrieval.daemon_client.client import recall as recall
