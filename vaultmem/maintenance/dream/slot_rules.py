"""The clauses that fill a slot, as rules: who or what has the slot, of which kind, and its value.

A rule is a pattern in which `{who}` stands for what the clause is about and `{value}` for what it
has; its kind says what the value must be like, "" where the value tells.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple


class Rule(NamedTuple):
    """What a clause is like that fills a slot of a *kind*, and whether it tells of a change."""

    kind: str
    pattern: re.Pattern[str]
    changed: bool


_NOBODY = (
    "it|he|she|they|we|i|you|this|that|these|those|there|here|what|which|who|one|his|her|its|their"
    "|an?|some|any|every|each|many|most|few|several|no|all|half|two|three"
    r"|er|sie|es|wir|ich|man|eine?|jede\w*|einige|viele|alle|dies\w*"
)
_PARTS = {
    "who": rf"(?P<who>(?!(?i:{_NOBODY})\b)[^,;:?!]{{1,50}}?)",
    "value": "(?P<value>[^,;?!]{1,50}?)",
    "from": "(?: (?:away )?from [^,;:?!]{1,30}?)?",
    "von": r"(?: von [^,;:?!]{1,30}?)?",
    "us": r"(?:We|They|You)(?: have|['\u2019]ve)?(?: just)?",
    "got": "(?: (?:was|were|is|are|has|have|had|got|gets|has been|have been|had to be|just))?",
    "moved": (
        "(?:moved|pushed|shifted|relocated|transferred|upgraded|downgraded|bumped|updated|raised"
        "|lowered|increased|reduced|cut|extended|shortened|postponed|rescheduled|delayed|slipped"
        "|turned|doubled|halved|tripled|rose|risen|fallen|climbed|jumped|switched|migrated|ported|converted|changed"
        "|(?:brought|put|went|gone) (?:forward|off|up|down|back))"
    ),
    "switched": "(?:switched|migrated|ported|converted|changed|renamed)",
    "over": "(?: (?:over|up|down|back|out|ahead|forward|house))?",
    "held": (
        "(?: (?:set|fixed|scheduled|planned|due|held|located|based|kept|stored|hosted|parked|taped"
        "|hidden|saved|hanging|lying|sitting|pinned))?"
    ),
    "at": "(?P<at>in|im|am|at|on|with|under|behind|by|next to|inside|near|auf|unter|bei|beim)",
    "on_off": "(?P<value>on|off|enabled|disabled|active|inactive|activated|deactivated)",
    "the": "(?:the |our |my |der |die |das |unsere? |meine? )",
    "doing": (
        "(?:need|require|return|send|deploy|ship|report|point|default|park|sleep|sit|come|get|eat"
        "|drink|charge|pay|earn|bill|measure|wear|commute|travel|fly|study|train|teach|depend|order"
        "|shop|store|save|log|write|print|publish|post|serve|stop|meet|release|merge|build|test)(?:e?s)?"
    ),
    "done": "(?:[a-z]+ed|held|built|sent|paid|kept|made|run|led|taught|written|driven|cut|sold)",
    "made": "(?:tracked|written|built|done|managed|monitored|sent|handled)",
    "prep": "(?: (?:in|on|at|to|from|with|by|for|through|via|as|out|off|up|every|once))?",
    "verlegt": (
        "(?:verschoben|verlegt|gestiegen|erh\u00f6ht|gesenkt|gesunken|umgestellt|aktualisiert|umgezogen"
        "|migriert|ge\u00e4ndert|verl\u00e4ngert|gewechselt)(?: worden)?"
    ),
}
_CHANGES = (
    ("change", "{who}{got} {switched}{over}{from} to {value}"),
    ("change", "{us} {switched} {who}{over}{from} to {value}"),
    ("change", "{us} (?:{switched}|moved){over}{from} to {value}(?: for {who})?"),
    ("to", "{who}{got} {moved}{over}{from} (?:to|until|for|into|onto) {value}"),
    ("to", "{us} {moved} {who}{over}{from} (?:to|until|into|onto) {value}"),
    ("to", "{who} (?:is|are) (?:up|down) to {value}"),
    ("to", "{who} (?:ist|sind|wurden?){von} (?:auf|in|nach|zu) {value} {verlegt}"),
    ("to", "Wir (?:haben|sind mit) {who}{von} (?:auf|in|nach|zu) {value} {verlegt}"),
    ("name", "{who}{got} renamed(?: to)? {value}"),
    ("name", "{us} renamed {who} to {value}"),
    ("switch", "{who}(?: was| were| got| has been| have been) (?:turned |switched |set )?{on_off}"),
    ("switch", "{us} (?:turned |switched )?{on_off} {who}"),
    ("owner", r"{value} (?:has )?(?:taken|took) over {who}(?: from [A-Z]\w+)?"),
    ("who", "{value} (?:has )?(?:taken|took) over as {the}?{who}"),
    ("who", "{value} (?:became|was made|was appointed|replaced .+ as) {the}?{who}"),
    ("colour", "{who}{got} (?:painted|dyed) {value}"),
    ("uses", "{who} (?:has been|was|is being) (?:rewritten|rebuilt) in {value}"),
    ("uses", "{us} (?:rewrote|rebuilt) {who} in {value}"),
    ("work", "{who} (?:has )?(?:joined|started (?:work(?:ing)? )?at) {value}"),
    ("work", "{who} (?:has )?(?:got|found|took) a (?:new )?job (?:at|with) {value}"),
    ("work", "{who} (?:hat|ist){von} zu {value} gewechselt"),
    ("work", "{who} wechselte{von} zu {value}"),
    ("home", "{who} (?:ist|sind){von} nach {value} (?:um)?gezogen"),
)
_STATES = (
    ("keep", "(?:{us}|I) keep {who} for {value}"),
    ("keep", "{who} (?:is|are) (?:kept|retained|stored) for {value}"),
    ("timeout", "{who} (?:times?|timing) out after {value}"),
    ("switch", "{who} (?:is|are) (?:turned |switched )?{on_off}"),
    ("name", "{who} (?:is|are) (?:called|named) {value}"),
    ("owner", "{value} (?:owns|maintains|leads|manages|looks after) {who}"),
    ("owner", "{value} is (?:in charge of|responsible for) {who}"),
    ("owner", "{who} (?:is|are) (?:owned|maintained|led|managed|run) by {value}"),
    ("uses", "(?:We|I) use {value}(?: for {who})?"),
    ("uses", "{who} (?:uses?|goe?s? through|runs? (?:on|in|through)|talks? to) {value}"),
    ("uses", "{who} (?:is|are) {made} (?:in|with|through|via) {value}"),
    ("version", "{who} (?:requires?|needs?|speaks?|targets?|nutzt) {value}"),
    ("version", "{who} (?:l\u00e4uft|laufen) auf {value}"),
    ("version", "{who} (?:is|are) still (?:on|at) {value}"),
    ("opens", "{who} opens? {value}"),
    ("closes", "{who} (?:closes?|shuts?) {value}"),
    ("ends", "{who} (?:ends?|finish(?:es)?|is over|endet|enden) {value}"),
    ("leaves", "{who} (?:leaves?|departs?) {value}"),
    ("arrives", "{who} (?:arrives?|lands?) {value}"),
    ("lasts", "{who} (?:lasts?|takes?|dauert|dauern) {value}"),
    ("costs", "{who} (?:costs?|kostet|kosten|betr\u00e4gt|liegt bei) {value}"),
    ("work", "{who} (?:works? (?:at|for)|is employed (?:at|by)|arbeitet bei) {value}"),
    ("home", "{who} (?:lives? in|wohnt in|wohnen in|lebt in|leben in) {value}"),
    ("school", "{who} (?:goe?s? to|attends?|(?:is|are) at|geht (?:in|auf) (?:die|das)) {value}"),
    ("place", "{who} (?:lives?|sits?|stands?|hangs?|stays?|lies|runs?) {at} {value}"),
    ("place", "{who} (?:liegt|steht|h\u00e4ngt) {at} {value}"),
    ("stands", "{who} (?:(?:is|are){held}|ist) {at} {value}"),
    ("who", "{who} (?:is|ist|hei\u00dft|is called) {value}"),
    ("who", "{value} (?:is|ist) {the}{who}"),
    ("name", "{who} name is {value}"),
    ("often", "{who} (?:is|are|runs?|goe?s out|comes?|happens?) {value}"),
    ("often", "{who} (?:is|are) {done} {value}"),
    ("often", "{who} {doing} {value}"),
    ("colour", "{who} (?:is|are)(?: painted)? {value}"),
    ("does", "{who} (?P<does>{doing}{prep}) {value}"),
    ("does", "(?:We|I) (?P<does>{doing}{prep}) {value}"),
    ("does", "{who} (?:is|are) (?P<does>{done}{prep}) {value}"),
    ("sent", "{who} (?:goe?s?|is sent|are sent) to {value}"),
    ("sent", "[Ss]end {who} to {value}"),
    ("", "{who} (?:is|are|ist|sind){held} (?:(?P<at>at|on|in|for|to|um|am) )?{value}"),
    ("", "{who} (?:starts?|begins?|runs?|meets?|kicks? off|happens?|takes? place) {value}"),
    ("", "{who} (?:beginnt|beginnen|startet|f\u00e4ngt|findet) {value}"),
)


_PART = re.compile(r"\{([a-z_]+)\}")


def _rules(rows: tuple[tuple[str, str], ...], *, changed: bool) -> Iterator[Rule]:
    for kind, pattern in rows:
        whole = _PART.sub(lambda m: _PARTS[m[1]], pattern)
        yield Rule(kind, re.compile(whole), changed)


RULES = (*_rules(_CHANGES, changed=True), *_rules(_STATES, changed=False))
"""All rules, those of changes first: what has changed to something is read by one of them alone."""
