"""cache=True: what a second process finds on disk, and what must never be found there."""
import os
import subprocess
import sys
import time

import pytest

from conftest import BUILD

# functions whose code refers to the process in as many ways as there are
LIBRARY = '''
import numpy as np
from numba import cfunc, guvectorize, njit, objmode, prange, vectorize
from helper import scale

class Mine(ValueError):
    pass

table = np.arange(5.0)

@njit(cache=True)
def plain(a, b):
    return scale(a) + b

@njit(cache=True)
def fails(n):
    if n == 1:
        raise Mine("told", n)
    if n == 2:
        return [1, 2][n + 5]
    return table[n]

@njit(cache=True)
def catches(n):
    try:
        return fails(n)
    except Mine:
        return -1.0

@njit(cache=True)
def texts(s):
    counts = {}
    for word in s.split():
        counts[word] = counts.get(word, 0) + 1
    return ",".join([f"{w}:{n:>3}" for w, n in counts.items()])

@njit(cache=True, parallel=True)
def parallel(a):
    total = 0.0
    for i in prange(a.size):
        total += a[i] * table[i % 5]
    return total

@njit(cache=True)
def asks_python(n):
    with objmode(x="float64"):
        x = float(str(n) + "5")
    return x

@njit(cache=True)
def counts(n):
    for i in range(n):
        yield i * i

@njit(cache=True)
def deep(n):
    return 1 if n == 0 else n * deep(n - 1)

@njit(cache=True)
def shows(a, s):
    print(a, s, a.sum())

@vectorize(["float64(float64, float64)"], cache=True)
def ufunc(x, y):
    return x * y + 1

@vectorize(cache=True)
def dynamic(x):
    return x + 1

@guvectorize(["void(float64[:], float64[:])"], "(n)->()", cache=True)
def gufunc(row, out):
    out[0] = row.max() - row.min()

@cfunc("float64(float64)", cache=True)
def callback(x):
    return x / 2 + table[1]

@njit("int64(int64)")
def double(x):
    return 2 * x

@njit("int64(int64)")
def square(x):
    return x * x

@njit(cache=True)
def chooses(n):
    f = double if n < 2 else square
    return f(n)

cached = [plain, chooses, fails, catches, texts, parallel, asks_python, counts, deep, shows]
'''
SMALL = '''
from numba import njit
from helper import scale

@njit(cache=True)
def plain(a, b):
    return scale(a) + b

@njit(cache=True)
def deep(n):
    return 1 if n == 0 else n * deep(n - 1)
'''
HELPER = '''
from numba import njit
factor = 3

@njit
def scale(x):
    return x * factor
'''
PROGRAM = '''
import sys, traceback
import numpy as np
from library import *
from library import cached

print(plain(1, 2), plain(1.5, 2.5), fails(3), catches(1), catches(3))
print(texts("a b a"), parallel(np.arange(10.0)), asks_python(2), list(counts(4)), deep(10))
shows(np.arange(3), "text")
print(chooses(2), callback.ctypes(3.0), callback.native_name in callback.inspect_llvm())
print(ufunc(np.arange(3.0), 2.0), dynamic(np.arange(3)), gufunc(np.arange(6.0).reshape(2, 3)))
for n in (1, 2):
    try:
        fails(n)
    except ValueError as error:
        print(type(error).__module__, error.args)
    except IndexError:
        traceback.print_exc(file=sys.stdout)
print("hits", sum(sum(f.stats.cache_hits.values()) for f in cached),
      "misses", sum(sum(f.stats.cache_misses.values()) for f in cached))
'''


@pytest.fixture
def project(tmp_path, run_python):
    """Runs a program in a folder with library.py and helper.py, and gives what it printed."""
    class Project:
        path = tmp_path

        def write(self, name, text):
            (tmp_path / name).write_text(text)

        def run(self, code=PROGRAM, **env):
            (tmp_path / "main.py").write_text(code)
            environment = {"GRIDCELL_CACHE_DIR": str(tmp_path / "user"), "PYTHONDONTWRITEBYTECODE": "1",
                           **env}
            done = run_python("-m", "gridcell", "main.py", env=environment)
            assert done.returncode == 0, done.stderr
            self.errors = done.stderr
            return done.stdout

        def files(self, folder="__pycache__"):
            return sorted((tmp_path / folder).glob("*.gco"))

    made = Project()
    made.write("library.py", LIBRARY)
    made.write("small.py", SMALL)
    made.write("helper.py", HELPER)
    return made


def split(output):
    """What was printed, hits, misses."""
    text, _, counts = output.rpartition("hits ")
    hits, _, misses = counts.split()
    return text, int(hits), int(misses)


