"""The classes of built-in magics; IPython.core.magics.osm and its like have them, too."""
from gridcell.ipython.magic_classes import module_getattr as _module_getattr
from gridcell.ipython.paths import extend_path as _extend_path

__path__[:] = _extend_path(__path__, __name__)
__getattr__ = _module_getattr(__name__)
