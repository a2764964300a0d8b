"""Calls with whatever comes: each gives a result or one of our exceptions. None crashes, none leaks."""

from __future__ import annotations

import ctypes
import faulthandler
import gc
import gzip
import inspect
import os
import random
import signal
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from conftest import GAMES, KQKR, TURNS, WON

import errare

# What calls may raise: our own errors, and what Python raises for wrong arguments.
ALLOWED = (errare.Error, TypeError, OverflowError, RecursionError, ImportError)

class TooLongError(Exception):
    """A call asked for much work, and was stopped as Ctrl-C stops it."""


def stop(*_: object) -> None:
    raise TooLongError


# Seconds after which a call is stopped, and seconds in which it then has to end: work looks whether it is stopped.
PATIENCE = 5
TO_STOP = 5

# Long even for the smallest request, or starts other programs; wrong requests of them are tried too.
UNFIT = {"honesty", "experiment", "reproduce", "whole-games", "cluster-tables", "cluster-evaluate"}

# Parameters that make work long.
LARGE = {"games", "sample", "men", "most_moves", "plies", "repeats", "bootstrap", "positions"}

DEEP: list[Any] = []
for _ in range(200):
    DEEP = [DEEP]

VALUES: list[Any] = [
    None, True, False, 0, 1, -1, 7, 2**31, 2**63, 2**64, -(2**70), 0.0, 0.5, -1.5, 1e308, float("inf"), float("nan"),
    "", "x", "KRK", "KQK", "KXK", "dtm", "dtc", "dtz50", "dtr", "infallible", "player:20", "predator", "levy", "SZ", "SM",
    "white", "black", "20", "0:10", "1..5", "inf", "0+", "none", WON, KQKR, "8/8/8/8/8/8/8/8 w - - 0 1", "\0", "\ud800",
    "é" * 50, "a" * 5000, "/dev/null/x", "syzygy:/none", "tables:/none", "uci:none", b"bytes", bytearray(3),
    [], [1], ["KRK"], ["dtm", "dtc"], [WON], [None], ("SZ", "SM"), {}, {"metric": "dtm"}, {"files": []}, {"files": ["x"]},
    {"x": 1}, {1: 2}, {"kappa": "0+"}, {"grid": "0:1:10", "prior": "uniform"}, {"turns": {"files": []}}, DEEP, object(),
    range(3), iter([1, 2]), {1, 2}, lambda: 1, Path("none"), 1j, type, [[[[]]]], {"grid": [0, 1, 2], "probabilities": [1]},
]  # fmt: skip

# What the folder of a run holds under these names: turns and games.
FEW_TURNS, GAME = "few.jsonl", "game.pgn"
TURNS_OF = {"files": [FEW_TURNS], "engine": "Stockfish 15.1", "depth": 10}

# Requests that are answered.
USEFUL: dict[str, dict[str, Any]] = {
    "build": {"materials": "KRK"}, "probe": {"fen": WON}, "squares": {"fen": WON, "square": "b2"}, "stats": {"materials": "KRK"},
    "find": {"materials": "KRK"}, "zugzwangs": {"material": "KRK"}, "verify": {"materials": "KRK", "sample": 50},
    "compare": {"materials": "KRK", "with_": "syzygy:/none"}, "choose": {"fen": WON}, "play": {"fen": WON},
    "assess": {"files": GAME}, "scale": {"files": GAME}, "markov": {"material": "KRK", "competence": 20},
    "match": {"white": "infallible", "black": "player:5", "fen": WON, "games": 1},
    "predict": {"fen": WON, "competence": 20}, "line": {"fen": WON, "white": "SM", "black": "SM", "plies": 4},
    "draw": {"material": "KRK"}, "strategy-follow": {"fen": WON, "strategies": "SM"},
    "strategy-compare": {"material": "KRK", "strategies": "SM", "sample": 10},
    "contest": {"engines": ["/none"], "material": "KRK", "positions": 1}, "evaluate": {"files": GAME, "engine": "/none", "out": "out"},
    "merge": {"parts": FEW_TURNS, "out": "merged.jsonl"}, "fit": {"turns": TURNS_OF, "min_turns": 5},
    "rate": {"turns": TURNS_OF, "min_turns": 5}, "players": {"turns": TURNS_OF}, "rate-games": {"files": GAME},
    "screen": {"turns": TURNS_OF, "player": "Carlsen,M", "min_turns": 5}, "cluster-forecast": {"work": {"games": {"games": 1000}}},
}  # fmt: skip


def prepare(folder: Path) -> None:
    """Puts the files there that requests name."""
    with gzip.open(TURNS, "rt", encoding="utf-8") as file:
        turns = [line for line in file if "Carlsen,M" in line]
    (folder / FEW_TURNS).write_text("".join(turns[:60]), encoding="utf-8")
    (folder / GAME).write_bytes(GAMES.read_bytes())


