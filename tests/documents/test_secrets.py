"""Secrets are found, harmless talk is left alone, and marked regions vanish.

No literal here looks like a credential: each one is put together from random bytes of a fixed seed.
"""

from __future__ import annotations

import base64
import hashlib
import json
import random
import string
import uuid
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from tests.bench import credentials
from tests.cases import rarely
from vaultmem.documents import secrets
from vaultmem.documents.secrets import heuristics

ROOT = Path(__file__).resolve().parents[2]
LOCOMO = ROOT.parent / "shared" / "data" / "locomo-dev"
DEMO = ROOT / "vaultmem" / "cli" / "demo" / "conversation.jsonl"

HEX = "0123456789abcdef"
ALNUM = string.ascii_letters + string.digits
URLSAFE = ALNUM + "-_"
BASE64 = ALNUM + "+/"
UPPER = string.ascii_uppercase + string.digits

# Rule, then alternating literals and (alphabet, length).
FORMATS: tuple[tuple[str, tuple[str | tuple[str, int], ...]], ...] = (
    ("aws-access-key", ("AK" + "IA", (UPPER, 16))),
    ("aws-access-key", ("AS" + "IA", (UPPER, 16))),
    ("github-token", ("gh" + "p_", (ALNUM, 36))),
    ("github-token", ("gh" + "o_", (ALNUM, 36))),
    ("github-token", ("gh" + "s_", (ALNUM, 36))),
    ("github-token", ("gh" + "r_", (ALNUM, 36))),
    ("github-token", ("github" + "_pat_", (ALNUM, 22), "_", (ALNUM, 59))),
    ("gitlab-token", ("glp" + "at-", (URLSAFE, 20))),
    ("anthropic-key", ("sk-" + "ant-api03-", (URLSAFE, 93), "AA")),
    ("openai-key", ("sk-" + "proj-", (URLSAFE, 120))),
    ("openai-key", ("sk" + "-", (ALNUM, 48))),
    ("openrouter-key", ("sk-" + "or-v1-", (HEX, 64))),
    ("google-api-key", ("AI" + "za", (URLSAFE, 35))),
    ("google-oauth-secret", ("GOC" + "SPX-", (URLSAFE, 28))),
    ("slack-token", ("xo" + "xb-", (string.digits, 12), "-", (ALNUM, 24))),
    ("slack-webhook", ("https://hooks.slack" + ".com/services/", (UPPER, 9), "/", (ALNUM, 34))),
    ("stripe-key", ("sk_" + "live_", (ALNUM, 24))),
    ("stripe-key", ("rk_" + "live_", (ALNUM, 24))),
    ("twilio-key", ("S" + "K", (HEX, 32))),
    ("sendgrid-key", ("S" + "G.", (URLSAFE, 22), ".", (URLSAFE, 43))),
    ("mailgun-key", ("ke" + "y-", (HEX, 32))),
    ("mailgun-key", ((HEX, 32), "-", (HEX, 8), "-", (HEX, 8))),
    ("mailchimp-key", ((HEX, 32), "-us", "12")),
    ("npm-token", ("np" + "m_", (ALNUM, 36))),
    ("pypi-token", ("py" + "pi-AgEIcHlwaS5vcmc", (URLSAFE, 90))),
    ("huggingface-token", ("h" + "f_", (ALNUM, 34))),
    ("digitalocean-token", ("do" + "p_v1_", (HEX, 64))),
    ("databricks-token", ("da" + "pi", (HEX, 32))),
    ("azure-storage-key", ("Account" + "Key=", (BASE64, 86), "==")),
    ("telegram-token", ((string.digits[1:], 10), ":A", "A", (URLSAFE, 33))),
    ("discord-token", ("M", (ALNUM, 23), ".", (ALNUM, 6), ".", (ALNUM, 27))),
    ("shopify-token", ("shp" + "at_", (HEX, 32))),
    ("square-token", ("sq0" + "csp-", (URLSAFE, 43))),
    ("linear-key", ("lin_" + "api_", (ALNUM, 40))),
    ("tavily-key", ("tv" + "ly-dev-", (ALNUM, 32))),
    ("notion-token", ("nt" + "n_", (ALNUM, 46))),
    ("vault-token", ("hv" + "s.", (URLSAFE, 90))),
    ("doppler-token", ("dp" + ".pt.", (ALNUM, 43))),
    ("fly-token", ("fo" + "1_", (URLSAFE, 43))),
    ("supabase-key", ("sb" + "p_", (HEX, 40))),
    ("grafana-token", ("gls" + "a_", (ALNUM, 32), "_", (HEX, 8))),
    ("newrelic-key", ("NR" + "AK-", (UPPER, 27))),
    ("groq-key", ("gs" + "k_", (ALNUM, 52))),
    ("jwt", ("ey" + "J", (URLSAFE, 33), ".ey" + "J", (URLSAFE, 70), ".", (URLSAFE, 43))),
    ("gitlab-token", ("glag" + "ent-", (URLSAFE, 50))),
    (
        "onepassword-secret-key",
        ("A3" + "-", (UPPER, 6), "-", (UPPER, 6), *(("-", (UPPER, 5)) * 4)),
    ),
    ("extended-private-key", ("xp" + "rv", (ALNUM, 107))),
    ("heroku-key", ("HR" + "KU-AA", (URLSAFE, 58))),
    ("dropbox-token", ("sl" + ".u.AF", (URLSAFE, 120))),
    ("dropbox-token", ("sl" + ".B", (URLSAFE, 130))),
    ("buildkite-token", ("bk" + "ua_", (HEX, 40))),
    ("netlify-token", ("nf" + "p_", (ALNUM, 36))),
    ("vercel-token", ("vc" + "p_", (ALNUM, 56))),
    ("neon-key", ("na" + "pi_", (ALNUM, 64))),
    ("langsmith-key", ("lsv2" + "_pt_", (HEX, 32), "_", (HEX, 10))),
    ("mapbox-token", ("sk" + ".eyJ", (ALNUM, 64), ".", (URLSAFE, 22))),
    ("airtable-token", ("pa" + "t", (ALNUM, 14), ".", (HEX, 64))),
    ("circleci-token", ("CCI" + "PAT_", (ALNUM, 22), "_", (HEX, 40))),
    ("elevenlabs-key", ("s" + "k_", (HEX, 48))),
    ("pinecone-key", ("pc" + "sk_", (ALNUM, 6), "_", (ALNUM, 63))),
    ("facebook-token", ("EA" + "AG", (ALNUM, 180))),
    ("firecrawl-key", ("f" + "c-", (HEX, 32))),
    ("crates-token", ("ci" + "o", (ALNUM, 32))),
    ("resend-key", ("r" + "e_", (ALNUM, 8), "_", (ALNUM, 24))),
    ("nvidia-key", ("nv" + "api-", (URLSAFE, 64))),
    ("jina-key", ("ji" + "na_", (ALNUM, 60))),
    ("password-hash", ("$" + "6$", (ALNUM, 12), "$", (ALNUM, 86))),
    ("password-hash", ("$" + "apr1$", (ALNUM, 8), "$", (ALNUM, 22))),
    ("password-hash", ("$" + "2b$12$", (ALNUM, 53))),
    ("age-secret-key", ("AGE-SECRET" + "-KEY-1", ("QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L", 58))),
)

