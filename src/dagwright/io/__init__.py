"""Networks from files and into files, one module per format, and the networks that come with the package."""

from dagwright.io.builtin import networks
from dagwright.io.formats import FORMATS, Format, format_named, format_of
from dagwright.io.loading import load
from dagwright.io.losses import Loss
from dagwright.io.saving import save

__all__ = ["FORMATS", "Format", "Loss", "format_named", "format_of", "load", "networks", "save"]
