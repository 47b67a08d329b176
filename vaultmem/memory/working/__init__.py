"""What an agent has in hand: goal, business state, plan, scratchpad, todo list of its task.

A note that a person may edit: `parse(render(x)) == x`, and an update changes the lines it must.
"""

from vaultmem.documents.bodies.working_text import MOST_ITERATIONS as MOST_ITERATIONS
from vaultmem.memory.working.editor import update as update
from vaultmem.memory.working.markdown import divided as divided
from vaultmem.memory.working.markdown import keys as keys
from vaultmem.memory.working.markdown import parse as parse
from vaultmem.memory.working.markdown import prompt as prompt
from vaultmem.memory.working.markdown import render as render
from vaultmem.memory.working.scratchpad import LONGEST_FINDING as LONGEST_FINDING
from vaultmem.memory.working.scratchpad import finding as finding
from vaultmem.memory.working.scratchpad import noted as noted
from vaultmem.memory.working.states import declared as declared
from vaultmem.memory.working.todo import MOST_TODOS as MOST_TODOS
from vaultmem.memory.working.todo import PATIENCE as PATIENCE
from vaultmem.memory.working.todo import checked as checked
from vaultmem.memory.working.todo import reminder as reminder
from vaultmem.memory.working.todo import todo_text as todo_text
from vaultmem.memory.working.types import Note as Note
from vaultmem.memory.working.types import Progress as Progress
from vaultmem.memory.working.types import Step as Step
from vaultmem.memory.working.types import Todo as Todo
from vaultmem.memory.working.types import TodoStatus as TodoStatus
from vaultmem.memory.working.types import Working as Working
