# SPDX-License-Identifier: MIT
"""gridcell: a JIT compiler for Python functions on CPUs and CUDA devices, under the name `numba`.

    import gridcell
    gridcell.activate()      # from now on `import numba` finds gridcell

`import numba` then gives jit, njit, vectorize, cuda, types and so on. Importing this package
alone loads neither the compiler nor NumPy.
"""
__all__ = ["activate", "info"]


def activate():
    """Make `numba` (and numbapro) resolve to gridcell in this interpreter."""
    from gridcell import hook
    hook.install()


def info():
    """Versions and devices, as a dict."""
    from gridcell import about
    return about.collect()


def __getattr__(name):
    if name == "__version__":
        from gridcell import _gridcell
        return _gridcell.version
    raise AttributeError(f"module 'gridcell' has no attribute {name!r}")
