"""Every place where compiled code keeps a value in its own frame x the size of that value, in one process that
must outlive them all. A line for each that is not right: how it ended.

usage: python -m gridcell every_frame.py SIZE... [PLACE...]    (in bytes; NumPy's records end below 2**31)
"""
import resource
import sys
import threading

import numpy as np
from numba import cuda, from_dtype, guvectorize, njit, objmode, prange, types
from numba.core.errors import NumbaError

PLACES = {}
RIGHT = 5  # what each place gives
TOO_LARGE = (NumbaError, MemoryError, cuda.CudaAPIError)


def place(function):
    PLACES[function.__name__] = function
    return function


def dtype_of(size):
    return np.dtype([("n", np.int64), ("body", np.uint8, (size,))])


def records(size):
    return np.zeros(2, dtype_of(size))


def launch(kernel, *args):
    out = np.zeros(64, np.int64)
    kernel[1, 64](*args, out)
    return int(out[63])


@njit
def first(a):
    return a[0]


@njit(inline="never")
def first_of(a):
    r = a[0]
    return r


@cuda.jit(device=True)
def device_first(a):
    return a[0]


@cuda.jit(device=True)
def store(out, value):
    out[cuda.threadIdx.x] = value


@place
def item(size):
    return njit(lambda a: a[0].n + 5)(records(size))


@place
def item_named(size):
    @njit
    def f(a):
        r = a[0]
        r.n = 5
        return r.n
    return f(records(size))


@place
def item_copied(size):
    @njit
    def f(a):
        a[0].n = 5
        a[1] = a[0]
        return a[1].n
    return f(records(size))


@place
def argument(size):
    return njit(lambda r: r.n + 5)(records(size)[0])


@place
def result(size):
    return njit(lambda a: first(a))(records(size))["n"] + 5


@place
def inner_results(size):
    @njit
    def f(a):
        x, y = first_of(a), first_of(a[1:])
        return x.n + y.n + 5
    return f(records(size))


@place
def in_a_tuple(size):
    return njit(lambda a: (a[0], a[1], 5))(records(size))[2]


@place
def in_containers(size):
    @njit
    def f(a):
        items, table = [a[0]], {1: a[0]}
        items.append(a[1])
        return items[1].n + table[1].n + 5
    return f(records(size))


@place
def in_a_closure(size):
    @njit
    def f(a):
        r = a[0]

        def add(k):
            return r.n + k
        return add(5)
    return f(records(size))


@place
def in_a_parallel_loop(size):
    @njit(parallel=True)
    def f(a):
        r = a[0]
        total = 0
        for i in prange(5):
            total += r.n + 1
        return total
    return f(records(size))


@place
def in_a_generator(size):
    @njit
    def g(a):
        for i in range(5):
            r = a[0]
            yield r.n + 1
    return sum(g(records(size)))


@place
def yielded(size):
    @njit
    def g(a):
        for i in range(5):
            yield a[0]
    return len(list(g(records(size))))


@place
def a_phi(size):
    @njit
    def f(a):
        r = a[0]
        i = 0
        while i < 5:
            r = a[i % 2]
            i += 1 + r.n
        return i
    return f(records(size))


@place
def optional(size):
    @njit
    def f(a, k):
        r = None
        if k:
            r = a[0]
        return 5 if r is not None else 4
    return f(records(size), 3)


@place
def constant(size):
    kept = records(size)[0]
    return njit(lambda: kept.n + 5)()


@place
def constant_array(size):
    kept = records(size)
    return njit(lambda: kept[0].n + 5)()


@place
def field(size):
    @njit
    def f(a):
        b = a[0].body
        c = b.copy()
        b.flat[3] = 5
        return b.flat[3] + c.flat[3]
    return f(records(size))


@place
def on_a_thread(size):
    out = []
    thread = threading.Thread(target=lambda: out.append(item_named(size)))
    thread.start()
    thread.join()
    return out[0]


