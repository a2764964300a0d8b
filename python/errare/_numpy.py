"""NumPy, if it is there."""

from __future__ import annotations

from typing import Any


def numpy() -> Any:
    """The module NumPy, which only those need who ask for arrays."""
    try:
        import numpy
    except ImportError as error:
        raise ImportError("arrays need NumPy: `pip install numpy`") from error
    return numpy
