"""When compiled functions let go of what they made: at its last use, once, on every way out."""
import itertools
import os
import pathlib
import re
import subprocess
import sys
import weakref

import numpy as np
import pytest
from numba import carray, njit
from numba.core.runtime import _nrt_python as nrt, rtsys

HERE = pathlib.Path(__file__).parent
# What numba 0.68 holds at most, in arrays, where it was measured: `python peaks.py numba`.
NUMBA_PEAKS = dict(nested=2, one_name=2, several_names=1, loop=3, loop_of_new=2, branches=3, handlers=1, views=2,
                   tuples=3, products=1, expressions=3, sorts=1, parts=1, generators=1)


def run_script(name, *arguments):
    # freed memory is filled with something else, so that whoever still reads it gets another result
    done = subprocess.run([sys.executable, HERE / name, *arguments], capture_output=True, text=True, timeout=600,
                          env=dict(os.environ, MALLOC_PERTURB_="165"))
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout.splitlines()


def test_every_kind_in_every_place():
    *failures, counts = run_script("lifetimes.py", "0.1", "1")
    assert not failures
    programs, refused = (int(part.split()[-1]) for part in counts.split(","))
    assert programs > 40 and refused < programs / 10


@pytest.mark.skipif(not os.access("/proc/self/clear_refs", os.W_OK), reason="the system does not tell peaks")
def test_peaks_are_at_most_those_of_numba():
    peaks = {name: float(arrays) for name, arrays in map(str.split, run_script("peaks.py"))}
    assert peaks.keys() == NUMBA_PEAKS.keys()
    assert {name: arrays for name, arrays in peaks.items() if arrays > NUMBA_PEAKS[name] + 0.1} == {}


# By name: a line of which many together make many owners, some alive at the same time.
MANY = {
    "strings": "t = t + str(x)", "lists": "l{i} = [x, {i}]\n    total += l{i}[x % 2]", "arrays": "a{i} = np.full(3, x)",
    "tuples": "p{i} = (str(x), np.full(2, x))\n    total += len(p{i}[0])", "in a loop": "for j in range(3):\n        t += str(j)",
    "caught": "try:\n        t = t + str(10 // (x - {i}))\n    except ZeroDivisionError:\n        t = t + 'none'",
}


def owners(name, count):
    ends = "".join(f"    if x == {i}:\n        raise ValueError(t)\n" if i % 10 == 9 else f"    {MANY[name].format(i=i)}\n"
                   for i in range(count))
    return "def f(x):\n    t = 'a'\n    total = 0\n" + ends + "    return t, total\n"


@pytest.mark.parametrize("count", [30, 40])  # below and above the number from which owners lie in one row
@pytest.mark.parametrize("name", MANY)
def test_many_owners_are_released_on_each_way_out(make, counted, name, count):
    plain = make(owners(name, count), np=np)
    f = njit(plain)
    assert f(100) == plain(100)  # compiled, and what stays for good made
    before = counted()
    for x in (5, 9, 19, 29, 50):
        for g in (f, plain):
            try:
                result = g(x)
            except ValueError as error:
                result = error.args
            if g is f:
                got = result
        assert got == result
    del got, result
    after = counted()
    assert after.alloc > before.alloc and after.alloc - after.free == before.alloc - before.free


# The array that each makes next gets the memory of the one before, if that was released.
@njit
def of_pointer(n):
    a = np.full(n, 2.5)
    b = carray(a.ctypes, n)
    for _ in range(3):
        np.full(n, 7.0)
    return b.sum()


@njit
def address_of(address, k):
    return address + 8 * k


@njit
def of_address(n):
    a = np.full(n, 2.5)
    first = a.ctypes.data
    last = address_of(first, n - 1)
    b = np.full(n, 7.0)
    return last - first + 0.0 if b.ctypes.data != first else -1.0


@njit
def of_iterator(n):
    s = 0.0
    for x in np.full(n, 2.5):
        np.full(n, 7.0)
        s += x
    return s


@njit
def of_flat(n):
    s = 0.0
    for i, x in enumerate(np.full((n, 2), 2.5).flat):
        np.full((n, 2), 7.0)
        s += x * i
    return s


@njit
def of_rows(n):
    s = 0.0
    for x, y in zip(np.full((n, 2), 2.5), np.full((n, 2), 1.5)[::-1]):
        np.full((n, 2), 7.0)
        s += x[1] * y[0]
    return s


