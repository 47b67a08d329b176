"""The patterns of what stands between the name of a secret and its value, in any notation."""

ABOUT = (
    r"(?:\s(?:for|to|of|on|at|in|f\u00fcr|von|vom|zu[mr]?|de|du|del|pour|para|\u043e\u0442|\u043a|"
    r"\u0434\u043b\u044f|\u043d\u0430)\s[^\s.:;=?!\[]{1,20}(?:\s[^\s.:;=?!\[]{1,20}){0,4}?"
    r"|\s[(\[][^()\[\]\n]{1,30}[)\]])?"
)
# The names after an ampersand are those of YAML; Rust has words of its own there.
_TAG = r"(?:(?<=: )(?:!!(?:str|binary)|&(?!mut\b|dyn\b|impl\b)[\w-]{1,30})[ \t]{1,3})?"
_BLOCK = r"(?:(?<=[\n\t ])[|>][+-]?[ \t\r]{0,3}\n(?:[ \t\r]{0,12}\n){0,2})?"
SIGN = (
    r"(?:[\"'`*_\]]{0,3}|\\)[\s\u00a0\u202f]{0,3}(?::=|=>|->|[:=\uff1a\u2192])[*_]{0,2}[\s\u00a0]{0,3}"
    rf"{_TAG}{_BLOCK}[ \t]{{0,12}}"
)
IS = (
    r"(?:\s(?:is|was|are|will be|ist|lautet|es|est|\u00e9|\u00e8)"
    rf"(?:\s(?:now|still|just|simply|actually|currently))?(?::\s?|\s)|{SIGN})"
)
LONE = r"(?=\S{4,200}[ \t\r]{0,3}(?:\n|\Z))"
"""Before a word that has the rest of its line to itself."""

_NEXT = r"(?:,\s{0,40}|\s{1,40})"
_TYPE = rf"(?:{_NEXT}[\"']?type[\"']?\s?[:=]\s{{0,3}}[\"']?\w{{1,20}}[\"']?)?"
PAIR = rf"[\"']?{_TYPE}{_NEXT}[\"']?(?:parameter)?value[\"']?\s?[:=]\s{{0,3}}"
"""Of `name: DB_PASSWORD, value: …`, a record that is called by its name."""

_ELEMENT = r"[\"']?(?:\s[^<>\n]{0,60})?>\s{0,20}(?:<value>\s{0,20})?(?=[^<>\n]{4,200}\s{0,20}</)"
_CELL = (
    r"(?::[ ]?</(?:b|strong|label|span|th|td|dt)>|</(?:b|strong|label|span|th|td|dt)>:)\s{0,20}|"
    r"</(?:th|td|dt)>\s{0,20}<(?:td|dd)(?:\s[^<>\n]{0,80})?>\s{0,20}(?:<code>)?"
)
_ITEM = r"[\"'`]?:[ \t\r]{0,3}\n[ \t]{0,12}-[ ]{1,3}"
_DASH = rf"[*_`]{{0,3}}\s[-\u2013\u2014]\s{LONE}"
HOLDS = rf"(?:{PAIR}|{_ELEMENT}|{_CELL}|{_ITEM}|{_DASH})"
"""As IS, where a word of a sentence may stand as well: records, elements, cells, lists, dashes."""

OF_WHAT = (
    *("for", "to", "of", "on", "at", "in", "f\u00fcr", "von", "vom", "zu[mr]?", "bei", "beim"),
    *("(?:[mds]?ein|ihr|unser|eur|euer|dies|jen|jed)e[rs]", "de[rs]", "pour", "du", "de", "des"),
    *("d'[^\\s.:;,=?!]{1,30}", "del", "para", "do", "da", "van", "voor"),
    *("\u043e\u0442", "\u043a", "\u0434\u043b\u044f", "\u043d\u0430"),
)
"""What says of which thing: prepositions, and the articles of a German genitive."""

WORD = r"[^\s.:;,=?!\[(]{1,30}"
WHOSE = (
    rf"(?:\s(?:{'|'.join(OF_WHAT)})\s{WORD}(?:\s{WORD}){{0,4}}?"
    r"|\s?[(\[\uff08][^()\[\]\uff08\uff09\n]{1,30}[)\]\uff09]){0,2}?"
)
"""As ABOUT, in more languages and up to a comma: what follows must look like a secret."""
