"""Access control: a token, our own Host and our own origin; and what the browser may do with the page."""

from __future__ import annotations

import ipaddress
import secrets
from dataclasses import dataclass
from http.cookies import CookieError, SimpleCookie
from urllib.parse import parse_qs, urlencode

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import RedirectResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from dagwright.studio.problems import STATUS, problem

POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; style-src-attr 'unsafe-inline'; "
    "img-src 'self' data: blob:; font-src 'self'; connect-src 'self'; worker-src 'self'; "
    "manifest-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
FILE_POLICY = "sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src data:"
"""For files to take away: nothing in them runs, should a browser show them."""
SAFE = ("GET", "HEAD")
SIGN_IN = (
    "<!doctype html><html lang='en'><meta charset='utf-8'><title>dagwright studio</title>"
    "<h1>dagwright studio</h1><p>Open the address that <code>dagwright studio</code> printed: it holds the "
    "token that this page needs.</p></html>"
)


@dataclass(frozen=True)
class Guard:
    """The checks that every request must pass.

    Attributes
    ----------
    token
        The secret of this run.
    port
        Where the server listens.
    names
        Host names under which it is reached.
    remote
        Whether other machines may ask; then any address in numbers is a host name too.
    """

    token: str
    port: int
    names: tuple[str, ...] = ("127.0.0.1", "localhost", "[::1]")
    remote: bool = False

    @property
    def cookie(self) -> str:
        """Ports share the cookies of a host, so the name holds the port."""
        return f"dagwright-{self.port}"

    def knows_host(self, host: str) -> bool:
        """Whether a Host header is one of ours: a page elsewhere may point its own name at this machine."""
        name, _, port = host.rpartition(":")
        if not name or port != str(self.port):
            return False
        if name.lower() in self.names:
            return True
        try:
            ipaddress.ip_address(name.strip("[]"))
        except ValueError:
            return False
        return self.remote

    def knows(self, token: str | None) -> bool:
        """Whether a token is that of this run."""
        return token is not None and secrets.compare_digest(token.encode(), self.token.encode())


class Gate:
    """Around the application: refuses what may not pass, and adds headers to what does."""

    def __init__(self, app: ASGIApp, guard: Guard) -> None:
        self.app, self.guard = app, guard

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            if scope["type"] == "lifespan":
                await self.app(scope, receive, send)
            return

        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                _add_headers(MutableHeaders(scope=message), scope["path"])
            await send(message)

        answer = self._refusal(scope)
        await (self.app if answer is None else answer)(scope, receive, send_with_headers)

    def _refusal(self, scope: Scope) -> Response | None:
        headers, guard = Headers(scope=scope), self.guard
        host = headers.get("host", "")
        if not guard.knows_host(host):
            return refused("forbidden", "this server answers under its own address only")
        origin, own = headers.get("origin"), f"http://{host}"
        if origin is not None and origin != own:
            return refused("forbidden", "a page of another origin may not ask this server")
        page = scope["path"] == "/"
        if headers.get("sec-fetch-site", "none") not in ("same-origin", "none") and not page:
            return refused("forbidden", "a page of another origin may not ask this server")
        bearer = headers.get("authorization", "")
        if bearer[:7].lower() == "bearer " and guard.knows(bearer[7:].strip()):
            return None
        if page and scope["method"] in SAFE:
            query = parse_qs(scope["query_string"].decode("latin-1"))
            if guard.knows(query.pop("token", [None])[0]):
                return self._signed_in(query)
        if not guard.knows(_cookie(headers.get("cookie", ""), guard.cookie)):
            return (
                Response(SIGN_IN, 401, media_type="text/html")
                if page
                else refused("unauthorized", "this needs the token of the studio, which its address contains")
            )
        if scope["method"] not in SAFE and origin is None:
            return refused(
                "forbidden", "a request that changes something must say where it comes from (Origin)"
            )
        return None

    def _signed_in(self, rest: dict[str, list[str]]) -> Response:
        """The page again, without the token in its address."""
        further = urlencode({name: values[0] for name, values in rest.items()})
        answer = RedirectResponse(f"/#{further}" if further else "/", 303)
        answer.set_cookie(self.guard.cookie, self.guard.token, httponly=True, samesite="strict", path="/")
        return answer


def refused(code: str, message: str) -> Response:
    """The answer to a request that may not pass."""
    from starlette.responses import JSONResponse

    return JSONResponse({"error": problem(code, message)}, STATUS[code])


def _cookie(header: str, name: str) -> str | None:
    try:
        found = SimpleCookie(header).get(name)
    except CookieError:
        return None
    return None if found is None else found.value


def _add_headers(headers: MutableHeaders, path: str) -> None:
    headers.setdefault("Content-Security-Policy", POLICY)
    headers["X-Content-Type-Options"] = "nosniff"
    headers["Referrer-Policy"] = "no-referrer"
    headers["Cross-Origin-Resource-Policy"] = "same-origin"
    headers["Cross-Origin-Opener-Policy"] = "same-origin"
    headers["X-Frame-Options"] = "DENY"
    if not path.startswith("/assets/"):
        headers["Cache-Control"] = "no-store"
