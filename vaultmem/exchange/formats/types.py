"""What every reader of a format yields: messages, and what is no message and why."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class ImportedMessage:
    """One message as its format tells it.

    *id* names it within *key*, which names its conversation for ever; without an id the words do.
    *session* is what people call the conversation. *at* is ISO 8601, or empty; *tool* names the
    tool whose result *content* is. *source* is `import` unless it names another whose word is worth
    less; *trust* is what it asks for, which can only lower it.
    """

    content: str
    id: str = ""
    key: str = ""
    session: str = ""
    speaker: str = ""
    role: str = ""
    at: str = ""
    tool: str = ""
    source: str = "import"
    trust: str = ""


@dataclass(frozen=True, slots=True)
class Item:
    """One piece of a file: a message, or why it is none (*skipped*), or is broken (*fault*).

    *number* counts lines from 1, or conversations where *inner* says which message of one it is.
    """

    file: str
    number: int
    heard: ImportedMessage | None = None
    skipped: str = ""
    fault: str = ""
    inner: int = 0

    @property
    def where(self) -> str:
        """The place as a person looks for it."""
        if self.inner:
            return f"{self.file}, conversation {self.number}, message {self.inner}"
        return f"{self.file}:{self.number}"
