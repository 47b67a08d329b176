"""What is to be done, and what waits for what: read from `tasks/`, linked, decided on, drawn.

Pure: a task is a file, its number is in the file's name, a link that one side names counts on both.
"""

from vaultmem.knowledge.tasks.changes import Edit as Edit
from vaultmem.knowledge.tasks.changes import Links as Links
from vaultmem.knowledge.tasks.changes import New as New
from vaultmem.knowledge.tasks.changes import claim as claim
from vaultmem.knowledge.tasks.changes import create as create
from vaultmem.knowledge.tasks.changes import page_of as page_of
from vaultmem.knowledge.tasks.changes import update as update
from vaultmem.knowledge.tasks.changes import without as without
from vaultmem.knowledge.tasks.graph import Graph as Graph
from vaultmem.knowledge.tasks.graph import graph as graph
from vaultmem.knowledge.tasks.parser import Page as Page
from vaultmem.knowledge.tasks.parser import listed as listed
from vaultmem.knowledge.tasks.parser import read as read
from vaultmem.knowledge.tasks.tasks_md import board as board
from vaultmem.knowledge.tasks.tasks_md import own_text as own_text
from vaultmem.knowledge.tasks.types import LONGEST_RESULT as LONGEST_RESULT
from vaultmem.knowledge.tasks.types import STATUSES as STATUSES
from vaultmem.knowledge.tasks.types import Status as Status
from vaultmem.knowledge.tasks.types import Task as Task
from vaultmem.knowledge.tasks.types import named as named
from vaultmem.knowledge.tasks.types import number as number
from vaultmem.knowledge.tasks.types import required_status as required_status
from vaultmem.knowledge.tasks.types import status_named as status_named
from vaultmem.storage.task_files import BOARD as BOARD
from vaultmem.storage.task_files import FOLDER as FOLDER
from vaultmem.storage.task_files import is_place as is_place
from vaultmem.storage.task_files import number_of as number_of
from vaultmem.storage.task_files import path_of as path_of
from vaultmem.storage.task_files import stem_of as stem_of
