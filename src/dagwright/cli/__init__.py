"""The command line: it parses, calls the library and prints. No method lives here.

Exit status: 0 done; 1 the data, the graph or an option cannot be used, or a file cannot be read or written
(one sentence on stderr); 2 the command line itself is wrong; 130 interrupted, after writing what there was.
"""

from __future__ import annotations

import sys

__all__ = ["main"]

INTERRUPTED = 130


def main() -> None:
    """Run the command line; Ctrl-C ends it without a traceback, also while it is being loaded."""
    try:
        from dagwright.cli.app import main as run

        run()
    except KeyboardInterrupt:
        sys.exit(INTERRUPTED)
