# SPDX-License-Identifier: MIT
"""The import hook under which `numba` is gridcell.

install() puts a finder in front of sys.meta_path and imports nothing else, so that a kernel can
call it at start. The files of numba/ run under their numba.* names when first imported; what is
listed in ALIASES is one module under two names (`numba.cuda` is gridcell.cuda).

GRIDCELL_NUMBA=system leaves a numba of the environment alone.
"""
# what importlib.util offers, which takes a millisecond to import
import _frozen_importlib as _bootstrap
import _frozen_importlib_external as _external
import os
import sys

ROOTS = ("numba", "numbapro")
OLD_ROOTS = ("pyculib", "accelerate")
# name in the numba namespace -> the module that it is; submodules follow their parent
ALIASES = {
    "numba.cuda": "gridcell.cuda",
    # numba-cuda's own copies of what the compiler shares
    "numba.cuda.cgutils": "numba.core.cgutils",
    "numba.cuda.config": "numba.core.config",
    "numba.cuda.core": "numba.core",
    "numba.cuda.datamodel": "numba.core.datamodel",
    "numba.cuda.misc": "numba.misc",
    "numba.cuda.np": "numba.np",
    "numba.cuda.typeconv": "numba.core.typeconv",
    "numba.cuda.typing": "numba.core.typing",
    "numba.cuda.utils": "numba.core.utils",
    "numba.types": "numba.core.types",
    "numba.errors": "numba.core.errors",
    "numba.config": "numba.core.config",
    "numba.core.extending": "numba.extending",
    "numba.typing": "numba.core.typing",
    "numba.targets": "numba.core",
    "numba.compiler": "numba.core.decorators",
    "numbapro": "numba",
    "numbapro.cudalib": "gridcell.cudalib",
    "numbapro.cudalib.cublas": "gridcell.cudalib.blas",
    "numbapro.cudalib.curand": "gridcell.cudalib.rand",
    "numbapro.cudalib.sorting.radixsort": "gridcell.cudalib.sorting",
    "numbapro.cudalib.sorting.segsort": "gridcell.cudalib.sorting",
    # packages that took numbapro's libraries over, where the environment has none of the name
    "pyculib": "gridcell.cudalib",
    "pyculib.fft": "gridcell.cudalib.cufft",
    "pyculib.sorting.radixsort": "gridcell.cudalib.sorting",
    "pyculib.sorting.segsort": "gridcell.cudalib.sorting",
    "accelerate": "gridcell.cudalib",
    "accelerate.cuda": "gridcell.cudalib",
    "accelerate.cuda.fft": "gridcell.cudalib.cufft",
}

_callbacks = []  # called with the extension module when it has been loaded


def _alias_of(name):
    if name in ALIASES:
        return ALIASES[name]
    parent, _, last = name.rpartition(".")
    above = _alias_of(parent) if parent else None
    return f"{above}.{last}" if above else None


class _AliasLoader:
    """Gives a module that exists under another name."""

    def __init__(self, target):
        self.target = target

    def create_module(self, spec):
        import importlib
        module = importlib.import_module(self.target)
        self.own_spec = module.__spec__
        return module

    def exec_module(self, module):
        module.__spec__ = self.own_spec


class Finder:
    """Finds numba's modules in gridcell's package."""

    folder = os.path.join(os.path.dirname(os.path.abspath(__file__)), "numba")
    roots = ROOTS

    @classmethod
    def find_spec(cls, name, path=None, target=None):
        root, _, rest = name.partition(".")
        if root not in cls.roots:
            return None
        alias = _alias_of(name)
        if alias:
            from importlib import util
            try:
                found = util.find_spec(alias)
            except ModuleNotFoundError:  # its package is none
                return None
            if found is None:
                return None
            return _bootstrap.ModuleSpec(name, _AliasLoader(alias), is_package=True)
        base = os.path.join(cls.folder, *rest.split(".")) if rest else cls.folder
        package = os.path.join(base, "__init__.py")
        if os.path.isfile(package):
            return _external.spec_from_file_location(
                name, package, submodule_search_locations=[base])
        if os.path.isfile(base + ".py"):
            return _external.spec_from_file_location(name, base + ".py")
        if root == "numba":
            from gridcell import absent
            absent.refuse_module(name)
        return None


class LastFinder(Finder):
    """Asked when nobody else has the module: for packages that are no more."""

    roots = OLD_ROOTS


# numba-cuda's finder, which looks for what is not there in numba.cuda without end
_REDIRECTOR = "_numba_cuda_redirector"
_others = []


def install():
    """Make `import numba` find gridcell from now on; does nothing the second time."""
    if os.environ.get("GRIDCELL_NUMBA", "gridcell") == "system":
        return
    _others.extend(f for f in sys.meta_path if type(f).__module__ == _REDIRECTOR)
    ours = Finder, LastFinder
    others = (f for f in sys.meta_path if f not in ours and f not in _others)
    sys.meta_path[:] = [Finder, *others, LastFinder]


activate = install


def uninstall():
    """Take the hook away; modules that are loaded stay."""
    if Finder in sys.meta_path:
        sys.meta_path.remove(Finder)
        sys.meta_path.remove(LastFinder)
        sys.meta_path[:0] = _others
        _others.clear()


def on_load(callback):
    """Call `callback` with the extension module once it is loaded (now, if it is).

    An embedding program reads the capsule `interrupt` there (base/interrupt.h), by which it
    asks running compiled code to stop.
    """
    module = sys.modules.get("gridcell._gridcell")
    if module is not None:
        callback(module)
    else:
        _callbacks.append(callback)


def submodule(package, name):
    """The submodule that an attribute of a package names: imported when it is first named."""
    full = f"{package}.{name}"
    if name.startswith("__") or Finder.find_spec(full) is None:
        from gridcell import absent
        absent.refuse_name(package, name)
    __import__(full)
    return sys.modules[full]


def _loaded(module):
    debugging = sys.modules.get("gridcell.debugging")
    if debugging:
        debugging.loaded(module)
    while _callbacks:
        _callbacks.pop()(module)