@place
def raised(size):
    @njit
    def f(a):
        raise ValueError("text", a[0].n)
    try:
        f(records(size))
    except ValueError as error:
        return error.args[1] + 5


@place
def to_python(size):
    @njit
    def f(a):
        r = a[0]
        with objmode(x="int64"):
            x = int(r["n"]) + 5
        return x
    return f(records(size))


@place
def of_a_gufunc(size):
    kind = from_dtype(dtype_of(size))

    @guvectorize([(kind[:], types.int64[:])], "(n)->()")
    def f(a, out):
        r = a[0]
        out[0] = r.n + 5
    return f(records(size))


@place
def text(size):
    return njit(lambda a: len(a[0]) + 4)(np.array(["x"], f"U{max(1, min(size, 1 << 27) // 4)}"))


@place
def text_stored(size):
    @njit
    def f(a):
        a[1] = a[0]
        return len(a[1]) + (a[0] == "x") * 4
    return f(np.array(["x", ""], f"U{max(1, min(size, 1 << 27) // 4)}"))


@place
def in_bytes(size):
    @njit
    def f(a):
        return len(a[0]) + (a[0] == a[0]) * 4
    return f(np.array([b"x"], f"S{min(size, 1 << 27)}"))


@place
def of_a_kernel(size):
    @cuda.jit
    def kernel(a, out):
        r = a[0]
        cuda.syncthreads()
        out[cuda.threadIdx.x] = r.n + 5
    return launch(kernel, records(size))


@place
def copied_in_a_kernel(size):
    @cuda.jit
    def kernel(a, out):
        if cuda.grid(1) == 0:
            a[1] = a[0]
        out[cuda.threadIdx.x] = a[1].n + 5
    return launch(kernel, records(size))


@place
def argument_of_a_kernel(size):
    return launch(cuda.jit(lambda r, out: store(out, r.n + 5)), records(size)[0])


@place
def result_on_the_device(size):
    return launch(cuda.jit(lambda a, out: store(out, device_first(a).n + 5)), records(size))


@place
def local_array(size):
    @cuda.jit
    def kernel(out):
        local = cuda.local.array(size, np.uint8)
        local[1] = 5
        cuda.syncthreads()
        out[cuda.threadIdx.x] = local[1]
    return launch(kernel)


def device_records(array, size):
    kind = from_dtype(dtype_of(size))

    @cuda.jit
    def kernel(out):
        a = array(2, kind)
        a[1].n = 5
        cuda.syncthreads()
        store(out, a[1].n)
    return launch(kernel)


@place
def local_records(size):
    return device_records(cuda.local.array, size)


@place
def shared_records(size):
    return device_records(cuda.shared.array, size)


@place
def constant_memory(size):
    kept = np.full(size, 5, np.uint8)

    @cuda.jit
    def kernel(out):
        out[cuda.threadIdx.x] = cuda.const.array_like(kept)[3]
    return launch(kernel)


def problem_of(name, size):
    """What is wrong with how a place ends; None: it gives its result, or says that the size is too large."""
    try:
        value = PLACES[name](size)
    except TOO_LARGE as error:
        message = " ".join(str(error).split())
        is_clear = any(word in message for word in ("bytes", "iB", "memory")) and "internal:" not in message
        return None if is_clear else f"{type(error).__name__} {message[:200]}"
    return None if value == RIGHT else f"gave {value}"


def main(arguments):
    sizes = [int(text) for text in arguments if text.isdigit()]
    names = [text for text in arguments if text in PLACES] or list(PLACES)
    resource.setrlimit(resource.RLIMIT_AS, (16 << 30, resource.RLIM_INFINITY))
    wrong = 0
    for name in names:
        for size in sizes:
            problem = problem_of(name, size)
            if problem:
                print(f"{name} {size}: {problem}", flush=True)
                wrong += 1
    print(f"{len(names) * len(sizes)} cases, {wrong} failures")


main(sys.argv[1:])
