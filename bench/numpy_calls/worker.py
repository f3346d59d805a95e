"""A process that measures calls: a JSON line with a case in, one with its times out.

usage: worker.py ours      by gridcell
       worker.py peer      by numba, and as plain Python"""
import json
import linecache
import pathlib
import re
import sys
import time

import numpy as np

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1]))
from pairs import numba_of, one_line, seconds  # noqa: E402



def laid_out(values, layout):
    """An equal array whose items lie in memory as the layout says."""
    if layout == "F":
        return np.asfortranarray(values)
    if layout == "strided":
        wide = np.zeros((*values.shape[:-1], values.shape[-1] * 2), values.dtype)
        wide[..., ::2] = values
        return wide[..., ::2]
    if layout == "reversed":
        turn = (slice(None, None, -1),) * values.ndim
        return values[turn].copy()[turn]
    if layout == "sliced":
        large = np.zeros([n + 2 for n in values.shape], values.dtype)
        inside = (slice(1, -1),) * values.ndim
        large[inside] = values
        return large[inside]
    if layout == "transposed":
        order = (1, 0, *range(2, values.ndim)) if values.ndim > 1 else (0,)
        return values.transpose(order).copy().transpose(order)
    return values


def numbers(generator, shape, dtype):
    if dtype == "bool":
        return generator.random(shape) < 0.5
    if dtype == "complex128":
        return generator.uniform(0.1, 0.9, shape) + 1j * generator.uniform(0.1, 0.9, shape)
    if np.dtype(dtype).kind == "i":
        return generator.integers(1, 100, shape).astype(dtype)
    return generator.uniform(0.1, 0.9, shape).astype(dtype)


def symmetric(square):
    return (square + square.T) / 2 + np.eye(len(square), dtype=square.dtype) * len(square)


def make(name, case):
    """The operand of this name (see expressions.py)."""
    generator = np.random.default_rng(sum(map(ord, name)))
    shape, dtype, layout = tuple(case["shape"]), case["dtype"], case["layout"]
    size = int(np.prod(shape))
    side = max(int(size ** 0.5), 1)
    makers = {
        "a": lambda: laid_out(numbers(generator, shape, dtype), layout),
        "b": lambda: laid_out(numbers(generator, shape, dtype), layout),
        "out": lambda: laid_out(np.zeros(shape, dtype), layout),
        "m": lambda: laid_out(generator.random(shape) < 0.5, layout),
        "v": lambda: numbers(generator, shape[-1] if "a + v" in case["text"] or "a += v" in case["text"] else shape[0], dtype),
        "k": lambda: generator.integers(0, shape[0], shape[0]),
        "s": lambda: np.dtype(dtype).type(1),
        "n": lambda: size,
        "g": lambda: np.random.default_rng(3),
        "q": lambda: numbers(generator, (side, side), dtype) + np.eye(side, dtype=dtype),
        "h": lambda: symmetric(numbers(generator, (side, side), dtype)),
    }
    return makers[name]()


def function_of(case, count):
    """The text as a function whose source can be read."""
    names = [name for name in ("a", "b", "out", "m", "v", "k", "s", "n", "g", "q", "h") if uses(case["text"], name)]
    *steps, result = case["text"].split("; ")
    lines = [f"def f({', '.join(names)}):", *(f"    {step}" for step in steps),
             f"    {result}" if result.startswith("return ") else f"    return {result}"]
    source, file = "\n".join(lines) + "\n", f"<case {count}>"
    linecache.cache[file] = len(source), None, source.splitlines(True), file
    names_of = {"np": np}
    exec(compile(source, file, "exec"), names_of)
    return names_of["f"], [make(name, case) for name in names]


def uses(text, name):
    return re.search(rf"(?<![\w.]){name}\b(?!\s*=[^=])", text) is not None


class Measured:
    def __init__(self, numba, case, count, with_numpy):
        self.plain, self.arguments = function_of(case, count)
        self.clock = time.perf_counter if case["is_parallel"] else time.thread_time
        self.with_numpy, self.failure = with_numpy, None
        self.jitted = numba.njit(parallel=True)(self.plain) if case["is_parallel"] else numba.njit(self.plain)
        start = time.thread_time()
        try:
            self.jitted(*self.arguments)
        except Exception as error:
            self.failure = one_line(error)
        self.compile_seconds = time.thread_time() - start

    def times(self):
        found = {"compile": self.compile_seconds, "failure": self.failure}
        if not self.failure:
            found["run"] = seconds(self.jitted, self.arguments, self.clock)
        if self.with_numpy:
            try:
                found["numpy"] = seconds(self.plain, self.arguments, self.clock)
            except Exception as error:
                found["numpy_failure"] = str(error)
        return found


def main():
    numba, measured = numba_of(sys.argv[1]), None
    for count, line in enumerate(sys.stdin):
        asked = json.loads(line)
        if asked["case"] is not None:
            measured = Measured(numba, asked["case"], count, sys.argv[1] == "peer")
        print(json.dumps(measured.times()), flush=True)


if __name__ == "__main__":
    main()
