"""Counts the first moves of games, for the openings of `errare uci` at an Elo.

    target/python/bin/python tools/openings.py GAMES.pgn... > crates/errare-engine/openings/openings.txt

Needs python-chess (tools/python.sh install). Counted are the first eight moves, before those that ratings are made of.
"""

import collections
import sys

import chess
import chess.pgn

PLIES = 16
# Games that a position needs, and the least number of times and share of a move in it.
MIN_GAMES, MIN_TIMES, MIN_SHARE = 25, 3, 0.01


class FirstMoves(chess.pgn.BaseVisitor):
    """Counts moves by position. Counters of moves do not matter: a position may come up by other ways."""

    counts = collections.defaultdict(collections.Counter)
    first_ply = {}

    def begin_game(self):
        self.start = True

    def visit_header(self, name, value):
        self.start = self.start and name not in ("FEN", "Variant")

    def begin_variation(self):
        return chess.pgn.SKIP

    def visit_move(self, board, move):
        if self.start and board.ply() < PLIES:
            position = board.epd(en_passant="legal")
            self.first_ply.setdefault(position, board.ply())
            self.counts[position][move.uci()] += 1

    def result(self):
        return True


def main():
    games = 0
    for path in sys.argv[1:]:
        with open(path, encoding="utf-8", errors="replace") as file:
            while chess.pgn.read_game(file, Visitor=FirstMoves):
                games += 1
    lines = []
    for position, moves in FirstMoves.counts.items():
        total = sum(moves.values())
        usual = sorted((-times, move) for move, times in moves.items() if times >= max(MIN_TIMES, MIN_SHARE * total))
        if total >= MIN_GAMES and usual:
            entry = ";".join(f"{move} {-times}" for times, move in usual)
            lines.append((FirstMoves.first_ply[position], f"{position} 0 1;{entry}"))
    print(f"# First moves of {games} games: a position, then each move with the number of times.")
    for _, line in sorted(lines):
        print(line)


main()
