"""The names before a value that give a credential away, as patterns up to the value."""

from __future__ import annotations

from collections.abc import Iterable

from vaultmem.documents.secrets.separators import ABOUT, HOLDS, IS, LONE, PAIR, WHOSE

# A name begins with a literal wherever it can: `re` looks for those far faster than for choices.
_SUBJECTS = "|".join(
    f"(?<={about} {whose} pass)"
    for about in ("about", "regarding", "concerning", "\u00fcber")
    for whose in ("the", "my", "our", "his", "her", "a", "das", "mein", "unser")
)
_ANYBODY = r"(?<!most common pass)(?<!most popular pass)(?<!h\u00e4ufigste pass)"
_LOGIN_WORD = (
    rf"pass(?<!1pass){_ANYBODY}(?!(?:{_SUBJECTS})[a-z]{{2,6}}\s(?:is|was|ist|war)\s)"
    r"-?(?:word|wd|code|phrase|wort)s?"
)
"""Not everybody's, nor that about which something else is told: `the ticket about the password`."""

_LOGIN_WORDS_ABROAD = (
    *("pwd", "pw", "kennwort", "wachtwoord", "senha", "palavra-passe", "mot de passe"),
    "contrase\u00f1a",
)
ABROAD = ("wachtwoord", "senha", "mot de passe", "contrase\u00f1a", "contrasena", "clave")
"""Of these a sentence and a table tell values, too."""

_LOGIN_WORDS_FAR_ABROAD = (
    *("has\u0142o", "heslo", "l\u00f6senord", "parola", "salasana", "adgangskode", "jelsz\u00f3"),
    *(
        "\u015fifre",
        "sifre",
        "kata sandi",
        "m\u1eadt kh\u1ea9u",
        "\u03ba\u03c9\u03b4\u03b9\u03ba\u03cc\u03c2",
    ),
    *("\u30d1\u30b9\u30ef\u30fc\u30c9", "\ube44\ubc00\ubc88\ud638"),
)
"""Those that may be another word, too: what is announced must look like a password."""

_KEY_OWNERS = (
    *("api", "access", "secret", "auth", "private", "signing", "encryption", "service", "account"),
    *("app", "client", "license", "master", "session", "webhook", "deploy", "storage", "admin"),
)
_AN_ID = (
    r"(?!(?:(?<=[_-]id)|(?<=session[ _-]key)|(?<=sessionkey))[^\w\n]{0,9}[0-9a-f]{8}-[0-9a-f]{4}-)"
)
_KEY_TAIL = rf"s?(?:[_-](?:key|id|token|value|prod|live|test|dev)){{0,2}}{_AN_ID}"


# A `key` that opens something: `api_key`, not `primary key`.
_OWNERS = "|".join(rf"(?<={owner}key)|(?<={owner}[ _-]key)" for owner in _KEY_OWNERS)
_OWNED_KEY = f"key(?:{_OWNERS})"
_LOCKS = (
    *("door", "gate", "alarm", "safe", "lock", "entry", "garage", "locker", "keypad", "unlock"),
    *("security", "access"),
)
_POSTAL = r"(?!\sin\s(?!(?:my|the|our|his|her|a)\s)[^\d\n.:;]{1,40}\s\d{6}(?!\d))"
_PIN = rf"pin(?<![a-z0-9]pin)(?:[ -](?:code{_POSTAL}|number))?"
"""As a code in a place the word means six digits of a postal address in India."""

_PUK = r"puk(?<![a-z0-9]puk)"


def _of(owners: Iterable[str], name: str, between: str = "[ -]") -> str:
    """Return the pattern of what is called *name* and is one of *owners*': `door code`."""
    owned = (f"(?<=(?<![a-z0-9]){it}{between}{name})" for it in owners)
    return f"{name}(?:{'|'.join(owned)})"


