"""Write the plugin for Claude Code that `/plugin marketplace add` finds in a clone.

It calls the `vaultmem` on the PATH, on the vault that `VAULTMEM_VAULT` names, or the session's
folder lies in: `hook install` writes one for a program and a vault by their paths.

python .github/marketplace.py
"""

from __future__ import annotations

import json
from pathlib import PurePosixPath

from vaultmem.integrations.claude_code import plugin_files
from vaultmem.integrations.claude_code.plugin_files import Target

_MARKETPLACE = ".claude-plugin/marketplace.json"
_PLUGIN = ".claude-plugin/claude-code"
_MANIFEST = ".claude-plugin/plugin.json"


def written() -> dict[str, str]:
    """Return all that is written, by its path in the checkout."""
    made = plugin_files.parts("plugin", Target("vaultmem", "")).files
    files = {
        f"{_PLUGIN}/{PurePosixPath(path).relative_to(plugin_files.HOME)}": text
        for path, text in made.items()
    }
    said = json.loads(files[f"{_PLUGIN}/{_MANIFEST}"])
    listed = {"name": said["name"], "source": f"./{_PLUGIN}", "description": said["description"]}
    about = {"name": said["name"], "description": said["description"], "owner": said["author"]}
    market = {**about, "plugins": [listed]}
    return {**files, _MARKETPLACE: json.dumps(market, indent=2) + "\n"}


def main() -> None:
    """Write the files."""
    import checkout  # noqa: PLC0415  # beside this script, where only its own run looks

    checkout.write(written())


if __name__ == "__main__":
    main()