class Journal:
    """The call that is being made, in a file: one that crashes or does not end is found there."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._file = path.open("w", encoding="utf-8", errors="backslashreplace")

    def note(self, number: int, call: str) -> None:
        self._file.seek(0)
        self._file.truncate()
        self._file.write(f"{number} {call}\n")
        self._file.flush()

    def read(self) -> str:
        return self.path.read_text(encoding="utf-8")[:2000]


def attack(count: int, seed: int, folder: Path, tables: str) -> dict[str, int]:
    """Makes so many calls, and counts what came of them."""
    draw = random.Random(seed)
    lab = errare.Lab(tables=tables, engine="/none", evaluations=folder / "none.sqlite", threads=2)
    for metric in ("dtm", "dtc", "dtz50", "dtr"):
        lab.build(["KRK", "KQK", "KQKR"], metrics=metric)
    prepare(folder)
    found: dict[str, int] = {}
    operations = list(errare.operations())
    journal = Journal(folder / "call.txt")
    signal.signal(signal.SIGALRM, stop)
    for number in range(count):
        # A call that cannot even be stopped ends the tests, and its stack is printed.
        faulthandler.dump_traceback_later(60 * PATIENCE, exit=True)
        start = time.monotonic()
        signal.setitimer(signal.ITIMER_REAL, PATIENCE)
        try:
            came = one_call(draw, lab, operations, lambda call, number=number: journal.note(number, call))  # type: ignore[misc]
        except (*ALLOWED, TooLongError) as error:
            came = type(error).__name__
        finally:
            signal.setitimer(signal.ITIMER_REAL, 0)
        assert time.monotonic() - start < PATIENCE + TO_STOP, f"a call went on after it was stopped: {journal.read()}"
        found[came] = found.get(came, 0) + 1
    faulthandler.cancel_dump_traceback_later()
    return found


def one_call(draw: random.Random, lab: errare.Lab, operations: list[str], note: Callable[[str], None]) -> str:
    way = draw.random()
    if way < 0.15:
        positions = draw.choice([[draw.choice(VALUES) for _ in range(draw.randrange(4))], [WON] * 3, draw.choice(VALUES)])
        note(f"probe_many {positions!r}")
        lab.probe_many(positions)
        return "positions"
    if way < 0.25:
        picture = draw.choice([errare.pictures.board, errare.pictures.line_chart, errare.pictures.heat_map])
        arguments = [draw.choice(VALUES) for _ in range(draw.randrange(1, 3))]
        note(f"{picture.__name__} {arguments!r}")
        try:
            picture(*arguments)  # type: ignore[operator]
        except (ValueError, AttributeError):
            # What is no mapping has no items.
            return "no picture"
        return "picture"
    operation = draw.choice(operations)
    request: dict[str, Any] = {}
    if operation in USEFUL and draw.random() < 0.9:
        request.update(USEFUL[operation])
    needed, fields = parameters(operation)
    fields = [name for name in fields if name not in LARGE]
    for _ in range(draw.randrange(3) if request else draw.randrange(1, 5)):
        if fields:
            request[draw.choice(fields)] = draw.choice(VALUES)
    # Without them Python would refuse the call itself.
    for name in needed:
        if name not in request and draw.random() < 0.9:
            request[name] = draw.choice(VALUES)
    if operation in UNFIT:
        # A name that no request has: refused before anything is done.
        request["no such field"] = 1
    note(f"{operation} {request!r}")
    if way < 0.5:
        result = lab.call(operation, {name.rstrip("_"): value for name, value in request.items()})
        return "JSON" if isinstance(result, dict | list) else "nothing"
    result = getattr(lab, operation.replace("-", "_"))(**request)
    repr(result)
    return "result"


def parameters(operation: str) -> tuple[list[str], list[str]]:
    """The names of the parameters of an operation that have to be given, and of all."""
    found = inspect.signature(getattr(errare.Lab, operation.replace("-", "_"))).parameters
    names = [name for name in found if name not in ("self", "progress")]
    return [name for name in names if found[name].default is inspect.Parameter.empty], names


class Mallinfo(ctypes.Structure):
    """`struct mallinfo2` of glibc."""

    _fields_ = tuple((name, ctypes.c_size_t) for name in (
        "arena", "ordblks", "smblks", "hblks", "hblkhd", "usmblks", "fsmblks", "uordblks", "fordblks", "keepcost",
    ))  # fmt: skip


def held() -> dict[str, int]:
    """What the process holds: bytes of the allocator, which Rust uses too, objects of Python, threads and files.

    The memory of the process says less: it goes up and down by tens of megabytes, as the allocator keeps what is free.
    """
    gc.collect()
    mallinfo = ctypes.CDLL(None).mallinfo2
    mallinfo.restype = Mallinfo
    found = mallinfo()
    counted = {"objects": len(gc.get_objects()), "bytes": found.uordblks + found.hblkhd}
    return {**counted, **{name: len(os.listdir(f"/proc/self/{name}")) for name in ("task", "fd")}}


# Caches that Python itself fills with each new text, such as those of regular expressions and formats.
MAY_GROW = {"objects": 500, "bytes": 1 << 20, "task": 0, "fd": 0}


def check(count: int, tmp_path: Path, tables: str) -> None:
    # What is loaded and kept once is no leak: the first calls fill the caches.
    attack(count // 2, 1, tmp_path, tables)
    before = held()
    found = attack(count // 2, 2, tmp_path, tables)
    after = held()
    grown = {name: after[name] - before[name] for name in before}
    print(f"{count} calls: {found}; more {grown}")
    assert sum(found.values()) == count // 2
    # Both happen in earnest.
    assert found["RequestError"] > count / 20 and found["result"] + found["JSON"] > count / 20
    assert all(grown[name] <= MAY_GROW[name] for name in grown), grown


def test_calls_with_whatever_comes(tmp_path: Path, tables: str, monkeypatch: pytest.MonkeyPatch) -> None:
    # Some requests write files.
    monkeypatch.chdir(tmp_path)
    check(2000, tmp_path, tables)


@pytest.mark.slow
def test_a_hundred_thousand_calls(tmp_path: Path, tables: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    check(100_000, tmp_path, tables)