_GIVEN = f"(?:{ABOUT}{IS}|{HOLDS})"
_PHRASE = r"(?:pass ?phrase|(?:seed|recovery|backup) phrase|mnemonic)"
_SEED = {
    "seed": "seed",
    "mnemonic": "mnemonic",
    "phrase": r"phrase(?:(?<=recovery phrase)|(?<=backup phrase))",
}
_SEED_WORDS = rf"(?: phrase| words?)?{ABOUT}(?:{IS}|\s{{1,3}})(?:[-*]\s)?(?:1[.):]\s{{0,2}})?"
_RUSSIAN_WORD = r"\u043f\u0430\u0440\u043e\u043b[\u044c\u044f]"
_RUSSIAN = rf"{_RUSSIAN_WORD}{ABOUT}(?:{IS}|\s?[\u2013\u2014-]\s)"
_OPTION = r"--(?<!\w--)(?:password|passwd|passphrase|token|secret|api-?key)[ =]"
_CURL_USER = r"curl(?=\s)[^\n]{0,200}?\s-u\s?[\"']?[^\s:\"']{1,64}:"
_MYSQL = r"(?:mysql|mariadb)(?:dump|admin)?(?=\s)[^\n|;&]{0,200}?\s-p(?=\S)"
_COOKIE = (
    r"cookie[\"']?\s?[:=]\s?[\"']?(?:[^\s=;\"']{1,64}=[^\s;\"']{0,200};\s?){0,9}?"
    r"[\w.-]{0,40}(?:sess|session|sid|sessionid|session_id)="
)
CHINESE_WORDS = ("\u5bc6\u7801", "\u5bc6\u78bc", "\u53e3\u4ee4")
CHINESE_KEYS = ("\u4ee4\u724c", "\u5bc6\u94a5", "\u5bc6\u9470", "\u91d1\u9470", "\u79c1\u94a5")
_LOCKED = r"(?!(?:\u7684?[\u662f\u4e3a\u70ba\u53eb]|[:\uff1a])[0-9])"
_CHINESE_WORD = (
    rf"(?:{'|'.join(CHINESE_WORDS)})(?![\u5b66\u5b78\u673a\u6a5f]|[\u9501\u9396\u7bb1]{_LOCKED}"
    r"|\u672c(?![\u6765\u4f86])|\u7ba1\u7406\u5668|\u89c4\u5219|\u898f\u5247|\u7ea2\u5305|\u7d05\u5305)"
)
"""As a word of its own: with these behind it is the first half of another."""

_CHINESE = (
    rf"{_CHINESE_WORD}"
    r"(?![\u4e00-\u9fff]{0,6}(?:\u9519\u8bef|\u932f\u8aa4|\u6709\u6548\u671f))[\u4e00-\u9fff]{0,6}?"
    r"(?:[\u662f\u4e3a\u70ba\u53eb]|\u6210\u4e86?|\s?[:=\uff1a])\s{0,3}"
)
_LOGIN_PAIR = (
    r"(?:login|user(?:name)?)(?:\s?[:=]\s?|\s)[^\s,;/|]{1,40}(?:[\s,;/|]{1,4}|\n[ \t]{5,20})"
    r"(?:password\s|pass(?:\s?[:=]\s?|\s))"
)

_HEADING = (
    rf"# (?:[^\n#]{{0,40}}[ _-])?{_LOGIN_WORD}[:*]{{0,3}}[ \t\r]{{0,3}}\n[ \t\r]{{0,3}}\n"
    rf"(?:```\w{{0,10}}\n)?{LONE}"
)
_BOLD_LABEL = (
    rf"(?:\*\*|__)(?:[^\n#*]{{0,40}}[ _-])?{_LOGIN_WORD}:?(?:\*\*|__):?[ \t\r]{{0,3}}\n"
    rf"(?:[ \t\r]{{0,3}}\n)?[ \t]{{0,3}}{LONE}"
)

