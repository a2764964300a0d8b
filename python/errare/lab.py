"""The lab: tables, caches and threads behind every operation."""

from __future__ import annotations

import json
import operator
import os
import shutil
import threading
from collections.abc import Callable, Iterable, Sequence
from typing import Any, NoReturn, SupportsIndex, TypeAlias, TypeVar

from errare import _native
from errare._inputs import NULL, PathLike, PositionLike, plain
from errare._operations import Operations
from errare.exceptions import RequestError
from errare.positions import ProbedPositions
from errare.progress import ProgressLike, Watching

__all__ = ["Lab", "default_lab", "set_default_lab"]

T = TypeVar("T")

# tables, threads, memory, engine, evaluations, calibration
_Options: TypeAlias = tuple[str | None, int | None, int | None, str | None, str | None, str | None]

# What tables of other makers count to; ours know every metric.
_METRICS = {"syzygy": {"dtz", "dtz50"}, "gaviota": {"dtm"}}


class Lab(Operations):
    """Tables, caches and threads. Every operation is a method; a lab may be used by several threads at once.

    Args:
        tables: The folder of our tables, which are built on demand. By default that of the variable ERRARE_TABLES, else
            `errare/tables` in the user's cache folder.
        sources: Tables of other makers, as `syzygy:DIR`, `gaviota:DIR` or `tables:DIR`. A request that names no source asks
            the first of them that has its metric, and our tables if none has it.
        threads: Number of threads; by default one for each processor.
        memory: Bytes that building a table may take; by default half of what is free.
        engine: The engine that games are evaluated with; by default that of the variable ERRARE_ENGINE, else `stockfish`.
        evaluations: The file of cached evaluations; by default `errare/evaluations.sqlite` in the user's cache folder.
        calibration: The calibration that players are rated by; by default one that comes with the package.

    >>> lab = Lab(threads=1)
    >>> lab.probe("8/8/8/8/8/2k5/1R6/K7 w - - 0 1", metric="dtc").plies
    31
    """

    def __init__(
        self,
        tables: PathLike | None = None,
        sources: Iterable[str] = (),
        threads: int | None = None,
        *,
        memory: int | None = None,
        engine: str | None = None,
        evaluations: PathLike | None = None,
        calibration: PathLike | None = None,
    ) -> None:
        if tables is None:
            tables = os.environ.get("ERRARE_TABLES") or None
        if isinstance(sources, str):
            sources = [sources]
        self._sources = tuple(sources)
        for source in self._sources:
            if not isinstance(source, str) or source.partition(":")[0] not in {*_METRICS, "tables"}:
                raise RequestError(f"invalid source `{source}`: expected syzygy:DIR, gaviota:DIR or tables:DIR")
        self._options: _Options = (
            _path("tables", tables),
            _count("threads", threads),
            _count("memory", memory),
            _text("engine", engine),
            _path("evaluations", evaluations),
            _path("calibration", calibration),
        )
        self._made = _native.Lab(*self._options)
        self._process = os.getpid()

    @property
    def _native(self) -> _native.Lab:
        """The native lab. A forked process has none of its parent's threads, so it makes a lab of its own."""
        if self._process != os.getpid():
            # To take it down would wait for those threads.
            _of_parents.append(self._made)
            self._made, self._process = _native.Lab(*self._options), os.getpid()
        return self._made

    @property
    def sources(self) -> tuple[str, ...]:
        """Tables of other makers that requests ask."""
        return self._sources

    def __reduce__(self) -> tuple[Callable[..., Lab], tuple[tuple[str, ...], _Options]]:
        """A lab is pickled as what it was made with: another process has caches of its own."""
        return _restored, (self._sources, self._options)

    def __repr__(self) -> str:
        """What the lab was made with."""
        names = ("tables", "threads", "memory", "engine", "evaluations", "calibration")
        given = [f"{name}={value!r}" for name, value in zip(names, self._options, strict=True) if value is not None]
        given += [f"sources={list(self._sources)!r}"] if self._sources else []
        return f"Lab({', '.join(given)})"

    def call(self, operation: str, request: object = None, *, progress: ProgressLike = None) -> Any:
        """Runs an operation by its name, with JSON in and JSON out, as the HTTP API does.

        >>> Lab().call("probe", {"fen": "8/8/8/8/8/2k5/1R6/K7 w - - 0 1"})["moves"]
        16
        """
        name = _text("operation", operation) or ""
        with Watching(progress) as report:
            return json.loads(self._native.call(name, {} if request is None else plain(request), report))

    def probe_many(
        self,
        positions: Iterable[PositionLike | bytes],
        *,
        metric: str | None = None,
        source: str | None = None,
        progress: ProgressLike = None,
    ) -> ProbedPositions:
        """Looks up many positions, without the values of their moves: a million of them take about a second.

        Args:
            positions: FENs or boards of python-chess: a list, an array of NumPy, a column of a table.
            metric: What depths count to: dtm, dtc, dtz, dtz50 (or another move rule) or dtr; by default dtm, or what the
                source knows.
            source: Tables to ask instead of ours: syzygy:DIR, gaviota:DIR or tables:DIR.
            progress: Receives the progress: a callable, or True for a bar.

        Raises:
            errare.Error: If a FEN is wrong (its place is named), or a table cannot be had.

        >>> values = Lab().probe_many(["8/8/8/8/8/2k5/1R6/K7 w - - 0 1", "8/8/8/8/8/2k5/8/K7 w - - 0 1"])
        >>> list(values)
        [('win', 31, 16), ('draw', None, None)]
        """
        if not isinstance(positions, Iterable):
            raise RequestError(f"expected a list of positions, found an object of type `{type(positions).__name__}`")
        metric, source = _text("metric", metric), _text("source", source)
        with Watching(progress) as report:
            source = source if source is not None else self._source(metric)
            return ProbedPositions(*self._native.probe_many(positions, metric, source, report))

    def _source(self, metric: object) -> str | None:
        """The source that a request asks which names none."""
        for source in self._sources:
            known = _METRICS.get(source.partition(":")[0])
            if known is None or metric is None or metric in known:
                return source
        return None

    def _run(
        self,
        operation: str,
        request: dict[str, object],
        progress: ProgressLike,
        shape: Callable[[object], T],
    ) -> T:
        if self._sources:
            self._add_source(operation, request)
        if "run" in request:
            _name_program(request["run"])
        given = {name: None if value is NULL else value for name, value in request.items() if value is not None}
        with Watching(progress) as report:
            return shape(json.loads(self._native.call(operation, given, report)))

    def _add_source(self, operation: str, request: dict[str, object]) -> None:
        """Fills in the source of a request that can have one."""
        if "source" in request and request["source"] is None:
            request["source"] = self._source(request.get("metric"))
        if "model" in request:
            model = request["model"] if isinstance(request["model"], dict) else {}
            # Players play to conversion if nothing is said.
            source = self._source(model.get("metric", "dtc"))
            if source is not None and "source" not in model and operation != "fit":
                request["model"] = {**model, "source": source}


