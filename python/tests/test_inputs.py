"""What users may give: boards, moves and games of python-chess, paths, numbers of NumPy; and what is refused."""

from __future__ import annotations

import io
import pickle
from pathlib import Path
from typing import Any

import chess
import chess.pgn
import numpy as np
import pytest
from conftest import GAMES, KQKR, SYZYGY, TURNS, WON

import errare

NAMED: errare.types.TurnsRequest = {"files": [str(TURNS)], "engine": "Stockfish 15.1", "depth": 10}


def test_boards_are_positions(lab: errare.Lab) -> None:
    board = chess.Board(WON)
    assert lab.probe(board) == lab.probe(WON)
    assert lab.match("infallible", "infallible", fens=[board], games=1) == lab.match("infallible", "infallible", fens=[WON], games=1)
    assert errare.probe(board, metric="dtm").plies == 31


def test_moves_are_uci_san_or_objects(lab: errare.Lab) -> None:
    want = lab.play(fen=WON, moves=["b2b1"])
    for moves in (["Rb1"], [chess.Move.from_uci("b2b1")], "Rb1"):
        assert lab.play(fen=WON, moves=moves) == want
    line = lab.line(WON, "SC", "SC", moves="Rb1 Kd3")
    assert lab.line(WON, "SC", "SC", moves=["Rb1", "Kd3"]) == line


def test_games_are_pgn_or_objects(lab: errare.Lab) -> None:
    text = GAMES.read_text()
    stream = io.StringIO(text)
    games = list(iter(lambda: chess.pgn.read_game(stream), None))
    assert games
    want = lab.assess(pgn=text)
    for found in (lab.assess(pgn=games), lab.assess(pgn=[text]), lab.assess(pgn=[games[0], str(games[1])])):
        assert found.players == want.players and found.totals == want.totals
    assert lab.assess(pgn=games[0]).totals.games == 1 < want.totals.games


def test_numbers_of_numpy_and_infinities(lab: errare.Lab) -> None:
    want = lab.markov("KRK", [10, 20])
    for given in (np.array([10.0, 20.0]), (10, 20), np.arange(10, 30, 10), "10,20", range(10, 21, 10)):
        assert lab.markov("KRK", given) == want  # type: ignore[arg-type]
    assert lab.choose(WON, agent="player", competence=float("inf")).competence == "inf"
    assert lab.choose(WON, agent="player", competence=np.float64(3)).competence == 3
    with pytest.raises(errare.RequestError, match="NaN"):
        lab.choose(WON, agent="player", competence=float("nan"))


def test_files_are_paths_or_texts(lab: errare.Lab, tmp_path: Path) -> None:
    assert lab.assess(GAMES) == lab.assess([str(GAMES)]) == lab.assess(files=[GAMES])
    assert lab.fit(TURNS) == lab.fit({"files": [str(TURNS)]}) == lab.fit([TURNS])
    lab.assess(GAMES, annotate=tmp_path / "annotated.pgn")
    assert "Browne" in (tmp_path / "annotated.pgn").read_text()


def test_none_is_a_value_where_the_lab_says_so(lab: errare.Lab) -> None:
    whole = lab.strategy_compare("KRK", "SZ", sample=None)
    assert (whole.sample, lab.strategy_compare("KRK", "SZ").sample) == (None, 2000)
    decided = lab.fit({"files": [str(TURNS)], "max_eval": None}).left_out.decided
    assert decided == 0 < lab.fit(TURNS).left_out.decided


def test_sources_answer_requests_that_they_can(tables: str) -> None:
    lab = errare.Lab(tables=tables, sources=[f"syzygy:{SYZYGY}"])
    fen = "8/8/8/8/4k3/8/4P3/4K3 w - - 0 1"
    asked = errare.Lab(tables=tables).probe(fen, source=f"syzygy:{SYZYGY}")
    assert lab.probe(fen) == asked and asked.metric == "dtz50"
    # Tables of Syzygy do not count to mate.
    assert lab.probe(fen, metric="dtm") == errare.Lab(tables=tables).probe(fen, metric="dtm")
    assert list(lab.probe_many([fen])) == [(asked.outcome, asked.plies, asked.moves)]
    assert lab.choose(fen, agent="infallible", model={"metric": "dtz50"}).model.metric == "dtz50"
    with pytest.raises(errare.RequestError, match="invalid source `nalimov:/x`"):
        errare.Lab(sources=["nalimov:/x"])


def test_labs_are_pickled_and_shown(tables: str, tmp_path: Path) -> None:
    lab = errare.Lab(tables=Path(tables), threads=1, sources=[f"tables:{tables}"])
    again = pickle.loads(pickle.dumps(lab))
    assert repr(again) == repr(lab) == f"Lab(tables={tables!r}, threads=1, sources=['tables:{tables}'])"
    assert again.probe(WON) == lab.probe(WON)


