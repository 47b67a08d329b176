"""Which items a filter means, and which namespaces a condition: LangGraph's own rules.

Source: `langgraph.store.base`, `SearchOp.filter` and `MatchCondition`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from operator import ge, gt, le, lt

from vaultmem.api.rendering import quoted
from vaultmem.errors import BadInput

_ORDERS: Mapping[str, Callable[[float, float], bool]] = {
    "$gt": gt, "$gte": ge, "$lt": lt, "$lte": le,
}  # fmt: skip
_SIGNS = ("$eq", "$ne", *_ORDERS)


def is_meant(value: Mapping[str, object], wanted: Mapping[str, object] | None) -> bool:
    """Tell whether a *value* has all that is *wanted* of its keys; raises BadInput."""
    return all(_holds(value.get(key), rule) for key, rule in (wanted or {}).items())


def _holds(value: object, rule: object) -> bool:
    if isinstance(rule, Mapping):
        if any(str(sign).startswith("$") for sign in rule):
            return all(_compares(value, str(sign), bound) for sign, bound in rule.items())
        return isinstance(value, Mapping) and is_meant(value, rule)
    if isinstance(rule, list | tuple):
        if not isinstance(value, list | tuple) or len(value) != len(rule):
            return False
        return all(_holds(one, other) for one, other in zip(value, rule, strict=True))
    return value == rule


def _compares(value: object, sign: str, bound: object) -> bool:
    if sign not in _SIGNS:
        raise BadInput(f"{quoted(sign)} is no operator of a filter: use one of {', '.join(_SIGNS)}")
    if sign in _ORDERS:
        one, other = _number(value), _number(bound)
        return one is not None and other is not None and _ORDERS[sign](one, other)
    return (value == bound) is (sign == "$eq")


def _number(value: object) -> float | None:
    try:
        return float(value) if isinstance(value, str | int | float) else None
    except ValueError:
        return None


def fits(namespace: Sequence[str], way: str, pattern: Sequence[str]) -> bool:
    """Tell whether *namespace* has *pattern*, `*` being any label, as its `prefix` or `suffix`."""
    if len(namespace) < len(pattern):
        return False
    start = 0 if way == "prefix" else len(namespace) - len(pattern)
    part = namespace[start : start + len(pattern)]
    return all(wanted in {"*", label} for label, wanted in zip(part, pattern, strict=True))
