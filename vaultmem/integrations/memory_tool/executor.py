"""Carry a command out on a vault, and answer in the tool's own words; what fails is a ToolError.

No other error leaves, and none that names a place on the host: a model reads it.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Sequence
from dataclasses import replace

from anthropic.tools import ToolError

from vaultmem.api.agent_files import (
    InTheWay,
    IsFolder,
    LedOut,
    ManyMatches,
    Missing,
    NoMatch,
    NoSuchLine,
    Reached,
    paths,
)
from vaultmem.api.agent_files.directory import Directory
from vaultmem.api.agent_files.fenced_page import fenced
from vaultmem.api.agent_files.service import Reach
from vaultmem.api.rendering import left_out, public_text
from vaultmem.errors import NameTaken, Unreadable, VaultError
from vaultmem.integrations.memory_tool import commands
from vaultmem.integrations.memory_tool import messages as memory_tool_messages
from vaultmem.integrations.memory_tool.commands import (
    MEMORIES,
    Command,
    Create,
    Delete,
    Insert,
    Rename,
    Replace,
    View,
)
from vaultmem.integrations.model_sentences import for_model
from vaultmem.records import TRUST

_LONGEST = 2000
"""Characters of what a model said that an answer repeats."""
_SENTENCES: dict[type[VaultError], str] = {
    IsFolder: memory_tool_messages.NO_FILE,
    LedOut: memory_tool_messages.ESCAPES,
    NoMatch: memory_tool_messages.NO_MATCH,
    ManyMatches: memory_tool_messages.MATCHES,
    NoSuchLine: memory_tool_messages.NO_LINE,
}
_ABSENT: dict[type[Command], str] = {
    View: memory_tool_messages.MISSING,
    Replace: f"Error: {memory_tool_messages.MISSING}",
}
_KEEP_IT = "keep it as"
_REASON = "memory tool: {verb} {path}"


def answer(reach: Reach, said: object, word: Callable[[str], str] = for_model) -> str:
    """Return what the tool answers to *said*; raises ToolError, and nothing else.

    *word* says how a model hears of commands: it has no shell, so they are a person's, or a tool.
    """
    try:
        command = commands.read(said)
        told = _answered(command, Directory(reach), reach, word)
    except VaultError as e:
        raise _error(word(str(e)), reach) from e
    private = left_out(*_texts(command))
    return f"{told}\n{private}" if private else told


def _texts(command: Command) -> tuple[str, ...]:
    """Return what *command* wants to be kept."""
    match command:
        case Create(text=text) | Insert(text=text) | Replace(new=text):
            return (text,)
    return ()


def _answered(command: Command, there: Directory, reach: Reach, word: Callable[[str], str]) -> str:
    try:
        return _done(command, there)
    except VaultError as e:
        told = _worded(e, command, there) or word(_by_paths_here(str(e), command, there))
        raise _error(told, reach) from e


def _by_paths_here(text: str, command: Command, there: Directory) -> str:
    """Return the *text* of an error with the paths that Claude uses, and a name that is taken."""
    inner = [_inner(path) for path in _paths(command)]
    named = sorted((path for path in inner if "." in path or "/" in path), key=len, reverse=True)
    below = (rf"(?={re.escape(path)}/\w)" for path in inner if path)
    alone = (rf"(?={re.escape(path)}(?![\w/-]))" for path in named)
    ways = [re.escape(f"{there.home}/"), *alone, *below]
    told = re.sub(rf"(?<![\w/.-])(?:{'|'.join(ways)})", f"{MEMORIES}/", text)
    better = paths.fitting(inner[-1]) if isinstance(command, Create | Rename) else ""
    if not better or _KEEP_IT in told:
        return told
    return f"{told}: {_KEEP_IT} {MEMORIES}/{better}"


def _paths(command: Command) -> tuple[str, ...]:
    """Return the paths that *command* names; what it makes is the last."""
    return (command.path, command.new) if isinstance(command, Rename) else (command.path,)


def _error(message: str, reach: Reach) -> ToolError:
    """Return *message* as an error that a model may read: no half characters, no host's path."""
    text = public_text(message.encode("utf-8", "backslashreplace").decode())
    return ToolError(text.replace(str(reach.root), MEMORIES))


def _done(command: Command, there: Directory) -> str:
    match command:
        case View():
            return _view(command, there)
        case Create(path, text):
            made = there.create(_inner(path), text, reason=_reason("create", path))
            sentence = memory_tool_messages.CREATED.format(path=path.rstrip("/"))
            return _with_unkept(_with_tool(sentence, made), made)
        case Replace():
            return _replace(command, there)
        case Insert(path, line, text):
            made = there.insert(_file(path, there), line, text, reason=_reason("insert into", path))
            return _with_tool(memory_tool_messages.EDITED.format(path=path), made)
        case Delete(path):
            inner, why = _below(path, there, "delete"), "through the memory tool"
            there.remove(inner, reason=why, subject=_reason("delete", path))
            return memory_tool_messages.DELETED.format(path=path)
        case Rename():
            return _rename(command, there)


def _with_tool(sentence: str, made: Reached) -> str:
    """Return the *sentence*, and whose words the file has where they are a tool's."""
    quotes = memory_tool_messages.QUOTES.format(tool=made.quotes)
    return f"{sentence}\n{quotes}" if made.quotes else sentence


def _with_unkept(sentence: str, made: Reached) -> str:
    """Return the *sentence*, and which fields of its frontmatter the file did not get."""
    unkept = memory_tool_messages.UNKEPT.format(fields=", ".join(made.unkept))
    return f"{sentence}\n{unkept}" if made.unkept else sentence


