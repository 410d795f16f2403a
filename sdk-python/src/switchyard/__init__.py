"""The Python client for Switchyard."""

from ._client import AsyncSwitchyard, Switchyard
from ._core import Page
from ._csv_file import CsvFile
from ._decimal import DecimalInput
from ._errors import (
    ApiError,
    ConnectionError,
    ErrorDetail,
    OutcomeUnknown,
    SwitchyardError,
    WebhookVerificationError,
)
from ._generated.errors import *  # noqa: F403 (one class for each code of the API)
from ._generated.errors import __all__ as _error_names
from ._generated.events import KnownEvent
from ._generated.operations import OPERATIONS
from ._operation import Operation
from ._options import AsyncRuntime, CallOptions, LogEntry, Runtime
from ._pages import AsyncCsvStream, AsyncPages, CsvStream, Pages
from ._payments import WaitedPayment
from ._response import ApiResponse
from ._version import __version__
from ._webhooks import (
    SignedWebhook,
    SwitchyardEvent,
    UnknownEvent,
    UnsignedEvent,
    construct_event,
    sign_test_webhook,
    verify_service_signature,
)

__all__ = [
    "OPERATIONS",
    "ApiError",
    "ApiResponse",
    "AsyncCsvStream",
    "AsyncPages",
    "AsyncRuntime",
    "AsyncSwitchyard",
    "CallOptions",
    "ConnectionError",
    "CsvFile",
    "CsvStream",
    "DecimalInput",
    "ErrorDetail",
    "KnownEvent",
    "LogEntry",
    "Operation",
    "OutcomeUnknown",
    "Page",
    "Pages",
    "Runtime",
    "SignedWebhook",
    "Switchyard",
    "SwitchyardError",
    "SwitchyardEvent",
    "UnknownEvent",
    "UnsignedEvent",
    "WaitedPayment",
    "WebhookVerificationError",
    "__version__",
    "construct_event",
    "sign_test_webhook",
    "verify_service_signature",
]
__all__ += _error_names
