"""Tells meson.build of the Python that runs this, a line each: the folder of its headers, the name of its
shared library and the folder that it lies in (empty: where the linker looks anyway), how the names
of its extension modules end, the folder of NumPy's headers. With --check, only whether gridcell is for it."""
import os
import sys
import sysconfig

OLDEST, NEWEST = (3, 11), (3, 15)

is_known = sys.implementation.name == "cpython" and OLDEST <= sys.version_info[:2] <= NEWEST
if not is_known or sysconfig.get_config_var("Py_GIL_DISABLED"):
    kind = "free-threaded CPython" if is_known else sys.implementation.name
    sys.exit(f"{sys.executable} is {kind} {sys.version.split()[0]}: gridcell is for CPython "
             f"{'.'.join(map(str, OLDEST))} to {'.'.join(map(str, NEWEST))}")
headers = sysconfig.get_path("include", vars={"installed_base": sys.base_prefix, "base": sys.base_prefix})
if not os.path.exists(os.path.join(headers, "Python.h")):
    sys.exit(f"{sys.executable}: its headers are missing ({headers}/Python.h): install python3-dev, or what the "
             "environment calls it")
if sys.argv[1:] == ["--check"]:
    sys.exit()
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
