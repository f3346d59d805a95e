# SPDX-License-Identifier: MIT
"""What Python programs started from a notebook run first: `numba` is gridcell there, too.

The kernel puts this folder in front of PYTHONPATH. Only the import hook is installed, so that a
program without numba pays for no import; then the environment's own sitecustomize runs.
"""


def _forget_bytecode():
    """Of this file, for another Python than the package's: `pip uninstall` would leave it behind."""
    import os
    try:
        os.unlink(globals().get("__cached__") or "")
    except OSError:
        pass  # never written, or gone already


def _install_hook(package):
    import _imp
    import os
    # a Python of another version cannot load the extension: its own numba stays
    if not any(os.path.exists(os.path.join(package, "_gridcell" + suffix))
           for suffix in _imp.extension_suffixes() if suffix.startswith(".cpython")):
        _forget_bytecode()
        return
    import sys
    root = os.path.dirname(package)
    if root not in sys.path:
        # another environment: the packages of ours are not for it
        if os.path.basename(root) in ("site-packages", "dist-packages"):
            return
        sys.path.append(root)
    from gridcell import hook
    hook.install()


def _run_next(folder):
    import os
    import sys
    from _frozen_importlib import module_from_spec
    from _frozen_importlib_external import PathFinder
    places = [place for place in sys.path
              if os.path.abspath(place) not in (folder, os.path.realpath(folder))]
    sys.path[:] = places
    spec = PathFinder.find_spec("sitecustomize", places)
    if spec is None or spec.loader is None:
        return
    sys.modules["sitecustomize"] = module = module_from_spec(spec)
    spec.loader.exec_module(module)


def _start():
    import os
    folder = os.path.dirname(os.path.abspath(__file__))
    try:
        _install_hook(os.path.dirname(folder))
    finally:
        _run_next(folder)


_start()
