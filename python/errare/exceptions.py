"""What can go wrong: the kinds of errors of the lab."""

from __future__ import annotations

from typing import ClassVar

__all__ = [
    "ErrareWarning",
    "Error",
    "FailedError",
    "ForbiddenError",
    "ImpossibleError",
    "RequestError",
    "StoppedError",
    "UnknownError",
]


class Error(Exception):
    """An operation gave no response. The text says what was wrong, and what is expected."""

    kind: ClassVar[str] = "error"
    """The kind of the error, as the lab names it."""


class RequestError(Error, ValueError):
    """The request is wrong, and would be wrong anywhere.

    >>> import errare
    >>> errare.probe("no FEN")
    Traceback (most recent call last):
        ...
    errare.exceptions.RequestError: invalid FEN `no FEN`: ...
    """

    kind: ClassVar[str] = "request"


class UnknownError(Error, LookupError):
    """What the request names does not exist."""

    kind: ClassVar[str] = "unknown"


class ForbiddenError(Error):
    """The request is not allowed here."""

    kind: ClassVar[str] = "forbidden"


class ImpossibleError(Error):
    """The request is understood, but data or memory do not allow an answer."""

    kind: ClassVar[str] = "impossible"


class StoppedError(Error):
    """The work was stopped. Ctrl-C is a KeyboardInterrupt instead."""

    kind: ClassVar[str] = "stopped"


class FailedError(Error, RuntimeError):
    """The program, its files or its machine failed."""

    kind: ClassVar[str] = "failed"


class ErrareWarning(UserWarning):
    """What a user should know although the work goes on, such as a damaged table that is built again."""
