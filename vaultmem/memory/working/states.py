"""The business states of a task: the stages that its developer declares."""

from __future__ import annotations

from collections.abc import Sequence

from vaultmem.documents.public_text import quoted
from vaultmem.errors import BadInput


def declared(state: str, states: Sequence[str]) -> str:
    """Return *state* as it is declared in *states*; any will do where none is.

    None is no stage and always will do. Raises BadInput for one that is not declared.
    """
    said = " ".join(state.split())
    if not said or not states:
        return state
    found = next((s for s in states if s.casefold().split() == said.casefold().split()), None)
    if found is None:
        raise BadInput(
            f"{quoted(said)} is not a state of this task: use one of {', '.join(states)}"
        )
    return found
