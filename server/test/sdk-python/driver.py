"""Calls the SDK as told: a command on each line of stdin, its result on a line of stdout."""

import asyncio
import json
import keyword
import re
import sys
import traceback
from decimal import Decimal
from typing import Any

import httpx

from switchyard import (
    ApiError,
    AsyncCsvStream,
    AsyncPages,
    AsyncRuntime,
    AsyncSwitchyard,
    CsvStream,
    OutcomeUnknown,
    Pages,
    Runtime,
    Switchyard,
)

answers: list[dict[str, Any]] = []
clients: dict[str, Switchyard | AsyncSwitchyard] = {}
loop = asyncio.new_event_loop()


def keep(request: httpx.Request, response: httpx.Response) -> httpx.Response:
    answers.append(
        {
            "method": request.method,
            "path": request.url.path,
            "status": response.status_code,
            "contentType": response.headers.get("content-type", ""),
            "text": response.text,
        }
    )
    return response


class Recording(httpx.HTTPTransport):
    def handle_request(self, request: httpx.Request) -> httpx.Response:
        response = super().handle_request(request)
        response.read()
        return keep(request, response)


class AsyncRecording(httpx.AsyncHTTPTransport):
    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        response = await super().handle_async_request(request)
        await response.aread()
        return keep(request, response)


async def no_sleep(_seconds: float) -> None:
    pass


def connect(command: dict[str, Any]) -> None:
    credential = command["credential"]
    named = "api_key" if credential.startswith("sy_") else "access_token"
    settings: dict[str, Any] = {named: credential, "max_retries": command["maxRetries"]}
    client: Switchyard | AsyncSwitchyard
    if command["isAsync"]:
        client = AsyncSwitchyard(
            command["url"],
            transport=AsyncRecording(),
            runtime=AsyncRuntime(sleep=no_sleep),
            **settings,
        )
    else:
        client = Switchyard(
            command["url"],
            transport=Recording(),
            runtime=Runtime(sleep=lambda _seconds: None),
            **settings,
        )
    clients[command["client"]] = client


def python_name(name: str) -> str:
    snake = re.sub(r"(?<=[a-z0-9])([A-Z])", r"_\1", name).lower()
    return f"{snake}_" if keyword.iskeyword(snake) else snake


def call(command: dict[str, Any]) -> object:
    client = clients[command["client"]]
    resource, method = map(python_name, command["id"].split("."))
    args = [*command["path"], *([command["body"]] if "body" in command else [])]
    query = {python_name(name): value for name, value in command.get("query", {}).items()}
    result = getattr(getattr(client, resource), method)(*args, **query)
    if isinstance(client, AsyncSwitchyard):
        return loop.run_until_complete(read_async(result))
    if isinstance(result, Pages):
        return result.first_page().data
    return result.read().decode() if isinstance(result, CsvStream) else result


async def read_async(result: Any) -> object:
    if isinstance(result, AsyncPages):
        return (await result.first_page()).data
    data = await result
    return (await data.read()).decode() if isinstance(data, AsyncCsvStream) else data


def answer(command: dict[str, Any]) -> dict[str, Any]:
    answers.clear()
    if "url" in command:
        connect(command)
        return {}
    try:
        return {"data": call(command), "answers": answers}
    except (ApiError, OutcomeUnknown) as error:
        refusal = error.__cause__ if isinstance(error, OutcomeUnknown) else error
        if isinstance(refusal, ApiError) and refusal.code is not None:
            return {"code": refusal.code, "answers": answers}
        raise


def main() -> None:
    for line in sys.stdin:
        try:
            result = answer(json.loads(line, parse_float=Decimal))
        except Exception:
            result = {"error": traceback.format_exc()}
        print(json.dumps(result, default=str), flush=True)


main()
