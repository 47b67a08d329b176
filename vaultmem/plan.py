"""What is about to change, as a value: shown before it is done, journalled, applied, committed."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from vaultmem.files import Step, sha256


@dataclass(frozen=True, slots=True)
class Change:
    """One file from the bytes that were read to the bytes it shall have; None is absence."""

    path: str
    old: bytes | None
    new: bytes | None
    reason: str

    @property
    def op(self) -> str:
        """`create`, `update` or `delete`."""
        if self.old is None:
            return "create"
        return "delete" if self.new is None else "update"

    @property
    def step(self) -> Step:
        """The write that carries this change out."""
        return Step(self.path, None if self.old is None else sha256(self.old), self.new)


@dataclass(frozen=True, slots=True)
class Plan:
    """One operation: what kind, for whom, which files, and how its commit shall read."""

    op: str
    kind: str
    subject: str
    changes: tuple[Change, ...]
    agent: str = ""
    session: str = ""
    trust: str = ""
    model: str = ""
    notes: tuple[str, ...] = ()

    @property
    def trailers(self) -> tuple[tuple[str, str], ...]:
        """The git trailers of the commit, those that say something."""
        named = (
            ("Vaultmem-Op", self.op),
            ("Agent", self.agent),
            ("Session", self.session),
            ("Trust", self.trust),
            ("Model", self.model),
        )
        return tuple((k, v) for k, v in named if v)


def diff(plan: Plan) -> str:
    """Return the plan as a unified diff, path by path."""
    return "".join(line for change in plan.changes for line in _diff(change))


def _diff(change: Change) -> Iterator[str]:
    import difflib  # noqa: PLC0415  # `status` shows no diff

    lines = difflib.unified_diff(
        _lines(change.old),
        _lines(change.new),
        "/dev/null" if change.old is None else _name("a", change.path),
        "/dev/null" if change.new is None else _name("b", change.path),
    )
    for line in lines:
        yield line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n"


def _name(side: str, path: str) -> str:
    # As git writes it: a tab ends a name with a space in it.
    return f"{side}/{path}\t" if " " in path else f"{side}/{path}"


def _lines(data: bytes | None) -> list[str]:
    # Not splitlines(): for git only LF ends a line.
    lines = (data or b"").decode("utf-8", "replace").split("\n")
    return [f"{line}\n" for line in lines[:-1]] + [line for line in lines[-1:] if line]
