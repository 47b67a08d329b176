"""Skills: ways of working that proved themselves, as `SKILL.md` of the Agent Skills format.

Pure text: `writing` makes the file and its name.
"""

from vaultmem.knowledge.skills.types import Point as Point
from vaultmem.knowledge.skills.types import Skill as Skill
from vaultmem.knowledge.skills.writing import CAUTIONS as CAUTIONS
from vaultmem.knowledge.skills.writing import FILE as FILE
from vaultmem.knowledge.skills.writing import FOLDER as FOLDER
from vaultmem.knowledge.skills.writing import name as name
from vaultmem.knowledge.skills.writing import points as points
from vaultmem.knowledge.skills.writing import text as text
