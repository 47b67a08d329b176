"""The public API: `Vault`, `AsyncVault`, `AgentMemory`, `AgentFiles`, vault creation, housekeeping.

Wires everything; the only place besides the command line that reads the environment.
"""
