"""Tells meson.build of the Python that runs this, a line each: the folder of its headers, the name of its
shared library and the folder that it lies in (empty: where the linker looks anyway), how the names
of its extension modules end, the folder of NumPy's headers."""
import os
import sys
import sysconfig

OLDEST = 3, 11

if sys.version_info < OLDEST or sys.implementation.name != "cpython":
    sys.exit(f"{sys.executable} is {sys.implementation.name} {sys.version.split()[0]}: gridcell needs CPython "
             f"{'.'.join(map(str, OLDEST))} or later")
headers = sysconfig.get_path("include", vars={"installed_base": sys.base_prefix, "base": sys.base_prefix})
if not os.path.exists(os.path.join(headers, "Python.h")):
    sys.exit(f"{sys.executable}: its headers are missing ({headers}/Python.h): install python3-dev, or what the "
             "environment calls it")
try:
    import numpy
except ImportError:
    sys.exit(f"{sys.executable} has no NumPy, whose headers are needed: pip install numpy")
folder = sysconfig.get_config_var("LIBDIR") or ""
library = "python" + (sysconfig.get_config_var("LDVERSION") or sysconfig.get_python_version())
is_usual = folder.startswith(("/usr/lib", "/lib")) or not os.path.exists(os.path.join(folder, f"lib{library}.so"))
print(headers)
print(library)
print("" if is_usual else folder)
print(sysconfig.get_config_var("EXT_SUFFIX")[1:])
print(numpy.get_include())
