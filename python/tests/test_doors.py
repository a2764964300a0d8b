"""Command line, HTTP and Python write the same numbers, digit by digit."""

from __future__ import annotations

import json
import re
import subprocess
import urllib.request
from collections.abc import Iterator
from typing import Any

import pytest
from conftest import KQKR, TURNS, WON, Program

import errare

# What the command line is asked, and the same as a request.
ASKED: list[tuple[str, list[object], dict[str, Any]]] = [
    ("probe", ["table", "probe", KQKR], {"fen": KQKR}),
    ("stats", ["table", "stats", "KRK", "--metric", "dtc"], {"materials": ["KRK"], "metric": "dtc"}),
    ("choose", ["choose", KQKR, "--sweep", "0:10"], {"fen": KQKR, "sweep": "0:10"}),
    ("predict", ["predict", WON, "--competence", 20, "--within", "20,50"], {"fen": WON, "competence": 20, "within": [20, 50]}),
    ("markov", ["markov", "KQKR", "--competence", "10"], {"material": "KQKR", "competence": [10.0]}),
    ("match", ["match", "--white", "player:20", "--black", "infallible", "--fen", WON, "--games", 3, "--seed", 4],
     {"white": "player:20", "black": "infallible", "fen": WON, "games": 3, "seed": 4}),
]  # fmt: skip


@pytest.fixture(scope="module")
def address(program: str, tables: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A server, for as long as the tests need it."""
    argv = [program, "--tables", tables, "serve", "--port", "0", "--data", str(tmp_path_factory.mktemp("data"))]
    server = subprocess.Popen(argv, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    try:
        assert server.stdout
        yield next(found[0] for line in server.stdout if (found := re.search(r"http://[\d.]+:\d+", line)))
    finally:
        server.terminate()
        server.wait(10)


def written(text: str) -> Any:
    """JSON with its numbers as they are written."""
    return json.loads(text, parse_float=str, parse_int=str)


@pytest.mark.parametrize(("operation", "argv", "request_"), ASKED, ids=[asked[0] for asked in ASKED])
def test_every_door_writes_the_same_digits(
    operation: str, argv: list[object], request_: dict[str, Any], lab: errare.Lab, command: Program, address: str
) -> None:
    ours = written(lab._native.call(operation, request_))
    assert written(command(*argv, "--format", "json", as_json=False)) == ours
    asked = urllib.request.Request(
        f"{address}/api/v1/{operation}", json.dumps(request_).encode(), {"Content-Type": "application/json"}
    )
    with urllib.request.urlopen(asked) as answer:
        assert written(answer.read().decode()) == ours


def test_numbers_of_32_bits_have_no_false_digits(lab: errare.Lab, command: Program) -> None:
    # The losses of the reference set; no client of a server may ask for them.
    flags = ("--engine", "Stockfish 15.1", "--depth", "10")
    theirs = written(command("calibrate", TURNS, *flags, "--format", "json", as_json=False))
    named = {"files": [str(TURNS)], "engine": "Stockfish 15.1", "depth": 10}
    ours = written(lab._native.call("calibrate", {"input": {"turns": named}}))
    assert ours == theirs
    losses = re.findall(r"\d\.\d+", json.dumps(ours["reference"]))
    assert losses and all(len(loss) <= len("1.234") for loss in losses)
