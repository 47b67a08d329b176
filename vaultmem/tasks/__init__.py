"""What is to be done, and what waits for what: read from `tasks/`, linked, decided on, drawn.

Pure: a task is a file, its number is in the file's name, a link that one side names counts on both.
"""

from vaultmem.tasks.board import BOARD as BOARD
from vaultmem.tasks.board import board as board
from vaultmem.tasks.board import own_text as own_text
from vaultmem.tasks.deciding import Edit as Edit
from vaultmem.tasks.deciding import Links as Links
from vaultmem.tasks.deciding import New as New
from vaultmem.tasks.deciding import create as create
from vaultmem.tasks.deciding import found as found
from vaultmem.tasks.deciding import update as update
from vaultmem.tasks.graph import Graph as Graph
from vaultmem.tasks.graph import graph as graph
from vaultmem.tasks.model import FOLDER as FOLDER
from vaultmem.tasks.model import STATUSES as STATUSES
from vaultmem.tasks.model import Status as Status
from vaultmem.tasks.model import Task as Task
from vaultmem.tasks.model import is_place as is_place
from vaultmem.tasks.model import named as named
from vaultmem.tasks.model import number as number
from vaultmem.tasks.model import status_named as status_named
from vaultmem.tasks.reading import Page as Page
from vaultmem.tasks.reading import read as read
