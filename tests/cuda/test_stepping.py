"""Where functions and kernels with debug=True stop, what they show there, and how they go on."""
import inspect
import io
import sys
import traceback
import warnings

import numpy as np
import pytest
from common import cuda, is_emulated, raises, rng
from gridcell import _gridcell, debugging
from numba import float32, int32, njit, prange
from numba.core.errors import TypingError
from numba.typed import List

pytestmark = pytest.mark.skipif(not is_emulated(), reason="the emulated device has a debugger of its own")
warnings.filterwarnings("ignore", message="debug=True")


class Panel:
    """A front end that says at each stop what `answer` returns, and keeps what it saw."""

    def __init__(self, answer):
        self.answer, self.stops, self.resumes = answer, [], 0

    def stopped(self, place, reason):
        self.stops.append((reason, place.calls()))
        how = self.answer(place)
        if how:
            assert place.go_on(how)

    def resumed(self, left):
        self.resumes += 1

    def lines(self):
        return [calls[0].line for _, calls in self.stops]

    def first(self, number=0):
        return self.stops[number][1][0]


@pytest.fixture
def attach():
    def attach(answer=lambda place: "continue"):
        panel = Panel(answer)
        debugging.attach(panel)
        return panel

    yield attach
    debugging.detach()


def break_in(function, *offsets, condition=None):
    """At lines counted from the `def`."""
    code = function.py_func.__code__
    first = next(i for i, text in enumerate(inspect.getsourcelines(function.py_func)[0]) if "def " in text)
    lines = [code.co_firstlineno + first + offset for offset in offsets]
    debugging.set_breakpoints(code.co_filename, [(line, condition) for line in lines])
    return lines


@njit(debug=True)
def many_kinds(n, x, flags, table, words, pair):
    number = n + 1
    real = x * 2
    big = np.uint8(n)
    truth = n > 1
    imaginary = complex(n, x)
    text = "abc" + words
    both = (number, real)
    alias = table
    empty = np.zeros((0, 3))
    turned = table.T[::-1]
    row = table[1]
    listed = [1.5, 2.5]
    nothing = None
    inner = pair[1][0]
    number = 0.5
    return number


def test_variables_of_all_kinds(attach):
    table = rng.integers(0, 99, (3, 4))
    flags, words, pair = np.array([True, False]), "déf", (1, (2.5, "z"))
    panel = attach()
    break_in(many_kinds, 16)
    assert many_kinds(3, 1.25, flags, table, words, pair) == 0.5
    found = panel.first().locals
    expected = dict(n=3, x=1.25, flags=flags, table=table, words=words, pair=pair, real=2.5, big=3,
                    truth=True, imaginary=3 + 1.25j, text="abcdéf", both=(4, 2.5), alias=table,
                    empty=np.zeros((0, 3)), turned=table.T[::-1], row=table[1], listed=[1.5, 2.5],
                    nothing=None, inner=2.5, number=0.5)
    assert found.keys() == expected.keys()
    for name, value in expected.items():
        np.testing.assert_equal(found[name], value, err_msg=name)
    assert found["table"] is table and panel.first().types["number"] == "float64"


def test_a_variable_is_what_was_assigned_last(attach):
    @njit(debug=True)
    def swap(a, b):
        a, b = b, a
        c = a
        c = b
        return a + c

    panel = attach(lambda place: "over")
    break_in(swap, 1)
    swap(1, 2)
    seen = [{name: calls[0].locals.get(name) for name in "abc"} for _, calls in panel.stops]
    assert seen == [dict(a=1, b=2, c=None), dict(a=2, b=1, c=None), dict(a=2, b=1, c=2), dict(a=2, b=1, c=1)]


def test_arrays_live_as_long_as_the_function(attach):
    @njit(debug=True)
    def grow(n):
        total = 0.0
        for i in range(n):
            made = np.full(1000, i + 0.5)
            total += made[0]
        kept = np.full(1000, 9.5)
        return total

    panel = attach()
    break_in(grow, 3, 6)
    grow(3)
    assert [float(calls[0].locals["made"].sum()) for _, calls in panel.stops[1:]] == [500, 1500, 2500]
    held = panel.stops[-1][1][0].locals["made"]
    grow(50)
    assert held.sum() == 2500


