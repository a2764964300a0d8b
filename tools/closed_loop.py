"""Closes the loop: games of people at several Elos, played by `errare uci`, are rated by `errare rate`.

    target/python/bin/python tools/closed_loop.py play target/release/errare stockfish games.pgn --elos 1600,1900,2200,2500 --rounds 1
    errare rate games.pgn
    target/python/bin/python tools/closed_loop.py score games.pgn

Every player meets every other with both colours in each round. The engine advises at the depth of the calibration that comes
with errare, so a game costs about a minute of CPU time, and rating it as much again. A run that was stopped goes on: games
that are in the file already are not played again. Needs python-chess (tools/python.sh install).
"""

import argparse
import itertools
import os

import chess
import chess.engine
import chess.pgn

MOST_PLIES = 240
# A game is given up when both sides see this many pawns for so many plies.
HOPELESS, PATIENCE = 900, 6


def games_of(path):
    if not os.path.exists(path):
        return []
    with open(path, encoding="utf-8") as file:
        return list(iter(lambda: chess.pgn.read_game(file), None))


def player(elo):
    return f"elo {elo}"


def start(arguments, elo, seed):
    engine = chess.engine.SimpleEngine.popen_uci([arguments.errare, *arguments.flag, "uci"], timeout=60)
    engine.configure({"Fallback Engine": arguments.engine, "UCI_LimitStrength": True, "UCI_Elo": elo, "Seed": seed})
    return engine


def play(white, black):
    board, lead = chess.Board(), []
    game = object()
    while not board.is_game_over(claim_draw=True) and board.ply() < MOST_PLIES:
        mover = white if board.turn == chess.WHITE else black
        found = mover.play(board, chess.engine.Limit(time=30), game=game, info=chess.engine.INFO_SCORE)
        board.push(found.move)
        if "score" in found.info:
            lead.append(found.info["score"].white().score(mate_score=10000))
        last = lead[-PATIENCE:]
        if len(last) == PATIENCE and (min(last) > HOPELESS or max(last) < -HOPELESS):
            return board, "1-0" if last[0] > 0 else "0-1"
    if board.is_game_over(claim_draw=True):
        return board, board.result(claim_draw=True)
    return board, "1/2-1/2"


def play_all(arguments):
    elos = [int(elo) for elo in arguments.elos.split(",")]
    done = {game.headers["Round"] for game in games_of(arguments.games)}
    pairs = [pair for pair in itertools.permutations(elos, 2)]
    for number in range(arguments.rounds * len(pairs)):
        turn, (one, two) = number // len(pairs), pairs[number % len(pairs)]
        name = f"{turn + 1}.{one}-{two}"
        if name in done:
            continue
        white, black = start(arguments, one, 2 * number + 1), start(arguments, two, 2 * number + 2)
        try:
            board, result = play(white, black)
        finally:
            white.quit()
            black.quit()
        game = chess.pgn.Game.from_board(board)
        game.headers.update({"Event": "closed loop", "Site": "?", "Date": "????.??.??", "Round": name,
                             "White": player(one), "Black": player(two), "Result": result,
                             "WhiteElo": str(one), "BlackElo": str(two)})
        with open(arguments.games, "a", encoding="utf-8") as file:
            print(game, end="\n\n", file=file, flush=True)
        print(name, result, board.fullmove_number, flush=True)


def score(arguments):
    """Prints the points of each player, and how often the stronger of two won."""
    points, counts, stronger = {}, {}, [0, 0, 0]
    for game in games_of(arguments.games):
        worth = {"1-0": (1.0, 0.0), "0-1": (0.0, 1.0)}.get(game.headers["Result"], (0.5, 0.5))
        for side, value in zip(("White", "Black"), worth):
            name = game.headers[side]
            points[name] = points.get(name, 0.0) + value
            counts[name] = counts.get(name, 0) + 1
        edge = (worth[0] - worth[1]) * (int(game.headers["WhiteElo"]) - int(game.headers["BlackElo"]))
        stronger[0 if edge > 0 else 1 if edge == 0 else 2] += 1
    for name in sorted(points):
        print(f"{name}: {points[name]} of {counts[name]}")
    print(f"the stronger won {stronger[0]}, drew {stronger[1]}, lost {stronger[2]}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(required=True)
    playing = commands.add_parser("play", help="play games, and write them as PGN")
    playing.add_argument("errare", help="the program errare")
    playing.add_argument("engine", help="the engine that advises")
    playing.add_argument("games", help="the file of games, which is added to")
    playing.add_argument("--elos", default="1600,1900,2200,2500")
    playing.add_argument("--rounds", type=int, default=1)
    playing.add_argument("--flag", action="append", default=[], help="a flag of errare, such as --tables=DIR")
    playing.set_defaults(run=play_all)
    scoring = commands.add_parser("score", help="add up the points")
    scoring.add_argument("games")
    scoring.set_defaults(run=score)
    arguments = parser.parse_args()
    arguments.run(arguments)


main()
