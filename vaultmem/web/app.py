"""The application: pages and actions at their addresses, errors as sentences."""

from __future__ import annotations

import functools
import re
import secrets
from collections import OrderedDict
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from importlib import resources

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import (
    HTMLResponse,
    JSONResponse,
    RedirectResponse,
    Response,
    StreamingResponse,
)
from starlette.routing import Route

from vaultmem.api.rendering import public_text
from vaultmem.api.vault import Vault
from vaultmem.errors import BadInput, NotFound, Refused, StaleWrite, VaultError
from vaultmem.records import Clock, utc_now, visible
from vaultmem.web import moments, routes
from vaultmem.web.gate import FORM
from vaultmem.web.live import Live
from vaultmem.web.pages import error as error_page
from vaultmem.web.rendering import templates
from vaultmem.web.types import Action, Asked, Done, Form, Notice, Options, Page, Reader, one
from vaultmem.web.vault_threads import VaultThreads

_STATUS: tuple[tuple[type[Exception], int], ...] = (
    (NotFound, 404), (BadInput, 400), (StaleWrite, 409), (Refused, 403), (VaultError, 503),
    (OSError, 503),
)  # fmt: skip
EXPECTED = (VaultError, OSError)
"""What may go wrong without a fault of ours."""
_NOTICES = 64
_CONTROL = re.compile(r"[\x00-\x1f\x7f]+")
_COUNT = re.compile(r"[0-9]{1,12}")
_TYPES = {"css": "text/css", "js": "text/javascript", "svg": "image/svg+xml"}
_FOREVER = "private, max-age=31536000, immutable"


@dataclass(frozen=True)
class Shell:
    """What surrounds every page: its navigation, what waits, and what was just done."""

    options: Options
    form_token: str
    version: str