def test_steps_through_calls_and_recursion(attach):
    @njit(debug=True)
    def count_down(n):
        if n > 0:
            return count_down(n - 1)
        return n

    @njit(debug=True)
    def start(n):
        result = count_down(n)
        return result

    steps = iter(["into", "into", "into", "over", "out", "out", "continue"])
    panel = attach(lambda place: next(steps))
    break_in(start, 1)
    assert start(2) == 0
    names = [[call.name for call in calls if call.name in ("start", "count_down")] for _, calls in panel.stops]
    assert names[:4] == [["start"], ["count_down", "start"], ["count_down", "start"],
                         ["count_down", "count_down", "start"]]
    assert names[4] == ["count_down", "count_down", "start"]
    assert names[-1] == ["start"] and panel.first(-1).locals["result"] == 0
    assert panel.resumes == len(panel.stops)
    assert panel.stops[0][1][-1].line > 0  # the test itself called


def test_conditions(attach, capsys):
    @njit(debug=True)
    def walk(n):
        total = 0
        for i in range(n):
            total += i
        return total

    panel = attach()
    break_in(walk, 3, condition="i % 7 == 3 and np.sqrt(i) > 2")
    assert walk(20) == 190
    assert [calls[0].locals["i"] for _, calls in panel.stops] == [10, 17]
    break_in(walk, 1, condition="nowhere")
    walk(3)
    assert len(panel.stops) == 3
    assert "'nowhere'" in capsys.readouterr().err


def test_nothing_stops_without_debug(attach):
    @njit
    def plain(n):
        return n + 1

    panel = attach()
    break_in(plain, 1)
    assert plain(1) == 2 and not panel.stops
    with raises(TypingError, "debug=True", "stop_here"):
        @njit
        def stop_here():
            breakpoint()
        stop_here()


def test_exceptions_and_handlers(attach):
    @njit(debug=True)
    def fails(n):
        if n == 2:
            raise ValueError("two")
        return n

    @njit(debug=True)
    def guards(n):
        result = -1
        try:
            result = fails(n)
        except ValueError:
            result = -2
        return result

    panel = attach(lambda place: "over")
    lines = break_in(guards, 1, 6)
    assert guards(2) == -2
    assert panel.lines()[-1] == lines[1] and panel.first(-1).locals["result"] == -2
    with raises(ValueError, "two"):
        fails(2)
    assert guards(1) == 1


def test_loops_on_threads(attach):
    @njit(debug=True, parallel=True)
    def spread(a):
        for i in prange(len(a)):
            value = a[i] * 2
            a[i] = value

    a = np.arange(64.0)
    panel = attach()
    break_in(spread, 3, condition="i in (5, 40)")
    spread(a)
    assert sorted(calls[0].locals["value"] for _, calls in panel.stops) == [10, 80]
    np.testing.assert_array_equal(a, np.arange(64.0) * 2)


# ---- kernels

@cuda.jit(device=True)
def scaled(value):
    doubled = value * 2
    return doubled


@cuda.jit(debug=True, opt=False)
def shift(a, out):
    i = cuda.grid(1)
    tile = cuda.shared.array(8, float32)
    own = cuda.local.array(2, int32)
    own[0] = i
    tile[cuda.threadIdx.x] = a[i]
    cuda.syncthreads()
    out[i] = scaled(tile[7 - cuda.threadIdx.x])
    cuda.syncthreads()
    last = i


def launch_shift(blocks=2):
    a, out = np.arange(8.0 * blocks, dtype=np.float32), np.zeros(8 * blocks, np.float32)
    shift[blocks, 8](a, out)
    np.testing.assert_array_equal(out, a.reshape(-1, 8)[:, ::-1].ravel() * 2)


