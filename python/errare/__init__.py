"""errare: a laboratory for fallible chess play.

>>> import errare
>>> errare.probe("8/8/8/8/8/2k5/1R6/K7 w - - 0 1", metric="dtm").plies
31

Every operation of the lab is a function here, on a default lab, and a method of :class:`Lab`:

endgames    probe, probe_many, stats, find, squares, zugzwangs, line, build, verify, compare, list
players     choose, predict, markov, match, whole_games, assess, scale, strategy_follow, strategy_compare, contest
practice    draw, play, course
ratings     evaluate, merge, fit, calibrate, rate, rate_games, screen, players, report_player, report_ratings, periods, honesty
papers      reproduce, experiment
clusters    cluster_tables, cluster_evaluate, cluster_work, cluster_status, cluster_resume, cluster_forecast

`help(errare.markov)` explains the arguments of one, and `errare.operations()` says what each does. Missing tables are built
when they are first needed. Results are typed objects with the names that the JSON of the command line has: `errare.types`
lists them. Positions may be FENs or boards of python-chess; NumPy, python-chess, tqdm and libraries that read Arrow are used
where they are there. Every error is an :class:`Error`.
"""

from __future__ import annotations

from collections.abc import Iterable

from errare import exceptions, pictures, types
from errare._inputs import PositionLike
from errare._native import __version__
from errare._records import Record, Rows
from errare._shortcuts import *  # every operation as a function
from errare.agents import Agent
from errare.exceptions import (
    ErrareWarning,
    Error,
    FailedError,
    ForbiddenError,
    ImpossibleError,
    RequestError,
    StoppedError,
    UnknownError,
)
from errare.lab import Lab, default_lab, set_default_lab
from errare.pictures import Picture
from errare.positions import OUTCOMES, ProbedPositions
from errare.progress import Progress, ProgressBar, ProgressLike

# `errare.list` is not among them: `from errare import *` leaves the list of Python alone.
__all__ = [
    "Agent",
    "ErrareWarning",
    "Error",
    "FailedError",
    "ForbiddenError",
    "ImpossibleError",
    "Lab",
    "OUTCOMES",
    "Picture",
    "ProbedPositions",
    "Progress",
    "ProgressBar",
    "Record",
    "RequestError",
    "Rows",
    "StoppedError",
    "UnknownError",
    "__version__",
    "assess",
    "build",
    "calibrate",
    "choose",
    "cluster_evaluate",
    "cluster_forecast",
    "cluster_resume",
    "cluster_status",
    "cluster_tables",
    "cluster_work",
    "compare",
    "contest",
    "course",
    "default_lab",
    "draw",
    "evaluate",
    "exceptions",
    "experiment",
    "find",
    "fit",
    "honesty",
    "line",
    "markov",
    "match",
    "merge",
    "operations",
    "periods",
    "pictures",
    "play",
    "players",
    "predict",
    "probe",
    "probe_many",
    "rate",
    "rate_games",
    "report_player",
    "report_ratings",
    "reproduce",
    "scale",
    "screen",
    "set_default_lab",
    "squares",
    "stats",
    "strategy_compare",
    "strategy_follow",
    "types",
    "verify",
    "whole_games",
    "zugzwangs",
]


def probe_many(
    positions: Iterable[PositionLike | bytes],
    *,
    metric: str | None = None,
    source: str | None = None,
    progress: ProgressLike = None,
) -> ProbedPositions:
    """Looks up many positions on the default lab: see :meth:`Lab.probe_many`."""
    return default_lab().probe_many(positions, metric=metric, source=source, progress=progress)


def operations() -> dict[str, str]:
    """What every operation does, by the name that the lab has for it."""
    from errare import _native

    return {name: about for name, about, _, _ in _native.operations()}
