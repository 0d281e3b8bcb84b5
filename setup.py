"""The extension list: `x_kernel.pyx` becomes the modules `x_narrow` and `x_wide` (engine/lexicon/geometry.h).

A kernel has one source. The build copies it to `build/kernels` once for each geometry, replaces the names of
kernels in the copy (`board_kernel` becomes `board_narrow`), and writes a stub beside the source for mypy.
"""

import os
import re
from functools import cache
from pathlib import Path

from Cython.Build import cythonize
from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext

DEBUG = os.environ.get("KIBITZ_DEBUG", "") not in ("", "0")
# The Makefile sets it when it has built the kernels in place: an editable install would compile them again.
IN_PLACE = "KIBITZ_IN_PLACE" in os.environ
KERNELS = (
    "engine/lexicon/tables",
    "engine/loaded_board/board",
    "engine/movegen/internal_words",
    "engine/evaluation/evaluation",
    "engine/search/search",
    "engine/search/endgame/endgame",
    "engine/selfplay/selfplay",
)
# These do not depend on the geometry, so they are compiled once.
ONCE = (
    "engine/rules/game_rules",
    "engine/movegen/play_reading",
)
# Neither the wheel nor a service needs the laboratory; `make kernels` and `make tools` compile its kernels.
LAB_KERNELS = (
    "lab/tables/automaton",
    "lab/tables/anagrams",
    "lab/generators/anagram",
    "lab/generators/gordon",
    "lab/generators/appel_jacobson",
)
LAB_ONCE = ("lab/multisets/parity_kernel",)
LAB = "KIBITZ_LAB" in os.environ
# The module of Cython's memory views, once for all kernels: half of the C code would be copies of it.
SHARED = "engine.memory_views"
FLOORS = (
    "engine/rules",
    "engine/position",
    "engine/records",
    "engine/lexicon",
    "engine/loaded_board",
    "engine/movegen",
    "engine/evaluation",
    "engine/search",
    "engine/search/endgame",
    "engine/selfplay",
    "lab/multisets",
    "lab/tables",
    "lab/generators",
)

GENERATED = Path("build/kernels")
_INCLUDED = re.compile(r'^\s*(?:#include|include|cdef extern from) "(.+)"', re.MULTILINE)
_CIMPORTED = re.compile(r"^\s*from ([\w.]+) cimport", re.MULTILINE)
_GEOMETRIC = re.compile(rf"\b({'|'.join(Path(kernel).name for kernel in KERNELS + LAB_KERNELS)})_kernel\b")

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


@cache
def included(source: Path) -> frozenset[str]:
    """Return the files that a source includes, itself or through others: it is compiled when they change."""
    found: set[str] = {str(source)}
    names = [Path(name) for name in _INCLUDED.findall(source.read_text())]
    modules = [source.with_suffix(".pxd")] if source.suffix == ".pyx" else []
    modules += [Path(name.replace(".", "/") + ".pxd") for name in _CIMPORTED.findall(source.read_text())]
    paths = [Path(folder, name) for name in names for folder in (source.parent, *FLOORS, *include_dirs)]
    for path in {*paths, *modules}:
        if path.is_file():  # and no header of the system
            found |= included(path)
    return frozenset(found)


def write_if_changed(path: Path, text: str) -> None:
    """Write a generated file unless it holds this text already: a newer file would be compiled again."""
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
        depends=sorted(included(Path(f"{kernel}_kernel.pyx" if geometry else f"{kernel}.pyx"))),
        include_dirs=[*FLOORS, *include_dirs],
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
    """Print the name of each kernel that is compiled: together they take minutes."""

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


geometric, once = (KERNELS + LAB_KERNELS, ONCE + LAB_ONCE) if LAB else (KERNELS, ONCE)

setup(
    cmdclass={"build_ext": BuildKernels},
    ext_modules=cythonize(
        []
        if IN_PLACE
        else [
            *(extension(kernel, geometry) for kernel in geometric for geometry in ("narrow", "wide")),
            *(extension(kernel) for kernel in once),
            Extension(SHARED, [], extra_compile_args=compile_args, extra_link_args=link_args),
        ],
        compiler_directives=directives,
        include_path=[str(GENERATED), "."],  # a build by pip or uv does not search the current folder
        build_dir="build/cython-debug" if DEBUG else "build/cython",
        nthreads=os.cpu_count() or 1,
        quiet=True,
        shared_utility_qualified_name=SHARED,
    ),
    options={
        "build_ext": {"parallel": os.cpu_count() or 1},
        # A .pth file, which type checkers follow; the default is an import hook, which they cannot.
        "editable_wheel": {"mode": "compat"},
    },
)
