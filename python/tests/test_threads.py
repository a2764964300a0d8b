"""Several threads use one lab at once: each gets what it would get alone, and none waits for ever."""

from __future__ import annotations

import pickle
import random
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from conftest import KQKR, WON

import errare

THREADS = 8
ROUNDS = 3
# Seconds. Threads that wait for each other would take for ever.
PATIENCE = 60

Work = Callable[[errare.Lab], Any]

# Some build tables, among them the same ones, and some need tables that others build. KQKR is only built to conversion:
# each of its tables takes a second.
WORK: dict[str, Work] = {
    "build": lambda lab: {(one.material, one.metric) for one in lab.build(["KRK", "KQK"], metrics=["dtm", "dtz"])},
    "probe": lambda lab: lab.probe(KQKR, metric="dtc").to_dict(),
    "probe dtr": lambda lab: lab.probe(WON, metric="dtr", also=["dtc", "dtz50"]).to_dict(),
    "probe_many": lambda lab: list(lab.probe_many([WON, KQKR] * 500, metric="dtc")),
    "squares": lambda lab: lab.squares(WON, "b2").picture().svg,
    "stats": lambda lab: lab.stats(["KRK", "KQK"], metric="dtc").to_dicts(),
    "zugzwangs": lambda lab: lab.zugzwangs("KRK", metric="dtc").to_dict(),
    "find": lambda lab: lab.find("KQKR", depth=31, metric="dtc", seed=5).to_dicts(),
    "choose": lambda lab: lab.choose(KQKR, agent="player:8", seed=7).to_dict(),
    "predict": lambda lab: lab.predict(WON, competence=20, within=[20, 50]).to_dict(),
    "markov": lambda lab: lab.markov("KRK", [20.0]).to_dict(),
    "match": lambda lab: lab.match("player:20", "infallible", fen=WON, games=3, seed=4).to_dict(),
    "line": lambda lab: lab.line(WON, "SC", "SM", seed=3).to_dict(),
    "wrong": lambda lab: refusal(lab),
}


def refusal(lab: errare.Lab) -> str:
    try:
        lab.probe("no FEN")
    except errare.RequestError as error:
        return str(error)
    return "none"


def at_once(work: Callable[[int], None]) -> None:
    """Does work on all threads, which begin together."""
    wrong: list[BaseException] = []
    start = threading.Barrier(THREADS)

    def run(number: int) -> None:
        try:
            start.wait()
            work(number)
        except BaseException as error:
            wrong.append(error)

    threads = [threading.Thread(target=run, args=(number,), daemon=True) for number in range(THREADS)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(PATIENCE)
        assert not thread.is_alive(), "threads wait for each other"
    if wrong:
        raise wrong[0]


def test_threads_share_a_lab_without_tables(tmp_path: Path, tables: str) -> None:
    alone = errare.Lab(tables=tables)
    want = {name: work(alone) for name, work in WORK.items()}
    lab = errare.Lab(tables=tmp_path, threads=2)

    def work(number: int) -> None:
        draw = random.Random(number)
        for _ in range(ROUNDS):
            for name in draw.sample(list(WORK), len(WORK)):
                assert WORK[name](lab) == want[name], name

    at_once(work)


def test_threads_build_the_same_table(tmp_path: Path) -> None:
    lab = errare.Lab(tables=tmp_path, threads=2)
    states: list[str] = []
    at_once(lambda _: states.append(lab.build("KQK")[0].state))
    assert sorted(states) == ["built"] + ["present"] * (THREADS - 1)


def test_threads_need_the_same_missing_table(tmp_path: Path, tables: str) -> None:
    # While a table is built, the threads of the lab take up whatever else is asked, even what waits for that table.
    want = errare.Lab(tables=tables).probe(KQKR, metric="dtc")
    lab = errare.Lab(tables=tmp_path, threads=2)
    found: list[errare.types.ProbeResponse] = []

    def ask(number: int) -> None:
        time.sleep(number * 0.03)
        found.append(lab.probe(KQKR, metric="dtc"))

    at_once(ask)
    assert found == [want] * THREADS


def test_threads_read_the_same_record(lab: errare.Lab) -> None:
    for _ in range(20):
        record = lab.probe(KQKR)
        want = pickle.dumps(record)

        def read(number: int, record: errare.types.ProbeResponse = record, want: bytes = want) -> None:
            fields = list(type(record)._fields)
            for name in random.Random(number).sample(fields, len(fields)):
                assert repr(getattr(record, name)) == repr(getattr(record, name))
            assert pickle.dumps(record) == want and pickle.loads(want) == record
            assert record.successors.__arrow_c_stream__() is not None

        at_once(read)


def test_the_module_does_without_the_lock_of_the_interpreter() -> None:
    # Importing a module that does not say so brings the lock back.
    if hasattr(sys, "_is_gil_enabled") and "free-threading" in sys.version:
        assert not sys._is_gil_enabled()
