"""parallel=True: prange on several threads gives what plain Python gives, or says why it does not."""
import os
import threading
import time
import traceback
import warnings

import numba
import numpy as np
import pytest
from conftest import same
from numba import njit, prange
from numba.core.errors import NumbaParallelSafetyWarning, NumbaPerformanceWarning, TypingError

rng = np.random.default_rng(3)

PROGRAMS = {
    "sum": ("def f(n):\n    s = 0\n    for i in prange(n):\n        s += i * i\n    return s\n", [(0,), (1,), (7,), (100001,)]),
    "sum of floats": ("def f(a):\n    s = 0.0\n    for i in prange(len(a)):\n        s += a[i]\n    return s\n",
                      [(rng.random(5001),)]),
    "int becomes float": ("def f(a):\n    s = 1\n    for i in prange(len(a)):\n        s += a[i]\n    return s\n",
                          [(rng.random(501),)]),
    "all operators": ("def f(n):\n    a, b, c, d, e, g = 10, 3.0, 255, 0, 5, 1.0\n    for i in prange(1, n):\n        a -= i\n"
                      "        b *= 1.01\n        c &= i | 240\n        d |= i\n        e ^= i\n        g /= 1.001\n"
                      "    return a, b, c, d, e, g\n", [(2,), (60,)]),
    "max and min": ("def f(a):\n    m = a[0]\n    k = a[0]\n    for i in prange(len(a)):\n        m = max(m, a[i])\n"
                    "        k = min(a[i], k)\n    return m, k\n", [(rng.random(999),)]),
    "reversed operands": ("def f(a):\n    s = 2.0\n    for i in prange(len(a)):\n        s = a[i] + s\n    return s\n",
                          [(rng.random(99),)]),
    "array reduction": ("def f(n):\n    h = np.zeros(3)\n    for i in prange(n):\n        h += np.ones(3) * i\n    return h\n",
                        [(0,), (57,)]),
    "elements": ("def f(a, b):\n    for i in prange(len(a)):\n        t = b[i] * 2\n        if t > 1:\n            t = t - 1\n"
                 "        a[i] = t + i\n    return a\n", [(np.zeros(1000), rng.random(1000))]),
    "rows": ("def f(a):\n    n, m = a.shape\n    out = np.zeros(n)\n    for i in prange(n):\n        s = 0.0\n"
             "        for j in range(m):\n            s += a[i, j] * j\n        out[i] = s\n    return out\n", [(rng.random((50, 20)),)]),
    "nested prange": ("def f(n):\n    s = 0\n    for i in prange(n):\n        for j in prange(i):\n            s += i * j\n"
                      "    return s\n", [(40,)]),
    "start, stop, step": ("def f(a, b, c):\n    s = 0\n    for i in prange(a, b, c):\n        s += i\n    return s\n",
                          [(3, 100, 7), (100, 3, -7), (5, 5, 1), (9, 2, 1), (-50, 50, 3)]),
    "two loops, one name": ("def f(n):\n    s = 0\n    a = np.zeros(n)\n    for i in prange(n):\n        t = i * 2\n        a[i] = t\n"
                            "    for i in prange(n):\n        t = a[i]\n        s += t\n    return s\n", [(100,)]),
    "last value": ("def f(n):\n    last = -1\n    s = 0\n    for i in prange(n):\n        last = i * 3\n        s += last\n"
                   "    return last, s\n", [(0,), (100,)]),
    "calls and closures": ("def f(a, k):\n    def g(x):\n        return x * k\n    s = 0.0\n    for i in prange(len(a)):\n"
                           "        s += g(a[i]) + math.sqrt(a[i])\n    return s\n", [(rng.random(100), 3.0)]),
    "continue and conditions": ("def f(a):\n    n = 0\n    for i in prange(len(a)):\n        if a[i] < 0.5:\n            continue\n"
                                "        n += 1\n    return n\n", [(rng.random(1000),)]),
    "try inside": ("def f(n):\n    s = 0\n    for i in prange(n):\n        try:\n            s += 10 // (i % 3)\n"
                   "        except ZeroDivisionError:\n            s += 1000\n    return s\n", [(50,)]),
    "parts": ("def f(a, parts):\n    n = len(a)\n    out, twice, sums = np.empty(n), np.empty(n), np.zeros(parts)\n    for p in prange(parts):\n"
              "        begin, end = p * n // parts, (p + 1) * n // parts\n        for i in range(begin, end):\n"
              "            sums[p] += a[i]\n            out[i] = sums[p]\n        for i in range(p, n, parts):\n"
              "            twice[i] = 2 * a[i]\n    return out, twice\n", [(rng.random(101), 7), (rng.random(3), 5), (rng.random(0), 2)]),
    "private arrays": ("def f(n):\n    out = np.zeros(n)\n    for i in prange(n):\n        t = np.zeros(4)\n        t[0] = i\n"
                       "        t[1] += 2\n        out[i] = t.sum()\n    return out\n", [(100,)]),
    "lists, dicts and comprehensions": ("def f(n):\n    r = np.zeros(n)\n    for i in prange(n):\n        q = [j * i for j in range(4)]\n"
                                        "        d = {1: i}\n        d[2] = 5\n        q.append(i)\n        r[i] = q[2] + d[1] + len(q) + d[2]\n"
                                        "    return r\n", [(100,)]),
    "strings and tuples are shared": ("def f(t, s, n):\n    k = 0\n    for i in prange(n):\n        k += t[0] * i + len(s)\n"
                                      "    return k\n", [((3, 4.5), "abc", 100)]),
}


