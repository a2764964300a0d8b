"""Calls with whatever comes: each gives a result or one of our exceptions. None crashes, none leaks."""

from __future__ import annotations

import gc
import random
import signal
from pathlib import Path
from typing import Any

import pytest
from conftest import KQKR, WON

import errare

# What calls may raise: our own errors, and what Python raises for wrong arguments.
ALLOWED = (errare.Error, TypeError, OverflowError, RecursionError, ImportError)

class TooLongError(Exception):
    """A call asked for much work, and was stopped as Ctrl-C stops it."""


def stop(*_: object) -> None:
    raise TooLongError


# Seconds that a call may take.
PATIENCE = 5

# Long even for the smallest request, or needs other programs; wrong requests of them are tried too.
UNFIT = {"build", "honesty", "experiment", "reproduce", "whole-games", "compare", "verify", "markov", "strategy-compare"}
UNFIT |= {"cluster-tables", "cluster-evaluate", "cluster-resume", "cluster-work"}

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
    range(3), iter([1, 2]), {1, 2}, lambda: 1, Path("/none"), 1j, type, [[[[]]]], {"grid": [0, 1, 2], "probabilities": [1]},
]  # fmt: skip

USEFUL: dict[str, dict[str, Any]] = {
    "probe": {"fen": WON}, "squares": {"fen": WON, "square": "b2"}, "stats": {"materials": "KRK"},
    "find": {"materials": "KRK"}, "zugzwangs": {"material": "KRK"}, "choose": {"fen": WON}, "play": {"fen": WON},
    "assess": {"pgn": "1. e4 *"}, "match": {"white": "infallible", "black": "player:5", "fen": WON, "games": 1},
    "predict": {"fen": WON, "competence": 20}, "line": {"fen": WON, "white": "SM", "black": "SM", "plies": 4},
    "draw": {"material": "KRK"}, "strategy-follow": {"fen": WON, "strategies": "SM"},
}  # fmt: skip


def attack(count: int, seed: int, folder: Path, tables: str) -> dict[str, int]:
    """Makes so many calls, and counts what came of them."""
    draw = random.Random(seed)
    lab = errare.Lab(tables=tables, engine="/none", evaluations=folder / "none.sqlite", threads=2)
    for metric in ("dtm", "dtc", "dtz50", "dtr"):
        lab.build(["KRK", "KQK", "KQKR"], metrics=metric)
    found: dict[str, int] = {}
    operations = list(errare.operations())
    signal.signal(signal.SIGALRM, stop)
    for _ in range(count):
        signal.setitimer(signal.ITIMER_REAL, PATIENCE)
        try:
            came = one_call(draw, lab, operations)
        except (*ALLOWED, TooLongError) as error:
            came = type(error).__name__
        finally:
            signal.setitimer(signal.ITIMER_REAL, 0)
        found[came] = found.get(came, 0) + 1
    return found


def one_call(draw: random.Random, lab: errare.Lab, operations: list[str]) -> str:
    way = draw.random()
    if way < 0.15:
        lab.probe_many(draw.choice([[draw.choice(VALUES) for _ in range(draw.randrange(4))], [WON] * 3, draw.choice(VALUES)]))
        return "positions"
    if way < 0.25:
        picture = draw.choice([errare.pictures.board, errare.pictures.line_chart, errare.pictures.heat_map])
        try:
            picture(draw.choice(VALUES), *([draw.choice(VALUES)] if draw.random() < 0.5 else []))  # type: ignore[operator]
        except (ValueError, AttributeError):
            # What is no mapping has no items.
            return "no picture"
        return "picture"
    operation = draw.choice(operations)
    request: dict[str, Any] = {}
    if operation in USEFUL and draw.random() < 0.8:
        request.update(USEFUL[operation])
    fields = [name for name in parameters(operation) if name not in ("games", "sample", "men", "most_moves", "plies")]
    for _ in range(draw.randrange(3) if request else draw.randrange(1, 5)):
        if fields:
            request[draw.choice(fields)] = draw.choice(VALUES)
    if operation in UNFIT:
        # A name that no request has: refused before anything is done.
        request["no such field"] = 1
    if way < 0.5:
        result = lab.call(operation, request)
        return "JSON" if isinstance(result, dict | list) else "nothing"
    result = getattr(lab, operation.replace("-", "_"))(**request)
    repr(result)
    return "result"


def parameters(operation: str) -> list[str]:
    code = getattr(errare.Lab, operation.replace("-", "_")).__code__
    return [name for name in code.co_varnames[1 : code.co_argcount + code.co_kwonlyargcount] if name != "progress"]


def resident_bytes() -> int:
    return int(Path("/proc/self/statm").read_text().split()[1]) * 4096


def check(count: int, tmp_path: Path, tables: str) -> None:
    # What is loaded and kept once is no leak: the first calls fill the caches.
    attack(count // 2, 1, tmp_path, tables)
    gc.collect()
    before = resident_bytes()
    found = attack(count // 2, 2, tmp_path, tables)
    gc.collect()
    grown = resident_bytes() - before
    print(f"{count} calls: {found}; {grown / 1e6:.1f} MB more")
    assert sum(found.values()) == count // 2
    # Both happen in earnest.
    assert found["RequestError"] > count / 20 and found["result"] + found["JSON"] > count / 100
    assert grown < 48 << 20


def test_calls_with_whatever_comes(tmp_path: Path, tables: str, monkeypatch: pytest.MonkeyPatch) -> None:
    # Some requests write files.
    monkeypatch.chdir(tmp_path)
    check(3000, tmp_path, tables)


@pytest.mark.slow
def test_a_hundred_thousand_calls(tmp_path: Path, tables: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    check(100_000, tmp_path, tables)
