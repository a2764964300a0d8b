"""What the tests share: the program to compare with, folders, games and turns."""

from __future__ import annotations

import gzip
import json
import os
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import errare

ROOT = Path(__file__).parents[2]
WON = "8/8/8/8/8/2k5/1R6/K7 w - - 0 1"
KQKR = "K3r3/8/5k2/Q7/8/8/8/8 w - - 0 1"
TURNS = ROOT / "crates/errare-ratings/tests/data/mileposts.jsonl.gz"
GAMES = ROOT / "crates/errare-games/tests/data/browne_belle.pgn"
SYZYGY = ROOT / "crates/errare/tests/data/owned/syzygy"

Program = Callable[..., Any]


@pytest.fixture(scope="session")
def program() -> str:
    """The command line, built from the same sources."""
    found = os.environ.get("ERRARE_BIN", str(ROOT / "target/release/errare"))
    assert Path(found).exists(), f"ERRARE_BIN names no program: {found}"
    return found


@pytest.fixture(scope="session")
def tables() -> str:
    """The folder of tables, kept between runs."""
    folder = os.environ.get("ERRARE_TABLES")
    assert folder, "ERRARE_TABLES has to name a folder for tables"
    return folder


@pytest.fixture(scope="session")
def lab(tables: str) -> errare.Lab:
    return errare.Lab(tables=tables)


@pytest.fixture(scope="session")
def command(program: str, tables: str) -> Program:
    """Runs a command, and gives the JSON that it prints."""

    def run(*args: object, as_json: bool = True) -> Any:
        argv = [program, "--quiet", "--tables", tables, *map(str, args), *(["--format", "json"] if as_json else [])]
        done = subprocess.run(argv, capture_output=True, text=True, check=False)
        assert done.returncode in (0, 1), f"{argv}: {done.stderr}"
        return json.loads(done.stdout) if as_json else done.stdout

    return run


@pytest.fixture(scope="session")
def many_turns(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The turns of the mileposts three times under other names, once in each period: enough for a model of skill over Elo."""
    path = tmp_path_factory.mktemp("turns") / "many.jsonl"
    with gzip.open(TURNS, "rt", encoding="utf-8") as file:
        turns = [json.loads(line) for line in file]
    with path.open("w", encoding="utf-8") as out:
        for copy, year in enumerate(("1977", "1992", "2007")):
            for turn in turns:
                names = {side: f"{turn[side]} {copy}" for side in ("white", "black")}
                date = year + turn["date"][4:]
                out.write(json.dumps({**turn, **names, "date": date, "game": turn["game"] + 100 * copy}) + "\n")
    return path


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--full", action="store_true", help="also run what takes minutes")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    if not config.getoption("--full"):
        slow = [item for item in items if item.get_closest_marker("slow")]
        config.hook.pytest_deselected(items=slow)
        items[:] = [item for item in items if item not in slow]
