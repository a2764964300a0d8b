"""Typed objects over the JSON of responses: records, and rows of them."""

from __future__ import annotations

import copy
import html
import json
import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, Generic, SupportsIndex, TypeAlias, TypeVar, overload

from errare import _native

if TYPE_CHECKING:
    from typing import Self

Converter: TypeAlias = Callable[[Any], Any]


@dataclass(frozen=True, slots=True)
class Field:
    """A field of a record: its name in JSON, the column that its values make, and how they are converted."""

    key: str
    column: str
    convert: Converter | None
    absent: Any


Fields: TypeAlias = dict[str, Field]


def fields(*given: tuple[Any, ...]) -> Fields:
    """Fields from (attribute, key, column, converter, value if absent)."""
    return {name: Field(key, column, convert, *(absent or (None,))) for name, key, column, convert, *absent in given}


class Record:
    """A part of a response. Its fields have the names that JSON has; it cannot be changed, and can be pickled."""

    _fields: ClassVar[Fields]
    _json: dict[str, Any]

    def __init__(self, json: dict[str, Any], /) -> None:
        object.__setattr__(self, "_json", json)

    @classmethod
    def _of(cls, json: Any) -> Self:
        return cls(json)

    if not TYPE_CHECKING:

        def __getattr__(self, name: str) -> Any:
            field = type(self)._fields.get(name)
            if field is None:
                known = ", ".join(type(self)._fields)
                raise AttributeError(f"`{type(self).__name__}` has no field `{name}`: its fields are {known}")
            value = self._json.get(field.key, field.absent)
            if field.convert is not None:
                value = field.convert(value)
            elif isinstance(value, list | dict):
                value = copy.copy(value)
            # Found at once from now on. Two threads may both get here, and set the same.
            self.__dict__[name] = value
            return value

    def __setattr__(self, name: str, value: object) -> None:
        """Refuses to change a record."""
        raise AttributeError(f"`{type(self).__name__}` cannot be changed")

    def __delattr__(self, name: str) -> None:
        """Refuses to change a record."""
        raise AttributeError(f"`{type(self).__name__}` cannot be changed")

    def __getitem__(self, key: str) -> Any:
        """The value of a field by its name in JSON, as JSON has it."""
        return copy.deepcopy(self._json[key])

    def to_dict(self) -> dict[str, Any]:
        """The record as JSON has it: a copy, with what the response left out left out."""
        return copy.deepcopy(self._json)

    def __eq__(self, other: object) -> bool:
        """Whether the other is a record of the same kind with the same values."""
        return self._json == other._json if isinstance(other, Record) and type(self) is type(other) else NotImplemented

    __hash__ = None  # type: ignore[assignment]

    def __reduce__(self) -> tuple[Callable[..., Record], tuple[dict[str, Any]]]:
        """A record is its JSON."""
        return type(self), (self._json,)

    def __dir__(self) -> list[str]:
        """The fields, for completion."""
        return [*super().__dir__(), *type(self)._fields]

    def __repr__(self) -> str:
        """The record in one line, long values shortened."""
        shown = ", ".join(f"{name}={_short(getattr(self, name))}" for name in type(self)._fields)
        return f"{type(self).__name__}({shown})"

    def _repr_html_(self) -> str:
        rows = "".join(f"<tr><th>{html.escape(name)}</th><td>{_cell(getattr(self, name))}</td></tr>" for name in self._fields)
        return f"<table>{rows}</table>"


def _short(value: object) -> str:
    if isinstance(value, Rows):
        return f"<{len(value)} {value._kind.__name__}>"
    text = repr(value)
    return text if len(text) <= 60 else f"{text[:57]}..."


def _cell(value: object) -> str:
    """A value in a cell of HTML."""
    if value is None:
        return ""
    if isinstance(value, float):
        return f"{value:.6g}"
    if isinstance(value, Record):
        return html.escape(_short(value))
    if isinstance(value, Rows):
        return html.escape(_short(value).strip("<>"))
    text = value if isinstance(value, str) else _short(value)
    return html.escape(text if len(text) <= 200 else text[:197] + "...")


R = TypeVar("R", bound=Record)
T = TypeVar("T")


