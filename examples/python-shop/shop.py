"""A shop that sells tea. It takes a payment and ships once, whatever happens to the connection, the
webhooks or the shop itself; README.md explains why. Its state is in SQLite."""

import os
import sqlite3
import threading
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from decimal import Decimal
from typing import Annotated, Any

from fastapi import Body, FastAPI, HTTPException, Request, Response
from fastapi.concurrency import run_in_threadpool

from switchyard import ApiError, Switchyard, SwitchyardError, WebhookVerificationError

PRICE, CURRENCY = Decimal("5000"), "UGX"
OPEN = ("new", "initiated", "reviewed", "confirmed", "processing", "pending")
DATABASE = os.environ.get("SHOP_DATABASE", "shop.db")
SECRET = os.environ["WEBHOOK_SECRET"]
sy = Switchyard(os.environ["SWITCHYARD_URL"], api_key=os.environ["SWITCHYARD_API_KEY"])

# The primary key prevents a second shipment of an order; the warehouse works from this table.
TABLES = """
create table if not exists orders (order_id text primary key, phone text, payment_id text,
  status text default 'new', sequence integer default 0, created_at text default current_timestamp);
create table if not exists shipments (order_id text primary key);
"""


@contextmanager
def transaction() -> Iterator[sqlite3.Connection]:
    """Commits everything or nothing, even if the process is killed inside."""
    db = sqlite3.connect(DATABASE, timeout=30, isolation_level=None)
    db.row_factory = sqlite3.Row
    try:
        db.execute("begin immediate")
        yield db
        db.execute("commit")
    finally:
        db.close()  # rolls back if not committed


def begin_payment(order_id: str, phone: str) -> None:
    """Safe to repeat: the order's id is the idempotency key, so the order has only one payment."""
    try:
        payment_id = sy.payments.initiate(
            {
                "amount": PRICE,
                "target_amount": PRICE,
                "currency": CURRENCY,
                "target_currency": CURRENCY,
                "country": "UG",
                "payment_method": "mobile_money",
                "direction": "payin",
                "payer_details": {"phone": phone},
                "mobile_money_details": {"provider": "MTN", "phone_number": phone},
                "client_reference": order_id,
            },
            idempotency_key=order_id,
        )["payment_id"]
    except SwitchyardError as error:
        print(order_id, error)
        if isinstance(error, ApiError) and error.status in (400, 422, 502):
            with transaction() as db:
                db.execute("update orders set status = 'failed' where order_id = ?", [order_id])
        return  # after any other error it may have started, so the sweep retries it
    with transaction() as db:
        # A webhook may have set a newer status already, so the status stays unchanged.
        db.execute("update orders set payment_id=? where order_id=?", [payment_id, order_id])


def apply(payment: Any, sequence: int) -> None:
    """Updates the order's status; an older or repeated update changes nothing."""
    order_id, status = payment["client_reference"], payment["status"]
    is_paid = (payment["amount"], payment["currency"]) == (PRICE, CURRENCY)
    with transaction() as db:
        sql = "update orders set status=?,sequence=?,payment_id=? where order_id=? and sequence<=?"
        values = [status, sequence, payment["payment_id"], order_id, sequence]
        is_news = db.execute(sql, values).rowcount == 1
        if is_news and is_paid and status == "completed":
            db.execute("insert or ignore into shipments values (?)", [order_id])


def sweep() -> None:
    """Recovers from lost events, and from payments that a crash interrupted."""
    with transaction() as db:
        # The server remembers a key for a day; after that, a person has to check.
        recent = "select * from orders where created_at > datetime('now', '-23 hours')"
        orders = [row for row in db.execute(recent) if row["status"] in OPEN]
    for row in orders:
        if row["payment_id"] is None:
            begin_payment(row["order_id"], row["phone"])
        else:
            payment = sy.payments.get(row["payment_id"])
            apply(payment, payment["webhook_metadata"]["sequence"])


def keep_sweeping() -> None:
    while True:
        time.sleep(float(os.environ.get("SHOP_SWEEP_SECONDS", "30")))
        try:
            sweep()
        except Exception as error:
            print("the sweep is tried again:", error)


@asynccontextmanager
async def lifespan(_app: FastAPI) -> AsyncIterator[None]:
    sqlite3.connect(DATABASE).executescript(TABLES).close()
    threading.Thread(target=keep_sweeping, daemon=True).start()
    yield


app = FastAPI(lifespan=lifespan)


@app.put("/orders/{order_id}")
def order(order_id: str, phone: Annotated[str, Body(embed=True)]) -> dict[str, Any]:
    """The browser chooses the order's id, so that it can safely repeat the request."""
    with transaction() as db:
        insert = "insert or ignore into orders (order_id, phone) values (?, ?)"
        is_new = db.execute(insert, [order_id, phone]).rowcount == 1
    if is_new:
        begin_payment(order_id, phone)
    return show(order_id)


@app.get("/orders/{order_id}")
def show(order_id: str) -> dict[str, Any]:
    with transaction() as db:
        found = db.execute("select * from orders where order_id = ?", [order_id]).fetchone()
        shipped = db.execute("select 1 from shipments where order_id = ?", [order_id]).fetchall()
    if found is None:
        raise HTTPException(404)
    return {**dict(found), "shipped": len(shipped)}


@app.post("/hooks")
async def hook(request: Request) -> Response:
    try:
        event = sy.webhooks.construct_event(await request.body(), request.headers, SECRET)
    except WebhookVerificationError:
        return Response(status_code=400)
    data: Any = event["data"]
    if event["event_type"].startswith("payment.") and not data.get("test"):
        await run_in_threadpool(apply, data, data["sequence"])
    return Response(status_code=204)
