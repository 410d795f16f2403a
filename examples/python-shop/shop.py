"""A shop that sells tea. It takes a payment and ships once, whatever happens to the connection, to
the webhooks or to the shop itself; README.md says why. Its state is in SQLite."""

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

# The key of a shipment is why no order is shipped twice; the warehouse packs from that table.
TABLES = """
create table if not exists orders (order_id text primary key, phone text, payment_id text,
  status text default 'new', sequence integer default 0, created_at text default current_timestamp);
create table if not exists shipments (order_id text primary key);
"""


@contextmanager
def transaction() -> Iterator[sqlite3.Connection]:
    """All of it or nothing, also if the process is killed inside."""
    db = sqlite3.connect(DATABASE, timeout=30, isolation_level=None)
    db.row_factory = sqlite3.Row
    try:
        db.execute("begin immediate")
        yield db
        db.execute("commit")
    finally:
        db.close()  # rolls back what was not committed


def begin_payment(order_id: str, phone: str) -> None:
    """Safe to repeat: the order's id is the idempotency key, so there is one payment for it."""
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
        return  # after anything else it may be under way, so the sweep repeats it
    with transaction() as db:
        # A webhook may have been faster and know more, so the status is left alone.
        db.execute("update orders set payment_id=? where order_id=?", [payment_id, order_id])


def apply(payment: Any, sequence: int) -> None:
    """Brings the order to a state of its payment; an older or repeated one changes nothing."""
    order_id, status = payment["client_reference"], payment["status"]
    is_paid = (payment["amount"], payment["currency"]) == (PRICE, CURRENCY)
    with transaction() as db:
        sql = "update orders set status=?,sequence=?,payment_id=? where order_id=? and sequence<=?"
        values = [status, sequence, payment["payment_id"], order_id, sequence]
        is_news = db.execute(sql, values).rowcount == 1
        if is_news and is_paid and status == "completed":
            db.execute("insert or ignore into shipments values (?)", [order_id])


def sweep() -> None:
    """Finds what no webhook told: events that were lost, and payments that a crash interrupted."""
    with transaction() as db:
        # A key is kept for a day; after it, a person has to look.
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
    """The browser names the order, so that it can repeat this."""
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
