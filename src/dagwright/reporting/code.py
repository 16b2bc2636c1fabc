"""The call in Python that makes a report again."""

from __future__ import annotations

import os
import re
from typing import Any

WRITTEN = ("study", "search", "score", "knowledge", "structure_prior", "discretize")
METHOD = re.compile(r"\b(?=[A-Z]\w*\()")
OF_RESULT = "import dagwright as dw\n\ndw.report(found).save('report.html')  # found = dw.learn(...)"


def code_for(data: Any, given: dict[str, Any], replicates: int, seed: str) -> str:
    """The call in Python; methods and knowledge are written as they are made."""
    source = repr(os.fspath(data)) if isinstance(data, str | os.PathLike) else "data"
    options = [
        f"{option}={METHOD.sub('dw.', repr(value))}" if option in WRITTEN else f"{option}={value!r}"
        for option, value in given.items()
        if value is not None
    ]
    options.append(f"replicates={replicates}")
    if "study" not in given:
        options.append(f"random_state={seed}")
    return f"import dagwright as dw\n\ndw.report({source}, {', '.join(options)}).save('report.html')"
