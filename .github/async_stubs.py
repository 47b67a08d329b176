"""Write `vaultmem/api/async_api.pyi`: `Vault` and `Memory` as type checkers see them for asyncio.

python .github/async_stubs.py

At run time each call goes to a thread by its name. What may be called is read here from the source
of the classes: every public method becomes a coroutine function with the same arguments, a property
an awaitable, a part a class of its own.
"""

from __future__ import annotations

import ast
import builtins
import importlib
import inspect
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from types import ModuleType
from typing import cast

_STUB = Path(__file__).parents[1] / "vaultmem/api/async_api.pyi"
_ROOTS = {
    "AsyncVault": "vaultmem.api.vault.Vault",
    "AsyncMemory": "vaultmem.api.agent_memory.Memory",
}
_OURS = frozenset({"open", "close", "init"})
"""Class methods and closing, which the asynchronous classes have of their own."""

_HEAD = """\
# What may be awaited of `AsyncVault` and `AsyncMemory`; written by `.github/async_stubs.py`.

{imports}

_P = ParamSpec("_P")
_T = TypeVar("_T")
"""
_OPENING = {
    "AsyncVault": (
        "path: str | pathlib.Path = ..., **how: Unpack[vaultmem.api.agent_memory.Opening]"
    ),
    "AsyncMemory": (
        "path: str | pathlib.Path = ..., *, agent: str = ..., session: str = ..., "
        "states: collections.abc.Sequence[str] = ..., "
        "**how: Unpack[vaultmem.api.agent_memory.Opening]"
    ),
}
_CLASS = """\
class {name}:
    @classmethod
    async def open(cls, {opening}) -> Self: ...
    async def do(
        self,
        fn: collections.abc.Callable[Concatenate[{subject}, _P], _T],
        /,
        *args: _P.args,
        **kwargs: _P.kwargs,
    ) -> _T: ...
    async def close(self) -> None: ...
    async def __aenter__(self) -> Self: ...
    async def __aexit__(
        self,
        _type: type[BaseException] | None,
        _error: BaseException | None,
        _trace: types.TracebackType | None,
    ) -> None: ...
"""
_MAKING = """\
    @classmethod
    async def init(
        cls, path: str | pathlib.Path, *, with_git: bool = ..., in_repo: bool = ...
    ) -> Self: ...
"""
_TYPING = ("Concatenate", "ParamSpec", "Self", "TypeVar", "Unpack")


@dataclass
class _Stubs:
    """The stub as it grows: the modules it names, and the parts that are yet to be written."""

    modules: set[str] = field(default_factory=lambda: {"collections.abc", "pathlib", "types"})
    typing: set[str] = field(default_factory=lambda: set(_TYPING))
    parts: dict[str, type] = field(default_factory=dict)

    def text(self) -> str:
        """Return the whole stub."""
        bodies = [self._root(name, _named(path)) for name, path in _ROOTS.items()]
        done: dict[str, str] = {}
        while waiting := [name for name in self.parts if name not in done]:
            for name in waiting:
                done[name] = self._part(name, self.parts[name])
        head = _HEAD.format(imports="\n\n".join(self._imports()))
        return "\n".join([head, *(done[name] for name in sorted(done)), *bodies])

    def _imports(self) -> Iterator[str]:
        """Yield the imports of the standard library, of others, and of our own."""
        of = {name: name.partition(".")[0] for name in sorted(self.modules)}
        own = [name for name in of if of[name] == "vaultmem"]
        standard = [name for name in of if of[name] in sys.stdlib_module_names]
        typing = f"from typing import {', '.join(sorted(self.typing))}"
        yield "\n".join([*(f"import {name}" for name in standard), typing])
        yield "\n".join(f"import {name}" for name in of if name not in {*own, *standard})
        yield "\n".join(f"import {name}" for name in own)

    def _root(self, name: str, subject: type) -> str:
        path = _ROOTS[name]
        self.modules.add(path.rpartition(".")[0])
        self.modules.add("vaultmem.api.agent_memory")
        own = _CLASS.format(name=name, subject=path, opening=_OPENING[name])
        made = _MAKING if name == "AsyncVault" else ""
        return own + made + self._members(subject)

    def _part(self, name: str, part: type) -> str:
        self.modules.add(part.__module__)
        whole = f"{part.__module__}.{part.__qualname__}"
        head = f"class {name}(collections.abc.Awaitable[{whole}], Protocol):\n"
        self.typing.add("Protocol")
        return head + (self._members(part) or "    ...\n")

    def _members(self, subject: type) -> str:
        return "".join(self._member(subject, *it) for it in _public(subject))

    def _member(self, subject: type, owner: type, name: str, found: ast.FunctionDef) -> str:
        scope = _Scope(self, sys.modules[owner.__module__], subject)
        raw = inspect.getattr_static(owner, name)
        if isinstance(raw, property | cached_property):
            shown = self._awaited(scope, found)
            return f"    @property\n    def {name}(self) -> {shown}: ...\n"
        arguments = scope.arguments(found.args)
        if part := self._part_of(scope.type_of(found.returns)):
            return f"    def {name}({arguments}) -> {part}: ...\n"
        return f"    async def {name}({arguments}) -> {scope.annotation(found.returns)}: ...\n"

    def _awaited(self, scope: _Scope, found: ast.FunctionDef) -> str:
        part = self._part_of(scope.type_of(found.returns))
        return part or f"collections.abc.Awaitable[{scope.annotation(found.returns)}]"

    def _part_of(self, found: object) -> str:
        """Return the name of the class for a part of the vault, "" for what is a value."""
        if not isinstance(found, type) or not found.__module__.startswith("vaultmem."):
            return ""
        if found.__name__ not in _PARTS:
            return ""
        name = f"_Async{found.__name__}"
        self.parts[name] = found
        return name


