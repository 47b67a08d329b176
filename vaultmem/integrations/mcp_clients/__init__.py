"""Other programs that speak MCP: where in a project each looks for servers, and our entry there.

`clients` knows the programs, `service` writes the entry into the project's file and takes it out.
"""

from vaultmem.integrations.mcp_clients.clients import CLIENTS as CLIENTS
