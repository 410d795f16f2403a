from datetime import datetime, timezone
from decimal import Decimal
from typing import Any, cast
from uuid import UUID

import pytest
from hypothesis import given
from hypothesis import strategies as st

from switchyard._decimal import decimal_text
from switchyard._decimal_json import read_json, write_json

DECIMALS = st.decimals(allow_nan=False, allow_infinity=False) | st.from_regex(
    r"-?(?:0|[1-9][0-9]{0,29})(?:\.[0-9]{1,30})?", fullmatch=True
).map(Decimal)
JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(10**30), 10**30)
    | st.text()
    | st.decimals(allow_nan=False, allow_infinity=False, places=6),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
)


def digits(value: Decimal) -> str:
    """Zero has no sign."""
    return format(value if value else abs(value), "f")


@given(DECIMALS, st.lists(DECIMALS))
def test_any_decimal_goes_out_as_a_number_and_comes_back_with_the_same_digits(
    amount: Decimal, rates: list[Decimal]
) -> None:
    paths = ("amount", "rows.*.rate", "by.*")
    text = write_json(
        {"amount": amount, "rows": [{"rate": one} for one in rates], "by": {"NGN": str(1)}}, paths
    )
    assert text.startswith(f'{{"amount":{digits(amount)},')
    read = cast(Any, read_json(text, paths))
    assert digits(read["amount"]) == digits(amount)
    assert [digits(row["rate"]) for row in read["rows"]] == [digits(one) for one in rates]
    assert read["by"] == {"NGN": Decimal(1)}
    assert isinstance(read["by"]["NGN"], Decimal)


@given(st.floats(), st.integers())
def test_any_float_that_is_accepted_keeps_its_value(value: float, whole: int) -> None:
    assert decimal_text(whole, "amount") == str(whole)
    try:
        text = decimal_text(value, "amount")
    except ValueError:
        return
    assert float(text) == value
    assert len(Decimal(text).normalize().as_tuple().digits) <= 16


@given(JSON)
def test_any_json_is_written_and_read_without_loss(value: Any) -> None:
    assert read_json(write_json(value)) == value


@pytest.mark.parametrize(
    "value", [0.1 + 0.2, 1e21, float(2**53), 1.1 * 3, float("nan"), float("inf")]
)
def test_a_float_that_may_have_lost_digits_is_refused(value: float) -> None:
    with pytest.raises(ValueError, match="amount is the float"):
        decimal_text(value, "amount")


@pytest.mark.parametrize(
    "value",
    [
        "",
        " 5",
        "5 ",
        "+5",
        "05",
        ".5",
        "5.",
        "1e3",
        "1,000",
        "five",
        "0x10",
        "1_000",
        "5\n",
        "\u0665",
    ],
)
def test_text_that_is_no_decimal_is_refused(value: str) -> None:
    with pytest.raises(ValueError, match=r"rows\.0\.amount is"):
        decimal_text(value, "rows.0.amount")


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (5000, "5000"),
        (0.1, "0.1"),
        (-12.5, "-12.5"),
        (5000.0, "5000"),
        (-0.0, "0"),
        (1e-7, "0.0000001"),
        (9_007_199_254_740_991.0, "9007199254740991"),
        (123_456_789.012345, "123456789.012345"),
        (10**30, "1" + "0" * 30),
        (Decimal("1500.00"), "1500.00"),
        (Decimal("1E+3"), "1000"),
        (Decimal("1234.123456789012345678"), "1234.123456789012345678"),
        ("1500.00", "1500.00"),
    ],
)
def test_what_is_sent(value: object, text: str) -> None:
    assert decimal_text(value, "amount") == text


@pytest.mark.parametrize("value", [Decimal("NaN"), Decimal("sNaN"), Decimal("Infinity")])
def test_a_decimal_that_is_no_number_is_refused(value: Decimal) -> None:
    with pytest.raises(ValueError, match="not an amount"):
        decimal_text(value, "amount")


@pytest.mark.parametrize("value", [True, None, [], b"5"])
def test_other_types_are_refused(value: object) -> None:
    with pytest.raises(TypeError, match="amount is"):
        decimal_text(value, "amount")


def test_whole_numbers_are_decimals_at_the_given_places_only() -> None:
    read = cast(
        Any, read_json('{"amount":5,"count":3,"ok":true,"metadata":{"a":1.50}}', ("amount",))
    )
    assert read == {"amount": 5, "count": 3, "ok": True, "metadata": {"a": Decimal("1.50")}}
    assert [type(read[name]) for name in ("amount", "count", "ok")] == [Decimal, int, bool]
    assert str(read["metadata"]["a"]) == "1.50"


def test_moments_and_ids_are_written_as_the_api_writes_them() -> None:
    at = datetime(2026, 3, 1, 9, 30, tzinfo=timezone.utc)
    assert write_json({"at": at, "id": UUID(int=1)}) == (
        '{"at":"2026-03-01T09:30:00+00:00","id":"00000000-0000-0000-0000-000000000001"}'
    )
    with pytest.raises(ValueError, match="at is a datetime without a time zone"):
        write_json({"at": at.replace(tzinfo=None)})


@pytest.mark.parametrize(
    ("value", "message"),
    [
        ({"limits": [{"share": float("nan")}]}, "limits.0.share is nan"),
        ({"rows": [object()]}, "rows.0 is a object"),
        ({"a": {1: 2}}, "a has the key 1"),
        ({"a": b"bytes"}, "a is a bytes"),
    ],
)
def test_what_json_cannot_hold_is_refused_with_its_place(value: object, message: str) -> None:
    with pytest.raises((ValueError, TypeError), match=message):
        write_json(value)


@pytest.mark.parametrize("text", ["NaN", "[Infinity]", "{", ""])
def test_what_is_not_json_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r"JSON|Expecting"):
        read_json(text)
