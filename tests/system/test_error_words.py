"""What the rooms say is said to people at a terminal, to programs and to models alike."""

from __future__ import annotations

import ast
import importlib
import importlib.util
import re
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import pytest

import vaultmem

pytestmark = pytest.mark.without_history

_ROOMS = ("api", "documents", "exchange", "knowledge", "maintenance", "memory", "models", "nlp",
          "retrieval", "storage")  # fmt: skip
_OF_NOTES = "api/at_commands.py"  # `@remember --agent ada …`, which people write into a note
_COMMAND = re.compile(r"`(?:vaultmem|git|pip) [^`]*`")
_OPTION = re.compile(r"(?<![\w-])--[a-z]")


def _sentences(tree: ast.AST) -> Iterator[str]:
    """Yield every text of a module but its docstrings, what is filled in left open."""
    if isinstance(tree, ast.JoinedStr):
        yield "".join(str(it.value) if isinstance(it, ast.Constant) else "{}" for it in tree.values)
        return
    if isinstance(tree, ast.Constant) and isinstance(tree.value, str):
        yield tree.value
    for node in ast.iter_child_nodes(tree):
        if not (isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)):
            yield from _sentences(node)


@pytest.mark.long
def test_an_option_stands_in_no_sentence_but_within_a_whole_command() -> None:
    """Who calls from Python or over MCP has none; a command that is whole can be run by anybody."""
    top = Path(vaultmem.__file__).parent
    paths = (*top.glob("*.py"), *(path for room in _ROOMS for path in (top / room).rglob("*.py")))
    found = [
        f"{path.relative_to(top)}: {text}"
        for path in paths
        if path != top / _OF_NOTES and _OPTION.search(source := path.read_text(encoding="utf-8"))
        for text in _sentences(ast.parse(source))
        if " " in text and not text.startswith("--") and _OPTION.search(_COMMAND.sub("", text))
    ]
    assert found == []


_DOTTED = re.compile(r"\bvaultmem(?:\.[A-Za-z_]\w*)+")
_IMPORT = re.compile(r"^ *(?:from|import) .*", re.MULTILINE)
_FILES = frozenset({"vaultmem.css", "vaultmem.json"})


def _is_there(name: str) -> bool:
    """Tell whether a dotted *name* can be imported, or is of what can; none of an extra's is."""
    place: object = vaultmem
    path, *parts = name.split(".")
    for n, part in enumerate(parts):
        path = f"{path}.{part}"
        if hasattr(place, part):
            place = getattr(place, part)
        elif not isinstance(place, ModuleType) or importlib.util.find_spec(path) is None:
            return False
        elif n + 1 < len(parts):
            place = importlib.import_module(path)
    return True


@pytest.mark.long
def test_a_dotted_name_that_a_text_tells_is_there() -> None:
    """Who follows a sentence, a docstring or the manual finds what it names."""
    top = Path(vaultmem.__file__).parent
    told: dict[str, Path] = {}
    for path in top.rglob("*.py"):
        source = path.read_text()
        if not _DOTTED.search(_IMPORT.sub("", source)):
            continue
        for node in ast.walk(ast.parse(source)):
            if isinstance(node, ast.Constant) and " " in (text := str(node.value)):
                told |= dict.fromkeys(_DOTTED.findall(text), path)
    for path in (top / "manual").glob("*.md"):
        told |= dict.fromkeys(_DOTTED.findall(path.read_text()), path)
    assert "vaultmem.AsyncVault" in told
    assert {n: p for n, p in told.items() if n not in _FILES and not _is_there(n)} == {}