@pytest.mark.parametrize("name", PROGRAMS)
def test_program(name, make):
    source, calls = PROGRAMS[name]
    f = njit(parallel=True)(make(source, prange=prange))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for args in calls:
            copies = [a.copy() if isinstance(a, np.ndarray) else a for a in args]
            want = f.py_func(*copies)
            for threads in (1, numba.get_num_threads()):
                numba.set_num_threads(threads)
                copies = [a.copy() if isinstance(a, np.ndarray) else a for a in args]
                assert same(f(*copies), want, rtol=1e-12), args


@pytest.mark.parametrize("body, words", [
    ("for i in prange(n):\n        h[0] += i", "several turns may write to 'h'"),
    ("for i in prange(n):\n        h[a[i]] += 1", "several turns may write to 'h'"),
    ("for i in prange(n):\n        h[i % 3] += 1", "several turns may write to 'h'"),
    ("for i in prange(n):\n        for j in range(3):\n            h[j] += i", "several turns may write to 'h'"),
    ("for i in prange(n):\n        for j in range(i, n):\n            h[j] = i", "several turns may write to 'h'"),
    ("for i in prange(n - 3):\n        for j in range(i, i + 3):\n            h[j] = i", "several turns may write to 'h'"),
    ("for i in prange(n):\n        for j in range(i, n, 2):\n            h[j] = i", "several turns may write to 'h'"),
    ("for i in prange(1, n):\n        h[i] = h[i - 1] + 1", "a turn reads an element of 'h'"),
    ("for i in prange(n):\n        s = s * 2 + i", "the value of 's' that an earlier turn wrote"),
    ("for i in prange(n):\n        s += i\n        h[i] = s", "the value of 's' that an earlier turn wrote"),
    ("for i in prange(n):\n        if a[i] > s:\n            s = a[i]", "the value of 's' that an earlier turn wrote"),
])
def test_races_are_named_and_run_in_order(make, body, words):
    source = f"def f(n, a, h, s):\n    {body}\n    return h, s\n"
    f = njit(parallel=True)(make(source, prange=prange))
    args = (50, np.arange(50) % 7, np.zeros(50), 3)
    with pytest.warns(NumbaParallelSafetyWarning) as caught:
        got = f(args[0], args[1], args[2].copy(), args[3])
    assert words in str(caught[0].message) and caught[0].lineno in (2, 3, 4)
    assert same(got, f.py_func(args[0], args[1], args[2].copy(), args[3]))


POINT = np.dtype([("x", np.float64), ("m", np.int64, 3)])


@pytest.mark.parametrize("statement, is_race", [
    ("p[i].x += i", False), ("p[i].x = i", False), ("p[i]['x'] -= i", False), ("p['x'][i] += i", False), ("p[i].m[1] += i", False),
    ("p[i].m[i % 3] += i", False), ("p.m[i, 1] = i", False), ("h[i][0] += i", False), ("h[0][i % 50] = i", False),
    ("h[i][i % 3] += i", False), ("p[0].x += i", True), ("p[i % 3].x += 1", True), ("p[0].m[1] += i", True), ("h[0][1] += i", True),
    ("h[i % 3][0] += 1", True), ("p[i].x = p[i - 1].x + 1", True), ("h[i][0] = h[i - 1][0] + 1", True)])
