import logging
import pickle
import threading
import traceback
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from typing import Any

import httpx
import pytest

from switchyard import AsyncSwitchyard, OutcomeUnknown, Switchyard

from .stub import BASE_URL, BODY, PAYMENT, PLANTED_KEY, Make, Reply, answer, lost, refusal


@pytest.mark.parametrize(
    "replies",
    [[lost(), lost(), lost()], [refusal(401, "UNAUTHORIZED")]],
    ids=["lost", "refused"],
)
def test_the_key_is_in_no_message_log_repr_or_variable_of_a_traceback(
    make: Make, replies: list[Reply]
) -> None:
    stub = make(replies)
    error = stub.error(lambda sy: sy.payments.initiate(BODY))
    assert stub.sent[0].headers["x-api-key"] == PLANTED_KEY
    report = traceback.TracebackException.from_exception(error, capture_locals=True)
    sy = stub.client
    for value in (error, error.__cause__, sy, sy.payments, sy._transport, stub.log, vars(sy)):
        assert PLANTED_KEY not in repr(value)
        assert PLANTED_KEY not in str(value)
    assert PLANTED_KEY not in "".join(report.format())


def test_the_key_is_in_no_variable_of_the_http_client_that_an_error_carries() -> None:
    def send(request: httpx.Request) -> httpx.Response:
        headers = dict(request.headers)  # as an HTTP client has them when it writes them
        assert headers["x-api-key"] == PLANTED_KEY
        raise httpx.WriteError("Broken pipe") from OSError("Broken pipe")

    sy = Switchyard(
        BASE_URL, api_key=PLANTED_KEY, transport=httpx.MockTransport(send), max_retries=0
    )
    with pytest.raises(OutcomeUnknown) as raised:
        sy.payments.initiate(BODY)
    report = traceback.TracebackException.from_exception(raised.value, capture_locals=True)
    assert "Broken pipe" in "".join(report.format())
    assert PLANTED_KEY not in "".join(report.format())


class _Handler(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        if self.path.endswith("lost"):
            self.connection.close()
            return
        body = b'{"message":"no","code":"FORBIDDEN"}'
        self.send_response(403)
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_args: Any) -> None:
        pass


@pytest.fixture
def server() -> Iterator[str]:
    http = HTTPServer(("127.0.0.1", 0), _Handler)
    thread = threading.Thread(target=http.serve_forever)
    thread.start()
    yield f"http://127.0.0.1:{http.server_port}"
    http.shutdown()
    thread.join()
    http.server_close()


@pytest.mark.parametrize("payment_id", ["refused", "lost"])
def test_the_key_is_in_no_log_or_traceback_of_a_real_connection(
    server: str, payment_id: str, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    with Switchyard(server, api_key=PLANTED_KEY, max_retries=0) as sy:
        try:
            sy.payments.get(payment_id)
        except Exception as error:
            report = traceback.TracebackException.from_exception(error, capture_locals=True)
    assert f"/v1/payments/{payment_id}" in caplog.text
    assert PLANTED_KEY not in caplog.text
    assert PLANTED_KEY not in "".join(report.format())


@pytest.mark.parametrize("kind", [Switchyard, AsyncSwitchyard])
@pytest.mark.parametrize("key", [f"{PLANTED_KEY}\n", f"{PLANTED_KEY} x", "", f"{PLANTED_KEY}é"])
def test_a_key_that_cannot_be_sent_is_not_quoted(kind: Any, key: str) -> None:
    with pytest.raises(ValueError, match="api_key must consist of visible ASCII") as raised:
        kind(BASE_URL, api_key=key)
    assert PLANTED_KEY not in str(raised.value)
    with pytest.raises(ValueError, match="base_url must be") as raised:
        kind(f"https://user:{PLANTED_KEY}@pay.example.com", api_key="k")
    assert PLANTED_KEY not in str(raised.value)


def test_an_idempotency_key_that_cannot_be_sent_is_refused(make: Make) -> None:
    stub = make([])
    error = stub.error(lambda sy: sy.payments.initiate(BODY, idempotency_key="a\nb"))
    assert "idempotency_key must consist" in str(error)
    assert stub.sent == []


def test_a_client_shows_where_it_sends_and_cannot_be_pickled(make: Make) -> None:
    stub = make([answer(PAYMENT)])
    name = type(stub.client).__name__
    assert repr(stub.client) == f"{name}(base_url='https://pay.example.com')"
    with pytest.raises((TypeError, AttributeError, pickle.PicklingError)):
        pickle.dumps(stub.client)
