"""The providers of language models that there are."""

from __future__ import annotations

PROVIDERS = ("anthropic", "ollama")
"""A module beside this one each, with its `PROVIDER`; `auto` looks for them in this order."""
