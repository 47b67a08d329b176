"""Markdown as HTML that loads nothing and does nothing: links say where they go.

What is written in a vault may be anybody's. HTML in it is text; pictures are links; what is made is
cleaned once more at the end.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from html import escape
from pathlib import PurePosixPath
from typing import Literal
from urllib.parse import quote, unquote, urlsplit

import nh3
from markdown_it import MarkdownIt
from markdown_it.renderer import RendererHTML
from markdown_it.rules_inline import StateInline
from markdown_it.token import Token
from markdown_it.utils import EnvType, OptionsDict
from markupsafe import Markup

from vaultmem.api.rendering import visible_text

_TIMED = re.compile(r"(?:^|/)\d{8}-\d{6}-")
_WIKI = re.compile(r"\[\[([^\[\]\n|]{1,300})(?:\|([^\[\]\n]{1,300}))?\]\]")
_LINK = re.compile(r"\]\(([^()\s]+\.(?:md|jsonl))(?:#[^()\s]*)?\)")
_OURS = re.compile(r"^[ \t]*<!--\s*vaultmem:(?:begin|end)\s*-->[ \t]*$", re.MULTILINE)
_WEB = frozenset({"http", "https", "mailto"})
_CLASSES = {
    "a": {"wiki", "gone", "ext", "why", "pic"},
    "span": {"gone", "host", "said-line"},
}
_TAGS = frozenset({
    "a", "p", "br", "em", "strong", "s", "del", "code", "pre", "blockquote", "ul", "ol", "li",
    "h1", "h2", "h3", "h4", "h5", "h6", "hr", "span", "table", "thead", "tbody", "tr", "th", "td",
})  # fmt: skip
_ATTRIBUTES = {"a": {"href", "title"}, "ol": {"start"}, "th": {"align"}, "td": {"align"}}
LONGEST = 400_000
"""Characters that are rendered; of a longer text the rest is read in its source."""


@dataclass(frozen=True, slots=True)
class Context:
    """What a text is rendered for: where it lies, where its links lead, and where lines are asked.

    *url* makes an address of a path in the vault; *why*, where there is one, that of the question
    where a line (of the file, counted from 1) comes from. *first_line* is that of the text.
    *titles* are what files are called, by path: a link to a memory is called by what that says.
    """

    path: str
    links: Mapping[str, str]
    url: Callable[[str], str]
    why: Callable[[int], str] | None = None
    first_line: int = 1
    titles: Mapping[str, str] = field(default_factory=dict)


def linked(text: str, path: str = "") -> list[str]:
    """Return what the links in *text*, which the file at *path* says, name: to be resolved."""
    wiki = [_target(found) for found, _ in _WIKI.findall(text)]
    plain = [inside for found in _LINK.findall(text) if (inside := _relative(found, path))]
    return list(dict.fromkeys((*wiki, *plain)))


def _target(name: str) -> str:
    return name.partition("#")[0].strip().removesuffix(".md")


def _relative(href: str, path: str) -> str:
    """Return the path in the vault, without `.md`, that a relative link leads to; "" for none."""
    parts = urlsplit(href)
    if parts.scheme or parts.netloc or href.startswith(("/", "#")):
        return ""
    found: list[str] = []
    for part in (PurePosixPath(path).parent / unquote(parts.path)).parts:
        if part == "..":
            if not found:
                return ""
            found.pop()
        elif part != ".":
            found.append(part)
    return "/".join(found).removesuffix(".md")


def html(text: str, context: Context) -> Markup:
    """Return *text* as HTML."""
    shown = _OURS.sub("", visible_text(text[:LONGEST]))
    made = _PARSER.render(shown, {"context": context})
    clean = nh3.clean(
        made, tags=set(_TAGS), attributes={k: set(v) for k, v in _ATTRIBUTES.items()},
        allowed_classes={k: set(v) for k, v in _CLASSES.items()}, url_schemes=set(_WEB),
        link_rel="noopener noreferrer nofollow",
    )  # fmt: skip
    return Markup(clean)  # noqa: S704  # nh3 has just cleaned it


# --- what is ours in it -----------------------------------------------------------------------


def _wikilink(state: StateInline, silent: bool) -> bool:  # noqa: FBT001  # as the parser calls it
    found = _WIKI.match(state.src, state.pos)
    if not found:
        return False
    if not silent:
        token = state.push("wikilink", "a", 0)
        token.meta = {"target": _target(found[1]), "text": found[1].strip(), "label": found[2]}
    state.pos = found.end()
    return True


def _context(env: EnvType) -> Context:
    found = env["context"]
    assert isinstance(found, Context)  # noqa: S101  # `html` has just put it there
    return found


def _render_wikilink(
    _self: RendererHTML, tokens: Sequence[Token], at: int, _options: OptionsDict, env: EnvType
) -> str:
    context, meta = _context(env), tokens[at].meta
    path = context.links.get(meta["target"])
    text = escape(_called(meta, context.titles.get(path or "", "")))
    if path is None:
        return f'<span class="gone" title="nothing here is called so">{text}</span>'
    return f'<a class="wiki" href="{escape(context.url(path))}">{text}</a>'


def _called(meta: Mapping[str, str], title: str) -> str:
    """Return the text of a link: its own, else the name, but the *title* for a name with a time."""
    name = meta["text"].removesuffix(".md")
    own = (meta["label"] or "").strip()
    return own or (title if _TIMED.search(name) else "") or name


def _render_image(
    _self: RendererHTML, tokens: Sequence[Token], at: int, _options: OptionsDict, _env: EnvType
) -> str:
    token = tokens[at]
    source = str(token.attrs.get("src", ""))
    text = escape(token.content or "picture")
    if urlsplit(source).scheme not in _WEB:
        return f'<span class="gone" title="pictures are not shown">{text}</span>'
    return f'<a class="pic" href="{escape(source)}">{text}</a>{_host(source)}'


def _render_link_open(
    self: RendererHTML, tokens: Sequence[Token], at: int, options: OptionsDict, env: EnvType
) -> str:
    token, context = tokens[at], _context(env)
    href = str(token.attrs.get("href", ""))
    inside = _relative(href, context.path)
    if inside and inside in context.links:
        token.attrs["href"] = context.url(context.links[inside])
        token.attrSet("class", "wiki")
    elif urlsplit(href).scheme in _WEB:
        token.attrSet("class", "ext")
    else:
        token.attrs["href"] = ""
        token.attrSet("class", "gone")
    return self.renderToken(tokens, at, options, env)


def _render_link_close(
    self: RendererHTML, tokens: Sequence[Token], at: int, options: OptionsDict, env: EnvType
) -> str:
    opened = next((t for t in reversed(tokens[:at]) if t.type == "link_open"), None)
    href = str(opened.attrs.get("href", "")) if opened else ""
    tail = _host(href) if urlsplit(href).scheme in _WEB else ""
    return self.renderToken(tokens, at, options, env) + tail


def _host(href: str) -> str:
    parts = urlsplit(href)
    return f' <span class="host">{escape(parts.netloc or parts.path)}</span>'


def _render_softbreak(
    _self: RendererHTML, _tokens: Sequence[Token], _at: int, _options: OptionsDict, _env: EnvType
) -> str:
    return "<br>\n"  # one sentence a line: each of them stays one


def _with_whys(state: object) -> None:
    """Put behind each line of text, outside of headings, the question where it comes from."""
    tokens: list[Token] = state.tokens  # type: ignore[attr-defined]
    context = _context(state.env)  # type: ignore[attr-defined]
    if context.why is None:
        return
    in_heading = False
    for token in tokens:
        in_heading = token.type == "heading_open" or (in_heading and token.type != "heading_close")
        if token.type == "inline" and token.map and token.children and not in_heading:
            line = token.map[0] + context.first_line
            token.children = [*_asked(token.children, line, context.why)]


def _asked(children: Sequence[Token], line: int, why: Callable[[int], str]) -> list[Token]:
    lines: list[list[Token]] = [[]]
    for child in children:
        if child.type in {"softbreak", "hardbreak"} and not child.level:
            lines.append([])
        else:
            lines[-1].append(child)
    many = len(lines) > 1
    return [
        token
        for n, tokens in enumerate(lines)
        for token in (*_LINE[:many], *tokens, _why(why(line + n)), *_LINE[1 : 1 + many])
    ]


def _line_token(kind: str, nesting: Literal[1, -1]) -> Token:
    token = Token(kind, "span", nesting)
    if nesting == 1:
        token.attrs["class"] = "said-line"
    return token


_LINE = (_line_token("line_open", 1), _line_token("line_close", -1))
"""What stands around a line of several, each of which is asked about by itself."""


def _why(address: str) -> Token:
    token = Token("why", "a", 0)
    token.meta = {"href": address}
    return token


def _render_why(
    _self: RendererHTML, tokens: Sequence[Token], at: int, _options: OptionsDict, _env: EnvType
) -> str:
    href = escape(tokens[at].meta["href"])
    return f' <a class="why" href="{href}" title="Where this comes from">why</a>'


def _safe(_url: str) -> bool:
    return True  # every link is looked at when it is rendered, and once more by nh3


def _parser() -> MarkdownIt:
    made = MarkdownIt("commonmark", {"html": False, "linkify": False, "maxNesting": 30})
    made.enable(["table", "strikethrough"])
    made.validateLink = _safe  # type: ignore[method-assign,assignment]
    made.inline.ruler.before("link", "wikilink", _wikilink)
    made.core.ruler.push("whys", _with_whys)
    for name, rule in (
        ("wikilink", _render_wikilink), ("image", _render_image), ("why", _render_why),
        ("link_open", _render_link_open), ("link_close", _render_link_close),
        ("softbreak", _render_softbreak),
    ):  # fmt: skip
        made.add_render_rule(name, rule)
    return made


_PARSER = _parser()


def address(path: str) -> str:
    """Return where the page of the file at *path* is, from the top of this server."""
    return f"/file/{quote(path)}"
