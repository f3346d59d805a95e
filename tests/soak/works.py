"""Kinds of work that are interrupted: a cell that would go on for long, and what is asked afterwards.

Each is a name, the cell, and an expression with the value that it must have in the next cell."""

SETUP = r"""
import asyncio, copy, decimal, hashlib, importlib, io, json, linecache, os, pickle, queue, re, sqlite3
import subprocess, sys, tempfile, threading, time, zlib
import numpy as np
from numba import cuda, float64, guvectorize, int64, njit, prange, vectorize
from numba.experimental import jitclass

@njit
def count(n):
    total = 0
    for i in range(n):
        total += i % 7
    return total
@njit(parallel=True)
def spread(n):
    total = 0
    for i in prange(n):
        total += i % 7
    return total
@njit
def sums(a, n):
    total = 0.0
    for i in range(n):
        total += a.sum() + np.sort(a)[0]
    return total
@njit
def decompose(a, n):
    total = 0.0
    for i in range(n):
        total += np.linalg.svd(a)[1][0]
    return total
@njit
def multiply(a, n):
    b = a
    for i in range(n):
        b = np.dot(b, a)
    return b[0, 0]
@njit
def gather(n):
    items = [0]
    for i in range(n):
        items.append(i)
        if len(items) > 1000:
            items.clear()
    return len(items)
@njit
def write(n):
    words = ""
    for i in range(n):
        words = words[-20:] + str(i)
    return len(words)
@njit
def tally(n):
    seen = {}
    for i in range(n):
        seen[i % 1000] = i
    return len(seen)
@njit
def fib(n):
    return n if n < 2 else fib(n - 1) + fib(n - 2)
@njit
def numbers(n):
    for i in range(n):
        yield i
@njit
def guarded(n):
    caught = 0
    for i in range(n):
        try:
            if i % 3 == 0:
                raise ValueError
        except Exception:
            caught += 1
    return caught
@vectorize([float64(float64)])
def root(x):
    for i in range(1000):
        x = x * 0.5 + 1.0
    return x
@guvectorize([(float64[:], float64[:])], "(n)->()")
def mean(a, out):
    total = 0.0
    for k in range(1000):
        for x in a:
            total += x
    out[0] = total / 1000 / a.size
@jitclass([("value", int64)])
class Counter:
    def __init__(self):
        self.value = 0
    def add(self, n):
        for i in range(n):
            self.value += i & 1
        return self.value
@cuda.jit
def spin(a, n):
    i = cuda.grid(1)
    x = a[i]
    for k in range(n):
        x = x * 0.5 + 1.0
    a[i] = x
@cuda.jit
def together(a, n):
    i = cuda.threadIdx.x
    part = cuda.shared.array(64, float64)
    for k in range(n):
        part[i] = a[i]
        cuda.syncthreads()
        a[i] = part[(i + 1) % 64]
        cuda.syncthreads()
@cuda.jit(debug=True, opt=False)
def one_by_one(a, n):
    i = cuda.threadIdx.x
    for k in range(n):
        a[i] += 1.0
        cuda.syncthreads()
@cuda.reduce
def added(a, b):
    return a + b
def one(kernel, n):
    a = cuda.to_device(np.zeros(64))
    kernel[1, 64](a, n)
    return float(a.copy_to_host().sum())
def fresh(n):
    text = f"def fresh(x):\n    return x * {n} + {n}\n"
    linecache.cache[f"fresh-{n}"] = len(text), None, text.splitlines(True), f"fresh-{n}"
    scope = {}
    exec(compile(text, f"fresh-{n}", "exec"), scope)
    return njit(scope["fresh"])(2)
turn = 0
array, square = np.arange(100_000.0), np.eye(200) + 0.01
base = sqlite3.connect(":memory:")
base.execute("create table t (x)")
count(1), spread(1), sums(array, 1), decompose(square, 1), multiply(square, 1), gather(1), write(1), tally(1), fib(3)
sum(numbers(3)), guarded(1), one(spin, 1), one(together, 2), one(one_by_one, 1), added(array)
none_left = lambda: threading.active_count()
"""

