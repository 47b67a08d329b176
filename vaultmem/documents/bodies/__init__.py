"""What conversations come to: the values (`types`), and their Markdown, written and read."""

from vaultmem.documents.bodies.types import Claim as Claim
from vaultmem.documents.bodies.types import Decision as Decision
from vaultmem.documents.bodies.types import Eliminated as Eliminated
from vaultmem.documents.bodies.types import Episode as Episode
from vaultmem.documents.bodies.types import Experience as Experience
from vaultmem.documents.bodies.types import Fact as Fact
from vaultmem.documents.bodies.types import Outcome as Outcome
from vaultmem.documents.bodies.types import SessionCompact as SessionCompact
from vaultmem.documents.bodies.types import ToolResult as ToolResult
from vaultmem.documents.bodies.types import Topic as Topic
from vaultmem.documents.bodies.types import TopicDecision as TopicDecision
from vaultmem.documents.bodies.types import TopicEliminated as TopicEliminated
