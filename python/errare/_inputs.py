"""What users give, as JSON: positions, moves, games, paths, numbers."""

from __future__ import annotations

import math
import os
from collections.abc import Iterable, Mapping
from typing import Protocol, TypeAlias, TypeVar, runtime_checkable

from errare._records import Record, Rows
from errare.exceptions import RequestError

T = TypeVar("T")


@runtime_checkable
class BoardLike(Protocol):
    """A board, such as `chess.Board`."""

    def fen(self) -> str:
        """The position as a FEN."""
        ...


@runtime_checkable
class MoveObject(Protocol):
    """A move, such as `chess.Move`."""

    def uci(self) -> str:
        """The move in UCI notation."""
        ...


@runtime_checkable
class GameObject(Protocol):
    """A game, such as `chess.pgn.Game`, whose text is PGN."""

    @property
    def headers(self) -> object:
        """The tags."""

    def mainline_moves(self) -> object:
        """The moves."""


PositionLike: TypeAlias = str | BoardLike
"""A position: a FEN, or a `chess.Board`."""

MoveLike: TypeAlias = str | MoveObject
"""A move: UCI or SAN, or a `chess.Move`."""

GameLike: TypeAlias = str | GameObject | Iterable[str | GameObject]
"""Games: a text in PGN, a `chess.pgn.Game`, or several of them."""

PathLike: TypeAlias = str | os.PathLike[str]
"""The name of a file or folder."""


def position(given: PositionLike | None) -> str | None:
    """The FEN of a position."""
    if given is None or isinstance(given, str):
        return given
    if isinstance(given, BoardLike):
        return given.fen()
    raise RequestError(f"expected a FEN or a chess.Board, found an object of type `{type(given).__name__}`")


def positions(given: Iterable[PositionLike] | None) -> object:
    """The FENs of positions."""
    if isinstance(given, str | BoardLike):
        return [position(given)]
    return None if given is None else [position(one) for one in _iterated(given)]


def move(given: MoveLike) -> str:
    """The text of a move."""
    if isinstance(given, str):
        return given
    if isinstance(given, MoveObject):
        return given.uci()
    raise RequestError(f"expected a move as UCI, SAN or chess.Move, found an object of type `{type(given).__name__}`")


def moves(given: Iterable[MoveLike] | None) -> object:
    """The texts of moves; a text has them with spaces between."""
    if isinstance(given, str):
        return given.split()
    return None if given is None else [move(one) for one in _iterated(given)]


def line_moves(given: str | Iterable[MoveLike] | None) -> object:
    """Moves as one text."""
    return given if given is None or isinstance(given, str) else " ".join(move(one) for one in _iterated(given))


def games(given: GameLike | None) -> str | None:
    """Games as PGN."""
    if given is None or isinstance(given, str):
        return given
    if isinstance(given, GameObject):
        return str(given) + "\n\n"
    return "".join(games(one) or "" for one in _iterated(given))


def paths(given: PathLike | Iterable[PathLike] | None) -> object:
    """A list of paths; one path is a list of one."""
    return [plain(given)] if isinstance(given, str | os.PathLike) else plain(given)


def texts(given: str | Iterable[str] | None) -> object:
    """A list of texts; one text is a list of one."""
    return [plain(given)] if isinstance(given, str) else plain(given)


def items(given: Iterable[object] | float | None) -> object:
    """A list; one number is a list of one."""
    return [plain(given)] if isinstance(given, int | float) else plain(given)


def turns(given: object) -> object:
    """Turns: the names of their files, or a request with more than that."""
    return plain(given) if given is None or isinstance(given, Mapping | Record) else {"files": _names(given)}


def calibration_input(given: object) -> object:
    """Turns to calibrate with: the names of their files, or a request with more than that."""
    return plain(given) if given is None or isinstance(given, Mapping | Record) else {"turns": {"files": _names(given)}}


class Null:
    """None where it means something else than what is not given."""


NULL = Null()


def nullable(given: object) -> object:
    """A value for which None is a value of its own."""
    return NULL if given is None else plain(given)


def _names(given: object) -> object:
    return [plain(given)] if isinstance(given, str | os.PathLike) else plain(given)


def plain(given: object) -> object:
    """Any value as JSON has it: numbers of NumPy, paths, records, boards and moves included."""
    if given is None or isinstance(given, str | bool | int):
        return str(given) if isinstance(given, str) else given
    if isinstance(given, float):
        return _number(float(given))
    if isinstance(given, Record):
        return given.to_dict()
    if isinstance(given, Rows):
        return given.to_dicts()
    if isinstance(given, os.PathLike):
        return os.fsdecode(given)
    if isinstance(given, Mapping):
        return {key: plain(value) for key, value in given.items()}
    if isinstance(given, BoardLike):
        return given.fen()
    if isinstance(given, MoveObject):
        return given.uci()
    to_list = getattr(given, "tolist", None)
    if callable(to_list):
        listed = to_list()
        return plain(listed) if isinstance(listed, list | int | float | str) else _refused(given)
    if isinstance(given, Iterable) and not isinstance(given, bytes | bytearray):
        return [plain(one) for one in given]
    return _refused(given)


def _number(number: float) -> object:
    """Infinite competences are words in JSON."""
    if math.isnan(number):
        raise RequestError("a number is not a number (NaN)")
    return number if math.isfinite(number) else ("inf" if number > 0 else "-inf")


def _refused(given: object) -> object:
    raise RequestError(f"a request cannot hold an object of type `{type(given).__name__}`")


def _iterated(given: Iterable[T]) -> Iterable[T]:
    if not isinstance(given, Iterable):
        raise RequestError(f"expected a list, found an object of type `{type(given).__name__}`")
    return given
