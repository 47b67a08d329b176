"""The export of ChatGPT: `conversations.json`, alone, in parts, or in the zip as it was sent.

A conversation is a tree, because messages are edited and answers made again; `current_node` is the
end of the branch that was read last, and that one is taken. There is no official description of the
format: what is unknown is skipped by its type.
"""

from __future__ import annotations

import lzma
import re
import stat
import zipfile
import zlib
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path, PurePosixPath
from typing import BinaryIO

from vaultmem.errors import BadInput
from vaultmem.exchange.formats import discovery, json_stream
from vaultmem.exchange.formats.chatgpt_conversation import Conversation
from vaultmem.exchange.formats.types import Format, Item, MessageReader, Option

_NAMED = re.compile(r"conversations([-_]\d+)?\.json")
_MOST_RATIO, _SMALL = 200, 64 * 1024 * 1024


_ZIP = b"PK\3\4"
_PACKED = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED, zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA)


def files(path: Path) -> Iterator[Path]:
    """Return the export files that *path* is or holds, in the order of their names."""
    return discovery.named(path, _NAMED.fullmatch, "conversations.json, whole or in parts,")


def read(path: Path, *, all_branches: bool = False) -> Iterator[Item]:
    """Yield the messages of every conversation; raises OSError, and BadInput for what is no export.

    One conversation is in memory at a time.
    """
    for name, stream in _streams(path):
        try:
            yield from _conversations(name, stream, all_branches=all_branches)
        except BadInput as e:
            raise BadInput(f"{name} {e}; save the export again") from e
        except (zipfile.BadZipFile, EOFError, zlib.error, lzma.LZMAError) as e:
            raise BadInput(
                f"{name} is damaged: {e}; nothing was imported: download the export again"
            ) from e


def _streams(path: Path) -> Iterator[tuple[str, BinaryIO]]:
    """Yield the JSON files that *path* is or holds, each with a name to call it by."""
    if not zipfile.is_zipfile(path):
        with path.open("rb") as stream:
            if stream.read(len(_ZIP)) == _ZIP:
                raise BadInput(
                    f"{path.name} is a zip that breaks off, or is damaged; nothing was imported: "
                    "download the export again"
                )
            stream.seek(0)
            yield path.name, stream
        return
    with _opened(path) as archive:
        members = [
            m for m in archive.infolist() if _NAMED.fullmatch(PurePosixPath(m.filename).name)
        ]
        if not members:
            raise BadInput(f"{path} holds no conversations.json: name an export of ChatGPT")
        _refuse_strangers(path, members)
        _refuse_bomb(path, members)
        for member in sorted(members, key=lambda m: m.filename):
            with archive.open(member) as inner:
                yield f"{path.name}/{PurePosixPath(member.filename).name}", inner  # type: ignore[misc]


@contextmanager
def _opened(path: Path) -> Iterator[zipfile.ZipFile]:
    try:
        with zipfile.ZipFile(path) as archive:
            yield archive
    except zipfile.BadZipFile as e:
        raise BadInput(f"{path.name} is not a readable zip: {e}") from e


def _refuse_bomb(path: Path, members: Iterable[zipfile.ZipInfo]) -> None:
    """Raise BadInput for what unpacks to more than its bytes could say, members in one another too.

    No more is read of a member than the size that is added up here.
    """
    size = sum(member.file_size for member in members)
    if size > max(_SMALL, _MOST_RATIO * path.stat().st_size):
        raise BadInput(
            f"{path.name} unpacks to {size >> 20} MiB out of next to nothing: no export does; "
            "unpack it yourself if you trust it"
        )


def _refuse_strangers(path: Path, members: Iterable[zipfile.ZipInfo]) -> None:
    """Raise BadInput for a member that no export has: encrypted, a link, out of the zip."""
    for member in members:
        if member.flag_bits & 1:
            raise BadInput(f"{path.name} is encrypted: unpack it first")
        if member.compress_type not in _PACKED:
            raise BadInput(
                f"{path.name} is packed in a way that is not read here; nothing was imported: "
                "unpack it first"
            )
        if not _is_inside(member):
            raise BadInput(
                f"{path.name} holds {member.filename!r}, a link or a path out of the zip: no "
                "export of ChatGPT does; nothing was imported"
            )


def _is_inside(member: zipfile.ZipInfo) -> bool:
    name = PurePosixPath(member.filename)
    if name.is_absolute() or ".." in name.parts:
        return False
    kind = stat.S_IFMT(member.external_attr >> 16)
    return kind in {0, stat.S_IFREG}  # 0: a zip made where files have no modes


def _conversations(name: str, stream: BinaryIO, *, all_branches: bool) -> Iterator[Item]:
    number = 0
    for found in json_stream.objects(stream):
        several = found.get("conversations") if isinstance(found, dict) else None
        for conversation in several if isinstance(several, list) else [found]:
            number += 1
            if isinstance(conversation, dict) and isinstance(conversation.get("mapping"), dict):
                yield from Conversation(name, number, conversation).items(all_branches=all_branches)
            else:
                yield Item(
                    name,
                    number,
                    fault="no conversation: it has no mapping",
                    piece=f"conversation {number}",
                )


FORMAT = Format(
    "chatgpt",
    becomes=("memories", "turns"),
    help="the export, zip or conversations.json",
    messages=MessageReader(
        files, lambda path, asked: read(path, all_branches="all_branches" in asked)
    ),
    options=(Option("all_branches", "include edited and regenerated branches."),),
)
