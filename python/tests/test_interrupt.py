"""Long work: Ctrl-C and exceptions stop it soon, other threads go on meanwhile, and its progress is seen."""

from __future__ import annotations

import multiprocessing
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

import errare

# Solving this takes minutes.
LONG = "KRBKR"

CHILD = f"""
import signal, sys, time, errare
# Ignored in what a shell without a terminal runs in the background, and in its children.
signal.signal(signal.SIGINT, signal.default_int_handler)
lab = errare.Lab(tables=sys.argv[1], threads=1)
print("started", flush=True)
try:
    {{work}}
except KeyboardInterrupt:
    print(time.monotonic(), flush=True)
"""

WORK = {
    "an operation": f"lab.build('{LONG}')",
    "many positions": "lab.probe_many(['8/8/8/8/8/1rb2k2/1R6/K7 w - - 0 1'] * 10)",
    "games": "lab.match('player:20', 'infallible', fen='8/8/8/8/8/2k5/1R6/K7 w - - 0 1', games=10_000_000)",
}


@pytest.mark.parametrize("work", WORK)
def test_ctrl_c_stops_work_within_200_ms(work: str, tmp_path: Path) -> None:
    # The best of three: other programs run here too.
    assert any(seconds_to_stop(WORK[work], tmp_path / str(attempt)) < 0.2 for attempt in range(3))


def seconds_to_stop(work: str, folder: Path) -> float:
    argv = [sys.executable, "-c", CHILD.format(work=work), str(folder)]
    with subprocess.Popen(argv, stdout=subprocess.PIPE, text=True) as child:
        assert child.stdout and child.stdout.readline() == "started\n"
        time.sleep(1)
        sent = time.monotonic()
        child.send_signal(signal.SIGINT)
        stopped = float(child.stdout.readline())
        child.wait(10)
    return stopped - sent


def test_a_notebook_is_interrupted_and_goes_on(tmp_path: Path) -> None:
    from jupyter_client.manager import start_new_kernel

    manager, client = start_new_kernel(kernel_name="python3")
    try:
        client.execute_interactive(f"import errare; lab = errare.Lab(tables={str(tmp_path)!r}, threads=1)", timeout=60)
        # Otherwise Jupyter aborts what is asked for shortly after an error.
        asked = client.execute(f"lab.build('{LONG}', progress=True)", stop_on_error=False)
        time.sleep(1.5)
        start = time.monotonic()
        manager.interrupt_kernel()
        reply = client.get_shell_msg(timeout=60)
        assert reply["parent_header"]["msg_id"] == asked and reply["content"]["ename"] == "KeyboardInterrupt"
        # What Jupyter itself takes is in it.
        assert time.monotonic() - start < 5
        assert client.execute_interactive("assert lab.list()", timeout=60)["content"]["status"] == "ok"
    finally:
        client.stop_channels()
        manager.shutdown_kernel(now=True)


def test_an_exception_of_the_callback_stops_the_work(tmp_path: Path) -> None:
    class EnoughError(Exception):
        pass

    def refuse(progress: errare.Progress) -> None:
        raise EnoughError(progress.activity)

    start = time.monotonic()
    with pytest.raises(EnoughError, match="building K"):
        errare.Lab(tables=tmp_path).build(LONG, progress=refuse)
    assert time.monotonic() - start < 10


def test_progress_is_reported(tmp_path: Path) -> None:
    seen: list[errare.Progress] = []
    errare.Lab(tables=tmp_path, threads=1).build("KQKR", progress=seen.append)
    assert seen and {"KQKR"} <= {word for one in seen for word in one.activity.split()}
    assert all(0 <= one.done <= (one.total or one.done) and one.unit for one in seen)
    assert any(one.parts == 3 and one.part and one.share is not None for one in seen)


def test_progress_works_with_tqdm(tmp_path: Path) -> None:
    from tqdm import tqdm

    with (tmp_path / "bar.txt").open("w") as file:
        errare.Lab(tables=tmp_path, threads=1).build("KQKR", progress=errare.ProgressBar(tqdm, file=file, mininterval=0))
    bar = (tmp_path / "bar.txt").read_text()
    assert "building KQKR" in bar and "positions/s" in bar
    # tqdm's own words for what is unknown, and its colon after ours.
    assert "0it" not in bar and ": :" not in bar


def test_other_threads_run_meanwhile(tmp_path: Path) -> None:
    done = threading.Event()

    def build() -> None:
        try:
            errare.Lab(tables=tmp_path, threads=1).build("KQKR")
        finally:
            done.set()

    thread = threading.Thread(target=build)
    start = time.thread_time()
    thread.start()
    while not done.is_set():
        pass
    thread.join()
    # The loop had a processor to itself: with the interpreter's lock held it would have stood still.
    assert time.thread_time() - start > 0.05


def test_a_lab_serves_several_threads(lab: errare.Lab) -> None:
    fens = [f"8/8/8/8/8/2k5/1R6/{file}K{7 - file} w - - 0 1" for file in range(4, 7)]
    want = {fen: lab.probe(fen).to_dict() for fen in fens}
    wrong: list[object] = []

    def ask() -> None:
        for _ in range(50):
            for fen in fens:
                if lab.probe(fen).to_dict() != want[fen]:
                    wrong.append(fen)

    threads = [threading.Thread(target=ask) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong


def test_forked_processes_have_labs_of_their_own(lab: errare.Lab) -> None:
    fens = ["8/8/8/8/8/2k5/1R6/K7 w - - 0 1", "8/8/8/8/8/2k5/8/K7 w - - 0 1"]
    want = [lab.probe(fen) for fen in fens]
    before = errare.default_lab()
    errare.set_default_lab(lab)
    try:
        # The function is found by its name: the child has the lab of its parent, threads apart.
        with multiprocessing.get_context("fork").Pool(2) as pool:
            assert pool.map_async(errare.probe, fens).get(60) == want
    finally:
        errare.set_default_lab(before)
    # Here the lab is pickled.
    with multiprocessing.get_context("spawn").Pool(2) as pool:
        assert pool.map_async(lab.probe, fens).get(60) == want


def test_damage_is_a_warning(tmp_path: Path) -> None:
    lab = errare.Lab(tables=tmp_path)
    lab.build("KRK")
    (table,) = [path for path in tmp_path.rglob("*") if path.is_file() and "KRK" in path.name and path.stat().st_size > 100]
    content = bytearray(table.read_bytes())
    content[-20] ^= 0xFF
    table.write_bytes(content)
    with pytest.warns(errare.ErrareWarning, match="KRK"):
        assert errare.Lab(tables=tmp_path).probe("8/8/8/8/8/2k5/1R6/K7 w - - 0 1").plies == 31
