"""Names: which paths stay inside the root, and which any file system could hold."""

from __future__ import annotations

import os
import re
import unicodedata
from pathlib import PurePosixPath

from vaultmem.documents import public_text
from vaultmem.documents.public_text import quoted
from vaultmem.errors import Refused
from vaultmem.storage.files.types import sha256

_UNPORTABLE = frozenset('\\:*?"<>|#^[]')
_DEVICES = frozenset(
    {"con", "prn", "aux", "nul"} | {f"{d}{n}" for d in ("com", "lpt") for n in range(1, 10)}
)
_GITS_OWN = re.compile(r"\.git[. ]*|git~1", re.IGNORECASE)
_LONGEST_NAME = 120
CONFLICTS = "inbox/conflict-"
"""How the path of a note begins in which another version of a file waits for a person."""
DREAMS = "inbox/dream-"
"""How the path of the note begins in which what a dream proposes waits for a person."""
CONFLICT_GLOB = f"{CONFLICTS}*-{'[0-9a-f]' * 8}.md"
"""What such a path matches; a person's own note may begin like it."""
EDITORS_OWN = (".tmp", "~", ".swp", ".swo", ".swx", ".icloud")
"""How names end that editors and synchronizers keep for themselves."""
TEXT_FOLDER = "files"
"""The folder, at the top and of each agent, whose files of any name are kept as they are."""
_IN_TEXT_FOLDER = re.compile(rf"(?:agents/[^/]+/)?{TEXT_FOLDER}/")
_ENDINGS_OF_NO_TEXT = """
    7z aac apk avi avif bin bmp bz2 class db dll dmg doc docx dylib eot epub exe flac gif gz heic
    ico iso jar jpeg jpg m4a mkv mov mp3 mp4 mpeg odp ods odt ogg otf parquet pdf pickle pkl png
    ppt pptx psd pyc pyo rar so sqlite sqlite3 tar tgz tif tiff ttf wasm wav webm webp woff woff2
    xls xlsx xz zip zst
"""
_NO_TEXT = frozenset(_ENDINGS_OF_NO_TEXT.split())
"""How names end of what is no text: attachments that people keep in such a folder, too."""


def inside(path: str) -> tuple[str, ...]:
    """Return the components of a relative *path*; raises Refused when it could leave the root.

    What git keeps for itself is outside, too: its config runs commands.
    """
    parts = tuple(path.split("/"))
    if "\0" in path or not _encodable(path) or any(_leaves(p) for p in parts):
        raise Refused(f"{quoted(path)} is not a path inside the vault")
    return parts


def _leaves(part: str) -> bool:
    return part in {"", ".", ".."} or _GITS_OWN.fullmatch(part) is not None


def _encodable(path: str) -> bool:
    try:
        os.fsencode(path)
    except UnicodeEncodeError:
        return False
    return True


def portable(path: str) -> tuple[str, ...]:
    """Return the components of *path*; raises Refused when some system could not hold it."""
    parts = inside(path)
    for part in parts:
        if fault := _fault(part):
            raise Refused(f"{quoted(path)} is no name for every file system: {fault}")
    return parts


def fits(name: str) -> bool:
    """Tell whether every file system could hold a file of this *name*."""
    return _fault(name) is None


def _fault(name: str) -> str | None:
    if not (name.isprintable() and _UNPORTABLE.isdisjoint(name)):
        return "holds a character that Windows or Obsidian refuses"
    if len(name.encode()) > _LONGEST_NAME:
        return f"longer than {_LONGEST_NAME} bytes"
    if name != unicodedata.normalize("NFC", name):
        return "not in Unicode's composed form (NFC)"
    if name.endswith((".", " ")) or name.partition(".")[0].lower() in _DEVICES:
        return "Windows keeps this name for itself"
    return None


def fitting(name: str) -> str:
    """Return *name* as every file system could hold it, and no listing hides it."""
    plain = unicodedata.normalize("NFC", name)
    told = "".join(c if c.isprintable() and c not in _UNPORTABLE else "-" for c in plain)
    shown = told.lstrip(".").rstrip(". ") or "file"
    stem, dot, ending = shown.rpartition(".") if "." in shown else (shown, "", "")
    if stem.partition(".")[0].lower() in _DEVICES:
        stem = f"{stem}-file"
    room = _LONGEST_NAME - len(f"{dot}{ending}".encode())
    return stem.encode()[: max(room, 0)].decode(errors="ignore") + dot + ending


def slug(text: str, limit: int = 60) -> str:
    """Return a lower-case ASCII name for *text* of at most *limit* characters; may be empty."""
    ascii_text = unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode().lower()
    words = "".join(c if c.isalnum() else " " for c in ascii_text).split()
    while words and len("-".join(words)) > limit:
        if len(words) == 1:
            return words[0][:limit]
        words.pop()
    return "-".join(words)


def telling_slug(text: str) -> str:
    """Return the `slug` of *text*, "" where ASCII loses half of its letters or more."""
    lost = sum(letter.isalnum() and not letter.isascii() for letter in text)
    return slug(text) if 2 * lost < len(text) else ""


def is_text_name(name: str) -> bool:
    """Tell whether a file of this *name* in a folder of texts is taken for one."""
    ending = name.rpartition(".")[2] if "." in name else ""
    return not name.endswith(EDITORS_OWN) and ending.casefold() not in _NO_TEXT


def holds_texts(prefix: str) -> bool:
    """Tell whether files of any name are kept in the folder *prefix*, which ends with a slash."""
    return _IN_TEXT_FOLDER.match(prefix) is not None


def is_text(path: str) -> bool:
    """Tell whether *path* is a text that is kept as it is: no Markdown, and no frontmatter."""
    return (
        not path.endswith(".md")
        and holds_texts(path)
        and is_text_name(path.rpartition("/")[2])
        and _is_listed(path)
    )


def is_note(path: str) -> bool:
    """Tell whether `listing` would take a regular file at *path* for a note."""
    return (path.endswith(".md") and _is_listed(path)) or is_text(path)


def _is_listed(path: str) -> bool:
    """Tell whether a file at *path* lies where notes are looked for, and under a name for one."""
    *folders, name = path.split("/")
    return (
        not any(part.startswith(".") for part in (*folders, name))
        and not public_text.named_secret(path)
        and not any(folder.endswith((".md", *EDITORS_OWN)) for folder in folders)
        # A name that is no UTF-8 could not even be shown.
        and not any("\ud800" <= char <= "\udfff" for char in path)
    )


def conflict(when: str, path: str, data: bytes) -> str:
    """Return where a second version of *path* waits for a person.

    *when* is a time or an operation; "" where the same bytes shall wait once, whoever finds them.
    Other bytes have another name, whatever the file's own name was and however long.
    """
    name = slug(PurePosixPath(path).stem)
    return CONFLICTS + "-".join(x for x in (when, name, sha256(data)[:8]) if x) + ".md"