def test_kernel_variables(attach):
    panel = attach()
    break_in(shift, 7, condition="i == 11")
    launch_shift()
    (_, calls), = panel.stops
    assert calls[0].geometry == dict(blockIdx=(1, 0, 0), threadIdx=(3, 0, 0), gridDim=(2, 1, 1), blockDim=(8, 1, 1))
    found = calls[0].locals
    assert found["i"] == 11 and found["own"][0] == 11
    np.testing.assert_array_equal(found["tile"], np.arange(8, 16))
    assert found["tile"].dtype == np.float32 and found["a"].shape == (16,)
    assert calls[0].evaluate("cuda.blockIdx.x * cuda.blockDim.x + threadIdx.x") == 11


def test_steps_of_a_kernel(attach):
    steps = iter(["into", "out", "over", "over"] + ["continue"] * 99)
    panel = attach(lambda place: next(steps))
    line, = break_in(shift, 7, condition="i == 2")
    launch_shift(1)
    where = [(calls[0].name, calls[0].line - line) for _, calls in panel.stops]
    assert where[:2] == [("shift", 0), ("scaled", scaled.py_func.__code__.co_firstlineno + 2 - line)]
    assert where[2:] == [("shift", 1), ("shift", 2)]  # over the barrier
    assert all(call.geometry["threadIdx"].x == 2 for _, (call, *_) in panel.stops)


def test_other_threads(attach):
    seen = {}

    def look(place):
        if seen:
            return "continue"
        for thread in range(6):
            assert not place.switch("thread", str(thread))
            call = place.calls()[0]
            seen[thread] = call.line, call.locals["i"], float(call.locals["out"].sum())
        place.switch("thread", "5")
        for text in ("8", "0,1", "x", "", "1,2,3,4", "-1"):
            with pytest.raises(ValueError):
                place.switch("thread", text)
        with pytest.raises(ValueError, match="grid"):
            place.switch("block", "2")
        return "continue"

    panel = attach(look)
    line, = break_in(shift, 5, condition="i == 5")
    launch_shift()
    assert len(panel.stops) == 1
    # those before wait at the barrier, which none has passed; those behind have not begun
    assert [seen[i][:2] for i in range(5)] == [(line + 1, i) for i in range(5)]
    assert seen[5][:2] == (line, 5)
    assert all(out == 0 for _, _, out in (seen[i] for i in range(6)))


def test_going_to_threads_and_blocks(attach):
    goals = iter([("thread", "6"), ("block", "1")])

    def go(place):
        goal = next(goals, None)
        if goal is None:
            return "continue"
        assert place.switch(*goal)
        return None

    panel = attach(go)
    break_in(shift, 2, condition="i == 0")
    launch_shift()
    assert [(call.geometry["blockIdx"].x, call.geometry["threadIdx"].x) for _, (call, *_) in panel.stops] == [
        (0, 0), (0, 6), (1, 0)]


def test_to_the_barrier(attach):
    steps = iter(["barrier", "barrier", "continue"])
    panel = attach(lambda place: next(steps))
    line, = break_in(shift, 2, condition="i == 3")
    launch_shift(1)
    assert [calls[0].line - line for _, calls in panel.stops] == [0, 5, 7]
    assert {call.geometry["threadIdx"].x for _, (call, *_) in panel.stops} == {3}


@cuda.jit(debug=True, opt=False)
def fails_late(a):
    i = cuda.grid(1)
    near = a[i]
    far = a[i + 60]
    a[i] = near + far


@pytest.mark.parametrize("debugged", [False, True])
def test_the_failing_thread_is_in_the_traceback(attach, debugged):
    """%debug opens there: its frame has the thread's variables."""
    if debugged:
        attach()
        break_in(fails_late, 1, condition="False")
    a = np.arange(64.0)
    with pytest.raises(IndexError) as caught:
        fails_late[2, 32](a)
    frames = [frame for frame, _ in traceback.walk_tb(caught.tb)]
    last = frames[-1]
    assert last.f_code.co_name == "fails_late" and last.f_lineno == fails_late.py_func.__code__.co_firstlineno + 4
    assert last.f_locals["i"] == 4 and last.f_locals["near"] == 4 and "far" not in last.f_locals
    assert last.f_globals["threadIdx"] == (4, 0, 0)
    fails_late[1, 4](a)


@njit(debug=True)
def counts_up(n):
    i = 0
    while i < n:
        if i == 3:
            raise ValueError("three")
        yield i * 2
        i += 1