def _path(name: str, given: object) -> str | None:
    """An argument that names a file or a folder."""
    if given is None:
        return None
    if not isinstance(given, str | os.PathLike):
        return _refused(name, "a path", given)
    return _encodable(name, os.fsdecode(given), os.fsencode)


def _text(name: str, given: object) -> str | None:
    """An argument that is a text."""
    if given is None:
        return None
    if not isinstance(given, str):
        return _refused(name, "a text", given)
    return _encodable(name, given, str.encode)


def _encodable(name: str, text: str, encode: Callable[[str], bytes]) -> str:
    """The text, which may have half a pair of surrogates and then is refused."""
    try:
        encode(text)
    except UnicodeEncodeError as error:
        raise RequestError(f"invalid `{name}`: not valid Unicode") from error
    return text


def _count(name: str, given: object) -> int | None:
    """An argument that is a number of things."""
    if given is None:
        return None
    if not isinstance(given, SupportsIndex) or isinstance(given, bool):
        return _refused(name, "a whole number above 0", given)
    number = operator.index(given)
    if not 0 < number < 2**63:
        raise RequestError(f"invalid `{name}` {number}: expected a whole number above 0")
    return number


def _refused(name: str, expected: str, given: object) -> NoReturn:
    raise RequestError(f"invalid `{name}`: expected {expected}, found an object of type `{type(given).__name__}`")


def _name_program(run: object) -> None:
    """Names the program of a run on many machines, which would be the interpreter if nothing were said."""
    if isinstance(run, dict) and run.get("program") is None:
        found = shutil.which("errare")
        if found is None:
            raise RequestError("there is no program `errare` in PATH: name it as `program` of the run")
        run["program"] = found


def _restored(sources: Sequence[str], options: _Options) -> Lab:
    tables, threads, memory, engine, evaluations, calibration = options
    return Lab(
        tables, sources, threads, memory=memory, engine=engine, evaluations=evaluations, calibration=calibration
    )


_lock = threading.Lock()
_default: Lab | None = None
_of_parents: list[_native.Lab] = []


def _after_fork() -> None:
    """Another thread may have held the lock when the process was forked."""
    global _lock
    _lock = threading.Lock()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_after_fork)


def default_lab() -> Lab:
    """The lab of the functions of the module, made when it is first needed."""
    global _default
    with _lock:
        if _default is None:
            _default = Lab()
        return _default


def set_default_lab(lab: Lab) -> None:
    """Makes a lab that of the functions of the module."""
    global _default
    if not isinstance(lab, Lab):
        raise RequestError(f"expected a Lab, found an object of type `{type(lab).__name__}`")
    with _lock:
        _default = lab