FRAMES = (
    "{}",
    "Use {} for the deploy, please.",
    'export const token = "{}";',
    "- the key is `{}`\n- rotate it in May",
    "Mara wrote: {}.",
)


def made(rng: random.Random, parts: tuple[str | tuple[str, int], ...]) -> str:
    """Build one synthetic secret from its *parts*."""
    return "".join(
        part if isinstance(part, str) else "".join(rng.choices(part[0], k=part[1]))
        for part in parts
    )


def password(rng: random.Random) -> str:
    """Build what a person or a password manager calls a password."""
    word = "".join(rng.choices(string.ascii_lowercase, k=7))
    return rng.choice(
        [
            word + str(rng.randrange(1, 999)),
            word.title() + "!" + str(rng.randrange(10, 99)),
            "".join(rng.choices(ALNUM + "!#%+=?@^", k=16)) + "7a",
            f"{word}-{word[::-1]}-{rng.randrange(10, 99)}",
            str(rng.randrange(10**7, 10**8)),
        ]
    )


PROSE = (
    "my password is {}",
    "The wifi password: {}",
    "the password for the router at home is {}.",
    "I changed my password to {}, don't tell Tomas",
    "Passwort ist {}",
    "password={}\nuser=mara",
    '"password": "{}",',
    "**Password:** {}",
    "\u5bc6\u7801\u662f{}",
    "A senha \u00e9 {} e pronto",
    "postgres://mara:{}@db.internal/cafe",
    "curl -u mara:{} https://api.internal/x",
)

KEYED = (
    'api_key = "{}"',
    "API_KEY={}",
    "my API key is {}",
    "client_secret: {}",
    "Authorization: Bearer {}",
    '"access_token": "{}"',
    "the auth token for the printer is {}",
)


TALK = """\
I forgot my password
the password is hidden somewhere
password is required
your password is safe with us
Password: required
password: see the vault
The password is in the drawer under the 3rd shelf
My password is too weak.
the password was reset on 2026-09-01
password is 12 characters long
passwords are stored hashed.
password is case-sensitive
password: <your password>
password = os.environ["DB_PASSWORD"]
password = getpass.getpass()
password = base64.b16encode(data)
tokens = GasLexer2Tokens.get_tokens(lexer[0])
def login(user: str, password: str = "") -> None:
PASSWORD=$DB_PASSWORD
token: ${CI_TOKEN}
api_key = "YOUR_API_KEY_GOES_HERE_PLEASE"
the tokenizer: Xenova/gpt-4o-2024-08-06
the model token = claude-3-5-sonnet-20241022
the token count is 123456789
secret ingredient is cardamom
Secret Santa is on 2026-12-12
postgres://user:password@localhost/db
https://user@example.com/path
http://localhost:8080/@scope/pkg
http://localhost:8080?mail=a@b.example
redis://:${REDIS_PASSWORD}@cache:6379
mongodb://<user>:<password>@host
the password manager is Bitwarden.
the password is sha256 hashed
the door code is on the fridge
pin code: 4 digits
passphrase is written down somewhere safe
risk-assessment-of-the-new-harbour-street-shop-2026
\u5bc6\u7801\u662f\u5fc5\u586b\u7684
\u6211\u5fd8\u4e86\u5bc6\u7801
a file beginning -----BEGIN PRIVATE KEY----- is a key, keep it away
password: ********
password is "incorrect"
user story: login page, password reset
set the password to something strong
session token: 20 minutes
the token ring
password policy: at least 12 characters
password:\\n  at least 12 characters
Passwort vergessen
mot de passe : oubli\u00e9
SECRET_KEY_BASE=$SECRET
DB_PASS=\\nDB_HOST=db1.internal
GITHUB_TOKEN=${{ secrets.GITHUB_TOKEN }}
IMAGE_TOKEN = "<|image_1|>"
| password | varchar(64) |
| password | string | of 8-64 characters |
| pass | 3.2s |
| first pass | 12ms2 |
| token | 128 |
| api key | see README.md |
| Password | Changed |
**Password**\nrequired
**Password**\nSee https://example.org/4a
The API key is rotated
The api key rotation-policy-of-the-whole-team is late
The API key a7f3/docs/reference/index/of-all.html
WIFI:T:WPA;S:home;P:<password>;;
WIFI: T: S: P: of the router
PAD_TOKEN_ID, EOS_TOKEN=151643
API_TOKEN: self.token1
TESTS_PASS: yes
password: ${ENV}
my PIN is on the fridge
\u043f\u0430\u0440\u043e\u043b\u044c: \u0437\u0430\u0431\u044b\u043b
the seed phrase is written on paper in the safe of my mother in law and nobody knows it
seed phrase: twelve words that you must never share with anyone who asks for them
| user | password |\\n|---|---|\\n| ada | **** |\\n| bob | see the vault |
| model | tokens |\\n|---|---|\\n| opus | 200000 |
| token | meaning |\\n|---|---|\\n| `if_stmt2` | an if |
username and password are the same
la parola: amore
the password (optional): required
the password 2FA-protected
credentials: see step/two
the pass: we crossed it at noon
Pass: closed until 2026-12-01
PASS: test_foo2
--- PASS: TestLogin2 (0.01s)
pass: 98.5%
pass: 3.2s
boarding pass: LH2042 at gate B12
we took the pass at 2757m
second pass: a1b2c3 was removed by it
my pass is for the whole week
pass by value: int32_t
Security: WPA2-PSK (AES)
key_mgmt=WPA-PSK
psk: pre-shared-key
WPA-PSK: required
QPSK: 16QAM2000 is better
WLAN-Schl\u00fcssel liegt im Flur
WLAN-Schl\u00fcssel: siehe Router
The network key is printed on the router
Der Schl\u00fcssel: B12
Reifenp\u0430ss: nein
<private> is a tag, not a password""".splitlines()
"""What only names a secret; `\\n` stands for the end of a line."""

