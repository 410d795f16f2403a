from functools import partial

import pytest
from hypothesis import HealthCheck, settings

from .stub import Make, make_stub

# The tests may run on a slow, shared machine, so they have no deadline.
settings.register_profile(
    "shared", deadline=None, database=None, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile("shared")


@pytest.fixture(params=["sync", "async"])
def make(request: pytest.FixtureRequest) -> Make:
    """Creates a stubbed client; each test runs with both kinds."""
    return partial(make_stub, request.param)
