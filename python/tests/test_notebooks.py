"""The notebooks run, and what they show is what is committed."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from types import ModuleType
from typing import Any

import nbformat
import pytest

PYTHON = Path(__file__).parents[1]
NOTEBOOKS = sorted((PYTHON / "notebooks").glob("*.ipynb"))


def executor() -> ModuleType:
    spec = importlib.util.spec_from_file_location("notebooks", PYTHON / "tools/notebooks.py")
    assert spec and spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def shown(notebook: Any) -> list[Any]:
    """What each cell of code shows: texts, and what objects look like."""
    return [[output.get("data") or output.get("text") for output in cell.outputs] for cell in notebook.cells if cell.cell_type == "code"]


def texts(outputs: list[Any]) -> list[Any]:
    """The same without what pictures look like, which is not what a notebook says."""

    def kept(output: Any) -> Any:
        if not isinstance(output, dict):
            return output
        return {kind: text for kind, text in output.items() if kind != "image/svg+xml"}

    return [[kept(output) for output in cell] for cell in outputs]


def test_there_are_three() -> None:
    assert [path.stem for path in NOTEBOOKS] == ["assess_a_player", "intrinsic_ratings", "kqkr"]


@pytest.mark.parametrize("path", NOTEBOOKS, ids=[path.stem for path in NOTEBOOKS])
def test_a_notebook_shows_what_is_committed(path: Path, tables: str) -> None:
    committed = nbformat.read(path, as_version=4)  # type: ignore[no-untyped-call]
    again = shown(executor().executed(path))
    assert texts(again) == texts(shown(committed)), f"what {path.name} shows has changed: run python/tools/notebooks.py and commit it"
    pictures = [output for cell in again for output in cell if isinstance(output, dict) and "image/svg+xml" in output]
    words = sum(len(cell.source.split()) for cell in committed.cells if cell.cell_type == "markdown")
    assert len(pictures) >= 3 and words > 150
