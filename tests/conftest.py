"""What all tests share: the folder of recorded hands and rule texts, hypothesis' settings, and that
no test leaves anything behind or blocks an event loop."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Generator, Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import settings
from support import leaks
from support.blocking import ROOMS, no_blocking

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

FAILED = pytest.StashKey[bool]()
LOOPS = leaks.Loops()


@pytest.fixture(scope="session")
def shared() -> Path:
    """The folder with `data/hands` and `seeds`, named by TABLECTL_SHARED."""
    named = os.environ.get("TABLECTL_SHARED")
    if not named or not Path(named).is_dir():
        pytest.skip("TABLECTL_SHARED names no folder: recorded hands and rule texts are not here")
    return Path(named)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item, call: Any) -> Generator[None, Any, Any]:
    """Note which tests fail: what those leave behind is not looked at."""
    report = yield
    item.stash[FAILED] = item.stash.get(FAILED, False) or report.failed
    return report


@pytest.fixture(scope="session", autouse=True)
def all_leave_nothing(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """What fixtures of modules and of the whole run make is gone at the end of the run. Temporary
    files of this process lie in a folder of its own, where those of others are not taken for its.
    """
    folder, before = tmp_path_factory.mktemp("temp"), tempfile.tempdir
    tempfile.tempdir = str(folder)
    with pytest.MonkeyPatch.context() as patch, LOOPS.watched():
        patch.setenv("TMPDIR", str(folder))
        there = leaks.standing()
        yield
        found = leaks.left(there)
        assert not found, _sentence(found)
    tempfile.tempdir = before


@pytest.fixture(autouse=True)
def leaves_nothing(request: pytest.FixtureRequest, all_leave_nothing: None) -> Iterator[None]:
    """What a test opens, starts or makes is gone when the test and its fixtures are over. Those of
    wider scope come before this one and go after it."""
    LOOPS.begin()
    before = leaks.standing()
    yield
    if not request.node.stash.get(FAILED, False):
        found = leaks.left(before) + LOOPS.left()
        if (folder := request.node.funcargs.get("tmp_path")) is not None:
            found += leaks.lines_left(folder)
        assert not found, _sentence(found)
    LOOPS.begin()


@pytest.fixture(autouse=True)
def loop_is_free(request: pytest.FixtureRequest, leaves_nothing: None) -> Iterator[None]:
    """Whatever blocks an event loop of the daemon's rooms is an error in it."""
    if request.path.parent.name not in ROOMS:
        yield
        return
    with no_blocking():
        yield


def _sentence(found: list[str]) -> str:
    return "left behind: " + "; ".join(found)
