"""Language models as the program sees them: one request, one reply, whoever answers.

Who there is stands in `registry`. What wraps them (`retry`, `budget`, `reply_cache`) is a Model
too, so that whoever asks knows none of it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, Protocol


@dataclass(frozen=True, slots=True)
class Request:
    """What a model is asked.

    *system* is the stable part, which a provider may cache; *prompt* changes from call to call.
    *schema* is the JSON text of a JSON schema when JSON is due, empty when plain text is.
    """

    system: str
    prompt: str
    most_tokens: int
    schema: str = ""


@dataclass(frozen=True, slots=True)
class Reply:
    """What came back, from which model, for how many tokens, and why it ended there.

    *text* is JSON text where JSON was asked for, whichever way the provider gave it; it is not
    checked against the schema.
    """

    text: str
    model: str
    input_tokens: int
    output_tokens: int
    ended: Literal["done", "length", "refusal"] = "done"


class Model(Protocol):
    """Whatever can answer a Request."""

    name: str
    """The backend: `anthropic`, `ollama`."""

    model: str
    """The model's id, as the provider spells it."""

    def complete(self, request: Request) -> Reply:
        """Answer *request*; raises ModelAway when no answer is to be had, OverBudget before one."""
        ...
