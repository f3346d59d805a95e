"""Compiled functions of all kinds over memory that is not there, in one process that must outlive them all.

For each function and each kind of memory a line: how it ended. `run NAME...` runs some of them."""
import ctypes
import mmap
import sys
import tempfile
import warnings

import numpy as np
from numba import guvectorize, njit, prange, stencil, vectorize

PAGE, PAGES = 4096, 16
# "cut": the file behind it has become shorter. All but "unmapped" begin with a whole page.
READ_KINDS = ("unmapped", "closed", "cut")
WRITE_KINDS = READ_KINDS + ("read-only",)

libc = ctypes.CDLL(None)
libc.mmap.restype = ctypes.c_void_p
libc.mmap.argtypes = [ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int, ctypes.c_int, ctypes.c_int, ctypes.c_long]
libc.mprotect.argtypes = [ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int]


def memory(kind):
    if kind == "unmapped":
        return 2 * PAGE  # the first 64 KiB of a process are nobody's
    size = PAGES * PAGE
    if kind == "cut":
        with tempfile.TemporaryFile() as file:
            file.truncate(size)
            at = libc.mmap(None, size, mmap.PROT_READ | mmap.PROT_WRITE, mmap.MAP_SHARED, file.fileno(), 0)
            file.truncate(PAGE)
        return at
    at = libc.mmap(None, size, mmap.PROT_READ | mmap.PROT_WRITE, mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS, -1, 0)
    ctypes.memset(at + size - 8, 0xC0, 8)  # a number below 0 behind all zeros: sorting has something to write
    libc.mprotect(at + PAGE, size - PAGE, mmap.PROT_READ if kind == "read-only" else 0)
    return at


def array_over(kind, dtype):
    size = (2 if kind == "unmapped" else PAGES) * PAGE
    return np.frombuffer((ctypes.c_char * size).from_address(memory(kind)), dtype)


READERS, WRITERS = {}, {}  # by name: function, dtype


def reader(function, dtype="f8"):
    READERS[getattr(function, "__name__", None) or function.py_func.__name__] = (function, dtype)


def writer(function, dtype="f8"):
    WRITERS[getattr(function, "__name__", None) or function.py_func.__name__] = (function, dtype)


def square(a):
    return a[:1024].reshape(32, 32)


square = njit(square)
small = np.ones(32)

# what they read, by the last item where one is enough
EXPRESSIONS = dict(
    item="a[len(a) - 1]", copied="a.copy()", astype="a.astype(np.float32)", strided="a[::2].copy()",
    reversed="a[::-1].copy()", transposed="square(a).T.copy()", filled="np.full_like(a, a[-1])",
    sorted="np.sort(a)", argsorted="np.argsort(a)", partitioned="np.partition(a, 5)", median="np.median(a)",
    summed="a.sum()", summed32="a.view(np.float32).sum()", cumulated="np.cumsum(a)", mean="np.mean(a)",
    variance="np.var(a)", greatest="a.max()", argmax="np.argmax(a)", any="np.any(a)", nonzero="np.nonzero(a)",
    dot="np.dot(a, np.ones(len(a)))", dot32="np.dot(a.view(np.float32), np.ones(2 * len(a), np.float32))",
    dot_complex="np.dot(a.view(np.complex128), np.ones(len(a) // 2, np.complex128))",
    matvec="np.dot(square(a), small)", vecmat="np.dot(small, square(a))", matmul="square(a) @ square(a)",
    matmul_transposed="square(a).T @ square(a)", solved="np.linalg.solve(square(a), small)",
    inverted="np.linalg.inv(square(a))", determinant="np.linalg.det(square(a))", svd="np.linalg.svd(square(a))[1]",
    cholesky="np.linalg.cholesky(square(a))", qr="np.linalg.qr(square(a))[0]", eig="np.linalg.eigvalsh(square(a))",
    lstsq="np.linalg.lstsq(square(a), small)[0]", norm="np.linalg.norm(a)", listed="list(a)", of_set="set(a)",
    of_dict="{x: 1 for x in a}", unique="np.unique(a)", searched="np.searchsorted(a, np.ones(3))",
    joined="np.concatenate((a, a))", stacked="np.vstack((a, a))", rolled="np.roll(a, 3)", convolved="np.convolve(a, small)",
    taken="np.take(a, np.arange(len(a)))", picked="a[np.arange(len(a))]", masked="a[a > -1]", chosen="np.random.choice(a, 5000)",
    equal="np.array_equal(a, np.zeros(len(a)))", where="np.where(a > 0, a, a)", interpolated="np.interp(a, a, a)",
    histogram="np.histogram(a, 10)[0]", correlated="np.corrcoef(a, a)", sine="np.sin(a)", hashed="hash(a[len(a) - 1])",
    printed="print(a)", as_text="str(a)", tuple_of="(a[0], a[len(a) - 1], a[len(a) // 2])", repeated="np.repeat(a, 2)")
