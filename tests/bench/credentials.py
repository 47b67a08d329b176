"""Count the planted credentials that are stopped, and the clean notes that are refused.

    python tests/bench/credentials.py [--conversations FOLDER] [--seed 1]

200 credentials of more than 20 kinds, made at random, stand in prose; 1 000 notes hold what only
looks like one, and everyday talk. It prints both shares, each miss by its kind, and fails above
5 % missed or 0.5 % refused.
"""

from __future__ import annotations

import base64
import hashlib
import json
import random
import string
import sys
import uuid
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from itertools import cycle, islice
from pathlib import Path

import click

# Python looks beside a script; the modules are named from the checkout's root.
sys.path.insert(0, str(Path(__file__).parents[2]))

from vaultmem.documents import secrets

ROOT = Path(__file__).resolve().parents[2]
DEMO = ROOT / "vaultmem" / "cli" / "demo" / "conversation.jsonl"
CONVERSATIONS = ROOT.parent / "shared" / "data" / "locomo-dev"
PLANTED, CLEAN = 200, 1000
LEAST_STOPPED, MOST_REFUSED = 0.95, 0.005

Make = Callable[[random.Random], str]

_HEX = "0123456789abcdef"
_ALNUM = string.ascii_letters + string.digits
_URLSAFE = f"{_ALNUM}-_"
_BASE64 = f"{_ALNUM}+/"
_UPPER = string.ascii_uppercase + string.digits
_WORDS_TO_CHOOSE = """
anchor basil candle dolphin ember falcon garnet harbor indigo juniper kettle lantern marble nectar
olive pebble quartz ribbon saffron timber umbrella velvet walnut yarrow
"""
_WORDS = tuple(_WORDS_TO_CHOOSE.split())


def _of(*parts: str | tuple[str, int]) -> Make:
    """Return what puts literals and random characters (an alphabet, how many) together."""

    def make(rng: random.Random) -> str:
        return "".join(
            p if isinstance(p, str) else "".join(rng.choices(p[0], k=p[1])) for p in parts
        )

    return make


def password(rng: random.Random) -> str:
    """Return what people and password managers choose."""
    one, other = rng.sample(_WORDS, 2)
    return rng.choice(
        [
            f"{one}{rng.randrange(10, 9999)}",
            f"{one.title()}{other.title()}!{rng.randrange(10, 99)}",
            f"{one}-{other}-{rng.randrange(10, 99)}",
            f"{one[:3]}{rng.choice('@$!#')}{other}{rng.randrange(10)}",
            "".join(rng.choices(f"{_ALNUM}!#%+=?@^", k=17)) + "4q",
        ]
    )


def _pem(rng: random.Random) -> str:
    kind = rng.choice(["RSA ", "EC ", "OPENSSH ", ""])
    body = base64.encodebytes(rng.randbytes(600)).decode()
    return f"-----BEGIN {kind}PRIVATE" + f" KEY-----\n{body}-----END {kind}PRIVATE KEY-----"


def _basic(rng: random.Random) -> str:
    return base64.b64encode(f"mara:{password(rng)}".encode()).decode()


def _phrase(rng: random.Random) -> str:
    return " ".join(rng.sample(_WORDS, 4))


_FREE = ("{}", "It is {} for now.", "Use {} until Friday.", "Mara sent me this: `{}`.", "Key: {}")
"""Places of what says by its form what it is."""

