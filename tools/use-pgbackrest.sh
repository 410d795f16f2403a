#!/usr/bin/env bash
# Makes .toolchain/pgbackrest, a root directory with PostgreSQL 18 and pgBackRest for `npm run drill:restore`. Needs root,
# mmdebstrap and a Debian mirror, and three minutes. Does nothing where it is there. The release of Debian that the machine
# runs may have an older pgBackRest, which does not know PostgreSQL 18, so the programs run in a chroot of their own.
set -euo pipefail
root="$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)"
target="$root/.toolchain/pgbackrest"
suite="${SWITCHYARD_DRILL_SUITE:-forky}"

[ -x "$target/usr/bin/pgbackrest" ] && exit
if [ "$(id -u)" -ne 0 ]; then
  echo 'use-pgbackrest: a chroot can be made by root only' >&2
  exit 1
fi
if ! command -v mmdebstrap >/dev/null; then
  echo 'use-pgbackrest: mmdebstrap is missing; install it with deploy/install-tools mmdebstrap' >&2
  exit 1
fi
mkdir -p "$root/.toolchain"
rm -rf "$target.part"
mmdebstrap --quiet --variant=minbase --aptopt='Acquire::Check-Valid-Until "false"' \
  --include=postgresql-18,pgbackrest "$suite" "$target.part" >&2
mv "$target.part" "$target"
