# Both kernels are arc_search.pxi.
from lab.generators.gordon_kernel import Generator as Generator
from lab.generators.gordon_kernel import simd_name as simd_name
