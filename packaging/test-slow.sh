#!/bin/sh
# Runs all checks and the slow tests alone: exhaustive ones, and those of real areas, builds and long runs.
set -eu
exec sh "$(dirname -- "$0")/test.sh" -m slow "$@"
