"""The studio as a running server."""

from __future__ import annotations

import secrets
import socket
import webbrowser
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

import uvicorn

from dagwright.data.samples import PREFIX
from dagwright.errors import OptionError
from dagwright.studio.handlers.data import put_data, put_sample
from dagwright.studio.problems import StudioError
from dagwright.studio.routes import application
from dagwright.studio.safety import Gate, Guard
from dagwright.studio.studio import Limits, Studio, data_ending
from dagwright.studio.workspace import SUFFIX, usual_folder

ELSEWHERE = "; where the file needs settings, start `dagwright studio` without it and open it in the page"
LOOPBACK = ("127.0.0.1", "localhost", "::1")


@dataclass(frozen=True)
class Options:
    """How to serve."""

    host: str = "127.0.0.1"
    port: int = 0
    remote: bool = False
    browser: bool = True
    folder: Path = field(default_factory=usual_folder)
    limits: Limits = field(default_factory=Limits)


def serve(source: str | None, options: Options, tell: Callable[[str], None]) -> None:
    """Serve until interrupted; ``tell`` receives the address, and a warning if others can reach it."""
    if options.host not in LOOPBACK and not options.remote:
        raise OptionError(
            f"--host {options.host} lets other machines reach your data; say --allow-remote as well to do so"
        )
    family = socket.AF_INET6 if ":" in options.host else socket.AF_INET
    with socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP) as listening:
        # asyncio sends small answers at once only on sockets that name their protocol.
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            listening.bind((options.host, options.port))
        except OSError as problem:
            raise OptionError(f"cannot listen on {options.host}:{options.port}: {problem.strerror}") from None
        listening.listen(128)  # before the address is told: who connects at once waits, and is not refused
        port = int(listening.getsockname()[1])
        studio = Studio(options.folder, options.limits)
        try:
            _serve(studio, source, options, listening, port, tell)
        finally:
            studio.close()


def _serve(
    studio: Studio,
    source: str | None,
    options: Options,
    listening: socket.socket,
    port: int,
    tell: Callable[[str], None],
) -> None:
    try:
        studio.started_with = None if source is None else opened(studio, source)
    except StudioError as problem:
        raise OptionError(problem.problem["message"]) from None
    studio.warm_up()
    shown = f"[{options.host}]" if ":" in options.host else options.host
    names = ("127.0.0.1", "localhost", "[::1]", shown.lower(), socket.gethostname().lower())
    guard = Guard(secrets.token_urlsafe(24), port, names if options.remote else names[:4], options.remote)
    if options.remote:
        tell(
            f"warning: the studio listens on {options.host}; everyone who can reach this machine and learns "
            "the address below can read and change your projects, and the connection is not encrypted"
        )
    project = "" if studio.started_with is None else f"&project={studio.started_with}"
    address = f"http://{shown}:{port}/?token={guard.token}{project}"
    tell(address)
    if options.browser:
        webbrowser.open(address)
    app = Gate(application(studio), guard)
    config = uvicorn.Config(
        app,
        log_level="warning",
        access_log=False,
        timeout_graceful_shutdown=2,
        server_header=False,
        lifespan="off",
    )
    server = uvicorn.Server(config)
    stop = server.handle_exit

    def handle_exit(sig: int, frame: object) -> None:
        studio.hub.close()
        stop(sig, frame)  # type: ignore[arg-type]

    server.handle_exit = handle_exit  # type: ignore[method-assign]
    server.run(sockets=[listening])


def opened(studio: Studio, source: str) -> str:
    """The project of a file or a sample named on the command line."""
    if source.startswith(PREFIX):
        name = source.removeprefix(PREFIX)
        project = studio.workspace.create(name)
        put_sample(studio, project, name, None)
        return project.id
    path = Path(source)
    if not path.is_file():
        raise OptionError(f"there is no file {source!r}; name a data file, a .dwproj project or sample:asia")
    if path.suffix.lower() == SUFFIX:
        return studio.workspace.open_path(path).id
    if not data_ending(path.name):
        raise OptionError(f"{source!r} is neither a project ({SUFFIX}) nor a data file that the studio knows")
    project = studio.workspace.create(path.stem)
    try:
        put_data(studio, project, path.resolve(), path.name, "file", None)
    except StudioError as problem:
        studio.workspace.discard(project.id)
        raise OptionError(f"{problem.problem['message']}{ELSEWHERE}") from None
    return project.id
