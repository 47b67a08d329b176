"""What a page is narrowed to: by agent, person, time and trust, as its form shows it."""

from __future__ import annotations

from dataclasses import dataclass

from vaultmem.web.types import Asked

TRUSTS = {
    "": "what somebody vouches for", "user": "what people said", "verified": "what was verified",
    "untrusted": "also what nobody vouches for",
}  # fmt: skip
"""The least trust that may be asked for, in words."""


@dataclass(frozen=True, slots=True)
class Filters:
    """What is asked for; "" narrows nothing, but of *trust*: what nobody vouches for is left out.

    Dates are as they were typed.
    """

    agent: str = ""
    person: str = ""
    after: str = ""
    before: str = ""
    trust: str = ""

    @property
    def are_set(self) -> bool:
        """Whether any is."""
        return bool(self.agent or self.person or self.after or self.before or self.trust)

    @property
    def least(self) -> str:
        """The least trust that is wanted, "" for any."""
        return {"": "agent", "untrusted": ""}.get(self.trust, self.trust)

    @property
    def trusts(self) -> dict[str, str]:
        """What may be chosen of trust, in words."""
        return TRUSTS


def asked_for(asked: Asked) -> Filters:
    """Return what the query of a page narrows it to; an agent's server shows that agent's alone."""
    given = {name: asked.fields.get(name, "").strip() for name in ("person", "after", "before")}
    trust = asked.fields.get("trust", "")
    agent = asked.options.agent or asked.fields.get("agent", "")
    return Filters(agent, **given, trust=trust if trust in TRUSTS else "")