def test_places_within_items(make, statement, is_race):
    """What lies in an item that no other turn has is this turn's, however it is named."""
    f = njit(parallel=True)(make(f"def f(p, h):\n    for i in prange(1, 50):\n        {statement}\n", prange=prange))
    made = [(np.zeros(50, POINT), np.zeros((50, 50))) for _ in range(2)]
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        f(*made[0])
    assert [w.category for w in caught] == [NumbaParallelSafetyWarning] * is_race
    records = made[1][0].view(np.recarray)
    f.py_func(records, made[1][1])
    assert made[0][0].tobytes() == records.tobytes() and np.array_equal(made[0][1], made[1][1])


def test_loops_that_end_early_run_in_order(make):
    f = njit(parallel=True)(make("def f(n):\n    for i in prange(n):\n        if i == 5:\n            return i\n    return -1\n",
                                 prange=prange))
    with pytest.warns(NumbaPerformanceWarning, match="'return' ends it early"):
        assert f(10) == 5


def test_nothing_parallel(make):
    f = njit(parallel=True)(make("def f(x):\n    return x + 1\n"))
    with pytest.warns(NumbaPerformanceWarning, match="no transformation for parallel execution was possible"):
        assert f(1) == 2


BEHIND = {
    "t": "t = 0\n    for i in prange(n):\n        if i > 2:\n            t = i\n    return t",
    "i": "i = 100\n    for i in prange(n):\n        pass\n    return i",
    "u": "for k in range(3):\n        for i in prange(n):\n            u = i * k\n        if k > 1:\n            k += u\n    return k + u",
    "j": "for i in prange(n):\n        pass\n    for j in prange(n + 1):\n        pass\n    return j",
    "m": "try:\n        for m in prange(n):\n            if m == 3:\n                raise ValueError\n    except ValueError:\n"
         "        return m\n    return -1",
}


@pytest.mark.parametrize("name", BEHIND)
def test_private_variables_that_are_read_behind_the_loop(make, name):
    """Which of them is the last depends on the threads."""
    source = f"def f(n):\n    {BEHIND[name]}\n"
    with pytest.warns(NumbaPerformanceWarning, match=f"turn after turn.*'{name}' is read behind it"):
        assert njit(parallel=True)(make(source, prange=prange))(5) == make(source, prange=range)(5)


def test_private_variables_that_are_set_again(make):
    source = "def f(n):\n    s = 0\n    for i in prange(n):\n        t = 2 * i\n        s += t\n    for i in range(n):\n        t = i\n" \
             "        s += t\n    return s, t\n"
    f = njit(parallel=True)(make(source, prange=prange))
    with warnings.catch_warnings():
        warnings.simplefilter("error", NumbaPerformanceWarning)
        assert f(5) == (30, 4)


def test_exceptions(make):
    f = njit(parallel=True)(make("def g(n, k):\n    if n == k:\n        raise ValueError('turn', n)\n    return n\n".replace(
        "def g", "@njit\ndef g") + "\n@njit(parallel=True)\ndef f(n, k):\n    s = 0\n    for i in prange(n):\n        s += g(i, k)\n"
        "    return s\n", prange=prange, njit=njit).py_func)
    for _ in range(20):
        with pytest.raises(ValueError) as got:
            f(1000, 777)
        assert got.value.args == ("turn", 777)
    assert [frame.lineno for frame in traceback.extract_tb(got.value.__traceback__)][1:] == [10, 11, 4]
    assert f(10, 20) == 45


def test_really_on_several_threads(make):
    numba.set_num_threads(numba.config.NUMBA_NUM_THREADS)
    f = njit(parallel=True)(make(
        "def f(n):\n    ids = np.zeros(n, np.int64)\n    for i in prange(n):\n        s = 0.0\n        for j in range(20000):\n"
        "            s += math.sin(j + i)\n        ids[i] = numba.get_thread_id() + (0 if s < 1e9 else 1)\n    return ids\n",
        prange=prange, numba=numba))
    if numba.get_num_threads() > 1:
        for _ in range(20):
            if len(set(f(200).tolist())) > 1:
                return
        pytest.fail("only one thread took part")


