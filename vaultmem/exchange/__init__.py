"""Importers, exporters, and synchronisation of clones over git."""
