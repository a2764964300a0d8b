"""The native module: see python/src."""

from collections.abc import Callable, Iterable, Sequence
from os import PathLike
from typing import final

__all__ = ["Columns", "Lab", "__version__", "board_svg", "heat_map_svg", "line_chart_svg", "operations"]

__version__: str

@final
class Lab:
    def __new__(
        cls,
        tables: str | PathLike[str] | None = None,
        threads: int | None = None,
        memory: int | None = None,
        engine: str | None = None,
        evaluations: str | PathLike[str] | None = None,
        calibration: str | PathLike[str] | None = None,
    ) -> Lab: ...
    def call(self, operation: str, request: object, progress: Callable[..., object] | None = None, /) -> str: ...
    def probe_many(
        self,
        positions: Iterable[object],
        metric: str | None = None,
        source: str | None = None,
        progress: Callable[..., object] | None = None,
        /,
    ) -> tuple[str, bool, Columns]: ...

@final
class Columns:
    def __new__(cls, columns: Sequence[tuple[str, str, Sequence[object]]], /) -> Columns: ...
    @staticmethod
    def restore_depths(outcomes: bytes, plies: bytes, moves: bytes, /) -> Columns: ...
    def __len__(self) -> int: ...
    @property
    def names(self) -> list[str]: ...
    def data(self, place: int, /) -> bytes: ...
    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object: ...

def operations() -> list[tuple[str, str, str, str]]: ...
def board_svg(
    fen: str, arrows: Sequence[tuple[str, bool]], black_below: bool = False, title: str = "", /
) -> str: ...
def line_chart_svg(
    title: str,
    x: tuple[str, bool],
    y: tuple[str, bool],
    series: Sequence[tuple[str, Sequence[tuple[float, float]], bool]],
    marks: Sequence[tuple[float, str]],
    /,
) -> str: ...
def heat_map_svg(
    title: str,
    x_label: str,
    y_label: str,
    columns: Sequence[str],
    rows: Sequence[tuple[str, Sequence[float]]],
    log: bool = False,
    /,
) -> str: ...