# What is cut out of each is the same word; `\\n` stands for the end of a line.
NOTATIONS = """\
- name: DB_PASSWORD\\n  value: {}
- name: "DB_PASSWORD"\\r\\n  value: "{}"
- {{name: DB_PASSWORD, value: {}}}
- name: ACME_TOKEN\\n          value: {}
{{"name":"DB_PASSWORD","value":"{}"}}
{{\\n  "key": "password",\\n  "type": "string",\\n  "value": "{}"\\n}}
{{"ParameterKey": "DBPassword", "ParameterValue": "{}"}}
<add key="Password" value="{}"/>
<input name='pwd' type='text' value='{}'>
<setting name="Password" serializeAs="String">\\n  <value>{}</value>
<property name="hibernate.connection.password">{}</property>
<password>{}</password>
<Password encrypted="false">\\n  {}\\n</Password>
<tr><th>Password</th><td>{}</td></tr>
<dt>Password</dt>\\n<dd class="mono"><code>{}</code></dd>
<p>Password: {}</p>
<strong>Password:</strong> {}
{{"auth": {{"user": "mara", "pass": "{}"}}}}
'smtp_pass': '{}'
auth:\\n      user: mara\\n      pass: {}
user,password\\nmara,{}
name,url,username,password,note\\nNAS,https://nas.internal,mara,{},"two, words"
"url";"username";"password"\\r\\n"https://x";"mara";"{}"\\r\\n
,login_password\\n0,hidden\\n1,{}\\n
user	password\\nada	****\\nmara	{}
password: !!str {}
password: &shared {}\\nother: *shared
password: >\\n\\n  {}
password: |-\\n  \\n  {}\\nuser: mara
password:\\n  - {}\\n  - another
"passwords":\\n- '{}'
- Password - {}
Password \u2013 {}
**Password** \u2014 {}
## Password\\n\\n{}\\n\\nMore.
### The wifi password:\\n\\n```\\n{}\\n```
password\\: {}
\uff30\uff21\uff33\uff33\uff37\uff2f\uff32\uff24: {}
password: "it's {} 'now'"
password : 'it''s{}'
"password": "a\\"{}"
export DB_PASS="a\\\\n{}"
password: `one1\\n{}`""".splitlines()
WORDS_BESIDE_NOTATIONS = """\
- name: DB_PASSWORD\\n  valueFrom:\\n    secretKeyRef: db2-credentials
- name: DB_PASSWORD\\n  value: $(PASSWORD)
- name: MAX_TOKEN\\n  value: 200000
{"name": "password", "value": "Passwort"}
<input name="password" value="Password">
<string name="password">Passwort</string>
<a href="/reset-password">Forgot your password?</a>
<a id="password">Authentication</a>
<label for="password">Password:</label>
<td>password</td><td>varchar(255)</td>
<dt>password</dt><dd>Authentication</dd>
fn login(password: &mut Password, token: &dyn Token9)
Option<Password> password2;
"password": "Kennwort"
{"pass": "12/14"}
The pass: Stelvio-2757m closes in October
Passwords:\\n- Netflix\\n- Banking
Password rules:\\n- 12-character minimum
password:\\n- 1Password
Reset password - 2factor comes later
# Password\\nDB_HOST=db2
## Password\\n\\nAt least 12 characters.
Authorization: Token <token>
authorization: signed by Dr. Weber on 2026-10-02
user@host password: prompt
password: changed2026-03-04
my password is in 1Password
password: 1Password
"password": "\u041f\u0430\u0440\u043e\u043b\u044c"
Password: [reset](page2)
<input name="password" value="#{user.password}">
user,password\\nada,hidden\\nbob,****
user, password\\nor2, token3
def check(user,password):\\n    return ask2(user,secret3)
token,count\\nBERT2,14
name,version\\nbash,b5\\npass,b1\\npatch2,b2
user,password\\n\\nmara,tr0ub4dor""".splitlines()

SEED = "abandon ability able about above absent absorb abstract absurd abuse access acid"

