# SPDX-License-Identifier: MIT
"""gridcell: a JIT compiler for Python functions on CPUs and CUDA devices, under the name `numba`.

    import gridcell
    gridcell.activate()      # from now on `import numba` finds gridcell

`import numba` then gives jit, njit, vectorize, cuda, types and so on. Importing this package
alone loads neither the compiler nor NumPy.
"""
import _imp as _machinery
import os as _os

__all__ = ["activate", "info"]

# an interpreter that the machine code is not for is told so now, not when something is half done
_suffix = _machinery.extension_suffixes()[0]
if not _os.path.exists(_os.path.join(__path__[0], "_gridcell" + _suffix)):
    from gridcell import unfit
    unfit.refuse(__path__[0], _suffix)


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
