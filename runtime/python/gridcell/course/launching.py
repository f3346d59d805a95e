# SPDX-License-Identifier: MIT
"""How a check launches a kernel: with arrays that show what is written beside them, under the device's own search for
races, and thread by thread."""
import re

import numpy as np

from gridcell.course import tracing
from gridcell.course.checking import NotRight, name_of, need_function, plain, reason, same

_MARGIN = 64    # elements before and after each array that no thread may touch
# as the device has them: z, y, x
_PLACE = re.compile(r"line (\d+), tid=\[(\d+), (\d+), (\d+)\] ctaid=\[(\d+), (\d+), (\d+)\]: (.*)", re.DOTALL)
_OTHER = re.compile(r" \(the other is tid=\[(\d+), (\d+), (\d+)\](?: at line (\d+))?(, which has ended)?\)")
_TRACED_THREADS, _TRACED_ACCESSES = 2048, 10_000    # at most: a trace is slow


def need_kernel(answer, parameters):
    """The answer is what cuda.jit makes of a function of so many parameters."""
    need_function(answer, parameters)
    if not hasattr(answer, "forall") or getattr(answer, "targetoptions", {}).get("device"):
        raise NotRight(f"{name_of(answer)} cannot be launched: it is no kernel. What makes one of a function?")


def _count(shape, what):
    sizes = shape if isinstance(shape, tuple) else (shape,)
    words = " x ".join(map(str, sizes))
    return f"{words} {what}{'' if sizes == (1,) else 's'}"


def launch_text(grid, block, arrays):
    shapes = sorted({"x".join(map(str, array.shape)) for array in arrays if isinstance(array, np.ndarray)})
    return f"{_count(grid, 'block')} of {_count(block, 'thread')} on arrays of {' and '.join(shapes)}"


def told(error, kernel, launched):
    """What the device says of a launch, in the words of the course."""
    place = _PLACE.search(str(error))
    if not place:
        return f"{launched}: {reason(error)}"
    line, *where, what = place.groups()
    thread, cell = tracing.who(where[2::-1], where[:2:-1]), plain(kernel).__code__.co_filename
    if isinstance(error, IndexError):
        return f"{launched}: {thread} reaches beyond the end of an array, {tracing.line_text(cell, line)}."
    lines = [f"{launched}: {_OTHER.sub('', what).splitlines()[0].rstrip('. ')}.",
             f"It was {thread}, {tracing.line_text(cell, line)}."]
    other = _OTHER.search(what)
    if other:
        *where, line, ended = other.groups()
        lines.append(f"The other is {tracing.who(where[::-1])}{ended or ''}"
                     f"{', ' + tracing.line_text(cell, line) if line else ''}.")
    return "\n".join(lines)


class _Guarded:
    """A device array with a margin on either side, to see afterwards whether anybody wrote there."""

    def __init__(self, array):
        from numba import cuda
        self.mark = np.array(77).astype(array.dtype)
        whole = np.full(array.size + 2 * _MARGIN, self.mark, array.dtype)
        whole[_MARGIN:_MARGIN + array.size] = array.ravel()
        self.whole = cuda.to_device(whole)
        self.inner = self.whole[_MARGIN:_MARGIN + array.size].reshape(array.shape)
        self.shape, self.size = array.shape, array.size

    def taken_back(self, launched):
        whole = self.whole.copy_to_host()
        before, after = whole[:_MARGIN], whole[_MARGIN + self.size:]
        if (before != self.mark).any() or (after != self.mark).any():
            raise NotRight(f"{launched}: a thread wrote beside an array. The device does not say which: every thread "
                           "has to know whether there is an element for it.")
        return whole[_MARGIN:_MARGIN + self.size].reshape(self.shape)


def launched(kernel, grid, block, *arguments):
    """The arguments after the launch, arrays as NumPy's."""
    from numba import cuda
    text = launch_text(grid, block, arguments)
    arrays = [_Guarded(value) if isinstance(value, np.ndarray) else value for value in arguments]
    try:
        kernel[grid, block](*(value.inner if isinstance(value, _Guarded) else value for value in arrays))
        cuda.synchronize()
    except Exception as error:
        raise NotRight(told(error, kernel, text)) from None
    return [value.taken_back(text) if isinstance(value, _Guarded) else value for value in arrays]


def need_result(kernel, grid, block, *arguments, expected, output=-1, kept=(), tolerance=None):
    """After a launch one argument is as expected, and those of `kept` are as before. What is wrong may be a race."""
    after = launched(kernel, grid, block, *arguments)
    text = launch_text(grid, block, arguments)
    for place in kept:
        if not np.array_equal(after[place], arguments[place]):
            raise NotRight(f"{text}: an array that is only to be read, argument {place + 1}, was changed.")
    try:
        names = plain(kernel).__code__.co_varnames[:len(arguments)]
        same(after[output], expected, text, tolerance, names[output])
    except NotRight as error:
        conflict = conflict_of(kernel, grid, block, *arguments)
        if not conflict:
            raise
        raise NotRight(f"{error}\nThere is {conflict}.") from None


def need_order(kernel, grid, block, *arguments, strict=False):
    """No two threads collide: on shared memory, which the emulated device minds under debug=True, and elsewhere. If it
    is strict, no two write the same value either."""
    from numba import cuda
    if cuda.get_current_device().is_emulated:
        launched(cuda.jit(plain(kernel), debug=True, opt=False), grid, block, *arguments)
    conflict = conflict_of(kernel, grid, block, *arguments, strict=strict)
    if conflict:
        raise NotRight(f"{launch_text(grid, block, arguments)}: {conflict}.\n"
                       "It may come out right today; on another device, or another day, it will not.")


def conflict_of(kernel, grid, block, *arguments, strict=False):
    """Of the run thread by thread; None where it is long, or uses what is not followed."""
    if np.prod(grid) * np.prod(block) > _TRACED_THREADS:
        return None
    try:
        return tracing.Run(kernel, grid, block, *arguments, limit=_TRACED_ACCESSES).conflict(strict)
    except Exception:
        return None
