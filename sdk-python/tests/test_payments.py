import httpx
import pytest

from switchyard import ApiError, ConnectionError

from .stub import Make, answer, lost, refusal


def in_status(status: str) -> httpx.Response:
    return answer({"payment_id": "p-1", "status": status})


@pytest.mark.parametrize("status", ["completed", "failed", "refunded", "rejected", "canceled"])
def test_wait_for_returns_a_payment_that_has_ended(make: Make, status: str) -> None:
    stub = make([in_status("processing"), in_status("a_new_status"), in_status(status)])
    waited = stub.call(lambda sy: sy.payments.wait_for("p-1"))
    assert (waited["payment_id"], waited["outcome"]) == ("p-1", status)
    assert stub.delays == [0.5, 0.75]


def test_wait_for_calls_an_open_payment_unknown_at_the_exact_time(make: Make) -> None:
    stub = make([in_status("processing") for _ in range(40)])
    waited = stub.call(lambda sy: sy.payments.wait_for("p-1", timeout=20))
    assert (waited["outcome"], waited["status"]) == ("unknown", "processing")
    assert sum(stub.delays) == pytest.approx(20)
    assert max(stub.delays) == 5


def test_wait_for_waits_an_outage_out_and_reports_one_before_the_first_answer(make: Make) -> None:
    outage = [lost(), lost(), lost()]
    stub = make([in_status("pending"), *outage, in_status("completed")])
    assert stub.call(lambda sy: sy.payments.wait_for("p-1"))["outcome"] == "completed"
    error = make(outage).error(lambda sy: sy.payments.wait_for("p-1"))
    assert isinstance(error, ConnectionError)
    gone = make([in_status("pending"), refusal(404, "NOT_FOUND")])
    error = gone.error(lambda sy: sy.payments.wait_for("p-1"))
    assert isinstance(error, ApiError)
    assert error.status == 404
