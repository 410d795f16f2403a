import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from decimal import Decimal
from functools import lru_cache
from typing import NoReturn
from uuid import UUID

from ._decimal import decimal_text

DecimalPaths = tuple[str, ...]
"""The paths of decimals in a body, such as `data.*.amount`; `*` matches every element."""

_EVERY_ELEMENT = "*"


@dataclass
class _Places:
    is_decimal: bool = False
    inside: dict[str, "_Places"] = field(default_factory=dict)

    def at(self, name: str) -> "_Places":
        return self.inside.get(name) or self.inside.get(_EVERY_ELEMENT) or _NO_PLACES


_NO_PLACES = _Places()


def read_json(text: str | bytes, decimals: DecimalPaths = ()) -> object:
    """Parses JSON. Fractional numbers, and all numbers at the given paths, become `Decimal`."""
    parsed = json.loads(text, parse_float=Decimal, parse_constant=_refuse_constant)
    return _with_decimals(parsed, _places_of(decimals))


def write_json(value: object, decimals: DecimalPaths = ()) -> str:
    """Writes JSON. A `Decimal`, or text at the given paths, becomes a number of the same digits."""
    return _write(value, _places_of(decimals), "")


def _refuse_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is not JSON")


@lru_cache(maxsize=1024)
def _places_of(decimals: DecimalPaths) -> _Places:
    root = _Places()
    for path in decimals:
        place = root
        for name in path.split("."):
            place = place.inside.setdefault(name, _Places())
        place.is_decimal = True
    return root


def _with_decimals(value: object, places: _Places) -> object:
    if places.is_decimal and isinstance(value, int) and not isinstance(value, bool):
        return Decimal(value)
    if not places.inside:
        return value
    if isinstance(value, list):
        return [_with_decimals(element, places.at(_EVERY_ELEMENT)) for element in value]
    if isinstance(value, dict):
        return {name: _with_decimals(one, places.at(name)) for name, one in value.items()}
    return value


def _write(value: object, places: _Places, at: str) -> str:
    if value is None or isinstance(value, bool):
        return json.dumps(value)
    if places.is_decimal and isinstance(value, (Decimal, int, float, str)):
        return decimal_text(value, at)
    if isinstance(value, Decimal):
        return decimal_text(value, at or "the body")
    if isinstance(value, (str, int)):
        return json.dumps(value, ensure_ascii=False)
    if isinstance(value, float):
        return _plain_float(value, at)
    if isinstance(value, (datetime, UUID)):
        return json.dumps(plain_text(value, at))
    if isinstance(value, Mapping):
        fields = (
            f"{json.dumps(_key(name, at), ensure_ascii=False)}:"
            f"{_write(one, places.at(name), _below(at, name))}"
            for name, one in value.items()
        )
        return f"{{{','.join(fields)}}}"
    if isinstance(value, Sequence) and not isinstance(value, (bytes, bytearray)):
        elements = (
            _write(one, places.at(_EVERY_ELEMENT), _below(at, str(index)))
            for index, one in enumerate(value)
        )
        return f"[{','.join(elements)}]"
    raise TypeError(f"{at or 'the body'} is a {type(value).__name__}, which JSON cannot represent")


def plain_text(value: datetime | UUID, at: str) -> str:
    """A timestamp or an id in the API's format."""
    if isinstance(value, UUID):
        return str(value)
    if value.tzinfo is None:
        raise ValueError(f"{at} is a datetime without a time zone")
    return value.isoformat()


def _plain_float(value: float, at: str) -> str:
    if value != value or value in (float("inf"), float("-inf")):
        raise ValueError(f"{at or 'the body'} is {value}, which JSON cannot represent")
    return json.dumps(value)


def _key(name: object, at: str) -> str:
    if not isinstance(name, str):
        raise TypeError(f"{at or 'the body'} has the key {name!r}, which is not text")
    return name


def _below(at: str, name: str) -> str:
    return f"{at}.{name}" if at else name
