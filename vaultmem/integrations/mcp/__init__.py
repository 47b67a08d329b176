"""The MCP server: tools, resources and prompts over one vault, by stdio or loopback HTTP.

`stdio` or `http` carries the protocol, `server` answers it, `registry` lists the `tools` that may
be called, `vault_session` is what they work on, and `worker` the one thread with the vault open.
"""
