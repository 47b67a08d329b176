"""Find credentials in a text before it is written, and take marked regions out of it.

Pure and linear-time: a rule is compiled the first time its hint, a short literal, occurs in a text,
so that a note without secrets costs little more than a few substring searches.
A hit blocks a write, therefore a rule prefers the shape of a real key over a word that names one.
"""

from vaultmem.documents.secrets.json_secrets import redact_json as redact_json
from vaultmem.documents.secrets.private_regions import blanked as blanked
from vaultmem.documents.secrets.private_regions import left_open as left_open
from vaultmem.documents.secrets.private_regions import left_out as left_out
from vaultmem.documents.secrets.private_regions import may_be_marked as may_be_marked
from vaultmem.documents.secrets.private_regions import private_parts as private_parts
from vaultmem.documents.secrets.private_regions import public_items as public_items
from vaultmem.documents.secrets.private_regions import strip_each as strip_each
from vaultmem.documents.secrets.private_regions import strip_private as strip_private
from vaultmem.documents.secrets.private_regions import swing as swing
from vaultmem.documents.secrets.private_regions import why_empty as why_empty
from vaultmem.documents.secrets.private_regions import without_marks as without_marks
from vaultmem.documents.secrets.scanner import boundary as boundary
from vaultmem.documents.secrets.scanner import find as find
from vaultmem.documents.secrets.scanner import redact as redact
from vaultmem.documents.secrets.secret_names import names_a_secret as names_a_secret
