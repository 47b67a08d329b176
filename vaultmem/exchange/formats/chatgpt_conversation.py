"""One conversation of ChatGPT's export: the branch of its tree that counts, and what it says."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

from vaultmem.documents import secrets, speakers
from vaultmem.exchange.formats import shown_texts, tool_results
from vaultmem.exchange.formats.json_fields import as_text, objects_of, text_of, without
from vaultmem.exchange.formats.types import ImportedMessage, Item, Shown
from vaultmem.records import first_line, iso
from vaultmem.storage.files import slug

_SLUG, _DIGITS = 50, 10
_CALL, _RESULT = 200, 500
"""Characters that are kept of a call of a tool, and of a tool's result."""

_CITATION = re.compile("\ue200[^\ue200\ue201]*\ue201")
_PLACE = {"image_asset_pointer": "[image]", "audio_asset_pointer": "[audio]"}
_INSTRUCTIONS, _REMEMBERED = "custom instructions", "model_editable_context"
_UNSAID = {
    "user_editable_context": _INSTRUCTIONS,
    _REMEMBERED: "what was remembered of other conversations",
    "thoughts": "thinking",
    "reasoning_recap": "thinking",
}
_PROGRAM = "ChatGPT"
"""Who is told to have shown what stands in a message where no tool is."""

_OWN = frozenset(("matched_text", "targeted_reply"))
"""What is repeated beside a message of the talk itself: the assistant wrote it."""

_TEXTS = ("parts", "text", "result", "content")
_SAID = frozenset((*_TEXTS, "thoughts"))
"""What of a content its author says."""

_RETRIEVED = frozenset((
    "browsing", "computer", "connector", "error", "fetch", "output", "outputs", "page", "pairing",
    "quote", "result", "results", "search", "sonic", "stderr", "stdout", "tether", "tool", "web",
    "webpage",
))  # fmt: skip
"""A word of these in a type, and what was run, searched or opened is in it: nobody's own words."""

_OF_A_PAGE = ("url", "domain", "tether_id")
"""What a part has, whatever its type, that quotes a page."""

_TALK = frozenset(("", "text", "multimodal_text", "code", "execution_output"))
_KIND = re.compile(r"[\w./-]{1,60}", re.ASCII)
_BRANCH = "another branch: edited or answered again"

_Tree = Mapping[str, Mapping[str, object]]


@dataclass(frozen=True, slots=True)
class Conversation:
    """The conversation *number* of the file *name*, as the export has it in *raw*."""

    name: str
    number: int
    raw: Mapping[str, object]

    @property
    def key(self) -> str:
        """What names it for ever; its title may change."""
        named = text_of(self.raw, "conversation_id") or text_of(self.raw, "id")
        return named or session_name(text_of(self.raw, "title"), str(self.raw.get("create_time")))

    @property
    def session(self) -> str:
        """What its session is called."""
        return session_name(text_of(self.raw, "title"), self.key)

    def items(self, *, all_branches: bool = False) -> Iterator[Item]:
        """Yield its messages; those of other branches are skipped, or told as time went."""
        mapping = self.raw.get("mapping")
        nodes = mapping.items() if isinstance(mapping, dict) else ()
        tree = {str(key): node for key, node in nodes if isinstance(node, dict)}
        chosen = _branch(tree, text_of(self.raw, "current_node"))
        order = _as_time_went(tree) if all_branches else chosen
        if not any(map(_message, tree.values())):
            piece = f"conversation {self.number}"
            yield Item(self.name, self.number, skipped="a conversation of no message", piece=piece)
        said = [at for at in order if _message(tree[at])]
        left = tree.keys() - order
        others = [at for at in tree if at in left and _message(tree[at])]
        for inner, at in enumerate(others, len(said) + 1):
            piece, shown = self._piece(inner), _shown(_message(tree[at]))
            yield Item(self.name, self.number, skipped=_BRANCH, piece=piece, shown=shown)
        when = _when(self.raw.get("create_time"))
        for inner, at in enumerate(said, 1):
            message = _message(tree[at])
            when = _when(message.get("create_time")) or when  # some have none, as those before them
            yield from self._items(inner, at, message, when)

    def _piece(self, inner: int) -> str:
        return f"conversation {self.number}, message {inner}"

    def _items(
        self, inner: int, node: str, message: Mapping[str, object], when: str
    ) -> Iterator[Item]:
        """Yield what *message* says, behind what was retrieved in parts of it that are a page's."""
        role, _ = _author(message)
        quotes = _quotes(message) if role != "tool" and not _why_not(message, role) else []
        for n, (kind, text) in enumerate(quotes, 1):
            own = f"{text_of(message, 'id') or node}.quote{n}"
            short = tool_results.shortened(text, _RESULT)
            heard = ImportedMessage(
                short, own, self.key, self.session, kind, "tool", when, kind,
                whole=text if text != short else "",
            )  # fmt: skip
            yield Item(self.name, self.number, heard, piece=self._piece(inner))
        yield self._item(inner, node, message, when)

    def _item(self, inner: int, node: str, message: Mapping[str, object], when: str) -> Item:
        piece, (role, tool), shown = self._piece(inner), _author(message), _shown(message)
        if why := _why_not(message, role):
            return Item(self.name, self.number, skipped=why, piece=piece, shown=shown)
        whole = _text(message, role)
        text = _in_short(message, role, whole)
        if not text:
            why = _why_empty(message)
            return Item(self.name, self.number, skipped=why, piece=piece, shown=shown)
        imported = ImportedMessage(
            text,
            text_of(message, "id") or node,
            self.key,
            self.session,
            tool or role,
            role,
            when,
            tool,
            whole=whole if role in {"assistant", "tool"} and text != whole else "",
        )
        return Item(self.name, self.number, imported, piece=piece, shown=shown)


