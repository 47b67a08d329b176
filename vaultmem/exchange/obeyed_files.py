"""What a remote may bring that is obeyed here: programs are refused, instructions are shown.

A vault holds notes. What a tool of this machine runs by itself, when it opens the folder, runs on a
push or is a hook of git, is a program, whatever it is written in.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from vaultmem.documents import secrets
from vaultmem.exchange.sync.types import Data, Merged, Sides
from vaultmem.records import INSTRUCTS, PERSONS, TRUST, Record, first_line
from vaultmem.storage import files, reader

_RUNS = {
    "Obsidian": r"(?:^|/)\.obsidian[^/]*/(?:plugins/|community-plugins\.json$)",
    "Claude Code": r"(?:^|/)(?:\.claude/|\.claude-plugin/|\.mcp\.json$)",
    "an editor": (
        r"(?:^|/)(?:\.vscode/(?:tasks|settings|launch|mcp|extensions)\.json$|[^/]+\.code-workspace$"
        r"|\.idea/|\.zed/|\.devcontainer/|\.devcontainer\.json$|\.exrc$|\.n?vimrc$|\.nvim\.lua$"
        r"|\.dir-locals(?:-2)?\.el$)"
    ),
    "a coding agent": (
        r"(?:^|/)(?:\.(?:cursor|windsurf|gemini|codex|continue|kiro|roo|opencode|amazonq|qwen|amp"
        r"|crush)/|\.(?:junie|trae)/(?!.*\.md$)|opencode\.jsonc?$|\.?crush\.json$"
        r"|\.aider\.conf\.ya?ml$)"
    ),
    "git, or what manages its hooks,": (
        r"(?:^|/)(?:\.husky/|\.githooks/|\.pre-commit-config\.ya?ml$|\.?lefthook(?:-local)?\.ya?ml$)"
    ),
    "the shell": (
        r"(?:^|/)(?:\.envrc(?:\.[^/]+)?$|\.?mise(?:\.local)?\.toml$|\.mise/|\.config/mise/"
        r"|\.autoenv(?:\.zsh)?$)"
    ),
    "a package manager": r"(?:^|/)\.(?:yarnrc(?:\.ya?ml)?|pnpmfile\.[cm]?js)$",
    "the remote": (
        r"^(?:\.(?:github|gitea|forgejo)/(?:workflows|actions)/|\.gitlab-ci\.yml$"
        r"|\.(?:circleci|buildkite)/|\.woodpecker(?:\.ya?ml$|/)|\.(?:travis|drone)\.ya?ml$"
        r"|(?:azure|bitbucket)-pipelines\.ya?ml$|jenkinsfile$)"
    ),
}
_PROGRAMS = {who: re.compile(pattern) for who, pattern in _RUNS.items()}
_OBEYED = (
    r"(?:agents|claude|gemini|qwen|codex|crush|warp|replit|conventions|skill)(?:[._-][^/]*)?\.md",
    r"copilot-instructions\.md|[^/]+\.(?:instructions|prompt|chatmode)\.md|[^/]+\.mdc",
    r"\.(?:cursor|windsurf|cline|roo|kilocode|continue|builder)rules(?:-[^/]*)?(?:/.+)?",
    r"\.(?:goosehints|rules|augment-guidelines|openhands_instructions)",
    r"\.(?:junie|trae|augment|openhands|clinerules)/.+",
)
_INSTRUCTIONS = re.compile(rf"(?:^|/)(?:{'|'.join(_OBEYED)})$|^readme\.md$")
_SCRIPTS = re.compile(
    r"(?:^|/)skills/[^/]+/(?:.+/)?(?:scripts/.+|bin/.+|[^/.]+|[^/]+\.(?:[cm]?[jt]s|py|sh|bash|zsh|fish"
    r"|ps1|bat|cmd|rb|pl|php|lua|go|rs|r|swift|applescript|exe|jar|wasm))$"
)
_PERSONS_OWN = frozenset({"agent", "note", "skill"})
"""The types of notes that few people write, and no program: a memory or a topic comes daily."""

_SHOWN, _LINE = 5, 120


def runs(folded: str) -> str:
    """Return who would run the file at the path *folded*, all in small letters; "" for nobody."""
    return next((who for who, paths in _PROGRAMS.items() if paths.search(folded)), "")


def instructions(sides: Sides, made: Merged, tip: str) -> Iterator[str]:
    """Yield what each changed file adds that agents take for instructions, or run, in a line.

    *tip* is the commit there.
    """
    for path, it in sorted(sides.items()):
        new = made.files.get(path)
        if new != it.ours and (use := obeyed(path.casefold()) or _claimed(path, it.ours, new)):
            what = "was changed there" if new is not None else "went there"
            yield (
                f"{path}, which agents {use}, {what}{_added(it.ours, new)}: "
                f"`{shown_by(tip, path)}` shows it"
            )


def shown_by(tip: str, path: str) -> str:
    """Return the command that shows what became of *path* in *tip*, also before it is merged."""
    return f"git log -p {tip[:12]} -- {path}"


def obeyed(folded: str) -> str:
    """Return what agents do with the file at the path *folded*, "" where it is a note to them."""
    if _INSTRUCTIONS.search(folded):
        return "take for instructions"
    return "run with its skill" if _SCRIPTS.search(folded) else ""


def _claimed(path: str, old: Data, new: Data) -> str:
    """Return what a note claims to be to agents by its *new* bytes, "" where that is nothing new.

    Of what came as a person's word that is an instruction, or of a kind that few people write; of
    what was here as somebody else's *old* word it is either.
    """
    record = _persons_word(path, new)
    if record is None:
        return ""
    is_raised = old is not None and _persons_word(path, old) is None
    page = " though it says that it is a page's" if record.trust == TRUST[0] else ""
    if not {tag.casefold() for tag in record.tags}.isdisjoint(INSTRUCTS):
        return f"are to take for a person's instruction{page}"
    is_named = is_raised or record.type in _PERSONS_OWN
    return f"are to take for a person's word{page}" if is_named else ""


def _persons_word(path: str, data: Data) -> Record | None:
    """Return what the note with these bytes says, None where it is not claimed to be a person's.

    It may be a page's, too: a commit can say that a person reviewed it, and be forged.
    """
    if data is None or not files.is_note(path):
        return None
    record = reader.record(path, files.content(data))
    return record if record.claimed in PERSONS else None


def _added(old: Data, new: Data) -> str:
    before = set(_lines(old))
    added = [line for line in _lines(new) if line not in before]
    if not added:
        return ""
    shown = " / ".join(first_line(secrets.redact(line), _LINE) for line in added[:_SHOWN])
    more = f" / and {len(added) - _SHOWN} more" if len(added) > _SHOWN else ""
    return f" and adds: {shown}{more}"


def _lines(data: Data) -> list[str]:
    lines = (data or b"").decode("utf-8", "replace").splitlines()
    return [line.strip() for line in lines if line.strip()]
