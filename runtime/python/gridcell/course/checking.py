# SPDX-License-Identifier: MIT
"""How an exercise is checked: step by step, each named; what is told of the first that fails."""
import copy
import dis
import functools
import inspect
import linecache
import textwrap

import numpy as np

_IDLE = {"RESUME", "NOP", "LOAD_CONST", "RETURN_CONST", "RETURN_VALUE", "COPY_FREE_VARS"}


class NotRight(AssertionError):
    """An answer that is not right yet. Notebooks show its text alone, without a traceback."""

    def __init__(self, text):
        super().__init__(text)
        self.lines = [text]

    def _render_traceback_(self):
        return self.lines


def exercise(body):
    """Makes a check of a generator that yields the name of each step before it tries it."""
    number = int(body.__name__.rpartition("_")[2])

    @functools.wraps(body)
    def check(*answers):
        steps = []
        try:
            _count(body, answers)
            for step in body(*answers):
                steps.append(step)
        except NotRight as error:
            text = str(error)
            done, failed = steps[:-1], steps[-1:]
            lines = [f"Exercise {number} is not right yet.", *(f"  \u2713 {step}" for step in done),
                     *(f"  \u2717 {step}" for step in failed), *_wrapped(text)]
            error.lines, error.args = lines, (f"exercise {number}: {': '.join([*failed, text])}",)
            raise error.with_traceback(None) from None
        print("\n".join([f"Exercise {number} is right.", *(f"  \u2713 {step}" for step in steps)]))
    return check


def _wrapped(text):
    """The lines, indented; those of prose no wider than a notebook's cell, code as it is."""
    for line in text.splitlines():
        is_code = line.startswith((" ", "File "))
        for part in [line] if is_code else textwrap.wrap(line, 92, break_long_words=False, break_on_hyphens=False):
            yield f"    {part}"


def _count(body, answers):
    wanted = list(inspect.signature(body).parameters)
    if len(answers) != len(wanted):
        raise NotRight(f"The check takes {len(wanted)} answer{'s' * (len(wanted) > 1)}: {', '.join(wanted)}.")


def plain(function):
    """The Python function that a compiled one was made of."""
    return getattr(function, "py_func", None) or getattr(function, "__wrapped__", None) or function


def name_of(function):
    return getattr(plain(function), "__name__", None) or repr(function)


def is_stub(function):
    """Whether the function does nothing at all, as the notebook hands it out."""
    code = getattr(plain(function), "__code__", None)
    return code is not None and all(step.opname in _IDLE and (step.opcode not in dis.hasconst or step.argval is None)
                                    for step in dis.get_instructions(code))


def need_function(answer, parameters):
    """The answer is a function of so many parameters, and somebody has written its body."""
    if answer is Ellipsis or answer is None or is_stub(answer):
        name = "the function" if answer in (Ellipsis, None) else f"{name_of(answer)}()"
        raise NotRight(f"Not answered yet: write the body of {name}, run that cell, then this one again.")
    if not callable(plain(answer)):
        raise NotRight(f"The answer is a function; this is {short(answer)}, of type {type(answer).__name__}.")
    code = getattr(plain(answer), "__code__", None)
    if code is not None and code.co_argcount != parameters:
        count = f"{code.co_argcount} parameter{'s' * (code.co_argcount != 1)}"
        raise NotRight(f"{name_of(answer)}() has {count}; it is called with {parameters}.")


def need_compiled(answer, parameters):
    """The answer is a function that njit made."""
    need_function(answer, parameters)
    if hasattr(answer, "forall"):
        raise NotRight(f"{name_of(answer)} is not made for the CPU: @njit is what this exercise is about.")
    if not hasattr(answer, "nopython_signatures"):
        raise NotRight(f"{name_of(answer)}() is a plain Python function. What compiles it?")


def short(value, limit=68):
    """The value on one line, cut where it gets long."""
    if isinstance(value, np.ndarray):
        text = np.array2string(value, threshold=8, edgeitems=3, separator=", ", max_line_width=10**6, precision=6)
    elif isinstance(value, np.generic):
        text = str(value)
    else:
        text = repr(value)
    text = " ".join(text.split())
    return text if len(text) <= limit else text[:limit - 3] + "..."


def call_text(function, arguments):
    return f"{name_of(function)}({', '.join(map(short, arguments))})"


