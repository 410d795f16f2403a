import asyncio
import builtins
import pickle
from datetime import datetime, timezone
from decimal import Decimal
from typing import Any

import httpx
import pytest

from switchyard import (
    AllProvidersFailed,
    ApiError,
    AsyncSwitchyard,
    ConnectionError,
    CsvFile,
    Forbidden,
    KybRequired,
    OutcomeUnknown,
    Switchyard,
    SwitchyardError,
)

from .stub import BASE_URL, BODY, PAYMENT, PLANTED_KEY, Make, answer, initiated, lost, refusal


def test_has_both_credential_headers_and_a_post_a_key_and_exact_digits(make: Make) -> None:
    stub = make([initiated()])
    result = stub.call(lambda sy: sy.payments.initiate(BODY))
    assert result["payment_data"]["amount"] == Decimal("1500.00")
    assert str(result["payment_data"]["amount"]) == "1500.00"
    (sent,) = stub.sent
    assert (sent.method, str(sent.url)) == ("POST", f"{BASE_URL}/v1/payments-init/initiate")
    assert b'"amount":1500.00,"target_amount":1500,' in sent.content
    assert sent.headers["authorization"] == "NONE"
    assert sent.headers["x-api-key"] == PLANTED_KEY
    assert sent.headers["content-type"] == sent.headers["accept"] == "application/json"
    assert len(sent.headers["idempotency-key"]) == 32


def test_an_access_token_is_asked_for_each_time_and_no_api_key_is_sent(make: Make) -> None:
    tokens = ["one", "two"]
    replies = [refusal(503, "SERVICE_UNAVAILABLE"), answer(PAYMENT)]
    stub = make(replies, api_key=None, access_token=lambda: tokens.pop(0))
    stub.call(lambda sy: sy.payments.get("p-1"))
    assert [one.headers["authorization"] for one in stub.sent] == ["Bearer one", "Bearer two"]
    assert stub.sent[0].headers["x-api-key"] == "NONE"
    assert "idempotency-key" not in stub.sent[0].headers


def test_an_access_token_may_be_awaited() -> None:
    sent: list[str] = []

    async def token() -> str:
        return "later"

    async def reply(request: httpx.Request) -> httpx.Response:
        sent.append(request.headers["authorization"])
        return answer(PAYMENT)

    async def read() -> None:
        transport = httpx.MockTransport(reply)
        async with AsyncSwitchyard(BASE_URL, access_token=token, transport=transport) as sy:
            await sy.payments.get("p-1")

    asyncio.run(read())
    assert sent == ["Bearer later"]


def test_puts_arguments_into_path_and_query(make: Make) -> None:
    empty: Any = {"data": [], "meta": {}}
    stub = make([answer(PAYMENT), answer(empty), answer(empty), answer({"data": {}})])
    stub.call(lambda sy: sy.payments.get("a/b?c"))
    stub.call(lambda sy: sy.transactions.list(status="failed", limit=5).first_page())
    at = datetime(2026, 3, 1, tzinfo=timezone.utc)
    stub.call(lambda sy: sy.transactions.list(from_=at).first_page())
    stub.call(
        lambda sy: sy.fees.quote(
            direction="payin",
            payment_method="card",
            country="NG",
            currency="NGN",
            amount=Decimal("10.50"),
        )
    )
    assert [request.url.raw_path.decode() for request in stub.sent] == [
        "/v1/payments/a%2Fb%3Fc",
        "/v1/transactions?status=failed&limit=5",
        "/v1/transactions?from=2026-03-01T00%3A00%3A00%2B00%3A00",
        "/v1/fees/quote?direction=payin&payment_method=card&country=NG&currency=NGN&amount=10.50",
    ]


@pytest.mark.parametrize("payment_id", ["", ".", "..", None, 5])
def test_refuses_ids_that_are_another_path(make: Make, payment_id: Any) -> None:
    stub = make([])
    error = stub.error(lambda sy: sy.payments.get(payment_id))
    assert isinstance(error, ValueError)
    assert "payment_id is" in str(error)
    assert stub.sent == []


def test_is_never_sent_when_an_amount_has_lost_digits(make: Make) -> None:
    stub = make([])
    error = stub.error(lambda sy: sy.payments.initiate({**BODY, "amount": 0.1 + 0.2}))
    assert isinstance(error, ValueError)
    assert "amount is the float" in str(error)
    assert stub.sent == []


def test_a_csv_file_is_sent_as_it_is(make: Make) -> None:
    stub = make([answer({"data": {}})])
    stub.call(lambda sy: sy.payout_batches.create(CsvFile("a,b\n1,2\n")))
    assert stub.sent[0].headers["content-type"] == "text/csv"
    assert stub.sent[0].content == b"a,b\n1,2\n"


def test_with_response_has_the_status_the_headers_and_the_request_id(make: Make) -> None:
    stub = make([refusal(503, "X"), answer(PAYMENT, 200, {"x-extra": "yes"})])
    got = stub.call(lambda sy: sy.with_response(sy.payments.get, "p-1", timeout=5))
    assert got.data["payment_id"] == "p-1"
    assert (got.status, got.headers["x-extra"], got.request_id) == (200, "yes", "request-1")
    paged = make([answer({"data": [], "meta": {}}, 200)])
    first = paged.call(lambda sy: sy.with_response(sy.transactions.list().first_page))
    assert (first.data.data, first.status) == ([], 200)


