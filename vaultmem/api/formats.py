"""The formats that `Vault.import_files` reads, what each becomes, and the options it takes.

Light enough for `import --help`: no vault is loaded.
"""

from vaultmem.exchange.importing.registry import FORMATS, manner, options

__all__ = ["FORMATS", "manner", "options"]
