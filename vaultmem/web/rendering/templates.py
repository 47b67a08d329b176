"""The templates: where they are, and what every one of them may use."""

from __future__ import annotations

import functools
import re
from collections.abc import Iterator, Mapping
from datetime import datetime
from urllib.parse import quote, urlencode

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup, escape

from vaultmem.api.rendering import public_text, visible_text
from vaultmem.records import first_line
from vaultmem.web.rendering import markdown, operations, times

_WORDS = re.compile(r"\w{2,}")
_MOST_WORDS = 12
_SMALL = frozenset({
    "a", "an", "and", "are", "as", "at", "be", "but", "by", "can", "did", "do", "does", "for",
    "from", "had", "has", "have", "how", "i", "in", "is", "it", "its", "me", "my", "of", "on",
    "or", "our", "she", "he", "so", "that", "the", "their", "them", "then", "there", "they",
    "this", "to", "was", "we", "were", "what", "when", "where", "which", "who", "whom", "whose",
    "why", "will", "with", "would", "you", "your",
})  # fmt: skip
_TICKS = re.compile(r"`([^`\n]+)`")


@functools.cache
def environment() -> Environment:
    """Return what renders templates; what a template forgets to name is an error."""
    made = Environment(
        loader=PackageLoader("vaultmem.web"), autoescape=True, undefined=StrictUndefined,
        trim_blocks=True, lstrip_blocks=True,
    )  # fmt: skip
    made.filters |= {
        "line": first_line, "day": times.day, "exact": times.exact, "clock": times.clock,
        "sentence": operations.sentence, "operation": operations.kind, "marked": marked,
        "counted": counted, "seen": visible_text, "public": public_text, "number": number,
        "stem": stem, "ticked": ticked, "path_label": path_label,
    }  # fmt: skip
    return made


def url(as_of: str, path: str, /, **fields: object) -> str:
    """Return the address of a page, at the moment *as_of*."""
    said = {name: str(value) for name, value in fields.items() if value not in {"", None}}
    if as_of:
        said["as_of"] = as_of
    return f"{quote(path)}?{urlencode(said)}" if said else quote(path)


def file_url(as_of: str, path: str) -> str:
    """Return the address of a file's page, at the moment *as_of*."""
    return url(as_of, f"/file/{path}")


def time_tag(text: str, now: datetime) -> Markup:
    """Return a time as people say it, with the exact one to be seen by pointing at it."""
    if not text:
        return Markup("")
    exact, told = times.exact(text), times.ago(text, now)
    return Markup('<time datetime="{}" title="{}">{}</time>').format(text, exact, told)


def marked(text: str, query: str) -> Markup:
    """Return *text* with the words of *query* marked, by their first letters."""
    words = sorted(set(_stems(query)), key=len, reverse=True)
    shown = visible_text(text)
    if not words:
        return escape(shown)
    pattern = "|".join(words[:_MOST_WORDS])
    found = re.compile(rf"(?<!\w)(?:{pattern})|[{_cjk(query)}]+", re.IGNORECASE)
    parts, end = [], 0
    for match in found.finditer(shown):
        parts += [escape(shown[end : match.start()]), Markup("<mark>{}</mark>").format(match[0])]
        end = match.end()
    return Markup("").join([*parts, escape(shown[end:])])


def _stems(query: str) -> Iterator[str]:
    """Yield the words to mark: long ones without their ends, short ones whole, small ones never."""
    for word in _WORDS.findall(query.casefold()):
        if word not in _SMALL:
            yield rf"{re.escape(word[:6])}\w*" if len(word) > 4 else rf"{re.escape(word)}s?\b"  # noqa: PLR2004  # letters


def _cjk(query: str) -> str:
    letters = {c for c in query if "\u3040" <= c <= "\u9fff" or "\uac00" <= c <= "\ud7af"}
    return "".join(sorted(letters)) or "\0"


def ticked(text: str) -> Markup:
    """Return *text* with what stands in backticks as code."""
    return Markup(_TICKS.sub(r"<code>\1</code>", str(escape(visible_text(text)))))  # noqa: S704  # escaped first


def counted(count: int, noun: str, plural: str = "") -> str:
    """Return `1 memory`, `2 memories`."""
    many = plural or (f"{noun[:-1]}ies" if noun.endswith("y") and noun != "day" else f"{noun}s")
    return f"{number(count)} {noun if count == 1 else many}"


def number(count: int) -> str:
    """Return a number with thin spaces between thousands: 100 000."""
    return f"{count:,}".replace(",", "\u202f")


def stem(path: str) -> str:
    """Return a file's name without folder and suffix."""
    return path.rpartition("/")[2].removesuffix(".md")


def path_label(path: str) -> str:
    """Return how a file is called where there is no title: its name, hyphens as spaces."""
    name = re.sub(r"^\d{8}-\d{6}-", "", stem(path))
    return re.sub(r"-[0-9a-z]{6}$", "", name).replace("-", " ").replace("_", " ") or path


def shared(as_of: str, now: datetime) -> Mapping[str, object]:
    """Return what templates call that depends on the moment that is shown."""
    return {
        "url": functools.partial(url, as_of),
        "now_url": functools.partial(url, ""),
        "file_url": functools.partial(file_url, as_of),
        "ago": functools.partial(time_tag, now=now),
        "address": markdown.address,
    }
