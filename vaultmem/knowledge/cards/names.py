"""What cards and their attributes may be called, so that files, YAML and Obsidian all agree."""

from __future__ import annotations

import re
import unicodedata

from vaultmem.documents.public_text import quoted
from vaultmem.errors import BadInput
from vaultmem.knowledge.cards.types import OWN, RESERVED
from vaultmem.storage import files

FOLDER = "cards"
_INBOX, _REVIEW = "inbox", "inbox/review"
_CATEGORY = re.compile(r"[a-z0-9][a-z0-9_-]*")
_KEY = re.compile(r"[^\W_][\w-]*")  # people have names in all scripts
_LONGEST = 100
_LONGEST_FIELD = 120
# A letter first; further levels may be numbers, which are places in a list.
_FIELD = re.compile(r"[^\W\d_][\w-]*(?: [\w-]+)*(?:\.[^\W_][\w-]*(?: [\w-]+)*)*")
_TRUTHS = frozenset({"y", "n", "yes", "no", "on", "off", "true", "false", "null"})


def new(name: str) -> tuple[str, str]:
    """Return category and key of a card that may be made; raises BadInput."""
    category, slash, key = name.partition("/")
    fit = _CATEGORY.fullmatch(category) and _KEY.fullmatch(key) and key == key.lower()
    if not (slash and fit):
        raise BadInput(
            f"{quoted(name)} is not the name of a card: write category/key in lower-case letters, "
            "digits, - and _, as in medical/doctor_sarah"
        )
    if len(name) > _LONGEST:
        raise BadInput(f"{quoted(name)} is longer than {_LONGEST} characters: shorten it")
    if not (files.fits(category) and files.fits(f"{key}.md")):
        raise BadInput(f"{quoted(name)} is a name that Windows keeps for itself: choose another")
    return category, key


def key(person: str) -> str:
    """Return the key of a card about *person*, in ASCII where that leaves enough of the name."""
    if plain := files.telling_slug(person).replace("-", "_"):
        return plain
    return "_".join(re.findall(r"[^\W_]+", unicodedata.normalize("NFC", person.lower())))


def path(name: str) -> str:
    """Return where the card called *name* lies."""
    return f"{FOLDER}/{name}.md"


def of_path(where: str) -> str:
    """Return how the card at *where* is called: the path decides, as a person sees it."""
    if where.startswith(f"{_REVIEW}/card-"):
        where = where.removeprefix(f"{_REVIEW}/card-").replace(".", "/", 1)
    return where.removeprefix(f"{FOLDER}/").removesuffix(".md")


def split(name: str) -> tuple[str, str]:
    """Return category and key of any *name*; a card that lies in no folder has no category."""
    category, _, key = name.rpartition("/")
    return category, key


def note(name: str) -> str:
    """Return where the claims about the card called *name* wait."""
    return f"{_INBOX}/card-{_one_part(name)}.md"


def review(name: str) -> str:
    """Return where a whole card waits that nobody trusted has spoken of."""
    return f"{_REVIEW}/card-{_one_part(name)}.md"


def _one_part(name: str) -> str:
    # A point is in no category, so that a-b/c and a/b-c stay apart.
    return name.replace("/", ".")


def field(name: str) -> str:
    """Return *name* when a fact may be called so; raises BadInput."""
    bare = unicodedata.normalize("NFC", " ".join(name.split()))
    if bare.casefold() in OWN:
        return bare.casefold()
    if bare.casefold() in RESERVED:
        raise BadInput(
            f"{quoted(bare)} cannot be a fact of a card: the program uses that key itself"
        )
    if any(bare.casefold().startswith(f"{own}.") for own in (*RESERVED, *OWN)):
        raise BadInput(f"{quoted(bare)} stands below a name that is taken: choose another")
    if not _FIELD.fullmatch(bare) or bare.casefold() in _TRUTHS or len(bare) > _LONGEST_FIELD:
        raise BadInput(
            f"{quoted(bare)} is not the name of a fact: begin with a letter, go on with letters, "
            "digits, - and _, and put a point between levels, as in contact.phone"
        )
    return bare
