"""The project as a package: what is in the wheel, that it works alone, what stays unloaded."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import tomllib
import venv
import zipfile
from pathlib import Path

import pytest

import tablectl

ROOT = Path(__file__).resolve().parent.parent
LOCKS = ("requirements.lock", "requirements-test.lock", "requirements-measure.lock")
PLAN = ("plan", "riichi-4p", "--dice", "3,4", "--json")

# Written in parts, so that this file does not find itself.
INDEX_HOSTS = (
    ".".join(("pypi", "org")),
    ".".join(("files", "pythonhosted")),
    ".".join(("registry", "npmjs")),
    ".".join(("deb", "debian")),
)


def run(*command: str | Path, cwd: Path, timeout: float = 300) -> subprocess.CompletedProcess[str]:
    """Run a command that sees nothing of this checkout but what its arguments name."""
    hidden = {"PYTHONPATH", "PYTHONHOME", "VIRTUAL_ENV"}
    environment = {key: value for key, value in os.environ.items() if key not in hidden}
    environment |= {"PYTHONUTF8": "1", "PIP_DISABLE_PIP_VERSION_CHECK": "1"}
    return subprocess.run(
        [str(part) for part in command],
        cwd=cwd,
        env=environment,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        encoding="utf-8",
        timeout=timeout,
        check=False,
    )


def succeeded(done: subprocess.CompletedProcess[str]) -> str:
    assert done.returncode == 0, f"{done.args}\n{done.stdout}\n{done.stderr}"
    return done.stdout


def project_files() -> list[Path]:
    """Every file that is, or would be, committed."""
    try:
        listed = run("git", "ls-files", "-z", "-c", "-o", "--exclude-standard", cwd=ROOT)
    except FileNotFoundError:
        pytest.skip("git is not installed, so the project's own files are not known")
    if listed.returncode:
        pytest.skip(f"not a git checkout: {listed.stderr.strip()}")
    return [path for name in listed.stdout.split("\0") if name and (path := ROOT / name).is_file()]


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("wheel")
    build = (sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", out)
    succeeded(run(*build, cwd=ROOT))
    [path] = out.glob("*.whl")
    return path


def test_the_version_is_the_same_everywhere(wheel: Path) -> None:
    declared = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["version"]
    assert tablectl.__version__ == declared
    assert wheel.name.startswith(f"tablectl-{declared}-")


def test_the_wheel_holds_every_file_of_the_packages(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        held = set(archive.namelist())
    for name in ("tablectl/cli/__init__.py", "tablesim/lay.py", "protocols/__init__.py"):
        assert name in held
    for preset in ("riichi-4p", "riichi-3p", "ramen-jiro"):
        assert f"tablectl/presets/{preset}.toml" in held

    tops = {name.split("/")[0] for name in held if ".dist-info/" not in name}
    assert tops == {"tablectl", "protocols", "tablesim"}
    rooms = {
        "tablectl/": "tablectl/",
        "protocols/": "protocols/",
        "hardware/tablesim/": "tablesim/",
    }
    for path in project_files():
        name = path.relative_to(ROOT).as_posix()
        for folder, packed in rooms.items():
            if name.startswith(folder):
                assert packed + name.removeprefix(folder) in held


def test_the_wheel_works_in_an_empty_environment(wheel: Path, tmp_path: Path) -> None:
    place = tmp_path / "environment"
    venv.create(place, with_pip=False, symlinks=os.name != "nt")
    scripts = place / ("Scripts" if os.name == "nt" else "bin")
    pip = (sys.executable, "-m", "pip", "--python", scripts / "python", "--no-input", "install")

    locked = run(*pip, "--no-compile", "--require-hashes", "-r", ROOT / LOCKS[0], cwd=tmp_path)
    said = locked.stdout + locked.stderr
    if locked.returncode and "connection broken by" in said and "HASH" not in said:
        pytest.skip("the package index cannot be reached, so nothing can be installed")
    succeeded(locked)
    succeeded(run(*pip, "--no-index", "--no-deps", wheel, cwd=tmp_path))

    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    where = succeeded(
        run(
            scripts / "python",
            "-c",
            "import tablectl, protocols, tablesim.lay as lay\n"
            "for module in (tablectl, protocols, lay): print(module.__file__)",
            cwd=elsewhere,
        )
    )
    assert all(Path(line).is_relative_to(place) for line in where.splitlines()), where

    assert "plan" in succeeded(run(scripts / "tablectl", "--help", cwd=elsewhere))
    plan = json.loads(succeeded(run(scripts / "tablectl", *PLAN, cwd=elsewhere)))
    assert plan["preset"] == "riichi-4p"
    assert plan["dice"] == [3, 4]
    assert plan["reserve"] == 14


@pytest.mark.parametrize("arguments", [("--help",), PLAN], ids=["help", "plan"])
def test_heavy_libraries_stay_unloaded(arguments: tuple[str, ...], tmp_path: Path) -> None:
    report = tmp_path / "modules"
    program = (
        "import sys\n"
        "from tablectl.cli import main\n"
        f"sys.argv = ['tablectl', *{arguments!r}]\n"
        "try:\n"
        "    status = main()\n"
        "except SystemExit as end:\n"
        "    status = end.code\n"
        f"open({str(report)!r}, 'w').write('\\n'.join(sys.modules))\n"
        "sys.exit(status)\n"
    )
    # The checkout is on the path by its own installation, or by the folder that it is run in.
    succeeded(run(sys.executable, "-c", program, cwd=ROOT))
    loaded = {name.split(".")[0] for name in report.read_text().splitlines()}
    assert "tablectl" in loaded
    assert not loaded & {"construct", "starlette", "uvicorn", "websockets", "serial", "usb"}


def test_no_file_names_a_package_index() -> None:
    found = []
    for path in project_files():
        try:
            text = path.read_text("utf-8").lower()
        except UnicodeDecodeError:
            continue
        found += [f"{path.relative_to(ROOT)}: {host}" for host in INDEX_HOSTS if host in text]
    assert not found


@pytest.mark.parametrize("name", LOCKS)
def test_locks_hold_names_versions_and_hashes_only(name: str) -> None:
    pinned = re.compile(r"[a-z0-9-]+==[\w.]+( ; [^\\]+)? \\")
    hashed = re.compile(r"    --hash=sha256:[0-9a-f]{64}( \\)?")
    lines = (ROOT / name).read_text("utf-8").splitlines()
    rest = [line for line in lines if not line.lstrip().startswith("#")]
    assert rest
    assert [line for line in rest if not (pinned.fullmatch(line) or hashed.fullmatch(line))] == []
    assert [line for line in lines if "://" in line or " /" in line] == []


def test_the_locks_agree_and_hold_what_the_project_asks_for() -> None:
    def pins(name: str) -> dict[str, str]:
        text = (ROOT / name).read_text("utf-8")
        return dict(re.findall(r"^([a-z0-9-]+)==([\w.]+)", text, re.MULTILINE))

    base, tests, everything = (pins(name) for name in LOCKS)
    assert base.items() <= tests.items() <= everything.items()

    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]

    def names(wanted: list[str]) -> set[str]:
        return {re.split(r"[<>=!~\[; ]", one)[0].lower() for one in wanted}

    assert names(project["dependencies"]) | {"hatchling"} <= base.keys()
    assert names(project["optional-dependencies"]["test"]) <= tests.keys()
    assert names(project["optional-dependencies"]["measure"]) <= everything.keys()
