"""Closes the loop: games of people at several Elos, played by `errare match`, are rated by `errare rate`.

    python3 tools/closed_loop.py target/release/errare games --elos 1600,1900,2200,2500 --rounds 1

Every player meets every other in each round, with both colours; the games of a pair and round go to a file in the folder `games`. The engine
advises at the depth of the calibration that comes with errare, so a game costs about a minute of CPU time; rating it costs
nothing, as what the engine found is cached. A run that was stopped goes on. The last lines are the ratings, with whether
each interval holds the Elo, and how often the stronger won.
"""

import argparse
import itertools
import json
import os
import subprocess

# Turns of decided positions, three pawns or more, do not count for ratings, so they need not be played.
RESIGN = "4"


def pairs(arguments):
    elos = [int(elo) for elo in arguments.elos.split(",")]
    return [(turn, pair) for turn in range(arguments.rounds) for pair in itertools.combinations(elos, 2)]


def play(arguments, turn, one, two):
    """Plays a pair of games unless their file is there; returns the file, and the summary of the match."""
    name = os.path.join(arguments.folder, f"{turn + 1}-{one}-{two}")
    if not os.path.exists(name + ".json"):
        seed = 1000 * turn + (one + two) // 100
        command = [arguments.errare, *arguments.flag, "match", "--white", f"elo:{one}", "--black", f"elo:{two}",
                   "--both-colours", "--advice", "engine", "--engine", arguments.engine, "--seed", str(seed),
                   "--resign", RESIGN, "--pgn", name + ".pgn", "--format", "json"]
        found = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout
        with open(name + ".json", "w", encoding="utf-8") as file:
            file.write(found)
    with open(name + ".json", encoding="utf-8") as file:
        return name + ".pgn", json.load(file)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("errare", help="the program errare")
    parser.add_argument("folder", help="the folder of games, which is added to")
    parser.add_argument("--engine", default="stockfish", help="the engine that advises, and that moves are rated by")
    parser.add_argument("--elos", default="1600,1900,2200,2500")
    parser.add_argument("--rounds", type=int, default=1)
    parser.add_argument("--flag", action="append", default=[], help="a flag of errare, such as --tables=DIR")
    arguments = parser.parse_args()
    os.makedirs(arguments.folder, exist_ok=True)
    files, points = [], [0, 0, 0]
    for turn, (one, two) in pairs(arguments):
        file, found = play(arguments, turn, min(one, two), max(one, two))
        files.append(file)
        score = found["score"]
        # The weaker is `white`, whatever colour it had.
        points = [points[0] + score["lost"], points[1] + score["drawn"], points[2] + score["won"]]
        print(f"{one} against {two}: {found['results']}", flush=True)
    command = [arguments.errare, *arguments.flag, "rate", *files, "--engine", arguments.engine, "--min-turns", "20", "--format", "json"]
    rated = json.loads(subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout)
    for row in sorted(rated["rows"], key=lambda row: row["player"]):
        elo = int(row["player"].split(":")[1])
        verdict = "holds" if row["low"] <= elo <= row["high"] else "DOES NOT HOLD"
        print(f"{row['player']}: {row['ipr']:.0f} ({row['low']:.0f} to {row['high']:.0f}), {row['games']} games, "
              f"{row['turns']} turns: the interval {verdict}")
    print(f"the stronger won {points[0]}, drew {points[1]}, lost {points[2]}")


main()
