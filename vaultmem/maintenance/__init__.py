"""Operations on a whole vault.

Dream, forgetting and purge, integrity check, health, history and undo, digest, provenance.
"""
