from email.utils import formatdate

import httpx
import pytest

from switchyard import (
    AllProvidersFailed,
    ApiError,
    Conflict,
    ConnectionError,
    IdempotencyConflict,
    IdempotencyInProgress,
    OutcomeUnknown,
    RateLimited,
)

from .stub import (
    BODY,
    PAYMENT,
    Make,
    Reply,
    Stub,
    answer,
    initiated,
    lost,
    refusal,
    refused,
)


def keys(stub: Stub) -> list[str | None]:
    return [request.headers.get("idempotency-key") for request in stub.sent]


@pytest.mark.parametrize(("random", "delays"), [(0, [0.5, 0.5]), (0.5, [0.5, 0.75]), (1, [0.5, 1])])
def test_wait_exactly_as_long_as_the_schedule_says_under_one_key(
    make: Make, random: float, delays: list[float]
) -> None:
    stub = make([lost(), refusal(503, "SERVICE_UNAVAILABLE"), initiated()], random)
    stub.call(lambda sy: sy.payments.initiate(BODY))
    assert stub.delays == delays
    assert len(set(keys(stub))) == 1
    assert keys(stub)[0] is not None
    assert [(one.attempt, one.status) for one in stub.log] == [(1, None), (2, 503), (3, 200)]


def test_two_calls_have_two_keys(make: Make) -> None:
    stub = make([initiated()])
    other = make([initiated()])
    for one in (stub, other):
        one.call(lambda sy: sy.payments.initiate(BODY))
    assert keys(stub) != keys(other)


def test_grow_up_to_five_seconds(make: Make) -> None:
    stub = make([*(lost() for _ in range(6)), answer(PAYMENT)], 1, max_retries=6)
    stub.call(lambda sy: sy.payments.get("p-1"))
    assert stub.delays == [0.5, 1, 2, 4, 5, 5]


def test_honour_retry_after_in_seconds_or_as_a_date_up_to_a_minute(make: Make) -> None:
    def limited(value: str) -> httpx.Response:
        return refusal(429, "RATE_LIMITED", {"retry-after": value})

    stub = make([limited("3"), limited(formatdate(10, usegmt=True)), answer(PAYMENT)])
    stub.call(lambda sy: sy.payments.get("p-1"))
    assert stub.delays == [3, 7]
    impatient = make([limited("61")])
    error = impatient.error(lambda sy: sy.payments.get("p-1"))
    assert (type(error), error.retry_after, len(impatient.sent)) == (RateLimited, 61, 1)
    odd = make([limited("soon"), answer(PAYMENT)])
    odd.call(lambda sy: sy.payments.get("p-1"))
    assert odd.delays == [0.5]


@pytest.mark.parametrize("status", [400, 401, 403, 404, 409, 422, 500, 502])
def test_are_not_made_for_other_statuses(make: Make, status: int) -> None:
    stub = make([refusal(status, "X")])
    error = stub.error(lambda sy: sy.payments.get("p-1"))
    assert (error.status, error.code, error.request_id) == (status, "X", "request-1")
    assert len(stub.sent) == 1


def test_end_with_the_options_of_the_call(make: Make) -> None:
    stub = make([lost()])
    error = stub.error(lambda sy: sy.payments.get("p-1", max_retries=0, timeout=2.5))
    assert (type(error), len(stub.sent)) == (ConnectionError, 1)
    assert set(stub.sent[0].extensions["timeout"].values()) == {2.5}


def unknown(make: Make, replies: list[Reply]) -> tuple[Exception, Stub]:
    stub = make(replies)
    call = stub.error(lambda sy: sy.payments.initiate(BODY, idempotency_key="order-1"))
    return call, stub


def test_a_payment_whose_connections_were_lost_has_not_failed(make: Make) -> None:
    error, stub = unknown(make, [lost(), lost(), lost()])
    assert isinstance(error, OutcomeUnknown)
    assert error.idempotency_key == "order-1"
    assert isinstance(error.__cause__, ConnectionError)
    assert keys(stub) == ["order-1"] * 3


@pytest.mark.parametrize(
    "cause",
    [httpx.ReadTimeout("x"), httpx.WriteError("x"), httpx.RemoteProtocolError("x"), lost()],
)
def test_an_attempt_that_may_have_arrived_is_unknown(make: Make, cause: Exception) -> None:
    stub = make([cause], max_retries=0)
    assert isinstance(stub.error(lambda sy: sy.payments.initiate(BODY)), OutcomeUnknown)


@pytest.mark.parametrize("cause", [refused(), httpx.ConnectTimeout("x"), httpx.PoolTimeout("x")])
def test_an_attempt_that_was_never_sent_is_known(make: Make, cause: Exception) -> None:
    error, _stub = unknown(make, [cause, cause, cause])
    assert isinstance(error, ConnectionError)
    error, _stub = unknown(make, [lost(), cause, cause])
    assert isinstance(error, OutcomeUnknown)


@pytest.mark.parametrize(
    ("status", "code"), [(429, "RATE_LIMITED"), (401, "UNAUTHORIZED"), (503, "SERVICE_UNAVAILABLE")]
)
def test_an_early_refusal_does_not_settle_a_lost_connection(
    make: Make, status: int, code: str
) -> None:
    error, _stub = unknown(make, [lost(), lost(), refusal(status, code)])
    assert isinstance(error, OutcomeUnknown)
    assert isinstance(error.__cause__, ApiError)


def test_a_definite_answer_under_the_key_settles_a_lost_connection(make: Make) -> None:
    error, _stub = unknown(make, [lost(), refusal(502, "ALL_PROVIDERS_FAILED")])
    assert isinstance(error, AllProvidersFailed)


def test_500_and_a_gateway_that_gave_up_are_unknown_503_is_not(make: Make) -> None:
    gateway = httpx.Response(502, content="<html>Bad Gateway</html>")
    for reply in (refusal(500, "INTERNAL_ERROR"), gateway):
        error, _stub = unknown(make, [reply])
        assert isinstance(error, OutcomeUnknown)
    error, _stub = unknown(make, [refusal(503, "SERVICE_UNAVAILABLE") for _ in range(3)])
    assert isinstance(error, ApiError)


def test_a_first_call_that_still_runs_is_waited_for_half_a_minute(make: Make) -> None:
    def running() -> httpx.Response:
        return refusal(409, "IDEMPOTENCY_IN_PROGRESS", {"retry-after": "2"})

    stub = make([lost(), running(), running(), initiated()])
    stub.call(lambda sy: sy.payments.initiate(BODY))
    assert stub.delays == [0.5, 2, 2]
    error, endless = unknown(make, [running() for _ in range(30)])
    assert isinstance(error, OutcomeUnknown)
    assert isinstance(error.__cause__, IdempotencyInProgress)
    assert 30 <= sum(endless.delays) < 36


def test_a_key_of_another_body_is_final(make: Make) -> None:
    error, stub = unknown(make, [refusal(409, "IDEMPOTENCY_CONFLICT")])
    assert isinstance(error, IdempotencyConflict)
    assert isinstance(error, Conflict)
    assert len(stub.sent) == 1
