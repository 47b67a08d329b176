"""What an agent has in hand: goal, business state, plan, scratchpad, todo list of its task.

A note that a person may edit: `parse(render(x)) == x`, and an update changes the lines it must.
"""

from vaultmem.working.editing import update as update
from vaultmem.working.markdown import keys as keys
from vaultmem.working.markdown import parse as parse
from vaultmem.working.markdown import render as render
from vaultmem.working.model import Progress as Progress
from vaultmem.working.model import Step as Step
from vaultmem.working.model import Todo as Todo
from vaultmem.working.model import TodoStatus as TodoStatus
from vaultmem.working.model import Working as Working
from vaultmem.working.prompt import prompt as prompt
from vaultmem.working.todo import MOST_TODOS as MOST_TODOS
from vaultmem.working.todo import PATIENCE as PATIENCE
from vaultmem.working.todo import checked as checked
from vaultmem.working.todo import reminder as reminder
from vaultmem.working.todo import told as told