def test_second_process_loads_all(project):
    first, hits, misses = split(project.run())
    assert hits == 0 and misses == 11
    assert "library ('told', 1)" in first and "IndexError: list index out of range" in first
    assert 'library.py", line 20, in fails' in first
    files = project.files()
    again, hits, misses = split(project.run())
    assert (again, hits, misses) == (first, 11, 0)
    assert project.files() == files and not project.files("user/code")
    assert len(files) == 16 and not list(project.path.glob("**/*.tmp"))


def test_changes_are_seen(project):
    """A changed callee in another file, a changed constant, a changed source of the same age."""
    code = "from small import *\nprint(plain(1, 2), sum(plain.stats.cache_hits.values()))"
    assert project.run(code) == "5 0\n"
    assert project.run(code) == "5 1\n"
    stamp = os.stat(project.path / "helper.py")
    for change in (("factor = 3", "factor = 4"), ("x * factor", "x - factor")):
        text = (project.path / "helper.py").read_text().replace(*change)
        project.write("helper.py", text)
        os.utime(project.path / "helper.py", ns=(stamp.st_atime_ns, stamp.st_mtime_ns))
        want = eval("x * 4 + 2" if "x * factor" in text else "x - 4 + 2", {"x": 1})
        assert project.run(code) == f"{want} 0\n"
        assert project.run(code) == f"{want} 1\n"
    project.write("helper.py", HELPER)
    assert project.run(code) == "5 1\n"
    project.write("small.py", "# moved by a line\n" + SMALL.replace("scale(a) + b", "scale(a) - b"))
    assert project.run(code) == "1 0\n"


def test_defaults_that_are_functions(project):
    """Their text, not where they lie in memory, tells whether kept code is still right."""
    project.write("defaults.py", "import numpy as np\nfrom numba import njit\nfrom helper import scale\n\n"
                  "@njit(cache=True)\ndef apply(x, call=scale, module=np):\n    return module.sqrt(call(x))\n")
    code = "from defaults import apply\nprint(apply(12), sum(apply.stats.cache_hits.values()))"
    assert [project.run(code) for _ in range(2)] == ["6.0 0\n", "6.0 1\n"]
    project.write("helper.py", HELPER.replace("x * factor", "x * 12"))
    assert [project.run(code) for _ in range(2)] == ["12.0 0\n", "12.0 1\n"]


def test_damaged_files_are_replaced(project):
    code = "from small import *\nprint(plain(1, 2), deep(5), sum(plain.stats.cache_hits.values()))"
    assert project.run(code) == "5 120 0\n"
    whole = [file.read_bytes() for file in project.files()]
    for damage in (lambda data: data[:-1], lambda data: b"", lambda data: data[:100],
                   lambda data: data[:200] + b"\0" + data[201:] + b"x", lambda data: b"x" * len(data)):
        for file in project.files():
            file.write_bytes(damage(file.read_bytes()))
        assert project.run(code) == "5 120 0\n"
        assert [file.read_bytes() for file in project.files()] == whole
    for file in project.files():  # anybody may have written it
        file.chmod(0o666)
    assert project.run(code) == "5 120 0\n"
    assert project.run(code) == "5 120 1\n"


def test_writers_at_once(project):
    (project.path / "main.py").write_text(PROGRAM)
    env = {**os.environ, "PYTHONPATH": str(BUILD / "python"), "NUMBA_CACHE_DIR": str(project.path / "new")}
    started = [subprocess.Popen([sys.executable, "-m", "gridcell", "main.py"], env=env, cwd=project.path,
                                stdout=subprocess.PIPE, text=True) for _ in range(3)]
    texts = {split(process.communicate(timeout=120)[0])[0] for process in started}
    assert len(texts) == 1 and all(process.returncode == 0 for process in started)
    assert len(project.files("new")) == 16 and not list(project.path.glob("**/*.tmp"))
    assert split(project.run(NUMBA_CACHE_DIR=str(project.path / "new")))[1:] == (11, 0)


def test_folders(project):
    code = "from small import *\nplain(1, 2); deep(3); print(plain.stats.cache_path)"
    assert project.run(code) == str(project.path / "__pycache__") + "\n" and len(project.files()) == 2
    other = str(project.path / "other")
    assert project.run(code, NUMBA_CACHE_DIR=other) == other + "\n" and len(project.files("other")) == 2
    assert not project.files("user/code")
    # what cannot be written there goes to the user's folder
    assert project.run(code, NUMBA_CACHE_DIR="/proc/none") == "/proc/none\n" and not project.errors
    assert len(project.files("user/code")) == 2
    assert (project.path / "user/code").stat().st_mode & 0o777 == 0o700
    # nowhere: said once, and all works
    project.run(code, NUMBA_CACHE_DIR="/proc/none", GRIDCELL_CACHE_DIR="/proc/none")
    assert project.errors.count("NumbaWarning") == 1
    assert "Cannot cache compiled function 'plain': /proc/none" in project.errors
    # an empty name: the user wants no files
    for file in project.files():
        file.unlink()
    assert project.run(code, GRIDCELL_CACHE_DIR="") == "None\n" and not project.files()
    # more than the limit is not kept
    project.run(code, GRIDCELL_CACHE_LIMIT="0")
    assert len(project.files()) <= 1


