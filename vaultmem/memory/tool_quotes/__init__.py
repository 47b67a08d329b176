"""A tool's words in an agent's mouth: found, so that they are not trusted as the agent's own.

`quotes` finds where an assistant repeats a tool, and puts `mentions` there; `quotations` compares
turn by turn. A text is compared as `rendered_text`, by its `plain_words`, in the `readings` that
there are of it; of these the `wanted_quotes` are looked for as `exact_quotes`, `near_quotes` and
`address_quotes`, and besides them `payment_addresses`. Of a sentence that has `reported_words` the
rest is looked for, too; the `frames` around what is found say nothing. `candidates` are the turns
to be compared, `call_targets` what tools are called for.

`corroboration` tells whether a person states it, too, by their `assertions`, also told in the
`third_person`; `repetitions` what a person only hands on; `trusted_words` what the vault holds of
it, `earlier_text` what git had of it before the tool. `refusal` asks of what an agent wants to
keep, folding of what is told of its turns.
"""

from vaultmem.memory.tool_quotes.refusal import quoting as quoting
from vaultmem.memory.tool_quotes.refusal import refuse as refuse
from vaultmem.memory.tool_quotes.refusal import tool_of as tool_of
from vaultmem.memory.tool_quotes.refusal import tools_of as tools_of
