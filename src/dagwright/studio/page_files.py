"""The page itself: files that were built into the package, or a word about their absence."""

from __future__ import annotations

from importlib.resources import files
from importlib.resources.abc import Traversable

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

TYPES = {
    ".html": "text/html; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".svg": "image/svg+xml",
    ".png": "image/png",
    ".ico": "image/x-icon",
    ".json": "application/json",
    ".webmanifest": "application/manifest+json",
    ".woff2": "font/woff2",
    ".txt": "text/plain; charset=utf-8",
}
ABSENT = (
    "<!doctype html><html lang='en'><meta charset='utf-8'><title>dagwright studio</title>"
    "<h1>dagwright studio</h1><p>The server runs, but this installation has no page: its files were not "
    "built. The interface for programs is described at "
    "<a href='/api/openapi.json'>/api/openapi.json</a>.</p></html>"
)


def page_routes() -> list[Route]:
    """The page, its parts in assets/, and the files beside it."""
    return [
        Route("/", _index, methods=["GET"]),
        Route("/assets/{name}", _asset, methods=["GET"]),
        Route("/{name}", _beside, methods=["GET"]),
    ]


def _page() -> Traversable:
    return files("dagwright.studio") / "page"


def _found(folder: Traversable, name: str) -> bytes | None:
    """A file by its name in the list of the folder, so that no name leads elsewhere."""
    if not folder.is_dir():
        return None
    for one in folder.iterdir():
        if one.name == name and one.is_file():
            return one.read_bytes()
    return None


def _served(folder: Traversable, name: str, *, forever: bool = False) -> Response:
    content = _found(folder, name)
    if content is None:
        raise HTTPException(404)
    ending = name[name.rfind(".") :] if "." in name else ""
    answer = Response(content, media_type=TYPES.get(ending, "application/octet-stream"))
    if forever:
        answer.headers["Cache-Control"] = "public, max-age=31536000, immutable"
    return answer


def _index(request: Request) -> Response:  # noqa: ARG001
    content = _found(_page(), "index.html")
    return Response(ABSENT if content is None else content, media_type="text/html; charset=utf-8")


def _asset(request: Request) -> Response:
    return _served(_page() / "assets", request.path_params["name"], forever=True)


def _beside(request: Request) -> Response:
    return _served(_page(), request.path_params["name"])