class App:
    """The pages and actions over an open vault."""

    def __init__(
        self, threads: VaultThreads, live: Live, shell: Shell, clock: Clock = utc_now
    ) -> None:
        """Serve what *threads* have open; *live* tells open pages of changes."""
        self._threads, self._live, self._shell, self._clock = threads, live, shell, clock
        self._notices: OrderedDict[str, Notice] = OrderedDict()

    def asgi(self) -> Starlette:
        """Return the application, behind no gate."""
        pages = [Route(it.path, self._page(it), methods=["GET"]) for it in routes.PAGES]
        actions = [
            Route(f"/do/{it.name}", self._action(it), methods=["POST"]) for it in routes.ACTIONS
        ]
        rest = [
            Route("/static/{name}", _static, methods=["GET"]),
            Route("/live", self._events, methods=["GET"]),
            Route("/moments", self._moments, methods=["GET"]),
        ]
        handlers = {HTTPException: self._lost, Exception: self._failed}
        return Starlette(
            routes=[*pages, *actions, *rest],
            exception_handlers=handlers,  # type: ignore[arg-type]  # Starlette's own idea of them
        )

    # --- pages ----------------------------------------------------------------------------------

    def _page(self, page: Page) -> Callable[[Request], object]:
        async def answer(request: Request) -> Response:
            asked = self._asked(request)
            notice = self._notices.pop(request.query_params.get("said", ""), None)
            return await self._threads.read(
                lambda vault: self._shown(vault, page, asked, notice), past=bool(asked.as_of)
            )

        return answer

    def _asked(self, request: Request) -> Asked:
        given = request.query_params
        # Several boxes of one name are one field.
        named = {k: ",".join(given.getlist(k)) for k in given if k not in {"as_of", "said"}}
        fields = {_printable(k): _printable(text) for k, text in named.items()}
        as_of = request.query_params.get("as_of", "")
        rest = request.path_params.get("rest", "")
        path = request.url.path
        return replace(self._now(), path=path, rest=rest, fields=fields, as_of=as_of)

    def _now(self) -> Asked:
        return Asked(self._clock(), self._shell.options, changes=self._live.changes)

    def _shown(self, vault: Vault, page: Page, asked: Asked, notice: Notice | None) -> Response:
        try:
            with vault.views.at(asked.as_of, agent=asked.options.agent) as view:
                reader = Reader(vault, view)
                model = page.query(reader, asked)
                return self._rendered(page, reader, asked, model, notice)
        except EXPECTED as e:
            return self._refused(vault, asked, e)

    def _rendered(  # noqa: PLR0913, PLR0917  # all that a page is made of
        self, page: Page, reader: Reader, asked: Asked, model: object,
        notice: Notice | None = None, status: int = 200,
    ) -> Response:  # fmt: skip
        names = {
            "page": page, "it": model, "asked": asked, "notice": notice, "shell": self._shell,
            "nav": routes.NAVIGATION, "section": routes.section(page, asked.path),
            "waiting": reader.view.waiting(), "vault_name": reader.vault.path.name,
            **templates.shared(asked.as_of, asked.now),
        }  # fmt: skip
        text = templates.environment().get_template(page.template).render(names)
        return HTMLResponse(text, status)

    def _refused(self, vault: Vault, asked: Asked, error: Exception) -> Response:
        """Say in a page why there is none."""
        status = next(code for kind, code in _STATUS if isinstance(error, kind))
        try:
            now = Asked(asked.now, asked.options, changes=asked.changes)
            return self._error(vault, now, _sentence(error, vault), status)
        except EXPECTED as e:
            return HTMLResponse(_bare(_sentence(e, vault)), 503)

    def _error(self, vault: Vault, asked: Asked, why: str, status: int) -> Response:
        with vault.views.at(agent=asked.options.agent) as view:
            page = error_page.page(status)
            return self._rendered(page, Reader(vault, view), asked, why, status=status)

    # --- actions --------------------------------------------------------------------------------

    def _action(self, action: Action) -> Callable[[Request], object]:
        async def answer(request: Request) -> Response:
            form: Form = request.scope[FORM]
            options = self._shell.options
            return await self._threads.write(lambda vault: self._done(vault, action, form, options))

        return answer

    def _done(self, vault: Vault, action: Action, form: Form, options: Options) -> Response:
        asked = self._now()
        try:
            done = action.run(vault, form, options)
            if done.page is not None:
                with vault.views.at(agent=options.agent) as view:
                    reader = Reader(vault, view)
                    notice = Notice(done.said) if done.said else None
                    return self._rendered(done.page, reader, asked, done.model, notice, done.status)
            return self._onward(done, one(form, "back"))
        except EXPECTED as e:
            return self._refused(vault, asked, e)

    def _onward(self, done: Done, back: str) -> Response:
        """Go on to the next page, which says what was done."""
        key = secrets.token_urlsafe(8)
        self._notices[key] = Notice(done.said, done.op)
        while len(self._notices) > _NOTICES:
            self._notices.popitem(last=False)
        to = back if _is_ours(back) else done.to
        place, mark, anchor = to.partition("#")
        joint = "&" if "?" in place else "?"
        return RedirectResponse(f"{place}{joint}said={key}{mark}{anchor}", 303)

    # --- the rest -------------------------------------------------------------------------------

    async def _events(self, request: Request) -> Response:
        if self._live.is_full:
            return Response(status_code=503)
        told = request.headers.get("Last-Event-ID") or request.query_params.get("seen", "")
        seen = int(told) if _COUNT.fullmatch(told) else self._live.changes
        return StreamingResponse(self._live.events(seen), media_type="text/event-stream")

    async def _moments(self, _request: Request) -> Response:
        """Answer with the moments that the slider of the past stops at."""
        agent = self._shell.options.agent
        found = await self._threads.read(lambda vault: moments.query(vault, agent))
        return JSONResponse({"moments": found})

    async def _lost(self, request: Request, error: HTTPException) -> Response:
        return await self._told(f"There is no page at {request.url.path}.", error)

    async def _failed(self, _request: Request, _error: Exception) -> Response:
        return await self._told("Something went wrong in vaultmem itself.", None)

    async def _told(self, why: str, error: HTTPException | None) -> Response:
        asked = self._now()
        status = error.status_code if error else 500

        def shown(vault: Vault) -> Response:
            with suppress(*EXPECTED):
                return self._error(vault, asked, visible(why), status)
            return HTMLResponse(_bare(why), status)

        return await self._threads.read(shown)


def _printable(text: str) -> str:
    """Return *text* without what no field of a page can hold: it is sent back in the page."""
    return _CONTROL.sub(" ", text)


def _is_ours(back: str) -> bool:
    """Tell whether an address leads to a page of this server, and no other one."""
    return back.startswith("/") and back[1:2] not in {"/", "\\"} and back.isprintable()


def _sentence(error: Exception, vault: Vault) -> str:
    """Return what went wrong for people; where the vault lies is known to who started this."""
    if isinstance(error, OSError):
        why = error.strerror or "the system refused"
        return f"{why}: the files are as they were; fix that and try again."
    text = visible(public_text(str(error))).replace(f"{vault.path}/", "")
    return f"{text[:1].upper()}{text[1:]}"


def _bare(why: str) -> str:
    return templates.environment().get_template("bare.html").render(why=why)


async def _static(request: Request) -> Response:
    """Return a file of ours; its address changes with its version."""
    name = request.path_params["name"]
    if (data := static_files().get(name)) is None:
        raise HTTPException(404)
    kind = _TYPES[name.rpartition(".")[2]]
    return Response(data, media_type=kind, headers={"Cache-Control": _FOREVER})


@functools.cache
def static_files() -> Mapping[str, bytes]:
    """Return the files that pages load, by name."""
    folder = resources.files("vaultmem.web") / "static"
    return {
        it.name: it.read_bytes() for it in folder.iterdir() if it.name.rpartition(".")[2] in _TYPES
    }
