"""What a sentence says of a secret, in any language, gives it away; other sentences do not.

No value here is a credential: it is put into each sentence where one would stand.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cases import rarely
from vaultmem import Vault
from vaultmem.documents import secrets
from vaultmem.errors import Refused

PASSWORD, PIN, TOKEN = "tr0ub4Dor", "4821", "LQcWtxJTQr1FqXSTs98vPlL2"

# `\\n` stands for the end of a line.
PASSWORDS = """\
Das Passwort meines Routers ist {}.
Das Passwort des Routers ist {}.
Das Passwort meiner Bank lautet {}
Das Passwort f\u00fcr das WLAN der Schule in Porto ist {}.
Das Passwort (Router) lautet {}
Das Passwort von Mara ist \u201e{}\u201c.
Das Passwort meines Routers ist **{}**.
Mein altes Kennwort war {}
Passwort ist jetzt {}
Passwort jetzt: {}
Ich habe das Passwort der Bank auf {} ge\u00e4ndert.
Ich habe mein Passwort in {} ge\u00e4ndert.
Das Passwort der Bank wurde gestern auf {} umgestellt.
\u00c4ndere das Passwort des Routers auf {}.
I changed the password of the bank to {}.
The password of the bank was changed to {}.
The password of the router is now {}.
The router's password's {}.
{} ist mein Passwort
{} ist jetzt das neue Kennwort des Routers.
{} is my password
`{}` is the password for the router.
Use {} as the password.
Nimm {} als Passwort.
Das Passwort meiner Bank {}!q ist zu kurz
Zugangsdaten meines Routers: mara / {}
Le mot de passe du routeur est {}.
Le mot de passe de la banque, c'est {}.
J'ai chang\u00e9 le mot de passe de la banque en {}.
{} est mon mot de passe.
La contrase\u00f1a del router es {}.
La clave del wifi era {}.
Cambi\u00e9 la contrase\u00f1a del banco a {}.
{} es mi contrase\u00f1a.
A senha do roteador era {}.
\u041f\u0430\u0440\u043e\u043b\u044c \u043e\u0442 \u0440\u043e\u0443\u0442\u0435\u0440\u0430: {}
\u8def\u7531\u5668\u767b\u5f55\u5bc6\u7801{}
\u5bc6\u7801\uff08{}\uff09
\u5bc6\u7801\u73b0\u5728\u662f{}
\u5bc6\u78bc\u5df2\u7d93\u6539\u70ba{}\u3002
\u5bc6\u7801\uff08\u7ba1\u7406\u5458\uff09\uff1a{}
password\u662f{}
{}\u662f\u6211\u7684\u5bc6\u7801\u3002
| \u5bc6\u7801 | {} |
| \u767b\u5f55\u5bc6\u7801 | {} |
| Routerpasswort | {} |
| Contrase\u00f1a | {} |
| \u8d26\u53f7 | \u5bc6\u7801 |\\n|---|---|\\n| mara | {} |
\u8d26\u53f7,\u5bc6\u7801\\nmara,{}
- Passwort\\n  - {}
* Router\\n  * **Passwort**\\n    * `{}`
My password is:\\n\\n{}
My password is\\n> {}
Das Passwort lautet:\\n\\n```\\n{}\\n```
The password has been {} since May.
The password has always been {}.
The password of the router should be {}.
The password remains {}.
The password became {}.
The password used to be {}.
The password I use for Netflix is {}.
The password that Tom set is {}.
The password Tom set yesterday is {}.
Das Passwort vom Router ist immer noch {}.
Das Passwort vom Router ist nach wie vor {}.
Das Passwort vom Router sollte {} sein.
Das Passwort, das ich bei der Bank habe, ist {}.
Das Kennwort der Bank, das Tom gesetzt hat, lautet {}
Ich habe mein Passwort ge\u00e4ndert: {}
Ich habe das Passwort ge\u00e4ndert. Es lautet {}.
Das Kennwort der Bank wurde ge\u00e4ndert, es ist jetzt {}.
Remember my password please: {}
I told Tom about the password: {}
Our common password is {}.
\u5bc6\u7801\u672c\u6765\u662f{}\u3002
\u5bc6\u7801\u9501\u5bc6\u7801\u662f{}""".splitlines()

PINS = """\
Die PIN meiner Karte ist {}.
Die neue PIN f\u00fcr die Karte von Tom lautet nun {}
Die Geheimzahl meiner EC-Karte ist {}.
Der T\u00fcrcode ist {}.
Wir haben die PIN der Karte auf {} ge\u00e4ndert.
{} ist die PIN meiner Karte.
{} is my PIN.
The PIN has been set to {}.
El PIN de mi tarjeta es {}.
Le code PIN de ma carte est {}.
Die PIN der Karte ist:\\n\\n{}
\u6211\u7684PIN\u662f{}\u3002
\u6211\u7684PIN\u7801\uff08\u5de5\u884c\uff09\u662f{}
PIN\u7801: {}
{}\u662f\u6211\u7684PIN\u3002
| PIN | {} |
| Karte | PIN |\\n|---|---|\\n| Bank | {} |
Konto,PIN\\nBank,{}
My PIN has been {} since May.
My PIN remains {}.
The PIN that I use is {}.
My PIN is {} and nobody knows.
Meine PIN ist die {}.
Die PIN, die ich benutze, ist {}.
Die PIN sollte {} sein.
My iPhone passcode is {}.
The passcode of my iPhone is {}.
Der Haust\u00fcrcode ist {}.
Der Garagencode ist {}.
Der Safecode ist {}.
Der Tresorcode lautet {}.
\u95e8\u7981\u7801\u662f{}\u3002
\u89e3\u9501\u7801\u662f{}
The PIN code in my app is {}.
My PIN code is {}.""".splitlines()

TOKENS = """\
GitLab\u7684token\u662f{}
GitLab\u7684token\u6539\u6210\u4e86{}\u3002
API Key\u662f{}
\u4ee4\u724c\uff1a{}
\u5bc6\u94a5\u662f{}
| \u4ee4\u724c | {}88 |
Der API-Schl\u00fcssel der Wetterstation lautet {}.
The token of the weather station is now {}.
{} ist das Token der Wetterstation.
My GitHub token {} expires in May.
The token Tom gave me is {}.""".splitlines()

HARMLESS = """\
Das Passwort meines Routers ist mir entfallen.
Das Passwort meines Routers ist mir heute entfallen.
Das Passwort der Bank ist abgelaufen und muss neu.
Das Passwort der Datenbank ist 12stellig.
Das Passwort der Bank ist mindestens 12 Zeichen lang.
Das Passwort des WLANs steht auf Seite B12.
Das Passwort der Bank habe ich am 12.11.2026 ge\u00e4ndert.
Das Passwort der Bank ist seit 3.11.2026 abgelaufen.
Das Passwort meines iPhone15Pro kennt nur Tom.
Das Passwort f\u00fcr Server Node2024 liegt bei Tom.
Das Passwort wurde auf Server12 gespeichert.
Ich habe das Passwort in KeePass2 gespeichert.
Ich habe das Passwort in KeePass2 ge\u00e4ndert.
Ich habe das Passwort auf dem iPhone15 ge\u00e4ndert.
\u00c4ndere das Passwort auf allen Ger\u00e4ten.
Wir haben das Passwort auf Wunsch ge\u00e4ndert.
Passwort vergessen? Windows10 neu starten.
Mein Kennwort war zu kurz.
Ich nehme meinen Namen als Passwort.
KeePass2 ist mein Passwort-Manager.
Argon2 ist der Passwort-Hash.
Die PIN der Karte ist falsch.
Die PIN meiner Karte war 2019 noch g\u00fcltig.
Die PIN meiner Karte hat 4 Ziffern.
Die PIN ist 4-stellig.
Die PIN wurde 2026 ge\u00e4ndert.
Ich habe die PIN an 4821 Kunden geschickt.
Die Geheimzahl der Karte steht im Brief von 2024.
Der Schl\u00fcssel der Wohnung ist bei Tom.
Der API-Schl\u00fcssel der Wetterstation ist abgelaufen.
Der T\u00fcrcode ist jeden Monat ein anderer.
- Passw\u00f6rter\\n  - Netflix\\n  - Banking
- Passwort\\n  - siehe Tresor
* Zettel\\n  * Passwort\\n  * Server2024
\u5bc6\u7801\u662f\u4ec0\u4e48\uff1f
\u5bc6\u7801\u662f\u5fc5\u586b\u7684\u3002
\u6211\u7684PIN\u5fd8\u4e86\u3002
PIN\u7801\u662f4\u4f4d\u6570\u5b57\u3002
\u5bc6\u7801\u6709\u6548\u671f\u4e3a180\u5929\u3002
\u5bc6\u7801\u957f\u5ea6\u4e3a12\u4f4d\u3002
\u5bc6\u7801\u9519\u8bef\u7801\u662fE1004\u3002
\u5bc6\u7801\u7684\u6709\u6548\u671f\u662f2026\u5e7412\u670831\u65e5\u3002
\u5fd8\u8bb0\u5bc6\u7801Windows10\u600e\u4e48\u529e
\u5bc6\u7801\u6539\u6210\u4e86\u66f4\u957f\u7684\u3002
\u4ee4\u724c\u6876\u7b97\u6cd5\u662f\u9650\u6d41\u7684\u4e00\u79cd\u3002
token\u6570\u662f100000\u3002
GitLab\u7684token\u8fc7\u671f\u4e86\u3002
password\u662f\u5fc5\u586b\u5b57\u6bb5\u3002
API Key\u662f\u5728\u540e\u53f0\u751f\u6210\u7684\u3002
\u5bc6\u7801\uff08\u7ba1\u7406\u5458\uff09\uff1a\u89c1\u4fdd\u9669\u7bb1
| \u5bc6\u7801 | \u5fc5\u586b |
| PIN | 4 |
| Pin | Function |\\n|---|---|\\n| 12 | LED |\\n| 13 | SCL |
The password policy is 12 characters.
The password for the room is in Room101.
The password of my bank expires 2026-12-01.
I changed the password and moved to Room101.
The password was set in Room101.
The key is to start early.
token limit is 4096
The PIN of the card was 2019 news.
The PIN was sent to 4821 customers.
KeePass2 is my password manager.
SHA256 is the password hash.
MX2000 is our router and password
B12 is the seat, and my password is at home.
It is not my password.
My password is:\\n\\nin the vault
Passwords are:\\n\\n- long\\n- random
GPIO pin 12 is high
Le mot de passe du routeur est au dos.
Mon mot de passe a chang\u00e9 le 12/11/2026.
La cl\u00e9 de la maison est chez Tom.
La contrase\u00f1a del router est\u00e1 en la caja.
La clave es empezar temprano.
La clave del \u00e9xito es trabajar 100 horas.
The password I chose is in Room101.
The password that Tom set is too short.
The password has been reset in Room101.
The password should be 12-character.
I changed the password from home to be safe.
Passwort ge\u00e4ndert: 30.11.2026
PIN ge\u00e4ndert: 2024
The PIN was changed in 2024.
The pin we got in Paris was 1989 themed.
Die PIN ist 2024 wieder gesperrt worden.
Ich habe das Passwort ge\u00e4ndert. Es ist abgelaufen.
The PIN is lost. It was 2019 when I had it.
Die PIN ist 2024 abgelaufen.
Meine PIN ist 2025 zum letzten Mal ge\u00e4ndert worden.
Der PIN ist 1000 mal getestet.
Die Geheimzahl ist 2024 neu gekommen.
Der Vektorcode ist 4821.
The boarding-pass code is 4821.
The token limit-of-the-new-model is known.
The token id is 550e8400-e29b-41d4-a716-446655440000
token_id: 550e8400-e29b-41d4-a716-446655440000
session_key: 550e8400-e29b-41d4-a716-446655440000
Our PIN code in Mumbai is 400001
\u5bc6\u7801\u662f2024\u5e74\u8bbe\u7684
\u5bc6\u7801\u89c4\u5219\u662fISO27001
\u5bc6\u7801\u7ba1\u7406\u5668\u662fBitwarden
\u5bc6\u7801\u5b66\u8bfe\u662fCS255
\u5bc6\u7801\u9501\u662fYale\u7684
\u5bc6\u7801\u672c\u662f1942\u5e74\u7684
\u53e3\u4ee4\u7ea2\u5305\u662f2015\u5e74\u51fa\u73b0\u7684
The ticket about the password is INC0012345.
The book about my password was BSI2020.
The password is MFA2-protected.
Ich habe das Passwort auf Windows11 ge\u00e4ndert.
The most common password of 2023 was 123456.
Das h\u00e4ufigste Passwort ist 123456.""".splitlines()


def _text(frame: str, value: str) -> str:
    return frame.replace("\\n", "\n").format(value)


@pytest.mark.parametrize("frame", PASSWORDS)
def test_a_sentence_that_tells_a_password_is_known(frame: str) -> None:
    redacted = secrets.redact(_text(frame, PASSWORD))
    assert PASSWORD not in redacted
    assert redacted.count("[REDACTED:") == 1


@pytest.mark.parametrize("frame", PINS)
def test_a_sentence_that_tells_a_pin_is_known(frame: str) -> None:
    redacted = secrets.redact(_text(frame, PIN))
    assert redacted in {
        _text(frame, f"[REDACTED:{it}]") for it in ("pin-in-prose", "secret-in-table")
    }


@pytest.mark.parametrize("frame", TOKENS)
def test_a_sentence_that_tells_a_token_is_known(frame: str) -> None:
    assert TOKEN not in secrets.redact(_text(frame, TOKEN))


@pytest.mark.parametrize("frame", ["API key: {}", "Mein Token ist {}", "API_KEY={}", "Bearer {}"])
def test_a_key_with_the_shape_of_a_uuid_is_known_by_its_name(frame: str) -> None:
    key = "550e8400-e29b-41d4-a716-446655440000"
    assert key not in secrets.redact(frame.format(key))


@pytest.mark.parametrize(
    "frame",
    [
        *("Meine PIN ist {} geworden.", "My PIN is {} please remember.", "My PIN is {}!"),
        *(
            "Meine PIN ist {} bei der Bank.",
            "My PIN is {} on both cards.",
            "My PIN was {} until May.",
        ),
    ],
)
def test_a_pin_that_could_be_a_year_is_known_where_no_predicate_takes_it(frame: str) -> None:
    assert secrets.redact(frame.format("1987")).startswith(frame.partition("{")[0] + "[REDACTED:")


def test_of_a_password_that_was_changed_both_are_known() -> None:
    said = "I changed my password from {} to {}."
    old, new = "Qw7rtZ9p", "Zk29vbQq"
    assert secrets.redact(said.format(old, new)) == said.format(
        *["[REDACTED:password-in-prose]"] * 2
    )


@pytest.mark.parametrize("text", [line.replace("\\n", "\n") for line in HARMLESS])
def test_a_sentence_about_a_secret_that_tells_none_is_left_alone(text: str) -> None:
    assert secrets.find(text) == ()


@pytest.mark.parametrize(
    ("frame", "value"),
    [(PASSWORDS[0], PASSWORD), (PINS[0], PIN), (PINS[11], PIN), (TOKENS[0], TOKEN)],
)
def test_a_sentence_that_tells_a_secret_is_not_stored(
    vault: Vault, folder: Path, frame: str, value: str
) -> None:
    with pytest.raises(Refused, match="looks like a secret") as e:
        vault.remember(_text(frame, value))
    assert value not in str(e.value)
    agents = [path.read_text("utf-8") for path in (folder / "agents").rglob("*") if path.is_file()]
    assert value not in "".join(agents)


def test_a_word_behind_the_end_of_a_line_in_json_is_no_password() -> None:
    for said in ("My password is:", "Das Passwort meines Routers ist:"):
        assert secrets.find(json.dumps(f"{said}\n\nin the vault")) == ()
        assert PASSWORD not in secrets.redact(json.dumps(f"{said}\n\n{PASSWORD}"))


UNITS = (
    *("password ist ", "x1y2 is my password ", "- password\n  - a1b2c3\n", "change password to "),
    *("password of a ", "password (a) (b", "password wurde gestern ", "password:\n\n", "set pin "),
    *("\u5bc6\u7801,a\n", "\u662f\u5bc6\u7801", "token of ", "passwort auf a1b2c3 ", "\u201e"),
)


@pytest.mark.long
@pytest.mark.parametrize("unit", [UNITS[0], *rarely(*UNITS[1:])])
def test_sentences_begun_without_number_are_read_to_their_end(unit: str) -> None:
    """A pattern whose work grows with the square would not come to it."""
    secrets.find((unit * (200_000 // len(unit) + 1))[:200_000])
