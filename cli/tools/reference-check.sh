#!/bin/sh
# Runs the bundled tool: the copy beside this script, else the one that the build made.
here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd) || exit 2
main=$here/reference-check.mjs
[ -f "$main" ] || main=$here/../../dist/tools/reference-check.mjs
if [ ! -f "$main" ]; then
  echo "reference-check: $main is missing; build Docket first (npm run build)" >&2
  exit 2
fi
exec node "$main" "$@"
