"""Agents that are used as `chess.engine` uses engines."""

from __future__ import annotations

import random
import threading
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from errare._inputs import MoveLike, PositionLike, move
from errare.exceptions import RequestError
from errare.lab import Lab, default_lab

if TYPE_CHECKING:
    import chess
    import chess.engine

    from errare.types import ChooseResponse, JudgedMove

__all__ = ["Agent"]


class Agent:
    """An agent that plays where tables know the position, with the methods of `chess.engine.SimpleEngine`.

    Args:
        agent: The agent, as in player:20 or predator:20,plies=4.
        lab: The lab whose tables it uses; by default that of the module.
        seed: Random seed of its moves: the same seed gives the same moves.
        options: What `choose` takes besides: model, rule, opponent, analysis and others.

    >>> with Agent("player:8", seed=3) as agent:
    ...     agent.choose("8/8/8/8/8/2k5/1R6/K7 w - - 0 1").spec
    'player:8'
    """

    def __init__(self, agent: str = "player:12", *, lab: Lab | None = None, seed: int = 0, **options: Any) -> None:
        if not isinstance(agent, str):
            raise RequestError(f"expected an agent such as player:20, found an object of type `{type(agent).__name__}`")
        self.agent = agent
        """The agent as requests take it."""
        self.id = {"name": f"errare {agent}", "author": "the errare project"}
        """What an engine says of itself."""
        self._lab = lab
        self._options = options
        self._seeds = random.Random(seed)
        self._lock = threading.Lock()

    def choose(self, position: PositionLike) -> ChooseResponse:
        """Chooses a move, and shows how the agent compares the moves."""
        with self._lock:
            seed = self._seeds.getrandbits(53)
        lab = self._lab or default_lab()
        return lab.choose(position, agent=self.agent, seed=seed, **self._options)

    def probabilities(self, position: PositionLike) -> dict[str, float]:
        """The probability of each legal move, by its UCI notation, best move first."""
        return {one.uci: one.probability for one in self.choose(position).candidates}

    def play(
        self,
        board: chess.Board,
        limit: chess.engine.Limit | None = None,
        *,
        root_moves: Iterable[MoveLike] | None = None,
        **ignored: object,
    ) -> chess.engine.PlayResult:
        """Plays a move on a `chess.Board`. An agent needs no time, so that limits are ignored.

        With `root_moves` it is one of these: the agent's probabilities are those of these moves alone.
        """
        import chess
        import chess.engine

        chosen = self.choose(board)
        allowed = None if root_moves is None else {move(one) for one in root_moves}
        uci = chosen.move.uci if allowed is None else self._among(chosen, allowed)
        info: chess.engine.InfoDict = {"pv": [chess.Move.from_uci(uci)], "string": f"agent {chosen.spec}"}
        return chess.engine.PlayResult(chess.Move.from_uci(uci), None, info)

    def _among(self, chosen: ChooseResponse, allowed: set[str]) -> str:
        left = [one for one in chosen.candidates if one.uci in allowed]
        if not left:
            raise RequestError("none of the root moves is legal")
        weights = [one.probability for one in left]
        with self._lock:
            one: JudgedMove = self._seeds.choices(left, weights if any(weights) else None)[0]
        return one.uci

    def analyse(
        self,
        board: chess.Board,
        limit: chess.engine.Limit | None = None,
        *,
        multipv: int | None = None,
        **ignored: object,
    ) -> list[chess.engine.InfoDict]:
        """The legal moves, best first, each with the result of best play after it as `wdl`."""
        import chess
        import chess.engine

        shares = {"win": (1000, 0, 0), "cursed-win": (0, 1000, 0), "draw": (0, 1000, 0), "blessed-loss": (0, 1000, 0)}
        found: list[chess.engine.InfoDict] = []
        for place, one in enumerate(self.choose(board).candidates[:multipv]):
            wdl = chess.engine.Wdl(*shares.get(one.outcome, (0, 0, 1000)))
            text = f"probability {one.probability:.6f}" + ("" if one.depth is None else f", depth {one.depth} moves")
            pv = [chess.Move.from_uci(one.uci)]
            found.append({"multipv": place + 1, "pv": pv, "wdl": chess.engine.PovWdl(wdl, board.turn), "string": text})
        return found

    def configure(self, options: dict[str, Any]) -> None:
        """Sets what `choose` takes besides, such as `{"rule": 75}`."""
        self._options.update(options)

    def ping(self) -> None:
        """Does nothing: an agent is always there."""

    def quit(self) -> None:
        """Does nothing: an agent is no process."""

    close = quit

    def __enter__(self) -> Agent:
        """The agent itself."""
        return self

    def __exit__(self, *_: object) -> None:
        """Does nothing: an agent is no process."""

    def __repr__(self) -> str:
        """The agent as requests take it."""
        return f"Agent({self.agent!r})"