# Kind, how one is made, and where it may stand.
KINDS: tuple[tuple[str, Make, Sequence[str]], ...] = (
    ("aws-id", _of("AK" + "IA", (_UPPER, 16)), _FREE),
    ("aws-secret", _of((_BASE64, 40)), ("aws_secret_access_key = {}", "The AWS secret key is {}")),
    ("github", _of("gh" + "p_", (_ALNUM, 36)), _FREE),
    ("github-fine", _of("github" + "_pat_", (_ALNUM, 22), "_", (_ALNUM, 59)), _FREE),
    ("gitlab", _of("glp" + "at-", (_URLSAFE, 20)), _FREE),
    (
        "slack",
        _of("xo" + "xb-", ("0123456789", 12), "-", ("0123456789", 12), "-", (_ALNUM, 24)),
        _FREE,
    ),
    (
        "slack-hook",
        _of(
            "https://hooks.slack" + ".com/services/T",
            (_UPPER, 8),
            "/B",
            (_UPPER, 8),
            "/",
            (_ALNUM, 24),
        ),
        _FREE,
    ),
    ("stripe", _of("sk_" + "live_", (_ALNUM, 24)), _FREE),
    ("openai", _of("sk-" + "proj-", (_URLSAFE, 120)), _FREE),
    ("openai-old", _of("sk" + "-", (_ALNUM, 48)), _FREE),
    ("anthropic", _of("sk-" + "ant-api03-", (_URLSAFE, 93), "AA"), _FREE),
    ("google", _of("AI" + "za", (_URLSAFE, 35)), _FREE),
    ("google-oauth", _of("GOC" + "SPX-", (_URLSAFE, 28)), _FREE),
    ("npm", _of("np" + "m_", (_ALNUM, 36)), (*_FREE, "//registry.npmjs.org/:_authToken={}")),
    ("pypi", _of("py" + "pi-AgEIcHlwaS5vcmc", (_URLSAFE, 90)), _FREE),
    ("jwt", _of("ey" + "J", (_ALNUM, 33), ".ey" + "J", (_ALNUM, 70), ".", (_URLSAFE, 43)), _FREE),
    ("private-key", _pem, ("This is the key:\n{}\nKeep it.", "{}")),
    ("telegram", _of("1", ("0123456789", 9), ":A", "A", (_URLSAFE, 33)), _FREE),
    ("twilio", _of("S" + "K", (_HEX, 32)), _FREE),
    ("twilio-auth", _of((_HEX, 32)), ("Twilio's auth token is {}", "TWILIO_AUTH_TOKEN={}")),
    ("sendgrid", _of("S" + "G.", (_URLSAFE, 22), ".", (_URLSAFE, 43)), _FREE),
    ("azure-storage", _of("Account" + "Key=", (_BASE64, 86), "=="), ("AccountName=shop;{};",)),
    ("azure-client", _of((_ALNUM, 3), "8Q" + "~", (_URLSAFE, 34)), _FREE),
    ("hugging-face", _of("h" + "f_", (_ALNUM, 34)), _FREE),
    (
        "database",
        password,
        (
            "postgres://mara:{}@db.internal:5432/shop",
            "mysql://root:{}@10.0.0.5/a",
            "mongodb+srv://app:{}@cluster0.internal.net/?retryWrites=true",
            "Server=db;Database=shop;User Id=sa;Password={};",
        ),
    ),
    (
        "url",
        password,
        ("https://mara:{}@cafe.internal/x", "Clone from https://ci:{}@git.internal/a.git"),
    ),
    (
        "bearer",
        _of((_URLSAFE, 40)),
        ("Authorization: Bearer {}", "curl -H 'authorization: bearer {}'"),
    ),
    ("basic", _basic, ("Authorization: Basic {}",)),
    (
        "password",
        password,
        (
            "My password is {}.",
            "The wifi password: {}",
            "password={}",
            "The password for the router at home is {}, in case you need it.",
            "I changed my password to {}.",
            "Her Netflix password is now {}",
            "login mara, password {}",
            "The pwd is {}",
            "**Password:** {}",
            "Das Passwort ist {}",
            "pass: {}",
            "Password for the NAS -> {}",
        ),
    ),
    (
        "password-zh",
        password,
        (
            "\u5bc6\u7801\u662f{}",
            "\u6211\u7684\u5bc6\u7801\u662f {}\uff0c\u522b\u5fd8\u4e86",
            "WiFi\u5bc6\u7801\uff1a{}",
            "\u90ae\u7bb1\u5bc6\u7801\u6539\u6210\u4e86{}",
            "\u767b\u5f55\u53e3\u4ee4\u4e3a{}",
        ),
    ),
    ("passphrase", _phrase, ("My passphrase is {}", 'The recovery phrase is "{}".')),
    ("pin", _of(("0123456789", 4)), ("The PIN for the alarm is {}.", "door code: {}")),
    (
        "api-key",
        _of((_ALNUM, 32)),
        (
            'api_key = "{}"',
            "The API key is {}",
            "client_secret: {}",
            '"access_token": "{}"',
            "X-API-Key: {}",
        ),
    ),
)

