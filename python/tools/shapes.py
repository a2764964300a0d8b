"""How the JSON shapes of schemas look in Python: the types of responses and requests."""

from __future__ import annotations

import keyword
from typing import Any

# JSON names that Python cannot have.
RENAMED = {"1-0": "white_wins", "0-1": "black_wins", "1/2-1/2": "draws"}

# Parameters of requests that are more than their JSON type: how they are typed, and the function that reads them.
PARAMETERS = {
    "fen": ("PositionLike", "position"),
    "fens": ("Iterable[PositionLike]", "positions"),
    "files": ("PathLike | Iterable[PathLike]", "paths"),
    "parts": ("PathLike | Iterable[PathLike]", "paths"),
    "out": ("PathLike", "plain"),
    "annotate": ("PathLike", "plain"),
    "cache": ("PathLike", "plain"),
    "calibration": ("PathLike", "plain"),
    "fens_file": ("PathLike", "plain"),
    "folder": ("PathLike", "plain"),
    "turns": ("TurnsRequest | PathLike | Iterable[PathLike]", "turns"),
    "input": ("CalibrationInput | PathLike | Iterable[PathLike]", "calibration_input"),
}
PARAMETERS_OF = {
    ("play", "moves"): ("Iterable[MoveLike]", "moves"),
    ("line", "moves"): ("str | Iterable[MoveLike]", "line_moves"),
    ("assess", "pgn"): ("GameLike", "games"),
    ("rate-games", "pgn"): ("GameLike", "games"),
    ("match", "pgn"): ("PathLike", "plain"),
    ("contest", "pgn"): ("PathLike", "plain"),
    ("line", "pgn"): ("PathLike", "plain"),
    ("whole-games", "pgn"): ("PathLike", "plain"),
}


def attribute(name: str) -> str:
    """The name of a field or a parameter in Python."""
    name = RENAMED.get(name, name).replace("-", "_")
    if not name.isidentifier():
        raise ValueError(f"a field `{name}` needs a name in RENAMED")
    return name + "_" if keyword.iskeyword(name) else name


def pascal(name: str) -> str:
    return "".join(part[:1].upper() + part[1:] for part in name.split("-"))


def is_literal(schema: dict[str, Any]) -> bool:
    variants = schema.get("oneOf", [])
    return "enum" in schema or (bool(variants) and all("const" in variant or "enum" in variant for variant in variants))


def literals(schema: dict[str, Any]) -> list[str]:
    found = list(schema.get("enum", []))
    for variant in schema.get("oneOf", []):
        found += variant.get("enum", [variant["const"]] if "const" in variant else [])
    return found


def is_union(schema: dict[str, Any]) -> bool:
    return "properties" not in schema and all("properties" in variant for variant in schema.get("oneOf", [{}]))


class Types:
    """All definitions by name, of responses and of requests."""

    def __init__(self) -> None:
        self.literals: dict[str, dict[str, Any]] = {}
        self.records: dict[str, dict[str, Any]] = {}
        self.unions: dict[str, list[str]] = {}
        self.dicts: dict[str, dict[str, Any]] = {}
        self.aliases: dict[str, dict[str, Any]] = {}
        self.about: dict[str, str] = {}

    def add_response(self, name: str, schema: dict[str, Any]) -> None:
        if is_literal(schema):
            self.put(self.literals, name, schema)
        elif "properties" in schema:
            self.put(self.records, name, schema)
        elif is_union(schema):
            names = []
            for variant in schema["oneOf"]:
                kind = next(p["const"] for p in variant["properties"].values() if "const" in p)
                names.append(name + pascal(kind))
                self.put(self.records, names[-1], variant)
            self.unions[name] = names
            self.about[name] = schema.get("description", "")
        else:
            raise ValueError(f"a response with a definition of another kind: {name}")

    def add_request(self, name: str, schema: dict[str, Any]) -> None:
        if is_literal(schema):
            self.put(self.literals, name, schema)
        elif "properties" in schema:
            self.put(self.dicts, name, schema)
        else:
            self.put(self.aliases, name, schema)

    @staticmethod
    def put(table: dict[str, dict[str, Any]], name: str, schema: dict[str, Any]) -> None:
        if table.setdefault(name, schema) != schema:
            raise ValueError(f"two different shapes are called {name}")

    def dict_name(self, name: str) -> str:
        return name + "Dict" if name in self.records else name


def reference(schema: dict[str, Any]) -> str:
    return schema["$ref"].removeprefix("#/$defs/")


def kinds(schema: dict[str, Any]) -> list[str]:
    found = schema.get("type", [])
    return [found] if isinstance(found, str) else list(found)


SCALARS = {"string": "str", "integer": "int", "number": "float", "boolean": "bool", "null": "None"}


def union(parts: list[str]) -> str:
    """The parts as one type, None last."""
    flat = list(dict.fromkeys(part for joined in parts for part in joined.split(" | ")))
    return " | ".join([part for part in flat if part != "None"] + [part for part in flat if part == "None"])


