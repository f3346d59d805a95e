"""The notebook's Python-side objects: what get_ipython(), IPython.display and magics need.

Nothing here is imported when the kernel starts; each module is loaded by its first use.
"""
import _frozen_importlib_external as _external
import os
import sys


class StandardLibrary:
    """Asked last: magics import what they need when first used, also where a cell has replaced sys.path."""

    folder = os.path.dirname(os.__file__)

    @classmethod
    def find_spec(cls, name, path=None, target=None):
        if path is not None or name not in sys.stdlib_module_names:
            return None
        return _external.PathFinder.find_spec(name, [cls.folder, os.path.join(cls.folder, "lib-dynload")])


sys.meta_path.append(StandardLibrary)
