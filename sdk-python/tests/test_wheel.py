"""Tests the wheel in an empty environment, with the oldest and the newest Python found here."""

import json
import os
import re
import shutil
import subprocess
import sys
import zipfile
from functools import lru_cache
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
WHEELS = Path(sys.prefix) / "wheels"
PROGRAM = """
import json, threading
from decimal import Decimal
from http.server import BaseHTTPRequestHandler, HTTPServer
from switchyard import NotFound, Switchyard, sign_test_webhook
from switchyard.types import PaymentRecord

ANSWERS = {
    "POST /v1/payments-init/initiate": '{"statusCode":200,"response":{"payment_id":"p-1"}}',
    "GET /v1/payments/p-1": '{"status":"completed","amount":1234.123456789012345678}',
    "GET /v1/transactions": '{"data":[{"amount":1.50}],"meta":{"last_evaluated_key":null}}',
}

class Handler(BaseHTTPRequestHandler):
    def answer(self):
        self.rfile.read(int(self.headers.get("content-length", 0)))
        found = ANSWERS.get(f"{self.command} {self.path}")
        body = (found or '{"message":"Nothing is here.","code":"NOT_FOUND"}').encode()
        self.send_response(200 if found else 404)
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)
    do_GET = do_POST = answer
    def log_message(self, *args):
        pass

server = HTTPServer(("127.0.0.1", 0), Handler)
threading.Thread(target=server.serve_forever, daemon=True).start()
with Switchyard(f"http://127.0.0.1:{server.server_port}", api_key="sy_test_secret") as sy:
    body = {"amount": Decimal("5000"), "target_amount": 5000, "currency": "UGX",
            "target_currency": "UGX", "payment_method": "mobile_money", "direction": "payin"}
    payment = sy.payments.initiate(body)
    settled: PaymentRecord = sy.payments.wait_for(payment["payment_id"], timeout=1)
    rows = sy.transactions.list().to_list(limit=10)
    try:
        missing = sy.payments.get("p-2")
    except NotFound as error:
        missing = str(error)
    secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"
    data = {"amount": "1.50"}
    signed = sign_test_webhook({"event_type": "payment.completed", "data": data}, secret)
    event = sy.webhooks.construct_event(signed.body, signed.headers, secret)
print(json.dumps([settled["amount"], rows[0]["amount"], missing, event["data"]["amount"],
                  "secret" in repr(sy)], default=str))
"""


@lru_cache
def interpreters() -> list[str]:
    """The oldest and the newest supported Python on this machine, without duplicates."""
    names = [f"python3.{minor}" for minor in range(10, 20)]
    found = {
        version: path for name in names for path in _paths(name) if (version := _version(path))
    }
    found[sys.version_info[:2]] = sys.executable
    return [found[version] for version in sorted({min(found), max(found)})]


def _paths(name: str) -> list[str]:
    others = Path.home().glob(f".pyenv/versions/*/bin/{name}")
    return [path for path in (shutil.which(name), *map(str, others)) if path is not None]


def _version(path: str) -> tuple[int, int] | None:
    code = "import sys, venv; print(*sys.version_info[:2])"
    asked = subprocess.run([path, "-c", code], capture_output=True, text=True, check=False)
    major, minor = (*map(int, asked.stdout.split()), 0, 0)[:2]
    return (major, minor) if asked.returncode == 0 else None


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    directory = tmp_path_factory.mktemp("wheel")
    build = [sys.executable, "-m", "build", "--no-isolation", "--outdir", str(directory), str(ROOT)]
    subprocess.run(build, check=True, capture_output=True)
    (made,) = directory.glob("*.whl")
    return made


def test_contains_the_package_its_types_and_its_licence_and_nothing_else(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        names = archive.namelist()
        (metadata,) = (name for name in names if name.endswith("/METADATA"))
        text = archive.read(metadata).decode()
    source = ROOT / "src"
    package = {str(path.relative_to(source)) for path in source.glob("switchyard/**/*.py")}
    own = {name for name in names if ".dist-info/" not in name}
    assert own == package | {"switchyard/py.typed"}
    assert any(name.endswith("/licenses/LICENSE") for name in names)
    assert re.findall(r"^Requires-Dist: (.*)$", text, re.MULTILINE) == ["httpx<1,>=0.27"]
    assert "\nRequires-Python: >=3.10\n" in text


@pytest.mark.parametrize("python", interpreters(), ids=lambda path: str(_version(path)))
def test_pays_reads_and_verifies_in_an_empty_environment(
    wheel: Path, python: str, tmp_path: Path
) -> None:
    environment = tmp_path / "environment"
    own = str(environment / "bin/python")
    subprocess.run([python, "-m", "venv", "--without-pip", str(environment)], check=True)
    install = ["install", "--quiet", "--no-compile", "--no-index", "--find-links", str(WHEELS)]
    pip = [sys.executable, "-m", "pip", "--python", own]
    subprocess.run([*pip, *install, str(wheel)], check=True, capture_output=True)
    (tmp_path / "use.py").write_text(PROGRAM)
    printed = subprocess.run(
        [own, "-W", "error", "use.py"],
        cwd=tmp_path,
        env={key: value for key, value in os.environ.items() if key != "PYTHONPATH"},
        check=True,
        capture_output=True,
        text=True,
    ).stdout
    missing = "NOT_FOUND: Nothing is here."
    assert json.loads(printed) == ["1234.123456789012345678", "1.50", missing, "1.50", False]