_NETWORKS = (
    *("wlan", "wifi", "wi-fi", "wpa", "wpa2", "wpa3", "wep", "network", "netzwerk", "hotspot"),
    *("netzwerksicherheits", "preshared", "pre-shared"),
)
_KEYS = ("key", "schl\u00fcssel", "schlu\u0308ssel", "schluessel", "sleutel")
_KEY_OWNERS_ABROAD = ("api", "zugriffs", "zugangs")
_DOORS_ABROAD = ("t\u00fcr", "tor", "garagen", "safe", "tresor", "schloss")
_LOCKS_ABROAD = (
    *(f"{of}{door}" for of in ("", "haus", "wohnungs", "garagen") for door in _DOORS_ABROAD),
    *("alarm", "zugangs", "sicherheits", "freischalt", "zahlen", "entsperr"),
)
_CHINESE_PINS = (
    "\u95e8\u7981\u7801",
    "\u9580\u7981\u78bc",
    "\u89e3\u9501\u7801",
    "\u89e3\u9396\u78bc",
)
_KEYS_ABROAD = ("cl\u00e9", "cle\u0301", "clave", "chiave")
_OF_A_NETWORK = r"(?: (?:del?|du|della))? (?:wi-?fi|wlan|wpa[23]?)"
_OPENSSL = r"(?:-pass(?:in|out)?\s{1,3}[\"']?pass:|openssl(?=\s)[^\n|;&]{0,200}?\s-k\s{1,3})"
_IN_A_QUERY = (
    r"[?&](?:(?:private|access|auth|api|oauth|refresh|deploy|job|personal)[_-]?token|api[_-]?key|"
    r"(?:client[_-]?)?secret)="
)
"""Not any token: that of a page of results is no secret."""

_NET_USE = r"net\suse(?=\s)[^\n]{0,200}?\s/user:\S{1,64}\s{1,3}"
_LOGIN_IS = r"log[ -]?in\s?:\s{0,3}[\w.@+-]{2,40}:(?=\S)"
_LOGIN_WITH = r"(?:log|sign)[ -]?in (?:with|as) [\w.@+-]{2,40}\s?/\s?"
_CREDENTIALS = rf"(?:credentials|zugangsdaten){WHOSE}\s?:\s{{0,3}}[\w.@+-]{{2,40}}\s?[:/]\s?"
_PSK = r"psk(?<![a-z0-9]psk)"

_HAVE_A_PASS = (
    *("wifi", "wi-fi", "wlan", "login", "admin", "root", "router", "db", "database", "smtp"),
    *("become", "sudo", "ansible"),
    *("imap", "ftp", "ssh", "vpn", "mail", "account", "user", "server", "my", "mein"),
)
_ON_ITS_LINE = r"(?!\w)[*_\"'`]{0,3}(?: is |[:=]| [:=] )[*_]{0,2}[ \t]{0,3}"
_FIELD = r"ass(?<=[Pp]ass)(?<![\w.-][Pp]ass)(?<![^*,;/|>\s-] [Pp]ass)"
"""`pass: …` as a field; a run of tests tells `PASS: …`, and a sentence of a mountain's."""


def _before_a_key(name: str) -> str:
    """Return what stands right before a key that is called *name*: `the API key 4f…`."""
    return rf"{name}\s{{1,3}}(?=[\w-]{{20,200}}(?![\w./:@=-]))"


_KEY_OF_JSON = r"pass(?<=[\"'_-]pass)[\"']\s?:\s{0,3}(?=[\"'])"
_AUTHORIZATION = (
    r"authorization[\"'`*_]{0,3}\s?[:=]\s{0,3}[\"'`*_]{0,3}"
    r"(?:(?:token|bot|api-?key|key)[*_]{0,2}\s{1,3})?"
)

