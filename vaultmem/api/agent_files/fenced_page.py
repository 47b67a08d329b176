"""A page of a file as an agent is handed it: the one place that decides what stands in a fence.

By the least trust of what is in the file, its frontmatter too: a title is words as well, and what
came of a task may be what a tool answered.
"""

from __future__ import annotations

from dataclasses import replace

from vaultmem.api.agent_files import Page
from vaultmem.api.agent_files import frontmatter as agent_file_frontmatter
from vaultmem.api.rendering import fenced as fenced_text
from vaultmem.records import TRUST


def fenced(page: Page) -> Page:
    """Return *page* with its text, and with its frontmatter, in a fence where it is not trusted.

    No text of one that is trusted says that it stands in one.
    """
    said, head = page.text, page.frontmatter
    if page.trust == TRUST[0]:
        if agent_file_frontmatter.is_left_out(head):
            said = "".join(f"{key}: {value}\n" for key, value in head.items()) + said
        head = {}
    text = fenced_text(said, path=page.path, kind=page.type, trust=page.trust)
    return replace(page, text=text, frontmatter=head)
