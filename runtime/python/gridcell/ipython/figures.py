"""%matplotlib and %pylab."""
import os

from IPython.core.error import UsageError

INLINE = "module://matplotlib_inline.backend_inline"
BACKENDS = {"inline": INLINE, "agg": "agg", "pdf": "pdf", "svg": "svg", "ps": "ps", "cairo": "cairo",
            "qt": "QtAgg", "qt5": "Qt5Agg", "qt6": "QtAgg", "tk": "TkAgg", "gtk3": "GTK3Agg",
            "gtk4": "GTK4Agg", "wx": "WXAgg", "osx": "MacOSX", "webagg": "webagg",
            "notebook": "nbAgg", "nbagg": "nbAgg", "widget": "module://ipympl.backend_nbagg",
            "ipympl": "module://ipympl.backend_nbagg"}


def choose(line):
    """Selects a backend; figures of cells go into the notebook by `inline`."""
    name = line.strip().lower()
    if name in ("-l", "--list"):
        print(f"Available matplotlib backends: {sorted(BACKENDS)}")
        return
    backend = BACKENDS.get(name or "inline")
    if backend is None and not name.startswith("module://"):
        raise UsageError(f"Unknown backend {line.strip()!r}: one of {', '.join(sorted(BACKENDS))}.")
    import matplotlib
    import matplotlib.pyplot as pyplot
    pyplot.switch_backend(backend or line.strip())
    # both spellings: what was asked for is what get_backend() answers from now on
    matplotlib.rcParams["backend"] = backend or line.strip()
    os.environ.pop("MPLBACKEND", None)
    if backend == INLINE:
        from matplotlib_inline import backend_inline
        backend_inline.activate()
    return backend or line.strip()


def offer_inline(registry_module):
    """Makes `inline` a backend that matplotlib >= 3.9 knows, where matplotlib-inline, whose metadata
    tell it so, is not installed."""
    registry = registry_module.backend_registry
    read = registry._read_entry_points

    def read_with_inline():
        entries = list(read())
        if "inline" not in (name for name, _ in entries):
            entries.append(("inline", INLINE.removeprefix("module://")))
        return entries

    registry._read_entry_points = read_with_inline


def fill_namespace(space, imports_all=True):
    """Names of NumPy and pyplot in a namespace."""
    exec("import numpy\nimport numpy as np\nimport matplotlib\nfrom matplotlib import pylab, mlab, pyplot\n"
         "plt = pyplot\n", space)
    if imports_all:
        exec("from pylab import *\nfrom numpy import *\n", space)


def pylab(line):
    """NumPy and pyplot in the namespace, as very old notebooks want it."""
    import _gridcell_kernel as kernel
    choose(line)
    fill_namespace(kernel.state("user_ns"))
    print("%pylab is deprecated, use %matplotlib inline and import the required libraries.")
    print(f"Populating the interactive namespace from numpy and matplotlib")
