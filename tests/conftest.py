"""What all tests share: the folder of recorded hands and rule texts, and hypothesis' settings."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import settings

# At a desk every run looks at other cases; where a machine decides, all look at the same.
settings.register_profile(
    "quick",
    deadline=None,
    database=None,
    print_blob=True,
    max_examples=40,
    derandomize=bool(os.environ.get("CI")),
)
settings.load_profile("quick")


@pytest.fixture(scope="session")
def shared() -> Path:
    """The folder with `data/hands` and `seeds`, named by TABLECTL_SHARED."""
    named = os.environ.get("TABLECTL_SHARED")
    if not named or not Path(named).is_dir():
        pytest.skip("TABLECTL_SHARED names no folder: recorded hands and rule texts are not here")
    return Path(named)
