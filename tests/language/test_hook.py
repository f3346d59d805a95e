"""`numba` as a name: the import hook, and python3 -m gridcell."""
import json

import pytest

IMPORTS = """
import numba, numba.core, numba.core.types, numba.core.errors as e, numba.types, numba.errors
from numba import jit, njit, vectorize, types, float32, prange, typeof, config
from numba.core.errors import TypingError
from numba.np.numpy_support import from_dtype
import numbapro
assert e.TypingError is TypingError is numba.errors.TypingError is numba.TypingError
assert numba.types is numba.core.types is types and numbapro is numba
assert TypingError.__module__ == "numba.core.errors"
assert tuple(int(x) for x in numba.__version__.split(".")[:2]) >= (0, 46)
assert numba.version_info.short >= (0, 56)
assert issubclass(numba.NumbaPerformanceWarning, numba.NumbaWarning)
print("fine")
"""


def test_imports(run_python):
    done = run_python("-m", "gridcell", code=IMPORTS)
    assert (done.stdout, done.stderr, done.returncode) == ("fine\n", "", 0)


def test_activate(run_python):
    done = run_python(code="import gridcell; gridcell.activate()\n" + IMPORTS)
    assert (done.stdout, done.stderr) == ("fine\n", "")


def test_star_import(run_python):
    code = "from numba import *\nprint(f8, void, float32, njit, NumbaWarning, bool is type(True))\n"
    done = run_python("-m", "gridcell", code=code)
    assert done.stdout.startswith("float64 none float32 <function njit")
    assert done.stdout.endswith("True\n")


def test_hook_loads_nothing(prints):
    code = ("import sys; before = set(sys.modules)\n"
            "import gridcell; gridcell.activate()\n"
            "print(sorted(set(sys.modules) - before))\n")
    prints("['gridcell', 'gridcell.hook']\n", code=code)


IMPORT = """
import sys
before = set(sys.modules)
import gridcell; gridcell.activate()
import numba
loaded = set(sys.modules) - before
maps = open("/proc/self/maps").read()
print(sorted(loaded & {"numpy", "ctypes", "ast", "pickle", "re", "contextlib", "importlib.util", "inspect"}))
print([name for name in ("gridcell-llvm", "libLLVM", "libstdc++") if name in maps])
numba.njit(lambda x: x + 1)(1)
print("gridcell-llvm" in open("/proc/self/maps").read())
print(sorted(set(sys.modules) & {"numpy", "ctypes", "ast", "numba.core.ccallback", "numba.stencils"}))
"""


def test_import_loads_what_it_needs(prints):
    prints("[]\n[]\nTrue\n[]\n", "-S", code=IMPORT)


NAMES = """
import numba
assert not set(numba.__all__) - set(dir(numba))
assert numba.vectorize is numba.np.ufunc.vectorize and numba.guvectorize is numba.np.ufunc.guvectorize
assert numba.stencil is numba.stencils.stencil.stencil and numba.cfunc is numba.core.ccallback.cfunc
assert numba.objmode is numba.core.objmode.objmode and "float64" in numba.carray.__doc__ + numba.jit.__doc__
assert not hasattr(numba.core, "nothing") and not hasattr(numba.np, "nothing")
print("fine")
"""


def test_names_are_imported_when_they_are_read(run_python):
    done = run_python("-m", "gridcell", code=NAMES)
    assert (done.stdout, done.stderr) == ("fine\n", "")


MAIN = """
import sys, numba
@numba.njit
def f(x): return x + 1
if __name__ == '__main__': print(sys.argv[1:], f(41))
"""


def test_arguments_and_main(prints):
    prints("[] 42\n", "-m", "gridcell", code=MAIN)


def test_command_string(prints):
    prints("3\n", "-m", "gridcell", "-c", "import numba; print(numba.njit(lambda x: x)(3))")


def test_missing_file(run_python):
    done = run_python("-m", "gridcell", "missing.py")
    assert done.returncode == 2
    assert done.stderr == "gridcell: cannot open 'missing.py': no such file\n"


def test_system_numba(run_python):
    code = ("import gridcell; gridcell.activate()\nimport sys\n"
            "try:\n    import numba\nexcept ImportError: print('none')\n"
            "else: print('/gridcell/numba/' in numba.__file__)\n")
    done = run_python(code=code, env={"GRIDCELL_NUMBA": "system"})
    assert done.stdout in ("none\n", "False\n"), done.stderr


def test_info(run_python):
    done = run_python(code="import gridcell, json; print(json.dumps(gridcell.info()))",
                      env={"GRIDCELL_DEVICE": "emulator"})
    facts = json.loads(done.stdout)
    assert facts["llvm"].startswith("19.") and facts["numpy"] and facts["gridcell"]
    assert facts["cuda"]["devices"][0]["name"] == "gridcell emulated device (CPU)"


def test_without_numpy(run_python):
    code = ("import sys; sys.modules['numpy'] = None\nimport gridcell; gridcell.activate()\n"
            "import numba\nprint(numba.njit(lambda x: x + 1)(1))\n"
            "try:\n    numba.from_dtype('f4')\nexcept ImportError as error:\n    print(error)\n")
    done = run_python(code=code)
    assert done.stdout.startswith("2\n") and "needs NumPy" in done.stdout and done.stderr == ""


@pytest.mark.parametrize("version", ["1.25.2", "1.9", "0.1"])
def test_a_numpy_that_is_too_old(run_python, version):
    code = ("import sys, types\nold = sys.modules['numpy'] = types.ModuleType('numpy'); "
            f"old.__version__ = {version!r}\nimport gridcell; gridcell.activate()\n"
            "import numba\nprint(numba.njit(lambda x: x + 1)(1))\n"
            "try:\n    numba.from_dtype('f4')\nexcept ImportError as error:\n    print(error)\n")
    done = run_python(code=code)
    words = f"this needs NumPy 1.26 or later, and this Python has {version}; update it"
    assert done.stdout.startswith("2\n") and words in done.stdout
    assert "Traceback" not in done.stderr and done.stderr.count(words) <= 1


def test_numpy_is_imported_at_first_use(run_python):
    done = run_python(code="import gridcell, sys; gridcell.activate(); import numba\n"
                           "print(numba.njit(lambda x: x + 1)(1), 'numpy' in sys.modules)\n")
    assert done.stdout == "2 False\n", done.stderr


def test_unknown_submodule(run_python):
    done = run_python("-m", "gridcell", code="import numba.nothing_like_this")
    assert "ModuleNotFoundError: No module named 'numba.nothing_like_this'" in done.stderr


REDIRECTED = """
import importlib, sys, types
other = types.ModuleType("_numba_cuda_redirector")
exec('''
import sys
class Finder:
    def find_spec(self, name, path=None, target=None):
        if "numba.cuda" in name:
            for other in sys.meta_path:
                spec = other.find_spec(name, path, target)
                if spec:
                    return spec
''', other.__dict__)
sys.modules[other.__name__] = other
finder = other.Finder()
sys.meta_path.insert(0, finder)
import gridcell.hook
gridcell.hook.install()
try:
    import numba.cuda.nothing
except ModuleNotFoundError as error:
    print(error)
gridcell.hook.uninstall()
print(sys.meta_path[0] is finder)
"""


def test_finders_of_numba_cuda_are_out_of_the_way(run_python):
    done = run_python(code=REDIRECTED)
    assert (done.stdout, done.stderr) == ("No module named 'numba.cuda.nothing'\nTrue\n", "")
