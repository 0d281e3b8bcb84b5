"""The extension list: `x_kernel.pyx` becomes the modules `x_narrow` and `x_wide` (engine/lexicon/geometry.h).

A kernel has one source. The build copies it to `build/kernels` once for each geometry, with the name of every
such kernel in it replaced (`board_kernel` by `board_narrow`), and writes a stub beside the source for mypy.
"""

import os
import re
from pathlib import Path

from Cython.Build import cythonize
from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext

DEBUG = os.environ.get("KIBITZ_DEBUG", "") not in ("", "0")
# The Makefile has built the kernels in place already; an editable install would compile them all again.
IN_PLACE = "KIBITZ_IN_PLACE" in os.environ
KERNELS = (
    "engine/lexicon/tables",
    "engine/loaded_board/board",
    "engine/movegen/internal_words",
    "engine/evaluation/valuing",
    "engine/evaluation/bingo_expectation",
    "engine/evaluation/static_evaluation",
    "engine/search/choosing",
    "engine/search/simulating",
    "engine/search/endgame/endgame",
    "engine/selfplay/playing",
    "engine/selfplay/leave_sampling",
)
RIVALS = (
    "engine/lexicon/automaton",
    "engine/lexicon/anagrams",
    "engine/movegen/anagram",
    "engine/movegen/gordon",
    "engine/movegen/appel_jacobson",
)
# Nothing in these depends on the geometry.
ONCE = (
    "engine/position/squares",
    "engine/position/tile_texts",
    "engine/position/position_kernel",
    "engine/position/filling",
    "engine/records/cgp_fields",
    "engine/movegen/play_reading",
    "engine/evaluation/evaluator_kernel",
    "engine/evaluation/few_chances",
)
RIVALS_ONCE = ("engine/lexicon/parity_kernel",)
if os.environ.get("KIBITZ_DEBUG") == "1":  # the service's kernels alone; any other value builds all
    RIVALS = RIVALS_ONCE = ()
FLOORS = (
    "position",
    "records",
    "lexicon",
    "loaded_board",
    "movegen",
    "evaluation",
    "search",
    "search/endgame",
    "selfplay",
)

GENERATED = Path("build/kernels")
_GEOMETRIC = re.compile(rf"\b({'|'.join(Path(kernel).name for kernel in KERNELS + RIVALS)})_kernel\b")

directives = {
    "language_level": 3,
    "boundscheck": DEBUG,
    "wraparound": False,
    "initializedcheck": DEBUG,
    "overflowcheck": False,
    "cdivision": not DEBUG,
    "embedsignature": False,
}
if DEBUG:
    compile_args = ["-O1", "-g", "-fno-omit-frame-pointer"]
    compile_args += ["-fsanitize=address,undefined", "-fno-sanitize-recover=undefined"]
    compile_args += ["-fno-wrapv"]  # Python's own flags would define signed overflow, and hide it
    link_args = ["-fsanitize=address,undefined"]
    macros = [("KIBITZ_EMULATE_AVX512", "1")]
    include_dirs = ["tests/movegen"]  # emulated_avx512.h
else:
    compile_args = ["-O3", "-g0", "-fno-plt"]
    link_args = []
    macros = []
    include_dirs = []


def headers(kernel: str) -> list[str]:
    """Return the headers that a kernel can include: those of its own floor and of the floors below."""
    own = FLOORS.index(Path(kernel).parent.relative_to("engine").as_posix())
    return sorted(str(path) for floor in FLOORS[: own + 1] for path in Path("engine", floor).glob("*.h"))


def write_if_changed(path: Path, text: str) -> None:
    """Write a generated file; its time stays if its text does, so that nothing is compiled again."""
    if not path.exists() or path.read_text() != text:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)


def generate(kernel: str, geometry: str) -> str:
    """Write the sources of a kernel for a geometry; return the path of its .pyx."""
    source = Path(kernel)
    for path in (Path(f"{kernel}_kernel.pyx"), Path(f"{kernel}_kernel.pxd")):
        if path.exists():
            text = _GEOMETRIC.sub(rf"\1_{geometry}", path.read_text())
            write_if_changed(GENERATED / named(path, geometry), text)
    for path in source.parent.glob("*.pxi"):
        write_if_changed(GENERATED / path, path.read_text())
    module = f"{kernel}_kernel".replace("/", ".")
    write_if_changed(Path(f"{kernel}_{geometry}.pyi"), f"from {module} import *\n")
    return str(GENERATED / f"{kernel}_{geometry}.pyx")


def named(path: Path, geometry: str) -> Path:
    return path.with_name(path.name.replace("_kernel.", f"_{geometry}."))


def extension(kernel: str, geometry: str = "") -> Extension:
    name = f"{kernel}_{geometry}" if geometry else kernel
    return Extension(
        name.replace("/", "."),
        [generate(kernel, geometry) if geometry else f"{kernel}.pyx"],
        depends=headers(kernel),
        include_dirs=[*(f"engine/{floor}" for floor in FLOORS), *include_dirs],
        define_macros=macros + ([("KIBITZ_WIDE", "1")] if geometry == "wide" else []),
        extra_compile_args=[
            *compile_args,
            "-Wno-unused-function",
            "-Wno-unreachable-code",
            "-Wno-sign-compare",
        ],
        extra_link_args=link_args,
    )


class BuildKernels(build_ext):
    """Say which kernels are compiled: together they take minutes."""

    def run(self) -> None:
        self.looked_at = 0
        super().run()

    def build_extension(self, ext: Extension) -> None:
        built = Path(self.get_ext_fullpath(ext.name))
        before = built.stat().st_mtime_ns if built.exists() else None
        super().build_extension(ext)
        self.looked_at += 1
        if before != built.stat().st_mtime_ns:
            print(f"[{self.looked_at}/{len(self.extensions)}] compiled {ext.name}", flush=True)


setup(
    cmdclass={"build_ext": BuildKernels},
    ext_modules=cythonize(
        []
        if IN_PLACE
        else [
            *(extension(kernel, geometry) for kernel in KERNELS + RIVALS for geometry in ("narrow", "wide")),
            *(extension(kernel) for kernel in ONCE + RIVALS_ONCE),
        ],
        compiler_directives=directives,
        include_path=[str(GENERATED), "."],  # a build by pip or uv does not search the current folder
        build_dir="build/cython-debug" if DEBUG else "build/cython",
        nthreads=os.cpu_count() or 1,
        quiet=True,
    ),
    options={"build_ext": {"parallel": os.cpu_count() or 1}},
)
