"""Find the credentials in a text, and redact them."""

from __future__ import annotations

from vaultmem.secrets.model import Finding


def find(text: str) -> tuple[Finding, ...]:
    """Return the credentials in *text*, in order and without overlap."""
    from vaultmem.secrets.scanning import scan  # noqa: PLC0415  the rules load when first asked for

    return tuple(scan(text))


def redact(text: str) -> str:
    """Return *text* with every credential replaced by `[REDACTED:<rule>]`."""
    pieces, end = [], 0
    for finding in find(text):
        pieces += [text[end : finding.start], f"[REDACTED:{finding.rule}]"]
        end = finding.end
    return "".join([*pieces, text[end:]])
