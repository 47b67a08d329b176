"""The options that sentences of the API name: told as one writes them on the command line."""

from __future__ import annotations

import re

_ARGUMENT = re.compile(r"`(?P<name>[a-z]+(?:_[a-z]+)*)=(?P<value>[^`=]*)`")


def with_options(sentence: str) -> str:
    """Return *sentence* with each `name=value` in it as the option of the command line."""
    return _ARGUMENT.sub(_as_option, sentence)


def _as_option(argument: re.Match[str]) -> str:
    option = f"--{argument['name'].replace('_', '-')}"
    return f"`{option}`" if argument["value"] == "true" else f"`{option} {argument['value']}`"
