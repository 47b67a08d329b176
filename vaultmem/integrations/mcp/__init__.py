"""The MCP server: ten tools, resources and prompts over one vault, by stdio or loopback HTTP.

`wire` or `http` carries the protocol, `serving` answers it, `tools` lists what may be called,
`vault_session` is what they work on, and `worker` the one thread that has the vault open.
"""
