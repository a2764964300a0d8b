"""A chess engine that always makes the first legal move by its notation: quick, and the same every time."""

from __future__ import annotations

import sys

import chess


def main() -> None:
    board = chess.Board()
    for line in sys.stdin:
        words = line.split()
        if words[:1] == ["uci"]:
            print("id name first\nuciok", flush=True)
        elif words[:1] == ["isready"]:
            print("readyok", flush=True)
        elif words[:2] == ["position", "fen"]:
            place = words.index("moves") if "moves" in words else len(words)
            board = chess.Board(" ".join(words[2:place]))
            for move in words[place + 1 :]:
                board.push_uci(move)
        elif words[:1] == ["go"]:
            move = min(one.uci() for one in board.legal_moves)
            print(f"info depth 1 score cp 0 pv {move}\nbestmove {move}", flush=True)
        elif words[:1] == ["quit"]:
            return


if __name__ == "__main__":
    main()