@njit(debug=True)
def largest_of(n):
    largest = -1
    for value in counts_up(n):
        if value > largest:
            largest = value
    return largest


def test_steps_through_a_generator(attach):
    panel = attach(lambda place: "into")
    first, = break_in(largest_of, 2)
    assert largest_of(1) == 0
    inside = counts_up.py_func.__code__.co_firstlineno + 1
    assert panel.lines() == [first, *(inside + offset for offset in (1, 2, 3, 5)), first + 1, first + 2, first,
                             *(inside + offset for offset in (6, 2)), first + 3]
    assert panel.first(4).locals == {"n": 1, "i": 0} and panel.first(9).locals["i"] == 1
    assert [call.name for call in panel.stops[4][1]][:2] == ["counts_up", "largest_of"]
    panel = attach()
    break_in(counts_up, 5, condition="i == 1")
    assert list(counts_up(2)) == [0, 2]  # Python asks
    assert [call.locals for _, (call, *_) in panel.stops] == [{"n": 2, "i": 1}]
    next(counts_up(2))  # goes before it has ended


@njit(debug=True)
def fails_inside(a, k):
    words = "at " + str(k)
    own = a + 1
    if k < 0:
        raise KeyError(words)
    return own[k]


@njit(debug=True)
def fails_outside(a, k):
    size = a.size
    try:
        fails_inside(a, -1)
    except Exception:
        size += 1
    if k == 7:
        raise RuntimeError("seven")
    return fails_inside(a, k) + size


def locals_of(function, *args):
    """(name, line from its def, variables) of each compiled call that an exception came through."""
    with pytest.raises((IndexError, RuntimeError, ValueError)) as caught:
        function(*args)
    known = {function.__name__: function.py_func.__code__.co_firstlineno + 1
             for function in (fails_inside, fails_outside, counts_up, largest_of)}
    return [(frame.f_code.co_name, line - known[frame.f_code.co_name], frame.f_locals)
            for frame, line in traceback.walk_tb(caught.tb) if frame.f_code.co_name in known]


def test_variables_after_an_exception_on_the_host():
    """%debug opens at the raise, and up goes to who called; what was handled before is not told."""
    a = np.arange(3.0)
    outer, inner = locals_of(fails_outside, a, 5)
    assert outer[:2] == ("fails_outside", 8) and outer[2]["size"] == 4
    assert inner[:2] == ("fails_inside", 5) and inner[2]["words"] == "at 5" and (inner[2]["own"] == a + 1).all()
    (name, line, variables), = locals_of(fails_outside, a, 7)
    assert (name, line, variables["k"]) == ("fails_outside", 7, 7)
    assert fails_outside(a, 1) == 6
    name, line, variables = locals_of(largest_of, 9)[-1]
    assert (name, line, variables) == ("counts_up", 4, {"n": 9, "i": 3})


def test_a_front_end_that_detaches_while_a_thread_comes_to_stand(attach, monkeypatch):
    panel = attach()
    break_in(largest_of, 1)
    stopped = debugging.stopped

    def detach_first(reason):
        debugging.detach()
        stopped(reason)  # no prompt

    monkeypatch.setattr(debugging, "stopped", detach_first)
    monkeypatch.setattr(sys, "stdin", None)
    assert largest_of(2) == 2 and not panel.stops and _gridcell.debug_frames(None) is None


def test_a_prompt_without_a_front_end(monkeypatch, capsys):
    """breakpoint() asks where no debugger is attached, with pdb's commands."""
    @njit(debug=True)
    def asks(n):
        m = n * 2
        breakpoint()
        k = m + 1
        return k

    monkeypatch.setattr(sys, "stdin", io.StringIO("p m\nn\nn\np k\n%thread 1\nc\n"))
    assert asks(4) == 9
    told = capsys.readouterr().out
    assert "Stopped in the host" in told and "asks()" in told and "return k" in told
    assert "8" in told.split("\n(Pdb) ")[0] + told and "9" in told
    assert "for kernels" in told
    assert _gridcell.debug_frames(None) is None
