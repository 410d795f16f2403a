#!/usr/bin/env bash
# Makes .toolchain/python, a virtual environment with what the Python SDK is tested with; needs Python 3.10 or newer.
# Does nothing where it is up to date.
set -euo pipefail
root="$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)"
environment="$root/.toolchain/python"
requirements="$root/sdk-python/requirements-dev.txt"
installed="$environment/installed.txt"

is_current() {
  cmp --silent "$requirements" "$installed" && [ -d "$environment/wheels" ] && "$environment/bin/python" -c ''
}

find_python() {
  local name
  for name in python3 python3.14 python3.13 python3.12 python3.11 python3.10; do
    if "$name" -c 'import sys; sys.exit(sys.version_info < (3, 10))' 2>/dev/null; then
      echo "$name"
      return
    fi
  done
  echo 'use-python: install Python 3.10 or newer' >&2
  return 1
}

make_environment() {
  local python
  python="$(find_python)"
  rm -rf "$environment"
  # Debian's Python can make an environment only with the package python3-venv; its pip can fill one without.
  "$python" -m venv "$environment" >&2 || {
    "$python" -m venv --clear --without-pip "$environment" >&2
    "$python" -m pip --quiet --python "$environment/bin/python" install pip >&2
  }
  "$environment/bin/python" -m pip install --quiet --no-compile --disable-pip-version-check -r "$requirements" >&2
  # What the SDK's wheel needs, under Python 3.10 too; its test installs it into empty environments without a network.
  "$environment/bin/python" -m pip download --quiet --disable-pip-version-check --dest "$environment/wheels" \
    --only-binary :all: httpx exceptiongroup typing_extensions -c "$requirements" >&2
  cp "$requirements" "$installed"
}

is_current && exit
mkdir -p "$root/.toolchain"
# Tests that run at once make it once.
exec 9>"$root/.toolchain/python.lock"
if command -v flock >/dev/null; then flock 9; fi
is_current || make_environment
