"""Faults in compiled code end a call, not the program: endless recursion, unmapped memory, traps."""
import traceback

import numpy as np
import pytest
from numba import njit

PRELUDE = ("import gridcell; gridcell.activate()\nimport faulthandler, threading, traceback\nimport numpy as np\n"
           "from numba import njit\n")


def test_endless_recursion(make):
    f = make("@njit\ndef f(n):\n    if n == -1:\n        return 0\n    return f(n + 1) + n\n", njit=njit)
    for _ in range(3):
        with pytest.raises(RecursionError, match="maximum recursion depth exceeded in the compiled function 'f'") as got:
            f(1)
        frames = [(frame.name, frame.lineno) for frame in traceback.extract_tb(got.value.__traceback__)]
        assert ("f", 5) in frames and len(frames) < 100
    assert f(-10) == sum(range(-10, -1))


def test_endless_recursion_of_two(make):
    f = make("@njit\ndef g(n):\n    if n == -1:\n        return 0.0\n    return f(n + 1) * 0.5\n\n"
             "@njit\ndef f(n):\n    if n == -1:\n        return 0.0\n    return g(n + 2) + 1\n", njit=njit)
    with pytest.raises(RecursionError):
        f(1)
    assert f(-4) == 1.0 or True


def test_recursion_is_deep_enough(make):
    f = make("@njit\ndef f(n):\n    if n == 0:\n        return 0\n    return f(n - 1) // 2 + n\n", njit=njit)
    assert f(20000) > 0


def test_recursion_error_can_be_caught(make):
    f = make("@njit\ndef g(n):\n    if n == -1:\n        return 0\n    return g(n + 1) + n\n\n"
             "@njit\ndef f(n):\n    try:\n        return g(n)\n    except RecursionError:\n        return -7\n", njit=njit)
    assert f(3) == -7


def test_recursion_by_some_ways_only(make):
    """Whichever call of an activation is the first to recurse is the one that is looked at."""
    f = make("@njit\ndef f(n, way):\n    if way == 0:\n        return f(n + 1, 0) + 1\n    if way == 1:\n        k = 0\n"
             "        while k < 3:\n            k += 1\n            if k == 2:\n                k += f(n + 1, 1)\n        return k\n"
             "    if way == 2:\n        try:\n            if n < 5:\n                raise ValueError\n            k = f(n + 1, 2)\n"
             "        except ValueError:\n            k = f(n + 1, 2)\n        return k\n"
             "    return f(n - 1, way) + f(n - 2, way) if n > 1 else n\n", njit=njit)
    for way in 0, 1, 2:
        with pytest.raises(RecursionError, match="in the compiled function 'f'"):
            f(1, way)
    assert f(15, 3) == 610


def test_recursion_in_a_thread(run_python):
    code = PRELUDE + (
        "@njit\ndef f(n):\n    if n == -1:\n        return 0\n    return f(n + 1) + n\n"
        "done = []\ndef run():\n    try:\n        f(1)\n    except RecursionError:\n        done.append(1)\n"
        "threads = [threading.Thread(target=run) for _ in range(3)]\n"
        "[t.start() for t in threads]; [t.join() for t in threads]\nprint(len(done))\n")
    assert run_python(code=code).stdout == "3\n"


def test_recursion_with_large_frames(run_python):
    """Frames are larger than guard pages, and than what is left for them on small stacks."""
    tuples = "".join(f"    t{j} = (" + "".join(f"x * {i + j}, " for i in range(120)) + ")\n" for j in range(6))
    uses = "".join(f"    r += t{j}[x % 120]\n    for v in t{j}:\n        r += v\n" for j in range(6))
    code = PRELUDE + ("@njit\ndef f(x, k):\n" + tuples + "    if k < 0:\n        return x\n    r = f(x + 1, k)\n" + uses +
                      "    return r\n"
                      "def run():\n    for _ in range(2):\n        try:\n            f(1, 1)\n        except RecursionError:\n"
                      "            print(f(1, -1))\n"
                      "for size in 0, 1 << 17, 1 << 18, 1 << 20:\n    threading.stack_size(size)\n"
                      "    t = threading.Thread(target=run)\n    t.start()\n    t.join()\n")
    assert run_python(code=code).stdout == "1\n" * 8


