"""The address of a Chroma server, apart from the credentials that may stand in it."""

from __future__ import annotations

import base64
from urllib.parse import unquote, urlsplit

from vaultmem.errors import BadInput
from vaultmem.models.providers import endpoint

_WANTED = "VAULTMEM_CHROMA_URL takes http://127.0.0.1:8000, or https:// and any host"


class Url:
    """Where a server is: *bare* is its address, *shown* what people see of it."""

    def __init__(self, url: str) -> None:
        """Take *url* apart; raises BadInput for what is not this machine's, nor https."""
        if not endpoint.is_web(url) or not (url.startswith("https:") or endpoint.is_local(url)):
            raise BadInput(f"{url.rpartition('@')[2]!r} cannot be a Chroma server: {_WANTED}")
        parts = urlsplit(url)
        host, self.port = endpoint.endpoint(url)
        named = f"[{host}]" if ":" in host else host
        self.bare = f"{parts.scheme}://{named}:{self.port}{parts.path.rstrip('/')}"
        self.shown = endpoint.shown(url)
        self._user, self._password = parts.username, parts.password

    def authorization(self) -> dict[str, str]:
        """Return the header that says who we are, if the URL does."""
        if self._user is None:
            return {}
        pair = f"{unquote(self._user)}:{unquote(self._password or '')}"
        return {"Authorization": f"Basic {base64.b64encode(pair.encode()).decode()}"}