def _shown(message: Mapping[str, object]) -> Shown | None:
    """Return what programs show in *message*, the assistant's memory of others among them."""
    role, tool = _author(message)
    why = _why_not(message, role)
    if why == _INSTRUCTIONS and role != "tool":
        return None  # a person typed them, too
    kind = text_of(_content(message), "content_type")
    is_own = (role == "assistant" and kind != _REMEMBERED) or (role == "user" and not why)
    texts = shown_texts.of(_beside(message), _OWN) if is_own else shown_texts.of(message)
    return Shown.of(tool or _PROGRAM, texts, _when(message.get("create_time")))


def _beside(message: Mapping[str, object]) -> Mapping[str, object]:
    """Return what of *message* is not what its author says in it."""
    content = _content(message)
    inner = objects_of(content.get("parts"))
    more = [it if _is_quote(it) else without(it, _SAID) for it in inner]
    return {**message, "content": {**without(content, _SAID), "parts": more}}


def _in_short(message: Mapping[str, object], role: str, text: str) -> str:
    """Return the *text* of *message*; calls of tools and their results in short."""
    recipient = text_of(message, "recipient")
    tool = "" if recipient == "all" else first_line(recipient, _CALL)
    if role == "assistant" and tool:
        return f"[{tool}: {first_line(text, _CALL)}]"
    return tool_results.shortened(text, _RESULT) if role == "tool" else text


def session_name(title: str, key: str) -> str:
    """Return what the session of a conversation is called; *key* makes it the only one."""
    digest = hashlib.sha256(key.encode("utf-8", "replace")).hexdigest()[:_DIGITS]
    return f"{slug(secrets.strip_private(title), _SLUG) or 'conversation'}-{digest}"


def _branch(tree: _Tree, end: str) -> list[str]:
    """Return the nodes from the root to *end*; to the newest leaf where *end* is none."""
    if end not in tree:
        parents = {text_of(node, "parent") for node in tree.values()}
        leaves = [at for at in tree if at not in parents]
        end = max(leaves or tree, key=lambda at: (_time(_message(tree[at])), at), default="")
    found: dict[str, None] = {}  # a tree that somebody bent into a ring ends, too
    while end in tree and end not in found:
        found[end] = None
        end = text_of(tree[end], "parent")
    return list(found)[::-1]


def _as_time_went(tree: _Tree) -> list[str]:
    """Return all nodes as time went; those without a time keep their place in the file."""
    times: dict[str, float] = {}
    last = 0.0
    for at, node in tree.items():
        last = _time(_message(node)) or last
        times[at] = last
    return sorted(tree, key=lambda at: times[at])


