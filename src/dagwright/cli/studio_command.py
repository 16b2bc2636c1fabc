"""The command that starts the local web application."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from dagwright.cli import output
from dagwright.errors import OptionError


def studio(
    source: Annotated[
        str | None,
        typer.Argument(help="A data file, a project (.dwproj) or a sample such as sample:asia."),
    ] = None,
    port: Annotated[int, typer.Option(min=0, max=65535, help="The port; 0 takes a free one.")] = 0,
    host: Annotated[
        str, typer.Option(help="The address to listen on; others than this machine need --allow-remote.")
    ] = ("127.0.0.1"),
    allow_remote: Annotated[
        bool, typer.Option("--allow-remote", help="Let other machines reach the studio through --host.")
    ] = False,
    browser: Annotated[
        bool, typer.Option("--browser/--no-browser", help="Open the page in a browser.")
    ] = True,
    folder: Annotated[
        Path | None, typer.Option(help="Where projects are kept; default: the data folder of the user.")
    ] = None,
    jobs: Annotated[int, typer.Option(min=1, max=16, help="How many jobs run at a time.")] = 1,
    worker_memory: Annotated[
        int | None, typer.Option(min=2**28, help="The memory limit of each worker process in bytes.")
    ] = None,
) -> None:
    """Open dagwright studio, the local web application.

    Nothing leaves this machine. The printed address contains the token that the page needs.
    """
    try:
        from dagwright.studio.server import Options, serve
        from dagwright.studio.studio import Limits
        from dagwright.studio.workspace import usual_folder
    except ModuleNotFoundError as problem:
        if problem.name not in ("starlette", "uvicorn", "anyio"):
            raise
        raise OptionError("the studio needs starlette and uvicorn; pip install 'dagwright[studio]'") from None
    options = Options(
        host=host,
        port=port,
        remote=allow_remote,
        browser=browser,
        folder=usual_folder() if folder is None else folder,
        limits=Limits(jobs_at_once=jobs, worker_memory=worker_memory),
    )
    serve(source, options, output.write_now)
