"""The pages and actions there are, and how the navigation lists them."""

from __future__ import annotations

from collections.abc import Sequence

from vaultmem.web.actions import cards as card_actions
from vaultmem.web.actions import dreams as dream_actions
from vaultmem.web.actions import edit as edit_actions
from vaultmem.web.actions import forget as forget_actions
from vaultmem.web.actions import review as review_actions
from vaultmem.web.actions import tasks as task_actions
from vaultmem.web.actions import undo as undo_actions
from vaultmem.web.pages import (
    cards,
    dreams,
    file,
    folder,
    forget,
    graph,
    health,
    history,
    home,
    operation,
    review,
    search,
    session,
    sessions,
    tasks,
    timeline,
    topics,
    why,
)
from vaultmem.web.types import Page

NAVIGATION: Sequence[Sequence[tuple[str, str]]] = (
    (("/", "Home"), ("/search", "Search"), ("/timeline", "Timeline")),
    (("/cards", "People"), ("/topics", "Topics"), ("/sessions", "Sessions"), ("/tasks", "Tasks"),
     ("/graph", "Graph"), ("/folder/", "Files")),
    (("/review", "Review"), ("/dreams", "Dreams"), ("/history", "History"), ("/health", "Health")),
)  # fmt: skip
"""Address and name of the pages that every page leads to, in groups."""

PAGES = (
    home.PAGE, search.PAGE, timeline.PAGE, cards.PAGE, topics.PAGE, sessions.PAGE, session.PAGE,
    tasks.PAGE, graph.PAGE, folder.PAGE, review.PAGE, dreams.PAGE, history.PAGE, operation.PAGE,
    health.PAGE, file.PAGE, why.PAGE, forget.PAGE,
)  # fmt: skip

_SECTIONS = (
    ("/file/cards/", "/cards"), ("/file/topics/", "/topics"), ("/file/tasks/", "/tasks"),
    ("/file/inbox/dream-", "/dreams"), ("/file/inbox/review/", "/review"), ("/file/", "/folder/"),
    ("/folder/", "/folder/"), ("/session/", "/sessions"), ("/operation/", "/history"),
)  # fmt: skip


def section(page: Page, path: str) -> str:
    """Return which of the navigation the *page* at *path* belongs to.

    "" for an error and what answers a form, which are made at no path of their own.
    """
    if path == home.PAGE.path != page.path:
        return ""
    return next((href for start, href in _SECTIONS if path.startswith(start)), path)


ACTIONS = (
    *review_actions.ACTIONS, *dream_actions.ACTIONS, *undo_actions.ACTIONS,
    *edit_actions.ACTIONS, *card_actions.ACTIONS, *task_actions.ACTIONS, *forget_actions.ACTIONS,
)  # fmt: skip
