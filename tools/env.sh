# Sourced by the other tools: finds Python and keeps the environment in .venv up to date.
# Gives: root, say, fail, find_python (sets python), ensure_packages, ensure_environment [tests|measure].

root=$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")/.." && pwd -P)
venv=$root/.venv

say() { printf '%s\n' "$*" >&2; }

# fail LINE…: the lines to standard error, then exit 2.
fail() {
    local line
    for line in "$@"; do say "$line"; done
    exit 2
}

# Sets `python` to the first Python 3.11 or newer that can make environments.
# TABLECTL_PYTHON names one to use instead.
find_python() {
    local candidate version bare=''
    python=''
    for candidate in ${TABLECTL_PYTHON:-python3 python3.14 python3.13 python3.12 python3.11 python}; do
        command -v "$candidate" >/dev/null 2>&1 || continue
        version=$("$candidate" -c 'import sys
if sys.version_info < (3, 11): sys.exit(1)
print("%d.%d" % sys.version_info[:2])' 2>/dev/null) || continue
        if "$candidate" -c 'import ensurepip, venv; ensurepip.version()' >/dev/null 2>&1; then
            python=$candidate
            return
        fi
        : "${bare:=$version}"
    done
    if [ -n "$bare" ]; then
        fail "Python $bare is here, but without its \`venv\` module, which makes the environment." \
            "On Debian and Ubuntu it is in the package python$bare-venv (python3-venv for the default Python). Type:" \
            "    sudo apt-get install python$bare-venv" \
            "and run this command again."
    fi
    if [ -n "${TABLECTL_PYTHON:-}" ]; then
        fail "TABLECTL_PYTHON is \"$TABLECTL_PYTHON\", which is no Python 3.11 or newer." \
            "Unset it, or give it the name or path of one."
    fi
    fail "Python 3.11 or newer is needed, and none is on the PATH (looked for python3, python3.11 to python3.14)." \
        "On Debian and Ubuntu type:" \
        "    sudo apt-get install python3 python3-venv" \
        "and run this command again; elsewhere set TABLECTL_PYTHON to the path of one."
}

# ensure_packages COMMAND:PACKAGE…: what the system has to have for some tests. What is missing is
# installed where that can be done without asking (as root, with apt-get), else named.
ensure_packages() {
    local pair wanted=()
    for pair in "$@"; do
        command -v "${pair%%:*}" >/dev/null 2>&1 || wanted+=("${pair#*:}")
    done
    [ ${#wanted[@]} -gt 0 ] || return 0
    if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null 2>&1; then
        say "installing ${wanted[*]} for the tests …"
        if { apt-get update -qq && apt-get install -y -qq --no-install-recommends "${wanted[@]}"; } </dev/null >/dev/null 2>&1; then
            return 0
        fi
        say "apt-get could not install them."
    fi
    say "Missing for some tests: ${wanted[*]}. Those tests are skipped and say so. On Debian and Ubuntu:"
    say "    sudo apt-get install ${wanted[*]}"
}

# checksum FILE…: of their contents and of where this checkout is (an environment cannot be moved).
checksum() { { printf '%s\n' "$root"; cat -- "$@"; } | cksum; }

# is_stamped NAME CHECKSUM: whether that part of the environment is there and up to date.
is_stamped() { [ -f "$venv/stamp.$1" ] && [ "$(cat "$venv/stamp.$1")" = "$2" ]; }

# up_to_date [tests|measure]: the whole environment.
up_to_date() {
    [ -x "$venv/bin/python" ] && [ ! -e "$venv/unfinished" ] &&
        is_stamped base "$want_base" && is_stamped project "$want_project" &&
        { [ -z "${1:-}" ] || is_stamped tests "$want_tests"; } &&
        { [ "${1:-}" != measure ] || is_stamped measure "$want_measure"; }
}

# install ARGUMENT…: pip in the environment; what it said is shown only if it failed.
install() {
    if ! "$venv/bin/python" -m pip --disable-pip-version-check --no-input install \
        --progress-bar off "$@" </dev/null >"$venv/install.log" 2>&1; then
        tail -n 15 "$venv/install.log" >&2
        fail "The environment could not be made: pip failed (above; the whole of it: $venv/install.log)." \
            "If it could not reach the package index, look at the network or its proxy; then run this command again."
    fi
}

# Brings the environment up to date; with `tests` also what the tests and checks need, with `measure`
# that and what `tools/bench wire` sets beside ours. An interrupted installation leaves the file
# `unfinished`, and the next call starts from nothing.
ensure_environment() {
    local want_base want_project want_tests want_measure
    want_base=$(checksum "$root/requirements.lock")
    want_project=$(checksum "$root/pyproject.toml")
    want_tests=$(checksum "$root/requirements-test.lock")
    want_measure=$(checksum "$root/requirements-measure.lock")
    if up_to_date "$@"; then return; fi

    if command -v flock >/dev/null 2>&1; then
        exec 9>"$root/.venv.lock"
        flock 9
        if up_to_date "$@"; then
            exec 9>&-
            return
        fi
    fi
    trap 'say "interrupted; the next call makes the environment anew"; exit 130' INT
    if [ ! -x "$venv/bin/python" ] || [ -e "$venv/unfinished" ] || ! is_stamped base "$want_base"; then
        find_python
        say "making the environment in $venv (once, about a minute) …"
        rm -rf -- "$venv"
        mkdir -- "$venv"
        : >"$venv/unfinished"
        "$python" -m venv "$venv" >&2 || fail "$python could not make an environment in $venv (above)."
        if [ -z "${1:-}" ]; then
            say "installing what tablectl needs …"
            install --require-hashes -r "$root/requirements.lock"
        fi  # else requirements-test.lock holds the same and more
    fi
    : >"$venv/unfinished"
    if [ -n "${1:-}" ] && ! is_stamped tests "$want_tests"; then
        say "installing what tablectl and its tests need …"
        install --require-hashes -r "$root/requirements-test.lock"
        printf '%s\n' "$want_tests" >"$venv/stamp.tests"
    fi
    if [ "${1:-}" = measure ] && ! is_stamped measure "$want_measure"; then
        say "installing what the measurements need …"
        install --require-hashes -r "$root/requirements-measure.lock"
        printf '%s\n' "$want_measure" >"$venv/stamp.measure"
    fi
    if ! is_stamped project "$want_project"; then
        say "installing tablectl itself …"
        install --no-build-isolation --no-deps -e "$root"
    fi
    printf '%s\n' "$want_base" >"$venv/stamp.base"
    printf '%s\n' "$want_project" >"$venv/stamp.project"
    rm -f -- "$venv/unfinished"
    trap - INT
    if command -v flock >/dev/null 2>&1; then exec 9>&-; fi
    say "the environment is ready"
}
