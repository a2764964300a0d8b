"""Tables through the Arrow PyCapsule interface: what others read is what the records have."""

from __future__ import annotations

import gc
import json
import math
from importlib import import_module
from typing import Any

import pyarrow as pa
import pytest
from conftest import WON

import errare
from errare import _native


def test_rows_are_tables(lab: errare.Lab) -> None:
    rows = lab.probe(WON).successors
    table = pa.table(rows)
    assert table.to_pydict() == rows.columns()
    assert [table.schema.field(name).type for name in ("san", "plies", "zeroing")] == [pa.large_string(), pa.int64(), pa.bool_()]
    assert table.column("plies").null_count == sum(one.plies is None for one in rows) > 0


def test_records_within_are_columns_too(lab: errare.Lab) -> None:
    table = pa.table(lab.squares(WON, "b2").squares)
    assert {"value.outcome", "value.plies"} <= set(table.column_names)
    results = lab.markov("KRK", ["-inf", 0, "inf"]).results
    assert pa.table(results).column("competence").to_pylist() == [-math.inf, 0, math.inf]
    assert json.loads(pa.table(results).column("lengths")[1].as_py()) == results[1].lengths


def test_values_of_many_positions_are_a_table(lab: errare.Lab) -> None:
    values = lab.probe_many([WON, "8/8/8/8/8/1k6/8/K7 b - - 0 1"])
    table = pa.table(values)
    assert table.to_pylist() == [{"outcome": 2, "plies": 31, "moves": 16}, {"outcome": 0, "plies": None, "moves": None}]
    assert table.schema.field("outcome").type == pa.int8()


def test_tables_of_every_size_are_valid() -> None:
    for count in (0, 1, 7, 8, 9, 63, 64, 65, 1000):
        values: list[tuple[str, str, list[Any]]] = [
            ("i", "int", [None if place % 3 == 1 else place - 5 for place in range(count)]),
            ("f", "float", [None if place % 5 == 0 else place / 7 for place in range(count)]),
            ("b", "bool", [None if place % 4 == 0 else place % 2 == 1 for place in range(count)]),
            ("s", "str", [None if place % 6 == 5 else "é" * (place % 9) for place in range(count)]),
            ("whole", "int", list(range(count))),
        ]
        table = pa.table(_native.Columns(values))
        table.validate(full=True)
        assert table.to_pydict() == {name: list(column) for name, _, column in values}
    assert pa.table(_native.Columns([])).num_columns == 0


def test_a_table_outlives_its_rows(lab: errare.Lab) -> None:
    table = pa.table(lab.probe(WON).successors)
    reader = pa.RecordBatchReader.from_stream(lab.probe(WON).successors)
    capsule = lab.probe(WON).successors.__arrow_c_stream__()
    del capsule
    gc.collect()
    assert table.to_pydict() == reader.read_all().to_pydict()
    # One column alone keeps what it needs.
    column = table.column("san")
    del table, reader
    gc.collect()
    assert "Rb1" in column.to_pylist()


def test_columns_that_cannot_be() -> None:
    for columns in ([("a", "int", ["x"])], [("a", "int", [2**70])], [("a\0", "int", [1])], [("a", "date", [1])],
                    [("a", "int", [1]), ("b", "int", [])], [("a", "str", ["\ud800"])], [("a", "bool", ["x"])]):  # fmt: skip
        with pytest.raises((errare.RequestError, TypeError, OverflowError, UnicodeEncodeError)):
            _native.Columns(columns)


@pytest.mark.slow
@pytest.mark.parametrize("library", ["polars", "pandas", "duckdb"])
def test_other_libraries_read_them(library: str, lab: errare.Lab) -> None:
    module: Any = import_module(library)
    rows = lab.probe(WON).successors
    if library == "polars":
        read = module.DataFrame(rows).to_dict(as_series=False)
    elif library == "pandas":
        frame = module.DataFrame.from_arrow(rows)
        read = {name: [None if module.isna(one) else one for one in frame[name]] for name in frame.columns}
    else:
        read = module.from_arrow(pa.table(rows)).to_arrow_table().to_pydict()
        wins = module.sql("select count(*) from rows where outcome = 'win'").fetchall()
        assert wins == [(sum(one.outcome == "win" for one in rows),)]
    assert read == rows.columns()
