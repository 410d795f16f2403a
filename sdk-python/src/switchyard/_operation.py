import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from decimal import Decimal
from typing import Generic, TypeVar
from urllib.parse import quote, urlencode
from uuid import UUID

from ._decimal import decimal_text
from ._decimal_json import DecimalPaths, plain_text
from ._options import CallOptions

Data = TypeVar("Data")


@dataclass(frozen=True)
class Operation(Generic[Data]):
    """How to call an API operation, and what it returns."""

    id: str
    method: str
    path: str
    """For example `/v1/payments/{payment_id}`."""
    sends: DecimalPaths = ()
    """The paths of decimals in the request body."""
    query_decimals: tuple[str, ...] = ()
    receives: DecimalPaths = ()
    """The paths of decimals in the whole response."""
    envelope: str | None = None
    """The field of the response that holds the data; None if the response is the data."""
    cursor: str | None = None
    """The name of a paged list's cursor, in the query and in `meta`."""


@dataclass(frozen=True)
class Input:
    """The arguments of a call."""

    path: tuple[str, ...] = ()
    query: Mapping[str, object] = field(default_factory=dict)
    body: object = None
    options: CallOptions = field(default_factory=CallOptions)


_PARAMETER = re.compile(r"\{(\w+)\}")


def target_of(operation: Operation[Data], given: Input) -> str:
    """Builds the path and the query."""
    values = iter(given.path)
    path = _PARAMETER.sub(lambda match: _segment(match[1], next(values, None)), operation.path)
    pairs = [
        (name, _query_text(operation, name, one))
        for name, value in given.query.items()
        for one in _values(value)
        if one is not None
    ]
    return f"{path}?{urlencode(pairs)}" if pairs else path


def _values(value: object) -> Sequence[object]:
    return value if isinstance(value, Sequence) and not isinstance(value, str) else [value]


def _segment(name: str, value: object) -> str:
    """An empty id, `.` or `..` would change the path."""
    if not isinstance(value, str) or value in ("", ".", ".."):
        raise ValueError(f"{name} is {value!r}, which is not an id")
    return quote(value, safe="")


def _query_text(operation: Operation[Data], name: str, value: object) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if name in operation.query_decimals or isinstance(value, (Decimal, float)):
        return decimal_text(value, name)
    if isinstance(value, (datetime, UUID)):
        return plain_text(value, name)
    if isinstance(value, (str, int)):
        return str(value)
    raise TypeError(f"{name} is a {type(value).__name__}, which cannot be sent in a query")