def source_line(file, line):
    """The line as it stands in the cell, or an empty text."""
    return linecache.getline(file, line).strip()


def reason(error):
    """The lines of an error that say what is wrong: the compiler's begin with the step that failed."""
    lines = [line for line in str(error).splitlines() if line.strip()]
    if lines and lines[0].startswith("Failed in nopython mode"):
        lines = lines[1:]
    return f"{type(error).__name__}: " + "\n".join(lines[:8])


def _copy(value):
    """A copy that lies in memory as the value does: with gaps where it has gaps."""
    if not isinstance(value, np.ndarray) or value.flags.contiguous or not value.size:
        return copy.deepcopy(value)
    apart = np.empty((*value.shape[:-1], 2 * value.shape[-1]), value.dtype)[..., ::2]
    apart[...] = value
    return apart


def called(function, *arguments):
    """What the function gives for copies of the arguments; they must stay as they were."""
    mine = list(map(_copy, arguments))
    try:
        with np.errstate(all="ignore"):
            result = function(*mine)
    except Exception as error:
        raise NotRight(f"{call_text(function, arguments)} raised {reason(error)}") from None
    for position, (before, after) in enumerate(zip(arguments, mine), 1):
        if isinstance(before, np.ndarray) and not np.array_equal(before, after, equal_nan=before.dtype.kind in "fc"):
            raise NotRight(f"{call_text(function, arguments)} changed its argument {position}, the caller's own array.")
    return result


def _a(kind):
    return f"{'an' if kind.__name__[0] in 'AEIOU' else 'a'} {kind.__name__}"


def raised(function, kind, *arguments):
    """The function raises an exception of that kind."""
    try:
        result = function(*map(_copy, arguments))
    except kind:
        return
    except Exception as error:
        raise NotRight(f"{call_text(function, arguments)} raised {reason(error)}\nIt is to be {_a(kind)}.") from None
    raise NotRight(f"{call_text(function, arguments)} gave {short(result)}; it is to raise {_a(kind)}.")


def same(result, expected, what, tolerance=None, array=None):
    """The result has the expected kind, shape, dtype and values. `what` names it in the message, and `array` is which of
    several arrays it is."""
    if result is None:
        raise NotRight(f"{what} gave None: is there a return on every way through?")
    if isinstance(expected, tuple):
        if not isinstance(result, tuple) or len(result) != len(expected):
            raise NotRight(f"{what} gave {short(result)}; a tuple of {len(expected)} values is asked for.")
        for place, (one, other) in enumerate(zip(result, expected)):
            same(one, other, f"item {place} of what {what} returns", tolerance)
    elif isinstance(expected, np.ndarray):
        same_array(result, expected, what, tolerance, array)
    elif np.ndim(result) or isinstance(result, (str, dict)):
        raise NotRight(f"{what} gave {short(result)}; one number is asked for.")
    elif not _equal(result, expected, tolerance):
        raise NotRight(f"{what} gave {short(result)}; {short(expected)} is right.")


def _equal(one, other, tolerance):
    if tolerance is None:
        return one == other or (one != one and other != other)
    return np.isclose(one, other, rtol=tolerance, atol=tolerance, equal_nan=True)


def same_array(result, expected, what, tolerance=None, array=None):
    if not isinstance(result, np.ndarray):
        raise NotRight(f"{what} gave {short(result)}; an array is asked for.")
    if result.shape != expected.shape:
        raise NotRight(f"{what} has the shape {result.shape}; {expected.shape} is right.")
    if result.dtype != expected.dtype:
        raise NotRight(f"{what} has the dtype {result.dtype}; {expected.dtype} is right.")
    if tolerance is None:
        good = (result == expected) | ((result != result) & (expected != expected))
    else:
        good = np.isclose(result, expected, rtol=tolerance, atol=tolerance, equal_nan=True)
    if not np.all(good):
        wrong = np.argwhere(~np.atleast_1d(good))
        place = tuple(int(i) for i in wrong[0])
        here, right = (short(np.atleast_1d(values)[place]) for values in (result, expected))
        more = len(wrong) - 1
        others = f" (and {more} more {'differ' if more > 1 else 'differs'})" if more else ""
        index = ", ".join(map(str, place))
        item = f"{array}[{index}]" if array else f"item {f'[{index}]' if len(place) > 1 else index}"
        raise NotRight(f"{what}: {item} is {here}; {right} is right{others}.")
