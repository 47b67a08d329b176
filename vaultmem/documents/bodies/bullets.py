r"""Write any text as Markdown that says the same on one line, and read it back.

Escaped is only what would be read as something else. A code span stands as it is on both ways, so
that `\d+\.` in one keeps its backslashes.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from typing import Literal

from vaultmem.documents.markdown.outline import Entry, Line

_CODE = r"(?<!`)(`+)(?!`).*?[^`]\1(?!`)"
_PUNCTUATION = r"[!-/:-@\[-`{-~]"
_BACKSLASH = re.compile(rf"{_CODE}|\\(?={_PUNCTUATION}|\Z)")
_ESCAPE = re.compile(rf"{_CODE}|\\({_PUNCTUATION})")
_CODE_FIRST = re.compile(_CODE)
_MARK = r"\#+(?=\s|\Z) | > | ([-*_=])(?:\s*\1)*\Z | ~~~ | `{3,}[^`]*\Z | <!--"
_LINE_MARK = re.compile(_MARK, re.VERBOSE)
_BULLET_MARK = re.compile(rf"{_MARK} | [-+*](?=\s|\Z)", re.VERBOSE)
# What no file can hold, or no editor shows.
_DROPPED = frozenset({"Cc", "Cs"})


def normal(text: str) -> str:
    """Return *text* on one line, with single spaces and without control characters."""
    kept = (c for c in text if c.isspace() or unicodedata.category(c) not in _DROPPED)
    return " ".join("".join(kept).split())


def normal_lines(text: str) -> str:
    """Return *text* with each line normal, and without blank ones."""
    return "\n".join(line for line in map(normal, text.split("\n")) if line)


def inline(text: str) -> str:
    """Return the Markdown that says the normal *text* in the middle of a line."""
    return _BACKSLASH.sub(lambda found: found[0] if found[1] else r"\\", text)


def at_bullet(text: str) -> str:
    """Return the Markdown that says the normal *text* behind a bullet."""
    return "\\" * bool(_BULLET_MARK.match(text)) + inline(text)


def at_line(text: str) -> str:
    """Return the Markdown that says the normal *text* on a line of its own; a bullet stays one."""
    return "\\" * bool(_LINE_MARK.match(text)) + inline(text)


def prose_lines(text: str) -> list[str]:
    """Return the lines of Markdown that say *text*, a line for each of its lines."""
    return [at_line(line) for line in normal_lines(text).split("\n") if line]


def plain_text(markdown: str) -> str:
    """Return the normal text that *markdown* says."""
    return normal(_ESCAPE.sub(lambda found: found[0] if found[1] else found[2], markdown))


def code(name: str) -> str:
    """Return the normal *name* as a code span."""
    fence = "`" * (1 + max((len(run) for run in re.findall("`+", name)), default=0))
    room = " " * (name.startswith("`") or name.endswith("`"))
    return f"{fence}{room}{name}{room}{fence}"


def leading_code(markdown: str) -> tuple[str, str]:
    """Return the content of the code span that *markdown* begins with, and what follows it."""
    found = _CODE_FIRST.match(markdown)
    if found is None:
        return "", markdown
    width = len(found[1])
    return normal(found[0][width:-width]), markdown[found.end() :]


Part = Literal["box", "name", "why", "must", "how to apply", "result", "sources"]
Parts = AbstractSet[Part]
Label = Literal["why", "must", "how to apply", "result"]

LABELS: tuple[Label, ...] = ("why", "must", "how to apply")
OUTCOMES = ("result", "error")
"""How the result of what has a box is labelled: by its mark, whatever a person wrote."""
BOX = re.compile(r"\[(.)\](?:\s+|\Z)")
OPEN, FAILED = " ", "-"
"""The marks in a box of what is not begun, and of what came to an error."""

_LINK = r"\[\[[^\[\]`]+\]\]"
_TAIL = re.compile(rf"(?<!\S)\(\s*{_LINK}(?:[\s,;]*{_LINK})*\s*\)\s*\Z")
_TARGET = re.compile(r"\[\[([^\[\]`|]+?)\\?[\]|]")
_NO_TARGET = re.compile(r"[\[\]`|]")
_COLON = re.compile(r"\A\s*:?\s*")


@dataclass(frozen=True, slots=True)
class Bullet:
    """What a bullet can say: a text and, where its section has them, further parts."""

    text: str
    name: str = ""
    why: str = ""
    must: str = ""
    how: str = ""
    sources: tuple[str, ...] = ()
    mark: str = ""
    result: str = ""

    def __bool__(self) -> bool:
        """Whether it says anything."""
        parts = (self.text, self.name, self.why, self.must, self.how, self.sources, self.result)
        return any(parts)

    def normal(self) -> Bullet:
        """Return it as it is once written and read back."""
        texts = (self.text, self.name, self.why, self.must, self.how, self.result)
        text, name, why, must, how, result = map(normal, texts)
        targets = (normal(_NO_TARGET.sub("", source)) for source in self.sources)
        return Bullet(text, name, why, must, how, tuple(filter(None, targets)), self.mark, result)

    def labelled(self, label: Label) -> str:
        """Return the part that *label* names."""
        parts = {"why": self.why, "must": self.must, "how to apply": self.how}
        return {**parts, "result": self.result}[label]


def write(bullet: Bullet, parts: Parts, lead: str = "- ") -> list[str]:
    """Return the lines of a normal *bullet*, the first one behind *lead*."""
    text = at_bullet(bullet.text)
    if "name" in parts:
        text = _named(bullet.name, text)
    if "sources" in parts:
        text = sourced(text, bullet.sources)
    box = f"[{bullet.mark}] " * bool(bullet.mark)
    nested = (labelled(bullet, label, f"  {lead}") for label in (*LABELS, "result"))
    return [(lead + box + text).rstrip(), *filter(None, nested)]


def labelled(bullet: Bullet, label: Label, lead: str) -> str:
    """Return the line that says what *label* names, behind *lead*; "" for nothing."""
    text = bullet.labelled(label)
    called = "error" if label == "result" and bullet.mark == FAILED else label
    return f"{lead}**{called.capitalize()}:** {inline(text)}" if text else ""


def sourced(text: str, sources: Sequence[str]) -> str:
    """Return the Markdown *text* with *sources* behind it as wikilinks."""
    own = _TAIL.search(text)
    if own:  # links in parentheses that belong to the text
        text = f"{text[: own.start()]}\\{text[own.start() :]}"
    links = ", ".join(f"[[{source}]]" for source in sources)
    return f"{text} ({links})".lstrip() if links else text


def unsourced(text: str) -> tuple[str, tuple[str, ...]]:
    """Return the Markdown *text* without the sources at its end, and these."""
    found = _TAIL.search(text)
    if found is None:
        return text, ()
    targets = (normal(target) for target in _TARGET.findall(found[0]))
    return text[: found.start()].rstrip(), tuple(target for target in targets if target)


def read(entry: Entry, parts: Parts) -> Bullet:
    """Return what *entry* says; only *parts* are told apart from its text."""
    text, name, mark = own_text(entry), "", ""
    text, sources = unsourced(text) if "sources" in parts else (text, ())
    if "box" in parts:
        box = BOX.match(text)
        mark, text = (box[1].lower(), text[box.end() :]) if box else (OPEN, text)
    if "name" in parts:
        name, text = leading_code(text)
        text = _COLON.sub("", text)
    why, must, how = (_labelled(entry.nested.get(label, ())) for label in LABELS)
    result = _labelled([line for label in OUTCOMES for line in entry.nested.get(label, ())])
    return Bullet(plain_text(text), name, why, must, how, sources, mark, result)


def own_text(entry: Entry) -> str:
    """Return the Markdown of *entry* itself, on one line."""
    return " ".join(line.text for line in entry.own)


def _named(name: str, text: str) -> str:
    """Return a result's *text* behind its *name*; a bare colon where a nameless one needs it."""
    if name:
        return f"{code(name)}: {text}" if text else code(name)
    return f": {text}" if text.startswith(("`", ":")) else text


def _labelled(lines: Sequence[Line]) -> str:
    return plain_text(" ".join(line.label()[1] for line in lines))
