import asyncio
import json
import threading
from typing import Any

import httpx
import pytest

from switchyard import ApiError, ConnectionError

from .stub import Make, Reply, answer, lost, make_stub, refusal


def page(ids: list[str], after: str | None) -> httpx.Response:
    rows = ",".join(f'{{"payment_id":"{one}","amount":1.50}}' for one in ids)
    return answer(
        f'{{"status":"success","message":"ok","data":[{rows}],'
        f'"meta":{{"count":{len(ids)},"last_evaluated_key":{json.dumps(after)}}}}}'
    )


def three_pages() -> list[Reply]:
    return [page(["a", "b"], "k1"), page([], "k2"), page(["c"], None)]


def test_is_read_page_by_page_over_an_empty_page_with_exact_amounts(make: Make) -> None:
    stub = make(three_pages())
    rows = stub.rows(lambda sy: sy.transactions.list(limit=2))
    assert [f"{row['payment_id']} {row['amount']}" for row in rows] == [
        "a 1.50",
        "b 1.50",
        "c 1.50",
    ]
    assert [request.url.query.decode() for request in stub.sent] == [
        "limit=2",
        "limit=2&last_evaluated_key=k1",
        "limit=2&last_evaluated_key=k2",
    ]


def test_sends_nothing_before_it_is_read_and_no_more_than_the_limit_needs(make: Make) -> None:
    stub = make(three_pages())
    pages = stub.call(lambda sy: sy.transactions.list())
    assert stub.sent == []
    rows = stub.call(lambda _sy: pages.to_list(limit=2))
    assert [row["payment_id"] for row in rows] == ["a", "b"]
    assert len(stub.sent) == 1
    assert stub.call(lambda _sy: pages.to_list(limit=0)) == []
    assert len(stub.sent) == 1


def test_tasks_that_share_an_iterator_share_its_requests() -> None:
    stub = make_stub("async", three_pages())

    async def read() -> list[str]:
        rows = aiter(stub.client.transactions.list())

        async def one() -> str:
            try:
                return str((await anext(rows))["payment_id"])
            except StopAsyncIteration:
                return "end"

        return await asyncio.gather(*(one() for _ in range(5)))

    assert asyncio.run(read()) == ["a", "b", "c", "end", "end"]
    assert len(stub.sent) == 3


def test_threads_that_share_an_iterator_share_its_requests() -> None:
    stub = make_stub("sync", three_pages())
    rows = iter(stub.client.transactions.list())
    seen: list[str] = []
    threads = [
        threading.Thread(
            target=lambda: seen.append(next(rows, {"payment_id": "end"})["payment_id"])
        )
        for _ in range(5)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(seen) == ["a", "b", "c", "end", "end"]
    assert len(stub.sent) == 3


def test_goes_on_after_an_error() -> None:
    stub = make_stub("sync", [page(["a"], "k1"), refusal(404, "NOT_FOUND"), page(["b"], None)])
    rows = iter(stub.client.transactions.list())
    assert next(rows)["payment_id"] == "a"
    with pytest.raises(ApiError, match="NOT_FOUND"):
        next(rows)
    assert [row["payment_id"] for row in rows] == ["b"]


def test_has_the_other_cursor_name_where_the_api_has_it(make: Make) -> None:
    replies = [
        answer({"data": [{}], "meta": {"lastEvaluatedKey": after}}) for after in ("k1", None)
    ]
    stub = make(replies)
    assert len(stub.call(lambda sy: sy.organizations.list().to_list(limit=9))) == 2
    assert stub.sent[1].url.query == b"lastEvaluatedKey=k1"


def test_first_page_has_the_cursor_of_the_next(make: Make) -> None:
    stub = make(three_pages())
    first = stub.call(lambda sy: sy.transactions.list().first_page())
    assert (len(first.data), first.cursor) == (2, "k1")


def test_as_csv_is_streamed_with_the_same_filters_after_retries(make: Make) -> None:
    stub = make([lost(), httpx.Response(200, content="id,amount\na,1.50\n")])

    def read(sy: Any) -> Any:
        csv = sy.transactions.list(status="failed").csv()
        return _read(csv) if asyncio.iscoroutine(csv) else csv.read()

    assert stub.call(read) == b"id,amount\na,1.50\n"
    assert (stub.sent[1].headers["accept"], stub.sent[1].url.query) == (
        "text/csv",
        b"status=failed",
    )
    refused = make([refusal(403, "FORBIDDEN")])
    assert refused.error(lambda sy: sy.transactions.list().csv()).status == 403


async def _read(csv: Any) -> bytes:
    async with await csv as stream:
        content: bytes = await stream.read()
        return content


def test_a_csv_that_breaks_off_is_a_lost_connection() -> None:
    class Broken(httpx.SyncByteStream):
        def __iter__(self) -> Any:
            yield b"id,am"
            raise httpx.ReadError("Connection reset by peer")

    stub = make_stub("sync", [])
    stub.client._transport._http._transport = httpx.MockTransport(
        lambda _request: httpx.Response(200, stream=Broken())
    )
    stream = stub.client.transactions.list().csv()
    with pytest.raises(ConnectionError, match="No response"):
        stream.read()