@pytest.mark.parametrize("function, expected",
                         [(of_pointer, 25.0), (of_address, 72.0), (of_iterator, 25.0), (of_flat, 475.0), (of_rows, 37.5)])
def test_what_points_to_memory_keeps_it(function, expected):
    assert function(10) == expected


@njit
def halves(n):
    a = np.full(2, n + 0.5)
    for i in range(len(a)):
        yield a[i]


@njit
def one_twice(n):
    v = halves(n)
    return v, v


@njit
def of_generators(n):
    v = halves(n)
    yield v
    yield v
    yield halves(n + 1)


def test_generators_share_what_they_yield_and_return():
    a, b = one_twice(3)
    assert next(a) == 3.5
    del a
    assert list(b) == [3.5]
    assert [list(g) for g in of_generators(1)] == [[1.5, 1.5], [], [2.5, 2.5]]
    last = list(of_generators(1))[2]
    assert list(last) == [2.5, 2.5]


# What an enumerate() or a zip() goes over that nobody else keeps
WALKED = ["[1, 2]", "[str(n), 'x' * n]", "[np.full(2, n), np.full(2, 1)]", "{n: 2, 4: 7}", "{str(n): 'y' * n}.items()", "{n}",
          "np.full(2, n) + 1", "str(n) + 'b'", "(i for i in [n, 3])", "np.full((2, 2), n).flat", "reversed([n, 3])",
          "(np.full(2, n), np.full(2, 1))", "np.ndenumerate(np.full((2, 1), n))", "zip([n, 3], 'ab')", "enumerate([str(n), 'b'])"]
WALKS = ["[str(x) for x in through({0})]", "[str(x) for x in through(through({0}))]", "[x for x in map(str, {0})]",
         "[str(x) for x in filter(lambda x: True, {0})]", "[str(x) for x in zip(through({0}), through({0}))]",
         "[str(x) for x in made({0})]", "[str(y) for y, _ in through(zip(enumerate({0}), {0}))]"]


def test_generators_keep_what_an_enumerate_or_a_zip_goes_over(make, counted):
    @njit
    def through(iterable):
        for x in iterable:
            yield x

    @njit
    def made(iterable):
        return through(iterable)

    plain = {"np": np, "through": through.py_func, "made": lambda iterable: through.py_func(iterable)}
    ways = itertools.cycle(("enumerate({0})", "zip({0}, {0})", "enumerate(zip({0}, [n, 4]))"))
    for walk, walked in list(itertools.product(WALKS, WALKED))[::2]:
        text = walk.format(next(ways).format(walked))
        f = njit(make(f"def f(n):\n    return {text}", through=through, made=made))
        expected = [re.sub(r"np\.\w+\((.*?)\)", r"\1", x) for x in eval(text, {**plain, "n": 3})]
        assert f(3) == expected, text
        before = counted()
        assert f(3) == expected, text
        after = counted()
        assert after.alloc - before.alloc == after.free - before.free, text


def test_memory_of_arrays_is_an_object():
    """The base of an array that compiled code made: its references, where it lies and how large it is."""
    array = njit(lambda n: np.arange(n) * 2)(5)
    memory = array.base
    assert (memory.refcount, memory.data, memory.size) == (1, array.ctypes.data, array.nbytes)
    assert memoryview(memory).nbytes == array.nbytes and bytes(memory) == array.tobytes()
    memory.acquire()
    assert memory.refcount == 2
    memory.release()
    with pytest.raises(ValueError, match="not acquired"):
        memory.release()
    del array
    assert np.frombuffer(memory, np.int64).tolist() == [0, 2, 4, 6, 8]


def test_memory_for_programs():
    class Owner:
        pass

    owner, gone = Owner(), []
    weakref.finalize(owner, gone.append, True)
    lent = rtsys.meminfo_new(0x1000, owner)
    del owner
    assert lent.refcount == 1 and lent.data == 0x1000 and not gone
    del lent
    assert gone
    assert bytes(rtsys.meminfo_alloc(4, safe=True)) == b"\xcb" * 4 and isinstance(rtsys.meminfo_alloc(1), nrt._MemInfo)
    with pytest.raises(ValueError, match="negative number of bytes: -1"):
        rtsys.meminfo_alloc(-1)
    with pytest.raises(MemoryError):
        rtsys.meminfo_alloc(1 << 60)
