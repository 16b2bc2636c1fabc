"""The command line: it parses, calls the library and prints. No method lives here.

Exit status: 0 done; 1 the data, the graph or an option cannot be used, or a file cannot be read or written
(one sentence on stderr); 2 the command line itself is wrong; 130 interrupted, after writing what there was.
"""

from dagwright.cli.app import main

__all__ = ["main"]