def _why_not(message: Mapping[str, object], role: str) -> str:
    """Say why *message* is none of the conversation, "" when it is one."""
    meta = message.get("metadata")
    meta = meta if isinstance(meta, dict) else {}
    kind = text_of(_content(message), "content_type")
    if kind in _UNSAID:
        return _UNSAID[kind]
    if meta.get("is_user_system_message"):
        return _INSTRUCTIONS
    if role not in {"user", "assistant", "tool"}:
        return "a system message"
    if meta.get("is_visually_hidden_from_conversation") or message.get("weight") == 0:
        return "hidden from the conversation"
    return ""


def _why_empty(message: Mapping[str, object]) -> str:
    """Say why *message* says nothing; one of a type that we cannot read is told by that type."""
    kind = text_of(_content(message), "content_type")
    if kind in _TALK:
        return "nothing said"
    return f"no text in it: {kind}" if _KIND.fullmatch(kind) else "no text in it"


def _author(message: Mapping[str, object]) -> tuple[str, str]:
    """Return the role of who wrote *message*, and which tool it was."""
    author = message.get("author")
    author = author if isinstance(author, dict) else {}
    role, name = text_of(author, "role"), first_line(text_of(author, "name"), _CALL)
    # Whoever the export calls its author, what was run or browsed was said by no person.
    if role in {"user", "assistant"}:
        is_named = speakers.of_line({"role": role, "name": name}) != "talker"
        if is_named or _is_retrieved(text_of(_content(message), "content_type")):
            role = "tool"
    return role, (name or "tool") if role == "tool" else ""


def _is_retrieved(kind: str) -> bool:
    return not _RETRIEVED.isdisjoint(kind.split("_"))


def _is_quote(part: Mapping[str, object]) -> bool:
    """Tell whether a *part* of what somebody says is of a page, or of a tool."""
    return _is_retrieved(text_of(part, "content_type")) or any(part.get(it) for it in _OF_A_PAGE)


def _quotes(message: Mapping[str, object]) -> list[tuple[str, str]]:
    """Return the type and the text of each part of *message* that is a page's, or a tool's."""
    quotes = filter(_is_quote, objects_of(_content(message).get("parts")))
    said = ((text_of(it, "content_type"), text_of(it, "text").strip()) for it in quotes)
    return [(first_line(kind, _CALL) or "tool", text) for kind, text in said if text]


def _text(message: Mapping[str, object], role: str) -> str:
    """Return what *message* says: in a tool's *role* also what it quotes."""
    content = _content(message)
    kind = content.get("content_type")
    if kind == "code":
        return text_of(content, "text").strip()
    # After parts: execution_output, tether_quote, tether_browsing_display, and what may come yet.
    found = map(content.get, _TEXTS)
    texts = ("\n\n".join(filter(None, _parts(value, role))) if isinstance(value, list)
             else as_text(value) for value in found)  # fmt: skip
    return _CITATION.sub("", next(filter(None, texts), "")).strip()


def _parts(parts: Sequence[object], role: str) -> Iterator[str]:
    for part in parts:
        if role == "tool" or not (isinstance(part, dict) and _is_quote(part)):
            yield _part(part)


def _part(part: object) -> str:
    if isinstance(part, dict):
        kind = text_of(part, "content_type")
        return text_of(part, "text") or _PLACE.get(kind, f"[{kind.partition('_')[0] or 'file'}]")
    return as_text(part)


def _message(node: Mapping[str, object]) -> Mapping[str, object]:
    found = node.get("message")
    return found if isinstance(found, dict) else {}


def _content(message: Mapping[str, object]) -> Mapping[str, object]:
    found = message.get("content")
    return found if isinstance(found, dict) else {}


def _time(message: Mapping[str, object]) -> float:
    found = message.get("create_time")
    return float(found) if isinstance(found, int | float) else 0.0


def _when(seconds: object) -> str:
    """Return Unix *seconds* as ISO 8601, "" for what is no time."""
    if not isinstance(seconds, int | float):
        return ""
    try:
        return iso(datetime.fromtimestamp(seconds, UTC))
    except (OverflowError, OSError, ValueError):
        return ""