def _view(view: View, there: Directory) -> str:
    inner = _inner(view.path)
    if there.is_folder(inner):
        return memory_tool_messages.folder(view.path, inner, there.entries(inner))
    page = there.page(inner)
    lines = page.text.split("\n")
    if len(lines) > memory_tool_messages.MOST_LINES:
        raise ToolError(memory_tool_messages.TOO_LONG.format(path=view.path))
    last = len(lines) if view.last == -1 else view.last
    if view.first > len(lines):
        return memory_tool_messages.behind(view.path, len(lines))
    told = memory_tool_messages.file(view.path, lines[view.first - 1 : last], view.first)
    if page.trust != TRUST[0]:  # byte for byte: an edit names what stands there
        return told
    return fenced(replace(page, text=told, frontmatter={})).text


def _replace(edit: Replace, there: Directory) -> str:
    inner = _file(edit.path, there)
    before = there.page(inner).text
    made = there.str_replace(inner, edit.old, edit.new, reason=_reason("edit", edit.path))
    if made.quotes:  # what is not trusted is not shown
        return _with_tool(memory_tool_messages.EDITED.format(path=edit.path), made)
    line = before.count("\n", 0, max(before.find(edit.old), 0))
    return memory_tool_messages.snippet(there.page(inner).text, line)


def _rename(rename: Rename, there: Directory) -> str:
    old, new = _below(rename.path, there, "rename"), _inner(rename.new)
    if not new:
        raise NameTaken(rename.new)
    done = there.rename(old, new, reason=_reason("rename", rename.path))
    renamed = memory_tool_messages.RENAMED.format(old=rename.path, new=rename.new)
    sentence = _with_tool(renamed, done)
    links = ", ".join(f"{MEMORIES}/{there.shown(path)}" for path in done.links)
    return f"{sentence}\n{memory_tool_messages.LINKS.format(files=links)}" if links else sentence


def _reason(verb: str, path: str) -> str:
    return _REASON.format(verb=verb, path=path.removeprefix(MEMORIES).strip("/")[:100])


# --- paths --------------------------------------------------------------------------------------


def _inner(path: str) -> str:
    """Return the path in the directory for one below `/memories`; raises ToolError."""
    if path != MEMORIES and not path.startswith(f"{MEMORIES}/"):
        raise ToolError(memory_tool_messages.OUTSIDE.format(path=_short(path)))
    inner = _within(path.removeprefix(MEMORIES).split("/"))
    if inner is None or "%2e" in path.casefold():
        raise ToolError(memory_tool_messages.ESCAPES.format(path=_short(path)))
    if "\\" in path:
        raise ToolError(memory_tool_messages.BACKSLASH.format(path=_short(path)))
    return unicodedata.normalize("NFC", inner)


def _within(parts: Sequence[str]) -> str | None:
    """Return where the *parts* of a path lead without `.` and `..`, None for a way out.

    No link is ever followed, so the letters alone decide, and a slash behind a name says nothing.
    """
    way: list[str] = []
    for part in parts:
        if part == "..":
            if not way:
                return None
            way.pop()
        elif part not in {"", "."}:
            way.append(part)
    return "/".join(way)


def _below(path: str, there: Directory, verb: str) -> str:
    """Return the path in the directory of what can be taken away: not all of it."""
    inner = _inner(path)
    if not inner:
        raise ToolError(memory_tool_messages.ROOT_STAYS.format(verb=verb))
    if there.holds_home(inner):
        raise ToolError(memory_tool_messages.HOLDS_ALL.format(verb=verb, path=_short(path)))
    return inner


def _file(path: str, there: Directory) -> str:
    """Return the path in the directory of what must be a file."""
    inner = _inner(path)
    if there.is_folder(inner):
        raise IsFolder(inner)
    return inner


# --- errors -------------------------------------------------------------------------------------


def _worded(error: VaultError, command: Command, there: Directory) -> str:
    """Return the documented sentence for *error*, "" where there is none."""
    moved = isinstance(command, Rename) and isinstance(error, NameTaken)
    path = command.new if isinstance(command, Rename) and moved else command.path
    line = error.line if isinstance(error, NoSuchLine) else 0
    if isinstance(error, InTheWay):
        other = f"{MEMORIES}/{there.shown(error.other)}"
        told = memory_tool_messages.IN_THE_WAY.format(path=_short(path), other=other, why=error.why)
        by_case = len({_inner(each).casefold() for each in _paths(command)}) == 1 and moved
        return f"{told}: {memory_tool_messages.BY_ANOTHER}" if by_case else told
    return _sentence(error, command).format(
        path=_short(path), old=_short(getattr(error, "quoted", "")), line=line, lines=_lines(error)
    )


def _sentence(error: VaultError, command: Command) -> str:
    match error:
        case Missing():
            return _ABSENT.get(type(command), memory_tool_messages.NOT_THERE)
        case NameTaken():
            return (
                memory_tool_messages.DESTINATION
                if isinstance(command, Rename)
                else memory_tool_messages.TAKEN
            )
        case Unreadable(code="encoding"):
            return memory_tool_messages.NO_TEXT
    return _SENTENCES.get(type(error), "")


def _lines(error: VaultError) -> str:
    """Return the lines that *error* names, or how many there are."""
    match error:
        case ManyMatches(lines=found):
            return ", ".join(map(str, found))
        case NoSuchLine(lines=count):
            return str(count)
    return ""


def _short(text: str) -> str:
    """Return a name as an answer can hold it: without half characters, and not too long."""
    whole = text.encode("utf-8", "backslashreplace").decode()
    return whole if len(whole) <= _LONGEST else f"{whole[:_LONGEST]}…"
