# SPDX-License-Identifier: MIT
"""Runs the Python function of a kernel thread by thread, and notes which thread touches which element.

The emulated device and most GPUs give the right sum for many a program that is wrong: whether two threads collide is a
matter of luck there. Here every access is noted, and two of different threads to one element are a conflict where at
least one writes, not both are atomic, and no barrier stands between them. Threads run one after the other, each up to
its next barrier, so the trace is the same every time.
"""
import itertools
import sys
import threading
import types
from typing import NamedTuple

import numpy as np

from gridcell.course.checking import source_line

READ, WRITE, ATOMIC = "read", "write", "atomic"


class Access(NamedTuple):
    array: str       # the parameter's name, or "shared", "shared 2" and so on in the order in which they are made
    place: int       # the element's number in the whole array
    kind: str
    block: tuple
    thread: tuple
    epoch: int       # how many barriers the block has passed
    line: int
    value: object    # what was written, None for a read


_DONE = {READ: "reads", WRITE: "writes", ATOMIC: "atomically changes"}


class Conflict(NamedTuple):
    first: Access
    second: Access
    index: tuple     # of the element
    file: str        # the cell's

    def __str__(self):
        one, other = self.first, self.second
        lines = ", and ".join(line_text(self.file, line) for line in dict.fromkeys((one.line, other.line)))
        return f"a race: {who(one.thread, one.block)} {_DONE[one.kind]} {one.array}[{', '.join(map(str, self.index))}], " \
               f"{who(other.thread, other.block)} {_DONE[other.kind]} it, and nothing says who comes first ({lines})"


def _coordinates(axes):
    """A thread or block, x first, by as many numbers as it needs."""
    numbers = [int(number) for number in axes]
    while len(numbers) > 1 and not numbers[-1]:
        numbers.pop()
    return str(numbers[0]) if len(numbers) == 1 else f"({', '.join(map(str, numbers))})"


def who(thread, block=None):
    """A thread in words."""
    return f"thread {_coordinates(thread)}" + (f" of block {_coordinates(block)}" if block else "")


def line_text(file, number):
    """A line of a cell in words."""
    text = source_line(file, int(number))
    return f"in line {number}" + (f", {text!r}" if text else "")


class CannotFollow(Exception):
    """The kernel uses what is not followed here: warps' shuffles, for one."""


class _Array:
    """An array that notes who reads and writes it. A slice of it notes in the same trace."""

    def __init__(self, run, name, data, places=None):
        self._run, self._name, self._data = run, name, data
        self._places = np.arange(data.size).reshape(data.shape) if places is None else places
        self.shape, self.ndim, self.size, self.dtype = data.shape, data.ndim, data.size, data.dtype

    def __len__(self):
        return len(self._data)

    def _note(self, kind, index, value=None):
        place = self._places[index]
        if np.ndim(place):
            return _Array(self._run, self._name, self._data[index], place)
        self._run.note(self._name, int(place), kind, _line_of_kernel(), value)
        return None

    def __getitem__(self, index):
        part = self._note(READ, index)
        return self._data[index] if part is None else part

    def __setitem__(self, index, value):
        part = self._note(WRITE, index, value)
        if part is not None:
            raise CannotFollow("a whole row is assigned")
        self._data[index] = value

    def update(self, index, change):
        """An atomic operation: gives the old value."""
        self._note(ATOMIC, index)
        old = self._data[index]
        self._data[index] = change(old)
        return old


def _line_of_kernel():
    frame = sys._getframe(1)
    while frame.f_code.co_filename == __file__:
        frame = frame.f_back
    return frame.f_lineno


class _Atomic:
    @staticmethod
    def add(array, index, value):
        return array.update(index, lambda old: old + value)

    @staticmethod
    def sub(array, index, value):
        return array.update(index, lambda old: old - value)

    @staticmethod
    def max(array, index, value):
        return array.update(index, lambda old: max(old, value))

    @staticmethod
    def min(array, index, value):
        return array.update(index, lambda old: min(old, value))

    @staticmethod
    def exch(array, index, value):
        return array.update(index, lambda old: value)

    @staticmethod
    def cas(array, index, expected, value):
        return array.update(index, lambda old: value if old == expected else old)


class _Axes(NamedTuple):
    x: int
    y: int
    z: int


class _Thread:
    """One thread of the kernel: a thread of Python that runs while its turn lasts."""

    def __init__(self, run, block, index):
        self.run, self.block, self.index = run, block, index
        self.may_go, self.shared_calls, self.ended, self.error = threading.Semaphore(0), 0, False, None
        self.python_thread = threading.Thread(target=self._body, daemon=True)

    def _body(self):
        self.may_go.acquire()
        try:
            self.run.function(*self.run.arguments)
        except BaseException as error:
            self.error = error
        self.ended = True
        self.run.stopped.release()

    def wait(self):
        self.run.stopped.release()
        self.may_go.acquire()
        if self.run.is_given_up:
            raise CannotFollow("another thread failed")

    def go_on(self):
        if not self.python_thread.is_alive():
            self.python_thread.start()
        self.may_go.release()
        self.run.stopped.acquire()
        if self.error is not None:
            raise self.error


class _Shared:
    def __init__(self, run):
        self._run = run

    def array(self, shape, dtype):
        thread = self._run.thread
        number, thread.shared_calls = thread.shared_calls, thread.shared_calls + 1
        arrays = self._run.shared_arrays
        if number == len(arrays):
            name = f"shared {number + 1}" if number else "shared"
            arrays.append(_Array(self._run, name, np.zeros(shape, _dtype(dtype))))
            self._run.shapes[name], self._run.dtypes[name] = arrays[-1].shape, arrays[-1].dtype
        return arrays[number]


