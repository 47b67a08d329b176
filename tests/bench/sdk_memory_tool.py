"""Run the tests of Anthropic's SDK for its own memory tool on ours.

`python -m tests.bench.sdk_memory_tool test_filesystem.py` takes that file of the SDK's source
(`tests/lib/tools/memory_tools/`, which the sdist on PyPI holds) as it is. Where it constructs the
SDK's backend on a folder it gets a vault: nothing else is changed. What is left over stands in
`manual/agents.md`, with its reason.
"""

from __future__ import annotations

import argparse
import asyncio
import inspect
import shutil
import tempfile
import weakref
from pathlib import Path

import anyio
import pytest
from anthropic.lib.tools import _beta_builtin_memory_tool as sdk

from vaultmem import Vault
from vaultmem.api.async_api import AsyncVault
from vaultmem.memory_tool import AsyncVaultMemoryTool, VaultMemoryTool


class _Folder:
    """A vault where the SDK's tests construct a folder, and what they look for in it."""

    def __init__(self, base_path: str = "./memory") -> None:
        """Make the folder *base_path* a vault."""
        self._vault = Path(base_path)
        self._shown = Path(tempfile.mkdtemp(prefix="vaultmem-sdk-"))
        weakref.finalize(self, shutil.rmtree, self._shown)
        Vault.init(self._vault).close()
        self._texts.mkdir(mode=0o700)

    @property
    def _texts(self) -> Path:
        """Where files that are no Markdown lie."""
        return self._vault / "files"

    @property
    def base_path(self) -> Path:
        """A folder with a copy of what the tool holds now, as the SDK lays it out."""
        held = self._shown / "memories"
        shutil.rmtree(held, ignore_errors=True)
        if self._texts.is_dir() and any(self._texts.iterdir()):
            shutil.copytree(self._texts, held, symlinks=True)
        return self._shown


class Tool(_Folder):
    """The tool of a vault, constructed as the SDK's own."""

    @property
    def memory_root(self) -> Path:
        """Where the tests put files past the tool."""
        return self._texts

    def execute(self, command: object) -> str:
        """Return what our tool answers."""
        with Vault.open(self._vault) as vault:
            return VaultMemoryTool(vault).execute(command)

    view = create = str_replace = insert = delete = rename = execute


class AsyncTool(_Folder):
    """The same for asyncio."""

    @property
    def memory_root(self) -> anyio.Path:
        """Where the tests put files past the tool."""
        return anyio.Path(self._texts)

    async def _ensure_memory_root(self) -> None:
        """Make nothing: the folder is there."""

    async def execute(self, command: object) -> str:
        """Return what our tool answers."""
        async with await AsyncVault.open(self._vault) as vault:
            return await AsyncVaultMemoryTool(vault).execute(command)

    view = create = str_replace = insert = delete = rename = execute


class _Backend:
    """The plugin that puts our tools where the SDK's tests import theirs from."""

    def pytest_collection(self) -> None:
        """Replace the SDK's classes before its tests are imported."""
        setattr(sdk, "BetaLocalFilesystemMemoryTool", Tool)  # noqa: B010  # another's class
        setattr(sdk, "BetaAsyncLocalFilesystemMemoryTool", AsyncTool)  # noqa: B010  # likewise

    def pytest_pyfunc_call(self, pyfuncitem: pytest.Function) -> bool | None:
        """Run a test that is a coroutine, for which the SDK has a plugin."""
        if not inspect.iscoroutinefunction(pyfuncitem.obj):
            return None
        names = inspect.signature(pyfuncitem.obj).parameters
        asyncio.run(pyfuncitem.obj(**{name: pyfuncitem.funcargs[name] for name in names}))
        return True


def main() -> int:
    """Run the file of tests that is named; return pytest's exit code."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("tests", type=Path, help="test_filesystem.py of the SDK's source")
    parser.add_argument("rest", nargs="*", help="what pytest is given besides")
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:  # apart from the SDK's own conftest
        file = shutil.copy(asked.tests, folder)
        alone = ["-c", "/dev/null", "--rootdir", folder, "-p", "no:cacheprovider", "-q"]
        return pytest.main([*alone, "--tb=line", str(file), *asked.rest], [_Backend()])


if __name__ == "__main__":
    raise SystemExit(main())
