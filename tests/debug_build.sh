#!/bin/sh
# Build the kernels with bounds checks, AddressSanitizer and UndefinedBehaviorSanitizer into a folder of
# their own, and run the kernels' tests on that build. Called by `make debug-test`; arguments go to pytest.
# KIBITZ_LAB=1 builds and tests the kernels of the laboratory too, which takes twice as long.
set -eu
cd "$(dirname "$0")/.."
python=${PYTHON:-.venv/bin/python}
library=build/debug
export KIBITZ_DEBUG=1
lab=
if [ "${KIBITZ_LAB:-}" ]; then
    library=build/debug-lab
    lab="tests/lab/generators tests/lab/tables tests/lab/multisets/test_parity_exceedance.py"
fi

# C files, objects and libraries lie in folders that only this build uses. Cython does not see a change of
# its directives, nor setuptools that a module is gone, so both start anew when it matters.
if [ setup.py -nt "$library/stamp" ]; then
    rm -rf build/cython-debug "$library"
fi
mkdir -p "$library/lib"
find "$library/lib" -name '*.py' -delete
touch "$library/stamp"
"$python" setup.py -q build --build-base "$library/work" --build-lib "$library/lib" build_ext \
    --build-temp "$library/work/objects" > "$library/log" 2>&1 || {
    cat "$library/log"
    exit 1
}
if [ "$lab" ]; then  # no wheel has the laboratory, so setuptools copies its kernels alone
    find lab -name '*.py' -exec cp --parents {} "$library/lib" \;
fi

sanitizer=$(gcc -print-file-name=libasan.so)
# PYTHONSAFEPATH keeps the current folder, with the release build in it, off the path; the append mode keeps
# pytest from putting it first. tests/sanitizers.py refuses to run if a release kernel is loaded all the same.
sanitized_tests() {
    env PYTHONSAFEPATH=1 PYTHONPATH="$PWD/$library/lib:$PWD" PYTHONMALLOC=malloc PYTHONDONTWRITEBYTECODE=1 \
        ASAN_OPTIONS=detect_leaks=0:abort_on_error=0:exitcode=99 \
        UBSAN_OPTIONS=halt_on_error=1:print_stacktrace=1:exitcode=99 \
        LD_PRELOAD="$sanitizer" \
        "$python" -m pytest -p tests.sanitizers --import-mode=append --capture=sys -p no:cacheprovider -q "$@"
}

# Two halves side by side, for two cores; a sanitizer's report ends its half with status 99.
sanitized_tests tests/movegen "$@" > "$library/movegen.log" 2>&1 &
movegen=$!
status=0
sanitized_tests tests/rules/test_game_rules.py tests/loaded_board tests/analysis/test_forged_parts.py \
    tests/lexicon tests/evaluation tests/search tests/selfplay/test_games.py tests/selfplay/test_training.py \
    $lab "$@" || status=$?
wait "$movegen" || status=$?
cat "$library/movegen.log"
exit "$status"
