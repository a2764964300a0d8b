"""Every operation gives what the command line gives for the same request and seed, field by field."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import time
import urllib.request
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from conftest import GAMES, KQKR, ROOT, SYZYGY, TURNS, WON, Program

import errare

SF = ("--engine", "Stockfish 15.1", "--depth", "10")
NAMED = {"files": [TURNS], "engine": "Stockfish 15.1", "depth": 10}
EVALUATED = ROOT / "crates/errare/tests/data/evaluate.pgn"


class Bench:
    """What a case works with."""

    def __init__(self, lab: errare.Lab, command: Program, program: str, folder: Path, turns: Path) -> None:
        self.lab, self.command, self.program, self.folder, self.turns = lab, command, program, folder, turns
        self.named = {"files": [turns], "engine": "Stockfish 15.1", "depth": 10}

    def calibration(self) -> Path:
        path = self.folder / "calibration.json"
        if not path.exists():
            self.command("calibrate", TURNS, *SF, "--out", path)
        return path


Case = Callable[[Bench], tuple[Any, Any]]
CASES: dict[str, list[Case]] = {}


def case(operation: str) -> Callable[[Case], Case]:
    """Names the operation that a case is about: it gives our result, and what the command line prints."""

    def add(function: Case) -> Case:
        CASES.setdefault(operation, []).append(function)
        return function

    return add


def simple(operation: str, argv: list[object], *args: Any, **options: Any) -> None:
    """A case of plain arguments."""
    method = operation.replace("-", "_")
    CASES.setdefault(operation, []).append(
        lambda bench: (getattr(bench.lab, method)(*args, **options), bench.command(*argv))
    )


simple("probe", ["table", "probe", KQKR], KQKR)
simple("probe", ["table", "probe", WON, "--metric", "dtr", "--also", "dtc,dtz50"], WON, metric="dtr", also=["dtc", "dtz50"])
simple("probe", ["table", "probe", "8/8/8/8/4k3/8/4P3/4K3 w", "--source", f"syzygy:{SYZYGY}"],
       "8/8/8/8/4k3/8/4P3/4K3 w", source=f"syzygy:{SYZYGY}")  # fmt: skip
simple("squares", ["table", "squares", WON, "b2"], WON, "b2")
simple("stats", ["table", "stats", "KRK", "KQK", "--metric", "dtc"], ["KRK", "KQK"], metric="dtc")
simple("find", ["table", "find", "KQKR", "--depth", "31", "--metric", "dtc", "--seed", 5],
       "KQKR", depth=31, metric="dtc", seed=5)  # fmt: skip
simple("verify", ["table", "verify", "KRK", "--sample", 100, "--seed", 3], "KRK", sample=100, seed=3)
simple("compare", ["table", "compare", "KPK", "--with", f"syzygy:{SYZYGY}"], "KPK", f"syzygy:{SYZYGY}")
simple("list", ["table", "list"])
simple("choose", ["choose", WON, "--agent", "player:8", "--seed", 7], WON, agent="player:8", seed=7)
simple("choose", ["choose", KQKR, "--sweep", "0:10", "--keep-value", "--kappa", "0+"],
       KQKR, sweep="0:10", model={"hold": "value", "kappa": "0+"})  # fmt: skip
simple("assess", ["assess", GAMES], files=GAMES)
simple("assess", ["assess", GAMES, "--player", "Browne", "--grid", "0:0.5:40"],
       files=[GAMES], player="Browne", analysis={"grid": "0:0.5:40"})  # fmt: skip
simple("scale", ["scale", GAMES], GAMES)
simple("markov", ["markov", "KQKR", "--competence", "10,inf", "--passage", 60, "--after", 5, "--within", "20,50"],
       "KQKR", [10.0, float("inf")], passage=60, after=[5], within=[20, 50])  # fmt: skip
simple("match", ["match", "--white", "player:20", "--black", "infallible", "--fen", WON, "--games", 3, "--seed", 4],
       "player:20", "infallible", fen=WON, games=3, seed=4)  # fmt: skip
simple("whole-games", ["match", "--white", "elo:1600", "--black", "player:20", "--advice", "search", "--fen", WON, "--games", 1],
       "elo:1600", "player:20", advice="search", fens=[WON], games=1)  # fmt: skip
simple("course", ["course"])
simple("draw", ["draw", "KRK", "--chance", 0.7, "--competence", 20, "--seed", 2],
       material="KRK", chance=0.7, competence=20, seed=2)  # fmt: skip
simple("play", ["play", WON, "--moves", "Rb1", "--seed", 3], fen=WON, moves=["Rb1"], seed=3)
simple("predict", ["predict", WON, "--competence", 20, "--within", "20,50"], WON, competence=20, within=[20, 50])
simple("line", ["line", WON, "--white", "SC", "--black", "SM", "--seed", 3], WON, "SC", "SM", seed=3)
simple("line", ["line", WON, "--white", "SC", "--black", "SC", "--moves", "Rb1 Kd3"], WON, "SC", "SC", moves=["Rb1", "Kd3"])
simple("strategy-follow", ["strategy", "follow", WON, "--strategies", "SZ,SC"], WON, ["SZ", "SC"])
simple("strategy-compare", ["strategy", "compare", "KRK", "--strategies", "SZ,SC", "--sample", 50, "--seed", 6],
       "KRK", ["SZ", "SC"], sample=50, seed=6)  # fmt: skip
simple("fit", ["fit", TURNS, *SF, "--by", "milepost", "--bootstrap", 3, "--seed", 8], NAMED, by="milepost", bootstrap=3, seed=8)
simple("rate", ["rate", TURNS, *SF, "--bootstrap", 3, "--seed", 9], NAMED, bootstrap=3, seed=9)
simple("screen", ["screen", TURNS, *SF, "--player", "Carlsen,M", "--min-turns", 10], NAMED, "Carlsen,M", min_turns=10)
simple("reproduce", ["reproduce", "--list"], list=True)
simple("reproduce", ["reproduce", "--only", "004-2-76"], only="004-2-76")
simple("experiment", ["experiment"])


@case("build")
def built(bench: Bench) -> tuple[Any, Any]:
    # The first builds, so that both find the tables there.
    bench.lab.build(["KRK", "KQK"], metrics=["dtm", "dtc"])
    ours = bench.lab.build(["KRK", "KQK"], metrics=["dtm", "dtc"])
    return ours, bench.command("table", "build", "KRK", "KQK", "--metric", "dtm,dtc")


@case("zugzwangs")
def zugzwangs(bench: Bench) -> tuple[Any, Any]:
    found = bench.command("table", "stats", "KQKR", "--zugzwangs", "--metric", "dtc")
    return bench.lab.zugzwangs("KQKR", metric="dtc"), found[0]["mutual_zugzwangs"]


@case("contest")
def contest(bench: Bench) -> tuple[Any, Any]:
    engine = f"{sys.executable} {Path(__file__).with_name('fake_engine.py')}"
    ours = bench.lab.contest([engine], "KRK", limits=["depth=1"], positions=2, seed=2)
    flags = ("--limit", "depth=1", "--material", "KRK", "--positions", 2, "--seed", 2)
    return ours, bench.command("contest", "--engine", engine, *flags)


@case("evaluate")
def evaluate(bench: Bench) -> tuple[Any, Any]:
    engine, out = f"{bench.program} uci", bench.folder / "evaluated"
    ours = bench.lab.evaluate(EVALUATED, engine, out, depth=1, cache=bench.folder / "a.sqlite", jsonl=True)
    turns = (out / "turns.jsonl").read_bytes()
    flags = ("--depth", 1, "--out", out, "--cache", bench.folder / "b.sqlite", "--jsonl")
    theirs = bench.command("evaluate", EVALUATED, "--engine", engine, *flags)
    assert (out / "turns.jsonl").read_bytes() == turns
    return ours, theirs


@case("merge")
def merge(bench: Bench) -> tuple[Any, Any]:
    ours = bench.lab.merge([TURNS, TURNS], bench.folder / "ours.jsonl")
    theirs = bench.command("merge", TURNS, TURNS, "--out", bench.folder / "theirs.jsonl")
    assert isinstance(ours, errare.types.MergeResponseTurns) and ours.turns > 0
    assert (bench.folder / "ours.jsonl").read_bytes() == (bench.folder / "theirs.jsonl").read_bytes()
    return ours, theirs


@case("calibrate")
def calibrate(bench: Bench) -> tuple[Any, Any]:
    ours = bench.lab.calibrate({"turns": NAMED}, out=bench.folder / "ours.json")
    theirs = bench.command("calibrate", TURNS, *SF, "--out", bench.folder / "theirs.json")
    assert json.loads((bench.folder / "ours.json").read_text()) == json.loads((bench.folder / "theirs.json").read_text())
    return ours, theirs


@case("rate-games")
def rate_games(bench: Bench) -> tuple[Any, Any]:
    engine, cache = f"{bench.program} uci", bench.folder / "rated.sqlite"
    lab = errare.Lab(engine=engine, evaluations=cache)
    lab.rate_games(files=EVALUATED, depth=1)
    ours = lab.rate_games(files=EVALUATED, depth=1)
    env = {"ERRARE_ENGINE": engine, "XDG_CACHE_HOME": str(bench.folder), "PATH": "/usr/bin:/bin"}
    argv = [bench.program, "--quiet", "rate", str(EVALUATED), "--depth", "1", "--format", "json"]
    for _ in range(2):
        done = subprocess.run(argv, env=env, capture_output=True, check=True)
    return ours, json.loads(done.stdout)


@case("report-ratings")
def report_ratings(bench: Bench) -> tuple[Any, Any]:
    # The command writes the page; what else the response has is what `calibrate` gives.
    ours = bench.lab.report_ratings({"turns": NAMED})
    page = bench.folder / "ratings.html"
    bench.command("report", "ratings", TURNS, *SF, "--out", page, as_json=False)
    calibrated = bench.command("calibrate", TURNS, *SF)
    return ours, {"html": page.read_text(), "title": title_of(page), "calibration": calibrated}


@case("report-player")
def report_player(bench: Bench) -> tuple[Any, Any]:
    ours = bench.lab.report_player(NAMED, "Carlsen,M", min_turns=10)
    page = bench.folder / "player.html"
    flags = ("--player", "Carlsen,M", "--min-turns", 10)
    bench.command("report", "player", TURNS, *SF, *flags, "--out", page, as_json=False)
    rating = bench.command("rate", TURNS, *SF, *flags)
    # Words and charts are on the page, which is compared as a whole.
    study = {**ours.study.to_dict(), "rating": rating, "screening": bench.command("screen", TURNS, *SF, *flags)}
    return ours, {"html": page.read_text(), "title": title_of(page), "study": study}


def title_of(page: Path) -> str:
    found = re.search(r"<title>(.*?)</title>", page.read_text())
    assert found
    return found[1]


@case("periods")
def periods(bench: Bench) -> tuple[Any, Any]:
    ours = bench.lab.periods({"turns": bench.named}, min_turns=20)
    return ours, bench.command("report", "periods", bench.turns, *SF, "--min-turns", 20)


@case("honesty")
def honesty(bench: Bench) -> tuple[Any, Any]:
    ours = bench.lab.honesty({"turns": bench.named}, sizes=[50], repeats=1, seed=4)
    return ours, bench.command("report", "honesty", bench.turns, *SF, "--sizes", "50", "--repeats", 1, "--seed", 4)


@case("players")
def players(bench: Bench) -> tuple[Any, Any]:
    # The command line lists players only to its server's clients.
    ours = bench.lab.players(NAMED, search="carlsen", min_turns=10)
    engine = ("--turns-engine", "Stockfish 15.1", "--depth", "10")
    argv = [bench.program, "serve", TURNS, *engine, "--port", "0", "--min-turns", "10", "--data", bench.folder]
    server = subprocess.Popen(list(map(str, argv)), stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    try:
        assert server.stdout
        address = next(found[0] for line in server.stdout if (found := re.search(r"http://[\d.]+:\d+", line)))
        until = time.monotonic() + 30
        while True:
            with urllib.request.urlopen(f"{address}/api/v1/players?search=carlsen") as answer:
                theirs = json.load(answer)
            if "players" in theirs or time.monotonic() > until:
                # The server has a calibration too: whether it can rate them, and what it says of that, is its own.
                return ours, {**theirs, "rated": ours.rated, "notes": ours.notes}
            time.sleep(0.1)
    finally:
        server.terminate()
        server.wait(10)


simple("cluster-forecast", ["cluster", "forecast", "games", 1000], {"games": {"games": 1000}})
simple("cluster-forecast", ["cluster", "forecast", "tables", "KQKR", "--nodes", "1,3"],
       {"tables": {"tables": {"materials": ["KQKR"]}}}, nodes=[1, 3])  # fmt: skip


@case("cluster-tables")
def cluster_tables(bench: Bench) -> tuple[Any, Any]:
    folder = bench.folder / "run"
    run: errare.types.ClusterRun = {"folder": str(folder), "system": "xargs", "program": bench.program, "dry_run": True}
    ours = bench.lab.cluster_tables({"materials": ["KBNK"], "metrics": ["dtz"]}, run)
    flags = ("--metric", "dtz", "--run", folder, "--program", bench.program, "--dry-run")
    return ours, bench.command("cluster", "xargs", "tables", "KBNK", *flags)


@case("cluster-evaluate")
def cluster_evaluate(bench: Bench) -> tuple[Any, Any]:
    folder, out = bench.folder / "run", bench.folder / "turns"
    run: errare.types.ClusterRun = {"folder": str(folder), "system": "xargs", "program": bench.program, "dry_run": True}
    evaluate: errare.types.EvaluateRequest = {"files": [str(EVALUATED)], "engine": "stockfish", "out": str(out)}
    ours = bench.lab.cluster_evaluate(evaluate, 2, run)
    flags = ("--engine", "stockfish", "--out", out, "--shards", 2, "--run", folder, "--program", bench.program, "--dry-run")
    return ours, bench.command("cluster", "xargs", "evaluate", EVALUATED, *flags)


def slurm_run(bench: Bench) -> Path:
    """A run on a Slurm that does nothing, whose only job is then done here."""
    folder, programs = bench.folder / "run", bench.folder / "bin"
    programs.mkdir()
    for name, line in {"sbatch": "echo 1", "squeue": "true", "sacct": "true", "scontrol": "true"}.items():
        (programs / name).write_text(f"#!/bin/sh\n{line}\n")
        (programs / name).chmod(0o755)
    os.environ["PATH"] = f"{programs}:{os.environ['PATH']}"
    run: errare.types.ClusterRun = {"folder": str(folder), "system": {"slurm": {}}, "program": bench.program}
    lab = errare.Lab(tables=bench.folder / "tables")
    lab.cluster_tables({"materials": ["KNK"]}, run)
    assert lab.cluster_work(folder, 0).was_done is False
    return folder


@case("cluster-status")
def cluster_status(bench: Bench) -> tuple[Any, Any]:
    folder = slurm_run(bench)
    return bench.lab.cluster_status(folder), bench.command("cluster", "status", folder)


@case("cluster-resume")
def cluster_resume(bench: Bench) -> tuple[Any, Any]:
    folder = slurm_run(bench)
    return bench.lab.cluster_resume(folder), bench.command("cluster", "resume", folder)


@case("cluster-work")
def cluster_work(bench: Bench) -> tuple[Any, Any]:
    folder = slurm_run(bench)
    lab = errare.Lab(tables=bench.folder / "tables")
    ours = lab.cluster_work(folder, 0)
    tables = str(bench.folder / "tables")
    argv = [bench.program, "--quiet", "--tables", tables, "cluster", "work", str(folder), "0", "--format", "json"]
    done = subprocess.run(argv, capture_output=True, check=True)
    return ours, json.loads(done.stdout)


def plain(result: Any) -> Any:
    return result.to_dicts() if isinstance(result, errare.Rows) else result.to_dict()


# A minute and a half, and ten seconds, for the smallest request.
SLOW = {"honesty", "report-ratings"}
OPERATIONS = [pytest.param(name, marks=pytest.mark.slow) if name in SLOW else name for name in errare.operations()]


@pytest.mark.parametrize("operation", OPERATIONS)
def test_results_are_those_of_the_command_line(
    operation: str,
    lab: errare.Lab,
    command: Program,
    program: str,
    tmp_path: Path,
    many_turns: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    # Cases may change it.
    monkeypatch.setenv("PATH", os.environ["PATH"])
    assert operation in CASES, f"there is no case of `{operation}`: a new operation needs one"
    for number, run in enumerate(CASES[operation]):
        folder = tmp_path / str(number)
        folder.mkdir()
        ours, theirs = run(Bench(lab, command, program, folder, many_turns))
        assert plain(ours) == theirs
        check_fields(ours, theirs)


def check_fields(ours: Any, theirs: Any) -> None:
    """Every field of the JSON is an attribute, of a record within too."""
    if isinstance(ours, errare.Rows):
        assert len(ours) == len(theirs)
        for record, json_of_it in zip(ours, theirs, strict=True):
            check_fields(record, json_of_it)
        return
    names = {field.key: name for name, field in type(ours)._fields.items()}
    assert theirs.keys() <= names.keys()
    for name, value in theirs.items():
        attribute = getattr(ours, names[name])
        if isinstance(attribute, errare.Record | errare.Rows):
            check_fields(attribute, value)
        elif isinstance(attribute, dict):
            assert {str(key) for key in attribute} == value.keys()
        elif isinstance(attribute, tuple):
            assert len(attribute) == len(value)
        elif not isinstance(attribute, list):
            assert attribute == value


def test_every_operation_is_a_method_and_a_function() -> None:
    for operation in errare.operations():
        name = operation.replace("-", "_")
        assert callable(getattr(errare.Lab, name)) and callable(getattr(errare, name))
        assert name in errare.__all__ or name == "list"