SPOKEN = (
    ("my password is {}.", "sunshine", "password-in-prose"),
    ("the wifi password: {}", "sunshine", "password-in-prose"),
    ("my password is {}", "hunter2", "password-in-prose"),
    ("PIN is {}", "4711", "pin-in-prose"),
    ("The PIN for the alarm is {}.", "4711", "pin-in-prose"),
    ("door code: {}", "2580", "pin-in-prose"),
    ("my passphrase is {}", "correct horse battery staple", "passphrase-in-prose"),
    ('password is "{}"', "open sesame 42", "password-in-prose"),
    ("machine x login mara password {}", "tr0ub4dor", "login-pair"),
    ("sshpass -p {} ssh host", "tr0ub4dor", "command-line-secret"),
    ("DB_PASS={}", "tr0ub4dor", "environment-secret"),
    ("export ACME_TOKEN='{}'", "tr0ub4dor", "environment-secret"),
    ('{{"JWT_SECRET": "{}"}}', "tr0ub4dor-vole", "environment-secret"),
    ("SECRET_KEY_BASE={}", "3f9a0b7c41de" * 8, "environment-secret"),
    ("password: >-\n  {}\nuser: mara", "tr0ub4dor", "password-in-prose"),
    ("Passwort:\n\n    {}", "tr0ub4dor", "password-in-prose"),
    ("mot de passe\u00a0: {}", "tr0ub4dor", "password-in-prose"),
    ("contrase\u00f1a: {}", "tr0ub4dor", "password-in-prose"),
    (
        "\u041f\u0430\u0440\u043e\u043b\u044c \u043e\u0442 wifi: {}",
        "tr0ub4dor",
        "password-in-prose",
    ),
    ("\u043f\u0430\u0440\u043e\u043b\u044c \u2014 {}.", "tr0ub4dor", "password-in-prose"),
    ("Die PIN f\u00fcr die Karte lautet {}.", "4821", "pin-in-prose"),
    ("seed phrase: {}", SEED, "passphrase-in-prose"),
    ("My recovery phrase\n{} and that is it", SEED, "passphrase-in-prose"),
    ("seed words:\n1. {}", SEED.replace(" ", "\n2. "), "passphrase-in-prose"),
    ("| who | Password |\n|:--|---:|\n| ada | `{}` |\n\nBye.", "tr0ub4dor", "secret-in-table"),
    ("API token | for\n--- | ---\n{} | acme\n", "tr0ub4dor99", "secret-in-table"),
    ("| user | ada |\n| **Wifi password** | `{}` |\n| room | 4 |", "tr0ub4dor", "secret-in-table"),
    ("|password|{}|", "tr0ub4dor", "secret-in-table"),
    ("| api key | {} |", "tr0ub4dor99", "secret-in-table"),
    ("WIFI:T:WPA;S:home;P:{};;", "itsITvNsUHbDwx", "wifi-password"),
    ("Scan WIFI:S:home;T:WPA;P:{};H:true;; there", "two words\\;4", "wifi-password"),
    ("**Password**\n{}", "QN9CpscYi0zaEI", "password-in-prose"),
    ("- __Wifi password:__  \n\n  {}\nBye.", "tr0ub4dor", "password-in-prose"),
    ("The API key {}, as told", "LQcWtxJTQr1FqXSTs98vPlL2aEJXquQr", "generic-secret"),
    ("our access token {}", "LQcWtxJTQr1FqXSTs98vPlL2aEJXquQr", "generic-secret"),
    ("\u5bc6\u7801\u662f {}\uff0c\u522b\u5fd8\u4e86", "tr0ub4dor", "password-in-prose"),
    ("psk={}", "tr0ub4dor", "wifi-password"),
    ('wpa_psk: "{}"', "tr0ub4dor", "wifi-password"),
    ("Pre-shared key: {}.", "tr0ub4dor", "wifi-password"),
    ("Der WLAN-Schl\u00fcssel lautet {}.", "tr0ub4dor", "wifi-password"),
    ("WLAN-Schlu\u0308ssel: {} am Router", "tr0ub4dor", "wifi-password"),
    ("Netzwerksicherheitsschl\u00fcssel: {}", "1234 5678 9012 3456 7890", "wifi-password"),
    ("WPA2 key = {}", "tr0ub4dor", "wifi-password"),
    ("la cl\u00e9 wifi : {}", "tr0ub4dor", "wifi-password"),
    ("host: db\n- pass: {}\n", "tr0ub4dor", "password-field"),
    ("host: db, pass: {}, port: 5432", "tr0ub4dor", "password-field"),
    ("**Pass:** {}", "hunter2!", "password-field"),
    ("my pass is {} for now", "tr0ub4dor", "password-in-prose"),
    ("smtp_pass: {}", "tr0ub4dor", "password-in-prose"),
    ("the pass-phrase is {}", "tr0ub4dor", "password-in-prose"),
    ("Passwort (WLAN): {}", "tr0ub4dor", "password-in-prose"),
    ("password [admin]: {}", "tr0ub4dor", "password-in-prose"),
    ("the password will be {} then", "tr0ub4dor", "password-in-prose"),
    ("mit dem Passwort {} geht es", "tr0ub4dor9", "password-in-prose"),
    ("password\u2236 {}", "tr0ub4dor", "password-in-prose"),
    ("has\u0142o: {}", "tr0ub4dor", "password-in-prose"),
    ("\u30d1\u30b9\u30ef\u30fc\u30c9: {}", "tr0ub4dor", "password-in-prose"),
    ("Zugangsdaten: mara / {}", "tr0ub4dor", "login-pair"),
    ("wlan --psk {}", "tr0ub4dor", "wifi-password"),
)
NAMES_AS_READ = (
    *("p\u0430ssw\u043erd", "\u0440\u0430\u0455\u0455w\u043erd", "pass**word**", "<b>pass</b>word"),
    *("pass&shy;word", "pass\u00adword", "p\u0430ss\u200bword", "mot\u00a0de\u00a0passe"),
    *("WLAN\u2011Schl\u00fcssel", "WLAN\u2011Passwort", "pass\u2010phrase", "pass&#119;ord"),
)


def seeded(seed: int) -> random.Random:
    """Return a source of the same bytes every time."""
    return random.Random(seed)  # noqa: S311  synthetic secrets need no strength


def contents(path: Path) -> list[str]:
    """Read what was said, line by line, from a conversation."""
    return [json.loads(line)["content"] for line in path.read_text("utf-8").splitlines()]


@pytest.mark.parametrize(("rule", "parts"), FORMATS)
def test_a_known_format_is_found_wherever_it_stands(
    rule: str, parts: tuple[str | tuple[str, int], ...]
) -> None:
    """Each format is reported under its own name and nothing of it survives a redaction."""
    rng = seeded(11)
    for frame in FRAMES:
        secret = made(rng, parts)
        text = frame.format(secret)
        assert [finding.rule for finding in secrets.find(text)] == [rule]
        redacted = secrets.redact(text)
        assert f"[REDACTED:{rule}]" in redacted
        assert secret[-12:] not in redacted


@pytest.mark.parametrize("frame", PROSE)
def test_a_password_said_in_passing_is_found(frame: str) -> None:
    """Nothing of it survives, and the redacted text is clean."""
    rng = seeded(12)
    for _ in range(50):
        secret = password(rng)
        redacted = secrets.redact(frame.format(secret))
        assert secret[-6:] not in redacted
        assert secrets.find(redacted) == ()


@pytest.mark.parametrize(("frame", "secret", "rule"), SPOKEN)
def test_a_spoken_secret_is_cut_out_exactly(frame: str, secret: str, rule: str) -> None:
    """The words around it stay as they are."""
    assert secrets.redact(frame.format(secret)) == frame.format(f"[REDACTED:{rule}]")