_BEFORE = (
    "",
    "Notes from today. ",
    "We spoke about the move to Porto.\n\n",
    "- ",
    "\u4eca\u5929: ",
    "Mara said on 2026-09-01 that it works again. ",
)
_AFTER = ("", "\nRemind me on Friday.", " Thanks!", "\n- rotate it in May", "\n\nSee [[deploy]].")


def planted(count: int, seed: int) -> Iterator[tuple[str, str, str]]:
    """Yield (kind, credential, note) of *count* notes that each hold a new credential in prose."""
    rng = random.Random(seed)  # noqa: S311  # synthetic credentials need no strength
    for kind, make, frames in islice(cycle(KINDS), count):
        secret = make(rng)
        note = rng.choice(_BEFORE) + rng.choice(frames).format(secret) + rng.choice(_AFTER)
        yield kind, secret, note


# --- clean ------------------------------------------------------------------------------------

_TALK = (
    "The password is kept in the safe.",
    "I forgot my password again.",
    "The password must change.",
    "Password: see the vault",
    "Reset the password by {day}.",
    "My password manager is Bitwarden.",
    "The password policy asks for 12 characters.",
    "The PIN is on a card in the drawer.",
    "The door code changes every month.",
    "API keys are rotated in May.",
    "The token expires {day}.",
    "The token limit is {number}.",
    "Our secret ingredient is cardamom.",
    "Secret Santa is on {day}.",
    "The key to the shed hangs by the door.",
    "Bearer of bad news: the train is late.",
    "\u5bc6\u7801\u662f\u5fc5\u586b\u7684\u3002",
    "\u6211\u5fd8\u4e86\u5bc6\u7801\u3002",
    "Use `$DB_PASSWORD` from the environment.",
    'api_key = os.environ["API_KEY"]',
    "password = getpass.getpass()",
    "Authorization: Bearer <token>",
    "postgres://user:password@localhost/db",
    "https://example.com/reset?token=TOKEN",
    "The session key is a date, {day}.",
    "The primary key is {uuid}.",
    "The cache key is {sha}.",
    "Her passport is valid until {day}.",
    "He passed the test with {number} points.",
)
_DATA = (
    "commit {sha}",
    "Fixed in {short} and {short}.",
    "sha256: {sha256}",
    "The id is {uuid}.",
    "See memory {ulid}.",
    "[[20261120-101500-prefers-dark-roast-{tail}]]",
    "ISBN {isbn}",
    "Call me at {phone}.",
    "My number is {phone}, the office {phone}.",
    "Order {order} has arrived.",
    "![](data:image/png;base64,{image})",
    "IBAN {iban}",
    "The flight is {flight}, seat {seat}.",
    "image: registry.internal/shop@sha256:{sha256}",
    "Ticket {order}, {number} pages, {day}.",
    'etag: "{short}"',
    "https://shop.internal/a/{uuid}?utm_source={tail}",
    "tracking number {order}",
    "v{seat}.{number}.1 of `{tail}`",
    "MAC {mac}",
    "The licence plate is {plate}.",
)


