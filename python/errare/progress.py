"""The progress of long work: a callback, or a bar."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Protocol, TypeAlias

from errare.exceptions import RequestError

__all__ = ["Progress", "ProgressBar", "ProgressLike"]


@dataclass(frozen=True, slots=True)
class Progress:
    """What is being done, and how far it is."""

    activity: str
    """The activity, such as `building KQKR to dtm`. A new activity begins when this text changes."""
    unit: str
    """What is counted, in the plural: positions, games, moves."""
    done: int
    """Number of units done."""
    total: int | None
    """Number of units in all, where that is known."""
    step: str | None
    """The step within the activity, such as `ply 17` or `storing`."""
    part: int | None
    """The number of the current part of a plan of several activities, from 1."""
    parts: int | None
    """Number of parts of the plan."""
    share: float | None
    """Share of all the effort that is done, from 0 to 1."""


ProgressLike: TypeAlias = Callable[[Progress], object] | bool | None
"""Where progress goes: a callable that receives each :class:`Progress`, True for a bar of tqdm, or nowhere."""


class Bar(Protocol):
    """What is used of a bar of tqdm."""

    total: Any
    n: Any
    unit: Any

    def set_description_str(self, desc: str | None = None, refresh: bool | None = True) -> None:
        """Sets the text before the bar, without a colon: tqdm writes one of its own."""

    def reset(self, total: float | None = None) -> None:
        """Begins to count, and to measure time, again."""

    def refresh(self) -> object:
        """Draws the bar."""

    def close(self) -> None:
        """Ends the bar."""


class ProgressBar:
    """A callback that draws a bar of tqdm, or of what has the same methods. It is closed when the work ends.

    >>> import sys, errare
    >>> from tqdm import tqdm
    >>> bar = errare.ProgressBar(tqdm, file=sys.stderr)
    >>> errare.stats("KRK", progress=bar)[0].material
    'KRK'
    """

    def __init__(self, tqdm: Callable[..., Bar] | None = None, **options: Any) -> None:
        if tqdm is None:
            try:
                from tqdm.auto import tqdm as auto
            except ImportError as error:
                raise ImportError("progress=True needs tqdm: `pip install tqdm`, or give a callable") from error
            tqdm = auto
        self._tqdm = tqdm
        self._options = options
        self._bar: Bar | None = None
        self._activity = ""

    def __call__(self, progress: Progress) -> None:
        """Shows the progress."""
        text = progress.activity if progress.step is None else f"{progress.activity}, {progress.step}"
        unit = f" {progress.unit}"
        if self._bar is None:
            self._bar = self._tqdm(**{"total": progress.total, "desc": text, "unit": unit, **self._options})
        elif progress.activity != self._activity:
            # What was counted before is something else, so that its speed says nothing.
            self._bar.reset(progress.total)
        self._activity = progress.activity
        bar = self._bar
        bar.total, bar.n, bar.unit = progress.total, progress.done, unit
        bar.set_description_str(text, refresh=False)
        bar.refresh()

    def close(self) -> None:
        """Ends the bar."""
        if self._bar is not None:
            self._bar.close()
            self._bar = None


Plan: TypeAlias = tuple[int, int, float] | None
NativeCallback: TypeAlias = Callable[[str, str, int, int | None, str | None, Plan], None]


class Watching:
    """Passes the progress of one piece of work on, and closes the bar at its end."""

    def __init__(self, progress: ProgressLike) -> None:
        if progress is True:
            progress = ProgressBar()
        if progress is not None and progress is not False and not callable(progress):
            kind = type(progress).__name__
            raise RequestError(f"invalid `progress`: expected True, a callable or None, found an object of type `{kind}`")
        self._callback = None if progress is None or progress is False else progress

    def __enter__(self) -> NativeCallback | None:
        """What the native module calls."""
        callback = self._callback
        if callback is None:
            return None

        def report(activity: str, unit: str, done: int, total: int | None, step: str | None, plan: Plan) -> None:
            part, parts, share = plan or (None, None, None)
            callback(Progress(activity, unit, done, total, step, part, parts, share))

        return report

    def __exit__(self, *_: object) -> None:
        """Closes the bar."""
        if isinstance(self._callback, ProgressBar):
            self._callback.close()
