import re
from decimal import Decimal

DecimalInput = Decimal | int | float | str
"""A decimal argument; a float is accepted only if it has not lost digits."""

_DECIMAL_PATTERN = re.compile(r"-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?")
# A float preserves 15 significant digits; a longer repr shows a rounding error.
_EXACT_DIGITS = 15
_LARGEST_EXACT_WHOLE = 2**53 - 1


def decimal_text(value: object, name: str) -> str:
    """Returns the digits to send. Raises if the value is not a decimal, or is a rounded float."""
    if isinstance(value, bool):
        raise TypeError(f"{name} is {value}; pass a decimal such as Decimal('1500.00')")
    if isinstance(value, int):
        return str(value)
    if isinstance(value, float):
        return _float_text(value, name)
    if isinstance(value, Decimal):
        if not value.is_finite():
            raise ValueError(f"{name} is {value}, which is not an amount")
        return format(abs(value) if value.is_zero() else value, "f")
    if isinstance(value, str):
        if _DECIMAL_PATTERN.fullmatch(value):
            return value
        raise ValueError(f"{name} is {value!r}; pass a decimal such as '1500.00'")
    raise TypeError(f"{name} is a {type(value).__name__}; pass a decimal such as '1500.00'")


def _float_text(value: float, name: str) -> str:
    if value.is_integer() and abs(value) <= _LARGEST_EXACT_WHOLE:
        return str(int(value))
    exact = Decimal(repr(value))
    if exact.is_finite() and not value.is_integer():
        digits = exact.as_tuple().digits
        if len(digits) <= _EXACT_DIGITS:
            return format(exact, "f")
    raise ValueError(
        f"{name} is the float {value!r}, which may have lost digits; pass a Decimal or text"
    )
