#!/bin/sh
# Runs all checks and the slow tests alone: exhaustive ones, those of builds and long runs, and those of real areas, which
# other runs only have with small drawn ones.
set -eu
exec sh "$(dirname -- "$0")/test.sh" -m 'slow or shared_data' "$@"