WORKS = [
    ("loop", "while True:\n    pass", "1 + 1", 2),
    ("sum of a range", "sum(range(10**11))", "sum(range(5))", 10),
    ("comprehension", "while True:\n    [x * x for x in range(10**5)]", "[x for x in range(3)]", [0, 1, 2]),
    ("sort", "while True:\n    sorted(range(10**5), key=lambda x: -x)", "sorted([2, 1])", [1, 2]),
    ("exceptions", "while True:\n    try:\n        raise ValueError\n    except ValueError:\n        pass", "1", 1),
    ("recursion", "def deep(n):\n    return deep(n - 1) if n else 0\nwhile True:\n    deep(500)", "deep(3)", 0),
    ("sleep", "time.sleep(60)", "2", 2),
    ("await", "await asyncio.sleep(60)", "3", 3),
    ("input", "input('?')", "4", 4),
    ("printing", "while True:\n    print('line ' * 10)", "5", 5),
    ("display", "while True:\n    display({'a': 1})\n    time.sleep(0.0005)", "6", 6),
    ("pickling", "while True:\n    pickle.loads(pickle.dumps(list(range(10**5))))", "pickle.loads(pickle.dumps(7))", 7),
    ("json", "while True:\n    json.loads(json.dumps(list(range(10**5))))", "json.loads('8')", 8),
    ("deep copy", "while True:\n    copy.deepcopy([{1: [2]}] * 100)", "copy.deepcopy([1])", [1]),
    ("pattern", "re.match('(a*)*b', 'a' * 40)", "re.sub('a', 'b', 'aa')", "bb"),
    ("subprocess", "subprocess.run(['sleep', '60'])", "subprocess.run(['true']).returncode", 0),
    ("shell", "!sleep 60", "9", 9),
    ("pipe", "os.read(os.pipe()[0], 1)", "10", 10),
    ("database", "while True:\n    base.execute('insert into t values (1)').rowcount\n    "
     "base.execute('select count(*) from t').fetchone()\n    base.execute('delete from t')",
     "base.execute('select 11').fetchone()[0]", 11),
    ("hash", "while True:\n    hashlib.sha256(bytes(10**6)).hexdigest()", "hashlib.md5(b'').hexdigest()[:4]", "d41d"),
    ("compression", "while True:\n    zlib.decompress(zlib.compress(bytes(10**6)))", "zlib.crc32(b'')", 0),
    ("decimals", "while True:\n    decimal.Decimal(2).sqrt()", "str(decimal.Decimal(1))", "1"),
    ("compile", "while True:\n    compile('x = [1, 2]\\n' * 1000, 'x', 'exec')", "eval('12')", 12),
    ("import", "while True:\n    for name in 'colorsys', 'wave', 'fractions', 'csv':\n"
     "        sys.modules.pop(name, None)\n        importlib.import_module(name)",
     "importlib.import_module('colorsys').rgb_to_hsv(0, 0, 0)[2]", 0),
    ("files", "while True:\n    with tempfile.TemporaryFile() as f:\n        f.write(b'x' * 1000)", "13", 13),
    ("queue", "queue.Queue().get()", "14", 14),
    ("lock", "lock = threading.Lock(); lock.acquire(); lock.acquire()", "15", 15),
    ("join", "t = threading.Thread(target=time.sleep, args=(1.5,), daemon=True); t.start(); t.join()", "16", 16),
    ("numpy", "while True:\n    np.sort(array[::-1]).sum()", "int(np.arange(3).sum())", 3),
    ("numpy linalg", "while True:\n    np.linalg.svd(square)", "float(np.linalg.det(np.eye(2)))", 1.0),
    ("timeit", "%timeit count(10**6)", "17", 17),
    ("jit compile", "while True:\n    turn += 1\n    fresh(turn)", "fresh(-5)", -15),
    ("jit loop", "count(10**12)", "count(10)", 24),
    ("jit prange", "spread(10**12)", "spread(10)", 24),
    ("jit arrays", "sums(array, 10**9)", "sums(array[:3], 1)", 3.0),
    ("jit LAPACK", "decompose(square, 10**9)", "decompose(np.eye(2), 1)", 1.0),
    ("jit BLAS", "multiply(square, 10**9)", "multiply(np.eye(2), 1)", 1.0),
    ("jit list", "gather(10**12)", "gather(3)", 4),
    ("jit text", "write(10**12)", "write(3)", 3),
    ("jit dict", "tally(10**12)", "tally(3)", 3),
    ("jit recursion", "fib(70)", "fib(10)", 55),
    ("jit generator", "for x in numbers(10**12):\n    pass", "sum(numbers(4))", 6),
    ("jit exceptions", "guarded(10**12)", "guarded(9)", 3),
    ("ufunc", "while True:\n    root(array)", "float(root(0.0))", 2.0),
    ("gufunc", "while True:\n    mean(array.reshape(1000, 100))", "float(mean(np.ones(3)))", 1.0),
    ("jitclass", "Counter().add(10**12)", "Counter().add(4)", 2),
    ("kernel", "one(spin, 10**12)", "one(spin, 1)", 64.0),
    ("kernel with a barrier", "one(together, 10**9)", "one(together, 2)", 0.0),
    ("kernel under debug", "one(one_by_one, 10**9)", "one(one_by_one, 2)", 128.0),
    ("launches", "while True:\n    one(spin, 10)", "one(spin, 1)", 64.0),
    ("copies", "while True:\n    cuda.to_device(array).copy_to_host()", "float(cuda.to_device(array).copy_to_host()[1])", 1.0),
    ("device reduction", "while True:\n    added(array)", "float(added(array[:4]))", 6.0),
]