@pytest.mark.parametrize(
    "frame", [line.replace("\\n", "\n").replace("\\r", "\r") for line in NOTATIONS]
)
def test_a_password_is_found_in_any_notation(frame: str) -> None:
    """Of records, elements, cells, blocks and headings; it is gone, and what follows it stays."""
    redacted = secrets.redact(frame.format("tr0ub4dor"))
    assert "tr0ub4dor" not in redacted
    assert redacted.count("REDACTED") == 1
    assert frame.format("").endswith(redacted.rsplit("]", 1)[1])


@pytest.mark.parametrize("text", [line.replace("\\n", "\n") for line in WORDS_BESIDE_NOTATIONS])
def test_a_notation_that_holds_no_password_is_left_alone(text: str) -> None:
    assert secrets.find(text) == ()


@pytest.mark.parametrize("name", NAMES_AS_READ)
def test_a_name_gives_a_password_away_however_its_letters_are_written(name: str) -> None:
    """In those of another script, with other dashes and blanks, in parts, with what nobody sees."""
    redacted = secrets.redact(f"caf\u00e9: {name}: tr0ub4dor, and tea")
    assert redacted.startswith(f"caf\u00e9: {name}: [REDACTED:")
    assert redacted.endswith("], and tea")


@pytest.mark.parametrize("frame", [
    "Authorization: Token {}", "authorization: {}",
    '"Authorization": "ApiKey {}"', '<add key="ApiKey" value="{}"/>',
    "<clientSecret>{}</clientSecret>",
    '{{"name": "api_key", "value": "{}"}}', "api_key: !!str {}",
])  # fmt: skip
def test_a_key_is_found_in_any_notation(frame: str) -> None:
    key = made(seeded(23), ((ALNUM, 32),))
    redacted = secrets.redact(frame.format(key))
    assert redacted in {
        frame.format(f"[REDACTED:{it}]") for it in ("generic-secret", "bearer-token")
    }


def test_at_least_95_percent_of_assigned_keys_are_found() -> None:
    """A key without a format of its own is known by the name before it."""
    rng = seeded(13)
    shapes = [(16, ALNUM), (20, URLSAFE), (32, HEX), (40, HEX), (32, ALNUM), (44, BASE64)]
    texts = [
        (secret := made(rng, ((alphabet, length),)), frame.format(secret))
        for frame in KEYED
        for length, alphabet in shapes
        for _ in range(20)
    ]
    missed = [text for secret, text in texts if secret in secrets.redact(text)]
    assert len(missed) <= len(texts) * 0.05


def test_an_aws_secret_is_found_beside_its_key_id() -> None:
    """The id is no secret alone, the forty characters after it are."""
    rng = seeded(14)
    key_id, secret = made(rng, ("AK" + "IA", (UPPER, 16))), made(rng, ((BASE64, 40),))
    for text in (f"{key_id}\n{secret}\n", f"aws_secret_access_key = {secret}"):
        assert secret not in secrets.redact(text)
        assert "aws-secret-key" in {finding.rule for finding in secrets.find(text)}


@pytest.mark.parametrize("kind", ["", "RSA ", "EC ", "OPENSSH ", "ENCRYPTED "])
def test_a_private_key_goes_as_a_whole_block(kind: str) -> None:
    """Header, body and footer are one finding; the words around the block stay."""
    body = base64.encodebytes(seeded(15).randbytes(900)).decode()
    block = f"-----BEGIN {kind}PRIVATE" + f" KEY-----\n{body}-----END {kind}PRIVATE KEY-----"
    assert secrets.redact(f"here:\n{block}\nbye") == "here:\n[REDACTED:private-key]\nbye"


def test_a_private_key_that_was_cut_off_is_found() -> None:
    """A missing footer does not hide the body."""
    body = base64.encodebytes(seeded(16).randbytes(300)).decode()
    text = "note\n-----BEGIN PRIVATE" + f" KEY-----\n{body}"
    assert secrets.redact(text) == "note\n[REDACTED:private-key]"


def test_a_putty_key_is_found() -> None:
    """PuTTY's own file format has a private part too."""
    body = base64.encodebytes(seeded(17).randbytes(200)).decode()
    head = "PuTTY-User-Key-" + "File-3: ssh-ed25519"
    text = f"{head}\nPrivate-Lines: 4\n{body}Private-MAC: {'0a' * 32}"
    assert secrets.redact(text) == "[REDACTED:private-key]"


@pytest.mark.parametrize("text", [line.replace("\\n", "\n") for line in TALK])
def test_talk_about_secrets_is_no_secret(text: str) -> None:
    """A word that names a secret does not block a note."""
    assert secrets.find(text) == ()
    assert secrets.redact(text) == text


def test_identifiers_and_data_are_no_secrets() -> None:
    """Hashes, ids and pictures fill notes and are harmless."""
    rng = seeded(18)
    for _ in range(300):
        data = rng.randbytes(200)
        text = (
            f"commit {hashlib.sha1(data).hexdigest()}\n"  # noqa: S324  git's own hash
            f"sha256: {hashlib.sha256(data).hexdigest()}\n"
            f"id: {uuid.UUID(bytes=data[:16])}\n"
            f"ulid: 01J{''.join(rng.choices('0123456789ABCDEFGHJKMNPQRSTVWXYZ', k=23))}\n"
            f"![](data:image/png;base64,{base64.b64encode(data).decode()})\n"
            f"[[20261120-101500-prefers-dark-roast-{made(rng, ((HEX, 6),))}]]"
        )
        assert secrets.find(text) == ()


def test_the_bundled_conversation_is_clean() -> None:
    """What a stranger runs first is not blocked."""
    assert [text for text in contents(DEMO) if secrets.find(text)] == []


@pytest.mark.skipif(not LOCOMO.is_dir(), reason="the LoCoMo conversations are not here")
def test_no_turn_of_long_real_conversations_is_blocked() -> None:
    """Two thousand turns of everyday talk hold no false hit."""
    texts = [text for path in LOCOMO.glob("*.messages.jsonl") for text in contents(path)]
    assert [text for text in texts if secrets.find(text)] == []