def test_objmode_in_a_turn(make):
    f = njit(parallel=True)(make("def f(n):\n    s = 0\n    for i in prange(n):\n        with numba.objmode(k='int64'):\n"
                                 "            k = len(str(i))\n        s += k\n    return s\n", prange=prange, numba=numba))
    assert f(200) == sum(len(str(i)) for i in range(200))


def test_exceptions_of_objmode_in_a_turn(make):
    f = njit(parallel=True)(make("def f(n):\n    s = 0\n    for i in prange(n):\n        with numba.objmode(k='int64'):\n"
                                 "            k = {}[i]\n        s += k\n    return s\n", prange=prange, numba=numba))
    with pytest.raises(KeyError):
        f(200)


def test_settings():
    assert numba.get_num_threads() >= 1 and numba.get_thread_id() == 0 and numba.threading_layer() == "workqueue"
    with pytest.raises(ValueError, match="The number of threads must be between 1 and"):
        numba.set_num_threads(10**6)
    assert numba.set_parallel_chunksize(5) == 0 and numba.get_parallel_chunksize() == 5
    assert numba.set_parallel_chunksize(0) == 5
    with numba.parallel_chunksize(3):
        assert numba.get_parallel_chunksize() == 3
    assert numba.get_parallel_chunksize() == 0


