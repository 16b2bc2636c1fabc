"""`python -m dagwright` is the command line."""

from dagwright.cli import main

main()
