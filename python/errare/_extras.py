"""What records can do besides having fields: pictures and arrays."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from errare import pictures
from errare._numpy import numpy
from errare._records import Record, number

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from errare.pictures import Picture


class Drawn(Record):
    """A record with a picture, which notebooks show above its fields."""

    def picture(self) -> Picture:
        """The record as a picture."""
        raise NotImplementedError

    def _repr_html_(self) -> str:
        return f"<div>{self.picture().svg}</div>{super()._repr_html_()}"


class BoardExtras(Drawn):
    """A record about a position."""

    def picture(self) -> Picture:
        """The board, with an arrow for the move that was chosen, made, or is best."""
        found = [self._json.get(name) for name in ("move", "reply")]
        found += [moves[0] for name in ("successors", "legal") if (moves := self._json.get(name))]
        arrows = [one["uci"] for one in found if isinstance(one, dict)][:1]
        # A record of a move has the position after it.
        fen: str = self._json["fen"]
        return pictures.board(fen, arrows, title=fen)


class SquaresExtras(Drawn):
    """Values of a position with one man on each square."""

    def picture(self) -> Picture:
        """The depth in plies by square; squares without a depth are empty."""
        plies = {one["square"]: (one.get("value") or {}).get("plies") for one in self._json["squares"]}
        cells = {square: math.nan if value is None else float(value) for square, value in plies.items()}
        rows = {rank: [cells.get(file + rank, math.nan) for file in "abcdefgh"] for rank in "87654321"}
        title = f"{self._json['metric']} in plies by the square of {self._json['man']}"
        return pictures.heat_map(rows, "abcdefgh", title=title, x="file", y="rank")


class PosteriorExtras(Drawn):
    """Probabilities of competences."""

    @property
    def competences(self) -> list[float]:
        """The competence of each probability."""
        least, step, _ = self._json["grid"]
        return [least + step * place for place in range(len(self._json["probabilities"]))]

    @property
    def mean(self) -> float:
        """The expected competence."""
        weights = self._json["probabilities"]
        return math.fsum(c * p for c, p in zip(self.competences, weights, strict=True)) / math.fsum(weights)

    def to_numpy(self) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Competences and their probabilities as arrays."""
        np = numpy()
        return np.array(self.competences), np.array(self._json["probabilities"], dtype=np.float64)

    def picture(self) -> Picture:
        """The probability of each competence."""
        points = zip(self.competences, self._json["probabilities"], strict=True)
        marks = {f"mean {self.mean:.1f}": self.mean}
        return pictures.line_chart({"": points}, title="What the moves say of the competence", x="competence",
                                   y="probability", marks=marks)  # fmt: skip


class AssessedPlayerExtras(Drawn):
    """A player who was assessed."""

    def picture(self) -> Picture:
        """The posterior of the player's competence."""
        posterior = self._json.get("posterior")
        grid, weights = (posterior["grid"], posterior["probabilities"]) if posterior else ([0.0, 1.0, 0.0], [])
        points = [(grid[0] + grid[1] * place, weight) for place, weight in enumerate(weights)]
        title = f"Competence of {self._json['name']}"
        return pictures.line_chart({"": points}, title=title, x="competence", y="probability")


class MatrixExtras(Drawn):
    """A transition matrix."""

    @property
    def states(self) -> list[str]:
        """The states in the order of rows and columns: wins from the quickest, draws, losses from the longest."""
        names = {one[end] for one in self._json["transitions"] for end in ("from", "to")}

        def rank(name: str) -> tuple[int, float]:
            kind, _, depth = name.partition(" ")
            if kind in ("win", "loss"):
                return (0, float(depth)) if kind == "win" else (3, -float(depth))
            return (1 if name == "draw" else 2, 0.0)

        return sorted(names, key=rank)

    def to_numpy(self) -> NDArray[np.float64]:
        """The matrix: row and column of each state are its place in `states`."""
        np = numpy()
        places = {name: place for place, name in enumerate(self.states)}
        matrix = np.zeros((len(places), len(places)))
        for one in self._json["transitions"]:
            matrix[places[one["from"]], places[one["to"]]] = one["probability"]
        return matrix  # type: ignore[no-any-return]

    def picture(self) -> Picture:
        """The matrix as a heat map, on a logarithmic scale."""
        states = self.states
        cells = {state: dict.fromkeys(states, 0.0) for state in states}
        for one in self._json["transitions"]:
            cells[one["from"]][one["to"]] = one["probability"]
        rows = {state: list(row.values()) for state, row in cells.items()}
        title = f"Transitions at competence {self._json['competence']}"
        return pictures.heat_map(rows, states, title=title, x="to", y="from", log=True)


