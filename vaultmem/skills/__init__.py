"""Skills: ways of working that proved themselves, as `SKILL.md` of the Agent Skills format.

Pure text: `writing` makes the file and its name, `checking` says what of the format it breaks.
"""

from vaultmem.skills.checking import faults as faults
from vaultmem.skills.model import Point as Point
from vaultmem.skills.model import Skill as Skill
from vaultmem.skills.writing import CAUTIONS as CAUTIONS
from vaultmem.skills.writing import FILE as FILE
from vaultmem.skills.writing import FOLDER as FOLDER
from vaultmem.skills.writing import name as name
from vaultmem.skills.writing import points as points
from vaultmem.skills.writing import text as text
