"""Puts the wheel together from a library that cargo has built, so that nothing is compiled again.

    python3 python/tools/wheel.py LIBRARY FOLDER

writes the wheel to the folder and prints its path. What is in it is what `pip install ./python` gives, which builds the
library by maturin, apart from its features: `make test-full` compares the two.
"""

from __future__ import annotations

import base64
import hashlib
import sys
import sysconfig
import tomllib
import zipfile
from pathlib import Path

PYTHON = Path(__file__).parents[1]


def metadata(project: dict[str, object], version: str) -> str:
    lines = ["Metadata-Version: 2.4", f"Name: {project['name']}", f"Version: {version}"]
    lines += [f"Summary: {project['description']}", f"Requires-Python: {project['requires-python']}"]
    lines += [f"License-Expression: {project['license']}"]
    lines += [f"Classifier: {text}" for text in project["classifiers"]]  # type: ignore[attr-defined]
    for extra, names in project["optional-dependencies"].items():  # type: ignore[attr-defined]
        lines += [f"Provides-Extra: {extra}", *(f"Requires-Dist: {name} ; extra == '{extra}'" for name in names)]
    readme = (PYTHON / str(project["readme"])).read_text(encoding="utf-8")
    return "\n".join([*lines, "Description-Content-Type: text/markdown", "", readme])


def main() -> None:
    if len(sys.argv) != 3:
        sys.exit("usage: wheel.py LIBRARY FOLDER")
    library, folder = Path(sys.argv[1]), Path(sys.argv[2])
    project = tomllib.loads((PYTHON / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    workspace = tomllib.loads((PYTHON.parent / "Cargo.toml").read_text(encoding="utf-8"))
    version = workspace["workspace"]["package"]["version"]
    tag = "cp311-abi3-" + sysconfig.get_platform().replace("-", "_").replace(".", "_")
    info = f"errare-{version}.dist-info"
    files = {path.relative_to(PYTHON).as_posix(): path.read_bytes() for path in (PYTHON / "errare").glob("*.py*")}
    files["errare/py.typed"] = b""
    files["errare/_native.abi3.so"] = library.read_bytes()
    files[f"{info}/METADATA"] = metadata(project, version).encode()
    files[f"{info}/WHEEL"] = f"Wheel-Version: 1.0\nGenerator: errare\nRoot-Is-Purelib: false\nTag: {tag}\n".encode()
    record = ""
    for name, content in files.items():
        digest = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()
        record += f"{name},sha256={digest},{len(content)}\n"
    files[f"{info}/RECORD"] = (record + f"{info}/RECORD,,\n").encode()
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"errare-{version}-{tag}.whl"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_STORED) as wheel:
        for name, content in files.items():
            wheel.writestr(name, content)
    print(path)


if __name__ == "__main__":
    main()
