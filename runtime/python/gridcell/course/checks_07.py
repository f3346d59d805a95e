# SPDX-License-Identifier: MIT
"""The exercises of notebook 07: memory."""
import time

import numpy as np

from gridcell.course.checking import NotRight, called, exercise, need_function, reason, same


class _Watched:
    """A kernel of the check that notes its launches: the answer may launch it as any other."""

    def __init__(self, kernel, what):
        self.kernel, self.what, self.arrays, self.streams, self.threads = kernel, what, set(), set(), []

    def __getitem__(self, launch):
        def launched(*arguments):
            for number, value in enumerate(arguments, 1):
                if not hasattr(value, "__cuda_array_interface__"):
                    raise NotRight(f"{self.what}: the kernel got {type(value).__name__} as its argument {number}; it is to get device "
                                   "arrays only.")
            self.arrays.update(value.__cuda_array_interface__["data"][0] for value in arguments[:self.watched(arguments)])
            self.streams.add(int(getattr(launch[2], "handle", launch[2]) or 0) if len(launch) > 2 else None)
            self.threads.append((int(np.prod(launch[0]) * np.prod(launch[1])), arguments[0].size))
            if launch[0] and arguments[0].size and self.threads[-1][0] < self.threads[-1][1]:
                raise NotRight(f"{self.what}: a launch of {self.threads[-1][0]} threads for {self.threads[-1][1]} elements.")
            self.kernel[launch](*arguments)
        return launched

    def watched(self, arguments):
        return len(arguments)


class _WatchedFirst(_Watched):
    def watched(self, arguments):
        return 1


def _run(answer, kernel, *arguments):
    """What the answer gives; a NotRight of a launch goes on as it is."""
    try:
        return answer(kernel, *arguments)
    except NotRight:
        raise
    except Exception as error:
        raise NotRight(f"{kernel.what} raised {reason(error)}") from None


def _kernels():
    from numba import cuda

    @cuda.jit
    def step(source, target):
        i = cuda.grid(1)
        if i < source.size:
            target[i] = 0.5 * source[i] + (0.25 * source[i - 1] if i else 1.0)

    @cuda.jit
    def change(values):
        i = cuda.grid(1)
        if i < values.size:
            values[i] = 2.0 * values[i] + 1.0

    @cuda.jit
    def add_up(values, total):
        i = cuda.grid(1)
        if i < values.size:
            cuda.atomic.add(total, 0, values[i])
    return step, change, add_up


_made = []


def _kernel(number):
    if not _made:
        _made.extend(_kernels())
    return _made[number]


def _stepped(values, times):
    for _ in range(times):
        values = 0.5 * values + np.concatenate([[1.0], 0.25 * values[:-1]])[:values.size]
    return values


@exercise
def exercise_1(many_steps):
    """Applies a kernel many times, on the device."""
    yield "it is a function of step, values and times"
    need_function(many_steps, 3)
    values = np.random.default_rng(1).random(1000)

    def one(n, times):
        kernel, mine = _Watched(_kernel(0), f"{n} element{'s' * (n != 1)}, {times} step{'s' * (times != 1)}"), values[:n].copy()
        result = _run(many_steps, kernel, mine, times)
        same(result, _stepped(values[:n], times), kernel.what, tolerance=1e-12)
        return kernel, mine
    yield "one step, with device arrays"
    one(1000, 1)
    yield "an even number, and an odd one"
    one(1000, 6)
    one(300, 7)
    yield "no step"
    one(100, 0)
    yield "one element"
    one(1, 3)
    yield "the caller's array stays as it is"
    _, mine = one(500, 5)
    if not np.array_equal(mine, values[:500]):
        raise NotRight("500 elements, 5 steps: the caller's own array was changed.")
    yield "two device arrays"
    kernel, _ = one(1000, 12)
    if len(kernel.arrays) > 2:
        raise NotRight(f"{kernel.what}: the kernel got {len(kernel.arrays)} different arrays.")


@exercise
def exercise_2(frame):
    """A frame around a device array."""
    from numba import cuda
    yield "it is a function of image, width and value"
    need_function(frame, 3)

    def one(rows, columns, width):
        image = np.random.default_rng(2).random((rows, columns))
        expected = np.full_like(image, 7.5)
        expected[width:max(rows - width, 0), width:max(columns - width, 0)] = \
            image[width:max(rows - width, 0), width:max(columns - width, 0)]
        there, what = cuda.to_device(image), f"an image of {rows} x {columns} with a frame of {width}"
        try:
            frame(there, width, 7.5)
        except Exception as error:
            raise NotRight(f"{what} raised {reason(error)}") from None
        same(there.copy_to_host(), expected, what, array="image")
    yield "a frame of one"
    one(6, 8, 1)
    yield "wider ones"
    one(12, 9, 3)
    yield "no frame"
    one(5, 4, 0)
    yield "images that are all frame"
    one(4, 9, 2)
    one(3, 3, 2)
    one(3, 8, 20)
    yield "images without rows or columns"
    one(0, 5, 1)
    one(5, 0, 1)