def test_with_response_of_a_list_says_what_to_pass() -> None:
    sy = Switchyard(BASE_URL, api_key="k")
    with pytest.raises(TypeError, match="first_page"):
        sy.with_response(sy.transactions.list)


def test_does_not_follow_a_redirect_which_would_carry_the_key_to_another_host(make: Make) -> None:
    stub = make([httpx.Response(302, headers={"location": "https://evil.example.com/"})])
    error = stub.error(lambda sy: sy.payments.get("p-1"))
    assert isinstance(error, ApiError)
    assert "redirected" in str(error)
    assert len(stub.sent) == 1


def test_errors_have_the_class_of_their_code_and_all_that_the_answer_says(make: Make) -> None:
    failure = {"code": "DECLINED", "message": "No money"}
    body = {
        "message": "Every provider refused.",
        "code": "ALL_PROVIDERS_FAILED",
        "payment_id": "p-9",
        "failure": failure,
        "details": [{"path": "amount", "message": "too much"}],
        "request_id": "request-9",
    }
    error = make([answer(body, 502)]).error(lambda sy: sy.payments.get("p-1"))
    assert isinstance(error, AllProvidersFailed)
    assert (error.payment_id, error.failure, error.request_id) == ("p-9", failure, "request-9")
    assert error.details[0]["path"] == "amount"
    assert str(error) == "ALL_PROVIDERS_FAILED: Every provider refused. (request request-9)"
    kyb = make([refusal(403, "KYB_REQUIRED")]).error(lambda sy: sy.payments.get("p-1"))
    assert isinstance(kyb, KybRequired)
    assert isinstance(kyb, Forbidden)


def test_errors_without_a_code_or_with_a_newer_one(make: Make) -> None:
    plain = make([answer({"message": "no"}, 403)]).error(lambda sy: sy.payments.get("p-1"))
    assert (type(plain), plain.code) == (Forbidden, "FORBIDDEN")
    newer = make([refusal(418, "NEW_CODE")]).error(lambda sy: sy.payments.get("p-1"))
    assert (type(newer), newer.code, newer.status) == (ApiError, "NEW_CODE", 418)
    for content in ("<html>", "[" * 100_000, "[]", "null"):
        proxy = make([answer(content, 418)]).error(lambda sy: sy.payments.get("p-1"))
        assert (type(proxy), proxy.code) == (ApiError, None)


def test_errors_survive_a_process_boundary() -> None:
    error = Switchyard(
        BASE_URL,
        api_key="k",
        transport=httpx.MockTransport(lambda _request: refusal(404, "NOT_FOUND")),
    )
    with pytest.raises(ApiError) as raised:
        error.payments.get("p-1")
    copy = pickle.loads(pickle.dumps(raised.value))  # noqa: S301 (of our own making)
    assert (type(copy), str(copy)) == (type(raised.value), str(raised.value))
    unknown = pickle.loads(pickle.dumps(OutcomeUnknown("x", "order-1")))  # noqa: S301
    assert unknown.idempotency_key == "order-1"


def test_a_lost_connection_is_also_the_error_of_the_language(make: Make) -> None:
    error = make([lost()], max_retries=0).error(lambda sy: sy.payments.get("p-1"))
    assert isinstance(error, ConnectionError)
    assert isinstance(error, builtins.ConnectionError)
    assert isinstance(error, SwitchyardError)
    assert str(error) == f"No response from {BASE_URL}: Connection reset by peer"


def test_request_reaches_what_this_version_has_no_method_for(make: Make) -> None:
    stub = make([answer('{"data":{"amount":10.00,"count":1}}')])
    got = stub.call(lambda sy: sy.request("post", "/v1/new", query={"a": 1}, body={"b": 2}))
    assert got == {"data": {"amount": Decimal("10.00"), "count": 1}}
    (sent,) = stub.sent
    assert (sent.method, sent.url.raw_path, sent.content) == ("POST", b"/v1/new?a=1", b'{"b":2}')
    assert isinstance(stub.error(lambda sy: sy.request("GET", "v1/new")), ValueError)


@pytest.mark.parametrize("kind", [Switchyard, AsyncSwitchyard])
@pytest.mark.parametrize(
    ("base_url", "credentials", "message"),
    [
        ("https://pay.example.com", {}, "either api_key or access_token"),
        ("https://pay.example.com", {"api_key": "a", "access_token": "b"}, "either api_key"),
        ("ftp://pay.example.com", {"api_key": "a"}, "base_url must be"),
        ("pay.example.com", {"api_key": "a"}, "base_url must be"),
        ("https://pay.example.com?a=1", {"api_key": "a"}, "base_url must be"),
        ("https://", {"api_key": "a"}, "base_url must be"),
        ("https://pay.example.com:port", {"api_key": "a"}, "base_url must be"),
    ],
)
def test_a_client_refuses_wrong_settings(
    kind: Any, base_url: str, credentials: Any, message: str
) -> None:
    with pytest.raises(ValueError, match=message):
        kind(base_url, **credentials)
