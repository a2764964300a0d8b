"""Examples in the docstrings of operations, by operation. Tests run them."""

EXAMPLES = {
    "probe": """
>>> import errare
>>> found = errare.probe("8/8/8/8/8/2k5/1R6/K7 w - - 0 1")
>>> found.outcome, found.plies, found.successors[0].san
('win', 31, 'Rb1')
""",
    "stats": """
>>> import errare
>>> errare.stats("KRK")[0].white_to_move.max_win_plies
31
""",
    "choose": """
>>> import errare
>>> chosen = errare.choose("8/8/8/8/8/2k5/1R6/K7 w - - 0 1", agent="infallible")
>>> chosen.spec, len(chosen.candidates)
('infallible', 16)
""",
    "markov": """
>>> import errare
>>> outlook = errare.markov("KRK", competence=[20.0]).results[0]
>>> len(outlook.lengths) == len(outlook.sd)
True
""",
    "line": """
>>> import errare
>>> line = errare.line("8/8/8/8/8/2k5/1R6/K7 w - - 0 1", "SM", "SM").lines[0]
>>> line.end, line.plies
('mate', 31)
""",
    "match": """
>>> import errare
>>> played = errare.match("infallible", "player:10", fen="8/8/8/8/8/2k5/1R6/K7 w - - 0 1", games=2)
>>> played.results.white_wins
2
""",
    "draw": """
>>> import errare
>>> errare.draw(material="KRK", depth=10, competence=20, seed=1).depth
10
""",
}