TEXTS = dict(
    upper="s.upper()", find="s.find('x')", count="s.count('x')", replace="s.replace('x', 'yy')", split="s.split('x')",
    strip="s.strip()", join="s.join(['a', 'b'])", compare="s == 'abc'", less="s < 'abc'", add="s + 'x'", hash="hash(s)",
    contains="'x' in s", sliced="s[1:3]", length="len(s)", number="float('1' + s)", formatted="f'{s:>9}'", digit="s.isdigit()",
    printed="print(s)", repr="repr(s)", key="{s: 1}")
STATEMENTS = dict(
    set_item="a[len(a) - 1] = 3", fill="a.fill(1.0)", zero="a[:] = 0.0", into="a[:] = np.ones(len(a))",
    copyto="np.copyto(a, np.ones(len(a)))", sort="a.sort()", shuffle="np.random.shuffle(a)", random="a[:] = np.random.random(len(a))",
    normal="a[:] = np.random.normal(0, 1, len(a))", add="a += 1.0", dot_out="np.dot(small.reshape(32, 1), small.reshape(1, 32), square(a))",
    dot_out_vector="np.dot(np.ones((len(a), 2)), np.ones(2), a)", backwards="a[:] = a[::-1]", overlapping="a[1:] = a[:-1]",
    picked="a[np.arange(len(a))] = 1.0", masked="a[a == 0] = 1.0", put="np.put(a, np.arange(len(a)), np.ones(len(a)))",
    strided="a[::2] = 1.0", diagonal="np.fill_diagonal(square(a), 2.0)", ufunc_out="np.add(a, a, a)", broadcast="square(a)[:] = small",
    swapped="a[0], a[len(a) - 1] = a[len(a) - 1], a[0]")


def define(name, lines, **options):
    space = {"np": np, "square": square, "small": small, "prange": prange}
    exec(f"def {name}(a):\n" + "".join(f"    {line}\n" for line in lines), space)
    return njit(**options)(space[name])


for _name, _text in EXPRESSIONS.items():
    reader(define("read_" + _name, ["return " + _text if not _text.startswith("print") else _text]))
for _name, _text in TEXTS.items():
    reader(define("text_" + _name, ["s = str(a[len(a) - 1])", "return " + _text if not _text.startswith("print") else _text]), "U16")
for _name, _text in STATEMENTS.items():
    writer(define("write_" + _name, [_text]))
reader(define("read_records", ["return a[len(a) - 1].x"]), [("x", "f8"), ("y", "i4", 2)])
writer(define("write_records", ["a[len(a) - 1].x = 1.0"]), [("x", "f8"), ("y", "i4", 2)])
reader(define("read_on_threads", ["return np.sin(a) + 2 * a"], parallel=True))
reader(define("read_nogil", ["return np.sort(a)"], nogil=True))
writer(define("write_on_threads", ["for i in prange(len(a)):", "    a[i] = i"], parallel=True))


@vectorize(["f8(f8)"])
def read_ufunc(x):
    return x + 1


@vectorize(["f8(f8)"], target="parallel")
def read_parallel_ufunc(x):
    return x + 1


@guvectorize(["f8[:], f8[:]"], "(n)->()")
def read_gufunc(x, out):
    out[0] = x.sum()


@stencil
def read_stencil(a):
    return a[-1] + a[1]


for _ufunc in (read_ufunc, read_parallel_ufunc, read_gufunc):
    READERS[_ufunc.__name__] = (_ufunc, "f8")
READERS["read_stencil"] = (njit(lambda a: read_stencil(a)), "f8")


def attempt(function, kind, dtype):
    try:
        function(array_over(kind, dtype))
    except SystemError as error:
        words = {"not there": "not there", "not be written": "refused", "cut short": "cut"}
        text = str(error)
        return "cut" if "cut short" in text else next((w for t, w in words.items() if t in text), text)
    except Exception as error:
        return f"{type(error).__name__}: {error}"
    return "no fault"


def expected(kind, is_writer):
    """"Refused" is what the machine says of any store where the page exists for others."""
    return {"unmapped": {"not there"}, "cut": {"cut"}, "closed": {"not there", "refused"},
            "read-only": {"refused"}}[kind]


def whole_again():
    """What must still be right after a fault."""
    values = np.arange(100.0)[::-1].copy()
    assert still_sorts(values)[0] == 0 and still_sorts(values) @ np.ones(100) == 4950
    assert still_solves(np.eye(32) * 2)[3] == 0.5


still_sorts = njit(lambda a: np.sort(a))
still_solves = njit(lambda m: np.linalg.solve(m, np.ones(32)))


def main(names):
    warnings.simplefilter("ignore")
    failures = count = 0
    for functions, kinds in ((READERS, READ_KINDS), (WRITERS, WRITE_KINDS)):
        for name, (function, dtype) in functions.items():
            if names and name not in names:
                continue
            for kind in kinds:
                print(name, kind, end=": ", file=sys.stderr, flush=True)
                how = attempt(function, kind, dtype)
                print(how, file=sys.stderr, flush=True)
                failures += how not in expected(kind, functions is WRITERS)
                count += 1
            whole_again()
    print(f"{count} cases, {failures} failures")


if __name__ == "__main__":
    main(sys.argv[1:])
