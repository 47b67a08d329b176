"""What a store is asked to do: checked as LangGraph does it, before anything is read or written.

`BaseStore` looks at the labels of a namespace alone: a text is one of many labels to it, and what
goes to `batch` directly passes it by.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from vaultmem import arguments
from vaultmem.errors import BadInput
from vaultmem.integrations.extras import needs

with needs("langgraph", "langgraph>=1.2"):
    from langgraph.store.base import (
        GetOp,
        InvalidNamespaceError,
        ListNamespacesOp,
        Op,
        PutOp,
        SearchOp,
    )


def checked(ops: Iterable[Op]) -> list[Op]:
    """Return *ops*; raises InvalidNamespaceError, ValueError for none, BadInput for the rest."""
    asked = list(ops)
    for op in asked:
        match op:
            case GetOp() | PutOp():
                _check_namespace(op.namespace)
                arguments.check("key", op.key, "str")
            case SearchOp():
                _check_namespace(op.namespace_prefix)
                arguments.check("query", op.query, "str | None")
                if op.filter is not None:
                    arguments.check_kind("filter", op.filter, Mapping)
                _check_page(op)
            case ListNamespacesOp():
                _check_page(op)
                arguments.check("max_depth", op.max_depth, "int | None")
                _check_whole("max_depth", op.max_depth or 0)
                for condition in op.match_conditions or ():
                    _check_namespace(condition.path)
            case _:
                raise ValueError(f"Unknown operation type: {type(op)}")
    return asked


def _check_page(op: SearchOp | ListNamespacesOp) -> None:
    for name, value in (("limit", op.limit), ("offset", op.offset)):
        arguments.check(name, value, "int")
        _check_whole(name, value)


def _check_whole(name: str, value: int) -> None:
    if value < 0:
        raise BadInput(f"{name} is 0 or more, not {value}")


def _check_namespace(namespace: object) -> None:
    if not isinstance(namespace, tuple) or not all(isinstance(it, str) for it in namespace):
        raise InvalidNamespaceError(
            f"a namespace is a tuple of strings, ('users', 'mara'), not {namespace!r}"
        )
