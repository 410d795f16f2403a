import asyncio
import os
import re
from pathlib import Path
from typing import Any

import httpx
import mypy.api
import pytest

from switchyard import Switchyard, sign_test_webhook

from .stub import answer, initiated, make_stub, refusal

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text()
WEBHOOKS = (ROOT.parent / "docs/webhooks.md").read_text()
SAMPLES = re.findall(r"^```python\n(.*?)^```$", README, re.DOTALL | re.MULTILINE)
SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"
COMPLETED: Any = {
    "event_type": "payment.completed",
    "data": {"payment_id": "p-1", "amount": "1.50"},
}


def run(sample: str) -> Any:
    names: dict[str, Any] = {}
    exec(sample, names)  # noqa: S102 (it is in our own page)
    return names


def test_the_samples_pass_strict_type_checks(tmp_path: Path) -> None:
    assert len(SAMPLES) == 5
    assert len(README.splitlines()) <= 120
    for index, sample in enumerate(SAMPLES):
        (tmp_path / f"sample_{index}.py").write_text(sample)
    (tmp_path / "webhooks.py").write_text(webhooks_sample())
    options = ["--strict", "--config-file", str(ROOT / "pyproject.toml")]
    before = Path.cwd()
    os.chdir(ROOT)
    try:
        output, errors, status = mypy.api.run([*options, str(tmp_path)])
    finally:
        os.chdir(before)
    assert (status, errors) == (0, ""), output


def test_pay(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SWITCHYARD_API_KEY", "k")
    names = run(SAMPLES[0])

    def paying(replies: list[httpx.Response]) -> str:
        stub = make_stub("sync", replies)
        names["sy"] = stub.client
        result: str = names["pay"]("order-1", "256700000001")
        assert stub.sent[0].headers["idempotency-key"] == "order-1"
        return result

    assert (
        paying([initiated(), answer({"payment_id": "p-1", "status": "completed"})]) == "completed"
    )
    refused = {"message": "no", "code": "ALL_PROVIDERS_FAILED", "failure": {"message": "No money"}}
    assert paying([answer(refused, 502)]) == "refused: No money"
    assert paying([refusal(500, "INTERNAL_ERROR")]) == "repeat later with the key order-1"


def test_failed_ids() -> None:
    names = run(SAMPLES[1])
    stub = make_stub("async", [answer({"data": [{"payment_id": "p-1"}], "meta": {}})])
    names["AsyncSwitchyard"] = lambda *_args, **_options: stub.client
    assert asyncio.run(names["failed_ids"]("k")) == ["p-1"]


def test_report(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    page = '{"data":[{"payment_id":"p-1","amount":1.50}],"meta":{}}'
    csv = httpx.Response(200, content="id\np-1\n")
    stub = make_stub("sync", [answer(page), answer(page), answer(page), csv])
    run(SAMPLES[2])["report"](stub.client)
    assert capsys.readouterr().out == "p-1 1.50\n1 1 None\n"
    assert (tmp_path / "failed.csv").read_text() == "id\np-1\n"


def test_read() -> None:
    stub = make_stub("sync", [answer({"status": "completed"})])
    assert run(SAMPLES[3])["read"](stub.client, "p-1") == "request-1: 200 completed"


def test_receive(capsys: pytest.CaptureFixture[str]) -> None:
    signed = sign_test_webhook(COMPLETED, SECRET)
    with Switchyard("https://pay.example.com", api_key="k") as sy:
        run(SAMPLES[4])["receive"](sy, signed.body.encode(), signed.headers, SECRET)
    assert capsys.readouterr().out == "p-1 1.50\n"


def webhooks_sample() -> str:
    found = re.search(r"<!-- tested: python sdk -->\s+```python\n(.*?)```", WEBHOOKS, re.DOTALL)
    assert found is not None
    return found[1]


def test_the_receiver_of_the_guide_accepts_what_is_signed_and_nothing_else() -> None:
    receive = run(webhooks_sample())["receive"]
    signed = sign_test_webhook(COMPLETED, SECRET)
    assert receive(signed.body.encode(), signed.headers, SECRET) == 204
    assert receive(signed.body.encode() + b" ", signed.headers, SECRET) == 400
