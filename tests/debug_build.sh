#!/bin/sh
# Build the kernels with bounds checks, AddressSanitizer and UndefinedBehaviorSanitizer into a folder of
# their own, and run the kernels' tests on that build. Called by `make debug-test`; arguments go to pytest.
set -eu
cd "$(dirname "$0")/.."
python=${PYTHON:-.venv/bin/python}
library=build/debug
export KIBITZ_DEBUG=1

# A stale C file or object would hide a change of flags: both lie in folders that only this build uses.
"$python" setup.py -q build --build-base "$library/work" --build-lib "$library/lib" build_ext \
    --build-temp "$library/work/objects"

sanitizer=$(gcc -print-file-name=libasan.so)
undefined=$(gcc -print-file-name=libubsan.so)
# PYTHONSAFEPATH keeps the current folder, with the release build in it, off the path; the append mode keeps
# pytest from putting it first. tests/sanitizers.py refuses to run if a release kernel is loaded all the same.
exec env PYTHONSAFEPATH=1 PYTHONPATH="$PWD/$library/lib:$PWD" PYTHONMALLOC=malloc PYTHONDONTWRITEBYTECODE=1 \
    ASAN_OPTIONS=detect_leaks=0:abort_on_error=0:exitcode=99 \
    UBSAN_OPTIONS=halt_on_error=1:print_stacktrace=1:exitcode=99 \
    LD_PRELOAD="$sanitizer $undefined" \
    "$python" -m pytest -p tests.sanitizers --import-mode=append -p no:cacheprovider \
    ${@:-tests/movegen tests/loaded_board tests/lexicon}