def test_many_python_threads_at_once(make):
    f = njit(parallel=True, nogil=True)(make(PROGRAMS["sum"][0], prange=prange))
    results = []
    threads = [threading.Thread(target=lambda: results.append([f(5000) for _ in range(50)])) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(results) == 4 and all(r == [sum(i * i for i in range(5000))] * 50 for r in results)


# name: a program, and what it prints
PROCESSES = {
    "fork": (
        "@njit(parallel=True)\ndef f(n):\n    s = 0\n    for i in prange(n):\n        s += i\n    return s\n"
        "f(1000)\npid = os.fork()\nok = f(1000) == 499500\nif not pid:\n    os._exit(0 if ok else 1)\n"
        "print(ok, os.waitpid(pid, 0)[1])\n", "True 0\n"),
    "interrupt": (
        "@njit(parallel=True)\ndef f(n):\n    s = 0\n    for i in prange(n):\n        for j in range(n):\n"
        "            s += (i ^ j) & 3\n    return s\n"
        "f(10)\nsubprocess.Popen(['sh', '-c', f'sleep 1; kill -INT {os.getpid()}'])\n"
        "try:\n    f(10**7)\nexcept KeyboardInterrupt:\n    print('interrupted')\nprint(f(10) > 0)\n",
        "interrupted\nTrue\n"),
}


@pytest.mark.parametrize("name", PROCESSES)
def test_processes(name, run_python):
    code, expected = PROCESSES[name]
    imports = "import gridcell; gridcell.activate()\nimport os, subprocess\nfrom numba import njit, prange\n"
    assert run_python(code=imports + code, timeout=30).stdout == expected


def test_print_does_not_wait_for_ever(run_python):
    code = ("import gridcell; gridcell.activate()\nfrom numba import njit, prange\n"
            "@njit(parallel=True)\ndef f(n):\n    for i in prange(n):\n        print(i)\nf(20)\n")
    assert sorted(map(int, run_python(code=code, timeout=30).stdout.split())) == list(range(20))


def test_diagnostics(make, capsys):
    f = njit(parallel=True)(make("def f(n, h):\n    s = 0\n    for i in prange(n):\n        s += i\n    for i in prange(n):\n"
                                 "        h[0] += 1\n    return s\n", prange=prange))
    with pytest.warns(NumbaParallelSafetyWarning):
        f(5, np.zeros(1))
    f.parallel_diagnostics(level=2)
    text = capsys.readouterr().out
    assert "Parallel Accelerator Optimizing:  Function f" in text and "| #0" in text and "| #1" in text
    assert "Parallel region 0:\n+--0 (parallel)\n   reductions: s" in text
    assert "Loop #1 (line 5) runs turn after turn, for line 6: several turns may write to 'h'" in text


def test_diagnostics_of_fused_operations(make, capsys):
    f = njit(parallel=True)(make("def f(a, b):\n    c = a * b + np.sin(a)\n    return c\n"))
    f(np.ones(3), np.ones(3))
    f.parallel_diagnostics(level=1)
    text = capsys.readouterr().out
    assert "c = a * b + np.sin(a)" in text and "| #0, #1, #2" in text
    assert "Parallel region 0:\n+--0 (parallel, fused with loop(s): 1, 2)\n" in text
    assert "Parallel region 0 (loop #0) had 2 loop(s) fused." in text


def test_whole_arrays(make):
    f = njit(parallel=True)(make("def f(a, b):\n    c = a * b + 2.0\n    return np.sin(c) + 1 / (a + 1) + 5, -c, c > a\n"))
    for n in (10, 50000):
        a, b = rng.random(n), rng.random(n)
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            assert same(f(a, b), f.py_func(a, b), rtol=1e-12)
    a = rng.random((300, 200))
    assert same(f(a, a.T.copy().T), f.py_func(a, a), rtol=1e-12)


@pytest.mark.parametrize("made", ["{}", "dict()", "{100: np.zeros(1)}", "Dict()", "Dict.empty(int64, float64[:])"])
@pytest.mark.parametrize("store", ["d[i] = np.ones(i)", "d[i - 1] = np.ones(i)\n        d[i] = np.ones(i)"])
def test_dicts_that_grow_run_in_order(make, made, store):
    """Only in some turns, as pandas does."""
    source = (f"def f(n):\n    d = {made}\n    for i in prange(n):\n        if i % 3 != 2:\n            continue\n"
              f"        {store}\n    return d\n")
    f = njit(parallel=True)(make(source, Dict=numba.typed.Dict, int64=numba.int64, float64=numba.float64, prange=prange))
    with pytest.warns(NumbaParallelSafetyWarning, match="several turns may add to the dict 'd'"):
        got = f(200)
    want = f.py_func(200)
    assert sorted(got) == sorted(want) and all(len(got[key]) == len(want[key]) for key in want)


def test_dicts_from_elsewhere_are_not_shared(make):
    f = njit(parallel=True)(make("def f(n, d):\n    for i in prange(n):\n        d[i] = i\n    return len(d)\n",
                                 prange=prange))
    with pytest.raises(numba.core.errors.UnsupportedError, match="would change 'd'"):
        f(10, numba.typed.Dict.empty(numba.int64, numba.int64))


def test_lists_that_grow_run_in_order(make):
    f = njit(parallel=True)(make("def f(n):\n    d = [0]\n    for i in prange(n):\n        d.append(i)\n    return d\n",
                                 prange=prange))
    with pytest.warns(NumbaParallelSafetyWarning, match="several turns may write to 'd'"):
        assert f(5) == [0, 0, 1, 2, 3, 4]


def test_a_stencil_call_is_parallel(make):
    import warnings

    from numba import stencil
    k = stencil(make("def f(a):\n    return a[-1] + a[1]\n"))
    f = njit(parallel=True)(make("def f(a):\n    return k(a)\n", k=k))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert f(np.ones(5)).tolist() == [0, 2, 2, 2, 0]


@pytest.mark.parametrize("parallel", [True, False])
def test_ranges_up_to_the_ends_of_int64(make, parallel):
    """No turn is lost where the one behind the last would be no int64."""
    f = njit(parallel=parallel)(make("def f(a, b, c):\n    n = 0\n    total = 0\n    for i in prange(a, b, c):\n"
                                     "        n += 1\n        total ^= i\n    return n, total\n", prange=prange))
    most, least = 2**63 - 1, -2**63
    for case in ((most - 4, most, 3), (most - 4, most, 1), (least, most, 2**62), (least, least + 10, 3),
                 (most, least, -2**62), (0, 10, 2**62), (most, most - 9, -4), (least + 5, least, -2), (5, 5, 1),
                 (10, 0, -3), (most - 100, most, 7)):
        total = 0
        for i in range(*case):
            total ^= i
        assert f(*case) == (len(range(*case)), total), case


def test_a_small_chunk_size_takes_little_memory():
    @njit(parallel=True)
    def counted(n):
        total, largest = 0, 0
        for i in prange(n):
            total += i
            largest = max(largest, i)
        return total, largest

    def peak():
        lines = open("/proc/self/status").read().splitlines()
        return next(int(line.split()[1]) for line in lines if line.startswith("VmHWM"))

    n = 10_000_000
    counted(10)
    before = peak()
    with numba.parallel_chunksize(1):
        assert counted(n) == (n * (n - 1) // 2, n - 1)
    assert peak() - before < 30_000  # KiB
