"""A line of a conversation in which a person speaks, and a program put what a tool answered."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from vaultmem.documents import tagged_outputs
from vaultmem.exchange.formats.types import ImportedMessage, Item

_NO_PERSONS = frozenset(("assistant", "tool", "system"))


def parted(item: Item) -> Iterator[Item]:
    """Yield *item*, ahead of which what is tagged in it as a tool's, where a person says it."""
    heard = item.heard
    if heard is None or not _is_a_persons(heard):
        yield item
        return
    found = tagged_outputs.read(heard.content)
    if not found.tag:
        yield item
        return
    told = replace(
        heard, content=found.tagged, id=f"{heard.id}.tagged" if heard.id else "", whole="",
        role="tool", speaker=found.tag, tool=found.tag, source="tool",
    )  # fmt: skip
    yield replace(item, heard=told)
    if found.own:
        yield replace(item, heard=replace(heard, content=found.own), shown=None)


def _is_a_persons(heard: ImportedMessage) -> bool:
    """Tell whether a person is said to say it in a talk: what a vault exported stays as it was."""
    is_talk = bool(heard.role or heard.speaker) and not (heard.path or heard.lasting)
    return is_talk and not heard.tool and heard.role not in _NO_PERSONS
