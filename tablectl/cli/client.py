"""Asking the daemon: found by its file, spoken with over HTTP, its errors as they came."""

from __future__ import annotations

import json
from dataclasses import dataclass
from http.client import HTTPConnection, HTTPException
from pathlib import Path
from typing import Any, Final
from urllib.parse import quote, urlsplit

from tablectl.api.token import FILE, read_token
from tablectl.app import daemon_file
from tablectl.app.config_file import config_path, config_text, state_of, survey
from tablectl.errors import CATALOGUE, NO, UNREADABLE, TablectlError, declare

SILENT: Final = declare(
    "cli.daemon_silent",
    "the daemon (process {pid}) does not answer at {url}: {why}",
    "Look at its lines on standard error; if it hangs, stop it and start it again with"
    " `tablectl run`.",
    status=NO,
)
READ_WITHIN: Final = 10.0
"""Seconds that the daemon may take to answer a question."""
DONE_WITHIN: Final = 60.0
"""Seconds that a command may take: a board has time to find its number."""
_UNREADABLE: Final = (400, 408, 413, 415)
"""HTTP statuses that say that the call could not be read."""


class Refused(TablectlError):
    """An error of the daemon's, as it came."""

    def __init__(self, body: dict[str, Any], status: int) -> None:
        Exception.__init__(self, body["code"], body["message"])
        self.body = body
        self.code = body["code"]
        self.message, self.hint = body["message"], body["hint"]
        self.where, self.values = body.get("where"), body.get("values", {})
        self.problems = tuple(Refused(one, status) for one in body.get("problems", ()))
        self.drawing = tuple(body.get("drawing", ()))
        self.status = _exit_status(self.code, status)

    def as_json(self) -> dict[str, Any]:
        return self.body


@dataclass(frozen=True, slots=True)
class Client:
    """A daemon that runs. `state`: its state directory."""

    pid: int
    url: str
    state: Path

    def get(self, path: str) -> Any:
        """What is at a path. Raises TablectlError `cli.daemon_silent`, `cli.no_daemon` where it is
        gone meanwhile, and the daemon's own."""
        return self._ask("GET", path, None, {}, READ_WITHIN)

    def post(self, path: str, body: dict[str, Any]) -> Any:
        """The answer to a call that needs the token. Raises as `get`, and `token.*`."""
        about = {
            "Authorization": f"Bearer {read_token(self.state / FILE)}",
            "Content-Type": "application/json",
        }
        return self._ask("POST", path, json.dumps(body).encode(), about, DONE_WITHIN)

    def table(self, name: str) -> Any:
        """One table, by id, name, or the beginning of one id alone."""
        return self.get(f"/api/v1/tables/{quote(name, safe='')}")

    def command(self, table: str, body: dict[str, Any]) -> Any:
        """What came of a command at a table."""
        return self.post(f"/api/v1/tables/{quote(table, safe='')}/commands", body)

    @property
    def stream(self) -> str:
        """The address of the stream."""
        return f"ws://{urlsplit(self.url).netloc}/api/v1/stream"

    def silent(self, error: Exception) -> TablectlError:
        """The error for a daemon that does not answer, or is gone."""
        if not daemon_file.is_alive(self.pid):
            return TablectlError(daemon_file.NO_DAEMON, state=str(self.state))
        why = str(error) or type(error).__name__
        return TablectlError(SILENT, pid=self.pid, url=self.url, why=why)

    def _ask(
        self, verb: str, path: str, body: bytes | None, about: dict[str, str], within: float
    ) -> Any:
        where = urlsplit(self.url)
        connection = HTTPConnection(where.hostname or "", where.port, timeout=within)
        try:
            connection.request(verb, path, body, {"Host": where.netloc, **about})
            answer = connection.getresponse()
            found = json.loads(answer.read())
            refused = found["error"] if answer.status >= 400 else None
        except (OSError, HTTPException, ValueError, LookupError) as error:
            raise self.silent(error) from None
        finally:
            connection.close()
        if refused is not None:
            raise Refused(refused, answer.status)
        return found


def client(config: Path | None = None, state: Path | None = None) -> Client:
    """The daemon that runs with that state directory, or with the one that the configuration or
    the environment names. Raises TablectlError `cli.no_daemon`, `app.daemon_file`, and
    `config.file` for a configuration that was named."""
    where = state or state_named(config)
    found = daemon_file.needed(where)
    return Client(found.pid, found.url, where)


def state_named(config: Path | None) -> Path:
    """The state directory of a configuration (None: the usual one), as far as it can be read."""
    path = config or config_path()
    text = config_text(path) if config is not None or path.exists() else ""
    return state_of(survey(text, str(path)).config)


def _exit_status(code: str, status: int) -> int:
    # What the daemon may say is in the catalogue once its parts are imported.
    import tablectl.api.server
    import tablectl.app.daemon  # noqa: F401

    if code in CATALOGUE:
        return CATALOGUE[code].status
    return UNREADABLE if status in _UNREADABLE else NO
