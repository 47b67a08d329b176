"""Views: a vault to look at, as it is or as it was committed at a time; nothing is written."""

from vaultmem.api.views.view import View as View