# Rule, hints, the word itself, the judge of the value that a sentence joins to it.
CALLED = (
    ("password-in-prose", ("pass",), _LOGIN_WORD, "said"),
    *(
        ("password-in-prose", (word,), rf"{word}(?<![^\W_]{word})", "said")
        for word in (*_LOGIN_WORDS_FAR_ABROAD, "clave")
    ),
    *(
        ("password-in-prose", (word,), rf"{word}(?<![a-z]{word})", "said")
        for word in ("pwd", "pw", "senha", "palavra-passe", "contrasena")
    ),
    *(
        ("password-in-prose", (word,), word, "said")
        for word in ("kennwort", "wachtwoord", "mot de passe", "contrase\u00f1a")
    ),
    ("password-in-prose", CHINESE_WORDS, _CHINESE_WORD, "said"),
    ("password-in-prose", ("\u043f\u0430\u0440\u043e\u043b",), _RUSSIAN_WORD, "said"),
    ("generic-secret", ("key",), f"{_OWNED_KEY}{_KEY_TAIL}", "token"),
    ("generic-secret", ("token",), f"token{_KEY_TAIL}", "token"),
    ("generic-secret", ("secret",), f"secret{_KEY_TAIL}", "token"),
    ("generic-secret", CHINESE_KEYS, "|".join(CHINESE_KEYS), "token"),
    *(("generic-secret", (it,), _of(_KEY_OWNERS_ABROAD, it), "token") for it in _KEYS),
    *(
        ("generic-secret", (it,), f"{it}(?: d[e'\u2019]\\s?| )(?:api|acc[e\u00e8]s)", "token")
        for it in _KEYS_ABROAD
    ),
    *(
        ("wifi-password", (it,), _of(_NETWORKS, it, between), "network")
        for it in _KEYS
        for between in ("[ _-]", "")
    ),
    *(("wifi-password", (it,), f"{it}{_OF_A_NETWORK}", "network") for it in _KEYS_ABROAD),
    ("pin-in-prose", ("pin",), rf"{_PIN}(?:\s?[\u7801\u78bc])?", "pin"),
    ("pin-in-prose", ("puk",), _PUK, "pin"),
    ("pin-in-prose", ("pass",), "passcode", "pin"),
    ("pin-in-prose", _CHINESE_PINS, "|".join(_CHINESE_PINS), "pin"),
    ("pin-in-prose", ("geheimzahl",), "geheimzahl", "pin"),
    ("pin-in-prose", ("code",), _of(_LOCKS, "code"), "pin"),
    ("pin-in-prose", ("code",), _of(_LOCKS_ABROAD, "code", ""), "pin"),
    ("pin-in-prose", ("combination",), _of(_LOCKS, "combination"), "pin"),
)
"""The words that the grammar of `sentences` reads on from."""