class OutlookExtras(Drawn):
    """How long contests last at one competence."""

    def to_numpy(self) -> NDArray[np.float64]:
        """Expected length and its standard deviation by depth, in two rows."""
        rows = [[number(one) for one in self._json[name]] for name in ("lengths", "sd")]
        return numpy().array(rows, dtype=float)  # type: ignore[no-any-return]

    def picture(self) -> Picture:
        """The expected length by depth."""
        name = f"competence {self._json['competence']}"
        return pictures.line_chart({name: enumerate(self._json["lengths"])}, title="Expected length", x="depth of the win",
                                   y="expected moves", y_log=True)  # fmt: skip


class MarkovExtras(Drawn):
    """A solved Markov model."""

    def picture(self) -> Picture:
        """The expected length by depth, a line for each competence."""
        lines = {f"c = {one['competence']}": enumerate(one["lengths"]) for one in self._json["results"]}
        title = f"Expected length of {self._json['material']}, {self._json['metric']}"
        return pictures.line_chart(lines, title=title, x="depth of the win", y="expected moves", y_log=True)


class HistogramExtras(Drawn):
    """Counts of positions with one side to move."""

    def to_numpy(self, outcome: str = "win") -> NDArray[np.int64]:
        """Number of positions of an outcome by depth in plies, from 0; draws have one number."""
        counts = {one.get("plies") or 0: one["count"] for one in self._json["histogram"] if one["outcome"] == outcome}
        np = numpy()
        array = np.zeros(max(counts, default=-1) + 1, dtype=np.int64)
        for plies, count in counts.items():
            array[plies] = count
        return array  # type: ignore[no-any-return]

    def picture(self) -> Picture:
        """Number of positions by depth, a line for each outcome."""
        lines: dict[str, list[tuple[float, float]]] = {}
        for one in self._json["histogram"]:
            if one.get("plies") is not None:
                lines.setdefault(one["outcome"], []).append((one["plies"], one["count"]))
        return pictures.line_chart(lines, title="Positions by depth", x="plies", y="positions", y_log=True)


class SweepExtras(Drawn):
    """Expectations of moves against a range of opponents."""

    def picture(self) -> Picture:
        """The expectation of each move by the competence of the opponent."""
        lines = {
            one["san"]: list(zip(self._json["competences"], one["expectations"], strict=True))
            for one in self._json["moves"]
        }
        marks = {f"c = {one['competence']:.2f}": one["competence"] for one in self._json["crossovers"]}
        return pictures.line_chart(lines, title="Moves against opponents of a competence", x="competence",
                                   y="expectation", marks=marks)  # fmt: skip


class PlottedExtras(Drawn):
    """A chart as data."""

    def picture(self) -> Picture:
        """The chart."""
        lines: dict[str, list[tuple[float, float | None]]] = {}
        dots = []
        for series in self._json["series"]:
            name = series["name"]
            for line in series["lines"]:
                points = lines.setdefault(name, [])
                points += [(points[-1][0], None)] if points else []
                points += [(x, y) for x, y in line]
            if series["dots"]:
                name = name if name not in lines else f"{name} (points)"
                dots.append(name)
                lines[name] = [(x, y) for x, y in series["dots"]]
        x, y = self._json["x"], self._json["y"]
        return pictures.line_chart(lines, title=self._json["title"], x=x["label"], y=y["label"], x_log=x["log"],
                                   y_log=y["log"], dots=dots)  # fmt: skip


class RatingExtras(Drawn):
    """A rating by moves."""

    def picture(self) -> Picture:
        """What is believed of the Elo after each number of moves: the mean, and the ends of its interval."""
        readings: list[dict[str, Any]] = self._json["posterior"]
        lines = {
            "mean": [(one["moves"], one["mean"]) for one in readings],
            "low": [(one["moves"], one["interval"][0]) for one in readings],
            "high": [(one["moves"], one["interval"][1]) for one in readings],
        }
        return pictures.line_chart(lines, title=f"Elo of {self._json['player']} by the moves", x="moves", y="Elo")


class FigureExtras(Drawn):
    """A figure of a paper, computed."""

    def picture(self) -> Picture:
        """The figure."""
        return pictures.Picture(self._json["svg"])
