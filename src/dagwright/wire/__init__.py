"""Wire formats: every result as a versioned JSON document with a JSON Schema."""

from dagwright.wire.formats import FORMATS, WireFormat, format_for, from_dict, to_dict

__all__ = ["FORMATS", "WireFormat", "format_for", "from_dict", "to_dict"]