def test_the_default_lab_can_be_set(lab: errare.Lab) -> None:
    before = errare.default_lab()
    errare.set_default_lab(lab)
    assert errare.default_lab() is lab
    errare.set_default_lab(before)
    with pytest.raises(errare.RequestError):
        errare.set_default_lab(3)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("error", "call"),
    [
        (errare.RequestError, lambda lab: lab.probe("x")),
        (errare.RequestError, lambda lab: lab.probe(3)),
        (errare.RequestError, lambda lab: lab.probe(WON, metric="dtx")),
        (errare.RequestError, lambda lab: lab.probe(WON, metric=object())),
        (errare.RequestError, lambda lab: lab.call("probe", {"fen": WON, "x": 1})),
        (errare.RequestError, lambda lab: lab.call("probe", {1: 2})),
        (errare.RequestError, lambda lab: lab.choose(WON, seed=2**64)),
        (errare.RequestError, lambda lab: lab.match("infallible", "x")),
        (errare.UnknownError, lambda lab: lab.call("prob", {})),
        (errare.UnknownError, lambda lab: lab.screen(NAMED, "Nobody")),
        (errare.ImpossibleError, lambda lab: lab.probe("8/8/8/8/8/8/PP1k1Kpp/8 w - - 0 1")),
        (errare.ImpossibleError, lambda lab: lab.rate(TURNS)),
        (errare.FailedError, lambda lab: lab.assess("/no/such/file.pgn")),
        (TypeError, lambda lab: lab.probe()),
        (TypeError, lambda lab: lab.probe(WON, metrik="dtm")),
    ],
)
def test_errors_have_the_kind_of_the_lab(error: type[Exception], call: Any, lab: errare.Lab) -> None:
    with pytest.raises(error) as raised:
        call(lab)
    assert type(raised.value) is error and str(raised.value)


@pytest.mark.parametrize(
    ("words", "call"),
    [
        ("invalid `threads` -1: expected a whole number above 0", lambda lab: errare.Lab(threads=-1)),
        ("invalid `threads`: expected a whole number above 0, found an object of type `str`", lambda lab: errare.Lab(threads="2")),  # type: ignore[arg-type]
        ("invalid `tables`: expected a path, found an object of type `int`", lambda lab: errare.Lab(tables=3)),  # type: ignore[arg-type]
        ("invalid `engine`: not valid Unicode", lambda lab: errare.Lab(engine="\ud800")),
        ("invalid `metric`: not valid Unicode", lambda lab: lab.probe_many([WON], metric="\ud800")),
        ("invalid `progress`: expected True, a callable or None", lambda lab: lab.probe(WON, progress="bar")),
        ("invalid competences: expected a number, a list of numbers", lambda lab: lab.markov("KRK", "x")),
        ("invalid competence: expected a number, inf, the name", lambda lab: lab.predict(WON, competence=[1, 2])),
        ("invalid prior: expected uniform, normal:MEAN,SD", lambda lab: lab.assess(GAMES, analysis={"prior": 3})),
        ('invalid type: string "x", expected an object', lambda lab: lab.markov("KRK", 20, model="x")),
    ],
)
def test_refusals_say_what_is_expected(words: str, call: Any, lab: errare.Lab) -> None:
    with pytest.raises(errare.RequestError) as raised:
        call(lab)
    assert words in str(raised.value)


def test_rows_say_that_their_records_have_a_field(lab: errare.Lab) -> None:
    rows: Any = lab.stats("KRK")
    with pytest.raises(AttributeError, match=r"rows of `EndgameStatistics` have no `white_to_move`: each of them has"):
        rows.white_to_move
    assert not hasattr(rows, "nothing") and not hasattr(rows, "__deepcopy__")


def test_kinds_of_errors_are_those_of_python_too() -> None:
    assert issubclass(errare.RequestError, ValueError) and issubclass(errare.UnknownError, LookupError)
    kinds = {one.kind for one in errare.Error.__subclasses__()}
    assert kinds == {"request", "unknown", "forbidden", "impossible", "stopped", "failed"}


def test_an_agent_is_used_as_an_engine(lab: errare.Lab) -> None:
    import chess.engine

    board = chess.Board(WON)
    with errare.Agent("infallible", lab=lab) as white, errare.Agent("player:5", lab=lab, seed=1) as black:
        while not board.is_game_over():
            agent = white if board.turn else black
            played = agent.play(board, chess.engine.Limit(time=0.1))
            assert played.move and played.move in board.legal_moves
            board.push(played.move)
    assert board.is_checkmate() and board.ply() <= 31
    agent = errare.Agent("player:5", lab=lab)
    assert agent.play(chess.Board(WON), root_moves=[chess.Move.from_uci("a1a2")]).move == chess.Move.from_uci("a1a2")
    with pytest.raises(errare.RequestError):
        agent.play(chess.Board(WON), root_moves=["a1a8"])
    first = agent.analyse(chess.Board(WON), multipv=3)
    assert [one["multipv"] for one in first] == [1, 2, 3] and first[0]["wdl"].relative.wins == 1000
    assert sum(agent.probabilities(KQKR).values()) == pytest.approx(1)
    seeded = [[errare.Agent("player:5", lab=lab, seed=7).play(chess.Board(KQKR)).move for _ in range(5)] for _ in range(2)]
    assert seeded[0] == seeded[1]


def test_pictures_of_boards_and_charts(tmp_path: Path) -> None:
    drawn = errare.pictures.board(chess.Board(WON), ["b2b1"], faint=[chess.Move.from_uci("a1a2")], title="x")
    assert drawn._repr_svg_().startswith("<svg") and "x" in drawn.svg
    drawn.save(tmp_path / "board.svg")
    assert (tmp_path / "board.svg").read_text() == drawn.svg
    chart = errare.pictures.line_chart({"a": [(0, 1), (1, None), (2, 3)]}, dots=["a"], marks={"here": 1})
    assert chart == errare.pictures.line_chart({"a": [(0, 1), (1, float("nan")), (2, 3)]}, dots=["a"], marks={"here": 1})
    with pytest.raises(errare.RequestError, match="no series"):
        errare.pictures.line_chart({}, dots=["b"])