# What records, lines and commands tell; and plain words, which only the shortest sentences tell.
# Rule, hints, pattern up to the value (over the lowered text), the judge of the value.
NAMED = (
    ("aws-secret-key", ("secret",), rf"secret[ _-]?(?:access[ _-]?)?key{ABOUT}{IS}", "aws"),
    ("bearer-token", ("bearer",), r"bearer(?<![a-z]bearer)\s{1,3}", "token"),
    (
        "basic-auth",
        ("authorization",),
        r"authorization[\"'`*_]{0,3}\s?[:=]\s{0,3}[\"'`*_]{0,3}basic[*_]{0,2}\s{1,3}",
        "token",
    ),
    ("bearer-token", ("authorization",), _AUTHORIZATION, "token"),
    ("generic-secret", ("key",), rf"{_OWNED_KEY}{_KEY_TAIL}{_GIVEN}", "token"),
    ("generic-secret", ("token",), rf"token{_KEY_TAIL}{_GIVEN}", "token"),
    ("generic-secret", ("secret",), rf"secret{_KEY_TAIL}{_GIVEN}", "token"),
    ("generic-secret", ("key",), _before_a_key(_OWNED_KEY), "token"),
    ("generic-secret", ("token",), _before_a_key("token"), "token"),
    ("command-line-secret", ("--pass", "--token", "--secret", "--api"), _OPTION, "strong"),
    ("command-line-secret", ("curl",), _CURL_USER, "strong"),
    ("command-line-secret", ("mysql", "mariadb"), _MYSQL, "strong"),
    ("session-cookie", ("cookie",), _COOKIE, "token"),
    ("session-cookie", ("phpsessid", "jsessionid"), r"(?:phpsessid|jsessionid)=", "token"),
    ("command-line-secret", ("sshpass",), r"sshpass\s{1,3}-p\s?", "strong"),
    ("command-line-secret", ("pass:", "openssl"), _OPENSSL, "strong"),
    ("command-line-secret", ("/user:",), _NET_USE, "strong"),
    ("url-credentials", ("token=", "key=", "secret="), _IN_A_QUERY, "strong"),
    ("login-pair", ("login", "user"), _LOGIN_PAIR, "strong"),
    ("login-pair", ("login", "log in", "log-in"), _LOGIN_IS, "strong"),
    ("login-pair", ("in with", "in as"), _LOGIN_WITH, "strong"),
    *(("passphrase-in-prose", (it,), f"{_SEED[it]}{_SEED_WORDS}", "seed") for it in _SEED),
    ("passphrase-in-prose", ("phrase", "mnemonic"), rf"{_PHRASE}{ABOUT}{IS}", "words"),
    ("password-in-prose", ("pass",), rf"{_LOGIN_WORD}{ABOUT}{IS}", "password"),
    ("password-in-prose", ("pass",), rf"{_LOGIN_WORD}(?:\sto\s|{HOLDS})", "strong"),
    (
        "password-in-prose",
        ("pass",),
        f"{_of(_HAVE_A_PASS, 'pass', '[ _-]')}{_ON_ITS_LINE}",
        "strong",
    ),
    ("password-in-prose", ("pass",), _HEADING, "strong"),
    ("password-in-prose", ("pass",), _BOLD_LABEL, "strong"),
    ("password-in-prose", ("pass",), _KEY_OF_JSON, "variable"),
    *(
        ("password-in-prose", (word,), rf"{word}(?<![a-z]{word}){then}", judge)
        for word in _LOGIN_WORDS_ABROAD
        for then, judge in ((f"{ABOUT}{IS}", "password"), (HOLDS, "strong"))
    ),
    ("password-in-prose", ("pass",), rf"{_LOGIN_WORD}[ ](?=\S{{8}})", "bare"),
    ("login-pair", ("credentials", "zugangsdaten"), _CREDENTIALS, "strong"),
    ("wifi-password", ("psk",), rf"{_PSK}(?:{IS}|\s)", "network"),
    *(
        ("wifi-password", (it,), f"{_of(_NETWORKS, it, between)}{_GIVEN}", "network")
        for it in _KEYS
        for between in ("[ _-]", "")
    ),
    ("password-in-prose", CHINESE_WORDS, _CHINESE, "ascii"),
    ("password-in-prose", ("\u043f\u0430\u0440\u043e\u043b",), _RUSSIAN, "foreign"),
)


def _variable(name: str) -> str:
    return rf"_{name}(?<=[A-Z0-9]_{name})(?:[\"']?[ \t]?[=:][ \t]{{0,3}}|{PAIR})"


# As NAMED, over the text as it stands: in capitals a name is a variable's, or a report's.
AS_WRITTEN = (
    ("environment-secret", ("secret",), _variable("SECRET"), "variable"),
    ("environment-secret", ("token",), _variable("TOKEN"), "variable"),
    ("environment-secret", ("key",), _variable("APIKEY"), "variable"),
    ("environment-secret", ("key",), _variable("API_KEY"), "variable"),
    ("environment-secret", ("key",), _variable("SECRET_KEY"), "variable"),
    ("environment-secret", ("key",), _variable("KEY_BASE"), "variable"),
    ("environment-secret", ("pass",), _variable("PASS"), "password"),
    ("environment-secret", ("pwd",), _variable("PWD"), "password"),
    ("password-field", ("pass",), f"{_FIELD}{_ON_ITS_LINE}", "field"),
)
