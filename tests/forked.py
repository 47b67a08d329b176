"""Processes that begin at once, forked where all is imported: to import takes longer than a scene.

A process of the tests has threads, so another one begins and forks.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from textwrap import dedent

_FORKS = """
import os, sys
import vaultmem.documents.frontmatter.yaml_reader
import vaultmem.memory.remember, vaultmem.memory.tool_quotes
import vaultmem.models.environment, vaultmem.retrieval.retriever
from vaultmem import Vault
{imports}
path, *names = sys.argv[1:]
for name in names:
    if os.fork() == 0:
        break
else:
    sys.exit(any([os.wait()[1] for _ in names]))
{scene}
"""


def at_once(scene: str, path: Path, *names: str, imports: str = "") -> list[str]:
    """Run *scene* in a process for each of *names*; it knows `Vault`, `path` and its own `name`.

    Returns the lines that they print. None of them may fail or complain.
    """
    code = _FORKS.format(imports=dedent(imports), scene=dedent(scene))
    argv = (sys.executable, "-c", code, str(path), *names)
    # Unbuffered, a line is two writes, between which another process may write its own.
    env = {key: value for key, value in os.environ.items() if key != "PYTHONUNBUFFERED"}
    done = subprocess.run(argv, capture_output=True, text=True, check=False, env=env)
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout.splitlines()
