"""What could be better in a vault, each kind in a module of its own: `find(seen)` yields proposals.

A detector is pure and deterministic: the same vault gives the same proposals, in the same order.
"""