class Rows(Generic[R]):
    """Records of one kind in a row. Every library that knows the Arrow PyCapsule interface reads it as a table:
    `polars.DataFrame(rows)`, `pyarrow.table(rows)`, `pandas.DataFrame.from_arrow(rows)`, `duckdb.from_arrow(rows)`.

    Each field is a column; those of a record within are named as `depth.plies`, and lists are JSON.
    """

    __slots__ = ("_json", "_kind")
    _json: list[dict[str, Any]]
    _kind: type[R]

    def __init__(self, kind: type[R], json: list[dict[str, Any]], /) -> None:
        self._kind = kind
        self._json = json

    if not TYPE_CHECKING:

        def __getattr__(self, name: str) -> Any:
            if name.startswith("_"):
                raise AttributeError(name)
            of_each = f": each of them has, as in `rows[0].{name}`" if hasattr(self._kind, name) or name in self._kind._fields else ""
            raise AttributeError(f"rows of `{self._kind.__name__}` have no `{name}`{of_each}")

    def __len__(self) -> int:
        """Number of records."""
        return len(self._json)

    @overload
    def __getitem__(self, place: SupportsIndex) -> R: ...

    @overload
    def __getitem__(self, place: slice) -> Rows[R]: ...

    def __getitem__(self, place: SupportsIndex | slice) -> R | Rows[R]:
        """A record, or some of them."""
        return Rows(self._kind, self._json[place]) if isinstance(place, slice) else self._kind(self._json[place])

    def __iter__(self) -> Iterator[R]:
        """The records, from the first."""
        return map(self._kind, self._json)

    def __reversed__(self) -> Iterator[R]:
        """The records, from the last."""
        return map(self._kind, reversed(self._json))

    def __contains__(self, record: object) -> bool:
        """Whether a record is among them."""
        return isinstance(record, self._kind) and record._json in self._json

    def __eq__(self, other: object) -> bool:
        """Whether the other has the same records."""
        if isinstance(other, Rows):
            return self._kind is other._kind and self._json == other._json
        return list(self) == other if isinstance(other, list) else NotImplemented

    __hash__ = None  # type: ignore[assignment]

    def __reduce__(self) -> tuple[Callable[..., Rows[R]], tuple[type[R], list[dict[str, Any]]]]:
        """Rows are their JSON."""
        return Rows, (self._kind, self._json)

    def __repr__(self) -> str:
        """The first records."""
        shown = ",\n ".join(map(repr, self[:5])) + (f",\n ... {len(self) - 5} more" if len(self) > 5 else "")
        return f"[{shown}]"

    def to_dicts(self) -> list[dict[str, Any]]:
        """The records as JSON has them: a copy."""
        return copy.deepcopy(self._json)

    def columns(self) -> dict[str, list[Any]]:
        """The columns by name; a missing value is None."""
        return {name: values for name, _, values in _columns(self._kind, self._json, "")}

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        """The records as a stream of Arrow record batches."""
        return _native.Columns(_columns(self._kind, self._json, "")).__arrow_c_stream__(requested_schema)

    def _repr_html_(self) -> str:
        names = [name for name, field in self._kind._fields.items() if field.column != "json"] or list(self._kind._fields)
        head = "".join(f"<th>{html.escape(name)}</th>" for name in names)
        most = 30
        rows = ["".join(f"<td>{_cell(getattr(record, name))}</td>" for name in names) for record in self[:most]]
        more = f"<p>{len(self) - most} more rows</p>" if len(self) > most else ""
        body = "".join(f"<tr>{row}</tr>" for row in rows)
        return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>{more}"


def _columns(kind: type[Record], rows: list[Any], prefix: str) -> list[tuple[str, str, list[Any]]]:
    """Columns as (name, kind, values) of the JSON of records, some of which may be None."""
    found: list[tuple[str, str, list[Any]]] = []
    for name, field in kind._fields.items():
        values = [None if row is None else row.get(field.key, field.absent) for row in rows]
        if field.column == "record":
            inner = _record_kind(field, values)
            found += _columns(inner, values, f"{prefix}{name}.") if inner else []
        elif field.column == "json":
            texts = [None if value is None else json.dumps(value, ensure_ascii=False) for value in values]
            found.append((prefix + name, "str", texts))
        elif field.column == "number":
            found.append((prefix + name, *_numbers(values)))
        else:
            found.append((prefix + name, field.column, values))
    return found


def _record_kind(field: Field, values: list[Any]) -> type[Record] | None:
    """The class of the records that a field holds."""
    example = next((value for value in values if value is not None), None)
    record = field.convert(example) if field.convert is not None and example is not None else None
    return type(record) if isinstance(record, Record) else None


def _numbers(values: list[Any]) -> tuple[str, list[Any]]:
    """Numbers whose limits are words; as texts if a word is not a number."""
    try:
        return "float", [None if value is None else float(value) for value in values]
    except ValueError:
        return "str", [None if value is None else str(value) for value in values]


def optional(convert: Converter) -> Converter:
    """Converts what is not None."""
    return lambda value: None if value is None else convert(value)


def rows_of(kind: type[R]) -> Callable[[Any], Rows[R]]:
    """Converts a list of records."""
    return lambda json: Rows(kind, json)


def list_of(convert: Converter) -> Converter:
    """Converts each item of a list."""
    return lambda values: [convert(value) for value in values]


def tuple_of(convert: Converter) -> Converter:
    """Converts each item of a tuple."""
    return lambda values: tuple(convert(value) for value in values)


def named(convert: Converter) -> Converter:
    """Converts each value of a dictionary."""
    return lambda values: {key: convert(value) for key, value in values.items()}


def numbered(convert: Converter | None) -> Converter:
    """Converts a dictionary whose keys are numbers."""
    return lambda values: {int(key): value if convert is None else convert(value) for key, value in values.items()}


S = TypeVar("S", bound=Record)


def one_of(first: type[R], second: type[S]) -> Callable[[Any], R | S]:
    """Converts a record of one of two kinds: the one whose fields are those of the JSON."""

    def convert(value: Any) -> R | S:
        is_first = {field.key for field in first._fields.values()} == value.keys()
        return first(value) if is_first else second(value)

    return convert


def number(value: float | str | None) -> float:
    """A number whose limits are words in JSON; what is missing is infinite."""
    return math.inf if value is None else float(value)
