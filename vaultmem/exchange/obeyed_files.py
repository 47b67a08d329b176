"""Which files a machine or an agent obeys, by their names: programs, and instructions.

A vault holds notes. What a tool of this machine runs by itself, when it opens the folder, runs on a
push or is a hook of git, is a program, whatever it is written in.
"""

from __future__ import annotations

import re

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
KEPT_OUT = "a file that agents or programs obey, which no import brings"
_SCRIPTS = re.compile(
    r"(?:^|/)skills/[^/]+/(?:.+/)?(?:scripts/.+|bin/.+|[^/.]+|[^/]+\.(?:[cm]?[jt]s|py|sh|bash|zsh|fish"
    r"|ps1|bat|cmd|rb|pl|php|lua|go|rs|r|swift|applescript|exe|jar|wasm))$"
)


def runs(folded: str) -> str:
    """Return who would run the file at the path *folded*, all in small letters; "" for nobody."""
    return next((who for who, paths in _PROGRAMS.items() if paths.search(folded)), "")


def obeyed(folded: str) -> str:
    """Return what agents do with the file at the path *folded*, "" where it is a note to them."""
    if _INSTRUCTIONS.search(folded):
        return "take for instructions"
    return "run with its skill" if _SCRIPTS.search(folded) else ""


def is_kept_out(path: str) -> bool:
    """Tell whether a program runs the file at *path*, or agents obey it: no import brings it."""
    folded = path.casefold()
    return bool(runs(folded) or obeyed(folded))
