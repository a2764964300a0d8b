"""The values of many positions at once."""

from __future__ import annotations

import html
from collections import Counter
from collections.abc import Iterator
from typing import TYPE_CHECKING

from errare import _native
from errare._numpy import numpy

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

__all__ = ["OUTCOMES", "ProbedPositions"]

OUTCOMES = {2: "win", 1: "cursed-win", 0: "draw", -1: "blessed-loss", -2: "loss"}
"""The names of outcomes by their number in :attr:`ProbedPositions.outcome`."""


class ProbedPositions:
    """The values of positions in the order in which they were given, as columns.

    It implements the Arrow PyCapsule interface: `polars.DataFrame(values)` has the columns outcome, plies and moves.
    """

    __slots__ = ("_columns", "metric", "rounded")

    def __init__(self, metric: str, rounded: bool, columns: _native.Columns) -> None:
        self.metric = metric
        """The metric of all depths."""
        self.rounded = rounded
        """Whether some depth may be one ply more than shown: the tables round."""
        self._columns = columns

    def __len__(self) -> int:
        """Number of positions."""
        return len(self._columns)

    @property
    def outcome(self) -> NDArray[np.int8]:
        """The outcome for the side to move, from -2 for a loss to 2 for a win: see `OUTCOMES`."""
        np = numpy()
        return np.frombuffer(self._columns.data(0), dtype=np.int8)  # type: ignore[no-any-return]

    @property
    def plies(self) -> NDArray[np.int32]:
        """The depth in plies; -1 for a draw."""
        np = numpy()
        return np.frombuffer(self._columns.data(1), dtype=np.int32)  # type: ignore[no-any-return]

    @property
    def moves(self) -> NDArray[np.int32]:
        """The depth in moves of the winner still to be made; -1 for a draw."""
        np = numpy()
        return np.frombuffer(self._columns.data(2), dtype=np.int32)  # type: ignore[no-any-return]

    def __iter__(self) -> Iterator[tuple[str, int | None, int | None]]:
        """Outcome by name, plies and moves of each position; None for a draw. Needs no NumPy."""
        codes, plies, moves = (memoryview(self._columns.data(place)) for place in range(3))
        for code, ply, move in zip(codes.cast("b"), plies.cast("i"), moves.cast("i"), strict=True):
            yield OUTCOMES[code], None if ply < 0 else ply, None if move < 0 else move

    def counts(self) -> dict[str, int]:
        """Number of positions by outcome."""
        found = Counter(memoryview(self._columns.data(0)).cast("b"))
        return {name: found[code] for code, name in OUTCOMES.items() if found[code]}

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        """The values as a stream of Arrow record batches."""
        return self._columns.__arrow_c_stream__(requested_schema)

    def __reduce__(self) -> tuple[object, ...]:
        """The values as bytes."""
        return _restored, (self.metric, self.rounded, *(self._columns.data(place) for place in range(3)))

    def __repr__(self) -> str:
        """Number of positions by outcome."""
        counted = ", ".join(f"{count} {name}" for name, count in self.counts().items())
        return f"<{len(self)} positions by {self.metric}: {counted}>"

    def _repr_html_(self) -> str:
        rows = "".join(f"<tr><th>{name}</th><td>{count}</td></tr>" for name, count in self.counts().items())
        return f"<table><caption>{len(self)} positions by {html.escape(self.metric)}</caption>{rows}</table>"


def _restored(metric: str, rounded: bool, outcomes: bytes, plies: bytes, moves: bytes) -> ProbedPositions:
    return ProbedPositions(metric, rounded, _native.Columns.restore_depths(outcomes, plies, moves))
