"""python-chess as a chess program with `errare uci`: every option set, games from start to end, analysis.

Called with the program and a folder for tables. Whatever goes wrong is an exception: python-chess refuses illegal
moves, unknown options and answers that are none.
"""

import os
import random
import sys

import chess
import chess.engine

DEEP_KQKR = "8/8/8/8/2r5/8/2k5/K6Q w - - 0 1"


def check(truth, *what):
    if not truth:
        raise AssertionError(what)


def set_every_option(engine, tables):
    texts = {"Competence": "15.5", "Kappa": "0+", "Strategy": "SMC*", "Tables": tables, "SyzygyPath": "",
             "Fallback Engine": "", "UCI_Opponent": "none none human somebody"}
    before = {}
    for name, option in engine.options.items():
        if option.is_managed():
            # python-chess sets it itself, and lets nobody else: see below.
            continue
        before[name] = option.default
        if option.type == "check":
            values = [True, False]
        elif option.type == "spin":
            values = [option.min, max(option.min, min(option.max, 300))]
        elif option.type == "combo":
            values = option.var
        elif option.type == "button":
            values = [None]
        else:
            values = [texts[name]]
        for value in values:
            engine.configure({name: value})
    engine.ping()
    engine.configure({name: value for name, value in before.items() if value is not None})


def play(white, black, board, limit):
    """Plays a game to its end and tells the result."""
    game = object()
    while not board.is_game_over(claim_draw=True):
        player = white if board.turn == chess.WHITE else black
        result = player(board, limit, game)
        check(result in board.legal_moves, board.fen(), result)
        board.push(result)
    return board.result(claim_draw=True)


def by(engine, options):
    asked = dict(options=options, info=chess.engine.INFO_ALL)
    return lambda board, limit, game: engine.play(board, limit, game=game, **asked).move


def games(engine, other):
    dice = random.Random(1)
    at_random = lambda board, limit, game: dice.choice(list(board.legal_moves))
    strong = by(engine, {"Agent": "infallible"})
    results = []
    for number in range(4):
        ours, theirs = (strong, at_random) if number % 2 == 0 else (at_random, strong)
        result = play(ours, theirs, chess.Board(), chess.engine.Limit(depth=3))
        results.append(result)
        check(result == ("1-0" if number % 2 == 0 else "0-1"), "a random mover is beaten", result)
    # Against itself, fallible on both sides, with clocks.
    for _ in range(2):
        white, black = by(engine, {"Competence": "4"}), by(other, {"Competence": "1"})
        results.append(play(white, black, chess.Board(), chess.engine.Limit(time=0.02)))
    # An endgame with tables: the queen wins though it errs.
    queen, rook = by(engine, {"Competence": "30", "Hold Value": True}), by(other, {"Agent": "predator"})
    results.append(play(queen, rook, chess.Board(DEEP_KQKR), chess.engine.Limit(white_clock=60, black_clock=60)))
    check(results[-1] in ("1-0", "1/2-1/2"), results)
    return results


def analyses(engine):
    board = chess.Board(DEEP_KQKR)
    infos = engine.analyse(board, chess.engine.Limit(depth=1), multipv=40, options={"Metric": "dtm", "UCI_ShowWDL": True})
    check(len(infos) == board.legal_moves.count(), len(infos))
    check(infos[0]["score"].white() == chess.engine.Mate(35), infos[0])
    check(all(info["pv"][0] in board.legal_moves for info in infos))
    check(infos[0]["wdl"].white() == chess.engine.Wdl(1000, 0, 0), infos[0])
    infos = engine.analyse(chess.Board(), chess.engine.Limit(depth=3), multipv=5)
    check(len(infos) == 5 and len({info["pv"][0] for info in infos}) == 5)
    scores = [info["score"].relative for info in infos]
    check(scores == sorted(scores, reverse=True), scores)
    with engine.analysis(chess.Board(), game="infinite") as analysis:
        for info in analysis:
            if info.get("depth", 0) >= 4:
                break
    chosen = engine.play(chess.Board(), chess.engine.Limit(depth=2), root_moves=[chess.Move.from_uci("a2a4")])
    check(chosen.move.uci() == "a2a4", chosen)
    # Pondering: the engine thinks on our time, and we play what it expects, or something else.
    board, wrong = chess.Board(), random.Random(3)
    for _ in range(6):
        result = engine.play(board, chess.engine.Limit(time=0.05), ponder=True, game="pondering")
        board.push(result.move)
        reply = result.ponder if result.ponder and wrong.random() < 0.5 else wrong.choice(list(board.legal_moves))
        check(reply in board.legal_moves, reply)
        board.push(reply)


def main(program, tables):
    command = [program, "--tables", tables, "uci"]
    with chess.engine.SimpleEngine.popen_uci(command) as engine, chess.engine.SimpleEngine.popen_uci(command) as other:
        check(engine.id["name"].startswith("errare "), engine.id)
        set_every_option(engine, os.path.abspath(tables))
        print("games:", *games(engine, other))
        analyses(engine)
        engine.quit()
        other.quit()
        check(engine.returncode.result() == 0 and other.returncode.result() == 0, "it ends in good order")
    print("python-chess", chess.__version__, "is content")


main(*sys.argv[1:])
