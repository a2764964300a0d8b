#!/usr/bin/env python3
"""Who attacks a fallible defender best in a drawn position? The experiment of src/matches.md.

docs/drawn.py ERRARE TABLES prints a row of Markdown for each match. It takes some ten minutes on two cores.
"""

import json
import subprocess
import sys

STARTS = {
    "KBBKN": "2K3B1/4n3/8/8/8/3kB3/8/8 w - - 0 1",
    "KNNKP": "8/8/8/N1k2p2/8/4NK2/8/8 w - - 0 1",
    "KQNKQ": "1q6/8/4k3/8/8/3N4/1KQ5/8 w - - 0 1",
    "KRBKR": "4k3/1r6/4K3/4B3/8/8/8/3R4 w - - 0 1",
}


def play(attacker, c, games, fen):
    command = [ERRARE, "--tables", TABLES, "--quiet", "match", "--white", attacker, "--black", f"player:{c}"]
    command += ["--fen", fen, "--games", str(games), "--seed", "1", "--format", "json"]
    found = json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
    results, first = found["results"], found.get("first_concession")
    percent = lambda part: f"{100 * part / games:.1f}%"
    gave_up = percent(first["black"]) if first else "0.0%"
    at_move = f"{first['mean_moves']:.1f}" if first else "-"
    counts = [results["1-0"], results["1/2-1/2"], results["0-1"]]
    cells = [found["white"], found["black"], str(games), *map(percent, counts), gave_up, at_move]
    print("| " + " | ".join(cells + [f"{found['mean_moves']:.1f}"]) + " |", flush=True)


ERRARE, TABLES = sys.argv[1:]
for material, fen in STARTS.items():
    print(f"\n### {material}\n\n`{fen}`\n")
    print("| attacker | defender | games | won | drawn | lost | gave up | at move | moves |")
    print("| --- | --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |")
    for c in (5, 10, 20):
        for attacker in ("infallible", "levy", f"predator:{c}", "predator"):
            play(attacker, c, 1000, fen)
    for attacker in ("pitfall:plies=4", "predator:10,plies=4"):
        play(attacker, 10, 100, fen)