def test_what_users_see(project):
    code = '''
from numba import njit, types, int64, float64
@njit(cache=True)
def f(a):
    total = a
    for i in range(10):
        total += i * a
    return total
print(f(2), f(2.5), f.stats.cache_hits, f.stats.cache_misses)
llvm, assembly = f.inspect_llvm((int64,)), f.inspect_asm((int64,))
print("define" in llvm, "f" in assembly, "digraph" in str(f.inspect_cfg((int64,))), f.overloads.keys())
f.inspect_types()
f.recompile()
print(f(2), sum(f.stats.cache_hits.values()), sum(f.stats.cache_misses.values()))
@njit
def g(a):
    return a + 1
g.enable_caching()
g(1)
print(g.stats.cache_path is not None, list(g.stats.cache_hits) or list(g.stats.cache_misses))
'''
    first = project.run(code, NUMBA_DEBUG_CACHE="1").splitlines()
    assert first[0].startswith("[cache] data saved to '") and first[0].endswith(".gco'")
    assert "main.f-" in first[0] and first[2].endswith("Counter() Counter({(int64,): 1, (float64,): 1})")
    again = project.run(code, NUMBA_DEBUG_CACHE="1").splitlines()
    assert again[0] == first[0].replace("saved to", "loaded from")
    assert again[2].endswith("Counter({(int64,): 1, (float64,): 1}) Counter()")
    assert again[3].startswith("True True True") and first[3] == again[3]
    assert "92 2 2" in first and "92 4 0" in again
    assert first[-1] == again[-1] == "True [(int64,)]"


def test_all_functions(project):
    """GRIDCELL_CACHE=all: also those that did not ask."""
    code = ("from numba import njit, vectorize\nimport numpy as np\n@njit\ndef f(a): return a + 1\n"
            "@vectorize(['f8(f8)'])\ndef u(a): return a + 1\n"
            "print(f(1), u(1.0), *f.stats.cache_hits.values())")
    assert project.run(code, GRIDCELL_CACHE="all") == "2 2.0\n"
    assert project.run(code, GRIDCELL_CACHE="all") == "2 2.0 1\n"
    assert len(project.files()) == 2


def test_files_in_use_stay(project):
    """The time of the last use, by which files are deleted, is kept up to date."""
    code = "from small import *\nplain(1, 2)"
    project.run(code)
    old = time.time() - 10000
    os.utime(project.files()[0], (old, old))
    project.run(code)
    assert project.files()[0].stat().st_mtime > old + 5000


def test_a_program_ends_the_caching_of_a_function(project):
    """numpy_groupies does so where it does not find the parts of numba's cache."""
    code = ("from numba import njit\nfrom numba.core import caching\nimport small\nimport pickle\n"
            "print(type(small.plain._cache).__name__, type(njit(lambda x: x)._cache).__name__)\n"
            "small.plain._cache = caching.NullCache()\nsmall.plain(1, 2)\n"
            "print(small.plain.stats.cache_path, sum(small.plain.stats.cache_misses.values()))\n"
            "small.deep._cache = object()\nsmall.deep(3)\n"
            "own = njit(lambda x: x)\nown._cache = object()\nprint(pickle.loads(pickle.dumps(own)) is own)")
    assert project.run(code) == "Cache NullCache\nNone 1\nTrue\n"
    assert not project.files() and not project.files("user/code")


def test_objects_that_a_program_keeps_by_key(tmp_path):
    from numba.core.caching import IndexDataCacheFile
    first = IndexDataCacheFile(str(tmp_path), "mine", (1, 2))
    assert first.load("a") is None
    first.save("a", [1])
    first.save(("b", 2), {"x": 3})
    first.save("a", [4])
    again = IndexDataCacheFile(str(tmp_path), "mine", (1, 2))
    assert again.load("a") == [4] and again.load(("b", 2)) == {"x": 3} and again.load("c") is None
    assert sorted(os.listdir(tmp_path)) == ["mine.1.nbc", "mine.2.nbc", "mine.nbi"]
    other = IndexDataCacheFile(str(tmp_path), "mine", (1, 3))  # of a source that changed
    assert other.load("a") is None
    other.save("d", 5)
    assert again.load("a") is None and other.load("d") == 5
    (tmp_path / "mine.1.nbc").write_bytes(b"\x80torn")
    assert other.load("d") is None
    other.flush()
    assert IndexDataCacheFile(str(tmp_path), "mine", (1, 3)).load("d") is None