def test_a_sample_of_what_the_benchmark_plants_is_stopped() -> None:
    """Every kind of it twice; `tests/bench/credentials.py` counts all."""
    lost = credentials.missed(2 * len(credentials.KINDS), seed=21)
    assert [kind for kind, _ in lost] == []


def test_a_sample_of_what_only_looks_like_a_credential_passes() -> None:
    """Hashes, ids, talk of passwords; none is refused."""
    assert credentials.refused(list(credentials.hard(200, seed=22))) == []


def test_a_password_that_was_changed_is_found_in_chinese() -> None:
    """As `changed to`, which is one word there, and not `finished`."""
    assert secrets.redact("\u5bc6\u7801\u6539\u6210\u4e86tr0ub4dor") == (
        "\u5bc6\u7801\u6539\u6210\u4e86[REDACTED:password-in-prose]"
    )
    assert secrets.find("\u5bc6\u7801\u8bbe\u7f6e\u5b8c\u6210\u4e86") == ()


def test_overlapping_rules_are_one_finding() -> None:
    """The rule that knows the format names it, and findings come in order."""
    rng = seeded(19)
    first, second = (made(rng, ("gh" + "p_", (ALNUM, 36))) for _ in range(2))
    text = f"password = {first}\nmy PIN is 4711\ntoken: {second}"
    found = secrets.find(text)
    assert [finding.rule for finding in found] == ["github-token", "pin-in-prose", "github-token"]
    assert [text[finding.start : finding.end] for finding in found] == [first, "4711", second]


def test_a_long_value_is_redacted_to_its_end() -> None:
    """However long a value, no tail of it stays."""
    secret = made(seeded(20), ((ALNUM, 3000),))
    assert secrets.redact(f"api_key: {secret} end") == "api_key: [REDACTED:generic-secret] end"


def test_offsets_hold_after_a_letter_that_grows_when_lowered() -> None:
    """The capital dotted I is two characters in lower case."""
    text = "\u0130stanbul \u0130\u0130: my password is hunter2 ok"
    assert secrets.redact(text) == text.replace("hunter2", "[REDACTED:password-in-prose]")


UNITS = (
    *(
        "**password**\n",
        "**",
        "| password | a1b2 |\n",
        "| password",
        "WIFI:T:",
        "WIFI:P:",
        "api key aaaa",
        "\uff47\uff48\uff50_",
        "password for ",
        "password is ",
        "token=",
        "tokentoken",
        "eyJ",
        "eyJaaaaaaaaa.",
        "://a:",
        "-",
    ),
    *(
        "-----BEGIN PRIVATE" + " KEY-----",
        "-----BEGIN ",
        "PuTTY-User-Key-File-2:",
        "M",
        "Ma.",
        "a1-",
    ),
    *("12345678:A", "AKIA", "sk-ant-", "key-key-", "curl -u ", "curl curl ", "user login ", "Q~ "),
    *(
        "pin for a b c d ",
        "\u5bc6\u7801\u662f",
        "AccountKey=",
        "a*b<b>",
        "cookie: a=b; ",
        "mysql ",
        "&#9",
        '"auth": ',
        "|secret|\n|-|\nx|\n",
        "|-",
        "A_TOKEN=",
        "password: >\n",
        "seed phrase word word ",
        "api_key_key_",
        "password, value ",
        "password>",
        "password ",
        "</",
        "</a",
        "# password\n",
        "password: '\\'",
        "password: `a\n",
        "authorization: ",
        "password,a\n",
        '"password","a\n',
        "password;",
        "token\t",
        "password</td> <td>",
        '"',
        " ",
    ),
)