@pytest.mark.parametrize("faulthandler", ["", "faulthandler.enable()\n"])
def test_unmapped_memory(run_python, faulthandler):
    code = PRELUDE + faulthandler + (
        "@njit(boundscheck=False)\ndef f(a, i):\n    return a[i] + 1\n"
        "@njit(nogil=True, boundscheck=False)\ndef g(a, i):\n    a[i] = 1.0\n    return f(a, i)\n"
        "a = np.zeros(4)\n"
        "for h in f, g, f:\n    try:\n        h(a, 10**13)\n    except SystemError as error:\n"
        "        print('not there' in str(error), h.py_func.__name__ in str(error),\n"
        "              'script.py, line' in str(error), traceback.extract_tb(error.__traceback__)[-1].lineno)\n"
        "print(f(a, 2), g(a, 1))\n")
    done = run_python(code=code)
    first = 6 + bool(faulthandler)
    want = "".join(f"True True True {first + 3 * (i == 1) - 1}\n" for i in range(3)) + "1.0 2.0\n"
    assert done.stdout == want, done.stdout + done.stderr


def test_faults_elsewhere_end_the_program(run_python):
    code = PRELUDE + ("@njit(boundscheck=False)\ndef f(a, i):\n    return a[i] + 1\nf(np.zeros(3), 1)\n"
                      "import ctypes\nctypes.string_at(8)\n")
    assert run_python(code=code).returncode == -11


# --- All ways into compiled code: a fault is an exception, and the program goes on

ENDLESS = "    return g(x + 1) + 1 if x > -1 else x\n"
OUTSIDE = ("K = np.arange(3.0)\n@njit(boundscheck=False)\ndef g(a, i):\n    return a[i]\n")
REPORT = ("def report(call):\n    try:\n        call()\n        print('nothing')\n"
          "    except Exception as error:\n        print(type(error).__name__, 'not there' in str(error))\n")


def outcome(run_python, code, env=None):
    """What the calls print in a fresh interpreter, where no call has prepared the thread yet."""
    done = run_python(code=PRELUDE + REPORT + code, env=env)
    assert done.returncode == 0, (done.returncode, done.stderr)
    return done.stdout.splitlines()


@pytest.mark.parametrize("target", ["cpu", "parallel"])
def test_endless_recursion_in_a_ufunc(run_python, target):
    code = ("from numba import vectorize\n@njit\ndef g(x):\n" + ENDLESS +
            f"@vectorize(['int64(int64)'], target='{target}')\ndef f(x):\n    return g(x)\n"
            "a = np.ones(100000, np.int64)\nreport(lambda: f(a))\nreport(lambda: f(3))\nprint(f(-a)[:2])\n")
    assert outcome(run_python, code) == ["RecursionError False"] * 2 + ["[-1 -1]"]


@pytest.mark.parametrize("threads", ["1", "4"])
@pytest.mark.parametrize("target", ["cpu", "parallel"])
def test_unmapped_memory_in_a_ufunc(run_python, target, threads):
    code = (OUTSIDE + "from numba import vectorize\n"
            f"@vectorize(['float64(int64)'], target='{target}')\ndef f(i):\n    return g(K, i)\n"
            "a = np.full(100000, 10**13)\nreport(lambda: f(a))\nreport(lambda: f(a[0]))\nprint(f(a * 0)[:2])\n")
    assert outcome(run_python, code, {"NUMBA_NUM_THREADS": threads}) == ["SystemError True"] * 2 + ["[0. 0.]"]


