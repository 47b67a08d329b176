"""Answer an @command of a chat or a program with what the command line prints for it.

It runs in a process of its own, this very interpreter: what a command prints, and how it fails, is
then the same wherever it is asked, and a thread that prints is nobody else's.
"""

from __future__ import annotations

import difflib
import logging
import os
import subprocess
import sys
from collections.abc import Collection, Mapping
from pathlib import Path

from vaultmem.documents.public_text import quoted
from vaultmem.errors import BadInput, CannotOpen, Refused, Unavailable, VaultError
from vaultmem.storage import subprocesses

PATIENCE = 600.0
"""Seconds that a command may take; a dream that asks a model takes minutes."""

HELP = "@help"
"""Asks for the commands that there are."""
_NEAR = 0.8
"""From where on a word is taken for another: `@team` is not `@dream`."""
_OF_AN_AGENT = frozenset(
    ("@bootstrap-summaries", "@compact-memories", "@memory-budget", "@memory-status", "@recall",
     "@remember")
)  # fmt: skip
_OF_A_NEW_ONE = frozenset(("@recall", "@remember"))
_ERRORS = {error.exit_code: error for error in (VaultError, BadInput, Refused, CannotOpen)}
_SETTINGS = ("VAULTMEM_", "ANTHROPIC_", "OLLAMA_")
_PROGRAM = "vaultmem: "


def run(  # noqa: PLR0913  # who asks, by name
    path: Path,
    line: str,
    env: Mapping[str, str],
    seconds: float = PATIENCE,
    agent: str = "",
    *,
    known: bool = True,
) -> str:
    """Return what `vaultmem '@…'` prints for *line* on the vault at *path*.

    *env* has the settings, as for `Vault.open`; a line that names no agent is the *agent*'s, where
    the command has one. Raises BadInput for what is no @command, else the
    error of the exit code with its sentence; Unavailable when it takes longer than *seconds*.
    """
    argv = [sys.executable, "-P", "-m", "vaultmem", "--vault", str(path)]
    argv += arguments(line, agent, known=known)
    try:
        done = subprocesses.run(argv, env=_surroundings(env), timeout=seconds)
    except subprocess.TimeoutExpired as e:
        raise Unavailable(
            f"{_name(line)} was ended after {seconds:g} s; what it did is safe"
        ) from e
    except ValueError as e:
        raise BadInput(f"{_name(line)}: the text cannot be passed on: {e}") from e
    printed, said = (it.decode("utf-8", "replace") for it in (done.stdout, done.stderr))
    if done.returncode:
        error = _ERRORS.get(done.returncode, Unavailable)
        # What went wrong stands behind the program's name; warnings may stand before it.
        _, named, sentence = f"\n{said}".rpartition(f"\n{_PROGRAM}")
        why = " ".join(sentence.split()) if named else said.strip()
        raise error(why or f"{_name(line)} ended with {done.returncode}")
    if said.strip():
        logging.getLogger(__name__).warning("%s: %s", _name(line), said.strip())
    return printed


def arguments(line: str, agent: str = "", *, known: bool = True) -> list[str]:
    """Return the arguments that the @command of a *line* is called with, by an *agent* if any.

    Of an agent that is not *known*, for it has no files yet, only what begins with it is asked.

    Options may stand before the text, `--agent NAME` and `-k COUNT`; what follows is text as it
    stands. Raises BadInput for any other option, for a line speaks of its own vault, and for what
    is no @command.
    """
    name, rest = _parted(line)
    name = name.lower() if name.startswith("@") else name
    if not name.startswith("@"):
        raise BadInput(
            f"{quoted(name)} is not an @command: `vaultmem --help` lists those there are"
        )
    options: list[str] = []
    while (rest := rest.strip()).startswith("-"):
        option, rest = _parted(rest)
        if option == "--":
            break
        rest = _option(option, rest, options)
    if (
        agent
        and name in (_OF_AN_AGENT if known else _OF_A_NEW_ONE)
        and "--agent" not in options[::2]
    ):
        options += ["--agent", agent]
    return [name, *options, *(["--", rest.strip()] if rest.strip() else [])]


def is_asked(name: str, known: Collection[str]) -> bool:
    """Tell whether a line that begins with *name* asks for a command, one of the *known* or nearly.

    Other words with an @ are people's names, or marks of their own, `@todo`.
    """
    return name.lower() in {HELP, *known} or bool(nearest(name, known))


def nearest(name: str, known: Collection[str]) -> str:
    """Return which of the *known* commands is meant by a *name* that is none, "" for none.

    What begins with a capital is the name of a person.
    """
    if not name.islower():
        return ""
    begun = (it for it in sorted(known) if it.startswith(f"{name}-"))
    near = difflib.get_close_matches(name, known, 1, _NEAR)
    return near[0] if near else next(begun, "")


def not_known(name: str, known: Collection[str]) -> str:
    """Say that *name* is none of the *known* commands, and ask which of them is meant."""
    near = nearest(name, known)
    return f"there is no {name}: " + (f"did you mean `{near}`? " if near else "")


def _option(option: str, rest: str, options: list[str]) -> str:
    """Add one option and its value to *options*; return what follows them."""
    name, joined, value = option.partition("=")
    if name not in {"--agent", "-k"}:
        raise BadInput(f"{name} is not an option in a note: only --agent NAME and -k COUNT are")
    if not joined:
        value, rest = _parted(rest)
    options += [name, value]
    return rest


def _parted(text: str) -> tuple[str, str]:
    """Return the first word of *text* and the rest, both empty where there is none."""
    first, *rest = text.split(None, 1) or [""]
    return first, "".join(rest)


def _name(line: str) -> str:
    return _parted(line)[0]


def _surroundings(env: Mapping[str, str]) -> dict[str, str]:
    """Return the environment of the command: this process's, with the settings of *env* alone."""
    ours = {k: v for k, v in os.environ.items() if not k.startswith(_SETTINGS)}
    modules = os.pathsep.join(str(Path(p).absolute()) for p in sys.path)
    plain = {"PYTHONPATH": modules, "PYTHONIOENCODING": "utf-8:backslashreplace", "NO_COLOR": "1"}
    return {**ours, **env, **plain}