@dataclass(frozen=True)
class _Scope:
    """Names as the module of a class means them."""

    stubs: _Stubs
    module: ModuleType
    subject: type

    def annotation(self, found: ast.expr | None) -> str:
        """Return an annotation with each name in full."""
        return ast.unparse(_Qualified(self).visit(_again(found))) if found else "None"

    def arguments(self, found: ast.arguments) -> str:
        """Return the arguments of a method; what they are by default is not said."""
        given, ellipsis = _copy(found), ast.Constant(...)
        given.defaults = [ellipsis for _ in given.defaults]
        given.kw_defaults = [ellipsis if it else None for it in given.kw_defaults]
        return ast.unparse(_Qualified(self).visit(given))

    def type_of(self, found: ast.expr | None) -> object:
        """Return what a simple annotation names, None for any other."""
        if not isinstance(found, ast.Name):
            return None
        module, _, name = self.full(found.id).rpartition(".")
        return getattr(_loaded(module), name, None) if module else None

    def full(self, name: str) -> str:
        """Return the full name of what *name* means in the module."""
        if name == "Self":
            return f"{self.subject.__module__}.{self.subject.__qualname__}"
        if hasattr(builtins, name) or name in self.stubs.typing:
            return name
        home, attribute = _imports(self.module).get(name, (self.module.__name__, name))
        if home == "typing":
            self.stubs.typing.add(attribute)
            return attribute
        self.stubs.modules.add(home)
        return f"{home}.{attribute}" if attribute else home


class _Qualified(ast.NodeTransformer):
    """Give names in annotations in full."""

    def __init__(self, scope: _Scope) -> None:
        self._scope = scope

    def visit_Name(self, node: ast.Name) -> ast.expr:
        return ast.parse(self._scope.full(node.id), mode="eval").body

    def visit_Attribute(self, node: ast.Attribute) -> ast.expr:
        node.value = self.visit(node.value)
        if isinstance(node.value, ast.Name | ast.Attribute):
            self._scope.stubs.modules.add(ast.unparse(node.value))
        return node

    def visit_Constant(self, node: ast.Constant) -> ast.expr:
        return node

    def visit_Subscript(self, node: ast.Subscript) -> ast.expr:
        literal = isinstance(node.value, ast.Name) and node.value.id == "Literal"
        node.value = self.visit(node.value)
        if not literal:
            node.slice = self.visit(node.slice)
        return node


_PARTS = frozenset({
    "Vault", "Cards", "Checks", "Compactions", "Dreams", "Edits", "Exchange", "Experiences",
    "Forgetting", "History", "Memories", "Queries", "Reach", "Reviews", "Rounds", "Sessions",
    "Shares", "Tasks", "Topics", "Views", "Workbench",
})  # fmt: skip
"""What is asked on: `await vault.cards.get(…)`."""


def _public(subject: type) -> Iterator[tuple[type, str, ast.FunctionDef]]:
    """Yield the public methods and properties of a class, its bases' too, each with its source."""
    seen: set[str] = set()
    for owner in subject.__mro__:
        if not owner.__module__.startswith("vaultmem."):
            continue
        for found in _definitions(owner):
            name, decorated = found.name, {ast.unparse(it) for it in found.decorator_list}
            is_public = not name.startswith("_") or name == "__call__"
            if is_public and name not in seen | _OURS and "contextmanager" not in decorated:
                yield owner, name, found
            seen.add(name)


def _definitions(owner: type) -> list[ast.FunctionDef]:
    tree = _tree(sys.modules[owner.__module__])
    (body,) = (it.body for it in tree.body if _is_class(it, owner.__name__))
    return [it for it in body if isinstance(it, ast.FunctionDef)]


def _is_class(node: ast.stmt, name: str) -> bool:
    return isinstance(node, ast.ClassDef) and node.name == name


def _imports(module: ModuleType) -> dict[str, tuple[str, str]]:
    """Return what a module imports, for type checkers, too: where each name comes from."""
    found: dict[str, tuple[str, str]] = {}
    for node in ast.walk(_tree(module)):
        if isinstance(node, ast.ImportFrom) and node.module and not node.level:
            found |= {it.asname or it.name: _origin(node.module, it.name) for it in node.names}
        elif isinstance(node, ast.Import):
            found |= {it.asname or it.name.split(".")[0]: (it.name, "") for it in node.names}
    return found


def _origin(module: str, name: str) -> tuple[str, str]:
    whole = f"{module}.{name}"
    is_ours = module.startswith("vaultmem")
    is_ours = module.startswith("vaultmem")
    is_module = whole in sys.modules or (is_ours and not hasattr(_loaded(module), name))
    return (whole, "") if is_module else (module, name)


def _loaded(module: str) -> ModuleType:
    return importlib.import_module(module)


def _tree(module: ModuleType) -> ast.Module:
    return ast.parse(inspect.getsource(module))


def _copy(found: ast.arguments) -> ast.arguments:
    return cast("ast.FunctionDef", ast.parse(f"def f({ast.unparse(found)}): ...").body[0]).args


def _again(found: ast.expr) -> ast.expr:
    return ast.parse(ast.unparse(found), mode="eval").body


def _named(path: str) -> type:
    module, _, name = path.rpartition(".")
    return cast("type", getattr(_loaded(module), name))


def stub() -> str:
    """Return the stub as it should be."""
    return _Stubs().text()


if __name__ == "__main__":
    _STUB.write_text(stub())
