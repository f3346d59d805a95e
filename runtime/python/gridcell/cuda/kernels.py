# SPDX-License-Identifier: MIT
"""Kernels that device arrays need themselves."""
import functools

from .dispatcher import generated_kernel
from .generated import define, index_lines, index_text

BLOCK = 256


@functools.lru_cache(maxsize=None)
def _assign_kernel(ndim):
    from gridcell import cuda
    text = ("def assign(out, source):\n"
            "    i = cuda.grid(1)\n"
            "    step = cuda.gridsize(1)\n"
            "    while i < out.size:\n"
            f"{index_lines(ndim, '        ')}"
            f"        out[{index_text(ndim)}] = source[{index_text(ndim)}]\n"
            "        i += step\n")
    return generated_kernel(define("assign", text, {"cuda": cuda}))


def assign(target, source):
    """Copies between device arrays of one shape and dtype in different layouts."""
    if target.ndim == 0:
        target, source = target.reshape(1), source.reshape(1)
    blocks = min((target.size + BLOCK - 1) // BLOCK, 65535)
    _assign_kernel(target.ndim)[blocks, BLOCK](target, source)
