"""%matplotlib and %pylab."""
import os

from IPython.core.error import UsageError

INLINE = "module://matplotlib_inline.backend_inline"
BACKENDS = {"inline": INLINE, "agg": "agg", "pdf": "pdf", "svg": "svg", "ps": "ps", "cairo": "cairo",
            "qt": "QtAgg", "qt5": "Qt5Agg", "qt6": "QtAgg", "tk": "TkAgg", "gtk3": "GTK3Agg",
            "gtk4": "GTK4Agg", "wx": "WXAgg", "osx": "MacOSX", "macosx": "MacOSX", "webagg": "webagg",
            "notebook": "nbAgg", "nbagg": "nbAgg", "widget": "module://ipympl.backend_nbagg",
            "ipympl": "module://ipympl.backend_nbagg"}


def _known_to_matplotlib():
    """Names of backends that Matplotlib itself has, by their spelling in small letters."""
    import matplotlib
    try:
        from matplotlib.backends.registry import backend_registry
        names = backend_registry.list_all()
    except ImportError:  # before 3.9
        from matplotlib import rcsetup
        names = rcsetup.all_backends
    return {name.lower(): name for name in names}


def available():
    """What %matplotlib takes."""
    return sorted({"auto", *BACKENDS, *_known_to_matplotlib()})


def find_backend(name):
    """The backend that a name of %matplotlib stands for; no name stands for the notebook's."""
    lower = name.lower()
    if lower in ("", "auto"):
        return INLINE
    if lower.startswith("module://"):
        return name
    backend = BACKENDS.get(lower) or _known_to_matplotlib().get(lower)
    if backend is None:
        raise UsageError(f"Unknown backend {name!r}: one of {', '.join(available())}.")
    return backend


def choose(name):
    """Selects a backend, and returns it; figures of cells go into the notebook by `inline`."""
    backend = find_backend(name)
    import matplotlib
    import matplotlib.pyplot as pyplot
    pyplot.switch_backend(backend)
    # both spellings: what was asked for is what get_backend() answers from now on
    matplotlib.rcParams["backend"] = backend
    os.environ.pop("MPLBACKEND", None)
    if backend == INLINE:
        from matplotlib_inline import backend_inline
        backend_inline.activate()
    return backend


def _option(words, option):
    """Takes an option out of an argument's words; whether it was there."""
    found = [word for word in words if word == option or option.startswith(word) and len(word) > 3]
    words[:] = [word for word in words if word not in found]
    return bool(found)


def _only_name(words):
    """The one backend that is named, or nothing."""
    wrong = [word for word in words if word.startswith("-")] or words[1:]
    if wrong:
        raise UsageError(f"unrecognized arguments: {' '.join(wrong)}")
    return words[0] if words else ""


def _choose_by_hand(name):
    backend = choose(name)
    if name.lower() in ("", "auto"):
        print(f"Using matplotlib backend: {backend}")


def matplotlib_magic(line):
    """%matplotlib [-l] [BACKEND]."""
    words = line.split()
    if "-l" in words or _option(words, "--list"):
        print(f"Available matplotlib backends: {available()}")
        return
    _choose_by_hand(_only_name(words))


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
    """Names of NumPy and pyplot in a namespace; those of the user that they took the place of."""
    import _gridcell_kernel as kernel
    hidden = kernel.state("initial_names")
    before = {name: value for name, value in space.items() if name not in hidden and name[0] != "_"}
    exec("import numpy\nimport numpy as np\nimport matplotlib\nfrom matplotlib import pylab, mlab, pyplot\n"
         "plt = pyplot\n", space)
    if imports_all:
        exec("from pylab import *\nfrom numpy import *\n", space)
    return {name for name, value in before.items() if space[name] is not value}


def pylab(line):
    """%pylab [--no-import-all] [BACKEND]: NumPy and pyplot in the namespace, as old notebooks want it."""
    import warnings

    import _gridcell_kernel as kernel
    words = line.split()
    imports_all = not _option(words, "--no-import-all")
    _choose_by_hand(_only_name(words))
    replaced = fill_namespace(kernel.state("user_ns"), imports_all)
    print("%pylab is deprecated, use %matplotlib inline and import the required libraries.")
    print("Populating the interactive namespace from numpy and matplotlib")
    if replaced and imports_all:
        warnings.warn(f"pylab import has clobbered these variables: {sorted(replaced)}"
                      "\n`%matplotlib` prevents importing * from pylab and numpy")