def _filling(rng: random.Random) -> dict[str, str]:
    data = rng.randbytes(150)
    digits = "".join(rng.choices(string.digits, k=24))
    return {
        "sha": hashlib.sha1(data).hexdigest(),  # noqa: S324  # git's own hash
        "short": hashlib.sha1(data).hexdigest()[:9],  # noqa: S324  # likewise
        "sha256": hashlib.sha256(data).hexdigest(),
        "uuid": str(uuid.UUID(bytes=data[:16])),
        "ulid": "01J" + "".join(rng.choices("0123456789ABCDEFGHJKMNPQRSTVWXYZ", k=23)),
        "tail": "".join(rng.choices("0123456789abcdefghjkmnpqrstvwxyz", k=6)),
        "isbn": f"978-{digits[0]}-{digits[1:5]}-{digits[5:9]}-{digits[9]}",
        "phone": f"+351 {digits[:3]} {digits[3:6]} {digits[6:9]}",
        "order": f"{rng.choice(['DE', 'PT', 'A'])}{digits[:9]}",
        "image": base64.b64encode(data).decode(),
        "iban": f"PT50 {digits[:4]} {digits[4:8]} {digits[8:19]} {digits[19:21]}",
        "flight": f"TP{digits[:4]}",
        "seat": f"{1 + int(digits[:2]) % 40}{rng.choice('ABCDEF')}",
        "mac": ":".join(f"{byte:02x}" for byte in data[:6]),
        "plate": f"{digits[:2]}-{rng.choice('ABCD')}{rng.choice('XYZ')}-{digits[2:4]}",
        "number": str(rng.randrange(2, 90_000)),
        "day": f"2026-{rng.randrange(1, 13):02}-{rng.randrange(1, 29):02}",
    }


def hard(count: int, seed: int) -> Iterator[str]:
    """Yield *count* notes without any credential that hold what looks like one."""
    rng = random.Random(seed)  # noqa: S311  # likewise
    for frame in islice(cycle((*_TALK, *_DATA)), count):
        filled = frame.format_map(_filling(rng)) if "{" in frame else frame
        yield rng.choice(_BEFORE) + filled + rng.choice(_AFTER)


def said(path: Path) -> Iterator[str]:
    """Yield what was said in the conversation at *path*."""
    for line in path.read_text("utf-8").splitlines():
        yield str(json.loads(line)["content"])


def clean(count: int, seed: int, conversations: Path = CONVERSATIONS) -> list[str]:
    """Return *count* clean notes, two in five hard ones; the rest was said by people."""
    files = [DEMO, *sorted(conversations.glob("*.messages.jsonl"))]
    talk = sorted({text for path in files for text in said(path)})
    rng = random.Random(seed)  # noqa: S311  # likewise
    rng.shuffle(talk)
    spoken = talk[: count * 3 // 5]
    return [*spoken, *hard(count - len(spoken), seed)]


def missed(count: int, seed: int) -> list[tuple[str, str]]:
    """Return (kind, note) of the planted credentials that are not stopped, or not taken out."""
    return [
        (kind, note)
        for kind, secret, note in planted(count, seed)
        if not secrets.find(note) or secret in secrets.redact(note)
    ]


def refused(notes: Sequence[str]) -> list[tuple[str, str]]:
    """Return (rule, note) of the clean *notes* that are refused."""
    return [(found[0].rule, note) for note in notes if (found := secrets.find(note))]


@click.command()
@click.option("--conversations", default=CONVERSATIONS, type=click.Path(path_type=Path),
              help="A folder of everyday conversations, *.messages.jsonl.")  # fmt: skip
@click.option("--seed", default=1, help="Other credentials, other notes.")
def main(conversations: Path, seed: int) -> None:
    """Print the shares, and what was missed or refused."""
    lost = missed(PLANTED, seed)
    notes = clean(CLEAN, seed, conversations)
    wrong = refused(notes)
    stopped, share = 1 - len(lost) / PLANTED, len(wrong) / len(notes)
    click.echo(f"{PLANTED} credentials of {len(KINDS)} kinds: {stopped:.1%} stopped")
    click.echo(f"{len(notes)} clean notes: {share:.2%} refused")
    for kind, count in Counter(kind for kind, _ in lost).items():
        click.echo(f"  missed {count} of {kind}: {next(n for k, n in lost if k == kind)!r}")
    for rule, note in wrong:
        click.echo(f"  refused by {rule}: {note[:120]!r}")
    if stopped < LEAST_STOPPED or share > MOST_REFUSED:
        sys.exit(1)


if __name__ == "__main__":
    main()