class Response:
    """How a JSON value of a response looks in Python: its type, and the expression that converts it, if it needs one."""

    def __init__(self, types: Types) -> None:
        self.types = types

    def type_of(self, schema: dict[str, Any] | bool) -> str:
        if schema is True or schema == {}:
            return "object"
        assert isinstance(schema, dict)
        if "$ref" in schema:
            return reference(schema)
        if "anyOf" in schema:
            return union([self.type_of(part) for part in schema["anyOf"]])
        if "const" in schema:
            return f'Literal["{schema["const"]}"]'
        if is_literal(schema):
            return "Literal[" + ", ".join(f'"{text}"' for text in literals(schema)) + "]"
        return union([self.plain_type(kind, schema) for kind in kinds(schema)]) or "Any"

    def plain_type(self, kind: str, schema: dict[str, Any]) -> str:
        if kind == "array":
            if "prefixItems" in schema:
                return "tuple[" + ", ".join(self.type_of(item) for item in schema["prefixItems"]) + "]"
            item = self.type_of(schema.get("items", True))
            if schema.get("minItems") == schema.get("maxItems") != None:  # noqa: E711
                return "tuple[" + ", ".join([item] * schema["minItems"]) + "]"
            return f"Rows[{item}]" if item in self.types.records else f"builtins.list[{item}]"
        if kind == "object":
            if "patternProperties" in schema:
                (pattern, values), = schema["patternProperties"].items()
                assert pattern == r"^\d+$", pattern
                return f"dict[int, {self.type_of(values)}]"
            return f"dict[str, {self.type_of(schema.get('additionalProperties', True))}]"
        return SCALARS[kind]

    def converter(self, schema: dict[str, Any] | bool) -> str | None:
        if not isinstance(schema, dict):
            return None
        if "$ref" in schema:
            name = reference(schema)
            if name in self.types.records:
                return f"{name}._of"
            if name in self.types.unions:
                return f"one_of({', '.join(self.types.unions[name])})"
            return None
        if "anyOf" in schema:
            parts = [part for part in map(self.converter, schema["anyOf"]) if part]
            assert len(parts) <= 1, schema
            return f"optional({parts[0]})" if parts else None
        converted = [part for kind in kinds(schema) if (part := self.plain_converter(kind, schema))]
        assert len(converted) <= 1, schema
        if converted and "null" in kinds(schema):
            return f"optional({converted[0]})"
        return converted[0] if converted else None

    def plain_converter(self, kind: str, schema: dict[str, Any]) -> str | None:
        if kind == "array":
            if "prefixItems" in schema:
                assert not any(map(self.converter, schema["prefixItems"])), schema
                return "tuple"
            items = schema.get("items", True)
            item = self.converter(items)
            if schema.get("minItems") == schema.get("maxItems") != None:  # noqa: E711
                return f"tuple_of({item})" if item else "tuple"
            if self.type_of(items) in self.types.records:
                return f"rows_of({self.type_of(items)})"
            return f"list_of({item})" if item else None
        if kind == "object":
            if "patternProperties" in schema:
                return f"numbered({self.converter(*schema['patternProperties'].values())})"
            item = self.converter(schema.get("additionalProperties", True))
            return f"named({item})" if item else None
        return None

    def absent(self, name: str, schema: dict[str, Any], required: list[str]) -> str | None:
        """What a field is that the JSON leaves out, as an expression; none if it is always there."""
        if name in required:
            return None
        if schema.get("default") is not None:
            return repr(schema["default"])
        if "array" in kinds(schema) and "null" not in kinds(schema) and "prefixItems" not in schema:
            return "[]"
        if kinds(schema) == ["object"]:
            return "{}"
        if kinds(schema) == ["boolean"]:
            return "False"
        return "None"

    def column(self, schema: dict[str, Any]) -> str:
        """The kind of a column of such values: a scalar, a record whose fields become columns, or JSON."""
        if "$ref" in schema:
            return "str" if reference(schema) in self.types.literals else "record"
        if "anyOf" in schema:
            (one,) = {self.column(part) for part in schema["anyOf"] if kinds(part) != ["null"]}
            return one
        found = [kind for kind in kinds(schema) if kind != "null"]
        if found == ["number", "string"]:
            return "number"
        if len(found) == 1 and found[0] in SCALARS:
            return SCALARS[found[0]]
        return "str" if "const" in schema else "json"


class Request:
    """How a JSON value of a request may be given in Python."""

    def __init__(self, types: Types) -> None:
        self.types = types

    def type_of(self, schema: dict[str, Any]) -> str:
        if "$ref" in schema:
            name = reference(schema)
            if name in self.types.dicts and name in self.types.records:
                return f"{name} | {self.types.dict_name(name)}"
            return name
        if "anyOf" in schema:
            return union([self.type_of(part) for part in schema["anyOf"]])
        if is_literal(schema):
            return "Literal[" + ", ".join(f'"{text}"' for text in literals(schema)) + "]"
        if "const" in schema:
            return f'Literal["{schema["const"]}"]'
        if "oneOf" in schema:
            return union([self.type_of(part) for part in schema["oneOf"]])
        parts = []
        for kind in kinds(schema):
            if kind == "array":
                items = [self.type_of(schema["items"])] if "items" in schema else map(self.type_of, schema["prefixItems"])
                parts.append(f"Sequence[{union(list(items))}]")
            elif kind == "object":
                parts.append("Mapping[str, object]")
            else:
                parts.append(SCALARS[kind])
        return union(parts)

    def parameter(self, operation: str, name: str, schema: dict[str, Any]) -> tuple[str, str]:
        """The type of a parameter, and the function that reads it."""
        known = PARAMETERS_OF.get((operation, name)) or PARAMETERS.get(name)
        if known:
            return known
        if kinds(schema) == ["array"]:
            item = self.type_of(schema["items"])
            if item == "str" or reference_name(schema["items"]) in self.types.literals:
                return f"{item} | Iterable[{item}]", "texts"
            return f"Iterable[{item}]", "items"
        return self.type_of(schema), "plain"


def reference_name(schema: dict[str, Any]) -> str:
    return reference(schema) if "$ref" in schema else ""


def ordered(schema: dict[str, Any]) -> list[str]:
    """The fields, those that are always there first: their order is that of the declaration."""
    required = schema.get("required", [])
    return [*required, *(name for name in schema["properties"] if name not in required)]
