"""Executes the notebooks.

    python3 python/tools/notebooks.py [NOTEBOOK...]

writes them back with their results, so that they can be read without being run. Tests execute them again and compare the texts.
"""

from __future__ import annotations

import sys
from pathlib import Path

import nbformat
from nbclient import NotebookClient

FOLDER = Path(__file__).parents[1] / "notebooks"


def executed(path: Path) -> nbformat.NotebookNode:
    """The notebook with the results of its cells, run in its folder."""
    notebook = nbformat.read(path, as_version=4)
    notebook.cells = [cell for cell in notebook.cells if cell.source.strip()]
    client = NotebookClient(notebook, timeout=300, kernel_name="python3", resources={"metadata": {"path": str(path.parent)}})
    client.execute()
    for cell in notebook.cells:
        # When a cell ran says nothing to a reader.
        cell.metadata.pop("execution", None)
    notebook.metadata = {"language_info": {"name": "python"}, "kernelspec": {"name": "python3", "display_name": "Python 3"}}
    return notebook


def main() -> None:
    for path in map(Path, sys.argv[1:]) if len(sys.argv) > 1 else sorted(FOLDER.glob("*.ipynb")):
        nbformat.write(executed(path), path)
        print(path.name)


if __name__ == "__main__":
    main()
