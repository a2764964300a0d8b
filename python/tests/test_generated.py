"""The generated parts are those of the schemas, types are checked by others, and nothing but Python is needed."""

from __future__ import annotations

import importlib.util
import subprocess
import sys
import sysconfig
import typing
from pathlib import Path
from types import ModuleType

import pytest

import errare
from errare import _native

PYTHON = Path(__file__).parents[1]
INSTALLED = Path(errare.__file__).parent


def generator(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    monkeypatch.syspath_prepend(PYTHON / "tools")
    spec = importlib.util.spec_from_file_location("generate", PYTHON / "tools/generate.py")
    assert spec and spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_generated_files_are_those_of_the_schemas(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, text in generator(monkeypatch).render(_native.operations()).items():
        message = f"errare/{name} is not that of the schemas: run `python3 python/tools/generate.py PROGRAM` and commit it"
        assert (INSTALLED / name).read_text(encoding="utf-8") == text, message


@pytest.mark.slow
def test_the_program_has_the_schemas_of_the_module(monkeypatch: pytest.MonkeyPatch, program: str) -> None:
    made = generator(monkeypatch)
    assert made.render(made.schemas_of(program)) == made.render(_native.operations())


def run(*argv: object) -> str:
    done = subprocess.run(list(map(str, argv)), capture_output=True, text=True, cwd=PYTHON, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_stubs_and_types_fit_the_module(tmp_path: Path) -> None:
    # To mypy an alias of several literals is a union, to Python it is not: stubtest takes that for a difference.
    aliases = [name for name in errare.types.__all__ if typing.get_origin(getattr(errare.types, name)) is typing.Literal]
    allowed = tmp_path / "allowed.txt"
    allowed.write_text("\n".join(f"errare.types.{name}" for name in aliases))
    # It also runs mypy, by the settings of pyproject.toml: strict.
    settings = ("--mypy-config-file", PYTHON / "pyproject.toml", "--allowlist", allowed, "--ignore-unused-allowlist")
    run(sys.executable, "-m", "mypy.stubtest", "errare", *settings)


@pytest.mark.slow
def test_mypy_accepts_the_package_and_the_tests() -> None:
    run(sys.executable, "-m", "mypy", "--strict", "-p", "errare")
    run(sys.executable, "-m", "mypy", "--strict", "tests")


@pytest.mark.slow
def test_pyright_accepts_the_package() -> None:
    run(Path(sysconfig.get_path("scripts")) / "pyright", "--pythonpath", sys.executable, INSTALLED)


def test_nothing_else_is_needed(tables: str) -> None:
    # Without packages of others the lab works; what needs one says which.
    script = f"""
import sys
for name in ("numpy", "chess", "tqdm", "pyarrow"):
    sys.modules[name] = None
import errare
lab = errare.Lab(tables={tables!r})
fen = "8/8/8/8/8/2k5/1R6/K7 w - - 0 1"
values = lab.probe_many([fen])
assert list(values) == [("win", 31, 16)] and lab.probe(fen).picture().svg
for work, name in ((lambda: values.plies, "NumPy"), (lambda: lab.probe(fen, progress=True), "tqdm")):
    try:
        work()
    except ImportError as error:
        assert name in str(error), error
    else:
        raise AssertionError(name)
"""
    run(sys.executable, "-c", script)


def test_the_module_lists_every_operation() -> None:
    listed = {word.rstrip(",") for line in (errare.__doc__ or "").splitlines() for word in line.split()[1:]}
    assert {operation.replace("-", "_") for operation in errare.operations()} <= listed
