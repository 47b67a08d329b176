"""LangGraph: a vault as the store that graphs keep what lasts in; needs the extra `langgraph`.

items: an item as the text of a note.
matching: which items and namespaces an operation means.
operations: what the store is asked to do, checked.
store: the store.
"""

from vaultmem.integrations.langgraph.store import VaultStore as VaultStore