class _Local:
    @staticmethod
    def array(shape, dtype):
        return np.zeros(shape, _dtype(dtype))


def _dtype(kind):
    try:
        return np.dtype(kind)
    except TypeError:
        return np.dtype(str(kind))    # a type of numba's, which has NumPy's name


class _Cuda:
    """What a kernel finds under the name `cuda` here. A name that is not there is not followed."""

    atomic, local = _Atomic, _Local
    warpsize = 32

    def __init__(self, run):
        self._run, self.shared = run, _Shared(run)

    threadIdx = property(lambda self: self._run.thread.index)
    blockIdx = property(lambda self: self._run.thread.block)
    blockDim = property(lambda self: self._run.block_shape)
    gridDim = property(lambda self: self._run.grid_shape)

    def grid(self, dimensions):
        at = [b * n + t for b, n, t in zip(self.blockIdx, self.blockDim, self.threadIdx)][:dimensions]
        return at[0] if dimensions == 1 else tuple(at)

    def gridsize(self, dimensions):
        sizes = [g * b for g, b in zip(self.gridDim, self.blockDim)][:dimensions]
        return sizes[0] if dimensions == 1 else tuple(sizes)

    def syncthreads(self):
        self._run.thread.wait()

    def __getattr__(self, name):
        raise CannotFollow(f"cuda.{name}")


def _axes(shape):
    """A launch's number or tuple, as three."""
    return _Axes(*(tuple(shape) if isinstance(shape, tuple) else (shape,)) + (1, 1, 1)[:3 - np.size(shape)])


def _all(shape):
    return (_Axes(x, y, z) for z, y, x in itertools.product(*map(range, reversed(shape))))


class Run:
    """A kernel's run on copies of the arguments: `accesses`, `results`, `conflict()`. One of more accesses than `limit`
    is not followed."""

    def __init__(self, kernel, grid, block, *arguments, limit=float("inf")):
        self.limit = limit
        self.grid_shape, self.block_shape = _axes(grid), _axes(block)
        self.accesses, self.stopped, self._cuda = [], threading.Semaphore(0), _Cuda(self)
        self.is_given_up = False
        function = getattr(kernel, "py_func", kernel)
        names = function.__code__.co_varnames
        self.function, self.file = self._follow(function), function.__code__.co_filename
        self.arguments = [_Array(self, name, np.array(value)) if isinstance(value, np.ndarray) else value
                          for name, value in zip(names, arguments)]
        arrays = [array for array in self.arguments if isinstance(array, _Array)]
        self.shapes = {array._name: array.shape for array in arrays}
        self.dtypes = {array._name: array.dtype for array in arrays}
        for place in _all(self.grid_shape):
            self._run_block(place)
        self.results = [value._data if isinstance(value, _Array) else value for value in self.arguments]

    def _follow(self, function):
        """The function with `cuda`, and compiled functions that it calls, as they are here."""
        names = {}
        for name in function.__code__.co_names:
            value = function.__globals__.get(name)
            if isinstance(value, types.ModuleType) and value.__name__ in ("numba.cuda", "gridcell.cuda"):
                names[name] = self._cuda
            elif hasattr(value, "py_func") and value.py_func is not function:
                names[name] = self._follow(value.py_func)
        return types.FunctionType(function.__code__, {**function.__globals__, **names}, function.__name__,
                                  function.__defaults__, function.__closure__)

    def _run_block(self, block):
        self.epoch, self.shared_arrays = 0, []
        threads = [_Thread(self, block, index) for index in _all(self.block_shape)]
        try:
            while threads:
                for self.thread in threads:
                    self.thread.go_on()
                threads = [thread for thread in threads if not thread.ended]
                self.epoch += 1
        except BaseException:
            self._give_up(threads)
            raise

    def _give_up(self, threads):
        """Has those that wait at a barrier end."""
        self.is_given_up = True
        for thread in threads:
            if thread.python_thread.is_alive():
                thread.may_go.release()
                thread.python_thread.join(timeout=1)    # it may run without end, and an interrupt may be why

    def note(self, array, place, kind, line, value):
        thread = self.thread
        if len(self.accesses) >= self.limit:
            raise CannotFollow("a long run")
        self.accesses.append(Access(array, place, kind, thread.block, thread.index, self.epoch, line, value))

    def conflict(self, strict=False):
        """The first two accesses to an element that nothing orders, or None. Two that write the same value count only
        if it is strict."""
        seen = {}
        for access in self.accesses:
            whose = access.block if access.array.startswith("shared") else None
            others = seen.setdefault((access.array, whose, access.place), [])
            for other in others:
                if _collide(other, access, strict):
                    return Conflict(other, access, self._index(access), self.file)
            if access not in others[-1:]:
                others.append(access)
        return None

    def _index(self, access):
        return tuple(int(i) for i in np.unravel_index(access.place, self.shapes[access.array]))


def _collide(one, other, strict):
    same_thread = (one.block, one.thread) == (other.block, other.thread)
    ordered = one.block == other.block and one.epoch != other.epoch
    if same_thread or ordered or one.kind == other.kind in (READ, ATOMIC):
        return False
    # who writes the same as another leaves the same behind, whoever comes last
    return strict or not (one.kind == other.kind == WRITE and one.value == other.value)
