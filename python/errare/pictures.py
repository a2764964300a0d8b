"""Pictures as SVG, which notebooks show: boards, line charts, heat maps."""

from __future__ import annotations

import math
import os
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import SupportsFloat

from errare import _native
from errare._inputs import MoveLike, PositionLike, move, position
from errare.exceptions import RequestError

__all__ = ["Picture", "board", "heat_map", "line_chart"]


class Picture:
    """A picture as SVG. Notebooks show it; `save` writes it."""

    __slots__ = ("svg",)

    def __init__(self, svg: str) -> None:
        self.svg = svg
        """The text of the SVG."""

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes the picture to a file."""
        Path(path).write_text(self.svg, encoding="utf-8")

    def _repr_svg_(self) -> str:
        return self.svg

    def __eq__(self, other: object) -> bool:
        """Whether the other is the same picture."""
        return self.svg == other.svg if isinstance(other, Picture) else NotImplemented

    def __hash__(self) -> int:
        """By the text."""
        return hash(self.svg)

    def __repr__(self) -> str:
        """What it is: the text would be long."""
        return "<Picture as SVG>"


def board(
    place: PositionLike,
    moves: Iterable[MoveLike] = (),
    *,
    faint: Iterable[MoveLike] = (),
    black_below: bool = False,
    title: str = "",
) -> Picture:
    """Draws a position, with an arrow for each move in UCI notation: broad for `moves`, thin for `faint`.

    >>> board("8/8/8/8/8/2k5/1R6/K7 w - - 0 1", ["b2b1"]).svg[:4]
    '<svg'
    """
    arrows = [(move(one), True) for one in faint] + [(move(one), False) for one in moves]
    return Picture(_native.board_svg(position(place) or "", arrows, black_below, title))


def line_chart(
    series: Mapping[str, Iterable[tuple[SupportsFloat, SupportsFloat | None]]],
    *,
    title: str = "",
    x: str = "",
    y: str = "",
    x_log: bool = False,
    y_log: bool = False,
    dots: Iterable[str] = (),
    marks: Mapping[str, SupportsFloat] | None = None,
) -> Picture:
    """Draws points by the name of their series, joined by lines; those of the series in `dots` as dots.

    Points without a y are left out, and break a line. `marks` are places on the x axis by their label.

    >>> line_chart({"squares": [(1, 1), (2, 4), (3, 9)]}, x="n", y="n²").svg[:4]
    '<svg'
    """
    as_dots = set(dots)
    if as_dots - set(series):
        raise RequestError(f"there is no series {sorted(as_dots - set(series))} to draw as dots")
    drawn = [(name, [(float(a), _number(b)) for a, b in points], name in as_dots) for name, points in series.items()]
    marked = [(float(place), label) for label, place in (marks or {}).items()]
    return Picture(_native.line_chart_svg(title, (x, x_log), (y, y_log), drawn, marked))


def heat_map(
    rows: Mapping[str, Iterable[SupportsFloat]],
    columns: Iterable[str],
    *,
    title: str = "",
    x: str = "",
    y: str = "",
    log: bool = False,
) -> Picture:
    """Draws cells by the label of their row, darker for greater numbers, on a logarithmic scale if `log`.

    >>> heat_map({"a": [0.1, 0.9], "b": [0.5, 0.5]}, ["left", "right"]).svg[:4]
    '<svg'
    """
    cells = [(label, [float(cell) for cell in row]) for label, row in rows.items()]
    return Picture(_native.heat_map_svg(title, x, y, list(columns), cells, log))


def _number(value: SupportsFloat | None) -> float:
    return math.nan if value is None else float(value)
