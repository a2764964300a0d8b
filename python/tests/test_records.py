"""Results as objects: fields, copies, pictures, arrays, tables."""

from __future__ import annotations

import copy
import pickle
import xml.etree.ElementTree as ET
from typing import Any

import numpy as np
import pytest
from conftest import GAMES, KQKR, TURNS, WON

import errare


@pytest.fixture(scope="module")
def results(lab: errare.Lab) -> list[Any]:
    """Results of many kinds."""
    turns: errare.types.TurnsRequest = {"files": [str(TURNS)], "engine": "Stockfish 15.1", "depth": 10}
    markov = lab.markov("KRK", [10, 20], matrices=True, passage=10, after=[3])
    return [
        lab.probe(WON, also=["dtc"]),
        lab.stats("KRK"),
        lab.stats("KRK")[0].white_to_move,
        lab.squares(WON, "b2"),
        lab.choose(KQKR, agent="predator:10", sweep="0:5"),
        lab.assess(GAMES),
        lab.assess(GAMES).players[0],
        lab.assess(GAMES).players[0].posterior,
        markov,
        markov.results[0],
        markov.matrices[0],
        lab.choose(KQKR, sweep="0:5").sweep,
        lab.rate(turns),
        lab.report_player(turns, "Carlsen,M", min_turns=10).study.charts[0],
        lab.play(fen=WON, moves=["Rb1"]),
        lab.course(),
    ]


def test_results_are_pickled_copied_and_compared(results: list[Any]) -> None:
    for result in results:
        for again in (pickle.loads(pickle.dumps(result)), copy.deepcopy(result), copy.copy(result)):
            assert again == result and type(again) is type(result) and not again != result
        assert result != results[results.index(result) - 1]


def test_results_cannot_be_changed(lab: errare.Lab) -> None:
    found = lab.probe(WON)
    with pytest.raises(AttributeError, match="cannot be changed"):
        found.plies = 3
    with pytest.raises(AttributeError, match="has no field `ply`: its fields are fen, metric"):
        found.ply  # type: ignore[attr-defined]
    found.to_dict()["fen"] = found["successors"][0]["uci"] = "x"
    found.notes.append("x")
    assert found == lab.probe(WON)


def test_results_are_shown(results: list[Any]) -> None:
    for result in results:
        assert repr(result) and all(len(line) < 5000 for line in repr(result).splitlines())
        shown = result._repr_html_()
        assert shown.count("<table>") == shown.count("</table>") > 0
        if hasattr(type(result), "picture"):
            picture = result.picture()
            assert ET.fromstring(picture.svg).tag.endswith("svg") and picture.svg in shown


def test_what_json_leaves_out_has_a_value(lab: errare.Lab) -> None:
    found = lab.probe(WON)
    assert (found.notes, found.also, found.phase_plies) == ([], {}, None)
    assert "notes" not in found.to_dict()


def test_names_that_python_cannot_have(lab: errare.Lab) -> None:
    played = lab.match("infallible", "infallible", fen=WON, games=1)
    assert (played.results.white_wins, played.results["1-0"]) == (1, 1)
    matrix = lab.markov("KRK", 20, matrices=True).matrices[0]
    assert matrix.transitions[0].from_ == matrix.transitions[0]["from"]
    compared = lab.compare("KRK", f"tables:{lab.list().folder}", sample=10)[0]
    assert compared.with_ == compared["with"]


def test_matrices_are_arrays(lab: errare.Lab) -> None:
    solved = lab.markov("KQKR", [20.0], matrices=True)
    matrix = solved.matrices[0]
    array = matrix.to_numpy()
    assert array.shape == (len(matrix.states),) * 2 and matrix.states[:2] == ["win 0", "win 1"]
    assert np.allclose(array.sum(axis=1), 1)
    # The chain solved by NumPy: expected moves to the end from each depth.
    lengths = solved.results[0].to_numpy()[0]
    inner = array[1 : len(lengths), 1 : len(lengths)]
    assert np.allclose(np.linalg.solve(np.eye(len(inner)) - inner, np.ones(len(inner))), lengths[1:])


def test_histograms_are_arrays(lab: errare.Lab) -> None:
    side = lab.stats("KRK")[0].white_to_move
    array = side.to_numpy()
    assert array.sum() == side.wins and len(array) == (side.max_win_plies or 0) + 1
    assert side.to_numpy("loss").shape == (0,)


def test_posteriors_are_arrays_and_requests(lab: errare.Lab) -> None:
    player = lab.assess(GAMES, player="Browne").players[0]
    assert player.posterior
    competences, probabilities = player.posterior.to_numpy()
    assert np.isclose((competences * probabilities).sum(), player.expected_c)
    assert np.isclose(player.posterior.mean, player.expected_c)
    # What was found of a player is what is known of an opponent.
    forecast = lab.predict(KQKR, competence=player.posterior)
    assert forecast.expected_moves and forecast.expected_moves > 30


def test_rows_are_a_sequence(lab: errare.Lab) -> None:
    rows = lab.probe(WON).successors
    assert [one.uci for one in rows] == [rows[place].uci for place in range(len(rows))]
    assert rows[0] in rows and rows[-1] == next(reversed(rows)) and rows[2:4] == [rows[2], rows[3]]
    assert rows.to_dicts()[0]["uci"] == rows.columns()["uci"][0]
    with pytest.raises(IndexError):
        rows[1000]