@exercise
def exercise_3(seconds_of):
    """The least time of a run, by events."""
    yield "it is a function of work and runs"
    need_function(seconds_of, 2)
    calls = []

    def one(pauses):
        calls.clear()

        def work():
            time.sleep(pauses[min(len(calls), len(pauses) - 1)])
            calls.append(None)
        found = called(seconds_of, work, len(pauses) - 1)
        if not isinstance(found, (float, np.floating)):
            raise NotRight(f"It gave {found!r}; a number of seconds is asked for.")
        return float(found)

    def near(found, least, what):
        if not 0.9 * least <= found <= least + 5:
            raise NotRight(f"{what} takes {least} seconds; the result was {found:.4g}.")
    yield "seconds, not milliseconds"
    near(one([0.02, 0.02, 0.02]), 0.02, "Work that pauses for 0.02 seconds")
    yield "the first call is not measured"
    found = one([0.0, 0.03])
    near(found, 0.03, "Work that takes no time when it is called first, and then 0.03 seconds,")
    if len(calls) != 2:
        raise NotRight(f"For 1 run, work() was called {len(calls)} times; 2 are right.")
    yield "so many runs, each by itself"
    found = one([0.0, 0.1, 0.1, 0.1])
    if len(calls) != 4:
        raise NotRight(f"For 3 runs, work() was called {len(calls)} times; 4 are right.")
    if found > 0.25:
        raise NotRight(f"Of 3 runs of 0.1 seconds each the result was {found:.4g}.")
    yield "the least of all"
    found = one([0.0, 0.3, 0.01, 0.3])
    if found > 0.25:
        raise NotRight(f"Of runs of 0.3, 0.01 and 0.3 seconds the result was {found:.4g}.")


@exercise
def exercise_4(in_parts):
    """Part by part, on streams."""
    yield "it is a function of step, values, parts and streams"
    need_function(in_parts, 4)
    values = np.random.default_rng(4).random(1003)

    def one(n, parts, streams):
        kernel = _Watched(_kernel(1), f"{n} elements in {parts} parts on {streams} streams")
        result = _run(in_parts, kernel, values[:n].copy(), parts, streams)
        same(result, 2.0 * values[:n] + 1.0, kernel.what)
        return kernel
    yield "one part, one stream"
    one(1000, 1, 1)
    yield "parts that come out even"
    one(1000, 4, 2)
    yield "parts that do not"
    one(1003, 4, 2)
    one(100, 7, 3)
    yield "each part has a launch of its own, and none is too large"
    kernel = one(1003, 4, 2)
    sizes = [size for _, size in kernel.threads]
    if len(sizes) != 4 or max(sizes) - min(sizes) > 1:
        raise NotRight(f"{kernel.what}: the launches were for {', '.join(map(str, sizes))} elements.")
    yield "more parts than elements, and no elements"
    one(3, 5, 2)
    one(0, 2, 2)
    yield "so many streams, and not the default one"
    kernel = one(1000, 6, 3)
    if None in kernel.streams or 0 in kernel.streams or len(kernel.streams) != 3:
        raise NotRight(f"{kernel.what}: the launches were on {len(kernel.streams - {None, 0})} streams"
                       f"{' and the default one' * bool(kernel.streams & {None, 0})}.")


@exercise
def exercise_5(sum_of_pieces):
    """A sum of pieces that come one by one."""
    yield "it is a function of add_up, pieces and length"
    need_function(sum_of_pieces, 3)
    values = np.random.default_rng(5).integers(-9, 10, 5000).astype(np.float64)

    def one(lengths, reuse=False):
        what = f"pieces of {', '.join(map(str, lengths[:6])) or 'nothing'}{', ...' * (len(lengths) > 6)}"
        kernel, ends = _WatchedFirst(_kernel(2), what), np.cumsum(lengths)
        own = np.empty(max(lengths, default=1))

        def pieces():
            for length, end in zip(lengths, ends):
                piece = own[:length] if reuse else np.empty(length)
                piece[:] = values[end - length:end]
                yield piece
            own[:] = 1e9
        result = _run(sum_of_pieces, kernel, pieces(), max(lengths, default=1))
        same(result, float(values[:ends[-1] if lengths else 0].sum()), kernel.what, tolerance=1e-9)
        if not isinstance(result, float):
            raise NotRight(f"{kernel.what} gave {type(result).__name__}; a float is asked for.")
        return kernel
    yield "one piece"
    one([100])
    yield "several"
    one([100, 100, 100])
    yield "of different lengths"
    one([7, 300, 1, 128, 129])
    yield "pieces without elements, and no pieces"
    one([50, 0, 50])
    one([0])
    one([])
    yield "an array that the iterator uses again"
    one([200, 200, 200, 200, 200], reuse=True)
    yield "two buffers"
    kernel = one([150] * 20, reuse=True)
    if len(kernel.arrays) > 2:
        raise NotRight(f"{kernel.what}: the kernel got arrays from {len(kernel.arrays)} buffers.")