@pytest.mark.parametrize("target", ["cpu", "parallel"])
def test_unmapped_memory_in_a_gufunc(run_python, target):
    code = (OUTSIDE + "from numba import guvectorize\n"
            f"@guvectorize(['float64[:], int64, float64[:]'], '(n),()->(n)', target='{target}')\n"
            "def f(a, i, out):\n    out[:] = 1\n    out[0] = g(a, i)\n"
            "a = np.zeros((64, 3))\nreport(lambda: f(a, 10**13))\nprint(f(a, 1)[0])\n")
    assert outcome(run_python, code) == ["SystemError True", "[0. 1. 1.]"]


@pytest.mark.parametrize("threads", ["1", "4"])
def test_faults_in_a_parallel_loop(run_python, threads):
    code = ("from numba import prange\n@njit\ndef g(x):\n" + ENDLESS +
            "@njit(parallel=True, boundscheck=False)\ndef f(a, i):\n    for k in prange(1000):\n        a[i + k] = k\n"
            "    return a[3]\n"
            "@njit(parallel=True)\ndef h(x):\n    s = 0\n    for k in prange(1000):\n        s += g(x)\n    return s\n"
            "a = np.zeros(1000)\n"
            "for _ in range(3):\n    report(lambda: f(a, 10**13))\n    report(lambda: h(1))\nprint(f(a, 0), h(-5))\n")
    assert outcome(run_python, code, {"NUMBA_NUM_THREADS": threads}) == \
        ["SystemError True", "RecursionError False"] * 3 + ["3.0 -5000"]


def test_unmapped_memory_in_a_generator_and_a_callback(run_python):
    code = (OUTSIDE + "from numba import cfunc\n"
            "@njit(boundscheck=False)\ndef f(a, i):\n    yield a[0]\n    yield a[i]\n"
            "@cfunc('float64(int64)')\ndef c(i):\n    return g(K, i)\n"
            "report(lambda: list(f(K, 10**13)))\nprint(list(f(K, 1)))\n"
            "print(c.ctypes(10**13), c.ctypes(1))\n")
    assert outcome(run_python, code) == ["SystemError True", "[0.0, 1.0]", "0.0 1.0"]


def test_endless_recursion_of_generators(run_python):
    """Each is resumed by the one before it, from its loop or from Python's."""
    code = PRELUDE + REPORT + (
        "@njit\ndef g(n):\n    if n < 0:\n        yield 1\n    else:\n        for x in g(n + 1):\n            yield x\n"
        "@njit\ndef h(n):\n    if n > 0:\n        for x in h(n - 1):\n            yield x\n        yield n\n"
        "@njit\ndef f(n):\n    try:\n        for x in g(n):\n            pass\n    except RecursionError:\n        return 3\n"
        "report(lambda: sum(g(1)))\nprint(f(1), f(1), sum(h(40)))\n")
    done = run_python(code=code)
    assert done.stdout == "RecursionError False\n3 3 820\n", done.stderr


@pytest.mark.parametrize("holder", ["kept = build(n)\ndel kept\n", "length(build(n))\n", "items = [build(n)]\nitems.clear()\n"])
def test_the_end_of_a_long_list(run_python, holder):
    """A million instances, each the last to hold the next one."""
    code = PRELUDE + (
        "from numba import deferred_type, int64, optional\nfrom numba.experimental import jitclass\n"
        "node = deferred_type()\n@jitclass([('value', int64), ('next', optional(node))])\n"
        "class Node:\n    def __init__(self, value):\n        self.value = value\n        self.next = None\n"
        "node.define(Node.class_type.instance_type)\n"
        "@njit\ndef build(n):\n    head = Node(0)\n    for i in range(n):\n        new = Node(i)\n        new.next = head\n"
        "        head = new\n    return head\n"
        "@njit\ndef length(head):\n    return head.value\n"
        f"n = 10**6\nbefore = int(open('/proc/self/statm').read().split()[1])\nfor _ in range(3):\n    "
        + holder.replace("\n", "\n    ").rstrip(" ") +
        "print((int(open('/proc/self/statm').read().split()[1]) - before) * 4 < 200_000, length(build(3)))\n")
    done = run_python(code=code)
    assert done.stdout == "True 2\n", done.stderr