@pytest.mark.long
@pytest.mark.parametrize("unit", [*UNITS[::3], *rarely(*UNITS[1::3], *UNITS[2::3])])
def test_a_hostile_text_is_read_to_its_end(unit: str) -> None:
    """A rule whose work grows with the square would not come to it."""
    secrets.find((unit * (200_000 // len(unit) + 1))[:200_000])


def test_a_value_that_holds_a_thousand_others_is_gone_through_once(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    ends, seen = heuristics.end, list[int]()

    def end(text: str, value: heuristics.Value) -> int:
        found = ends(text, value)
        seen.append(found - value.start)
        return found

    monkeypatch.setattr(heuristics, "end", end)
    text = "AccountKey=" * 1000
    (found,) = secrets.find(text)
    assert found.end == len(text)
    assert sum(seen) < 3 * len(text)


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("I <private>hate</private> like tea", "I like tea"),
        ("Tea<private> and gin</private>.", "Tea."),
        ("Tea <private>and gin</private>.", "Tea."),
        ("one\n\n<private>\ntwo\n</private>\n\nthree\n", "one\n\nthree\n"),
        ("one\n<private>two</private>\n  - three", "one\n  - three"),
        ("<private>all</private>", ""),
        ("<private>all</private>\nrest", "rest"),
        ("rest\n<private>all</private>\n", "rest\n"),
        ("a <PRIVATE>b</Private> c", "a c"),
        ('a <private reason="x">b</private > c', "a c"),
        ("a < private >b< / private > c", "a c"),
        ("a <private>b <private>c</private> d</private> e", "a e"),
        ("a <private>b\nc", "a"),
        ("a <private>b", "a"),
        ("a </private> b", "a b"),
        ("```\n<private>\n```\nx\n```\n</private>\n```", "```\n```"),
        ("a <private>b</private> <private>c</private> d", "a d"),
        ("a <pri<private>x</private>vate>b</private> c", "a"),
        ("a <private>\U0001f930 \U0001f48a</private> b", "a b"),
        ("a <private>\u2605</private> b", "a b"),
    ],
)
def test_a_private_region_leaves_a_text_that_reads_well(text: str, kept: str) -> None:
    """What was marked is gone, and so is the gap it left."""
    assert secrets.strip_private(text) == kept


@pytest.mark.parametrize("unseen", ["\u200b", "\u200d", "\u2060", "\ufeff", "\u00ad\u200e"])
@pytest.mark.parametrize(("rule", "parts"), FORMATS[:8])
def test_a_credential_with_letters_in_it_that_nobody_sees_is_one(
    unseen: str, rule: str, parts: tuple[str | tuple[str, int], ...]
) -> None:
    key = made(random.Random(3), parts)  # noqa: S311  # no secret of anybody
    text = f"caf\u00e9{unseen} {key[:5]}{unseen}{key[5:12]}{unseen}{key[12:]} {unseen}at four"
    assert secrets.redact(text) == f"caf\u00e9{unseen} [REDACTED:{rule}] {unseen}at four"
    assert secrets.redact(f"tea{unseen}pot") == f"tea{unseen}pot"


@pytest.mark.parametrize(
    "alike",
    [
        {sign: sign + 0xFEE0 for sign in range(0x21, 0x7F)},
        str.maketrans("acekopsxyABEHKMOPT", "\u0430\u0441\u0435\u03ba\u043e\u0440\u0455\u0445\u0443"
                      "\u0410\u0412\u0415\u041d\u041a\u041c\u041e\u0420\u0422"),
        {ord("-"): "\u2011", ord("p"): "\u0440"},
    ],
)  # fmt: skip
@pytest.mark.parametrize(("rule", "parts"), FORMATS[:8])
def test_a_key_in_letters_that_look_like_its_own_is_one(
    alike: dict[int, int | str], rule: str, parts: tuple[str | tuple[str, int], ...]
) -> None:
    """Of full width, of another script, with a dash that breaks no line; each in its place."""
    key = made(seeded(21), parts).translate(alike)
    text = f"\u0434\u0430 caf\u00e9 \ufb01t {key} \u043d\u0435\u0442"
    assert secrets.redact(text) == text.replace(key, f"[REDACTED:{rule}]")


@pytest.mark.parametrize("within", [
    "**{}**", "*{}*", "`{}`", "<b>{}</b>", "<span class='x'>{}</span>", "~~{}~~", "=={}==",
    "<wbr>{}", "&shy;{}", "&#8203;{}", "&ZeroWidthSpace;{}",
])  # fmt: skip
@pytest.mark.parametrize(("rule", "parts"), FORMATS[:8])
def test_a_key_of_which_a_part_is_shown_otherwise_is_one(
    within: str, rule: str, parts: tuple[str | tuple[str, int], ...]
) -> None:
    """As a page of it is read; what stands around it stays as it is."""
    key = made(seeded(20), parts)
    text = f"a**b** and {key[:5]}{within.format(key[5:12])}{key[12:]} &amp; <b>more</b>"
    assert secrets.redact(text) == f"a**b** and [REDACTED:{rule}] &amp; <b>more</b>"


@pytest.mark.parametrize(("frame", "rule"), [
    ("mysql -u root -p{} shop", "command-line-secret"),
    ("mariadb -h db -uroot -p'{}'", "command-line-secret"),
    ("Cookie: session={}", "session-cookie"),
    ('-H "Cookie: theme=dark; connect.sid={}"', "session-cookie"),
    ("Set-Cookie: sid={}; Path=/; HttpOnly", "session-cookie"),
    ("PHPSESSID={}", "session-cookie"),
    ("Authorization: **Basic** {}", "basic-auth"),
    ("openssl rsa -in key.pem -passin pass:{}", "command-line-secret"),
    ("openssl enc -aes-256-cbc -k {} -in a", "command-line-secret"),
    (r"net use Z: \\heron\share /user:mara {}", "command-line-secret"),
    ("echo {} | sudo -S apt update", "command-line-secret"),
    ("ansible_become_pass: {}", "password-in-prose"),
    ("login: mara:{}", "login-pair"),
    ("Log in with mara / {}", "login-pair"),
    ("https://git.example/a.git?private_token={}", "url-credentials"),
    ("git clone https://git.example/a.git?depth=1&access_token={}", "url-credentials"),
    ("Our wallet's private key {}", "generic-secret"),
])  # fmt: skip
def test_what_a_command_or_a_header_gives_away_is_found(frame: str, rule: str) -> None:
    key = made(seeded(22), ((ALNUM, 32),))
    assert secrets.redact(frame.format(key)) == frame.format(f"[REDACTED:{rule}]")


@pytest.mark.parametrize("text", [
    "mysql -u root -p shop", "mysql -uroot -p", "mysql -P3306 shop", "mysql -uroot -p$PASSWORD",
    "Cookie: theme=dark; lang=en", "Cookie: _ga=GA1.2.1234567890.1234567890",
    "the cookie: a session of baking", "Authorization: Basic <base64>",
    "openssl rsa -passin pass:$PASS", "openssl rsa -passin env:PW", "openssl speed -k all",
    r"net use Z: \\heron\share /user:mara", "echo $SUDO_PASSWORD | sudo -S ls",
    "ansible_become_pass: '{{ vault_pass }}'", "Login: see https://a.example/login:form",
    "last login: 2026-11-20T10:15:00Z", "Login: mara:admin", "Log in with Google / Facebook",
    "It costs $1$,$2$,$5$ or $6$,$7$,$5$,$1$,$6$ a month", "the $6$ and the $2$ of it",
    "https://a.example/list?page_token=abc123&key=4f", "https://a.example/?api_key=YOUR_API_KEY",
    "- [My password: [REDACTED:password-in-prose]](topics/a-2.md): tea",
    "The private key lies in the drawer", "A3-size, A3-landscape", "sk_learn_pipeline_of_it",
    "vci_controller_of_the_laboratory_in_the_cellar", "slow sl.setup-of-the-house",
])  # fmt: skip
def test_a_command_or_a_header_without_a_secret_is_none(text: str) -> None:
    assert secrets.find(text) == ()


@pytest.mark.parametrize(("sign", "written"), [
    ("_", "\\_"), ("_", "&#95;"), ("_", "&lowbar;"), ("-", "\\-"), ("-", "&#x2D;"), ("-", "&#45;"),
])  # fmt: skip
def test_a_key_with_signs_that_an_editor_escaped_is_one(sign: str, written: str) -> None:
    keys = [made(seeded(21), parts) for _, parts in FORMATS if any(sign in x for x in parts)]
    escaped = [key.replace(sign, written) for key in keys]
    assert len(keys) > 4
    assert [text for text in escaped if not secrets.find(text)] == []


@pytest.mark.parametrize("unseen", [
    "\u200b", "\u200d", "\u2060", "\ufeff", "\u00ad\u200e", "\U0001d173", "\ufff2", "\u2065",
    "\U000e0080", "\x02",
])  # fmt: skip
@pytest.mark.parametrize("mark", ["<|private>", "<pri|vate>", "<private|>", "<pri|vate| a=1>"])
@pytest.mark.parametrize("end", ["<|/private>", "</|private>", "</priv|ate>", "< / private|>"])
def test_a_mark_with_letters_in_it_that_nobody_sees_is_a_mark(
    unseen: str, mark: str, end: str
) -> None:
    """They come with words that were copied, and whoever wrote the mark cannot see them."""
    text = f"tea {mark} {MARK} {end} at four".replace("|", unseen)
    assert secrets.strip_private(text) == "tea at four"
    assert secrets.left_out(text) == "1 private part was left out"
    assert secrets.strip_private(f"<pri{unseen}vateer> ahoy") == f"<pri{unseen}vateer> ahoy"


@pytest.mark.parametrize(("mark", "end"), [
    (r"\u003cprivate\u003e", r"\u003c/private\u003e"),
    (r"\u003CPRIVATE\u003E", r"\u003c\/private\u003e"),
    (r"\\u003cprivate\\u003e", r"\\u003c\\/private\\u003e"), ("<private>", r"<\/private>"),
    (r"\x3cprivate\x3e", r"\x3c/private\x3e"), (r"\<private\>", r"\</private\>"),
])  # fmt: skip
def test_a_mark_with_its_brackets_escaped_is_a_mark(mark: str, end: str) -> None:
    """As JSON, YAML and Markdown write it: whoever reads the value reads the mark."""
    for before, behind in (("tea ", " at four"), ('{"say": "', '"}')):
        kept = secrets.strip_private(f"{before}{mark}{MARK}{end}{behind}")
        assert MARK not in kept
        assert kept.endswith(behind)
    plain = r"a \u003cb\u003e, \private, C:\private\x3e and \<privateer\>"
    assert secrets.strip_private(plain) == plain
    assert secrets.private_parts(rf"Go writes `{mark}…{end}` for it.") == []


@pytest.mark.parametrize("unit", [
    "<\u200b", "<pri\u200b", "\u200b", "<private\u200b", "< \u2060/", "\\", "\\u003c\u200b",
])  # fmt: skip
def test_marks_begun_without_number_are_read_to_their_end(unit: str) -> None:
    """A pattern whose work grows with the square would not come to it."""
    secrets.strip_private(f"<{unit * 100_000}")


@pytest.mark.parametrize(
    ("texts", "kept"),
    [
        (("<private>", "hush", "</private>"), ("", "", "")),
        (("tea <private>hush", "hush</private> at", "four "), ("tea", "at", "four ")),
        (("<private>hush <private>hush", "</private> hush", "</private> tea"), ("", "", "tea")),
        (("tea", "<private>", "hush"), ("tea", "", "")),
        (("a <pri<private>x</private>vate>", "hush", "hush"), ("a", "", "")),
        (("a </private>", "b"), ("a", "b")),
    ],
)
def test_a_private_part_may_go_over_the_items_of_a_list(
    texts: tuple[str, ...], kept: tuple[str, ...]
) -> None:
    """They are one text, and each keeps its place."""
    assert secrets.strip_each(texts) == kept
    assert "hush" not in "".join(secrets.public_items(texts))


@pytest.mark.parametrize("inside", ["\U0001f930", "\u2605\u2605", "two", "\u4e8c"])
def test_a_picture_or_a_word_makes_a_private_part(inside: str) -> None:
    assert secrets.private_parts(f"a <private>{inside}</private>") == [(2, 21 + len(inside))]
    assert secrets.private_parts("`<private>`/`</private>` and <private>\u2026</private>") == []


@pytest.mark.parametrize("text", ["", "plain  \n\n text ", "a private matter", "<privateer> ahoy"])
def test_a_text_without_the_tag_is_returned_itself(text: str) -> None:
    """Not a byte of it is touched."""
    assert secrets.strip_private(text) is text


FRAGMENTS = st.lists(
    st.sampled_from(
        [
            "<private>",
            "</private>",
            "<Private a=1>",
            "< / private >",
            "```\n",
            "\n",
            " ",
            "tea",
            "<",
            "p",
        ]
    )
).map("".join)
MARK = "QZQ"


@given(before=FRAGMENTS, inside=FRAGMENTS, after=FRAGMENTS)
@example(before="<pri", inside="", after="vate>")
def test_marked_text_never_survives(before: str, inside: str, after: str) -> None:
    """Whatever stands around or within, a marked word is gone and no tag is left."""
    hidden = inside.replace("/", "")
    kept = secrets.strip_private(f"{before}<private>{hidden}{MARK}</private>{after}")
    assert MARK not in kept
    assert secrets.strip_private(kept) is kept


@given(before=st.text(alphabet="ab \n<>/."), after=st.text(alphabet="ab \n<>/."))
def test_what_is_not_marked_is_kept(before: str, after: str) -> None:
    """Only white space beside a region may change."""
    kept = secrets.strip_private(f"{before}<private>{MARK}</private>{after}")
    assert "".join(kept.split()) == "".join((before + after).split())


@given(st.text())
def test_findings_are_ordered_and_apart(text: str) -> None:
    """Any text at all can be scanned; offsets lie within it."""
    found = secrets.find(f"password: {text}")
    bounds = [edge for finding in found for edge in (finding.start, finding.end)]
    assert bounds == sorted(bounds)
    assert all(0 <= edge <= len(text) + 10 for edge in bounds)


@pytest.mark.long
def test_nested_tricks_end_after_a_few_passes() -> None:
    """A text built to spell new tags out of its remains is cut, not chased for ever."""
    text = "<pri" * 20_000 + "<private></private>" + "vate></private>" * 20_000
    kept = secrets.strip_private(f"tea {text}{MARK}")
    assert secrets.strip_private(kept) is kept


def test_json_within_json_stays_json() -> None:
    """Its quotes are escaped: a value that was cut out with one of them would leave a torn line."""
    line = json.dumps({"content": json.dumps({"password": "Zt61wBn3KsYd20", "door": "left"})})
    assert json.loads(json.loads(secrets.redact(line))["content"])["door"] == "left"
